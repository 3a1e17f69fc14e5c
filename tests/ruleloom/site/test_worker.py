"""The application of a site, by the messages that its page sends."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from ruleloom.site import worker
from ruleloom.site.drafts import Drafts


def test_the_page_is_told_of_a_newer_pack_and_says_what_becomes_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drafts = Drafts(tmp_path / "app" / "packs", tmp_path / "kept" / "packs")
    monkeypatch.setattr(worker, "DRAFTS", drafts)
    monkeypatch.setattr(worker, "KEPT", tmp_path / "kept")
    file = Path("house", "cards.yaml")
    for folder, text in ((drafts.came, "first"), (drafts.copies, "mine"), (drafts.came, "second")):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text, encoding="utf-8")

    async def asks() -> list[Any]:
        answers: asyncio.Queue[str] = asyncio.Queue()
        running = worker.start(["gnostica"], answers.put_nowait)
        found = []
        for path, body in (
            ("newer", {}),
            ("newer/choose", {"name": "../kept", "take": True}),
            ("newer/choose", {"name": "house", "take": True}),
        ):
            data = {"id": 1, "is": "request", "method": "POST", "path": f"/api/host/{path}"}
            data |= {"token": running.host_token, "body": json.dumps(body)}
            running.take(json.dumps(data))
            answer = json.loads(await answers.get())
            found.append(json.loads(answer["body"]))
        return found

    told, foreign, chosen = asyncio.run(asks())
    assert told["result"] == ["house"]
    assert "no such file" in foreign["error"]
    assert chosen["result"] == []
    assert (drafts.copies / file).read_text("utf-8") == "second"
