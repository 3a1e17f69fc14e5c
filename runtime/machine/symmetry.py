"""Symmetry: of copies of one item that are alike in every way only one is on offer.

Copies differ in what can be seen on the table: their item, their fields, and where they lie.
"""

from __future__ import annotations

from collections.abc import Iterable

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.values import Column, Value, World


def without_likes(
    linked: Linked, world: World, type_name: str, found: Iterable[Value]
) -> list[Value]:
    """The candidates without repeats, and of copies that are alike the first."""
    several = list(dict.fromkeys(found))
    copies = linked.copies.get(type_name)
    if copies is None:
        return several
    things = [thing for thing in several if isinstance(thing, int)]
    items = [copies.items[thing] for thing in things]
    if len(set(items)) == len(items):
        return several  # each is of an item of its own, and no two can be alike
    where = [map(_places(kind, world[column]).get, things) for column, kind in copies.zones]
    fields = [map(world[column].__getitem__, things) for column in copies.fields]
    first: dict[tuple[Value, ...], int] = {}
    for seen, thing in zip(zip(items, *where, *fields, strict=True), things, strict=True):
        first.setdefault(seen, thing)
    kept = {*first.values(), None}
    return [one for one in several if one in kept]


def _places(kind: str, column: Column) -> dict[int, Value]:
    """Where in a zone each thing lies: in whose part of it, at which point."""
    if kind == "each":
        return {thing: player for player, held in enumerate(column) for thing in held}
    if kind == "map":
        return {held: point for point, held in column.items()}
    return dict.fromkeys(column, True)
