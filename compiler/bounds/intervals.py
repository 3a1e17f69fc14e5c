"""Intervals of numbers, lengths of lists, and constant conditions, as far as a text determines them.

The bounds come from literals, settings, fields (`min`, `max`), queries (`max`), zones and entities,
those of number parameters of keywords and powers from `min: {part: 0}`. For conditions, contributions
of packs do not count, since other packs may add more: the number of items, the rows of a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import partial, reduce
from math import ceil, floor
from typing import TypeVar

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.flow.flow import Flow, Local
from ruleloom.compiler.packs.content import Content, slug_of
from ruleloom.compiler.packs.settings import amount
from ruleloom.compiler.query.lookups import Remembered
from ruleloom.compiler.resolve.symbols import Bound, Signature, Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.types import is_number
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program import interval
from ruleloom.runtime.program.expr import ONE, conjuncts, mentions, operands, rounding
from ruleloom.runtime.program.interval import (
    ANY_NUMBER,
    MIRRORED,
    NEGATED,
    Interval,
    Verdict,
    first_known,
    if_all_known,
)
from ruleloom.runtime.program.program import MOST_DICE, Expr
from ruleloom.runtime.program.values import FrozenMap, Type, Value

T = TypeVar("T")
Number = int | Fraction


def numbers(ctx: Context, expr: Expr) -> Interval:
    """The bounds of a number."""
    return interval.interval_of(expr, partial(_read, ctx))


def _read(ctx: Context, expr: Expr) -> Interval:
    match expr:
        case ("count", of) | ("each", "count", _, _, of, _):
            return Interval(0, length(ctx, of))
        case ("function", id, *_):
            return _of_function(ctx, id, ctx.functions.spans, numbers) or ANY_NUMBER
        case ("table", _, _, (_, values), (_, otherwise)):
            return _rows((*values, otherwise))
        case ("each", ("highest" | "lowest") as kind, None, _, domain, _):
            return _extreme(ctx, kind, domain)
        case ("each", "sum", ("if", _, made, here), slot, ("list", value), None) if here == (
            "slot",
            slot,
        ) and (rounding(made) or ())[::2] == (here, ONE):
            return numbers(ctx, value)  # rounding keeps whole bounds
        case ("each", "sum", value, _, domain, where):
            return _sum(ctx, value, domain, where)
        case _:
            return _declared(ctx, expr)


def _declared(ctx: Context, expr: Expr) -> Interval:
    """The declared bounds of the name that an expression reads."""
    match expr:
        case ("setting", name):
            setting = ctx.symbols.settings[name]
            return Interval(_whole(setting.low, floor), _whole(setting.high, ceil))
        case ("slot", slot):
            local = local_in(ctx, slot)
            return Interval(local.low, local.high) if local is not None else ANY_NUMBER
        case (("field" | "static"), str(name), _) | (
            "lookup",
            (("field" | "static"), str(name), _),
            _,
        ):
            entity, _, field = name.partition(".")
            found = ctx.symbols.entities.part(entity, "fields", field)
            return ANY_NUMBER if found is None else Interval(found.low, found.high)
        case ("scope", name):
            variable = ctx.symbols.scope[name]
            return Interval(variable.low, variable.high)
        case ("query", name, *_):
            return Interval(None, ctx.symbols.callables[name].most)
        case _:
            return ANY_NUMBER


def _whole(bound: int | Fraction | None, round: Callable[[Fraction], int]) -> int | None:
    return None if bound is None else round(Fraction(bound))


def length(ctx: Context, expr: Expr) -> int | None:
    """The maximal length of a list."""
    match expr:
        case ("..", low, high):
            least, most = numbers(ctx, low).low, numbers(ctx, high).high
            return None if least is None or most is None else max(0, most - least + 1)
        case (("join" | "with_dice"), left, right):
            return if_all_known(sum, (length(ctx, left), length(ctx, right)))
        case (("without" | "without_dice"), left, _):
            return length(ctx, left)
        case ("if", _, then, otherwise):
            return if_all_known(max, (length(ctx, then), length(ctx, otherwise)))
        case ("function", id, *_):
            return _of_function(ctx, id, ctx.functions.lengths, length)
        case ("each", "those", _, slot, domain, where):
            return first_known(min, (length(ctx, domain), picked(ctx, slot, domain, where)))
        case ("first", number, of):
            return first_known(min, (numbers(ctx, number).high, length(ctx, of)))
        case ("tags_in", _, tags):
            return length(ctx, tags)
    return _length_read(ctx, expr)


def _length_read(ctx: Context, expr: Expr) -> int | None:
    symbols = ctx.symbols
    match expr:
        case ("value", tuple() as values) | ("list", *values):
            return len(values)
        case ("players",):
            most: int = symbols.entities.part("Player", "most")
            return most
        case ("records", name):
            return len(symbols.made.part(name, "names"))
        case ("static", name, _) | ("lookup", ("static", name, _), _):
            return _longest_printed(ctx, name)
        case ("zone", name, *_):
            return things(ctx, symbols.zones[name].of)
        case ("query", name, *_):
            return symbols.callables[name].most
        case ("slot", slot):
            local = local_in(ctx, slot)
            if local is not None and local.type.many:
                return local.high if local.high is not None else _as_many(ctx, local.type)
        case ("scope", name):
            return _as_many(ctx, symbols.scope[name].type)
    return None


def _as_many(ctx: Context, type_: Type) -> int | None:
    """The maximal length of a list of a type; None if unbounded."""
    return MOST_DICE if type_.repeats else things(ctx, type_.name)


def picked(ctx: Context, slot: int, domain: Expr, test: Expr | None) -> int | None:
    """The most members that a condition passes since it requires them in a list, or equal to one thing."""
    # Other domains may hold a thing twice.
    if test is None or domain[0] not in ("records", "players"):
        return None
    candidate: Expr = ("slot", slot)
    found: list[int | None] = []
    for part in conjuncts(test):
        match part:
            case ("in", one, of) if one == candidate and not mentions(of, candidate):
                found.append(length(ctx, of))
            case ("=", one, of) if candidate in (one, of) and one != of:
                found.append(1 if mentions(one, candidate) != mentions(of, candidate) else None)
    return first_known(min, found)


def never_empty(ctx: Context, expr: Expr) -> bool:
    """Whether a list of things that cannot leave play is never empty."""
    match expr:
        case ("value", tuple() as values):
            return bool(values)
        case ("players",) | ("list", _, *_):
            return True
        case ("records", name):
            return bool(ctx.symbols.made.part(name, "names"))
        case ("..", low, high):
            return interval.compare("<=", numbers(ctx, low), numbers(ctx, high)) is True
        case ("join", left, right):
            return never_empty(ctx, left) or never_empty(ctx, right)
        case ("if", _, then, otherwise):
            return never_empty(ctx, then) and never_empty(ctx, otherwise)
        case _:
            return False


def members(ctx: Context, expr: Expr) -> Interval:
    """The bounds of the members of a list of numbers."""
    match expr:
        case ("..", low, high):
            return Interval(numbers(ctx, low).low, numbers(ctx, high).high)
        case ("value", tuple() as values) if values and all(isinstance(one, int) for one in values):
            return Interval(min(values), max(values))
        case ("list", *parts):
            return interval.joined([numbers(ctx, part) for part in parts])
        case _:
            return ANY_NUMBER


def things(ctx: Context, type_name: str) -> int | None:
    """The number of things of a type, the maximal length of a list without repeats."""
    if ctx.symbols.is_recorded(type_name) and type_name in ctx.symbols.made:
        return len(ctx.symbols.made.part(type_name, "names"))
    if type_name in ctx.symbols.entities:
        most: int = ctx.symbols.entities.part(type_name, "most")
        return most
    return len(ctx.symbols.enums[type_name]) if type_name in ctx.symbols.enums else None


def _longest_printed(ctx: Context, name: str) -> int:
    entity, _, field = name.partition(".")
    values = ctx.symbols.printed[entity, field]
    tables = [value.values() if isinstance(value, FrozenMap) else (value,) for value in values]
    return max((len(one) for table in tables for one in table if isinstance(one, tuple)), default=0)


def _of_function(
    ctx: Context,
    id: str,
    known: Remembered[str, T | None],
    find: Callable[[Context, Expr], T | None],
) -> T | None:
    """A bound of the body of a rule or measure, computed once; None for a broken one."""

    def found() -> T | None:
        body = ctx.functions.of(id)
        return find(replace(ctx, flow=Flow()), body.expr) if body else None

    return known.get(id, found)


def local_in(ctx: Context, slot: int) -> Local | None:
    """The local in scope in a slot; None for a hidden one."""
    return next((local for local in ctx.flow.visible.values() if local.slot == slot), None)


def _extreme(ctx: Context, kind: str, domain: Expr) -> Interval:
    match domain:
        case ("list", *parts):
            return interval.extreme(kind, [numbers(ctx, part) for part in parts])
        case ("value", tuple() as values):
            return interval.extreme(kind, [numbers(ctx, ("value", value)) for value in values])
    return ANY_NUMBER


def _sum(ctx: Context, value: Expr | None, domain: Expr, where: Expr | None) -> Interval:
    if value is None and where is None and domain[0] == "list":
        parts = (numbers(ctx, part) for part in domain[1:])
        return reduce(partial(interval.arithmetic, "+"), parts, Interval(0, 0))
    each = members(ctx, domain) if value is None else numbers(ctx, value)
    return interval.arithmetic("*", Interval(0, length(ctx, domain)), each)


def _rows(values: tuple[object, ...]) -> Interval:
    """The bounds of the values of a table, except those that are none."""
    whole = [one for one in values if type(one) is int]
    fits = whole and len(whole) + values.count(None) == len(values)
    return Interval(min(whole), max(whole)) if fits else ANY_NUMBER


def verdict(ctx: Context, expr: Expr) -> Verdict:
    """The constant value of a condition; None if that depends on play."""
    match expr:
        case ("value", bool(value)):
            return value
        case ("not", part):
            return interval.negation(verdict(ctx, part))
        case ("in", left, ("value", tuple() as values)):
            span = bounds(ctx, left)
            return None if any(interval.lies_within(one, *span) for one in values) else False
        case (op, left, right) if op in NEGATED:
            return _compared(ctx, op, left, right)
        case ("and", *_):
            return _together(ctx, conjuncts(expr))
        case ("or", *_):
            denied = [_denied(part) for part in operands("or", expr)]
            return interval.negation(_together(ctx, denied))
        case _:
            return None


def _denied(expr: Expr) -> Expr:
    return expr[1] if expr[0] == "not" else ("not", expr)


def _compared(ctx: Context, op: str, left: Expr, right: Expr) -> Verdict:
    if left == right:
        return op in ("=", "<=", ">=")
    if left[0] == right[0] == "value":
        return interval.compare_values(op, left[1], right[1])
    found = interval.compare(op, bounds(ctx, left), bounds(ctx, right))
    # Two numbers that can only be equal are not reported: one may be narrowed on purpose.
    same = (op == "=" and found is True) or (op == "!=" and found is False)
    return None if same else found


@dataclass
class _Left:
    """The values of an expression that some conditions allow."""

    low: int | Fraction | None
    high: int | Fraction | None
    out: set[Value] = field(default_factory=set)
    only: set[Value] | None = None
    whole: bool = False
    """Whether only whole numbers count."""

    def heed(self, op: str, values: tuple[Value, ...]) -> None:
        """Exclude values by a condition: a comparison with one value, or `in` some."""
        if op in ("=", "in"):
            self.only = set(values) if self.only is None else self.only & set(values)
        elif op in ("!=", "not in"):
            self.out.update(values)
        elif isinstance(bound := values[0], int | Fraction):
            if op in ("<", "<="):
                self.high = bound if self.high is None else min(self.high, bound)
            else:
                self.low = bound if self.low is None else max(self.low, bound)
            if op in ("<", ">"):
                self.out.add(bound)

    @property
    def is_nothing(self) -> bool:
        if self.only is not None:
            return all(
                one in self.out or not interval.lies_within(one, self.low, self.high)
                for one in self.only
            )
        if self.low is None or self.high is None:
            return False
        low, high = self.low, self.high
        if self.whole and type(low) is type(high) is int:
            low, high = low + (low in self.out), high - (high in self.out)
        return low > high or (low == high and low in self.out)


def _together(ctx: Context, parts: Sequence[Expr]) -> Verdict:
    return False if clash(ctx, parts) else interval.all_hold([verdict(ctx, part) for part in parts])


def comparisons(tests: Iterable[Expr]) -> frozenset[Expr]:
    """The parts of conditions that compare an expression with values, or two plain ones."""
    parts = (part for test in tests for part in _conjuncts(test))
    return frozenset(one for one in parts if _comparison(one) or _plain_pair(one))


def _conjuncts(test: Expr) -> Iterator[Expr]:
    """The parts of a condition that all hold where it holds, also those denied together."""
    for part in conjuncts(test):
        match part:
            case ("not", ("or", *denied)):
                for one in denied:
                    yield from _conjuncts(("not", one))
            case _:
                yield part


def clash(ctx: Context | None, parts: Sequence[Expr]) -> bool:
    """Whether conditions on one expression leave it no value. Without a context, its bounds are open, and
    it is whole."""
    left: dict[Expr, _Left] = {}
    if _deny_each_other(parts):
        return True
    for part in parts:
        found = _comparison(part)
        if found is not None:
            of, op, values = found
            if of not in left:
                left[of] = (
                    _Left(*ANY_NUMBER, whole=True) if ctx is None else _Left(*bounds(ctx, of))
                )
            left[of].heed(op, values)
    return any(one.is_nothing for one in left.values())


def _deny_each_other(parts: Sequence[Expr]) -> bool:
    """Whether one part is the opposite of another as it is written, or as a comparison of plain values."""
    denied = {part[1] for part in parts if part[0] == "not"}
    pairs = set(filter(None, map(_plain_pair, parts)))
    return not denied.isdisjoint(parts) or any((NEGATED[op], *two) in pairs for op, *two in pairs)


PLAIN = ("slot", "scope", "field", "static", "value")
"""The forms of expressions whose value nothing but a change of the table or of a variable alters."""


def _plain_pair(part: Expr) -> Expr | None:
    """A comparison of two plain expressions, in one form for all ways to write it; None for any other."""
    match part:
        case ("not", (op, left, right)) if op in NEGATED:
            return _plain_pair((NEGATED[op], left, right))
        case (op, left, right) if op in NEGATED and _is_plain(left) and _is_plain(right):
            return part if repr(left) <= repr(right) else (MIRRORED[op], right, left)
    return None


def _is_plain(expr: Expr) -> bool:
    parts = (one for one in expr[1:] if isinstance(one, tuple) and one and isinstance(one[0], str))
    return expr[0] in PLAIN and (expr[0] == "value" or all(map(_is_plain, parts)))


def _comparison(part: Expr) -> tuple[Expr, str, tuple[Value, ...]] | None:
    """The expression that a condition compares with values, the operator, and the values."""
    match part:
        case ("not", ("in", of, ("value", tuple() as values))):
            return of, "not in", values
        case ("in", of, ("value", tuple() as values)):
            return of, "in", values
        case ("not", (op, left, right)) if op in NEGATED:
            return _comparison((NEGATED[op], left, right))
        case (op, of, ("value", value)) if op in MIRRORED:
            return of, op, (value,)
        case (op, ("value", value), of) if op in MIRRORED:
            return of, MIRRORED[op], (value,)
        case _:
            return None


def bounds(ctx: Context, expr: Expr) -> Interval:
    """The bounds of a number, whatever packs add."""
    return interval.interval_of(expr, partial(_lasting, ctx))


def _lasting(ctx: Context, expr: Expr) -> Interval:
    """The lasting bounds of a number that is read or counted: of the vocabulary and the text."""
    match expr:
        case ("count", of) | ("each", "count", _, _, of, _):
            return Interval(0, _most_for_good(ctx, of))
        case ("setting", name):
            setting = ctx.symbols.settings[name]
            return ANY_NUMBER if setting.low == setting.high else numbers(ctx, expr)
        case (("slot" | "field" | "static" | "query" | "lookup"), *_):
            return numbers(ctx, expr)
        case ("function", id, *_):
            functions = ctx.functions

            def found() -> Interval:
                callee = ctx.symbols.callables[slug_of(id.rpartition("/")[2])]
                body = functions.body(callee.name) if callee.kind == "measure" else None
                span = ANY_NUMBER if body is None else bounds(replace(ctx, flow=Flow()), body.expr)
                # A measure with a single value is meant to be changed by packs.
                return ANY_NUMBER if span.exact is not None else span

            limit = functions.limits.get(id)
            return functions.lasting.get(id, found) if limit is None else limit
        case _:
            return ANY_NUMBER


def _most_for_good(ctx: Context, of: Expr) -> int | None:
    """The maximal length of a list that was chosen or is in play, whatever packs add; None for all others."""
    match of:
        case ("query", *_):
            return length(ctx, of)
        case ("each", "those", _, _, domain, _):
            return _most_for_good(ctx, domain)
        case ("zone", name, *_):
            thing = ctx.symbols.zones[name].of
        case ("slot", slot) if (local := local_in(ctx, slot)) is not None:
            thing = local.type.name
        case _:
            return None
    most = length(ctx, of)
    if most is None or not ctx.symbols.is_recorded(thing):
        return most
    return most if most < (things(ctx, thing) or 0) else None


def check_keyword_bounds(content: Content, symbols: Symbols, report: Report) -> None:
    """Add the bounds of parameters; report unknown parameters, and empty ranges."""
    for kind, callees in (("keyword", symbols.keywords), ("power", symbols.powers)):
        for item in content.by_kind(kind):
            callee = callees.get(item.slug)
            if callee is not None and callee.id == item.id and not callee.broken:
                least = callee.least = _bounds(item.fields.get("min"), callee, report)
                most = callee.most_told = _bounds(item.fields.get("max"), callee, report)
                for name in least.keys() & most.keys():
                    if least[name].number > most[name].number:
                        message = f"nothing is from {least[name].number} to {most[name].number}"
                        report.error("out-of-bounds", most[name].place, message)


def _bounds(node: YamlNode | None, callee: Signature, report: Report) -> dict[str, Bound]:
    names = [param.name for param in callee.params if is_number(param.type)]
    found: dict[str, Bound] = {}
    for name, value in node.entries.items() if node is not None else ():
        number = amount(value)
        if node is not None and name not in names:
            message = f"`{callee.name}` takes no number `{name}`; {choices_text(name, names)}"
            report.error("unknown-name", node.key_place(name), message, did_you_mean(name, names))
        elif number is not None:
            found[name] = Bound(number, value.place)
        else:
            written = value.text or value.raw
            message = f"a number is wanted here, such as `3` or `1/2`, and `{written}` is not one"
            report.error("type-mismatch", value.place, message)
    return found


def written_arguments(callee: Signature, args: Sequence[ast.Arg]) -> dict[str, ast.Expr]:
    """The written argument of each parameter, by label or position."""
    names = [param.name for param in callee.params]
    placed = ((arg.label or "".join(names[at : at + 1]), arg) for at, arg in enumerate(args))
    return {name: arg.value for name, arg in placed if name}


def hold_to_bounds(
    context: Context,
    callee: Signature,
    call: ast.SyntaxNode,
    written: Mapping[str, ast.Expr],
    arguments: Sequence[Expr],
) -> bool:
    """Whether the numbers passed to a keyword or power are within bounds; reports others."""
    sound = True
    for param, argument in zip(callee.params, arguments, strict=True):
        at = written.get(param.name) or call
        if isinstance(at, ast.ListExpr) and not at.items:
            message = f"`{callee.name}` is given an empty list here"
            context.warn("changes-nothing", at, message)
        low, high = _value_or_bounds(context, argument)
        for bound, reached, limit in (
            (callee.least.get(param.name), high, "at least"),
            (callee.most_told.get(param.name), low, "at most"),
        ):
            if bound is None or reached is None:
                continue
            if reached >= bound.number if limit == "at least" else reached <= bound.number:
                continue
            note = Note(bound.place, "said here")
            message = f"`{param.name}` of `{callee.name}` is {limit} {bound.number}, and this is {reached}"
            context.error("out-of-bounds", at, message, None, [note])
            sound = False
    return sound


def _value_or_bounds(context: Context, expr: Expr) -> tuple[Number | None, Number | None]:
    match expr:
        case ("value", int() | Fraction() as number) if not isinstance(number, bool):
            return number, number
        case ("value", _):
            return None, None
    return bounds(context, expr)
