"""What comes later: `next time EVENT` and `in 3 times EVENT`, with what they keep."""

from __future__ import annotations

from textwrap import indent

import pytest

from ruleloom.compiler.build import build_program
from ruleloom.compiler.diagnostics import report
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import Game
from tests.support.on_quarrel import (
    ASK,
    charm,
    lives,
    program_of_duel,
    result_of,
    resumed,
    started,
    variable,
)

TURN = """\
choose one:
    "plan":
        choose whom from players "Whom?"
        let much = 3
        in 2 times after turn() where me != whom "a blow for {whom}":
            hurt(whom, much)
            choose one "More?":
                "yes":
                    hurt(whom, 1)
                    next time after turn(): say "after {whom}"
                "no": stop
    "cover":
        next time hurt(who, lost):
            heal(who, lost)
    "hurt": hurt(me, 7)
    "wait":
        in much_later() times after turn(): say "at last"
    "pass": stop
"""
MUCH_LATER = '- {kind: measure, id: much_later, gives: Int, is: "1 + tally", english: "long"}\n'
FRIEND = charm(
    "friend",
    """\
when heal(self, gained):
    let hold = gained + 1
    next time hurt(self, lost) where lost > hold "{self} is held":
        heal(self, hold)
    set tally = 1
""".replace(
        "hurt(self, lost) where lost > hold", "hurt(who, lost) where who = self and lost > hold"
    ),
)


def after(*ways: str, held: str = "") -> Game:
    """The duel after these answers; the first player may hold a charm."""
    game = started(program_of_duel(TURN, MUCH_LATER, FRIEND), (held,) if held else ())
    return answered(game, *ways)


def answered(game: Game, *ways: str) -> Game:
    """The game after these answers."""
    for way in ways:
        game = game.answer(game.prompt.id, way)
    return game


def said(game: Game) -> list[str]:
    """What the log says since the last answer."""
    return log(game.linked, game.events)


def test_it_waits_for_as_many_events_and_keeps_what_it_speaks_of():
    game = after("plan", "B")
    assert (said(game), lives(game)) == (["a blow for B, in 2 turns"], [20, 20])
    game = answered(game, "pass")
    assert (said(game), lives(game)) == (["the wait is over", "B loses 3"], [20, 17])


def test_what_stands_in_it_may_come_later_still():
    game = after("plan", "B", "pass", "yes")
    assert said(game) == ["B loses 1", "something waits"]
    assert said(answered(game, "pass")) == ["the wait is over", "after B"]


def test_it_knows_what_the_event_tells_and_comes_once():
    game = after("cover", "hurt")
    assert (said(game), lives(game)) == (
        ["A loses 7", "the wait is over", "A gains 7"],
        [20, 20],
    )
    assert lives(answered(game, "hurt")) == [13, 20]
    assert lives(after("hurt")) == [13, 20]


def test_two_of_them_both_come():
    assert lives(after("cover", "cover", "hurt")) == [27, 20]


def test_how_often_may_be_worked_out():
    assert said(after("wait")) == ["something waits, in 1 turn", "the wait is over", "at last"]


def test_it_lies_on_whoever_bears_the_ability():
    game = after("cover", "hurt", held="friend")
    assert lives(game) == [20, 20]
    assert variable(game, "tally") == 1
    assert game.linked.program.entity("Later5").fields[1].name == "lies_on"


def test_it_is_in_saves_and_can_be_taken_back():
    game = after("plan", "B")
    assert lives(answered(resumed(game), "pass")) == [20, 17]
    assert lives(answered(answered(game, "pass").undo(), "hurt")) == [13, 17]


def test_beside_too_many_warnings_nothing_that_comes_later_is_lost_in_silence(
    monkeypatch: pytest.MonkeyPatch,
):
    """Who builds without a limit, as for the cases of scenarios, is told as well."""
    unused = "\n".join(f"let v{number} = {number}" for number in range(30))
    many = charm("many", "when hurt(self, lost):\n" + indent(unused, "    "))
    later = f"next time hurt(who, lost):\n    heal(who, lost)\nhurt(me, 1)\n{ASK}"
    content = result_of(later, many).content
    assert content is not None
    assert build_program(content, Report()) is not None
    monkeypatch.setattr(report, "MOST_WARNINGS", 20)
    found = Report()
    assert build_program(content, found) is None
    assert "too-many-mistakes" in {one.code for one in found.diagnostics()}
