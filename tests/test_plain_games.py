"""Games that need no Python: fields that change, operations that say what they set, the driver of them all."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from compiler.pipeline import compile_paths
from ruleloom.facade import driver_of
from runtime.faults import Refused, RuntimeFault
from runtime.game import Game, link_game, new_game
from runtime.games import driver_of as bind_of
from runtime.journal import loaded, saved_lines
from runtime.program_check import check_program
from runtime.program_json import program_data, program_of
from runtime.values import FrozenMap
from tests.check_layer import NOTHING, schemas
from tests.pack_examples import manifest, write

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


def begun(tmp_path: Path, players: tuple[str, ...] = ("A", "B")) -> Game:
    write(tmp_path, {"orchard/pack.yaml": manifest("orchard", game="orchard"), "orchard/game.yaml": GAME})
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
