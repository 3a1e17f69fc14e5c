"""The types of a program's expressions, from those of its slots and declarations.

The checker infers types from source (`ruleloom.compiler.check.expr`); everything behind it asks
here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from types import NoneType
from typing import Any

from ruleloom.runtime.program import values as v
from ruleloom.runtime.program.program import Expr, Program
from ruleloom.runtime.program.values import UNKNOWN, Type

# The type of what a form names: of the column `Piece.pips` for `field`, of a query's result for
# `query`. For `value` it is the enum that a text is a value of. None where nothing has that name.
Declared = Callable[[str, str], Type | None]
Inner = Callable[[Expr], Type]

# Forms whose type does not depend on their parts.
_FIXED: Mapping[str, Type] = {
    "players": v.list_of(v.PLAYER),
    "..": v.list_of(v.INT),
    "with_dice": v.DICE,
    "without_dice": v.DICE,
    **dict.fromkeys(("div", "mod", "count"), v.INT),
    **dict.fromkeys(
        ("not", "and", "or", "=", "!=", "<", "<=", ">", ">=", "in", "is_none", "ever"), v.BOOL
    ),
}
# Forms with the type that these of their parts have in common.
_JOINED: Mapping[str, slice] = {
    "first": slice(2, 3),
    "if": slice(2, 4),
    "join": slice(1, 3),
    "without": slice(1, 2),
    "past": slice(2, 3),
}
_AGGREGATES: Mapping[str, Type] = {
    **dict.fromkeys(("exists", "every"), v.BOOL),
    **dict.fromkeys(("count", "sum", "highest", "lowest"), v.INT),
}


def type_of(expr: Expr, slots: Mapping[int, Type], declared: Declared) -> Type:
    """The type of an expression over slots of these types; `UNKNOWN` if it has none."""
    form, parts = expr[0], expr[1:]
    if form in _FIXED:
        return _FIXED[form]
    if form in _LEAVES:
        return _LEAVES[form](parts[0], slots, declared)
    if form in _FORMS:
        return _FORMS[form](parts, lambda part: type_of(part, slots, declared))
    if form in _JOINED:
        return _together(type_of(part, slots, declared) for part in expr[_JOINED[form]])
    if form == "each":
        _, kind, value, slot, domain, _ = expr
        of = type_of(domain, slots, declared)
        if value is None:
            return aggregate_type(kind, of.item, of.repeats)
        return aggregate_type(kind, type_of(value, {**slots, slot: of.item}, declared))
    return (declared(form, parts[0]) if parts else None) or UNKNOWN


def aggregate_type(kind: str, shown: Type, dice: bool = False) -> Type:
    """The type of an aggregate over such values, which may be the faces of `dice`."""
    if kind == "those":
        return v.DICE if dice else v.list_of(shown)
    # Of numbers that need not be whole, the sum or one of them need not be either.
    if kind in ("sum", "highest", "lowest") and shown == v.FRACTION:
        return v.FRACTION
    return _AGGREGATES[kind]


def _together(types: Iterable[Type]) -> Type:
    return reduce(lambda one, other: v.join(one, other) or UNKNOWN, types)


def _number(parts: Expr, inner: Inner) -> Type:
    return v.FRACTION if any(inner(part) == v.FRACTION for part in parts) else v.INT


def _entry(parts: Expr, inner: Inner) -> Type:
    """The type of an entry of a table by player, of a field that is a table, or of a list."""
    table, _ = parts
    type_ = inner(table)
    if type_.by_player:
        return replace(type_, by_player=False)
    return type_ if table[0] in ("field", "static") else type_.item


def _constant(value: object, slots: Mapping[int, Type], declared: Declared) -> Type:
    if isinstance(value, str):
        return declared("value", value) or v.TEXT
    if isinstance(value, tuple):
        types = [_constant(one, slots, declared) for one in value]
        if all(isinstance(one, str) for one in value) and len(set(types)) > 1:
            types = [v.TEXT]  # some of the texts happen to be called like values of an enum
        return v.list_of(_together(types)) if types else v.EMPTY
    return _CONSTANTS.get(type(value), UNKNOWN)


_CONSTANTS: Mapping[type, Type] = {NoneType: v.NONE, bool: v.BOOL, int: v.INT, Fraction: v.FRACTION}
_LEAVES: Mapping[str, Callable[[Any, Mapping[int, Type], Declared], Type]] = {
    "value": _constant,
    "slot": lambda slot, slots, _: slots.get(slot, UNKNOWN),
    "record": lambda name, *_: Type(name),
    "records": lambda name, *_: Type(name, many=True),
}
_FORMS: Mapping[str, Callable[[Expr, Inner], Type]] = {
    **dict.fromkeys(("+", "-", "*", "negative"), _number),
    "list": lambda parts, inner: v.list_of(_together(map(inner, parts))) if parts else v.EMPTY,
    "table": lambda parts, inner: _together((inner(parts[2]).item, inner(parts[3]))),
    "lookup": _entry,
}


def declared_by(program: Program) -> Declared:
    """The types that a program declares."""
    tables: dict[str, Mapping[str, Type]] = {
        "value": {value: Type(name) for name, values in program.enums for value in values},
        "scope": _parsed((one.name, one.type) for one in program.scope),
        "setting": _parsed((one.name, one.type) for one in program.settings),
        "field": _parsed(
            (f"{e.name}.{f.name}", f.type) for e in program.entities for f in e.fields
        ),
        "zone": {one.name: zone_type("zone", one.of) for one in program.zones},
        "at": {one.name: zone_type("at", one.of) for one in program.zones},
        "query": _parsed((one.name, one.result) for one in program.queries),
        "function": _parsed((one.id, one.result) for one in program.functions),
    }
    tables["static"], tables["allowed"] = tables["field"], tables["function"]
    return lambda form, name: tables.get(form, {}).get(name)


def _parsed(types: Iterable[tuple[str, str]]) -> dict[str, Type]:
    return {name: Type.parse(text) for name, text in types}


def zone_type(form: str, of: str) -> Type:
    """The type of what lies in a zone, or of what lies at a point of one."""
    return Type(of, many=True) if form == "zone" else Type(of, optional=True)
