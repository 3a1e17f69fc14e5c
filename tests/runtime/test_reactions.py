"""What abilities answer: `when` and `instead of` in play, with none, one and several bearers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ruleloom.runtime.explain.derivation import Reckoning
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.verify import check_program
from tests.support.on_quarrel import (
    ASK,
    charm,
    codes,
    lives,
    played,
    program_of_duel,
    result_of,
    resumed,
    started,
    told,
    variable,
)

THORNS = charm("thorns", "when hurt(self, much) where much > 1: heal(self, 1)")
EYES = charm("eyes", "when hurt(who, much):\n    set tally = tally + much\n    add self to seen")


@pytest.mark.parametrize(
    ("held", "life"),
    [((), 17), ((("thorns",),), 18), (((), ("thorns",)), 17), ((("thorns",), ("thorns",)), 18)],
)
def test_when_with_self_answers_for_the_one_it_happens_to(
    held: tuple[tuple[str, ...], ...], life: int
):
    assert lives(played("hurt(me, 3)", THORNS, held=held))[0] == life


def test_its_condition_is_about_the_values_of_the_event():
    assert lives(played("hurt(me, 1)", THORNS, held=(("thorns",),))) == [19, 20]


@pytest.mark.parametrize(
    ("held", "tally", "seen"),
    [
        ((), 0, ()),
        ((("eyes",),), 3, (0,)),
        (((), ("eyes",)), 3, (1,)),
        ((("eyes",), ("eyes",)), 6, (0, 1)),
    ],
)
def test_when_without_self_is_done_once_for_each_bearer(
    held: tuple[tuple[str, ...], ...], tally: int, seen: tuple[int, ...]
):
    game = played("hurt(me, 3)", EYES, held=held)
    assert (variable(game, "tally"), variable(game, "seen")) == (tally, seen)


def test_what_stops_for_one_bearer_goes_on_for_the_next():
    eyes = charm(
        "eyes", "when hurt(who, much):\n    if self = who: stop\n    set tally = tally + much"
    )
    assert variable(played("hurt(me, 3)", eyes, held=(("eyes",), ("eyes",))), "tally") == 3


def test_afterwards_waits_until_what_runs_is_over():
    turn = "hurt(me, 3)\nset tally = 10"
    at_once = charm("eyes", "when hurt(self, much): set tally = tally + much")
    later = charm("eyes", "when hurt(self, much) afterwards: set tally = tally + much")
    power = "- {kind: power, id: strike, gloss: strike, effect: 'hurt(me, 3)'}\n"
    assert variable(played(turn, at_once, held=(("eyes",),)), "tally") == 10
    assert (
        variable(played("use strike\nset tally = 10", at_once, power, held=(("eyes",),)), "tally")
        == 10
    )
    game = started(program_of_duel(f"{ASK}\n{turn}", later), ("eyes",))
    game = game.answer(game.prompt.id, "go")
    assert variable(game, "tally") == 13


HURT_ALL = "for each one in players:\n    hurt(one, 3)\n    hurt(one, 1)"


@pytest.mark.parametrize("held", [(), (("eyes",),), (("eyes",), ("eyes",))])
@pytest.mark.parametrize("late", ["", " afterwards"])
def test_once_per_turn_counts_for_each_bearer(held: tuple[tuple[str, ...], ...], late: str):
    once = charm("eyes", f"when hurt(self, much) once per turn{late}: set tally = tally + much")
    game = started(program_of_duel(f"{ASK}\n{HURT_ALL}", once), *held)
    game = game.answer(game.prompt.id, "go")
    assert variable(game, "tally") == 3 * len(held)
    game = game.answer(game.prompt.id, "go")
    assert variable(game, "tally") == 6 * len(held)


@pytest.mark.parametrize("held", [(), (("eyes",),), (("eyes",), ("eyes",))])
def test_once_per_turn_counts_for_each_bearer_also_of_what_happens_to_others(
    held: tuple[tuple[str, ...], ...],
):
    once = charm("eyes", "when hurt(who, much) once per turn: set tally = tally + much")
    assert variable(played(HURT_ALL, once, held=held), "tally") == 3 * len(held)


def test_once_per_turn_holds_also_within_what_it_sets_off():
    text = "when hurt(who, much) once per turn:\n    set tally = tally + 1\n    hurt(me, 1)"
    assert (
        variable(played("hurt(me, 1)", charm("eyes", text), held=(("eyes",), ("eyes",))), "tally")
        == 2
    )


def test_once_per_turn_of_a_trigger_counts_for_all():
    trigger = (
        "- kind: trigger\n  id: eyes\n  event: hurt(who, much)\n  timing: immediately\n"
        "  once_per: turn\n  effect: set tally = tally + much\n"
    )
    assert variable(played(HURT_ALL, trigger), "tally") == 3


def test_passive_is_one_more_condition_and_this_is_the_item():
    late = charm(
        "eyes",
        "passive where tally = 1:\n    when hurt(self, much): set tally = tally + much * power(this)",
    )
    assert variable(played("hurt(me, 3)", late, held=(("eyes",),)), "tally") == 0
    assert variable(played("set tally = 1\nhurt(me, 3)", late, held=(("eyes",),)), "tally") == 7


def test_a_keyword_answers_with_the_values_of_its_use():
    thorny = (
        "- kind: keyword\n  id: thorny\n  takes: 'least: Int, much: Int'\n  gloss: 'thorny {much}'\n "
        " abilities: |\n"
        "    when hurt(self, n) where n >= least:\n      repeat much times: heal(self, n)\n"
    )
    pair = (
        charm("rose", "thorny(2, 3)"),
        charm("aloe", "passive where self != me:\n    thorny(power(this), 1)"),
    )
    assert lives(played("hurt(me, 2)", thorny, *pair, held=(("rose",),))) == [24, 20]
    assert lives(played("hurt(me, 1)", thorny, *pair, held=(("rose",),))) == [19, 20]
    assert lives(played("hurt(me, 2)", thorny, *pair, held=(("aloe",),))) == [18, 20]
    other = "choose whom from players where whom != me\nhurt(whom, 2)"
    assert lives(played(f"{other}", thorny, *pair, held=((), ("aloe",)))) == [20, 20]


def test_standing_abilities_answer_for_everybody():
    all_of_them = (
        "- {kind: standing, id: all, for: Player, abilities: 'when hurt(self, much): heal(self, "
        "much)'}\n"
    )
    assert lives(played("hurt(me, 3)", all_of_them, held=())) == [20, 20]
    each = (
        "- {kind: standing, id: all, for: Player, abilities: 'when hurt(who, much): heal(self, "
        "much)'}\n"
    )
    assert lives(played("hurt(me, 3)", each, held=((), (), ()))) == [20, 23, 23]


def test_two_items_answer_in_the_order_of_items():
    one = charm("one", 'when hurt(self, much): say "one"')
    two = charm("two", 'when hurt(self, much): say "two"')
    for held in ((("one", "two"),), (("two", "one"),)):
        game = played("hurt(me, 3)", one, two, held=held)
        assert told(game) == ["hurt(0, 3)", "one()", "two()"]


@pytest.mark.parametrize(("once", "found"), [("", ["endless-trigger"]), (" once per turn", [])])
def test_answers_in_a_circle_are_refused(once: str, found: list[str]):
    one = charm("one", "when hurt(self, n): heal(self, n)")
    assert codes(one, charm("two", f"when heal(self, n){once}: hurt(self, n)")) == found


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
    assert codes(charm("plum", line)) == [code] * bool(code)


LISTED = """- kind: measure
  id: charms_held
  gives: List of Charm
  is: "held(me)"
  english: the charms that you hold
"""
NO_LIST = (
    "- kind: standing\n  id: hum\n  for: Find\n  abilities: |\n    when hurt(who): set tally = 1\n"
)


@pytest.mark.parametrize(
    ("item", "lacks", "among"),
    [
        (NO_LIST, "there is no list of all finds", "`among: ...` in `hum`"),
        (
            NO_LIST + LISTED.replace("Charm", "Find").replace("held(me)", "[find]"),
            "the item has no list of all finds",
            "`among: charms_held` in `hum`",
        ),
    ],
)
def test_bearers_without_a_list_are_told_how_to_get_one(item: str, lacks: str, among: str):
    found = [one for one in result_of("hurt(me, 1)", item).diagnostics if one.code == "not-self"]
    assert [lacks in one.message and among in (one.help or "") for one in found] == [True]


def test_a_keyword_that_nothing_uses_is_looked_into():
    head = "- kind: keyword\n  id: odd\n  gloss: odd\n  abilities: |\n    "
    assert codes(head + "when hurt(self, n): heal(self, m)\n") == ["unknown-name"]
    assert codes(head + "when hurt(who, n): heal(self, n)\n") == []


# ---------------------------------------------------------------------------------- replacements

HALF = charm("half", "instead of hurt(self, much): hurt(self, much div 2)")
LESS = charm("less", "instead of hurt(self, much) where much > 1: hurt(self, much - 1)")
SHIFT = charm("shift", "instead of hurt(who, much) where who != self: hurt(self, much)")
SHIELD = charm("shield", "instead of hurt(self, much): stop")
CHANGE = charm("change", "instead of hurt(self, much): heal(self, much)")
BACK = charm("back", "instead of heal(self, much): hurt(self, much)")
ASKING = charm(
    "asking",
    "instead of hurt(self, much):\n"
    '    optional "spare them" by self:\n        stop\n    hurt(self, much)\n    heal(me, 1)',
)


@pytest.mark.parametrize(
    ("items", "held", "hurt", "left"),
    [
        ((HALF,), ((),), 10, [10, 20]),
        ((HALF,), (("half",),), 10, [15, 20]),
        ((HALF,), ((), ("half",)), 10, [10, 20]),
        ((HALF,), (("half",), ("half",)), 10, [15, 20]),
        # In the order of items, whoever holds them in which.
        ((HALF, LESS), (("half", "less"),), 10, [16, 20]),
        ((LESS, HALF), (("half", "less"),), 10, [16, 20]),
        ((LESS, HALF), (("half", "less"),), 9, [16, 20]),
        ((HALF, LESS), (("less", "half"),), 9, [17, 20]),
        ((LESS,), (("less",),), 1, [19, 20]),
        # Two copies are two items; each is used once.
        ((HALF, HALF.replace("id: half", "id: other")), (("half", "other"),), 8, [18, 20]),
        ((SHIELD,), (("shield",),), 10, [20, 20]),
        ((SHIELD, HALF), (("shield", "half"),), 10, [20, 20]),
        # The first of several bearers takes it.
        ((SHIFT,), ((), ("shift",), ("shift",)), 4, [20, 16, 20]),
        ((SHIFT,), (("shift",),), 4, [16, 20]),
        # What is hurt in place of somebody else may be replaced by another item.
        ((SHIFT, HALF), ((), ("shift", "half")), 4, [20, 18]),
        ((SHIFT, SHIELD), ((), ("shift", "shield")), 4, [20, 20]),
        # Hurt, replaced by heal, replaced by hurt, which is not replaced again.
        ((CHANGE,), (("change",),), 3, [23, 20]),
        ((CHANGE, BACK), (("change", "back"),), 3, [17, 20]),
    ],
)
def test_replacements(
    items: tuple[str, ...], held: tuple[tuple[str, ...], ...], hurt: int, left: list[int]
):
    assert lives(played(f"hurt(me, {hurt})", *items, held=held)) == left


def test_a_replacement_applies_again_to_the_next_happening():
    assert lives(played("hurt(me, 8)\nhurt(me, 4)", HALF, held=(("half",),))) == [14, 20]
    twice = charm("twice", "instead of hurt(self, much):\n    hurt(self, much)\n    hurt(self, 1)")
    assert lives(played("hurt(me, 8)", twice, HALF, held=(("twice", "half"),))) == [16, 20]


def test_what_is_replaced_does_not_happen():
    note = charm("note", "when hurt(self, much): set tally = tally + much")
    assert variable(played("hurt(me, 8)", SHIELD, note, held=(("shield", "note"),)), "tally") == 0
    assert variable(played("hurt(me, 8)", HALF, note, held=(("half", "note"),)), "tally") == 4
    assert told(played("hurt(me, 8)", HALF, held=(("half",),))) == ["hurt(0, 4)"]


def test_what_a_replacement_sets_off_at_once_is_not_replaced_by_it():
    thorns = charm("thorns", "when hurt(self, much) once per turn: hurt(self, 6)")
    assert lives(played("hurt(me, 8)", HALF, thorns, held=(("half", "thorns"),))) == [10, 20]


def test_no_more_than_twelve_replacements_run_within_one_another():
    many = [LESS.replace("id: less", f"id: less{number:02}") for number in range(15)]
    held = tuple(f"less{number:02}" for number in range(15))
    assert lives(played("hurt(me, 20)", *many, held=(held,))) == [12, 20]


def test_a_replacement_may_ask():
    game = started(program_of_duel(f"hurt(me, 6)\n{ASK}", ASKING), ("asking",))
    assert (game.prompt.player, [one.key for one in game.prompt.options]) == (0, ["do", "skip"])
    assert lives(game.answer(game.prompt.id, "do")) == [20, 20]
    assert lives(game.answer(game.prompt.id, "skip")) == [15, 20]


def test_a_question_within_a_replacement_is_saved():
    """Two replacements run, the inner one asks: what comes back from a save goes on as if nothing
    were."""
    game = started(program_of_duel(f"hurt(me, 6)\n{ASK}", HALF, ASKING), ("half", "asking"), seed=3)
    for key, left in (("do", [20, 20]), ("skip", [18, 20])):
        again = resumed(game)
        assert again.prompt.text == game.prompt.text
        again = again.answer(again.prompt.id, key)
        assert lives(again) == left
        assert resumed(again).state == again.state


def test_a_replacement_that_cannot_go_on_comes_to_nothing():
    """It is nobody's choice: what led to it can be done all the same, and the game goes on."""
    stuck = charm(
        "stuck", "instead of hurt(self, much):\n    choose one from seen\n    heal(one, much)"
    )
    turn = 'choose one:\n    "strike":\n        hurt(me, 5)\n        heal(me, 1)\n    "rest":\n        stop'
    game = started(program_of_duel(turn, stuck), ("stuck",))
    assert [one.key for one in game.prompt.options] == ["strike", "rest"]
    assert lives(game.answer(game.prompt.id, "strike")) == [21, 20]


AID = "when hurt(self, much):\n"


@pytest.mark.parametrize(("needed", "offered"), [(30, ["skip"]), (3, ["do", "skip"])])
@pytest.mark.parametrize(
    "lines",
    [
        ('    ensure life(self) > NEEDED "too weak"', "    heal(self, 1)"),
        ("    choose one from those(who: players where life(who) > NEEDED)", "    heal(one, 1)"),
        ("    use mend(self, NEEDED)",),
    ],
)
def test_what_a_response_asks_is_looked_ahead_to(
    lines: tuple[str, ...], needed: int, offered: list[str]
):
    mend = (
        "- kind: power\n  id: mend\n  takes: 'who: Player, much: Int'\n  gloss: mend\n  effect: |\n"
    )
    mend += '    ensure life(who) > much "too weak"\n    heal(who, 1)\n'
    told = [line.replace("NEEDED", str(needed)) for line in lines]
    aid = charm("aid", f'{AID}    optional "aid":\n' + "\n".join(f"    {line}" for line in told))
    game = played("hurt(me, 5)", aid, mend, held=(("aid",),))
    assert [one.key for one in game.prompt.options] == offered


def test_what_a_response_cannot_do_does_not_prevent_what_led_to_it():
    """No answer to its question will do, so it comes to nothing; whoever strikes is free to."""
    stuck = charm(
        "stuck",
        AID + '    choose one from players\n    ensure life(one) > 99 "no"\n    heal(one, 1)',
    )
    turn = 'choose one:\n    "strike":\n        hurt(me, 5)\n        heal(me, 1)\n    "rest":\n        stop'
    game = started(program_of_duel(turn, stuck), ("stuck",))
    assert [one.key for one in game.prompt.options] == ["strike", "rest"]
    struck = game.answer(game.prompt.id, "strike")
    assert lives(struck) == [16, 20]
    assert "fizzled" in [one.kind for one in struck.events]


def test_what_another_bearer_cannot_do_is_no_affair_of_this_one():
    """Each bearer's block stands by itself: the second ends, whatever the first has answered."""
    aid = "when hurt(who, much):\n"
    aid += '    if self != me: ensure life(self) > 99 "no"\n    optional "aid": heal(me, 1)'
    game = played("hurt(me, 5)", charm("aid", aid), held=(("aid",), ("aid",)))
    assert [one.key for one in game.prompt.options] == ["do", "skip"]


@pytest.mark.parametrize(
    ("lines", "warned"),
    [
        ('    ensure life(self) > 3 "no"\n    heal(self, 1)', 1),
        ('    if much > 1: ensure life(self) > 3 "no"\n    heal(self, 1)', 1),
        ('    optional "aid":\n        ensure life(self) > 3 "no"\n        heal(self, 1)', 0),
        ('    choose one from players\n    ensure life(one) > 3 "no"\n    heal(one, 1)', 0),
    ],
)
def test_ensure_before_any_question_of_a_response_is_told(lines: str, warned: int):
    found = result_of("hurt(me, 1)", charm("aid", AID + lines)).diagnostics
    codes = [(one.code, one.severity) for one in found if one.code.startswith("ensure")]
    assert codes == [("ensure-after-barrier", "warning")] * warned


def test_look_ahead_goes_through_replacements():
    """Who is hurt may not fall below 15, and only look-ahead can tell whose shield holds."""
    turn = 'choose whom from players\nhurt(whom, 8)\nensure life(whom) > 14 "nobody may be hurt so much"\n'
    game = started(program_of_duel(turn, HALF), (), ("half",), ())
    assert [one.value for one in game.prompt.options] == [1]


@pytest.mark.parametrize(("by", "found"), [("me", []), ("self", ["ensure-after-barrier"])])
def test_ensure_waits_for_nobody_else(by: str, found: list[str]):
    asks = charm(
        "asks", f"instead of hurt(self, much):\n    optional by {by}:\n        hurt(self, much)"
    )
    turn = 'hurt(me, 8)\nensure life(me) > 14 "too much"\nheal(me, 1)\nchoose one from seen'
    errors = [one.code for one in result_of(turn, asks).diagnostics if one.severity == "error"]
    assert errors == found


@pytest.mark.parametrize(
    ("blocks", "operations"),
    [
        ((), 1),
        (("stop",), 1),
        (("hurt(self, 1)\n    hurt(self, 1)",), 2),
        (("hurt(self, 1)\n    hurt(self, 1)",) * 2, 4),
        (("hurt(self, 1)\n    hurt(self, 1)",) * 5, 32),
        # At most two; reckoned as if the second could run within itself once.
        (("hurt(self, 1)", "heal(self, 1)\n    hurt(self, 1)"), 3),
    ],
)
def test_what_is_replaced_costs_the_most(blocks: tuple[str, ...], operations: int):
    items = [
        charm(f"f{at}", f"instead of hurt(self, much):\n    {one}") for at, one in enumerate(blocks)
    ]
    program = program_of_duel("hurt(me, 20)\nchoose one from players", *items)
    (turn,) = [one for one in program.routines if one.id == "quarrel:flow/turn"]
    assert turn.bounds.operations == operations
    held = tuple(f"f{at}" for at in range(len(blocks)))
    assert len(told(started(program, held))) <= operations


def test_too_many_replacements_that_do_more_are_over_budget():
    thrice = "instead of hurt(self, n):\n    hurt(self, n)\n    hurt(self, n)\n    hurt(self, n)"
    found = result_of("hurt(me, 1)\n", *(charm(f"f{at}", thrice) for at in range(12)))
    assert "over-budget" in {one.code for one in found.diagnostics}
    assert codes(*(charm(f"f{at}", thrice) for at in range(12))) == []


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("instead of find(self): stop", "fixed-operation"),
        ("instead of touched(it): stop", "unknown-operation"),
        ("instead of hrt(self): stop", "unknown-event"),
        ("instead of hurt(who, self): stop", "type-mismatch"),
        ("instead of hurt(self, much) where n: stop", "unknown-name"),
        ("instead of hurt(self, much): heal(self, n)", "unknown-name"),
        ("instead of hurt(self, much): hurt(self, much)", ""),
    ],
)
def test_mistakes_in_replacements_are_told(line: str, code: str):
    assert codes(charm("plum", line)) == [code] * bool(code)


def test_what_keeps_a_rule_is_not_replaced():
    rule = (
        "name: limp, for: p, in: players, when: life(p) > 30, do: 'hurt(p, 1)', english: nobody is "
        "above 30"
    )
    always = f"- {{kind: extension, id: calm, always: [{{{rule}}}]}}\n"
    result = result_of("heal(me, 9)\nchoose one from seen", HALF, more=always)
    assert [one.code for one in result.diagnostics if one.severity == "error"] == [
        "fixed-operation"
    ]


def test_a_circle_through_a_replacement_and_a_trigger_is_refused():
    trigger = charm("thorns", "when heal(self, much) afterwards: hurt(self, much)")
    assert codes(CHANGE, trigger) == ["endless-trigger"]
    assert codes(CHANGE, BACK) == []


# ---------------------------------------------------------------------------------- restrictions

STRIKE = """
for each p in players:
    if p != me and tally < 1:
        hurt(p, 1)
        set tally = tally + 1
choose whom from players where may_strike(me, whom) or none
if whom is not none: hurt(whom, 1)
"""
"""The second player bleeds; then somebody may be struck."""
GENTLE = charm(
    "gentle", 'restrict may_strike(self, each whom) where life(whom) < 20 as "they bleed already"'
)
PALE = charm(
    "pale",
    "passive where tally = 1:\n    restrict may_strike(self, each whom) where life(whom) < 20",
)


def offered(game: Game) -> list[int]:
    """Who may be struck."""
    return [one.value for one in game.prompt.options if one.value is not None]


def refused(game: Game) -> list[str]:
    """Why others may not be."""
    return [one.reason for one in game.refusals]


def struck(*items: str, held: tuple[tuple[str, ...], ...], turn: str = STRIKE) -> Game:
    """A duel of three in which somebody may be struck."""
    return started(program_of_duel(turn, *items), *held, *[()] * (3 - len(held)))


@pytest.mark.parametrize(
    ("held", "whom"),
    [
        ((), [1, 2]),
        ((("gentle",),), [2]),
        (((), ("gentle",)), [1, 2]),
        ((("gentle",), ("gentle",)), [2]),
    ],
)
def test_a_restriction_is_that_of_the_bearer(held: tuple[tuple[str, ...], ...], whom: list[int]):
    assert offered(struck(GENTLE, held=held)) == whom


def test_who_is_refused_reads_by_which_restriction():
    game = struck(GENTLE, held=(("gentle",),))
    assert refused(game) == [
        "needs: you may strike A",
        "needs: you may strike B (they bleed already)",
    ]
    # Where it would not hold anyway, nothing restricts it.
    assert refused(struck(GENTLE, held=())) == ["needs: you may strike A"]


@pytest.mark.parametrize(
    ("items", "reason"),
    [((GENTLE, PALE), "they bleed already"), ((PALE, GENTLE), "pale"), ((PALE,), "pale")],
)
def test_without_a_reason_the_item_is_named_and_the_first_that_applies_counts(
    items: tuple[str, ...], reason: str
):
    game = struck(*items, held=(("pale", "gentle")[: len(items)],))
    assert refused(game)[1:] == [f"needs: you may strike B ({reason})"]


def test_the_reason_is_found_through_measures_and_other_conditions():
    fair = (
        "id: fair, takes: 'p: Player', gives: Bool, is: 'p != me and may_strike(me, p)', english: "
        "'fair {p}'"
    )
    measure = f"- {{kind: measure, {fair}}}\n"
    turn = STRIKE.replace("may_strike(me, whom)", "fair(whom) or tally > 5")
    game = struck(GENTLE, measure, held=(("gentle",),), turn=turn)
    assert [one.endswith("(they bleed already)") for one in refused(game)] == [False, True]


@pytest.mark.parametrize(
    ("rules", "asked", "whom"),
    [("may_strike", "allowed may_strike", [0, 1, 2]), ("may_strike", "may_strike", [2])],
)
def test_what_ignores_a_rule_ignores_what_restricts_it(rules: str, asked: str, whom: list[int]):
    head, _, choice = STRIKE.partition("choose whom")
    turn = f"{head}ignoring {rules}:\n    choose whom{choice.replace('may_strike(', f'{asked}(')}".replace(
        "\nif whom", "\n    if whom"
    )
    assert offered(struck(GENTLE, held=(("gentle",),), turn=turn)) == whom


def test_a_restriction_of_everybody_without_a_condition():
    held = "restrict may_strike(self, each whom)"
    peace = f"- {{kind: standing, id: peace, for: Player, abilities: '{held}'}}\n"
    turn = STRIKE.replace("may_strike(me, whom)", "may_strike(me, whom) or whom = me")
    game = struck(peace, held=(), turn=turn)
    assert (offered(game), [one.endswith("(peace)") for one in refused(game)]) == (
        [0],
        [True, True],
    )


def test_why_tells_what_restricts_a_rule():
    program = program_of_duel(STRIKE, GENTLE, PALE)
    game = started(program, ("gentle",), (), ())
    found = Reckoning(game.linked, game.state.world, game.state.scope).function(
        "quarrel:rule/may_strike", (0, 1)
    )
    assert (found.value, [(one.label, one.value, one.minor) for one in found.parts[-2:]]) == (
        False,
        [("they bleed already", False, False), ("pale", True, True)],
    )


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("restrict may_strik(self, each whom)", "unknown-rule"),
        ("restrict life(self)", "unknown-rule"),
        ("restrict may_strike(me, me)", "not-self"),
        ("restrict may_strike(self)", "missing-argument"),
        ("restrict may_strike(self, each whom, me)", "too-many-arguments"),
        ("restrict may_strike(self, 3)", "type-mismatch"),
        ("restrict may_strike(self, each whom) where 3", "type-mismatch"),
        ("restrict may_strike(self, each whom) where may_strike(whom, self)", "recursive-rule"),
        ("modify may_strike(self, each whom) by 1", "unknown-stat"),
        ("restrict may_strike(self, me) as 3", "type-mismatch"),
    ],
)
def test_mistakes_in_restrictions_are_told(line: str, code: str):
    assert codes(charm("plum", line)) == [code]


def test_a_great_many_restrictions():
    items = [
        charm(f"f{at}", f"restrict may_strike(self, each whom) where life(whom) = {at}")
        for at in range(39)
    ]
    assert offered(struck(*items, held=(("f20", "f3"),))) == [1]


# ---------------------------------------------------------------------------------- in words


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (
            "when hurt(self, damage) where damage > 1: heal(self, 1)",
            "Whenever you are hurt by some amount, if the damage is more than 1, heal you by 1.",
        ),
        (
            "when hurt(victim, damage) once per turn afterwards:\n"
            "    optional by self: heal(victim, 1)\n    heal(self, 2)",
            "Whenever a victim is hurt by some amount (once a turn for you), afterwards: "
            "you may heal the victim by 1; heal you by 2.",
        ),
        (
            "when hurt(self, damage):\n    choose one from players where one != self\n    heal(one, 1)",
            "Whenever you are hurt by some amount: the acting player chooses a player who is "
            "not you; "
            "heal the player by 1.",
        ),
        (
            "instead of hurt(self, damage): stop",
            "Whenever you would be hurt by some amount, nothing comes of it.",
        ),
        (
            "instead of hurt(victim, damage) where victim != self: hurt(self, 1)",
            "Whenever a victim would be hurt by some amount, if you are not the victim, "
            "instead, hurt you by 1.",
        ),
        (
            'restrict may_strike(self, each whom) as "it is gentle"',
            "You may not strike any player (it is gentle).",
        ),
        (
            "passive where tally > 1:\n    restrict may_strike(self, each whom) where life(whom) < 9\n"
            "    when hurt(self, damage): heal(self, damage)",
            "While the tally is more than 1:\n   You may not strike any player whose life is less "
            "than 9.\n"
            "   Whenever you are hurt by some amount, heal you by the damage.",
        ),
    ],
)
def test_what_they_are_told_as(written: str, text: str):
    program = program_of_duel("hurt(me, 1)\nchoose one from seen", charm("plum", written))
    assert dict(program.texts)["quarrel:charm/plum"] == f"Power: 2.\n\n{text}"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"id": "quarrel:rule/may_strike"}, "called like a rule"),
        ({"operation": "hrt"}, "operation"),
        ({"operation": "find"}, "cannot be replaced"),
        ({"routine": "quarrel:charm/none"}, "routine"),
        ({"where": ("slot", 7)}, "slot"),
    ],
)
def test_a_damaged_replacement_is_refused(change: dict[str, Any], says: str):
    program = program_of_duel("hurt(me, 1)", HALF)
    (one,) = program.replacements
    with pytest.raises(SaveError, match=says):
        check_program(replace(program, replacements=(replace(one, **change),)))


def test_a_rule_that_is_only_restricted_is_one_that_nothing_asks_for():
    unread = charm("vow", "restrict may_strike(self, each other) as 'sworn'".replace("'", '"'))
    said = [one.message for one in result_of(ASK, unread).diagnostics]
    assert "nothing asks for the rule `may_strike`" in said
    asked = [
        one.message for one in result_of(f"{ASK}if may_strike(me, me): stop", unread).diagnostics
    ]
    assert "nothing asks for the rule `may_strike`" not in asked


def test_nothing_can_be_ensured_behind_an_operation_that_a_roll_answers():
    rolls = charm("dice", "when hurt(self, n):\n    roll luck = 1d6\n    heal(self, luck)")
    found = result_of(f'{ASK}hurt(me, 1)\nensure 1 < tally "too low"', rolls).diagnostics
    assert "ensure-after-barrier" in [one.code for one in found]


@pytest.mark.parametrize("event", ["when give(what, self)", "instead of give(what, self)"])
def test_what_answers_something_that_nothing_does_is_told(event: str):
    said = list(
        result_of(f"{ASK}hurt(me, 1)", charm("idle", f"{event}: hurt(self, 1)")).diagnostics
    )
    (found,) = [one for one in said if one.code == "never-happens"]
    assert found.message == "nothing in the game does `give`, so this never happens"
    assert (found.place.line, found.place.column) == (6, 5 + event.index("give"))
    assert [note.message for note in found.notes] == ["declared here"]
    # It is told once: not a second time where the operation is declared.
    assert not [one for one in said if one.message == "nothing does the operation `give`"]


@pytest.mark.parametrize("event", ["when give(what, self)", "when touched(what)"])
def test_what_only_its_own_answer_would_do_never_happens(event: str):
    idle = charm("idle", f"{event} once per turn: give(what, me)")
    said = [one.code for one in result_of(f"{ASK}hurt(me, 1)", idle).diagnostics]
    assert "never-happens" in said
    said = [
        one.code for one in result_of(f"{ASK}for each one in held: give(one, me)", idle).diagnostics
    ]
    assert "never-happens" not in said


def test_what_an_answer_does_happens_once_something_sets_it_off():
    giving = charm("giver", "when hurt(self, much):\n    for each one in held: give(one, me)")
    idle = charm("idle", "when give(what, self): heal(self, 1)")
    said = [one.code for one in result_of(f"{ASK}hurt(me, 1)", giving, idle).diagnostics]
    assert "never-happens" not in said
    said = [one.code for one in result_of(f"{ASK}heal(me, 1)", giving, idle).diagnostics]
    assert said.count("never-happens") == 2


def test_what_people_at_the_table_do_can_be_answered():
    by_hand = """
- kind: extension
  id: by_hand
  operations:
    wake: {params: {who: Player}, sets: {}, at_table: true, english: "wake {who}", log: "{who} wakes"}
"""
    found = result_of("stop", charm("cock", "when wake(self): stop"), more=by_hand).diagnostics
    assert [one.code for one in found if one.severity == "error"] == []
    assert "never-happens" not in [one.code for one in found]
