"""An invented game for what abilities answer: players hurt and heal one another and hold fruits for
all to see.

A case is its fruits, each with abilities, and what a turn does. `started` deals the fruits out and
begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ruleloom.compiler.pipeline import CompileResult
from ruleloom.runtime.play.game import Game, empty_world, link_game, new_game
from ruleloom.runtime.play.journal import loaded, saved_lines
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_data, program_of
from ruleloom.runtime.program.values import Driver, Layout, World, with_entry
from ruleloom.runtime.program.verify import check_program
from tests.support.check_layer import compile_case

VOCABULARY = """
kind: vocabulary
game: orchard
enums:
  Colour: [red, green, gold]
entities:
  Player: {noun: [player, players], max: 4, fields: {life: {type: Int}}}
  Fruit: {noun: [fruit, fruits], max: 40, static: {weight: Int, tint: Colour}, records: [fruit]}
kinds:
  fruit: {makes: Fruit, bearer: {entity: Player, when: "this in held(self)"}}
zones:
  held: {of: Fruit, per: Player, seen_by: all}
scope:
  me: {type: Player, life: game, english: you}
  tally: {type: Int, life: game, english: the tally}
  last: {type: "Player?", life: game, english: whoever was hurt last}
  seen: {type: List of Player, life: game, english: those seen}
operations:
  hurt:
    params: {who: Player, much: Int}
    changes: [Player.life]
    english: "hurt {who} by {much}"
    log: "{who} loses {much}"
  heal:
    params: {who: Player, much: Int}
    changes: [Player.life]
    english: "heal {who} by {much}"
    log: "{who} gains {much}"
  give:
    params: {fruit: Fruit, to: Player}
    changes: [held]
    touches: [fruit]
    english: "give {fruit} to {to}"
    log: "{fruit} goes to {to}"
  find:
    params: {who: Player}
    result: Int
    changes: []
    english: "let {who} find something"
    log: "{who} finds something"
"""
RULES = """
- {kind: setting, id: wild, value: 1, min: 0, max: 1, english: how wild it is}
- kind: rule
  id: may_strike
  takes: "who: Player, whom: Player"
  holds: "who != whom"
  english: "{who} may strike {whom}"
"""


def bind(layout: Layout) -> Driver:
    """Bind the operations of the duel; everybody begins with 20."""
    life, held = layout.index["Player.life"], layout.index["held"]

    def changed(world: World, who: int, by: int) -> World:
        return with_entry(world, life, with_entry(world[life], who, world[life][who] + by))

    def give(world: World, fruit: int, to: int) -> World:
        hands = [tuple(one for one in hand if one != fruit) for hand in world[held]]
        hands[to] = (*hands[to], fruit)
        return with_entry(world, held, tuple(hands))

    return Driver(
        queries={},
        operations={
            "hurt": lambda world, who, much: changed(world, who, -much),
            "heal": lambda world, who, much: changed(world, who, much),
            "give": give,
            "find": lambda world, who: (world, who),
        },
        token=lambda _world, kind, index: f"{kind.lower()}{index}",
        position=repr,
        start=lambda world: with_entry(world, life, (20,) * len(world[life])),
    )


def block(text: str, deep: int) -> str:
    """A text as a YAML block, indented."""
    return "".join(f"{' ' * deep}{line}\n" for line in text.strip("\n").splitlines())


def fruit(name: str, abilities: str) -> str:
    """A fruit with these abilities, as an entry of a list."""
    return f"- kind: fruit\n  id: {name}\n  weight: 2\n  tint: red\n  abilities: |\n{block(abilities, 4)}"


def result_of(turn: str, *items: str, more: str = "") -> CompileResult:
    """What the compiler says to a duel of these items, with `more` in the vocabulary."""
    flows = "- {kind: flow, id: set_up, effect: stop}\n"
    flows += f"- kind: flow\n  id: turn\n  effect: |\n{block(turn, 4)}"
    files = {"vocabulary.yaml": VOCABULARY + more, "rules.yaml": RULES, "flow.yaml": flows}
    return compile_case({**files, "items.yaml": "".join(items) or "[]"})


def program_of_duel(turn: str, *items: str) -> Program:
    """The program of a duel, which must be right, also by way of a save."""
    result = result_of(turn, *items)
    assert [one for one in result.diagnostics if one.severity == "error"] == []
    assert result.program is not None
    check_program(result.program)
    assert program_of(program_data(result.program)) == result.program
    return result.program


def started(program: Program, *held: Sequence[str], seed: int | None = None) -> Game:
    """A duel of two or more that begins; `held` are the fruits of each player, in order of
    seats."""
    names = list("ABCD"[: max(2, len(held))])
    linked = link_game(program, bind, names)
    world = linked.driver.start(empty_world(program, linked.layout))
    fruits = program.entity("Fruit").names
    hands = [tuple(fruits.index(one) for one in hand) for hand in held]
    hands += [()] * (len(names) - len(hands))
    return new_game(linked, seed, with_entry(world, linked.layout.index["held"], tuple(hands)))


def resumed(game: Game) -> Game:
    """The game as a save gives it back."""
    return loaded("\n".join(saved_lines(game)) + "\n", lambda _name: bind).game


def lives(game: Game) -> list[int]:
    """How each player stands."""
    found: list[int] = list(game.state.world[game.linked.layout.index["Player.life"]])
    return found[: len(game.players)]


def variable(game: Game, name: str) -> Any:
    """A variable of the game."""
    return game.state.scope[game.linked.scope_index[name]]


def told(game: Game) -> list[str]:
    """The events since the last answer, each by its name and what it was about."""
    return [f"{one.name}{one.args}" for one in game.events if one.kind in ("operation", "said")]
