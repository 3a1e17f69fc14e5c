"""Traversal of expressions, and of the rows and other parts of a program that hold them.

The table `EXPRESSIONS` gives the operands of a form, field types those of a row: neither a new form nor
a new row needs a walker. A form outside the table has no operands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial, reduce
from operator import is_, itemgetter, or_
from typing import Any, Generic, Literal, NamedTuple, TypeVar, get_args, get_origin

from ruleloom.runtime.dataclass import field_types
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.faults import NamedReason
from ruleloom.runtime.program.ir import EXPRESSIONS, Expr, Row

ME: Expr = ("scope", "me")
ZERO: Expr = ("value", 0)
ONE: Expr = ("value", 1)
HALF: Expr = ("value", Fraction(1, 2))
Rewrite = Callable[[Expr], Expr]
Part = TypeVar("Part")
Found = TypeVar("Found")
MOST_PARTS = 20_000  # the size limit of a memo


def _first_part(shape: str) -> int:
    """The index of the first operand of a form that can be an expression; past the end for none."""
    kinds = shape.split()
    return next((at for at, kind in enumerate(kinds, 1) if kind[0] in "xc"), len(kinds) + 1)


def _getter(shape: str) -> Callable[[Expr], tuple[Expr, ...]]:
    """A getter of the children of an expression of a form."""
    first = _first_part(shape)
    if {"x?", "i"}.isdisjoint(shape.split()[first - 1 :]):
        return itemgetter(slice(first, None))
    return lambda expr: tuple([part for part in expr[first:] if type(part) is tuple])


_FIRST = defaultdict(lambda: 1_000, {form: _first_part(s) for form, s in EXPRESSIONS.items()})
_CHILDREN = defaultdict(
    lambda: itemgetter(slice(0, 0)), {form: _getter(s) for form, s in EXPRESSIONS.items()}
)


def children(expr: Expr) -> tuple[Expr, ...]:
    """The direct operands of an expression, from left to right."""
    return _CHILDREN[expr[0]](expr)


def with_children(expr: Expr, f: Rewrite) -> Expr:
    """An expression with `f` applied to each child; the identical one if that changes none."""
    first = _FIRST[expr[0]]
    old = expr[first:]
    new = _all_or_same([f(part) if type(part) is tuple else part for part in old], old)
    return expr if new is old else expr[:first] + new


def walk(expr: Expr) -> Iterator[Expr]:
    """An expression and all its subexpressions, in preorder, from left to right."""
    waiting = [expr]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += _CHILDREN[one[0]](one)[::-1]


def transform(expr: Expr, f: Rewrite) -> Expr:
    """An expression rebuilt bottom-up: `f` receives each part with its children rebuilt."""
    return f(with_children(expr, lambda part: transform(part, f)))


def substitute(expr: Expr, slots: Mapping[int, Expr]) -> Expr:
    """An expression with some of its slots replaced by other expressions."""
    return transform(expr, lambda one: slots.get(one[1], one) if one[0] == "slot" else one)


def operands(op: str, expr: Expr) -> list[Expr]:
    """The operands of nested `op`, flattened; an expression of another form alone."""
    if expr[0] != op:
        return [expr]
    return [one for part in children(expr) for one in operands(op, part)]


def conjuncts(expr: Expr) -> list[Expr]:
    """The conjuncts of a condition."""
    return operands("and", expr)


def conjunction(tests: Sequence[Expr]) -> Expr | None:
    """The conjunction of tests; None for none."""
    return reduce(lambda one, other: ("and", one, other), tests) if tests else None


def rounded(value: Expr, how: str, by: Expr = ONE) -> Expr:
    """A number, divided by another, rounded `down`, `up` or to `nearest`, where halves go up."""
    match how, by:
        case "down", _:
            return "div", value, by
        case "up", _:
            return "negative", ("div", ("negative", value), by)
        case _, ("value", 1):
            return "div", ("+", value, HALF), ONE
        case _, ("value", int(number)):
            return "div", ("+", ("*", value, ("value", Fraction(1, number))), HALF), ONE
    two: Expr = ("value", 2)
    return "div", ("+", ("*", value, two), by), ("*", by, two)


def rounding(expr: Expr) -> tuple[Expr, str, Expr] | None:
    """The operand, mode and divisor of an expression made by `rounded`; None for anything else."""
    match expr:
        case ("negative", ("div", ("negative", value), by)):
            return value, "up", by
        case ("div", ("+", ("*", value, ("value", Fraction(numerator=1) as part)), half), one):
            if (half, one) == (HALF, ONE):
                return value, "nearest", ("value", part.denominator)
        case ("div", ("+", value, half), one) if (half, one) == (HALF, ONE):
            return value, "nearest", ONE
    return (expr[1], "down", expr[2]) if expr[0] == "div" else None


def form_of(expr: Expr) -> str:
    """The form of an expression; rounding of any kind is a division."""
    return "div" if rounding(expr) is not None else str(expr[0])


def mentions(expr: Expr, part: Expr) -> bool:
    """Does `part` occur somewhere in an expression?"""
    waiting = [expr]
    for one in waiting:  # it grows during the loop: faster than `walk`, on a hot path
        if one == part:
            return True
        waiting += _CHILDREN[one[0]](one)
    return False


def slots_read(expr: Expr) -> frozenset[int]:
    """The slots that an expression reads, including those of its own candidates."""
    return frozenset([one[1] for one in walk(expr) if one[0] == "slot"])


def size(expr: Expr) -> int:
    """The number of nodes of an expression."""
    return sum(1 for _ in walk(expr))


def depth(expr: Expr) -> int:
    """The depth of an expression; a leaf has depth 1."""
    return 1 + max(map(depth, children(expr)), default=0)


def calls(expr: Expr) -> Iterator[str]:
    """The ids of the functions that an expression calls, in order."""
    return (one[1] for one in walk(expr) if one[0] in ("function", "allowed"))


def short_name(id: str) -> str:
    """The name at the end of an id, as expressions write it: `orchard:rule/may-pick`, `Spot.room`."""
    return id.partition("#")[0].rpartition("/")[2].rpartition(".")[2].replace("-", "_")


NAMED = ("function", "allowed", "query", "field", "static", "zone", "at", "setting", "scope")


def names_in(expr: Expr) -> tuple[str, ...]:
    """The names of an expression's rules, measures, queries, fields, zones, settings and variables, outermost
    first."""
    found = (short_name(one[1]) for one in walk(expr) if one[0] in NAMED and one != ME)
    return tuple(dict.fromkeys(name for name in found if name.isidentifier()))


def names_at(row: Row, routine: str) -> tuple[str, ...]:
    """The names of a question, if it has one, and of the item that asks it."""
    name = row.known_as if isinstance(row, p.Modal) else getattr(row, "name", "")
    return (*filter(None, (name.replace("-", "_"),)), short_name(routine))


def reasons_of(routine: p.Routine) -> Iterator[NamedReason]:
    """What can refuse an answer in a routine: that a question does not offer it, and each condition.

    The words of a condition are those of its English, unfilled.
    """
    for row in routine.rows:
        at, conditions = names_at(row, routine.id), tuple[p.Condition, ...]()
        match row:
            case p.Ensure():
                yield NamedReason(repr(row.reason), at, names_in(row.condition))
            case p.Choose():
                conditions = row.conditions
            case p.Modal():
                conditions = tuple(one for mode in row.modes for one in mode.conditions)
        if isinstance(row, p.Choose | p.Modal | p.Secret | p.Ask | p.Draw | p.Pick):
            yield NamedReason("", at)
        for one in conditions:
            yield NamedReason(repr(one.english), at, names_in(one.test))


class Reads(NamedTuple):
    """The reads of an expression: columns and variables by name, and whether `rules` are read.

    It `asks` a query, or `loops` through a list.
    """

    columns: frozenset[str] = frozenset()
    scope: frozenset[str] = frozenset()
    rules: bool = False
    asks: bool = False
    loops: bool = False

    @property
    def remembered(self) -> bool:
        """Is the value worth caching, and safe to cache?"""
        return self.loops and not self.asks

    def __or__(self, other: Reads) -> Reads:
        return Reads(*map(or_, self, other))


ASKS = Reads(asks=True)
LOOPS = Reads(loops=True)
RULES = Reads(rules=True)


def reads_in(body: Expr, reads: Callable[[str], Reads]) -> Reads:
    """The reads of an expression, given those of each function it calls."""
    total = Reads()
    for one in walk(body):
        match one[0]:
            case "field" | "zone" | "at":
                total |= Reads(columns=frozenset({one[1]}))
            case "scope":
                total |= Reads(scope=frozenset({one[1]}))
            case "allowed":
                total |= RULES | reads(one[1])
            case "function":
                total |= reads(one[1])
            case "query":
                total |= ASKS
            case "each" if one[4][0] != "list":  # a sum of a few literals is no loop
                total |= LOOPS
    return total


def expressions_of(part: object) -> list[Expr]:
    """The expressions of a row, or of another part of a program, in the order of its fields."""
    found: list[Expr] = []

    def note(expr: Expr) -> Expr:
        found.append(expr)
        return expr

    with_expressions(part, note)
    return found


def constants_of(part: object) -> Iterator[object]:
    """The constants in the expressions of a part of a program."""
    return (one[1] for expr in expressions_of(part) for one in walk(expr) if one[0] == "value")


def with_expressions(part: Part, f: Rewrite) -> Part:
    """A part of a program with `f` applied to its expressions; identical if none changes."""
    whole: Any = part
    parts = _fields(whole.__class__)
    old = {name: getattr(whole, name) for name, _ in parts}
    new = {name: rebuilt(old[name], f) for name, rebuilt in parts}
    changes = {name: value for name, value in new.items() if value is not old[name]}
    changed: Part = replace(whole, **changes) if changes else part
    return changed


_Rebuild = Callable[[Any, Rewrite], Any]


@cache
def _fields(cls: Any) -> tuple[tuple[str, _Rebuild], ...]:
    """The fields of a class that can hold expressions, with their rebuilders."""
    made = ((name, _rebuild(kind)) for name, kind in field_types(cls).items())
    return tuple((name, rebuild) for name, rebuild in made if rebuild is not None)


@cache
def _rebuild(kind: Any) -> _Rebuild | None:
    """The rebuilder of values of a type; None if it holds no expressions."""
    if kind == Expr:
        return lambda expr, f: f(expr)
    if hasattr(kind, "__dataclass_fields__"):
        return with_expressions if kind == Row or _fields(kind) else None
    return _rebuild_compound(kind)


def _rebuild_compound(kind: Any) -> _Rebuild | None:
    inner = [_rebuild(one) for one in get_args(kind)]
    known = next((rebuild for rebuild in inner if rebuild is not None), None)
    if known is None:
        return None
    if get_origin(kind) is not tuple:  # an expression or none, a template or a plain text
        return lambda value, f: value if value is None or type(value) is str else known(value, f)
    if get_args(kind)[-1] is Ellipsis:
        return lambda values, f: _all_or_same([known(value, f) for value in values], values)
    return partial(_rebuild_each, inner)


def _rebuild_each(
    rebuilds: Sequence[_Rebuild | None], values: tuple[Any, ...], f: Rewrite
) -> tuple[Any, ...]:
    both = zip(rebuilds, values, strict=True)
    return _all_or_same([one(value, f) if one else value for one, value in both], values)


def _all_or_same(new: list[Any], old: tuple[Any, ...]) -> tuple[Any, ...]:
    """The new values, or the old tuple if all are identical."""
    return old if all(map(is_, new, old)) else tuple(new)


class OfPart(Generic[Part, Found]):
    """A memo of a function of parts of programs, by identity: programs of cases, and of games with other
    players or settings, share nearly all parts.

    Each part is kept with its result, so that its id is never reused. Threads may share it.
    """

    __slots__ = ("_find", "_kept")

    def __init__(self, find: Callable[[Part], Found]) -> None:
        self._find = find
        self._kept: dict[int, tuple[Part, Found]] = {}

    def __call__(self, part: Part) -> Found:
        """The result for this part."""
        kept = self._kept.get(id(part))
        if kept is not None:
            return kept[1]
        found = self._find(part)
        if len(self._kept) >= MOST_PARTS:
            self._kept.clear()
        self._kept[id(part)] = part, found
        return found

    def enter(self, parts: Iterable[Part], results: Iterable[Found]) -> None:
        """Cache the results of these parts."""
        for part, found in zip(parts, results, strict=True):
            self._kept[id(part)] = part, found


N = TypeVar("N", bound=Hashable)
DRAWN, TOUCHED = "drawn", "touched"


class Callee(NamedTuple):
    """A callee of a text: a node of the call graphs.

    A routine is known by its id, a record by its entity, a power or flow by its name in texts. Without a
    name it is any one of its kind.
    """

    kind: Literal["event", "flow", "fusion", "menu", "power", "record", "routine", "trigger"]
    name: str = ""


Graph = Mapping[N, Collection[N]]


def called(row: object) -> Callee | None:
    """The callee of a row, or None."""
    match row:
        case p.Use(routine=id):
            return Callee("routine", id)
        case p.UsePower(entity=entity):
            return Callee("record", entity)
        case p.Operate(operation=name) | p.Announce(event=name) | p.Replaceable(event=name):
            return Callee("event", name)
        case p.Draw():
            return Callee("event", DRAWN)
    return None


def called_by(rows: Iterable[object]) -> tuple[Callee, ...]:
    """The distinct callees of rows, in order."""
    return tuple(dict.fromkeys(filter(None, map(called, rows))))


callees_of = OfPart[p.Routine, tuple[Callee, ...]](lambda routine: called_by(routine.rows))


def call_graph(
    routines: Iterable[p.Routine],
    entities: Iterable[p.Entity],
    triggers: Iterable[p.Trigger],
    replacements: Iterable[p.Replacement],
    touching: Iterable[str],
) -> dict[Callee, tuple[Callee, ...]]:
    """The graph of these routines, records and responses; `touching` operations touch things."""
    graph: dict[Callee, tuple[Callee, ...]] = {}
    for one in entities:
        graph[Callee("record", one.name)] = tuple(Callee("routine", id) for id in one.powers if id)
    for name in touching:
        graph[Callee("event", name)] = (Callee("event", TOUCHED),)
    answers = [(one.event, one.routine) for one in triggers]
    answers += [(one.operation, one.routine) for one in replacements]
    for name, answer in answers:
        event = Callee("event", name)
        graph[event] = (*graph.get(event, ()), Callee("routine", answer))
    for routine in routines:
        graph[Callee("routine", routine.id)] = callees_of(routine)
    return graph


class FunctionReads(dict[str, Reads]):
    """The reads of each function, with all its callees, by id; computed on demand."""

    __slots__ = ("_bodies",)

    def __init__(self, functions: Iterable[p.Function]) -> None:
        super().__init__()
        self._bodies = {one.id: one.body for one in functions}

    def __missing__(self, id: str) -> Reads:
        self[id] = ASKS  # a recursive function is never cached; no checked program has one
        self[id] = found = self.within(self._bodies[id])
        return found

    def within(self, expr: p.Expr) -> Reads:
        """The reads of an expression, with all its callees."""
        return reads_in(expr, self.__getitem__)


def reached(starts: Iterable[N], ways: Callable[[N], Iterable[N]]) -> dict[N, None]:
    """The nodes reachable from these, themselves included, breadth first."""
    found = dict.fromkeys(starts)
    waiting = list(found)
    for one in waiting:
        for other in ways(one):
            if other not in found:
                found[other] = None
                waiting.append(other)
    return found


def leading_to(goals: Iterable[N], graph: Graph[N]) -> dict[N, None]:
    """The goals, and the nodes that reach one of them."""
    users: dict[N, list[N]] = {}
    for one, others in graph.items():
        for other in others:
            users.setdefault(other, []).append(one)
    return reached(goals, lambda one: users.get(one, ()))
