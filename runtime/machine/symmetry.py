"""Copies of one item that are alike in every way: of those only one is on offer where one is
chosen.

In go the candidates of a choice; out come those that differ in something that can be seen on the
table: which item made them, what has changed about them, where they lie.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ruleloom.runtime.link.link import Copies, Linked
from ruleloom.runtime.program.values import World


def without_likes(
    linked: Linked, world: World, type_name: str, found: Iterable[Any]
) -> tuple[Any, ...]:
    """The candidates without repeats, and of copies that are alike the first."""
    several = dict.fromkeys(found)
    copies = linked.copies.get(type_name)
    if copies is None or _all_of_other_items(copies, several):
        return tuple(several)
    things = [thing for thing in several if thing is not None]
    items = map(copies.items.__getitem__, things)
    where = [map(_places(kind, world[column]).get, things) for column, kind in copies.zones]
    fields = [map(world[column].__getitem__, things) for column in copies.fields]
    first: dict[Any, Any] = {}
    for seen, thing in zip(zip(items, *where, *fields, strict=True), things, strict=True):
        first.setdefault(seen, thing)
    kept = {*first.values(), None}
    return tuple(one for one in several if one in kept)


def _all_of_other_items(copies: Copies, several: Iterable[Any]) -> bool:
    """Is each of these of an item of its own? Then no two can be alike."""
    items = [copies.items[thing] for thing in several if thing is not None]
    return len(set(items)) == len(items)


def _places(kind: str, column: Any) -> dict[Any, Any]:
    """Where in a zone each thing lies: in whose part of it, at which point."""
    if kind == "each":
        return {thing: player for player, held in enumerate(column) for thing in held}
    if kind == "map":
        return {held: point for point, held in column.items()}
    return dict.fromkeys(column, True)
