"""A use that cannot be done to its end leaves no half of it, unless its text says that parts may stand."""

from __future__ import annotations

import pytest

from ruleloom.runtime.play.event_log import log
from tests.support.on_quarrel import (
    charm,
    lives,
    played,
    program_of_duel,
    resumed,
    started,
    variable,
)

NOBODY = 'choose whom from players where life(whom) > 99 "Whom?"\n'


def power(effect: str, name: str = "lash") -> str:
    lines = "".join(f"    {line}\n" for line in effect.strip("\n").splitlines())
    return f"- kind: power\n  id: {name}\n  gloss: {name}\n  effect: |\n{lines}"


@pytest.mark.parametrize(
    ("effect", "left"),
    [
        (f"hurt(me, 3)\n{NOBODY}hurt(whom, 1)", 20),  # nobody is there to choose
        ('hurt(me, 3)\nensure life(me) > 99 "no"', 20),
        ("hurt(me, 3)\nuse rest\nhurt(me, 1)", 16),  # another use ends by itself
        (f'hurt(me, 3)\noptional "and so":\n    {NOBODY}    hurt(whom, 1)', 17),  # parts may stand
    ],
)
def test_what_a_use_had_done_is_given_back(effect: str, left: int):
    rest = power(f"hurt(me, 5)\n{NOBODY}heal(whom, 1)", "rest")
    game = played("use lash", power(effect), rest)
    assert lives(game) == [left, 20]


def test_whoever_waits_for_a_result_has_done_nothing_either():
    lash = "hurt(me, 3)\nuse count_up giving number\nhurt(me, number)"
    count = power(f"set tally = tally + 1\n{NOBODY}set number = life(whom)", "count_up")
    count = count.replace("  effect", '  gives: "number: Int"\n  effect')
    game = played("hurt(me, 1)\nuse lash", power(lash), count)
    assert (lives(game), variable(game, "tally")) == ([19, 20], 0)


def test_variables_and_responses_are_given_back_as_well():
    thorns = charm("thorns", "when hurt(self, much) once per turn: set tally = tally + much")
    lash = power(f"hurt(me, 3)\nset tally = tally + 100\n{NOBODY}heal(whom, 1)")
    game = played("use lash\nhurt(me, 1)", thorns, lash, held=(("thorns",),))
    assert (lives(game), variable(game, "tally")) == ([19, 20], 1)


def test_a_response_gives_back_its_own_part_alone():
    aid = charm("aid", f"when hurt(self, much):\n    heal(self, 2)\n    {NOBODY}    heal(whom, 1)")
    assert lives(played("hurt(me, 5)", aid, held=(("aid",),))) == [15, 20]


def test_a_turn_is_no_use():
    game = started(program_of_duel(f"roll luck = 1d6\nhurt(me, 3)\n{NOBODY}heal(whom, 1)"))
    assert lives(game.answer(game.prompt.id, "4")) == [17, 20]
    game = started(
        program_of_duel(f"hurt(me, 3)\nuse none_such\n{ASKED}", power(NOBODY, "none_such"))
    )
    assert lives(game) == [17, 20]


ASKED = 'choose one:\n    "go on":\n        say "gone"\n'


def test_the_log_tells_nothing_of_it_but_that_it_came_to_nothing():
    lash = power(f'say "a lash"\nhurt(me, 3)\n{NOBODY}heal(whom, 1)')
    game = played("use lash", lash)
    assert log(game.linked, game.events, 0) == ["lash comes to nothing"]


def test_what_dice_have_told_stands_with_what_led_to_it():
    lash = power(f"hurt(me, 3)\nroll luck = 1d6\nhurt(me, luck)\n{NOBODY}heal(whom, 1)")
    game = started(program_of_duel(f"use lash\n{ASKED}", lash))
    game = game.answer(game.prompt.id, "4")
    assert lives(game) == [17, 20]
    assert resumed(game).state == game.state
    dice = started(program_of_duel(f"use lash\n{ASKED}", lash), seed=3)
    assert lives(dice) == [17, 20]
