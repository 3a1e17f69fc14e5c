"""The words for expressions without a name, such as `5 x Wil of Mira`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from ruleloom.runtime.explain.finding import SlotView
from ruleloom.runtime.link.codegen import Codegen
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import number_text, title_text
from ruleloom.runtime.program.expr import ONE, rounding
from ruleloom.runtime.program.program import Expr, Function
from ruleloom.runtime.program.values import (
    Compiled,
    Dynamic,
    Rules,
    Scope,
    Type,
    Value,
    World,
    is_unknown,
)
from ruleloom.runtime.program.verify_expr import declared_by, type_of

SIGNS = {form: form for form in ("+", "-", "div", "mod", "and", "or", "in")} | {"*": "x"}
AROUND = {"negative": "-{}", "not": "not {}", "is_none": "{} is none"}
COMPARING = ("=", "!=", "<", "<=", ">", ">=", "in")
Values = tuple[Dynamic, ...]


class ExprWords:
    """Values and words of expressions in one world, at the moment of `scope` and `rules`."""

    def __init__(self, linked: Linked, world: World, scope: Scope, rules: Rules) -> None:
        self.linked, self.world, self.scope, self.rules = linked, world, scope, rules
        self.functions: Mapping[str, Function] = {f.id: f for f in linked.program.functions}
        self._declared = declared_by(linked.program)
        self._titles: dict[str, dict[Value, str]] = {}
        # Keyed by identity: each expression is part of the program.
        self._passing: dict[tuple[int, int, int], Compiled[list[Value]]] = {}

    def value(self, expr: Expr, values: Values) -> Dynamic:
        """The value of an expression of the program, given the values of its slots."""
        if expr[0] == "slot":
            return values[expr[1]]
        function = self.linked.functions.get(id(expr)) or self.linked.compiled(expr)
        return function(self.world, values, self.scope, self.rules)

    def passing(self, slot: int, domain: Expr, where: Expr | None, values: Values) -> list[Dynamic]:
        """The entries of a list that pass the condition, which reads the entry from `slot`."""
        key = (slot, id(domain), id(where))
        if key not in self._passing:
            tests = () if where is None else (where,)
            self._passing[key] = self.linked.codegen.options(slot, domain, tests)
        return self._passing[key](self.world, values, self.scope, self.rules)

    def title(self, type_: Type, value: Dynamic) -> str:
        """A value of a type in words; the title of a thing."""
        if type_.many or is_unknown(type_):  # among values of unknown type, `1` and `yes` are equal
            return title_text(self.linked, self.world, type_, value)
        known = self._titles.setdefault(type_.name, {})
        if value not in known:
            known[value] = title_text(self.linked, self.world, type_, value)
        return known[value]

    def called(self, function: Function, args: Values) -> str:
        """A function call in the function's own English."""
        said = "".join(
            part
            if isinstance(part, str)
            else self.title(Type.parse(part[1]), self.value(part[0], args))
            for part in function.english
        )
        return said or function.id.rpartition("/")[2]

    def type_of(self, expr: Expr, at: SlotView) -> Type:
        """The type of an expression."""
        return type_of(expr, at.types, self._declared)

    def element(self, domain: Expr, at: SlotView) -> Type:
        """The type of the entries of a list."""
        return self.type_of(domain, at).item

    def said(self, expr: Expr, at: SlotView, outer: str = "") -> str:
        """An expression in a few words, bracketed if the enclosing form `outer` needs it."""
        expr = self.shortened(expr, at.values)
        match expr[0]:
            case "function" | "allowed":
                args = tuple([self.value(arg, at.values) for arg in expr[2:]])
                return self.called(self.functions[expr[1]], args)
            case "static" | "field":
                return self._field(expr, at)
            case "lookup":
                return self._lookup(expr, at)
            case "setting" | "scope":
                name, number = str(expr[1]).replace("_", " "), self.value(expr, at.values)
                # A condition tells what its limit is, as a list of terms tells it beside the name.
                is_limit = outer in COMPARING and type(number) in (int, Fraction)
                return f"{name} ({number_text(number)})" if is_limit else name
        return self._operator(expr, at, outer)

    def _operator(self, expr: Expr, at: SlotView, outer: str) -> str:
        form = expr[0]
        made_whole = rounding(expr)
        if made_whole is not None and (form != "div" or expr[2] == ONE):
            part, how, by = made_whole
            divisor = "" if by == ONE else f" div {by[1]}"
            return f"{self.said(part, at, 'div')}{divisor} rounded {how}"
        if form in SIGNS or form in COMPARING:
            left, right = (self.said(side, at, form) for side in expr[1:])
            loose = outer in ("*", "div", "mod", "negative", "not") or (
                outer == "-" and form in "+-"
            )
            said = f"{left} {SIGNS.get(form, form)} {right}"
            return f"({said})" if loose and form in SIGNS and form != outer else said
        if form in AROUND:
            return AROUND[form].format(self.said(expr[1], at, form))
        if form == "each":
            return self._each(expr, at)
        return self.title(self.type_of(expr, at), self.value(expr, at.values))

    def shortened(self, expr: Expr, values: Values) -> Expr:
        """A sum without zero terms; of an `if`, the branch taken."""
        match expr:
            case ("if", condition, then, otherwise):
                holds = self.value(condition, values)
                return self.shortened(then if holds else otherwise, values)
            case ("+" | "-", left, right):
                if not self._brings(right, values):
                    return self.shortened(left, values)
                if expr[0] == "+" and not self._brings(left, values):
                    return self.shortened(right, values)
        return expr

    def _brings(self, expr: Expr, values: Values) -> bool:
        """Is an expression a constant, or its value not 0?"""
        return expr[0] == "value" or bool(self.value(expr, values) != 0)

    def _field(self, expr: Expr, at: SlotView, key: str = "") -> str:
        entity, _, name = expr[1].partition(".")
        owner = self.title(Type(entity), self.value(expr[2], at.values))
        return f"{name.replace('_', ' ')}{key and f' {key}'} of {owner}"

    def _lookup(self, expr: Expr, at: SlotView) -> str:
        key = self.said(expr[2], at)
        if expr[1][0] in ("static", "field"):
            return self._field(expr[1], at, key)
        return key if expr[1][0] == "slot" else f"{self.said(expr[1], at)} {key}"

    def _each(self, expr: Expr, at: SlotView) -> str:
        _, kind, value, slot, _, _ = expr
        entity = self.linked.entities.get(self.element(expr[4], at).name)
        noun = entity.plural if entity is not None else "all of them"
        what = noun
        if value is not None and value[0] in ("static", "field") and value[2] == ("slot", slot):
            what = f"{value[1].partition('.')[2].replace('_', ' ')} of {noun}"
        words = {"sum": "", "count": "number of ", "exists": "some of the "}
        return {**words, "every": "every one of the "}.get(kind, f"{kind} of ") + what


Read = tuple[str, int]
"""A printed field (`Card.number`), and the number of the thing it was read from."""


def printed_reads(linked: Linked, world: World, id: str, args: Iterable[Dynamic]) -> set[Read]:
    """The printed fields that a function reads, itself or through its callees."""
    reads: set[Read] = set()
    codegen = partial(_NotingCodegen, reads)
    parts = (linked.program, linked.layout, linked.driver, linked.settings, codegen)
    noting = Linked(*parts, linked.language)
    words = ExprWords(noting, world, noting.initial_scope, frozenset())
    words.value(words.functions[id].body, tuple(args))
    return reads


class _NotingCodegen(Codegen):
    """Code generator that records each printed field read."""

    def __init__(self, reads: set[Read], *made_of: Any) -> None:
        self._reads = reads
        super().__init__(*made_of)

    def _static(self, names: Mapping[int, str], name: str, of: Expr) -> str:
        table = self._names["static", name]
        noted = f"{table}_noted"
        if noted not in self._space:
            self._space[noted] = partial(self._read, name, self._space[table])
        return f"{noted}({self._source(of, names)})"

    def _read(self, field: str, values: Any, thing: int) -> Any:
        self._reads.add((field, thing))
        return values[thing]
