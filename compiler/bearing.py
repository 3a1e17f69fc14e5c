"""Who bears an ability, and what the names in its texts stand for: `self`, `this`, the values of a keyword.

The texts on the way to an ability (that of the item, then those of keywords) are each read in a context of
their own. All of these contexts begin with the same slots, one of which is `self`; expressions of different
texts can so be put together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from compiler.abilities import Text
from compiler.calls import arguments
from compiler.conditions import warn_if_constant
from compiler.content import Content
from compiler.context import BROKEN, Context
from compiler.diagnostics import Report
from compiler.effect import tree
from compiler.effect.parse import parse_expr
from compiler.keyword_bounds import hold_to_bounds, said
from compiler.records import item_numbers
from compiler.scopes import Local, ZoneRead, mentions
from compiler.symbols import ParamSymbol, Symbols
from compiler.texts import Passage, parsed, passage_at
from compiler.types import is_unknown
from compiler.wanted import condition, wanted
from runtime.program import Expr
from runtime.values import BOOL, INT, Type

SELF, THIS = "self", "this"

Maker = Callable[[Passage, str, Sequence[ParamSymbol]], Context]
Terms = dict[int, Expr]
Borne = tuple[Expr, tuple[ZoneRead, ...]]


@dataclass
class Bearers:
    """Who bears the items of each content kind. `make` gives a fresh context for a text."""

    content: Content
    symbols: Symbols
    report: Report
    make: Maker
    _borne: dict[tuple[str, int, int], Borne | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._numbers = item_numbers(self.content, self.symbols)

    def check(self) -> None:
        """Check who bears the items of each kind, also where there are none yet."""
        for kind in self.symbols.bearers:
            self._when(kind, 0, 1)

    def entity(self, text: Text) -> Type | None:
        """What `self` is in the abilities of an item; None where nothing can be said."""
        bearer = self.symbols.bearers.get(text.item.kind)
        entity = bearer.entity if bearer is not None else str(text.item.data("for") or "")
        # A type that does not exist has been told where it stands.
        return Type(entity) if self.symbols.knows_type(entity) else None

    def bearing(self, text: Text, slot: int, first: int) -> Borne | None:
        """When `self` (in `slot`) bears the item, and the zones this looks into; None where it holds for
        everybody, or nothing can be said. Slots below `first` have other values."""
        if text.item.kind not in self.symbols.bearers or self._when(text.item.kind, 0, 1) is None:
            return None
        found = self._when(text.item.kind, slot, first)
        if found is None:
            return None
        terms = {first: self.this(text)}
        return in_terms(found[0], terms), reads_in_terms(found[1], terms)

    def _when(self, kind: str, slot: int, first: int) -> Borne | None:
        """When `self` bears `this` (in the slot `first`), an item of the kind.

        Hands and the like may be hidden: whatever depends on who bears what depends on them too.
        """
        key = (kind, slot, first)
        if key not in self._borne:
            bearer = self.symbols.bearers[kind]
            params = [ParamSymbol(f"${number}", INT) for number in range(first)]
            params[slot] = ParamSymbol(SELF, Type(bearer.entity))
            params.append(ParamSymbol(THIS, Type(self.symbols.kinds[kind])))
            text = passage_at(self.content, bearer.when, self.report)
            found = parsed(text, parse_expr, self.report) if text is not None else None
            self._borne[key] = None
            if text is not None and found is not None:
                context = self.make(text, "", params)
                typed = wanted(context, found, BOOL)
                self._borne[key] = (typed.expr, tuple(context.reads)) if typed.sound else None
        return self._borne[key]

    def this(self, text: Text) -> Expr:
        """The thing that an item makes."""
        number = self._numbers.get(text.item.id)
        return BROKEN if number is None else ("record", self.symbols.kinds[text.item.kind], ("value", number))


class Way:
    """The way from the text of an item to one ability. `first` are the names of the slots that all contexts
    begin with, `slot` is that of `self`, and `about` what `self` is."""

    def __init__(
        self, bearers: Bearers, texts: Sequence[Text], first: Sequence[str], slot: int, about: Type
    ) -> None:
        self.bearers, self.texts, self.first, self.slot, self.about = bearers, texts, first, slot, about
        self.terms: Terms = {}
        """What the slots of `this` and of the keyword's parameters stand for in the last text."""
        self.reads: list[ZoneRead] = []
        self.sound = True
        self.at: tree.Span = (0, 0)
        """Where the last text is to blame for what is the matter with bearing."""
        self.size = len(first)
        """How many slots there are at most in the contexts gone through."""

    @property
    def alone(self) -> bool:
        """Is this a keyword that nothing uses, so that nobody bears it?"""
        return self.texts[0].callee is not None

    def walk(self) -> tuple[Context, list[Expr]]:
        """Go through the texts: the context of the last one, and the conditions on the way, bearing first."""
        tests = self._tests_of_bearing()
        context = self._context(self.texts[0], None)
        tests += self._conditions(context, self.texts[0])
        for text in self.texts[1:]:
            self.close(context)
            context = self._context(text, context)
            tests += self._conditions(context, text)
        return context, tests

    def close(self, context: Context) -> None:
        """Note what was read in a context, and how many slots it has."""
        self.reads.extend(reads_in_terms(context.reads, self.terms))
        context.reads.clear()
        self.size = max(self.size, len(context.slots))

    def checked(self, context: Context, node: tree.Expr, type_: Type) -> Expr:
        """An expression of this type, in terms that mean the same in every text."""
        typed = wanted(context, node, type_)
        self.sound &= typed.sound
        return in_terms(typed.expr, self.terms)

    def condition(self, context: Context, node: tree.Expr) -> Expr:
        """A condition, in terms that mean the same in every text."""
        typed = condition(context, node)
        if typed.sound:
            warn_if_constant(context, node, typed.expr)
        self.sound &= typed.sound
        return in_terms(typed.expr, self.terms)

    def _tests_of_bearing(self) -> list[Expr]:
        entity = self.bearers.entity(self.texts[0])
        if self.alone or (entity is not None and entity != self.about and not is_unknown(self.about)):
            return []
        found = self.bearers.bearing(self.texts[0], self.slot, len(self.first))
        if found is None:
            return []
        here = self.texts[-1].passage.place(self.at)
        self.reads.extend(replace(read, place=here) for read in found[1])
        return [found[0]]

    def _context(self, text: Text, outer: Context | None) -> Context:
        """A context in which `self`, and `this` or the parameters of the keyword, have values."""
        context = self.bearers.make(text.passage, text.item.id, ())
        for name in self.first:
            context.hidden_slot(name)
        symbols, place = self.bearers.symbols, text.passage.place((0, 0))
        known = [Local(SELF, self.slot, self.about, place, "who bears it", used=True)]
        args: tuple[Expr, ...] | None = None
        if text.callee is not None and outer is not None and text.call is not None:
            args = self._arguments(outer, text)
            self.close(outer)
        self.terms = {}
        if outer is None and text.item.kind in symbols.bearers:
            slot = context.hidden_slot(THIS)
            made = Type(symbols.kinds[text.item.kind])
            known.append(Local(THIS, slot, made, place, "the item", used=True))
            self.terms = {slot: self.bearers.this(text)}
        if text.callee is not None:
            fresh = [context.hidden_slot(param.name) for param in text.callee.params]
            known += [
                Local(param.name, slot, param.type, place, "a parameter", used=True)
                for slot, param in zip(fresh, text.callee.params, strict=True)
            ]
            self.terms = dict(zip(fresh, args, strict=True)) if args is not None else {}
        for local in known:
            context.flow = context.flow.with_local(local)
        return context

    def _arguments(self, outer: Context, text: Text) -> tuple[Expr, ...] | None:
        assert text.callee is not None
        assert text.call is not None
        found = arguments(outer, text.call, text.callee, text.call.args)
        if found is None or any(mentions(one, BROKEN) for one in found):
            self.sound = False
            return None
        told = tuple(in_terms(one, self.terms) for one in found)
        written = said(text.callee, text.call.args)
        self.sound &= hold_to_bounds(outer, text.callee, text.call, written, told)
        return told

    def _conditions(self, context: Context, text: Text) -> list[Expr]:
        return [self.condition(context, node) for node in text.conditions]


def all_of(tests: Sequence[Expr]) -> Expr | None:
    """All of the conditions in one; None for none."""
    if not tests:
        return None
    whole = tests[0]
    for test in tests[1:]:
        whole = ("and", whole, test)
    return whole


def reads_in_terms(reads: Iterable[ZoneRead], terms: Terms) -> tuple[ZoneRead, ...]:
    """The same zones, their owners with some slots replaced."""
    return tuple(
        read if read.owner is None else replace(read, owner=in_terms(read.owner, terms)) for read in reads
    )


def in_terms(expr: Expr, terms: Terms) -> Expr:
    """An expression with some of its slots replaced."""
    if expr[0] == "slot":
        return terms.get(expr[1], expr)
    if expr[0] == "value":
        return expr
    return tuple(in_terms(part, terms) if type(part) is tuple and part else part for part in expr)
