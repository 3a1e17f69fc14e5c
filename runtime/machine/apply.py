"""Operations that need no driver: things made and moved, and fields with new values."""

from __future__ import annotations

from ruleloom.runtime.link.ops import with_member, without_member
from ruleloom.runtime.link.steps import LinkedAssignment, LinkedMaker, LinkedMove, LinkedOperation
from ruleloom.runtime.program.values import Column, Scope, Value, World, with_entry

NO_NUMBERS = frozenset((bool, str, type(None)))


def carried_out(
    op: LinkedOperation, world: World, args: tuple[Value, ...], scope: Scope, rules: frozenset[str]
) -> tuple[World, int | None]:
    """The world after an operation, and what it makes; values are computed before any is set."""
    maker = op.maker
    if maker is None and not op.sets and not op.moves:
        return world, None
    made = None
    if maker is not None:
        made = first_free(maker, world)
        args = (*args, made)
    columns = list(world)
    becomes = op.becomes(world, args, scope, rules)
    owners = op.owners(world, args, scope, rules) if op.moves else ()
    if maker is not None and made is not None:
        _begin(columns, maker, made)
    for one, (of, key, value) in zip(op.sets, becomes, strict=True):
        _assign(columns, one, of, key, value)
    for move, owner in zip(op.moves, owners, strict=True):
        _move(columns, move, args[move.thing], owner)
    return tuple(columns), made


def _move(columns: list[Column], move: LinkedMove, thing: Value, owner: int | None) -> None:
    for number, kind in move.sources:
        columns[number] = without_member(columns[number], kind, thing)
    columns[move.column] = with_member(columns[move.column], thing, owner)


def _begin(columns: list[Column], maker: LinkedMaker, made: int) -> None:
    for number, initial in maker.begins:
        if columns[number][made] is not initial:
            columns[number] = with_entry(columns[number], made, initial)


def first_free(maker: LinkedMaker, world: World) -> int | None:
    """The first thing of its kind that is not in play; none if all are."""
    there = enumerate(world[maker.present])
    return next((number for number, value in there if value is None), None)


def _assign(
    columns: list[Column], one: LinkedAssignment, of: int, key: Value, value: Value
) -> None:
    if value.__class__ is int:  # nearly all that is set is one within its bounds, or no number
        if not one.least <= value <= one.greatest:
            one.hold(value)
    elif value.__class__ not in NO_NUMBERS:
        one.hold(value)
    column = columns[one.column]
    if one.keyed:
        value = column[of].with_entry(key, value, one.unset)
    # What stays as it was is still the same column, by which much is remembered.
    if column[of] is not value:
        columns[one.column] = with_entry(column, of, value)
