"""The check of untrusted expressions against the forms and names of their program.

`ruleloom.runtime.link.codegen` turns expressions into Python. After this check they contain only known
forms and names, slots in range and plain constants, and are neither too deep nor too long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import attrgetter
from types import NoneType
from typing import Any

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program import values as v
from ruleloom.runtime.program.canonical_json import SaveError, quoted
from ruleloom.runtime.program.program import AGGREGATES, EXPRESSIONS, ITEM_OF, Entity, Expr, Program
from ruleloom.runtime.program.values import LARGEST, UNKNOWN, FrozenMap, Type

MOST_NODES = 20_000
MOST_NESTING = 64
MOST_LOOPS = 12
MOST_SLOTS = 1_000
LONGEST_LIST = 10_000
LONGEST_CONSTANT = 20_000
MOST_FUNCTION_DEPTH = 32
MOST_WORK = 1_000_000


def _names_of(program: Program) -> dict[str, Mapping[str, int | None]]:
    """The names that each form of expression may use, with their arity (None: given by the form)."""
    name = attrgetter("name")
    return {
        "scope": dict.fromkeys(map(name, program.scope)),
        "setting": dict.fromkeys(map(name, program.settings)),
        **_names_of_entities(program.entities),
        "zone": dict.fromkeys(map(name, program.zones)),
        "at": dict.fromkeys(zone.name for zone in program.zones if zone.at),
        "query": {q.name: len(q.params) for q in program.queries},
        "function": {f.id: len(f.params) for f in program.functions},
        "allowed": {f.id: len(f.params) for f in program.functions if f.soft},
    }


def _names_of_entities(entities: Sequence[Entity]) -> dict[str, Mapping[str, int | None]]:
    return {
        "field": dict.fromkeys(f"{e.name}.{f.name}" for e in entities for f in e.changing),
        "static": dict.fromkeys(
            f"{e.name}.{field}"
            for e in entities
            for field in (*dict(e.static), *((ITEM_OF,) if e.names else ()))
        ),
        "records": dict.fromkeys(e.name for e in entities if e.names or e.static),
        "record": {e.name: len(e.names) for e in entities},
    }


@dataclass(frozen=True)
class Weight:
    """The most work of an expression, loops aside, and the depth of its loops and calls."""

    nodes: int = 1
    loops: int = 0
    calls: int = 0

    @classmethod
    def around(cls, parts: Sequence[Weight]) -> Weight:
        """The weight of an expression with these parts."""
        nodes = min(1 + sum(part.nodes for part in parts), MOST_WORK + 1)
        loops = max((part.loops for part in parts), default=0)
        return cls(nodes, loops, max((part.calls for part in parts), default=0))


class ExpressionCheck:
    """Checks the expressions of one program; call `function` for the functions first."""

    def __init__(self, program: Program) -> None:
        self.names = _names_of(program)
        self._parted = frozenset(zone.name for zone in program.zones if zone.parted)
        self.functions: dict[str, Weight] = {}
        self._nodes = self._slots = 0

    def check(self, expr: object, slots: int) -> Weight:
        """Refuse an expression that is not well formed over slots 0 to `slots` - 1."""
        self._nodes, self._slots = 0, slots
        weight = self._expression(expr, frozenset(), 1)
        if weight.nodes > MOST_WORK:
            raise SaveError("an expression means too much work")
        return weight

    def function(self, id_: str, body: Expr, params: int) -> None:
        """Check the body of a function whose callees are all checked, and record its weight."""
        weight = self.check(body, params)
        if weight.calls + 1 > MOST_FUNCTION_DEPTH:
            raise SaveError(f"functions call each other more than {MOST_FUNCTION_DEPTH} deep")
        self.functions[id_] = replace(weight, calls=weight.calls + 1)

    def _expression(self, expr: object, bound: frozenset[int], depth: int) -> Weight:
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise SaveError(f"an expression has more than {MOST_NODES:,} parts")
        if depth > MOST_NESTING:
            raise SaveError(f"an expression is nested more than {MOST_NESTING} deep")
        if type(expr) is not tuple or not expr:
            raise SaveError("an expression is not a list that starts with its form")
        match expr[0]:
            case "value":
                return _value(expr)
            case "record":
                return self._record(expr)
            case "slot":
                return self._slot(expr, bound)
            case "each":
                return self._each(expr, bound, depth + 1)
            case "table":
                return self._table(expr, bound, depth + 1)
            case _:
                return self._plain(expr, bound, depth + 1)

    def _slot(self, expr: Expr, bound: frozenset[int]) -> Weight:
        if len(expr) != 2:
            raise SaveError("`slot` has one number")
        if type(expr[1]) is not int or expr[1] not in bound:
            check_slot(expr[1], self._slots)
        return Weight()

    def _record(self, expr: Expr) -> Weight:
        sizes = self.names["record"]
        if len(expr) != 3 or type(expr[1]) is not str or expr[1] not in sizes:
            raise SaveError("`record` names no thing that an item makes")
        match expr[2]:
            case ("value", number) if type(number) is int:
                if not 0 <= number < (sizes[expr[1]] or 0):
                    raise SaveError(f"there is no {quoted(expr[1])} {number}")
                return Weight()
        raise SaveError("`record` has the number of a thing")

    def _each(self, expr: Expr, bound: frozenset[int], depth: int) -> Weight:
        if len(expr) != 6:
            raise SaveError("`each` has five parts")
        _, kind, value, slot, domain, where = expr
        if type(kind) is not str or kind not in AGGREGATES:
            raise SaveError(f"{quoted(kind)} is no way to sum up a list")
        check_slot(slot, MOST_SLOTS)
        over, inner = self._expression(domain, bound, depth), bound | {slot}
        parts = [
            self._expression(part, inner, depth) for part in (value, where) if part is not None
        ]
        loops = max([over.loops, *(part.loops + 1 for part in parts), 1])
        if loops > MOST_LOOPS:
            deep = f"lists within lists are gone through {loops} deep"
            raise SaveError(f"{deep}; {MOST_LOOPS} is the most")
        return replace(Weight.around([over, *parts]), loops=loops)

    def _table(self, expr: Expr, bound: frozenset[int], depth: int) -> Weight:
        if len(expr) != 5:
            raise SaveError("`table` has four parts")
        weight = self._expression(expr[1], bound, depth)
        for part in expr[2:]:
            if type(part) is not tuple or part[:1] != ("value",):
                raise SaveError("the rows of a table are constants")
            _value(part)
        _check_rows(expr[2][1], expr[3][1])
        return Weight.around([weight])

    def _plain(self, expr: Expr, bound: frozenset[int], depth: int) -> Weight:
        form, parts = expr[0], expr[1:]
        if type(form) is not str or form not in EXPRESSIONS:
            raise SaveError(f"{quoted(form)} is no form of expression")
        shape = EXPRESSIONS[form].split()
        weights = []
        if shape[:1] == ["s"]:
            weights.append(self._name(form, parts))
            parts, shape = parts[1:], shape[1:]
        if not self._fits(form, expr, parts, shape):
            raise SaveError(f"`{form}` does not take {len(parts)} parts here")
        if not (shape == ["x?"] and parts[0] is None):
            weights += [self._expression(part, bound, depth) for part in parts]
        return Weight.around(weights)

    def _name(self, form: str, parts: Expr) -> Weight:
        name = parts[0] if parts else None
        if type(name) is not str or name not in self.names[form]:
            raise SaveError(f"there is no {form} {quoted(name)}")
        if form not in ("function", "allowed"):
            return Weight()
        if name not in self.functions:
            raise SaveError(f"the function {quoted(name)} calls itself")
        return self.functions[name]

    def _fits(self, form: str, expr: Expr, parts: Expr, shape: list[str]) -> bool:
        if "x*" in shape:
            takes = self.names[form][expr[1]] if form in self.names else len(parts)
            return takes is None or len(parts) == takes
        if shape == ["x?"]:
            nobody = parts[:1] == (None,)
            return len(parts) == 1 and not (nobody and expr[1] in self._parted)
        return len(parts) == len(shape)


def check_slot(slot: object, slots: int) -> None:
    """Refuse anything but the number of a slot."""
    if type(slot) is not int or not 0 <= slot < slots:
        raise SaveError(f"there is no slot {slot if type(slot) is int else quoted(slot)}")


def _check_rows(keys: object, values: object) -> None:
    """Refuse constants that are not the keys of a table and one value for each."""
    if type(keys) is not tuple or type(values) is not tuple or len(keys) != len(values):
        raise SaveError("a table does not have one value for each key")
    if not all(type(key) in (int, bool, str) for key in keys):
        raise SaveError("a key of a table is a number, a text, yes or no")
    if len(set(keys)) != len(keys):
        raise SaveError("a key of a table stands there twice")


def _value(expr: Expr) -> Weight:
    if len(expr) != 2:
        raise SaveError("a constant has one value")
    check_constant(expr[1])
    return Weight()


# The size function of a constant, its limit, and the message beyond it.
_LIMITS: Mapping[type, tuple[Callable[[Any], int], int, str]] = {
    int: (abs, LARGEST, "a number beyond 2^53"),
    str: (len, LONGEST_CONSTANT, f"a constant text of more than {LONGEST_CONSTANT:,} characters"),
    Fraction: (
        lambda value: max(abs(value.numerator), value.denominator),
        LARGEST,
        "a fraction with numbers beyond 2^53",
    ),
}


def check_constant(value: object, depth: int = 0) -> None:
    """Refuse all but numbers, texts, yes, no, none, and lists (of lists) of those."""
    if type(value) is tuple:
        if depth >= 4 or len(value) > LONGEST_LIST:
            raise SaveError("a constant list is too long or too deep")
        for item in value:
            check_constant(item, depth + 1)
    elif type(value) in _LIMITS:
        size, most, too_large = _LIMITS[type(value)]
        if size(value) > most:
            raise SaveError(too_large)
    elif value is not None and type(value) is not bool:
        raise SaveError(f"{quoted(value)} is no constant")


def check_printed(value: object) -> None:
    """Refuse anything but a constant, or a table of constants by numbers or texts."""
    if not isinstance(value, FrozenMap):
        check_constant(value, 1)
        return
    if len(value) > LONGEST_LIST:
        raise SaveError("a constant table is too long")
    for key, one in value.items():
        if type(key) is not int and type(key) is not str:
            raise SaveError(f"{quoted(key)} is no key of a table")
        check_constant(key)
        check_constant(one, 1)


def called_functions(expr: object) -> set[str]:
    """The ids after `function` and `allowed` anywhere in an expression, well formed or not."""
    found: set[str] = set()
    stack: list[object] = [expr]
    while stack:
        part = stack.pop()
        if type(part) is tuple:
            if len(part) > 1 and part[0] in ("function", "allowed") and type(part[1]) is str:
                found.add(part[1])
            stack.extend(part)
    return found


# The declared type of a name of a form: of the column `Piece.pips` for `field`, of a query's result
# for `query`; for `value`, the enum of a text. None for an unknown name.
Declared = Callable[[str, str], Type | None]
Inner = Callable[[Expr], Type]

# Forms whose type does not depend on their operands.
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
# Forms with the common type of these operands.
_JOINED: Mapping[str, slice] = {
    "first": slice(2, 3),
    "tags_in": slice(2, 3),
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
    # Of numbers that may be fractions, the sum or extreme may be one too.
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
            types = [v.TEXT]  # some of the texts happen to equal values of an enum
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
    items = {f"{e.name}.{ITEM_OF}": Type(e.name) for e in program.entities}
    tables["static"], tables["allowed"] = {**tables["field"], **items}, tables["function"]
    return lambda form, name: tables.get(form, {}).get(name)


def _parsed(types: Iterable[tuple[str, str]]) -> dict[str, Type]:
    return {name: Type.parse(text) for name, text in types}


def zone_type(form: str, of: str) -> Type:
    """The type of the contents of a zone, or of the thing at a point of one."""
    return Type(of, many=True) if form == "zone" else Type(of, optional=True)
