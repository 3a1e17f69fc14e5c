"""Fuel: what is over budget is played until a decision has taken too much, and the state before it
is kept."""

from __future__ import annotations

import pytest

from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import TooMuchWork
from ruleloom.runtime.program.program import MOST_STEPS, Program, Spend
from tests.support.on_quarrel import (
    block,
    charm,
    lives,
    program_of_duel,
    resumed,
    started,
    variable,
)
from tests.support.stopwatch import within

SECONDS = 10.0
TURN = """choose one:
    "rest":
        heal(me, 1)
    "toil":
        {}
"""


@pytest.fixture(autouse=True)
def _in_good_time():
    """Whatever is over budget ends soon."""
    with within(SECONDS):
        yield


def toiling(effect: str, *items: str) -> Program:
    return program_of_duel(TURN.format(block(effect, 8).strip()), *items)


def spent(game: Game) -> TooMuchWork:
    """The fault of toiling."""
    with pytest.raises(TooMuchWork) as fault:
        game.answer(game.prompt.id, "toil")
    return fault.value


MANY = "repeat 1000 times:\n    repeat 1000 times: heal(me, 0)"
DICE = "repeat 5000 times:\n    roll x = 1000 d 6\n    set tally = x"
LONG = "repeat 5000 times: set tally = count(a: 1 .. 5000 where a mod 7 = tally)"


@pytest.mark.parametrize("effect", [MANY, DICE, LONG])
def test_a_decision_ends_and_the_game_goes_on_from_before_it(effect: str):
    game = started(toiling(effect), seed=1)
    game = game.answer(game.prompt.id, "rest")
    fault = spent(game)
    assert "`quarrel:flow/turn` takes more than 100,000 steps in one decision" in fault.message
    assert fault.place
    again = resumed(game)
    assert lives(again) == lives(game) == [21, 20]
    assert again.undo().prompt.options == game.prompt.options
    assert spent(again).message == fault.message
    assert lives(again.answer(again.prompt.id, "rest")) == [22, 20]


def test_the_item_that_answers_is_named():
    eyes = charm("eyes", f"when hurt(self, much):\n{block(MANY)}")
    game = started(toiling("hurt(me, 2)", eyes), ("eyes",))
    assert spent(game).message.startswith("`quarrel:charm/eyes")


def test_what_stays_within_the_fuel_is_played():
    """A thousand rounds are over budget where each may take a list of 5,000, and this one is short."""
    effect = (
        "repeat 5000 times:\n    if day_is_long: set tally = count(a: 1 .. 5000 where a mod 7 = 1)"
    )
    long = '- {kind: rule, id: day_is_long, holds: "tally > 9", english: long}\n'
    game = started(toiling(effect + "\nset tally = 1", long))
    assert variable(game.answer(game.prompt.id, "toil"), "tally") == 1


def test_only_programs_over_budget_pay_for_long_expressions():
    def spending(program: Program) -> int:
        return sum(isinstance(row, Spend) for one in program.routines for row in one.rows)

    assert spending(toiling(LONG.replace("repeat 5000", "repeat 500"))) == 0
    assert spending(toiling(LONG)) == 1
    assert MOST_STEPS == 100_000


def test_look_ahead_offers_what_takes_too_much():
    effect = f'let k = tally\n{MANY}\nensure k = tally "nothing changes"'
    game = started(toiling(effect))
    assert [one.key for one in game.prompt.options] == ["rest", "toil"]
    assert spent(game)
