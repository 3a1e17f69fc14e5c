"""`ruleloom mcp`, spoken to by the client of the protocol's own SDK over standard input and output."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.support.command import call

mcp = pytest.importorskip("mcp", reason="the extra `mcp` is not installed")

PAGE = ROOT / "docs" / "assistants.md"
BEGIN, END = "<!-- transcript -->\n```text\n", "```\n"
ASKED = "a card for Gnostica: one of my minions stands up, and I draw a card."
CARD = """\
kind: major
id: lamplighter
title: Lamplighter
number: 40
effect: |
  choose minion from my_minions "Who stands up?"
  face(minion, up)
  draw drawn from draw_pile to hand(self)
"""

# A tool, what it is given, and the command that writes the same.
TEXTS: tuple[tuple[str, dict[str, Any], list[str]], ...] = (
    ("places", {"packs": ["lamplight"]}, ["places", "lamplight"]),
    ("explain", {"word": "lamplight"}, ["explain", "lamplight"]),
    ("explain", {"word": "unknown-name"}, ["explain", "unknown-name"]),
    (
        "explain",
        {"word": "lamplighter", "packs": ["lamplight"]},
        ["explain", "--pack", "lamplight", "lamplighter"],
    ),
)

Talk = Callable[[Any], Awaitable[None]]


def speak(folders: list[Path], talk: Talk, home: Path) -> None:
    """Start the server for these folders, somewhere else, and talk to it."""
    server = mcp.StdioServerParameters(
        command=sys.executable,
        args=["-m", "ruleloom", "mcp", *map(str, folders)],
        env={"PYTHONPATH": str(ROOT), **dict(os.environ)},
        cwd=home,
    )

    async def spoken() -> None:
        async with mcp.Client(server) as client:
            await talk(client)

    asyncio.run(spoken())


async def ask(client: Any, tool: str, /, **given: Any) -> dict[str, Any]:
    """The answer of a tool, which stands in its text as in its data."""
    found = await client.call_tool(tool, given)
    assert not found.is_error, found.content[0].text
    answer: dict[str, Any] = found.structured_content
    assert json.loads(found.content[0].text) == answer
    return answer


async def refusal(client: Any, tool: str, /, **given: Any) -> str:
    found = await client.call_tool(tool, given)
    assert found.is_error
    text: str = found.content[0].text
    return text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "rules"
    made.mkdir()
    assert call("new", "pack", "lamplight", "--game", "gnostica", "--in", made).code == 0
    assert call("new", "major", "lamplighter", "--in", made / "lamplight").code == 0
    return made


def test_each_tool_answers_what_its_command_writes(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(folder)
    card = folder / "lamplight" / "lamplighter.yaml"
    card.write_text(CARD, encoding="utf-8")
    broken = json.loads(call("check", "lamplight", "--format", "json").out)
    pack = ["lamplight"]

    async def talk(client: Any) -> None:
        assert await ask(client, "check", packs=pack) == {"exit": 1, "findings": broken}
        assert {one["fix"] and one["fix"]["text"] for one in broken} == {"minions", None}
        assert await ask(client, "places", packs=pack) == {"exit": 1, "findings": broken}
        found = await ask(client, "search", packs=pack, words="minion")
        assert found == {"exit": 1, "findings": broken}
        card.write_text(CARD.replace("my_", "").replace("self", "me"), encoding="utf-8")
        assert await ask(client, "check", packs=pack) == {"exit": 0, "findings": []}
        for tool, given, words in TEXTS:
            assert await ask(client, tool, **given) == {"exit": 0, "text": call(*words).out}
        odds = await ask(client, "odds", packs=["gnostica"], text="roll luck = 1d6", of=["luck"])
        done = call("odds", "gnostica", "roll luck = 1d6", "--of", "luck", "--json")
        assert odds == {"exit": 0, "odds": json.loads(done.out)}
        report = await ask(client, "test", packs=pack)
        done = call("test", "lamplight", "--format", "json")
        assert (report["exit"], report["report"]) == (done.code, json.loads(done.out))
        assert call("new", "power", "wick", "--in", "lamplight").code == 0
        derived = await ask(client, "derive", packs=pack, item="wick")
        done = call("test", "lamplight", "--derive", "wick")
        assert derived == {"exit": done.code, "text": done.out}
        changes = await ask(client, "diff", old="lamplight", new="lamplight")
        done = call("diff", "lamplight", "lamplight", "--format", "json")
        assert changes == {"exit": 0, "diff": json.loads(done.out)}
        found = (await ask(client, "search", packs=pack, words="lamplighter"))["found"]
        assert found[0] == {
            "name": "Lamplighter",
            "sort": "major",
            "link": "kind-major.html#lamplight:major/lamplighter",
            "text": found[0]["text"],
        }

    speak([folder], talk, tmp_path)


def test_only_new_says_that_it_writes_and_nothing_else_does(folder: Path, tmp_path: Path):
    def files() -> dict[str, bytes]:
        return {str(one): one.read_bytes() for one in tmp_path.rglob("*") if one.is_file()}

    async def talk(client: Any) -> None:
        tools = {one.name: one.annotations for one in (await client.list_tools()).tools}
        assert {name for name, one in tools.items() if not one.read_only_hint} == {"new"}
        assert tools["new"].destructive_hint is False
        before = files()
        for tool in ("check", "test", "places"):
            await ask(client, tool, packs=["lamplight"])
        await ask(client, "explain", word="lamplight")
        assert files() == before
        made = await ask(client, "new", kind="power", name="wick", folder="lamplight")
        assert "wrote lamplight/wick.yaml" in made["text"]
        assert before.items() < files().items()
        told = await refusal(client, "new", kind="power", name="wick", folder="lamplight")
        assert "exists already, and is never overwritten" in told

    speak([folder], talk, tmp_path)


def test_no_path_leads_out_of_the_folders(folder: Path, tmp_path: Path):
    aside = tmp_path / "aside"
    assert call("new", "pack", "other", "--game", "gnostica", "--in", tmp_path).code == 0
    (tmp_path / "other").rename(aside)
    (aside / "given.yaml").write_text("given: {}\n", encoding="utf-8")
    (folder / "link").symlink_to(aside)
    linked = folder / "linked"
    linked.mkdir()
    (linked / "pack.yaml").symlink_to(aside / "pack.yaml")
    assert call("new", "pack", "schemed", "--game", "gnostica", "--in", folder).code == 0
    (folder / "schemed" / "deeper").mkdir()
    shutil.rmtree(folder / "schemed" / ".ruleloom")
    (folder / "schemed" / ".ruleloom").symlink_to(aside)
    out = "leads out of the folders of this server"

    async def talk(client: Any) -> None:
        for path in ("../aside", str(aside), "link", "linked", "linked/pack.yaml", "."):
            for tool in ("check", "test", "places"):
                assert out in await refusal(client, tool, packs=[path])
            assert out in await refusal(client, "explain", word=path)
            assert out in await refusal(client, "explain", word="sun", packs=[path])
            assert out in await refusal(client, "diff", old="lamplight", new=path)
            assert out in await refusal(client, "new", kind="major", name="x", folder=path)
            assert out in await refusal(client, "derive", packs=[path], item="x")
            assert out in await refusal(client, "search", packs=[path], words="x")
            assert out in await refusal(client, "odds", packs=[path], text="roll luck = 1d6")
        told = await refusal(client, "new", kind="power", name="x", folder="schemed/deeper")
        assert out in told
        assert out in await refusal(client, "check", packs=["schemed/pack.yaml"])
        given = "../aside/given.yaml"
        told = await refusal(client, "odds", packs=["gnostica"], text="roll a = 1d6", given=given)
        assert out in told
        assert out in await refusal(client, "check", packs=["a\0b"])
        # What looks like an option is a name.
        (found,) = (await ask(client, "check", packs=[f"--baseline={aside}"]))["findings"]
        assert found["code"] == "no-such-path"
        assert "no item" in await refusal(client, "explain", word="--card")
        assert "no effect text" in await refusal(client, "odds", packs=["gnostica"], text="-")

    speak([folder], talk, tmp_path)


def test_a_folder_within_a_pack_is_no_folder_to_serve(folder: Path):
    within = folder / "lamplight" / "deeper"
    within.mkdir()
    done = call("mcp", within)
    assert done.code == 2
    assert "is in the pack" in done.err
    assert "there is no folder" in call("mcp", folder / "nowhere").err


def test_pages_can_be_read(folder: Path, tmp_path: Path):
    async def talk(client: Any) -> None:
        async def text(uri: str) -> str:
            (page,) = (await client.read_resource(uri)).contents
            found: str = page.text
            return found

        uris = {str(one.uri) for one in (await client.list_resources()).resources}
        assert "ruleloom://docs/llm" in client.instructions
        for page in ("language", "llm"):
            assert f"ruleloom://docs/{page}" in uris
            written = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
            assert await text(f"ruleloom://docs/{page}") == written
        assert "ruleloom://schema/witchgates" in uris
        assert '"const": "arcana"' in await text("ruleloom://schema/witchgates")
        assert "title" in json.loads(await text("ruleloom://schema/gnostica/major"))
        assert "title" in json.loads(await text("ruleloom://schema/gnostica/patch"))
        assert "<html" in await text("ruleloom://reference/gnostica")
        assert "Tower" in await text("ruleloom://reference/gnostica/kind-major.html")
        for missing in ("schema/gnostica/..", "schema/chess/patch", "reference/chess/index.html"):
            with pytest.raises(mcp.MCPError):
                await text(f"ruleloom://{missing}")

    speak([folder], talk, tmp_path)


def test_the_page_shows_what_is_said(tmp_path: Path, request: pytest.FixtureRequest):
    """The conversation of docs/assistants.md; `--reset` writes it there."""
    lines: list[str] = []
    home = tmp_path / "my-rules"
    home.mkdir()

    def write(text: str) -> None:
        path = home / "lamplight" / "lamplighter.yaml"
        path.write_text(text, encoding="utf-8")
        lines.extend(["", "assistant writes lamplight/lamplighter.yaml", *_indented(text)])

    async def talk(client: Any) -> None:
        async def tool(name: str, /, **given: Any) -> dict[str, Any]:
            answer = await ask(client, name, **given)
            shown = answer["text"] if "text" in answer else json.dumps(answer, indent=2)
            lines.extend(["", f"assistant calls {name} {json.dumps(given)}", *_indented(shown)])
            return answer

        await tool("new", kind="pack", name="lamplight", game="gnostica")
        await tool("new", kind="major", name="lamplighter", folder="lamplight")
        (home / "lamplight" / "lamplighter-scenarios.yaml").unlink()
        write(CARD)
        assert len((await tool("check", packs=["lamplight"]))["findings"]) == 2
        write(CARD.replace("my_", "").replace("self", "me"))
        assert not (await tool("check", packs=["lamplight"]))["findings"]
        await tool("explain", word="lamplighter", packs=["lamplight"], card=True)

    speak([home], talk, tmp_path)
    made = "\n".join([f"you: {ASKED}", *lines, ""])
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    shown, _, after = rest.partition(END)
    if request.config.getoption("--reset"):
        PAGE.write_text(f"{before}{BEGIN}{made}{END}{after}", encoding="utf-8")
    else:
        assert made == shown, "run `pytest --reset` and read `git diff`"


def _indented(text: str) -> list[str]:
    return [f"  {line}".rstrip() for line in text.rstrip("\n").split("\n")]
