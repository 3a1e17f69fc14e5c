"""Expressions and basic blocks as Python functions.

Every expression becomes one Python expression built only from the forms below, over `w` (the world's
columns), `e` (the slots), `s` (the scope variables) and `g` (the names of ignored rules). No text of a
pack enters the source: names become indices, texts become constants of the namespace. Settings are fixed
for a game and are inlined. A program function that loops and calls no driver caches its results until
something that it reads changes.

A basic block is a run of rows that only set variables, spend fuel and branch. It ends before a row of
another kind, where paths join, at a back edge, and where conditions are nested too deep; it returns the
number of the next row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from types import CodeType
from typing import Any, TypeAlias

from ruleloom.runtime.link import ops
from ruleloom.runtime.link.fixed_numbers import fixed_number
from ruleloom.runtime.link.ops import by_field
from ruleloom.runtime.link.tags_in_text import named
from ruleloom.runtime.program.expr import FunctionReads, Reads
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import (
    EVALUATIONS_A_STEP,
    ITEM_OF,
    Expr,
    Function,
    Jump,
    JumpUnless,
    Let,
    LetTold,
    Program,
    Routine,
    Row,
    SetScope,
    Spend,
)
from ruleloom.runtime.program.values import (
    LARGEST,
    CandidateTest,
    Compiled,
    Driver,
    Dynamic,
    Layout,
    Rules,
    Scope,
    Value,
    World,
)

# A function of the program: `f(w, s, g, *args)`.
Names: TypeAlias = Mapping[int, str]
"""The Python names of slots outside `e`."""
FunctionCode: TypeAlias = Callable[..., Dynamic]
# The most results cached for one function.
MOST_KEPT = 20_000
UNKNOWN = object()

# All values that such a function reads.
StateCode: TypeAlias = Callable[[World, Scope, Rules], tuple[Dynamic, ...]]
# The cached results, after the world, scope, rules and state that they hold for.
_Held: TypeAlias = tuple[
    World | None, Scope | None, Rules | None, tuple[Dynamic, ...], dict[tuple[Value, ...], Dynamic]
]


def remembering(function: FunctionCode, state: StateCode) -> FunctionCode:
    """The same function `f(w, s, g, *args)` with a cache, valid while `state(w, s, g)` is equal.

    The cache and its state are one tuple, so that threads never mix two.
    """
    held: _Held = (None, None, None, (), {})

    def call(w: World, s: Scope, g: Rules, *args: Value) -> Dynamic:
        nonlocal held
        world, scope, rules, then, kept = held
        if w is not world or s is not scope or g is not rules:
            now = state(w, s, g)
            if now != then:
                kept = {}
            held = (w, s, g, now, kept)
        value = kept.get(args, UNKNOWN)
        if value is UNKNOWN:
            value = function(w, s, g, *args)
            if len(kept) < MOST_KEPT:
                kept[args] = value
        return value

    return call


AGGREGATES = {
    "count": "len([{}])",
    "exists": "any([{}])",
    "every": "all([{}])",
    "those": "_unique([{}])",
    "sum": "sum([{}])",
    "highest": "max([{}], default=0)",
    "lowest": "min([{}], default=0)",
}

# Forms whose values need no check before they are stored: no numbers, or only storable ones.
_KEPT = frozenset(("slot", "scope", "field", "count"))
_NO_NUMBERS = frozenset(
    "players record records zone list not = != < <= > >= in is_none .. join without first tags_in".split()  # noqa: SIM905
)


def _tuple(items: Iterable[str]) -> str:
    return f"({''.join(f'{item}, ' for item in items)})"


# Forms that surely give a number, so that `+` with one can only add numbers.
_NUMBERS = frozenset(("+", "-", "*", "div", "mod", "negative", "count"))


def _is_number(expr: Expr) -> bool:
    """Is the value of an expression surely a number?"""
    return expr[0] in _NUMBERS or (expr[0] == "value" and type(expr[1]) in (int, Fraction))


# The largest number of one CPython digit, which is compared quickly inline; larger ones go to a function.
_SHORT = (1 << 30) - 1


def _may_grow(expr: Expr) -> bool:
    """May the value be a number too large for a save?"""
    if expr[0] in ("and", "or", "if"):
        return any(map(_may_grow, expr[1:]))
    if expr[0] == "value":
        value = expr[1]
        return value.__class__ is Fraction or (value.__class__ is int and abs(value) > LARGEST)
    return expr[0] not in _KEPT and expr[0] not in _NO_NUMBERS


def _is_written(expr: Expr) -> bool:
    """Is an expression a literal, or a list of such?"""
    if expr[0] == "list":
        return all(map(_is_written, expr[1:]))
    return bool(expr[0] == "value" and expr[1] is not None)


@lru_cache(maxsize=8_192)
def _code(source: str, name: str, mode: str) -> CodeType:
    """The compiled code of a source, cached: other players or settings give nearly the same."""
    return compile(source, name, mode)


@lru_cache(maxsize=8_192)
def _python_name(kind: str, name: str) -> str:
    """The Python name of a named part of a game, the same in all its programs."""
    named = sha256(f"{kind} {name}".encode("utf-8", "surrogatepass"))
    return f"{kind[0]}{int.from_bytes(named.digest()[:20])}"


class Codegen:
    """Turns the expressions of one program, with one choice of settings, into functions."""

    FORMS: Mapping[str, str | Callable[..., str]]

    FUNCTIONS: Mapping[str, object] = {
        **{
            f.__name__: f
            for f in (len, sum, max, min, any, all, tuple, range, list, int, bool, str)
        },
        "_span": ops.span,
        "_product": ops.product,
        "_rest": ops.rest,
        "_join": ops.join,
        "_without": ops.without,
        "_with_dice": ops.with_dice,
        "_without_dice": ops.without_dice,
        "_unique": ops.unique,
        "_first": ops.first,
        "_tags_in": named,
        "_kept": ops.kept,
        "_set": ops.set_variable,
        "_bounded": ops.bounded,
    }
    """The functions that the source of an expression may call."""

    # Callback for each row that is about to run, if any.
    ran: Callable[[Any, int], None] | None = None
    # Whether numbers are multiplied and compared inline.
    IN_PLACE = True

    def __init__(
        self, program: Program, layout: Layout, driver: Driver, settings: Mapping[str, Value]
    ) -> None:
        self._nested = 0  # in how many loops the source is: names are set in none
        self._layout = layout
        self._settings = settings
        self._scope = {v.name: i for i, v in enumerate(program.scope)}
        bounded = [one for one in program.scope if (one.low, one.high) != (None, None)]
        self.bounds = {one.name: (one.low, one.high) for one in bounded}
        self._zones = {z.name: z for z in program.zones}
        self._constants: dict[str, str] = {}
        self._space: dict[str, object] = {"__builtins__": {}, **self.FUNCTIONS, "_ran": self.ran}
        self._names: dict[tuple[str, str], str] = {}
        self._functions = {one.id: one for one in program.functions}
        self._read_by = FunctionReads(program.functions)
        self._players = repr(tuple(range(len(layout.players))))
        self._bind_given(program, driver)
        for number, id in enumerate(self._functions):
            self._names["function", id] = f"f{number}"

    def _function(self, id: str) -> str:
        """The Python name of a measure or rule, defined at its first call and cached if worthwhile."""
        name = self._names["function", id]
        if name not in self._space:
            nested, self._nested = self._nested, 0
            self._space[name] = self._defined(self._functions[id])
            self._nested = nested
        return name

    def _defined(self, function: Function) -> FunctionCode:
        params = {i: f"a{i}" for i in range(len(function.params))}
        args = "".join(f", {param}" for param in params.values())
        source = f"lambda w, s, g{args}: {self._source(function.body, params)}"
        made = self._evaluate(source, f"<{ascii(function.id)[1:-1]}>")
        reads = self._read_by[function.id]
        return self.remembering(made, self._state(reads)) if reads.remembered else made

    def _state(self, reads: Reads) -> StateCode:
        """`f(w, s, g)` giving all reads of a function."""
        columns = sorted(self._layout.index[name] for name in reads.columns)
        scope = sorted(self._scope[name] for name in reads.scope)
        parts = [f"w[{number}]" for number in columns]
        parts += [self._known_by(f"s[{number}]") for number in scope]
        parts += ["g"] if reads.rules else []
        return self._evaluate(f"lambda w, s, g: {_tuple(parts)}")

    # Overridden by `OpenCodegen`: how a function caches, how a variable is identified, how a row of
    # a table is found, and how a value leaves the expressions.
    remembering = staticmethod(remembering)

    def _known_by(self, variable: str) -> str:
        return variable

    def _row_of(self, rows: Mapping[Value, Value]) -> Callable[[Value, Value], Value]:
        return rows.get

    def _leaving(self, source: str, expr: Expr) -> str:
        return source

    def _bind_given(self, program: Program, driver: Driver) -> None:
        """Bind printed fields and queries."""
        for entity in program.entities:
            for name, values in entity.static:
                self._bind("static", f"{entity.name}.{name}", values)
            if entity.names:
                self._bind("static", f"{entity.name}.{ITEM_OF}", entity.items)
        for query in program.queries:
            derived = by_field(program, query, self._layout) if query.of else None
            self._bind("query", query.name, derived or driver.queries[query.name])

    def _bind(self, kind: str, name: str, value: object) -> str:
        python = _python_name(kind, name)
        self._names[kind, name] = python
        self._space[python] = value
        return python

    def _evaluate(self, source: str, name: str = "<expression>") -> FunctionCode:
        """The function of a source; `name` shows in profiles and tracebacks."""
        made: FunctionCode = eval(_code(source, name, "eval"), self._space)
        return made

    def define(self, name: str, source: str, id: str) -> Callable[..., Any]:
        """The function `name` that a source defines, for the routine `id`."""
        made: dict[str, Callable[..., Any]] = {}
        exec(_code(source, f"<{ascii(id)[1:-1]}>", "exec"), self._space, made)
        return made[name]

    def reads(self, expr: Expr) -> Reads:
        """The reads of an expression and its callees."""
        return self._read_by.within(expr)

    def source(self, expr: Expr) -> str:
        """The source of an expression in a function of `w`, `e`, `s` and `g`."""
        return self._source(expr, {})

    def stored(self, expr: Expr) -> str:
        """The same, for a value that is stored."""
        source = self.source(expr)
        return f"_kept({source})" if _may_grow(expr) else source

    def setting_scope(self, name: str, expr: Expr) -> str:
        """The source of `s` with one variable set, also in the run `r`."""
        return f"_set(r, s, {self._scope[name]}, {self._within(name, self.source(expr))})"

    def _within(self, name: str, source: str) -> str:
        bounds = self.bounds.get(name)
        return source if bounds is None else f"_bounded({source}, {bounds[0]}, {bounds[1]})"

    def value(self, expr: Expr) -> Compiled[Any]:
        """`f(w, e, s, g)` giving the value; spans come as tuples."""
        return self._evaluate(f"lambda w, e, s, g: {self._leaving(self._source(expr, {}), expr)}")

    def values(self, exprs: Iterable[Expr]) -> Compiled[Any]:
        """`f(w, e, s, g)` giving several values as a tuple."""
        return self.value(("list", *exprs))

    def kept_values(self, exprs: Iterable[Expr]) -> Compiled[tuple[Value, ...]]:
        """The same for values that are stored."""
        return self._evaluate(f"lambda w, e, s, g: {_tuple(map(self.stored, exprs))}")

    def given_values(self, exprs: Iterable[Expr]) -> Compiled[tuple[Value, ...]]:
        """The same for the arguments of an operation."""
        items = (self._leaving(self.stored(expr), expr) for expr in exprs)
        return self._evaluate(f"lambda w, e, s, g: {_tuple(items)}")

    def options(self, slot: int, domain: Expr, tests: Iterable[Expr]) -> Compiled[list[Value]]:
        """`f(w, e, s, g)` giving the list of the candidates of `domain` that pass all tests."""
        names = {slot: "x"}
        self._nested += 1
        through = self._iterable(domain, {})  # the candidate is not bound here yet
        found = self._leaving(through, domain)
        sources = [self._source(test, names) for test in tests]
        passed = " and ".join(source for source in sources if source != "True")
        self._nested -= 1
        if not passed:
            return self._evaluate(f"lambda w, e, s, g: [*{found}]")
        return self._evaluate(f"lambda w, e, s, g: [x for x in {found} if {passed}]")

    def candidates(self, domain: Expr) -> Compiled[list[Value]]:
        """`f(w, e, s, g)` giving every candidate, untested."""
        return self.options(-1, domain, ())

    def test(self, slot: int, expr: Expr) -> CandidateTest:
        """`f(w, e, s, g, x)` with the candidate as `x`."""
        source = self._leaving(self._source(expr, {slot: "x"}), expr)
        return self._evaluate(f"lambda w, e, s, g, x=None: {source}")

    def _iterable(self, expr: Expr, names: Names) -> str:
        if expr[0] == "..":
            return f"_span({self._source(expr[1], names)}, {self._source(expr[2], names)})"
        return self._source(expr, names)

    def _source(self, expr: Expr, names: Names) -> str:
        form, *parts = expr
        if form not in self.FORMS:
            raise RuntimeFault(f"unknown form of expression `{form}`")
        write = self.FORMS[form]
        if isinstance(write, str):
            return write.format(*(self._source(part, names) for part in parts))
        return write(self, names, *parts)

    def _call(self, names: Names, id: str, args: Iterable[Expr]) -> str:
        """A call of a function, or its number if the settings fix that."""
        fixed = fixed_number(self._functions[id].body, self._functions, self._settings)
        if fixed is not None:
            return repr(fixed)
        given = "".join(f", {self._source(arg, names)}" for arg in args)
        return f"{self._function(id)}(w, s, g{given})"

    def _allowed(self, names: Names, id: str, args: Iterable[Expr]) -> str:
        holds = self._call(names, id, args)
        return holds if holds == "True" else f"({self.constant(id)} in g or {holds})"

    def constant(self, constant: Value | list[Value]) -> str:
        value = tuple(constant) if isinstance(constant, list) else constant
        if value is None or isinstance(value, bool | int):
            return repr(value)
        key = repr(value)
        if key not in self._constants:
            self._constants[key] = self._bind("constant", key, value)
        return self._constants[key]

    def _column(self, name: str) -> str:
        return f"w[{self._layout.index[name]}]"

    def _records(self, _: Names, entity: str) -> str:
        key = ("records", entity)
        return self._names.get(key) or self._bind(*key, tuple(range(self._layout.sizes[entity])))

    def _lookup(self, names: Names, table: Expr, key: Expr) -> str:
        held, at = self._source(table, names), self._source(key, names)
        if table[0] != "field":
            return f"{held}[{at}]"
        unset = self._layout.columns[self._layout.index[table[1]]].initial
        return f"{held}.get({at}, {self.constant(unset)})"

    def _static(self, names: Names, name: str, of: Expr) -> str:
        return f"{self._names['static', name]}[{self._source(of, names)}]"

    def _zone(self, names: Names, name: str, owner: Expr | None) -> str:
        column, zone = self._column(name), self._zones[name]
        if zone.at:
            return f"tuple({column}.values())"
        if zone.under and owner:
            return f"{column}.get({self._source(owner, names)}, ())"
        return f"{column}[{self._source(owner, names)}]" if zone.parted and owner else column

    def _query(self, names: Names, name: str, *args: Expr) -> str:
        given = "".join(f", {self._leaving(self._source(arg, names), arg)}" for arg in args)
        return f"{self._names['query', name]}(w{given})"

    def _mod(self, names: Names, left: Expr, right: Expr) -> str:
        number, by = self._source(left, names), self._source(right, names)
        if right[0] == "value" and right[1].__class__ is int and right[1] > 0:
            # `+` refuses non-numbers, as the function that checks both does.
            return f"(+{number} % {by})"
        return f"_rest({number}, {by})"

    def _in_place(self) -> bool:
        return self.IN_PLACE and not self._nested

    def _product(self, names: Names, *parts: Expr) -> str:
        """A product; one with a whole number is computed inline."""
        left, right = (self._source(part, names) for part in parts)
        factors = [part for part in parts if part[0] == "value" and type(part[1]) is int]
        if len(factors) != 1 or not self._in_place():
            return f"_product({left}, {right})"
        # `+` refuses what is no number.
        fits = f"(p := +{left} * +{right}).__class__ is int and {-_SHORT} <= p <= {_SHORT}"
        return f"(p if {fits} else _product(1, p))"

    def _table(self, names: Names, of: Expr, keys: Expr, values: Expr, otherwise: Expr) -> str:
        known = f"table {keys[1]!r} {values[1]!r}"  # no constant has this key
        if known not in self._constants:
            rows = dict(zip(keys[1], values[1], strict=True))
            self._constants[known] = self._bind("constant", known, self._row_of(rows))
        other = self.constant(otherwise[1])
        return f"{self._constants[known]}({self._source(of, names)}, {other})"

    def _each(self, names: Names, *parts: Any) -> str:
        kind, value, slot, domain, where = parts
        if value is None and where is None and kind in ("highest", "lowest", "sum"):
            return self._whole(kind, domain, names)
        self._nested += 1
        item = f"b{self._nested}"
        inner = {**names, slot: item}
        found = f"for {item} in {self._iterable(domain, names)}"
        test = self._source(where, inner) if where is not None else ""
        shown = self._source(value, inner) if value is not None else item
        self._nested -= 1
        if kind in ("exists", "every") and value is None:
            return f"{'any' if kind == 'exists' else 'all'}([{test or True} {found}])"
        form = "tuple([{}])" if kind == "those" and value is None else AGGREGATES[kind]
        return form.format(f"{shown} {found} if {test}" if test else f"{shown} {found}")

    def _whole(self, kind: str, domain: Expr, names: Names) -> str:
        """An aggregate of a whole list; the highest of a literal list is the commonest."""
        if kind == "sum":
            return f"sum({self._iterable(domain, names)})"
        function = "max" if kind == "highest" else "min"
        if domain[0] == "list" and len(domain) > 2:
            if self._in_place() and len(domain) == 3 and domain[1][0] == "value":
                sign, least = ">" if kind == "highest" else "<", self.constant(domain[1][1])
                return f"(m if (m := {self._source(domain[2], names)}) {sign} {least} else {least})"
            return f"{function}({', '.join(self._source(item, names) for item in domain[1:])})"
        return f"{function}({self._iterable(domain, names)}, default=0)"


# How each form is written: a pattern for its operands, or a function that writes it. A program from
# a save is not type-checked: `a - -b` adds numbers and refuses texts and lists, which could
# otherwise double without end.
Codegen.FORMS = {
    **{form: f"({{}} {form} {{}})" for form in ("!=", "<", "<=", ">", ">=", "-", "and", "or")},
    **{
        f: f"_{f}({{}}, {{}})"
        for f in ("first", "join", "tags_in", "without", "with_dice", "without_dice")
    },
    "=": "({} == {})",
    "div": "({} // {})",
    "if": "({1} if {0} else {2})",
    "not": "(not {})",
    "negative": "(-{})",
    "count": "len({})",
    "..": "tuple(_span({}, {}))",
    "past": "((lambda w: {1})({0}[1]) if {0} and {0}[0] else {1})",
    "ever": "bool({1} or ({0} and {0}[0] and (lambda w: {1})({0}[1])))",
    "value": lambda c, _, value: c.constant(value),
    "slot": lambda _, names, slot: names.get(slot, f"e[{int(slot)}]"),
    "scope": lambda c, _, name: f"s[{c._scope[name]}]",
    "setting": lambda c, _, name: c.constant(c._settings[name]),
    "players": lambda c, _: c._players,
    "record": lambda c, _, _entity, number: c.constant(number[1]),
    "field": lambda c, names, name, of: f"{c._column(name)}[{c._source(of, names)}]",
    "at": lambda c, names, zone, point: f"{c._column(zone)}.get({c._source(point, names)})",
    "function": lambda c, names, id, *args: c._call(names, id, args),
    "allowed": lambda c, names, id, *args: c._allowed(names, id, args),
    # Python would warn about a constant compared with none.
    "is_none": lambda c, names, of: (
        "False" if _is_written(of) else f"({c._source(of, names)} is None)"
    ),
    "+": lambda c, names, *both: (
        "({} + {})" if any(map(_is_number, both)) else "({} - - {})"
    ).format(*(c._source(part, names) for part in both)),
    "list": lambda c, names, *items: _tuple(c._source(item, names) for item in items),
    "in": lambda c, names, of, list_: f"({c._source(of, names)} in {c._iterable(list_, names)})",
    "records": Codegen._records,
    "static": lambda c, names, *parts: c._static(names, *parts),
    "lookup": Codegen._lookup,
    "zone": Codegen._zone,
    "query": Codegen._query,
    "mod": Codegen._mod,
    "*": Codegen._product,
    "table": Codegen._table,
    "each": lambda c, names, *parts: c._each(names, *parts),
}


BasicBlock = Callable[..., int]
PLAIN = (Let, LetTold, SetScope, Jump, JumpUnless, Spend)
MOST_NESTED = 8


class BasicBlocks(dict[int, BasicBlock | None]):
    """The blocks of a routine by first row, compiled on demand; None for a row of another kind.

    A block is `f(r, w, e, s, g)` for a run `r` and returns the next row.
    """

    __slots__ = ("_codegen", "_joins", "_made", "_plain", "_routine")

    def __init__(self, routine: Routine, codegen: Codegen) -> None:
        super().__init__()
        self._routine = routine
        self._codegen = codegen
        self._plain = {pc for pc, row in enumerate(routine.rows) if row.__class__ in PLAIN}
        self._joins = joins_of(routine.rows)
        self._made: dict[int, tuple[int, ...]] = {}

    def __missing__(self, start: int) -> BasicBlock | None:
        block = None
        if start in self._plain:
            lines: list[tuple[int, str]] = []
            self._write(start, 1, lines)
            self._made[start] = tuple(row for row, _ in lines)
            source = "\n".join(["def block(r, w, e, s, g):", *(line for _, line in lines)])
            block = self._codegen.define("block", source, self._routine.id)
        self[start] = block
        return block

    def row_of(self, start: int, error: BaseException) -> int:
        """The row at which the block starting at row `start` failed."""
        block = self.get(start)  # None if it did not compile
        trace = error.__traceback__
        while block is not None and trace is not None:
            if trace.tb_frame.f_code is block.__code__:
                return self._made[start][trace.tb_lineno - 2]
            trace = trace.tb_next
        return start

    def _write(self, pc: int, depth: int, lines: list[tuple[int, str]]) -> None:
        """Write the lines of the block from `pc` on, each with the number of its row."""
        rows, codegen, indent = self._routine.rows, self._codegen, " " * depth
        while pc in self._plain and depth <= MOST_NESTED:
            if lines and pc in self._joins:
                break
            row, to = rows[pc], pc + 1
            if codegen.ran is not None:
                lines.append((pc, f"{indent}_ran(r, {pc})"))
            match row:
                case Let():
                    lines.append((pc, f"{indent}e[{row.slot}] = {codegen.stored(row.value)}"))
                case SetScope():
                    lines.append((pc, f"{indent}s = {codegen.setting_scope(row.name, row.value)}"))
                case JumpUnless():
                    lines.append((pc, f"{indent}if {codegen.source(row.condition)}:"))
                    self._write(pc + 1, depth + 1, lines)
                    to = row.to
                case Jump():
                    to = row.to
                case Spend():
                    spent = row.evaluations // EVALUATIONS_A_STEP
                    lines.append((pc, f"{indent}r.steps += {spent}"))
            if to <= pc:
                lines.append((pc, f"{indent}return {to}"))
                return
            pc = to
        lines.append((pc, f"{indent}return {pc}"))


def joins_of(rows: tuple[Row, ...]) -> frozenset[int]:
    """The rows to which more than one plain row leads."""
    before: Counter[int] = Counter()
    for pc, row in enumerate(rows):
        match row:
            case Jump():
                before[row.to] += 1
            case JumpUnless():
                before.update((pc + 1, row.to))
            case Let() | SetScope() | Spend():
                before[pc + 1] += 1
    return frozenset(pc for pc, many in before.items() if many > 1)
