"""Games that need no Python: fields that change, operations that say what they set, the driver of
them all."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from ruleloom.api.linking import driver_of
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.games import driver_of as bind_of
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.play.journal import loaded, saved_lines
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.program_json import program_data, program_of
from ruleloom.runtime.program.values import FrozenMap
from ruleloom.runtime.program.verify import check_program
from ruleloom.runtime.search.node import PlayNode
from tests.support.check_layer import NOTHING, schemas
from tests.support.pack_examples import manifest, write

GAME = """\
- kind: vocabulary
  game: orchard
  enums: {Colour: [red, green]}
  entities:
    Player: {noun: [player, players], max: 4, fields: {purse: {type: Int, initial: 10, min: 0}}}
    Fruit:
      noun: [fruit, fruits]
      max: 9
      records: [fruit]
      fields:
        held_by: {type: Player?}
        liked: {type: Int, by: Colour, initial: 2}
        worms: {type: Fraction}
  kinds: {fruit: {makes: Fruit}}
  scope: {me: {type: Player, life: game, english: you}}
  queries:
    seat_after: {params: {player: Player}, result: Player, reads: [], english: "the player after {player}"}
  operations:
    trade:
      params: {one: Player, other: Player}
      sets: {purse(one): purse(other), purse(other): purse(one)}
      english: "{one} and {other} trade purses"
      log: "{one} and {other} trade purses"
    pay:
      params: {who: Player, price: Int}
      sets: {purse(who): purse(who) - price}
      english: "{who} pays {price}"
      log: "{who} pays {price}"
    ring:
      sets: {}
      english: "ring the bell"
      log: "the bell rings"
    like:
      params: {one: Fruit, colour: Colour, much: Int}
      sets: {"liked(one, colour)": much, worms(one): worms(one) + 1/2}
      english: "like {one}"
      log: "{one} is liked"
- {kind: fruit, id: plum}
- {kind: fruit, id: pear}
- kind: flow
  id: set_up
  effect: say "it begins"
- kind: flow
  id: turn
  effect: |
    choose price from [1, 4, 20]
    pay(me, price)
    trade(me, seat_after(me))
    for each fruit in Fruit:
        like(fruit, red, liked(fruit, red) + 1)
        like(fruit, green, 2)
    ring()
    set me = seat_after(me)
- kind: trigger
  id: woken
  event: "ring()"
  timing: immediately
  effect: like(pear, green, 7)
"""


def begun(tmp_path: Path, players: tuple[str, ...] = ("A", "B"), text: str = GAME) -> Game:
    write(
        tmp_path,
        {"orchard/pack.yaml": manifest("orchard", game="orchard"), "orchard/game.yaml": text},
    )
    result = compile_paths(tmp_path / "orchard", builtin=NOTHING, schemas=schemas())
    assert result.program is not None, result.diagnostics
    check_program(program_of(program_data(result.program)))
    return new_game(link_game(result.program, driver_of(result.program), players), seed=1)


def test_fields_start_as_said_and_operations_set_them_together(tmp_path: Path):
    game = begun(tmp_path)
    column = game.linked.layout.index
    purse, liked, worms = (column[name] for name in ("Player.purse", "Fruit.liked", "Fruit.worms"))
    assert game.state.world[purse][:2] == (10, 10)
    assert game.state.world[liked] == (FrozenMap(), FrozenMap())
    game = game.choose(4)
    assert game.state.world[purse][:2] == (10, 6)
    assert game.state.world[liked] == (FrozenMap({"red": 3}), FrozenMap({"red": 3, "green": 7}))
    assert game.state.world[worms] == (1, Fraction(3, 2))


def test_a_value_outside_its_field_is_a_fault_that_names_the_line(tmp_path: Path):
    with pytest.raises(RuntimeFault, match="a value of -10 for a field of 0 to any") as caught:
        begun(tmp_path).choose(20)
    assert caught.value.origin is not None
    assert caught.value.origin.path == "game.yaml"


def test_a_save_of_such_a_game_is_taken_up_again(tmp_path: Path):
    game = begun(tmp_path).choose(4).choose(1)
    again = loaded("\n".join(saved_lines(game)) + "\n", bind_of).game
    assert again.state == game.state
    assert again.choose(4).state == game.choose(4).state


def test_what_only_python_could_answer_is_refused(tmp_path: Path):
    files = {"orchard/game.yaml": GAME.replace("seat_after", "seat_beyond")}
    begun(tmp_path)
    write(tmp_path, files)
    result = compile_paths(tmp_path / "orchard", builtin=NOTHING, schemas=schemas())
    assert result.program is not None
    with pytest.raises(Refused, match="leaves questions or operations to a driver in Python"):
        driver_of(result.program)


DOUBLED = {
    "a field": ("repeat 100 times: pay(me, 1)", "purse(who) + purse(who)"),
    "a variable": ("repeat 100 times: set pot = pot + pot + 1", "0"),
    "a name": ("repeat 100 times: set price = price + price", "0"),
    "a value": ("pay(me, (price + purse(me)) * 999999999999999 * 9)", "0"),
}


@pytest.mark.parametrize("what", DOUBLED)
def test_a_number_that_no_save_could_hold_stops_the_game_at_its_line(tmp_path: Path, what: str):
    line, value = DOUBLED[what]
    pot = "pot: {type: Int, life: game, initial: '0', english: the pot}, me:"
    text = GAME.replace("scope: {me:", f"scope: {{{pot}").replace(
        "purse(who) - price", f"'{value}'"
    )
    with pytest.raises(RuntimeFault, match=r"a number beyond 2\^53") as caught:
        begun(tmp_path, text=text.replace("pay(me, price)", line)).choose(1)
    assert caught.value.origin is not None


def test_a_variable_outside_its_bounds_is_a_fault_that_names_the_line(tmp_path: Path):
    pot = "pot: {type: Int, life: game, max: 9, english: the pot}, me:"
    text = GAME.replace("scope: {me:", f"scope: {{{pot}").replace(
        "pay(me, price)", "set pot = pot + price"
    )
    game = begun(tmp_path, text=text).choose(4).choose(4)
    with pytest.raises(Refused, match="`pot` is at most 9, not 10"):
        game.correct("pot", None, 10, reason="a slip")
    assert game.correct("pot", None, 9, reason="a slip").state.scope[0] == 9
    with pytest.raises(RuntimeFault, match="a value of 28 for a variable of any to 9") as caught:
        game.choose(20)
    assert caught.value.origin is not None


def test_bounds_are_of_the_numbers_of_a_field_that_may_be_none_or_several(tmp_path: Path):
    text = GAME.replace(
        "worms: {type: Fraction}",
        "worms: {type: 'Int?', min: 1}\n        tried: {type: List of Int, max: 3}",
    )
    text = text.replace(
        "worms(one): worms(one) + 1/2", "worms(one): none, tried(one): '[much mod 3]'"
    )
    game = begun(tmp_path, text=text).choose(4)
    assert game.state.world[game.linked.layout.index["Fruit.tried"]] == ((2,), (1,))
    with pytest.raises(RuntimeFault, match="a value of 7 for a field of any to 3"):
        begun(tmp_path, text=text.replace("much mod 3", "much")).choose(4)


@pytest.mark.parametrize("turn", ["draw x from []", "for each x in []: ring()", 'say "{all}"'])
def test_what_is_about_an_empty_list_can_be_saved(tmp_path: Path, turn: str):
    text = GAME.replace("    ring()\n", f"    let all = []\n    {turn}\n    ring()\n")
    game = begun(tmp_path, text=text).choose(4)
    assert loaded("\n".join(saved_lines(game)) + "\n", bind_of).game.state == game.state


def test_a_saved_program_that_misuses_its_tables_is_refused(tmp_path: Path):
    program = begun(tmp_path).linked.program
    fruit = program.entity("Fruit")
    odd = tuple(
        replace(field, by="Int") if field.name == "liked" else field for field in fruit.fields
    )
    others = tuple(one for one in program.entities if one is not fruit)
    with pytest.raises(SaveError, match="there is no table by `Int`"):
        check_program(replace(program, entities=(*others, replace(fruit, fields=odd))))


def test_a_table_that_is_none_cannot_be_set_right(tmp_path: Path):
    game = begun(tmp_path)
    liked = game.linked.layout.index["Fruit.liked"]
    world = (*game.state.world[:liked], (3, 3), *game.state.world[liked + 1 :])
    game = replace(
        game,
        node=PlayNode(game.linked, game.node.stop._replace(state=game.state._replace(world=world))),
    )
    with pytest.raises(Refused, match="`liked` is kept as no table here"):
        game.correct("liked", "pear", 1, key="red", reason="a slip")
