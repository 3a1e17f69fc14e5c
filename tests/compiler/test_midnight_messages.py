"""The messages for what is written at midnight, as one list: tests/golden/messages.md.

`tests/cases/GAME/midnight.yaml` hold the slips; what must be in a message is claimed there. The list
has the whole texts, for reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.edits.shipped import GAMES
from ruleloom.compiler.diagnostics.report import Diagnostic
from tests.support.expect import LAYERS, MARK, TESTS, Case, read_cases


def test_the_messages_for_midnight_stand_in_a_list(golden: Callable[[str, str], None]):
    rows = [row for game in GAMES for row in _rows(game)]
    head = f"# What is written at midnight, and what `check` says\n\n{len(rows)} messages.\n"
    golden("messages.md", head + "".join(rows))
    assert len(rows) >= 76


def _rows(game: str) -> Iterator[str]:
    for case in read_cases(TESTS / "cases" / game / "midnight.yaml"):
        for found in LAYERS[game](case.source):
            yield _row(game, case, found)


def _row(game: str, case: Case, found: Diagnostic) -> str:
    line = case.source.split("\n")[found.place.line - 1]
    written = MARK.sub("", line).strip().rstrip("# ")
    help = f"  help: {found.help}\n" if found.help else ""
    return f"\n- {game}: `{written}`\n\n  {found.code}: {found.message}\n{help}"
