"""The Python side of tests/support/orchard: enough of a game to run effects in."""

from __future__ import annotations

from functools import partial
from typing import Any

from ruleloom.runtime.program.values import Driver, Layout, World, with_entry


def bind(layout: Layout) -> Driver:
    """Bind the queries and operations of the orchard."""
    at = layout.index

    def change(world: World, column: str, entry: int, value: Any) -> World:
        return with_entry(world, at[column], with_entry(world[at[column]], entry, value))

    def put(world: World, player: int, size: int, spot: Any) -> tuple[World, int]:
        basket = world[at["Basket.spot"]].index(None)
        for field, value in (("owner", player), ("size", size), ("colour", "red"), ("spot", spot)):
            world = change(world, f"Basket.{field}", basket, value)
        return world, basket

    def out_of_hand(world: World, fruit: int) -> World:
        hands = tuple(tuple(one for one in hand if one != fruit) for hand in world[at["hand"]])
        return with_entry(world, at["hand"], hands)

    def eat(world: World, fruit: int) -> World:
        world = out_of_hand(world, fruit)
        meadow = tuple(one for one in world[at["meadow"]] if one != fruit)
        return with_entry(world, at["meadow"], meadow)

    def swap(world: World, one: int, other: int) -> World:
        hands = list(world[at["hand"]])
        hands[one], hands[other] = hands[other], hands[one]
        return with_entry(world, at["hand"], tuple(hands))

    def to(zone: str, world: World, fruit: int) -> World:
        world = out_of_hand(world, fruit)
        return with_entry(world, at[zone], tuple(sorted((*world[at[zone]], fruit))))

    def show(world: World, fruit: int) -> World:
        tree = world[at["tree"]]
        free = next((x, 0) for x in range(99) if (x, 0) not in tree)
        return with_entry(out_of_hand(world, fruit), at["tree"], tree.with_item(free, fruit))

    def fill(world: World, basket: int) -> World:
        return change(world, "Basket.size", basket, min(3, world[at["Basket.size"]][basket] + 1))

    def baskets(world: World, spot: Any) -> tuple[int, ...]:
        return tuple(i for i, where in enumerate(world[at["Basket.spot"]]) if where == spot)

    def beside(_world: World, spot: Any, far: int) -> tuple[Any, ...]:
        x, y = spot
        return ((x + far, y), (x - far, y))

    def score(world: World, player: int) -> int:
        owners, sizes = world[at["Basket.owner"]], world[at["Basket.size"]]
        there = world[at["Basket.spot"]]
        return sum(
            sizes[i] for i, owner in enumerate(owners) if owner == player and there[i] is not None
        )

    return Driver(
        queries={
            "baskets": baskets,
            "beside": beside,
            "home": lambda _world, player: (player * 10, 0),
            "after": lambda _world, player: (player + 1) % len(layout.players),
            "guess": lambda world, player: next(iter(world[at["hand"]][player]), None),
            "score": score,
        },
        operations={
            "put": put,
            "carry": lambda world, basket, to: change(world, "Basket.spot", basket, to),
            "eat": eat,
            "swap": swap,
            "drop": lambda world, basket: change(world, "Basket.spot", basket, None),
            "fill": fill,
            "lay": partial(to, "meadow"),
            "hide": partial(to, "crate"),
            "show": show,
        },
        token=lambda _world, kind, index: f"{kind.lower()}{index}",
    )
