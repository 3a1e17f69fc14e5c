"""Open values of moments within bounds: what answers make of them is kept there by the machine."""

from __future__ import annotations

import pytest

from ruleloom.compiler.pipeline import CompileResult
from tests.support.on_quarrel import charm, lives, played, result_of


def blows(most: str, sort: str = "Int") -> str:
    """A moment with an open value, and a power in which something goes on as long as it says."""
    return f"""- kind: extension
  id: blows
  moments:
    blow_falls: {{params: {{whom: Player, much: {sort}}}, open: much{most}, english: "a blow falls on {{whom}}"}}
- {{kind: setting, id: hardest, value: 4, min: 2, max: 9, english: the hardest blow}}
"""


LOOP = """- kind: power
  id: blow
  takes: "whom: Player"
  gloss: deal blows
  effect: |
    let hard = 2
    blow_falls(whom, hard) giving hard
    repeat hard times: hurt(whom, 1)
"""
MORE = charm("more", "when blow_falls(self, n): set n = n + 30")
LESS = charm("less", "when blow_falls(self, n): set n = n - 30")


def errors(result: CompileResult) -> list[tuple[str, str]]:
    """What is wrong: the code, and the line where it is told."""
    found = [one for one in result.diagnostics if one.severity == "error"]
    return [
        (one.code, result.sources[one.place.path].splitlines()[one.place.line - 1].strip())
        for one in found
    ]


def bound(result: CompileResult) -> int:
    assert result.program is not None, errors(result)
    return next(
        one for one in result.program.routines if one.id.endswith("/blow")
    ).bounds.operations


@pytest.mark.parametrize(
    ("most", "charms", "life"),
    [
        (", least: 0, most: 5", (MORE,), 15),
        (", least: 0, most: 5", (LESS,), 20),
        (", least: 1, most: 5", (LESS,), 19),
        (", least: 1, most: hardest", (MORE,), 16),
    ],
)
def test_what_answers_make_of_it_is_kept_within_bounds(
    most: str, charms: tuple[str, ...], life: int
):
    held = [("more",) if charms == (MORE,) else ("less",)]
    assert lives(played("use blow(me)", blows(most), LOOP, *charms, held=held))[0] == life


def test_a_loop_over_it_keeps_its_bound():
    assert bound(result_of("use blow(me)", blows(", most: 5"), LOOP, MORE)) == 6
    assert bound(result_of("use blow(me)", blows(", most: hardest"), LOOP, MORE)) == 10
    assert bound(result_of("use blow(me)", blows(""), LOOP)) == 2


def test_every_answer_finds_it_within_bounds():
    again = charm("again", "when blow_falls(self, n):\n    repeat n times: heal(self, 1)")
    made = (blows(", least: 0, most: 5"), LOOP, again)
    assert errors(result_of("use blow(me)", *made)) == []
    assert lives(played("use blow(me)", *made, held=[("again",)]))[0] == 20
    assert errors(result_of("use blow(me)", blows(""), LOOP, again)) == [
        ("unbounded", "repeat n times: heal(self, 1)")
    ]


def test_without_bounds_the_line_that_sets_it_is_told():
    result = result_of("use blow(me)", blows(""), LOOP, MORE, LESS)
    assert errors(result) == [
        ("unbounded", "when blow_falls(self, n): set n = n + 30"),
        ("unbounded", "when blow_falls(self, n): set n = n - 30"),
    ]
    told = next(one for one in result.diagnostics if one.code == "unbounded")
    assert told.help == "`set n = lowest([..., 12])`, or `most:` where `blow_falls` is declared"
    assert [note.message for note in told.notes] == ["this loop runs so often"]


def test_a_line_that_sets_a_bound_is_counted_with_it():
    twelve = charm("more", "when blow_falls(self, n): set n = lowest([n + 30, 12])")
    made = (blows(""), LOOP, twelve)
    assert bound(result_of("use blow(me)", *made)) == 13
    assert lives(played("use blow(me)", *made, held=[("more",)]))[0] == 8


def test_a_roll_that_answers_change_keeps_its_bound_if_they_do():
    rolls = LOOP.replace("let hard = 2\n    blow_falls(whom, hard) giving hard", "roll hard = 1d6")
    twelve = charm("more", "when rolled hard(self, n): set n = lowest([n + 30, 12])")
    assert bound(result_of("use blow(me)", blows(""), rolls, twelve)) == 13
    more = charm("more", "when rolled hard(self, n): set n = n + 30")
    assert errors(result_of("use blow(me)", blows(""), rolls, more)) == [
        ("unbounded", "when rolled hard(self, n): set n = n + 30")
    ]


def test_lists_are_cut_to_the_most():
    whom = """- kind: power
  id: blow
  takes: "whom: Player"
  gloss: deal blows
  effect: |
    let struck = [whom]
    blow_falls(whom, struck) giving struck
    for each one in struck: hurt(one, 1)
"""
    all_ = charm("all", "when blow_falls(self, n): set n = players")
    for most, found in ((", most: 1", [19, 20]), (", most: 2", [19, 19])):
        made = (blows(most, "List of Player"), whom, all_)
        assert lives(played("use blow(me)", *made, held=[("all",)])) == found


@pytest.mark.parametrize(
    ("most", "sort", "code"),
    [
        (", most: strongest", "Int", "unknown-setting"),
        (", most: hardest", "Player?", "kinds-disagree"),
        (", least: 1, most: 3", "List of Player", "kinds-disagree"),
        (", least: 4, most: 3", "Int", "out-of-bounds"),
    ],
)
def test_bounds_that_cannot_be_are_told(most: str, sort: str, code: str):
    found = result_of("choose one from players", blows(most, sort))
    assert [one.code for one in found.diagnostics if one.severity == "error"] == [code]


def test_bounds_without_an_open_value_are_told():
    text = blows(", most: 3").replace("open: much, ", "")
    assert [code for code, _ in errors(result_of("choose one from players", text))] == [
        "kinds-disagree"
    ]
