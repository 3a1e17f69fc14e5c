"""The session of a workbench: prepared before a page opens it, and handed on to the next."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from ruleloom.editor.project import PackGroup, Snapshot
from ruleloom.workbench.addresses import BenchSession
from tests.conftest import ROOT

RIVER = ROOT / "rulesets" / "examples" / "river-folk"


@pytest.fixture
def cards(tmp_path: Path) -> Path:
    """The cards of a pack that is edited."""
    shutil.copytree(RIVER, tmp_path / "river-folk")
    return tmp_path / "river-folk" / "cards.yaml"


def opened(session: BenchSession, file: Path, text: str) -> str:
    path = session.documents.open(lsp.TextDocumentItem(file.as_uri(), "yaml", 1, text))
    session.changed(path, 0)
    return path


def test_what_is_prepared_is_there_before_anything_is_opened(cards: Path) -> None:
    session = BenchSession.prepared([("gnostica", str(cards.parent))])

    async def run() -> None:
        text = cards.read_text("utf-8")
        before = await session.project(str(cards))
        assert before is not None
        known = before.names(str(cards)), before.names(str(ROOT / "rulesets/gnostica/stats.yaml"))
        path = opened(session, cards, text)
        after = await session.project(path, settled=True)
        assert after is not None
        assert after.names(path) is known[0]  # analysed once
        assert (await session.fresh_rules(after.group))["river-folk:major/ferryman"]
        session.stop(waits=True)

    asyncio.run(run())


def test_a_session_goes_on_with_another_page_and_no_open_text(cards: Path) -> None:
    session = BenchSession.prepared([("gnostica", str(cards.parent))])
    text, told = cards.read_text("utf-8"), list[tuple[PackGroup, Snapshot]]()
    broken = text.replace("use attack", "use atack", 1)

    async def run() -> None:
        opened(session, cards, broken)
        session.rest()
        session.speak_to(lambda *one: told.append(one), lambda fault: pytest.fail(str(fault)))
        await asyncio.sleep(0.2)
        assert not told  # the first page is gone
        assert not session.workspace.texts
        project = await session.project(opened(session, cards, text), settled=True)
        assert project is not None
        assert [len(one.result.diagnostics) for _, one in told] == [0]
        session.stop(waits=True)

    asyncio.run(run())


def test_while_there_is_a_mistake_the_last_rules_texts_stay(cards: Path) -> None:
    session = BenchSession.prepared([("gnostica", str(cards.parent))])
    text = cards.read_text("utf-8")

    async def run() -> None:
        path = opened(session, cards, text.replace("use attack", "use atack", 1))
        project = await session.project(path, settled=True)
        assert project is not None
        assert not project.snapshot.result.ok
        assert "Attack" in (await session.fresh_rules(project.group))["river-folk:major/ferryman"]
        session.stop(waits=True)

    asyncio.run(run())
