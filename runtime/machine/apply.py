"""What an operation comes to that needs no driver: things made and moved, and fields with new
values.

In go the world before it and what it is done with; out come the world after it, and what it has
made.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ruleloom.runtime.link.link import LinkedAssignment, LinkedMaker, LinkedMove, LinkedOperation
from ruleloom.runtime.link.ops import kept
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.values import FrozenMap, World, with_entry


def carried_out(
    operation: LinkedOperation, world: World, args: tuple[Any, ...], scope: Any, rules: Any
) -> tuple[World, Any]:
    """The world after an operation, all its values worked out before any is set; and what it makes,
    or none."""
    if operation.maker is None and not operation.sets and not operation.moves:
        return world, None
    result = None
    if operation.maker is not None:
        result = first_free(operation.maker, world)
        args = (*args, result)
    columns = list(world)
    becomes = operation.becomes(world, args, scope, rules)
    owners = operation.owners(world, args, scope, rules)
    if operation.maker is not None and result is not None:
        for number, initial in operation.maker.begins:
            if columns[number][result] is not initial:
                columns[number] = with_entry(columns[number], result, initial)
    for one, (of, key, value) in zip(operation.sets, becomes, strict=True):
        _assign(columns, one, of, key, value)
    for move, owner in zip(operation.moves, owners, strict=True):
        _move(columns, move, args[move.thing], owner)
    return tuple(columns), result


def first_free(maker: LinkedMaker, world: World) -> int | None:
    """The first thing of its kind that is not in play; none if all are."""
    return next(
        (number for number, value in enumerate(world[maker.present]) if value is None), None
    )


def _assign(columns: list[Any], one: LinkedAssignment, of: int, key: Any, value: Any) -> None:
    if value.__class__ is tuple:
        for number in value:
            _hold_to_bounds(one, number)
    elif value.__class__ is not int or not one.least <= value <= one.greatest:
        _hold_to_bounds(one, value)
    column = columns[one.column]
    if one.keyed:
        table: FrozenMap = column[of]
        value = table.without(key) if value == one.unset else table.with_item(key, value)
    # What stays as it was is still the same column, by which much is remembered.
    if column[of] is not value:
        columns[one.column] = with_entry(column, of, value)


def _move(columns: list[Any], move: LinkedMove, thing: int, owner: int | None) -> None:
    """Take a thing from wherever it lies, and lay it down where it goes."""
    for number, kind in move.sources:
        column = columns[number]
        if kind == "each":
            holder = next((player for player, held in enumerate(column) if thing in held), None)
            if holder is not None:
                columns[number] = with_entry(
                    column, holder, tuple(x for x in column[holder] if x != thing)
                )
        elif kind == "map":
            columns[number] = FrozenMap({point: x for point, x in column.items() if x != thing})
        elif thing in column:
            columns[number] = tuple(x for x in column if x != thing)
    column = columns[move.column]
    if owner is None:
        columns[move.column] = tuple(sorted((*column, thing)))
    else:
        columns[move.column] = with_entry(column, owner, tuple(sorted((*column[owner], thing))))


def _hold_to_bounds(one: LinkedAssignment, value: Any) -> None:
    """Stop the game where a number of a field is not within its bounds; what is no number has
    none."""
    if value.__class__ is not int and value.__class__ is not Fraction:
        return
    kept(value)
    if (one.low is not None and value < one.low) or (one.high is not None and value > one.high):
        raise RuntimeFault(f"a value of {value} for a field of {_span(one.low, one.high)}")


def _span(low: int | None, high: int | None) -> str:
    return f"{'any' if low is None else low} to {'any' if high is None else high}"
