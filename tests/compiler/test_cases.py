"""Every file under tests/cases: what its comments expect is what the compiler finds, and nothing
else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import pytest

from benchmarks.edits.shipped import GAMES
from ruleloom.compiler.diagnostics.report import Diagnostic
from tests.laws.offered import hold_rewrites
from tests.support.expect import LAYERS, MARK, TESTS, Case, mismatches, read_cases

CASES = [
    (path.parent.name, case)
    for path in sorted((TESTS / "cases").rglob("*.yaml"))
    for case in read_cases(path)
]


@cache
def found_in(layer: str, source: str) -> list[Diagnostic]:
    """What the compiler finds in a case, for whoever asks a second time."""
    return list(LAYERS[layer](source))


@pytest.mark.parametrize(("layer", "case"), CASES, ids=[case.name for _, case in CASES])
def test_case(layer: str, case: Case):
    found = found_in(layer, case.source)
    wrong = mismatches(case, found)
    assert not wrong, "\n".join(wrong)
    hold_rewrites(layer, case.source, found)


def test_every_folder_of_cases_has_a_layer():
    folders = {path.name for path in (TESTS / "cases").iterdir() if path.is_dir()}
    assert folders <= LAYERS.keys()


def test_the_messages_for_midnight_stand_in_a_list(golden: Callable[[str, str], None]):
    """`tests/cases/GAME/midnight.yaml` hold the slips, and claim what must be in a message; the list has
    the whole texts, for reading."""
    rows = [row for game in GAMES for row in _rows(game)]
    head = f"# What is written at midnight, and what `check` says\n\n{len(rows)} messages.\n"
    golden("messages.md", head + "".join(rows))
    assert len(rows) >= 76


def _rows(game: str) -> Iterator[str]:
    for case in read_cases(TESTS / "cases" / game / "midnight.yaml"):
        for found in found_in(game, case.source):
            yield _row(game, case, found)


def _row(game: str, case: Case, found: Diagnostic) -> str:
    line = case.source.split("\n")[found.place.line - 1]
    written = MARK.sub("", line).strip().rstrip("# ")
    help = f"  help: {found.help}\n" if found.help else ""
    return f"\n- {game}: `{written}`\n\n  {found.code}: {found.message}\n{help}"
