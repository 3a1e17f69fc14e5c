"""The words for expressions without a name, such as `5 x Wil of Mira`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from operator import itemgetter
from typing import Any, TypeVar

from ruleloom.runtime.explain.finding import Bound, Slots, SlotView, Words, later
from ruleloom.runtime.link.codegen import Codegen
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import title_text
from ruleloom.runtime.program.expr import ONE, rounding
from ruleloom.runtime.program.program import Expr, Function
from ruleloom.runtime.program.values import Dynamic, Rules, Scope, Type, World, is_unknown
from ruleloom.runtime.program.verify_expr import declared_by, type_of

T = TypeVar("T")
SIGNS = {form: form for form in ("+", "-", "div", "mod", "and", "or", "in")} | {"*": "x"}
AROUND = {"negative": "-{}", "not": "not {}", "is_none": "{} is none"}
COMPARING = ("=", "!=", "<", "<=", ">", ">=", "in")


class ExprWords:
    """Values and words of expressions in one world; `scope` and `rules` are the moment's."""

    def __init__(self, linked: Linked, world: World, scope: Scope, rules: Rules) -> None:
        self.linked, self.world, self.scope, self.rules = linked, world, scope, rules
        self.functions: Mapping[str, Function] = {f.id: f for f in linked.program.functions}
        self._declared = declared_by(linked.program)
        # By identity: `1` and `yes` are equal to Python. The expressions are kept, so that no other
        # gets their numbers.
        self._values: dict[int, tuple[Expr, Bound[Dynamic]]] = {}
        self._called: dict[str, Bound[str]] = {}
        self._titles: dict[str, Words] = {}

    def value(self, expr: Expr) -> Bound[Dynamic]:
        """The value of an expression."""
        if expr[0] == "slot":
            return itemgetter(expr[1])
        if id(expr) not in self._values:
            bound = self.linked.codegen.bound(expr, self.world, self.scope, self.rules)
            self._values[id(expr)] = expr, bound
        return self._values[id(expr)][1]

    def passing(self, slot: int, domain: Expr, where: Expr | None) -> Bound[list[Dynamic]]:
        """The entries of a list, each of which in its turn stands in `slot` for the condition."""
        tests = () if where is None else (where,)
        options = self.linked.codegen.options(slot, domain, tests)
        return lambda slots: options(self.world, slots, self.scope, self.rules)

    def title(self, type_: Type) -> Callable[[Dynamic], str]:
        """The words for a value of a type; for a thing its title."""
        say = partial(title_text, self.linked, self.world, type_)
        if type_.many or is_unknown(type_):
            return say  # among values of no known type, `1` and `yes` are one key
        if type_.name not in self._titles:
            self._titles[type_.name] = Words(say)
        return self._titles[type_.name].__getitem__

    def called(self, function: Function) -> Bound[str]:
        """A function with its arguments, in its own English."""
        if function.id not in self._called:
            self._called[function.id] = self._filled(function)
        return self._called[function.id]

    def _filled(self, function: Function) -> Bound[str]:
        parts, otherwise = function.english, function.id.rpartition("/")[2]
        holes = [self._hole(*part) for part in parts if not isinstance(part, str)]
        text = "".join(
            [part.replace("%", "%%") if isinstance(part, str) else "%s" for part in parts]
        )
        return lambda slots: text % tuple([hole(slots) for hole in holes]) or otherwise

    def _hole(self, expr: Expr, type_: str) -> Bound[str]:
        title, value = self.title(Type.parse(type_)), self.value(expr)
        return lambda slots: title(value(slots))

    def type_of(self, expr: Expr, view: SlotView) -> Type:
        """The type of an expression."""
        return type_of(expr, dict(enumerate(view.types)), self._declared)

    def element(self, each: Expr, view: SlotView) -> Type:
        """The type of what an `each` goes through."""
        return self.type_of(each[4], view).item

    def said(self, expr: Expr, view: SlotView, outer: str = "") -> Bound[str]:
        """An expression in few words, in brackets where it needs some within the form `outer`."""
        return self.shortened(expr, lambda short: self._said(short, view, outer))

    def _said(self, expr: Expr, view: SlotView, outer: str) -> Bound[str]:
        match expr[0]:
            case "function" | "allowed":
                called, args = self.called(self.functions[expr[1]]), self.values(expr[2:])
                return lambda slots: called(args(slots))
            case "static" | "field":
                return self._field(expr)
            case "lookup":
                return self._lookup(expr, view)
            case "setting" | "scope":
                name = str(expr[1]).replace("_", " ")
                return lambda _: name
        return self._operator(expr, view, outer)

    def values(self, exprs: tuple[Expr, ...]) -> Bound[Slots]:
        """The values of several expressions."""
        codegen = self.linked.codegen
        return codegen.bound(("list", *exprs), self.world, self.scope, self.rules)

    def _operator(self, expr: Expr, view: SlotView, outer: str) -> Bound[str]:
        form = expr[0]
        made_whole = rounding(expr)
        if made_whole is not None and (form != "div" or expr[2] == ONE):
            part, how, by = made_whole
            whole, divisor = self.said(part, view, "div"), "" if by == ONE else f" div {by[1]}"
            return lambda slots: f"{whole(slots)}{divisor} rounded {how}"
        if form in SIGNS or form in COMPARING:
            left, right = (self.said(side, view, form) for side in expr[1:])
            loose = outer in ("*", "div", "mod", "negative", "not") or (
                outer == "-" and form in "+-"
            )
            sign = SIGNS.get(form, form)
            if loose and form in SIGNS and form != outer:
                return lambda slots: f"({left(slots)} {sign} {right(slots)})"
            return lambda slots: f"{left(slots)} {sign} {right(slots)}"
        if form in AROUND:
            inner = self.said(expr[1], view, form)
            return lambda slots: AROUND[form].format(inner(slots))
        if form == "each":
            words = self._each(expr, view)
            return lambda _: words
        title, value = self.title(self.type_of(expr, view)), self.value(expr)
        return lambda slots: title(value(slots))

    def shortened(self, expr: Expr, make: Callable[[Expr], Bound[T]]) -> Bound[T]:
        """What `make` makes of a sum without what brings nothing to it, and of an `if` of the side
        that is taken; which they are depends on the slots."""
        match expr:
            case ("if", condition, then, otherwise):
                holds = self.value(condition)
                first = later(lambda: self.shortened(then, make))
                second = later(lambda: self.shortened(otherwise, make))
                return lambda slots: first(slots) if holds(slots) else second(slots)
            case ("+" | "-", left, right):
                return self._shortened_sum(expr, left, right, make)
        return make(expr)

    def _shortened_sum(
        self, expr: Expr, left: Expr, right: Expr, make: Callable[[Expr], Bound[T]]
    ) -> Bound[T]:
        brings_left, brings_right = self._brings(left), self._brings(right)
        both, only_left, only_right = (
            later(lambda: make(expr)),
            later(lambda: self.shortened(left, make)),
            later(lambda: self.shortened(right, make)),
        )

        def shortened(slots: Slots) -> T:
            if not brings_right(slots):
                return only_left(slots)
            return both(slots) if expr[0] == "-" or brings_left(slots) else only_right(slots)

        return shortened

    def _brings(self, expr: Expr) -> Bound[bool]:
        """Is an expression a constant, or its value other than 0?"""
        if expr[0] == "value":
            return lambda _: True
        value = self.value(expr)
        return lambda slots: value(slots) != 0

    def _field(self, expr: Expr, key: Bound[str] | None = None) -> Bound[str]:
        entity, _, name = expr[1].partition(".")
        words, owner = name.replace("_", " "), self.value(expr[2])
        title = self.title(Type(entity))
        if key is None:
            return lambda slots: f"{words} of {title(owner(slots))}"
        return lambda slots: f"{words} {key(slots)} of {title(owner(slots))}"

    def _lookup(self, expr: Expr, view: SlotView) -> Bound[str]:
        key = self.said(expr[2], view)
        if expr[1][0] in ("static", "field"):
            return self._field(expr[1], key)
        if expr[1][0] == "slot":
            return key
        table = self.said(expr[1], view)
        return lambda slots: f"{table(slots)} {key(slots)}"

    def _each(self, expr: Expr, view: SlotView) -> str:
        _, kind, value, slot, _, _ = expr
        entity = self.linked.entities.get(self.element(expr, view).name)
        noun = entity.plural if entity is not None else "all of them"
        what = noun
        if value is not None and value[0] in ("static", "field") and value[2] == ("slot", slot):
            what = f"{value[1].partition('.')[2].replace('_', ' ')} of {noun}"
        words = {"sum": "", "count": "number of ", "exists": "some of the "}
        return {**words, "every": "every one of the "}.get(kind, f"{kind} of ") + what


Read = tuple[str, int]
"""A printed field (`Card.number`), and the number of the thing that it was read of."""


def printed_reads(linked: Linked, world: World, id: str, args: tuple[Dynamic, ...]) -> set[Read]:
    """The printed fields that a function reads, itself or through its callees."""
    reads: set[Read] = set()
    codegen = partial(_NotingCodegen, reads)
    noting = Linked(linked.program, linked.layout, linked.driver, linked.settings, codegen)
    words = ExprWords(noting, world, noting.initial_scope, frozenset())
    words.value(words.functions[id].body)(args)
    return reads


class _NotingCodegen(Codegen):
    """Expressions that note each printed field that they read."""

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
