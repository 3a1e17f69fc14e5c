"""The words for expressions without a name, such as `5 x Wil of Mira`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import title_text
from ruleloom.runtime.program import values as v
from ruleloom.runtime.program.expr_types import declared_by, type_of
from ruleloom.runtime.program.program import Expr, Function, Origin
from ruleloom.runtime.program.values import Compiled, Dynamic, Rules, Scope, Type, Value, World

SIGNS = {form: form for form in ("+", "-", "div", "mod", "and", "or", "in")} | {"*": "x"}
AROUND = {"negative": "-{}", "not": "not {}", "is_none": "{} is none"}
COMPARING = ("=", "!=", "<", "<=", ">", ">=", "in")


class SlotView(NamedTuple):
    """The slots' values, types and names; `place` is where the text that reads them stands."""

    slots: tuple[Value, ...] = ()
    types: tuple[Type, ...] = ()
    names: tuple[str, ...] = ()
    place: tuple[Origin, ...] = ()

    def with_slot(self, slot: int, value: Value, type_: Type) -> SlotView:
        """The same with one more value."""
        short = slot + 1 - len(self.slots)
        return SlotView(
            v.with_entry((*self.slots, *[None] * short), slot, value),
            v.with_entry((*self.types, *[v.UNKNOWN] * short), slot, type_),
            v.with_entry((*self.names, *[""] * short), slot, ""),
            self.place,
        )


class ExprWords:
    """Values and words of expressions in one world; `scope` and `rules` are the moment's."""

    def __init__(self, linked: Linked, world: World, scope: Scope, rules: Rules) -> None:
        self.linked, self.world, self.scope, self.rules = linked, world, scope, rules
        self.functions: Mapping[str, Function] = {f.id: f for f in linked.program.functions}
        self._declared = declared_by(linked.program)
        # By identity: `1` and `yes` are equal to Python. The expressions are kept, so that no other
        # gets their numbers.
        self._values: dict[int, Compiled[Dynamic]] = {}
        self._lists: dict[tuple[int, ...], Compiled[Dynamic]] = {}
        # The type of an expression, and the types of the slots that it is so for.
        self._types: dict[int, tuple[tuple[Type, ...], Type]] = {}
        self._titles: dict[tuple[str, Value], str] = {}
        self._kept: list[Expr | None] = []

    def value(self, expr: Expr, frame: SlotView) -> Dynamic:
        """What an expression comes to."""
        if expr[0] == "slot":
            return frame.slots[expr[1]]
        compiled = self._values.get(id(expr)) or self._compiled(expr)
        return compiled(self.world, frame.slots, self.scope, self.rules)

    def _compiled(self, expr: Expr) -> Compiled[Dynamic]:
        self._kept.append(expr)
        compiled = self._values[id(expr)] = self.linked.codegen.value(expr)
        return compiled

    def passing(
        self, slot: int, domain: Expr, where: Expr | None, frame: SlotView
    ) -> list[Dynamic]:
        """What a list holds, of which each in its turn stands in `slot` for the condition."""
        key = (slot, id(domain), id(where))
        if key not in self._lists:
            self._kept += (domain, where)
            tests = () if where is None else (where,)
            self._lists[key] = self.linked.codegen.options(slot, domain, tests)
        return list(self._lists[key](self.world, frame.slots, self.scope, self.rules))

    def title(self, type_: Type, value: Value) -> str:
        """A value for reading; of a thing its title."""
        if type_.many or value.__class__ not in (int, str):
            return title_text(self.linked, self.world, type_, value)
        known = self._titles.get((type_.name, value))
        if known is None:
            known = title_text(self.linked, self.world, type_, value)
            self._titles[type_.name, value] = known
        return known

    def called(self, function: Function, args: tuple[Value, ...]) -> str:
        """A function with its arguments, in its own English."""
        frame = SlotView(args)
        said = "".join(
            [
                part
                if isinstance(part, str)
                else self.title(Type.parse(part[1]), self.value(part[0], frame))
                for part in function.english
            ]
        )
        return said or function.id.rpartition("/")[2]

    def type_of(self, expr: Expr, frame: SlotView) -> Type:
        """The type of an expression."""
        known = self._types.get(id(expr))
        if known is None or known[0] != frame.types:
            self._kept.append(expr)
            found = type_of(expr, dict(enumerate(frame.types)), self._declared)
            known = self._types[id(expr)] = frame.types, found
        return known[1]

    def element(self, each: Expr, frame: SlotView) -> Type:
        """The type of what an `each` goes through."""
        return self.type_of(each[4], frame).item

    def said(self, expr: Expr, frame: SlotView) -> str:
        """An expression in few words."""
        match expr[0]:
            case "function" | "allowed":
                args = tuple(self.value(arg, frame) for arg in expr[2:])
                return self.called(self.functions[expr[1]], args)
            case "static" | "field":
                return self._field(expr, frame, "")
            case "lookup":
                return self._lookup(expr, frame)
            case "setting" | "scope":
                return str(expr[1]).replace("_", " ")
            case "if":
                return self.said(expr[2] if self.value(expr[1], frame) else expr[3], frame)
        if (short := self.short(expr, frame)) is not expr:
            return self.said(short, frame)
        return self._operator(expr, frame)

    def _operator(self, expr: Expr, frame: SlotView) -> str:
        form = expr[0]
        if form in SIGNS or form in COMPARING:
            left, right = (self._inside(side, form, frame) for side in expr[1:])
            return f"{left} {SIGNS.get(form, form)} {right}"
        if form in AROUND:
            return AROUND[form].format(self._inside(expr[1], form, frame))
        if form == "each":
            return self._each(expr, frame)
        return self.title(self.type_of(expr, frame), self.value(expr, frame))

    def _is_nothing(self, expr: Expr, frame: SlotView) -> bool:
        value = self.value(expr, frame)
        return expr[0] != "value" and not isinstance(value, tuple) and value == 0

    def short(self, expr: Expr, frame: SlotView) -> Expr:
        """A sum without what brings nothing to it, and one of two as the one that it is."""
        while True:
            if expr[0] in ("+", "-") and self._is_nothing(expr[2], frame):
                expr = expr[1]
            elif expr[0] == "+" and self._is_nothing(expr[1], frame):
                expr = expr[2]
            elif expr[0] == "if":
                expr = expr[2] if self.value(expr[1], frame) else expr[3]
            else:
                return expr

    def _inside(self, expr: Expr, outer: str, frame: SlotView) -> str:
        expr = self.short(expr, frame)
        words = self.said(expr, frame)
        loose = outer in ("*", "div", "mod", "negative", "not") or (
            outer == "-" and expr[0] in "+-"
        )
        return f"({words})" if loose and expr[0] in SIGNS and expr[0] != outer else words

    def _field(self, expr: Expr, frame: SlotView, key: str) -> str:
        entity, _, name = expr[1].partition(".")
        owner = self.title(Type(entity), self.value(expr[2], frame))
        return f"{name.replace('_', ' ')}{key} of {owner}"

    def _lookup(self, expr: Expr, frame: SlotView) -> str:
        key = self.said(expr[2], frame)
        if expr[1][0] in ("static", "field"):
            return self._field(expr[1], frame, f" {key}")
        return f"{self.said(expr[1], frame)} {key}" if expr[1][0] != "slot" else key

    def _each(self, expr: Expr, frame: SlotView) -> str:
        _, kind, value, slot, _, _ = expr
        entity = self.linked.entities.get(self.element(expr, frame).name)
        noun = entity.plural if entity is not None else "all of them"
        what = noun
        if value is not None and value[0] in ("static", "field") and value[2] == ("slot", slot):
            what = f"{value[1].partition('.')[2].replace('_', ' ')} of {noun}"
        words = {"sum": "", "count": "number of ", "exists": "some of the "}
        return {**words, "every": "every one of the "}.get(kind, f"{kind} of ") + what
