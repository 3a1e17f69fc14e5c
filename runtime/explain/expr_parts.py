"""The parts of an expression: the terms of a sum, what a condition rests on, printed leaves.

All methods but the constructor take an expression, how the text that it stands in names the slots,
and how many levels are asked for; what they give is bound to a world and takes the slots alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from ruleloom.runtime.explain import finding as f
from ruleloom.runtime.explain.expr_words import COMPARING, ExprWords
from ruleloom.runtime.explain.finding import (
    BY,
    LESS,
    OF,
    Bound,
    Finding,
    Slots,
    SlotView,
    later,
    with_value,
)
from ruleloom.runtime.program.program import Expr, Origin
from ruleloom.runtime.program.values import FRACTION, INT, UNKNOWN, Dynamic, Type

# What is one thing by itself, however many parts it has in its turn.
SINGLE = frozenset((
    "value", "slot", "scope", "setting", "static", "field", "lookup", "function", "allowed",
    "query", "table", "at",
))  # fmt: skip
Parts = Bound[list[Finding]]


class ExprParts:
    """Derives expressions; `function` derives a function by its id, so many levels deep.

    `settings` are the places of settings by name, `patched` those of printed fields that were
    changed, by the place of the thing and the name of the field.
    """

    def __init__(
        self,
        words: ExprWords,
        function: Callable[[str, int], Bound[Finding]],
        settings: Mapping[str, Origin],
        patched: Mapping[tuple[Origin, str], Origin],
    ) -> None:
        self.words, self._function = words, function
        self._settings, self._patched = settings, patched

    # ------------------------------------------------------------------ sums and products

    def terms(self, expr: Expr, view: SlotView, depth: int) -> Parts:
        """The terms of an expression, whose `total` is its value."""
        match expr:
            case ("+" | "-", left, right):
                return _added(expr[0], *(self._adding(x, view, depth) for x in (left, right)))
            case ("negative", part):
                negated = self._adding(part, view, depth)
                return lambda slots: [f.taken_off(one) for one in negated(slots)]
            case ("*", _, _):
                return self._factors(expr, view, depth)
            case ("div" | "mod", left, right):
                whole, by = self.single(left, view, depth), self.single(right, view, depth)
                return lambda slots: [whole(slots), by(slots)._replace(does=expr[0])]
            case ("if", _, _, _):
                return self._taken(expr, view, depth)
            case ("count", _) | ("each", "count", *_):
                return self._counted(expr, view)
            case ("each", "sum", *_):
                return self._brought(expr, view, depth)
            case ("each", "highest" | "lowest", *_):
                rivals = self._brought(expr, view, depth)
                return lambda slots: _compared(rivals(slots), expr[1])
        leaf = self._leaf(expr, view, depth)
        return lambda slots: [leaf(slots)]

    def single(
        self, expr: Expr, view: SlotView, depth: int, label: Bound[str] | None = None
    ) -> Bound[Finding]:
        """An expression as one finding, called by what it says where it has no `label`."""
        if expr[0] in SINGLE:
            return self._leaf(expr, view, depth)
        value = later(lambda: self.words.value(expr))
        label = label or later(lambda: self.words.said(expr, view))
        if depth <= 0:
            return self._unparted(expr, view, label, value)
        terms = self.terms(expr, view, depth - 1)

        def single(slots: Slots) -> Finding:
            found = terms(slots)
            only = f.only_term(found)
            if only is not None:
                return only
            kind = "" if found else "nothing"
            parts = tuple(f.less_said(found))
            return Finding(label(slots), value(slots), kind, BY, view.place, parts)

        return single

    def _unparted(
        self, expr: Expr, view: SlotView, label: Bound[str], value: Bound[Dynamic]
    ) -> Bound[Finding]:
        """An expression whose parts lie below the depth asked for."""

        def unparted(slots: Slots) -> Finding:
            return Finding(label(slots), value(slots), "", BY, view.place, more=True)

        return self.words.shortened(
            expr, lambda short: self._leaf(short, view, 0) if short[0] in SINGLE else unparted
        )

    def _adding(self, expr: Expr, view: SlotView, depth: int) -> Parts:
        """The terms of a summand, where they only add; else the summand as one."""
        single = later(lambda: self.single(expr, view, depth))
        if expr[0] in SINGLE or expr[0] in ("*", "div", "mod"):
            return lambda slots: [single(slots)]
        terms = self.terms(expr, view, depth)
        if expr[0] in ("+", "-", "negative") or expr[:2] == ("each", "sum"):
            return terms  # they only add, whatever they are made of

        def adding(slots: Slots) -> list[Finding]:
            found = terms(slots)
            return found if all(map(_adds, found)) else [single(slots)]

        return adding

    def _taken(self, expr: Expr, view: SlotView, depth: int) -> Parts:
        """The terms of the side of an `if` that is taken, and why it is that one."""
        _, condition, then, otherwise = expr
        holds = self.words.value(condition)
        because = self.conditions(condition, view, depth)
        first = later(lambda: self.terms(then, view, depth))
        second = later(lambda: self.terms(otherwise, view, depth))

        def taken(slots: Slots) -> list[Finding]:
            terms = first(slots) if holds(slots) else second(slots)
            return [*terms, *map(f.unless_named, because(slots))]

        return taken

    def _factors(self, expr: Expr, view: SlotView, depth: int) -> Parts:
        if expr[0] != "*":
            single = self.single(expr, view, depth)
            return lambda slots: [single(slots)]
        left, right = (self._factors(side, view, depth) for side in expr[1:])
        return lambda slots: [
            *left(slots),
            *[one._replace(does="times") for one in right(slots)],
        ]

    def _counted(self, expr: Expr, view: SlotView) -> Parts:
        if expr[0] == "count":
            expr = ("each", "count", None, -1, expr[1], None)
        _, _, _, slot, domain, where = expr
        type_ = self.words.element(expr, view)
        passing, title = self.words.passing(slot, domain, where), self.words.title(type_)
        place = self._place(type_.name)
        return lambda slots: [
            Finding(title(one), 1, "constant", via=place(one)) for one in passing(slots)
        ]

    def _brought(self, expr: Expr, view: SlotView, depth: int) -> Parts:
        """The part of each thing that a sum goes through, called after the thing."""
        _, _, value, slot, domain, where = expr
        if value is None and where is None and domain[0] == "list":
            parts = [self.single(part, view, depth) for part in domain[1:]]
            return lambda slots: [part(slots) for part in parts]
        type_ = self.words.element(expr, view)
        passing = self.words.passing(slot, domain, where)
        if value is None:
            title, origin = self.words.title(type_), _origin(domain)
            return lambda slots: [
                Finding(title(one), one, origin, via=view.place) for one in passing(slots)
            ]
        brought = self._called_after(type_, slot, value, view.with_slot(slot, type_), depth)
        return lambda slots: [brought(with_value(slots, slot, one)) for one in passing(slots)]

    def _called_after(
        self, type_: Type, slot: int, value: Expr, view: SlotView, depth: int
    ) -> Bound[Finding]:
        """The part of one thing, with its title unless that is said already."""
        title, place = self.words.title(type_), self._place(type_.name)
        found = self.single(value, view, depth, lambda slots: title(slots[slot]))

        def called(slots: Slots) -> Finding:
            one, thing = found(slots), slots[slot]
            return one.called(title(thing), place(thing) or one.via)

        def named(slots: Slots) -> Finding:
            one, name = found(slots), title(slots[slot])
            return one if name in one.label else one.called(f"{one.label} ({name})", one.via)

        if value[0] not in SINGLE:
            return called
        return found if type_ == UNKNOWN else named

    # ------------------------------------------------------------------ leaves

    def _leaf(self, expr: Expr, view: SlotView, depth: int) -> Bound[Finding]:
        form = expr[0]
        if form in ("function", "allowed"):
            return self.called(expr, view, depth)
        value = self.words.value(expr)
        if form == "value":
            return lambda slots: Finding("by the rule", value(slots), "constant", via=view.place)
        if form == "slot":
            name = view.names[expr[1]].replace("_", " ")
            named = (lambda _: name) if name else self.words.said(expr, view)
            return lambda slots: Finding(named(slots), value(slots), "argument")
        said, origin, place = self.words.said(expr, view), _origin(expr), self._written(expr)
        return lambda slots: Finding(said(slots), value(slots), origin, BY, place(slots))

    def _written(self, expr: Expr) -> Bound[tuple[Origin, ...]]:
        """The places from which a printed field or a setting has its value."""
        read = expr[1] if expr[0] == "lookup" else expr
        if read[0] == "static":
            entity, _, field = read[1].partition(".")
            place, owner, patched = self._place(entity), self.words.value(read[2]), self._patched
            if not patched:
                return lambda slots: place(owner(slots))
            return lambda slots: tuple(
                [patched.get((one, field), one) for one in place(owner(slots))]
            )
        known = expr[0] == "setting" and expr[1] in self._settings
        via = (self._settings[expr[1]],) if known else ()
        return lambda _: via

    def called(self, expr: Expr, view: SlotView, depth: int) -> Bound[Finding]:
        """A function, with those of its arguments that had to be worked out."""
        id, exprs = expr[1], expr[2:]
        function, values = self._function(id, depth), self.words.values(exprs)
        numbers = [
            (number, self.single(arg, view, depth), arg[0] in ("static", "lookup"))
            for number, arg in enumerate(exprs)
            if arg[0] not in ("value", "slot", "record") and self._may_be_number(arg, view)
        ]
        if not numbers:
            return lambda slots: function(values(slots))

        def called(slots: Slots) -> Finding:
            args = values(slots)
            found = function(args)
            worked_out = [
                single(slots).as_part(OF, minor)
                for number, single, minor in numbers
                if _is_number(args[number])
            ]
            return found.made_of((*worked_out, *found.parts)) if worked_out else found

        return called

    def _may_be_number(self, expr: Expr, view: SlotView) -> bool:
        """Whether the value of an expression may be a number, and not that of a thing."""
        type_ = self.words.type_of(expr, view)
        return (type_.present if type_.optional else type_) in (INT, FRACTION, UNKNOWN)

    def _place(self, entity: str) -> Callable[[Dynamic], tuple[Origin, ...]]:
        """The place at which a thing of an entity is printed."""
        known = self.words.linked.entities.get(entity)
        places = known.places if known is not None else ()

        def place(one: Dynamic) -> tuple[Origin, ...]:
            return (places[one],) if isinstance(one, int) and 0 <= one < len(places) else ()

        return place

    # ------------------------------------------------------------------ conditions

    def conditions(self, expr: Expr, view: SlotView, depth: int) -> Parts:
        """The parts of a condition that were asked, each with yes or no."""
        form = expr[0]
        if form in ("and", "or"):
            return self._asked(expr, view, depth)
        if form == "not":
            return self.conditions(expr[1], view, depth)
        if form == "each" and expr[1] in ("exists", "every"):
            return self._instances(expr, view)
        if form in ("function", "allowed"):
            called = self.called(expr, view, depth)
            return lambda slots: [f.as_reason(called(slots))]
        test = self._test(expr, view, depth)
        return lambda slots: [test(slots)]

    def _asked(self, expr: Expr, view: SlotView, depth: int) -> Parts:
        """The parts of `and` and `or`: the second side is asked where the first leaves it open."""
        form, one, other = expr
        first, holds = self.conditions(one, view, depth), self.words.value(one)
        second = later(lambda: self.conditions(other, view, depth))

        def asked(slots: Slots) -> list[Finding]:
            found = first(slots)
            return [*found, *second(slots)] if bool(holds(slots)) == (form == "and") else found

        return asked

    def _test(self, expr: Expr, view: SlotView, depth: int) -> Bound[Finding]:
        value, said, origin = self.words.value(expr), self.words.said(expr, view), _origin(expr)
        sides = [
            (self.words.value(side), self.single(side, view, depth - 1))
            for side in (expr[1:] if expr[0] in COMPARING and depth > 0 else ())
            if side[0] not in ("value", "slot") and self._may_be_number(side, view)
        ]

        def test(slots: Slots) -> Finding:
            held = bool(value(slots))
            parts = tuple(
                [
                    single(slots)._replace(does=OF)
                    for side, single in sides
                    if _is_number(side(slots))
                ]
            )
            return Finding(said(slots), held, "" if parts else origin, OF, view.place, parts)

        return test

    def _instances(self, expr: Expr, view: SlotView) -> Parts:
        """The things by which there is one, or by which it is not so of every one."""
        _, kind, value, slot, domain, where = expr
        test, among = (where, None) if kind == "every" and value is None else (value, where)
        type_, holds = self.words.element(expr, view), self.words.value(expr)
        title, place = self.words.title(type_), self._place(type_.name)
        passing = later(lambda: self.words.passing(slot, domain, among))
        passed = (lambda _: True) if test is None else later(lambda: self.words.value(test))

        def instances(slots: Slots) -> list[Finding]:
            held = bool(holds(slots))
            if held != (kind == "exists"):
                return []
            return [
                Finding(title(one), held, "printed", OF, place(one))
                for one in passing(slots)
                if test is None or bool(passed(with_value(slots, slot, one))) == held
            ]

        return instances


def _adds(found: Finding) -> bool:
    return found.does in (BY, LESS)


def _is_number(value: Dynamic) -> bool:
    return value.__class__ is int or value.__class__ is Fraction


def _origin(expr: Expr) -> str:
    """The kind of a leaf."""
    form = expr[1][0] if expr[0] == "lookup" else expr[0]
    if form == "setting":
        return "setting"
    if form in ("static", "table"):
        return "printed"
    return "constant" if form in ("value", "..") else "state"


def _added(form: str, left: Parts, right: Parts) -> Parts:
    """The terms of both sides of a sum or difference."""
    if form == "+":
        return lambda slots: [*left(slots), *right(slots)]
    return lambda slots: [*left(slots), *map(f.taken_off, right(slots))]


def _compared(rivals: list[Finding], kind: str) -> list[Finding]:
    """The highest or lowest of several; the others do not count."""
    if not rivals:
        return [Finding("there is none", 0, "nothing")]
    best = (max if kind == "highest" else min)([one.value for one in rivals])
    winner = next(one for one in rivals if one.value == best)
    why = f"a {kind.removesuffix('est')}er one counts"
    return [one if one is winner else one._replace(counts=False, why=why) for one in rivals]
