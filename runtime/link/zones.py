"""Zones as columns: a thing taken out of one, and a thing put into one."""

from __future__ import annotations

from ruleloom.runtime.program.values import Column, FrozenMap, Value, with_entry


def without_member(column: Column, kind: str, thing: Value) -> Column:
    """The column of a zone without a thing; the very same column if it does not lie there."""
    if kind == "map":
        return FrozenMap({point: x for point, x in column.items() if x != thing})
    if kind == "pile":
        return _without(column, thing)
    holder = next((player for player, held in enumerate(column) if thing in held), None)
    if holder is None:
        return column
    return with_entry(column, holder, _without(column[holder], thing))


def _without(pile: tuple[Value, ...], thing: Value) -> tuple[Value, ...]:
    return tuple([x for x in pile if x != thing]) if thing in pile else pile


def with_member(column: Column, thing: Value, owner: int | None) -> Column:
    """The column of a zone (of a player, if there is an `owner`) with one more thing, in order."""
    if owner is None:
        return tuple(sorted((*column, thing)))
    return with_entry(column, owner, tuple(sorted((*column[owner], thing))))
