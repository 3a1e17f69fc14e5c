"""Copies of one item that are alike in every way: of those only one is on offer where one is chosen.

In go the candidates of a choice; out come those that differ in something that can be seen on the table: which item
made them, what has changed about them, where they lie.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runtime.link import Copies, Linked
from runtime.values import World


def without_likes(linked: Linked, world: World, type_name: str, found: Iterable[Any]) -> tuple[Any, ...]:
    """The candidates without repeats, and of copies that are alike the first."""
    several = dict.fromkeys(found)
    copies = linked.copies.get(type_name)
    if copies is None:
        return tuple(several)
    first: dict[Any, Any] = {}
    for thing in several:
        first.setdefault(_likeness(copies, world, thing) if thing is not None else None, thing)
    return tuple(first.values())


def _likeness(copies: Copies, world: World, thing: int) -> tuple[Any, ...]:
    where = tuple(_lies(kind, world[column], thing) for column, kind in copies.zones)
    return (copies.items[thing], where, *(world[column][thing] for column in copies.fields))


def _lies(kind: str, column: Any, thing: int) -> Any:
    """Where in a zone a thing lies: in whose part of it, at which point; false if nowhere."""
    if kind == "each":
        return next((player for player, held in enumerate(column) if thing in held), False)
    if kind == "map":
        return next((point for point, held in column.items() if held == thing), False)
    return thing in column
