"""Records: what items say of one another, tables, and the parts that entries of items make, in a
game."""

from __future__ import annotations

from fractions import Fraction
from textwrap import indent
from typing import Any

from ruleloom.compiler.pipeline import CompileResult
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import new_game
from ruleloom.runtime.program.canonical_json import read_json
from ruleloom.runtime.program.program import Entity, Program
from ruleloom.runtime.program.program_json import program_of, program_text
from ruleloom.runtime.program.verify import check_program
from tests.support.check_layer import compile_files, game_files
from tests.support.orchard_driver import bind

ITEMS = """\
- {kind: tool, id: long-ladder, title: Long ladder, upkeep: 4, portion: 0.75}
- {kind: tool, id: hook, needs: [hook, orchard:tool/long-ladder], lies: 0/3}
- kind: picker
  id: ann
  speed: {red: 9}
  yield: {plum: 1, pear: 2, "pear#2": 3}
  bane: {gold: plum}
  teacher: bo
  tools:
    - long-ladder
    - {tool: hook, wear: 2, spares: [hook, long_ladder], charms: [red, {hue: gold}]}
  knacks: {orchard:fruit/plum: 3, pear: {level: 2}}
- kind: picker
  id: bo
  copies: 2
  hat:
  yield: {plum: 1, pear: 2, "pear#2": 3}
  tools: [{tool: long-ladder}]
"""


def compile_set_up(effect: str, items: str = ITEMS) -> CompileResult:
    """Compile the orchard with these items, and this effect as its set-up."""
    flows = "- kind: flow\n  id: set_up\n  effect: |\n" + indent(effect, "    ")
    turn = '- kind: flow\n  id: turn\n  effect: |\n    finish drawn "the test is over"\n'
    return compile_files(
        {**game_files(), "flow.yaml": flows + turn, "pickers.yaml": items}, texts=True
    )


def compiled(effect: str, items: str = ITEMS) -> Program:
    """The program of it, as it is after a save."""
    result = compile_set_up(effect, items)
    assert result.program is not None, [(d.place.line, d.message) for d in result.diagnostics]
    again = program_of(read_json(program_text(result.program)))
    assert again == result.program
    check_program(again)
    return again


def made(name: str, items: str = ITEMS) -> Entity:
    """What the items make of one kind."""
    return compiled("set day = 1\n", items).entity(name)


def printed(name: str, field: str) -> tuple[Any, ...]:
    """The values of one field."""
    return dict(made(name).static)[field]


def day(effect: str, items: str = ITEMS, answers: tuple[str, ...] = ()) -> Any:
    """What `day` is after an effect."""
    game = new_game(link_game(compiled(effect, items), bind, ("ann", "bob")))
    for key in answers:
        game = game.answer(game.prompt.id, key)
    return game.state.scope[game.linked.scope_index["day"]]


# ---------------------------------------------------------------------------------- what is printed


def test_items_name_one_another_whatever_their_order():
    assert printed("Tool", "needs") == ((), (1, 0))
    assert printed("Picker", "teacher") == (1, None, None)


def test_what_an_item_does_not_say_is_the_default():
    assert printed("Tool", "upkeep") == (4, 1)
    assert printed("Tool", "lies") == ((2, -1), (0, 3))
    assert printed("Tool", "portion") == (Fraction(3, 4), Fraction(1, 2))
    # `hat:` with nothing behind it is none; no `hat:` at all is the default.
    assert printed("Picker", "hat") == ("red", None, None)


def test_tables_have_a_value_for_every_key():
    usual = {"red": 5, "green": 5, "gold": 5}
    assert printed("Picker", "speed") == ({**usual, "red": 9}, usual, usual)
    assert printed("Picker", "yield")[0] == {0: 1, 1: 2, 2: 3}
    assert printed("Picker", "bane")[0] == {"red": None, "green": None, "gold": 0}


# ---------------------------------------------------------------------------------- parts


def test_entries_of_a_list_make_parts_that_know_their_owner():
    kits = made("Kit")
    assert kits.names == ("ann.1", "ann.2", "bo.1", "bo#2.1")
    assert kits.titles == ("Long ladder", "hook", "Long ladder", "Long ladder")
    assert dict(kits.static) == {
        "bearer": (0, 0, 1, 2),
        "tool": (0, 1, 0, 0),
        "wear": (0, 2, 0, 0),
        "spares": ((), (1, 0), (), ()),
        "charms": ((), (0, 1), (), ()),
    }


def test_entries_of_a_mapping_make_parts_called_by_their_key():
    knacks = made("Knack")
    assert (knacks.names, knacks.titles) == (("ann.plum", "ann.pear"), ("Plum", "Pear"))
    assert dict(knacks.static) == {"learner": (0, 0), "about": (0, 1), "level": (3, 2)}


def test_parts_of_parts():
    charms = made("Charm")
    assert (charms.names, charms.titles) == (("ann.2.1", "ann.2.2"), ("ann.2.1", "ann.2.2"))
    assert dict(charms.static) == {"kit": (1, 1), "hue": ("red", "gold")}


def test_an_owner_lists_its_parts():
    """By the field that their entries stand under; also where it has none, and for copies each its
    own."""
    pickers, kits = dict(made("Picker").static), dict(made("Kit").static)
    assert pickers["tools"] == ((0, 1), (2,), (3,))
    assert pickers["knacks"] == ((0, 1), (), ())
    assert kits["charms"] == ((), (0, 1), (), ())
    effect = "for each picker in Picker:\n    set day = day + sum(wear(k) for k: tools(picker))\n"
    game = new_game(link_game(compiled(effect), bind, ("ann", "bo")), 1)
    assert game.state.scope[game.linked.scope_index["day"]] == 1 + 2


def test_each_record_knows_its_line():
    places = {
        name: [(place.path, place.line, place.column) for place in made(name).places]
        for name in ("Picker", "Kit", "Knack", "Basket")
    }
    assert places == {
        "Picker": [("pickers.yaml", 4, 7), ("pickers.yaml", 14, 7), ("pickers.yaml", 14, 7)],
        "Kit": [
            ("pickers.yaml", line, column)
            for line, column in ((10, 7), (11, 7), (18, 11), (18, 11))
        ],
        "Knack": [("pickers.yaml", 12, 12), ("pickers.yaml", 12, 35)],
        "Basket": [],
    }


def test_a_part_that_a_patch_adds_stands_in_the_patch():
    patch = (
        "- kind: patch\n  id: more\n  target: orchard:picker/ann\n"
        "  append:\n    tools: [hook]\n  set:\n    knacks: {pear: 5}\n"
    )
    kits, knacks = made("Kit", ITEMS + patch), made("Knack", ITEMS + patch)
    assert (kits.names[:3], kits.places[2].line) == (("ann.1", "ann.2", "ann.3"), 23)
    assert (knacks.names, knacks.places[0].line) == (("ann.pear",), 25)


# ---------------------------------------------------------------------------------- in effect text


def test_the_name_of_a_type_is_the_list_of_its_records():
    assert day("set day = count(Picker) * 100 + count(Kit) * 10 + count(Charm)\n") == 342
    assert day("set day = sum(wear(kit) + 1 for kit: Kit)\n") == 6


def test_a_game_may_have_no_records_of_a_kind():
    effect = "for each kit in Kit:\n    set day = 9\nset day = day + count(Picker)\n"
    assert day(effect, "- {kind: tool, id: hook}\n") == 1


def test_tables_and_parts_are_read():
    effect = (
        "choose who from Picker\n"
        "set day = speed(who, red) * 1000 + speed(who, gold) * 100\n"
        "for each kit in those(k: Kit where bearer(k) = who):\n"
        "    set day = day + upkeep(tool(kit))\n"
        "for each knack in those(k: Knack where learner(k) = who and about(k) in [about(k)]):\n"
        "    set day = day + yield(who, about(knack)) * level(knack) * 10\n"
    )
    assert day(effect, answers=("ann",)) == 9_000 + 500 + 4 + 1 + 30 + 40
    assert day(effect, answers=("bo#2",)) == 5_000 + 500 + 4


def test_what_may_be_none_in_a_table_is_asked_for():
    effect = (
        "choose who from Picker\nif bane(who, gold) is not none:\n    set day = 5 + weight(bane(who, "
        "gold))\n"
    )
    assert day(effect, answers=("ann",)) == 6
    assert day(effect, answers=("bo#2",)) == 1


def test_lists_of_records_and_printed_lists_have_a_known_length():
    """A loop is as long as there are records, or as the longest list printed on one of them."""
    effect = (
        "for each kit in Kit:\n    for each spare in spares(kit):\n        put(me, 1, home(me)) "
        "giving basket\n"
    )
    program = compiled(effect)
    bounds = next(
        routine.bounds for routine in program.routines if routine.id == "orchard:flow/set_up"
    )
    assert bounds.operations == len(made("Kit").names) * 2


def test_rules_texts_name_tables_and_lists():
    effect = (
        "choose who from Picker\n"
        "for each kit in Kit:\n"
        "    for each spare in spares(kit):\n"
        "        set day = speed(who, red)\n"
    )
    text = dict(compiled(effect).texts)["orchard:flow/set_up"]
    assert "Choose a picker" in text
    assert "For every kit:" in text
    assert "each of the spares of the kit" in text
    assert "'s speed for red" in text
