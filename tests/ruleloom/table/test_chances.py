"""The chances of what a roll decides, told with the question that leads to it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ruleloom.runtime.play.game import Game
from ruleloom.table.authorised_view import AuthorisedView
from ruleloom.table.chances import chance_told, percent
from ruleloom.table.panels import panel
from tests.support.on_quarrel import result_of, sound, started

SCOPE = """\
- kind: extension
  id: contests
  scope:
    won: {type: Bool, life: game, english: the blow lands}
    twice: {type: Bool, life: game, english: it lands twice}
    tally_of_blows: {type: Int, life: game, english: blows}
- kind: power
  id: contest
  takes: "much: Int"
  gloss: "a contest"
  effect: |
    roll mine = 1d20 by me
    choose lots from 0 .. 5 by seat_after(me) default 0 "How much do you add?"
    roll yours = 1d20 by seat_after(me)
    set won = mine + much > yours + lots
    hurt(me, 1)
    set tally_of_blows = 1
"""
CONTEST = (
    'choose much from [0, 5, 40] by me default 0 "How much?"\nuse contest(much)\nset twice = yes\n'
)


def game_of(turn: str, more: str = SCOPE) -> Game:
    return started(sound(result_of(turn, more=more)), seed=1)


def told(game: Game, *given: str, seat: int = 0) -> str:
    fields = panel(AuthorisedView(game, seat, (0, 1)), [(one,) for one in given])
    return chance_told(fields[len(given) - 1])


def test_the_chance_of_what_a_roll_decides_is_told_by_answer():
    """Of 400 pairs of d20, 190 are won by the one that rolls higher; 5 more win 295 (400 less 105)."""
    game = game_of(CONTEST)
    assert told(game, "0") == "the blow lands: 47.5 %"
    assert told(game, "5") == "the blow lands: 70 %"
    assert told(game, "40") == "the blow lands: 100 %"


def test_whoever_is_asked_between_the_dice_is_told_what_is_left():
    game = game_of(CONTEST).answer("0", ["0"])
    assert game.prompt.player == 1
    shown = next(one for one in game.events if one.kind == "rolled").args[0]
    assert told(game, "0", seat=1) == f"the blow lands: {percent(Fraction(shown - 1, 20))}"


@pytest.mark.parametrize(
    "turn",
    [
        # The roll decides a number alone.
        'choose much from [0, 5] by me default 0 "How much?"\nroll luck = 1d20\nset tally_of_blows = luck\n',
        # Something else comes first.
        'choose much from [0, 5] by me default 0 "How much?"\nchoose x from [1, 2] by me "What?"\nuse contest(x)\n',
        # Nobody knows what the other answers.
        'choose much from [0, 5] by me default 0 "How much?"\nroll luck = 1d20\n'
        'choose x from [1, 2] by seat_after(me) "What?"\nset won = luck > x\n',
        # The dice are for few eyes.
        'choose much from [0, 5] by me default 0 "How much?"\nroll luck = 1d20\nroll omen = 1d6 by me seen by me\n'
        "set won = luck > 3\n",
        # Too much to look at.
        'choose much from [0, 5] by me default 0 "How much?"\nroll each luck = 20 d 20\n'
        "set won = highest(luck) > 3\n",
    ],
)
def test_of_all_else_nothing_is_told(turn):
    assert told(game_of(turn), "0") == ""


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (Fraction(39, 200), "19.5 %"), (Fraction(1, 3), "33.3 %"), (Fraction(0), "0 %"), (Fraction(1), "100 %"),
        (Fraction(1, 10_000), "under 0.1 %"), (Fraction(9_999, 10_000), "over 99.9 %"),
    ],
)  # fmt: skip
def test_a_share_as_people_read_it(share, words):
    assert percent(share) == words
