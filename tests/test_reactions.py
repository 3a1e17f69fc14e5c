"""What abilities answer: `when` in play, with none, one and several bearers."""

from __future__ import annotations

import pytest

from runtime.game import Game
from tests.duel import fruit, lives, program_of_duel, result_of, started, told, variable

ASK = 'choose one:\n    "go":\n        say "gone"\n'
"""A turn that asks first, so that the game stands before anything has happened."""


def played(turn: str, *items: str, held: tuple[tuple[str, ...], ...]) -> Game:
    """The game after one turn of a duel; the next turn is about to begin."""
    return started(program_of_duel(f"{turn}\n{ASK}", *items), *held)


def codes(*items: str) -> list[str]:
    """The codes of what is wrong with a duel of these items."""
    found = result_of("hurt(me, 1)\nheal(me, 1)\nchoose one from seen\n", *items).diagnostics
    return sorted(one.code for one in found if one.severity == "error")


THORNS = fruit("thorns", "when hurt(self, much) where much > 1: heal(self, 1)")
EYES = fruit("eyes", "when hurt(who, much):\n    set tally = tally + much\n    add self to seen")


@pytest.mark.parametrize(
    ("held", "life"),
    [((), 17), ((("thorns",),), 18), (((), ("thorns",)), 17), ((("thorns",), ("thorns",)), 18)],
)
def test_when_with_self_answers_for_the_one_it_happens_to(held: tuple[tuple[str, ...], ...], life: int):
    assert lives(played("hurt(me, 3)", THORNS, held=held))[0] == life


def test_its_condition_is_about_the_values_of_the_event():
    assert lives(played("hurt(me, 1)", THORNS, held=(("thorns",),))) == [19, 20]


@pytest.mark.parametrize(
    ("held", "tally", "seen"),
    [((), 0, ()), ((("eyes",),), 3, (0,)), (((), ("eyes",)), 3, (1,)), ((("eyes",), ("eyes",)), 6, (0, 1))],
)
def test_when_without_self_is_done_once_for_each_bearer(
    held: tuple[tuple[str, ...], ...], tally: int, seen: tuple[int, ...]
):
    game = played("hurt(me, 3)", EYES, held=held)
    assert (variable(game, "tally"), variable(game, "seen")) == (tally, seen)


def test_what_stops_for_one_bearer_goes_on_for_the_next():
    eyes = fruit("eyes", "when hurt(who, much):\n    if self = who: stop\n    set tally = tally + much")
    assert variable(played("hurt(me, 3)", eyes, held=(("eyes",), ("eyes",))), "tally") == 3


def test_afterwards_waits_until_what_runs_is_over():
    turn = "hurt(me, 3)\nset tally = 10"
    at_once = fruit("eyes", "when hurt(self, much): set tally = tally + much")
    later = fruit("eyes", "when hurt(self, much) afterwards: set tally = tally + much")
    power = "- {kind: power, id: strike, gloss: strike, effect: 'hurt(me, 3)'}\n"
    assert variable(played(turn, at_once, held=(("eyes",),)), "tally") == 10
    assert variable(played("use strike\nset tally = 10", at_once, power, held=(("eyes",),)), "tally") == 10
    game = started(program_of_duel(f"{ASK}\n{turn}", later), ("eyes",))
    game = game.answer(game.prompt.id, "go")
    assert variable(game, "tally") == 13


def test_once_per_turn_counts_for_the_item():
    once = fruit("eyes", "when hurt(self, much) once per turn: set tally = tally + much")
    game = played("hurt(me, 3)\nhurt(me, 1)", once, held=(("eyes",),))
    assert variable(game, "tally") == 3
    game = game.answer(game.prompt.id, "go")
    assert variable(game, "tally") == 6


def test_passive_is_one_more_condition_and_this_is_the_item():
    late = fruit(
        "eyes", "passive where tally = 1:\n    when hurt(self, much): set tally = tally + much * weight(this)"
    )
    assert variable(played("hurt(me, 3)", late, held=(("eyes",),)), "tally") == 0
    assert variable(played("set tally = 1\nhurt(me, 3)", late, held=(("eyes",),)), "tally") == 7


def test_a_keyword_answers_with_the_values_of_its_use():
    thorny = (
        "- kind: keyword\n  id: thorny\n  takes: 'least: Int, much: Int'\n  gloss: 'thorny {much}'\n  abilities: |\n"
        "    when hurt(self, n) where n >= least:\n      repeat much times: heal(self, n)\n"
    )
    pair = (
        fruit("rose", "thorny(2, 3)"),
        fruit("aloe", "passive where self != me:\n    thorny(weight(this), 1)"),
    )
    assert lives(played("hurt(me, 2)", thorny, *pair, held=(("rose",),))) == [24, 20]
    assert lives(played("hurt(me, 1)", thorny, *pair, held=(("rose",),))) == [19, 20]
    assert lives(played("hurt(me, 2)", thorny, *pair, held=(("aloe",),))) == [18, 20]
    other = "choose whom from players where whom != me\nhurt(whom, 2)"
    assert lives(played(f"{other}", thorny, *pair, held=((), ("aloe",)))) == [20, 20]


def test_standing_abilities_answer_for_everybody():
    all_of_them = (
        "- {kind: standing, id: all, for: Player, abilities: 'when hurt(self, much): heal(self, much)'}\n"
    )
    assert lives(played("hurt(me, 3)", all_of_them, held=())) == [20, 20]
    each = "- {kind: standing, id: all, for: Player, abilities: 'when hurt(who, much): heal(self, much)'}\n"
    assert lives(played("hurt(me, 3)", each, held=((), (), ()))) == [20, 23, 23]


def test_two_items_answer_in_the_order_of_items():
    one = fruit("one", 'when hurt(self, much): say "one"')
    two = fruit("two", 'when hurt(self, much): say "two"')
    for held in ((("one", "two"),), (("two", "one"),)):
        game = played("hurt(me, 3)", one, two, held=held)
        assert told(game) == ["hurt(0, 3)", "one()", "two()"]


@pytest.mark.parametrize(("once", "found"), [("", ["endless-trigger"]), (" once per turn", [])])
def test_answers_in_a_circle_are_refused(once: str, found: list[str]):
    one = fruit("one", "when hurt(self, n): heal(self, n)")
    assert codes(one, fruit("two", f"when heal(self, n){once}: hurt(self, n)")) == found


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("when hrt(self): stop", "unknown-event"),
        ("when hurt(self, much, more): stop", "too-many-arguments"),
        ("when hurt(who, self): stop", "type-mismatch"),
        ("when hurt(self, self): stop", "name-clash"),
        ("when hurt(self, this): stop", "name-clash"),
        ("when hurt(self, tally): stop", "name-clash"),
        ("when hurt(self, much) where n > 1: stop", "unknown-name"),
        ("when hurt(self, much) where much: stop", "type-mismatch"),
        ("when hurt(self, much): heal(self, more)", "unknown-name"),
        ("when hurt(self, much): heal(much, much)", "type-mismatch"),
        ("when hurt(self, much): set self = me", ""),
        ("when hurt(self, much):\n    repeat much times: stop", "unbounded"),
        ("when touched(fruit): give(fruit, self)", "endless-trigger"),
        ("when drawn(fruit): stop", "unknown-event"),
    ],
)
def test_mistakes_are_told(line: str, code: str):
    assert codes(fruit("plum", line)) == [code] * bool(code)


def test_a_keyword_that_nothing_uses_is_looked_into():
    head = "- kind: keyword\n  id: odd\n  gloss: odd\n  abilities: |\n    "
    assert codes(head + "when hurt(self, n): heal(self, m)\n") == ["unknown-name"]
    assert codes(head + "when hurt(who, n): heal(self, n)\n") == []
