"""A pure expression, and an effect of some twenty operations with dice and state, against Python by
hand."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure
from benchmarks.harness import side_by_side
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import empty_world, link_game, settings_of
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.machine.step import run
from ruleloom.runtime.program.state import NO_RULES, State
from ruleloom.runtime.program.values import Driver, Layout, World, with_entry

ARENA = Path(__file__).parents[1] / "arena"
ROUNDS = 7
FOES = 3


def arena() -> Linked:
    """The arena, linked for one player."""
    program = compile_paths([ARENA], scenarios=False).program
    assert program is not None
    return link_game(program, bind, ["A"], settings_of(program, {}))


def bind(layout: Layout) -> Driver:
    """The driver of the arena: the calls that both sides make."""
    health, marks, base = (layout.index[f"Foe.{name}"] for name in ("health", "marks", "base"))
    del base

    def hurt(world: World, foe: int, left: int) -> World:
        columns = list(world)
        columns[health] = with_entry(world[health], foe, left)
        return tuple(columns)

    def mark(world: World, foe: int) -> World:
        columns = list(world)
        columns[marks] = with_entry(world[marks], foe, world[marks][foe] + 1)
        return tuple(columns)

    def start(world: World) -> World:
        filled: dict[str, Any] = {
            "base": 3,
            "level": 2,
            "resist": 4,
            "health": 9,
            "mood": "blessed",
            "marks": 0,
        }
        columns = list(world)
        for name, value in filled.items():
            columns[layout.index[f"Foe.{name}"]] = (value,) * FOES
        return tuple(columns)

    return Driver(
        queries={"foes": lambda world: (0, 1, 2)},
        operations={"hurt": hurt, "mark": mark},
        token=lambda world, kind, number: f"foe{number}",
        start=start,
    )


def by_hand(linked: Linked, world: World, dice: Xoshiro) -> tuple[World, int, Xoshiro]:
    """The volley written in Python over the same calls."""
    hurt, mark = linked.driver.operations["hurt"], linked.driver.operations["mark"]
    foes = linked.driver.queries["foes"]
    health, mood = linked.layout.index["Foe.health"], linked.layout.index["Foe.mood"]
    kills = 0
    for foe in foes(world):
        first, dice = dice.roll(1, 6)
        second, dice = dice.roll(1, 6)
        bonus = 2 if world[mood][foe] == "blessed" else 0
        left = max(0, world[health][foe] - first - second - bonus)
        world = hurt(world, foe, left)
        world = mark(world, foe)
        if left == 0:
            kills += 1
    return world, kills, dice


def expression(linked: Linked) -> Figure:
    """`highest([0, base + 2 * level - resist]) >= health` against the same over a dictionary."""
    program = linked.program
    body = next(f for f in program.functions if f.id.endswith("/lives")).body
    compiled = linked.codegen.value(body)
    world = linked.driver.start(empty_world(linked.layout))
    hero = {"base": 3, "level": 2, "resist": 4, "health": 9}

    def ours() -> object:
        return compiled(world, (0,), (), NO_RULES)

    def reference() -> object:
        return max(0, hero["base"] + 2 * hero["level"] - hero["resist"]) >= hero["health"]

    assert ours() == reference()
    return Figure("expression", *side_by_side(ours, reference, 20_000, ROUNDS), ROUNDS)


def effect(linked: Linked) -> Figure:
    """The volley, from the start of a turn to the next prompt, against the volley by hand."""
    world = linked.driver.start(empty_world(linked.layout))
    scope = list(linked.initial_scope)
    scope[linked.me] = 0
    state = State(world, tuple(scope), None, (), True, None)
    dice = Xoshiro.seeded(7)

    def ours() -> object:
        return run(linked, state, True, dice)

    def reference() -> object:
        return by_hand(linked, world, dice)

    stop, (after, kills, _) = run(linked, state, True, dice), by_hand(linked, world, dice)
    assert stop.state.world == after
    assert stop.state.scope[linked.scope_index["kills"]] == kills
    return Figure("effect", *side_by_side(ours, reference, 500, ROUNDS), ROUNDS)


def figures(keys: Collection[str]) -> Iterator[Figure]:
    """The expression and the effect."""
    linked = arena()
    if "expression" in keys:
        yield expression(linked)
    if "effect" in keys:
        yield effect(linked)
