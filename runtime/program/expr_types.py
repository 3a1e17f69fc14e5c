"""The types of a program's expressions, told from those of its slots and of what it declares.

This is the only place that infers them: the checker finds types where it reads what an author wrote
(`ruleloom.compiler.check.expr`), and everybody behind it asks here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import reduce

from ruleloom.runtime.program.program import Expr, Program
from ruleloom.runtime.program.values import (
    BOOL,
    DICE,
    EMPTY,
    FRACTION,
    INT,
    NONE,
    PLAYER,
    TEXT,
    UNKNOWN,
    Type,
    join,
    list_of,
)

# The type of what a form names: of the column `Piece.pips` for `field`, of a query's result for
# `query`. For `value` it is the enum that a text is a value of. None where nothing has that name.
Declared = Callable[[str, str], Type | None]

# Forms whose type does not depend on their parts.
_FIXED: Mapping[str, Type] = {
    "players": list_of(PLAYER),
    "..": list_of(INT),
    "with_dice": DICE,
    "without_dice": DICE,
    **dict.fromkeys(("div", "mod", "count"), INT),
    **dict.fromkeys(("not", "and", "or", "=", "!=", "<", "<=", ">", ">=", "in", "is_none"), BOOL),
}
_ARITHMETIC = frozenset(("+", "-", "*", "negative"))
# Forms with the type that these of their parts have in common.
_JOINED: Mapping[str, slice] = {
    "first": slice(2, 3),
    "if": slice(2, 4),
    "join": slice(1, 3),
    "without": slice(1, 2),
}
_AGGREGATES: Mapping[str, Type] = {
    **dict.fromkeys(("exists", "every"), BOOL),
    **dict.fromkeys(("count", "sum", "highest", "lowest"), INT),
}


def type_of(expr: Expr, slots: Mapping[int, Type], declared: Declared) -> Type:
    """The type of an expression over slots of these types; `UNKNOWN` if it cannot be told."""
    form = expr[0]
    if form in _FIXED:
        return _FIXED[form]
    if form in _ARITHMETIC:
        whole = all(type_of(part, slots, declared) != FRACTION for part in expr[1:])
        return INT if whole else FRACTION
    if form in _JOINED:
        return _together(type_of(part, slots, declared) for part in expr[_JOINED[form]])
    match expr:
        case ("value", value):
            return _constant(value, declared)
        case ("slot", slot):
            return slots.get(slot, UNKNOWN)
        case ("record", name, _):
            return Type(name)
        case ("records", name):
            return Type(name, many=True)
        case ("list", *parts):
            types = [type_of(part, slots, declared) for part in parts]
            return list_of(_together(types)) if types else EMPTY
        case ("table", _, _, values, other):
            item = type_of(values, slots, declared).item
            return _together((item, type_of(other, slots, declared)))
        case ("lookup", table, _):
            return _entry(table, type_of(table, slots, declared))
        case ("each", kind, value, slot, domain, _):
            of = type_of(domain, slots, declared)
            if value is None:
                return aggregate_type(kind, of.item, of.repeats)
            return aggregate_type(kind, type_of(value, {**slots, slot: of.item}, declared))
        case (_, str(name), *_):
            return declared(form, name) or UNKNOWN
    return UNKNOWN


def aggregate_type(kind: str, shown: Type, dice: bool = False) -> Type:
    """The type of an aggregate over such values, which may be the faces of `dice`."""
    if kind == "those":
        return DICE if dice else list_of(shown)
    # Of numbers that need not be whole, the sum or one of them need not be either.
    if kind in ("sum", "highest", "lowest") and shown == FRACTION:
        return FRACTION
    return _AGGREGATES[kind]


def _together(types: Iterable[Type]) -> Type:
    """The type that several have in common."""
    return reduce(lambda one, other: join(one, other) or UNKNOWN, types)


def _entry(table: Expr, type_: Type) -> Type:
    """The type of an entry of a table by player, of a field that is a table, or of a list."""
    if type_.by_player:
        return replace(type_, by_player=False)
    return type_ if table[0] in ("field", "static") else type_.item


def _constant(value: object, declared: Declared) -> Type:
    match value:
        case None:
            return NONE
        case bool():
            return BOOL
        case int():
            return INT
        case Fraction():
            return FRACTION
        case str():
            return declared("value", value) or TEXT
        case ():
            return EMPTY
        case tuple():
            return list_of(_together(_constant(one, declared) for one in value))
    return UNKNOWN


def declared_by(program: Program) -> Declared:
    """The types that a program declares."""
    tables: dict[str, Mapping[str, Type]] = {
        "value": {value: Type(name) for name, values in program.enums for value in values},
        "scope": {one.name: Type.parse(one.type) for one in program.scope},
        "setting": {one.name: Type.parse(one.type) for one in program.settings},
        "field": {
            f"{entity.name}.{field.name}": Type.parse(field.type)
            for entity in program.entities
            for field in entity.fields
        },
        "zone": {one.name: zone_type("zone", one.of) for one in program.zones},
        "at": {one.name: zone_type("at", one.of) for one in program.zones},
        "query": {one.name: Type.parse(one.result) for one in program.queries},
        "function": {one.id: Type.parse(one.result) for one in program.functions},
    }
    tables["static"], tables["allowed"] = tables["field"], tables["function"]
    return lambda form, name: tables.get(form, {}).get(name)


def zone_type(form: str, of: str) -> Type:
    """The type of what lies in a zone, or of what lies at a point of one."""
    return Type(of, many=True) if form == "zone" else Type(of, optional=True)
