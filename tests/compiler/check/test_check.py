"""What the checker makes of texts: programs that do what is written, and the same program every
time."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import indent
from typing import Any

import pytest

from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.program import program
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.verify import check_program
from tests.support.check_layer import compile_case, compile_files, game_files
from tests.support.orchard_driver import bind

# Whatever is offered first.
FIRST = "*"
END = '- kind: flow\n  id: turn\n  effect: |\n    finish drawn "the test is over"\n'
TREES = (
    "put(me, 3, home(me)) giving big\nput(me, 1, home(me)) giving small\nput(me, 2, home(me)) giving "
    "middle\n"
)


def compiled(effect: str, *items: str) -> Program:
    """Compile the orchard with this effect as its set-up, and nothing after it."""
    flow = (
        "- kind: flow\n  id: set_up\n  effect: |\n" + indent(effect, "    ") + END + "".join(items)
    )
    result = compile_files({**game_files(), "flow.yaml": flow}, texts=True)
    wrong = [f"{d.place.line}: {d.message}" for d in result.diagnostics if d.severity == "error"]
    assert result.program is not None, wrong
    check_program(result.program)
    return result.program


@dataclass
class Play:
    """A game of which every prompt is answered with the next of some keys."""

    game: Game

    def __getattr__(self, name: str) -> Any:
        return self.game.state.scope[self.game.linked.scope_index[name]]

    def column(self, name: str) -> Any:
        """A column of the world."""
        return self.game.state.world[self.game.linked.layout.index[name]]


def play(effect: str, *answers: str | list[str], items: tuple[str, ...] = ()) -> Play:
    """Run an effect with these answers, to the end of the game."""
    game = new_game(link_game(compiled(effect, *items), bind, ("ann", "bob")))
    for keys in answers:
        game = game.answer(game.prompt.id, game.prompt.options[0].key if keys == FIRST else keys)
    assert game.over, f"still to answer: {game.prompt}"
    return Play(game)


def test_for_each_takes_the_list_as_it_was():
    found = play(
        TREES
        + "set kept = [small, big]\nfor each basket in kept:\n    add middle to kept\n    set day = day + 1\n"
    )
    assert (found.day, found.kept) == (3, (1, 0, 2))


def test_for_each_in_order_of_a_key():
    text = (
        TREES
        + "for each basket in baskets(home(me)) ordered by size(basket):\n    add basket to kept\n"
    )
    assert play(text).kept == (1, 2, 0)


def test_for_each_goes_through_repeats_and_nothing():
    assert play("for each n in [2, 2, 3]:\n    set day = day + n\n").day == 8
    assert play("for each n in 3 .. 2:\n    set day = day + n\n").day == 1


def test_for_each_inside_for_each():
    assert (
        play("for each a in 1 .. 3:\n    for each b in 1 .. a:\n        set day = day + b\n").day
        == 11
    )


def test_repeat_counts_from_one():
    assert play("repeat most times as i:\n    set day = day * 10 + i\n").day == 1123


def test_repeat_until_asks_before_each_round():
    assert play("repeat until day > 3 at most 10 times:\n    set day = day + 1\n").day == 4
    assert play("repeat until day > 30 at most 10 times:\n    set day = day + 1\n").day == 11
    assert play("repeat until day = 1 at most 10 times:\n    set day = 7\n").day == 1


def test_branches_take_one_way():
    text = (
        "set day = {}\nif day = 1: set day = 10\nelif day = 2: set day = 20\nelse: set day = 30\n"
    )
    assert [play(text.format(day)).day for day in (1, 2, 3)] == [10, 20, 30]


POWER = '- kind: power\n  id: half\n  gives: "found: Int?"\n  gloss: half\n  effect: |\n{}'


def test_stop_ends_one_power_and_gives_what_is_set_by_then():
    half = POWER.format(indent("set found = 5\nif day = 1: stop\nset found = 6\n", "    "))
    assert play("use half giving n\nif n is not none: set day = n\n", items=(half,)).day == 5
    assert (
        play("set day = 2\nuse half giving n\nif n is not none: set day = n\n", items=(half,)).day
        == 6
    )


def test_a_result_that_is_not_set_is_none():
    half = POWER.format(indent("if day = 2: set found = 5\n", "    "))
    assert play("use half giving n\nif n is none: set day = 9\n", items=(half,)).day == 9


def test_defaults_are_worked_out_at_the_call():
    item = (
        '- kind: power\n  id: feed\n  takes: "a: Int, b: Int = most + day"\n  gloss: feed\n'
        "  effect: |\n    set day = a * 100 + b\n"
    )
    assert play("set day = 4\nuse feed(2)\n", items=(item,)).day == 207
    assert play("use feed(b: 1, a: 3)\n", items=(item,)).day == 301


def test_choices_and_their_conditions():
    program_ = compiled(
        TREES + "choose one_of from baskets(home(me)) where size(one_of) > 1\nadd one_of to mine\n"
    )
    game = new_game(link_game(program_, bind, ("ann", "bob")))
    assert [option.value for option in game.prompt.options] == [0, 2]
    assert [refusal.key for refusal in game.refusals]


def test_a_condition_is_not_asked_where_one_before_it_fails():
    text = """
draw card from heap to hand(me)
choose bite from hand where dye(bite) is not none and dye(bite) = gold or none
if bite is none: set day = 7
"""
    assert play(text, FIRST, "none").day == 7


def test_optional_and_modal_prompts():
    text = """
optional "more":
    set day = 5
choose one:
    "up": set day = day + 1
    "down" when day > 3: set day = 0
"""
    first = new_game(link_game(compiled(text), bind, ("ann", "bob")))
    assert [option.label for option in first.prompt.options] == ["more", "skip"]
    skipped = first.answer(first.prompt.id, "skip")
    assert [option.label for option in skipped.prompt.options] == ["up"]
    assert play(text, FIRST, "down").day == 0


def test_combinable_offers_both_in_turn_or_the_fusion():
    text = TREES + "set mine = [small]\ncombinable:\n    use walk\n    use walk\n"
    modal = [
        row for row in routine(compiled(text), "flow/set_up").rows if isinstance(row, program.Modal)
    ]
    assert [(row.kind, [mode.label for mode in row.modes]) for row in modal] == [
        ("combine", ["one after the other", "both on one way"]),
        ("optional", ["walk", "skip"]),
        ("optional", ["walk", "skip"]),
    ]


def test_ignoring_is_put_back_on_every_way():
    text = """
ignoring room:
    set day = 2
    ignoring rot:
        set day = 3
    set day = 4
set day = 5
"""
    rows = routine(compiled(text), "flow/set_up").rows
    relaxed = [row.rules for row in rows if isinstance(row, program.Relax)]
    room = "orchard:rule/room"
    assert relaxed == [(room,), (room, "rot"), (room,), ()]


def test_secret_answers_are_a_table():
    text = """
for each p in players:
    draw card from heap to hand(p)
each p in players secretly choose bid from hand(p)
set day = sum(weight(bid(p)) for p: players)
eat(bid(me))
"""
    found = play(text, "plum", "pear", FIRST, FIRST)
    assert found.day == 3
    assert [len(hand) for hand in found.column("hand")] == [0, 1]


def test_a_trigger_may_name_fewer_things_than_its_event_tells():
    item = """\
- kind: trigger
  id: t
  event: "put(player)"
  timing: immediately
  effect: |
    set me = player
    set day = day + 1
"""
    found = play("let other = 3\nput(me, 1, home(me))\nset day = day + other\n", items=(item,))
    assert found.day == 5


def test_a_variable_that_a_branch_fixes_keeps_what_was_known():
    text = """
let best = none
for each basket in baskets(home(me)):
    if best is none or size(best) < size(basket):
        set best = basket
if best is not none: add best to kept
"""
    assert play(TREES + text).kept == (0,)
    assert play(text).kept == ()


def test_records_make_entities_in_order():
    fruit = compiled("stop\n").entity("Fruit")
    assert fruit.names == ("plum", "pear", "pear#2")
    assert fruit.titles == ("Plum", "Pear", "Pear")
    assert dict(fruit.static) == {
        "weight": (1, 2, 2),
        "tint": ("red", "green", "green"),
        "dye": (None,) * 3,
    }
    assert fruit.powers == ("", "", "")


def test_bounds_count_prompts_operations_and_dice():
    text = """
repeat 3 times:
    roll luck = 2d6
    if luck > 3:
        use walk
    else:
        optional:
            use walk
"""
    bounds = routine(compiled(text), "flow/set_up").bounds
    assert (bounds.prompts, bounds.operations, bounds.dice, bounds.fuel) == (9, 3, 6, False)
    assert routine(compiled("choose f from meadow\nuse power of f\n"), "flow/set_up").bounds.fuel


@pytest.mark.parametrize(
    ("count", "fine"),
    [
        ("1 .. 3", True),
        ("[1, most]", True),
        ("1 .. day", False),
        ("[day]", False),
        ("1 .. count(mine)", True),
    ],
)
def test_a_chosen_number_is_as_large_as_its_list(count: str, fine: bool):
    text = f"choose n from {count}\nrepeat n times: use walk\n"
    found = compile_case(
        "kind: fruit\nid: a\nweight: 1\ntint: red\neffect: |\n" + indent(text, "  ")
    ).diagnostics
    assert [d.code for d in found] == ([] if fine else ["unbounded"])


def test_the_same_content_gives_the_same_program():
    assert compile_files(game_files()).program == compile_files(game_files()).program


def test_rows_know_where_they_come_from():
    rows = routine(compiled("set day = 2\nset day = 3\n"), "flow/set_up").rows
    assert [
        (row.origin.pack, row.origin.path, row.origin.line, row.origin.column) for row in rows[:2]
    ] == [
        ("orchard", "flow.yaml", 4, 5),
        ("orchard", "flow.yaml", 5, 5),
    ]


def test_a_broken_neighbour_does_not_hide_other_mistakes():
    found = compile_case(
        "- kind: fruit\n  id: a\n  weight: 1\n  tint: red\n  effect: |\n    choose\n"
        "- kind: fruit\n  id: b\n  weight: 1\n  tint: red\n  effect: |\n    set day = dya\n"
    ).diagnostics
    assert [d.code for d in found] == ["syntax", "unknown-name"]


def test_a_message_marks_exactly_the_wrong_words():
    found = compile_case(
        "kind: fruit\nid: a\nweight: 1\ntint: red\neffect: |\n  set day = 1 + dya\n"
    ).diagnostics
    place = found[0].place
    assert (place.line, place.column, place.end_line, place.end_column) == (6, 17, 6, 20)


@pytest.mark.parametrize(
    ("written", "help"),
    [
        ("set day = dya", "did you mean `day`?"),
        ("set day = scor(me)", "did you mean `score`?"),
        ("set day = scores", "did you mean `score(...)`?"),
        ("use Walk", "did you mean `walk`?"),
        ("eat(favourite)", "`if favourite is not none:`"),
        ("for each b in mine: carry(b)", "its form is `carry(basket, to)`"),
        ("drop(mine)", "`for each x in mine:` goes through the list one by one"),
        ("set mine = first_of", "a list of baskets is wanted; there are `mine` and `kept`"),
        ("let a = exists(b: mine where colour(b) = rad)", "did you mean `red`?"),
        (
            "let a = exists(b: mine where colour(b) = turquoise)",
            "there are `red`, `green` and `gold`",
        ),
        ("set day = turquoise", "a number is wanted, such as `2`"),
    ],
)
def test_help_can_be_typed_as_it_stands(written: str, help: str | None):
    found = compile_case(
        f"kind: fruit\nid: a\nweight: 1\ntint: red\neffect: |\n  {written}\n"
    ).diagnostics
    assert [d.help for d in found] == [help]


@pytest.mark.parametrize(
    ("event", "help"),
    [
        ("tuched(b)", "did you mean `touched`?"),
        ("harvested(b)", "there are `carry`, `drawn`, `drop`, `eat`, `fill`, `hide`, `lay`, `put`"),
    ],
)
def test_an_unknown_event_is_told_what_can_happen(event: str, help: str):
    lines = (
        "kind: trigger",
        "id: a",
        f'event: "{event}"',
        "timing: immediately",
        "effect: |",
        "  stop",
    )
    found = compile_case("\n".join(lines) + "\n").diagnostics
    assert [d.code for d in found] == ["unknown-event"]
    assert help in str(found[0].help)


def routine(made: Program, name: str) -> program.Routine:
    """Return one routine of a program."""
    return next(one for one in made.routines if one.id == f"orchard:{name}")
