"""Stats: numbers that other items modify. Puts the base and every modifier of one together.

In go the declaration of a stat and what `compiler.abilities` found; out come one expression, which is what
the machine works out, and the `Stat` of the program, which says the same in parts for whoever asks why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from compiler.abilities import Abilities, Planned, Text
from compiler.adding_up import added_up
from compiler.calls import arguments
from compiler.context import BROKEN, Context
from compiler.diagnostics import did_you_mean
from compiler.effect import tree
from compiler.effect.ability_tree import Place
from compiler.effect.parse import parse_expr
from compiler.locals import clashes
from compiler.records import item_numbers
from compiler.scopes import Local, ZoneRead, mentions, size
from compiler.symbols import ParamSymbol, Signature
from compiler.texts import Passage, parsed, passage, passage_at
from compiler.types import is_unknown
from compiler.wanted import condition, wanted
from compiler.yaml_node import Node
from runtime.program import Expr, Modifier, Stat
from runtime.values import BOOL, INT, TEXT, Type

SELF, THIS = "self", "this"
# Less than what the machine takes from a save.
MOST_PARTS = 15_000

Maker = Callable[[Passage, str, Sequence[ParamSymbol]], Context]
Terms = dict[int, Expr]


@dataclass
class Stats:
    """Builds the stats of one game. `make` gives a fresh context for a text."""

    abilities: Abilities
    make: Maker
    built: dict[str, Stat] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.content, self.symbols = self.abilities.content, self.abilities.symbols
        self.report = self.abilities.report
        self._bearing: dict[str, tuple[Expr, tuple[ZoneRead, ...]] | None] = {}
        self._numbers = item_numbers(self.content, self.symbols)

    def build(self, callee: Signature, base: Expr) -> tuple[Expr, tuple[ZoneRead, ...]]:
        """The whole of a stat whose base is checked already, and the zones that its modifiers look into."""
        planned = self.abilities.planned(callee.name)
        made = [_Making(self, callee, one).modifier() for one in planned]
        modifiers = tuple(one for one, _ in filter(None, made))
        reads = tuple(read for _, zones in filter(None, made) for read in zones)
        least, most = (self._limit(callee, name) for name in ("least", "most"))
        stat = Stat(callee.id, base, modifiers, least, most)
        self.built[callee.id] = stat
        whole = added_up(stat, self.symbols.bonuses, len(callee.params))
        if size(whole) > MOST_PARTS:
            message = f"so much modifies `{callee.name}` that no machine would read it back from a save"
            self.report.error("too-much-work", callee.place, message, "let fewer items modify it")
        return whole, reads

    def _limit(self, callee: Signature, name: str) -> Expr | None:
        item = next(one for one in self.content.items if one.id == callee.id)
        text = passage(self.content, item, name, self.report)
        node = parsed(text, parse_expr, self.report) if text is not None else None
        if text is None or node is None:
            return None
        typed = wanted(self.make(text, callee.id, callee.params), node, callee.result or INT)
        return typed.expr if typed.sound else None

    def check_bearers(self) -> None:
        """Check who bears the items of each kind, also where there are none yet."""
        for kind in self.symbols.bearers:
            self._borne(kind)

    def bearing(self, text: Text) -> tuple[Expr, tuple[ZoneRead, ...]] | None:
        """When `self` (slot 0) bears the item, and the zones this looks into; None where it holds for everybody,
        or nothing can be said."""
        if text.item.kind not in self.symbols.bearers:
            return None
        found = self._borne(text.item.kind)
        if found is None:
            return None
        terms = {1: self.this(text)}
        return in_terms(found[0], terms), reads_in_terms(found[1], terms)

    def _borne(self, kind: str) -> tuple[Expr, tuple[ZoneRead, ...]] | None:
        """When `self` (slot 0) bears `this` (slot 1), an item of the kind.

        Hands and the like may be hidden: whatever depends on who bears what depends on them too.
        """
        if kind not in self._bearing:
            bearer = self.symbols.bearers[kind]
            made = Type(self.symbols.kinds[kind])
            params = (ParamSymbol(SELF, Type(bearer.entity)), ParamSymbol(THIS, made))
            self._bearing[kind] = self._condition(bearer.when, params)
        return self._bearing[kind]

    def this(self, text: Text) -> Expr:
        """The thing that an item makes."""
        number = self._numbers.get(text.item.id)
        return BROKEN if number is None else ("record", self.symbols.kinds[text.item.kind], ("value", number))

    def _condition(
        self, node: Node, params: tuple[ParamSymbol, ...]
    ) -> tuple[Expr, tuple[ZoneRead, ...]] | None:
        text = passage_at(self.content, node, self.report)
        found = parsed(text, parse_expr, self.report) if text is not None else None
        if text is None or found is None:
            return None
        context = self.make(text, "", params)
        typed = wanted(context, found, BOOL)
        return (typed.expr, tuple(context.reads)) if typed.sound else None


@dataclass
class _Making:
    """One modifier on its way from the text to the program."""

    stats: Stats
    callee: Signature
    planned: Planned

    def __post_init__(self) -> None:
        self.terms: Terms = {}
        self.reads: list[ZoneRead] = []
        self.sound = True

    def modifier(self) -> tuple[Modifier, tuple[ZoneRead, ...]] | None:
        """The modifier, or None after a complaint or for a keyword that nothing uses."""
        texts, node = self.planned.texts, self.planned.node
        tests = self._tests_of_bearing(texts[0])
        context = self._context(texts[0], None)
        tests += self._conditions(context, texts[0])
        for text in texts[1:]:
            context = self._context(text, context)
            tests += self._conditions(context, text)
        tests += self._places(context)
        value = self._checked(context, node.value, self.callee.result or INT)
        if node.where is not None:
            tests.append(self._condition(context, node.where))
        label, bonus = self._label(context), self._bonus(context)
        self.reads.extend(reads_in_terms(context.reads, self.terms))
        if not self.sound or texts[0].callee is not None:
            return None
        via = tuple(text.passage.origin(_mark(text, texts, node)) for text in texts)
        item = texts[0].item.id
        made = Modifier(item, node.change, _all(tests), value, bonus, label, via)
        return made, tuple(self.reads)

    # ------------------------------------------------------------------ whom it is about

    def _tests_of_bearing(self, text: Text) -> list[Expr]:
        if text.callee is not None:
            return []
        entity = self._bearers_of(text)
        about = self.callee.params[0].type if self.callee.params else None
        if entity is not None and about is not None and about != entity and not is_unknown(about):
            context = self.stats.make(self.planned.texts[-1].passage, "", ())
            noun = context.say(entity)
            message = f"`{self.callee.name}` is a number of {context.say(about)}, and `self` is {noun} here"
            context.error("type-mismatch", self.planned.node.stat, message)
            self.sound = False
            return []
        found = self.stats.bearing(text)
        if found is None:
            return []
        self.reads.extend(found[1])
        return [found[0]]

    def _bearers_of(self, text: Text) -> Type | None:
        bearer = self.stats.symbols.bearers.get(text.item.kind)
        entity = bearer.entity if bearer is not None else str(text.item.data("for") or "")
        # A type that does not exist has been told where it stands.
        return Type(entity) if self.stats.symbols.knows_type(entity) else None

    def _context(self, text: Text, outer: Context | None) -> Context:
        """A context in which `self`, and `this` or the parameters of the keyword, have values."""
        context = self.stats.make(text.passage, text.item.id, ())
        slots = [context.hidden_slot(f"${param.name}") for param in self.callee.params]
        place = text.passage.place((0, 0))
        about = self.callee.params[0].type if self.callee.params else INT
        known = [Local(SELF, slots[0] if slots else 0, about, place, "who bears it", used=True)]
        args = None
        if outer is None and text.item.kind in self.stats.symbols.bearers:
            slot = context.hidden_slot(THIS)
            made = Type(self.stats.symbols.kinds[text.item.kind])
            known.append(Local(THIS, slot, made, place, "the item", used=True))
            self.terms = {slot: self.stats.this(text)}
        if text.callee is not None:
            if outer is not None and text.call is not None:
                args = self._arguments(outer, text)
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
        self.reads.extend(reads_in_terms(outer.reads, self.terms))
        if found is None or any(mentions(one, BROKEN) for one in found):
            self.sound = False
            return None
        return tuple(in_terms(one, self.terms) for one in found)

    # ------------------------------------------------------------------ what it says

    def _checked(self, context: Context, node: tree.Expr, type_: Type) -> Expr:
        typed = wanted(context, node, type_)
        self.sound &= typed.sound
        return in_terms(typed.expr, self.terms)

    def _condition(self, context: Context, node: tree.Expr) -> Expr:
        typed = condition(context, node)
        self.sound &= typed.sound
        return in_terms(typed.expr, self.terms)

    def _conditions(self, context: Context, text: Text) -> list[Expr]:
        return [self._condition(context, node) for node in text.conditions]

    def _places(self, context: Context) -> list[Expr]:
        """What the arguments of the stat must be: `self` first; `each x` may be anything."""
        node, params = self.planned.node, self.callee.params
        if len(node.places) != len(params):
            shape = ", ".join(param.name for param in params)
            message = (
                f"`{self.callee.name}({shape})` takes {len(params)} things, and here are {len(node.places)}"
            )
            code = "missing-argument" if len(node.places) < len(params) else "too-many-arguments"
            context.error(code, node.stat, message)
            self.sound = False
            return []
        tests: list[Expr] = []
        for slot, (place, param) in enumerate(zip(node.places, params, strict=True)):
            if slot == 0:
                self._self(context, place)
            elif place.each is not None:
                self._each(context, place.each, slot, param)
            elif place.value is not None:
                tests.append(("=", ("slot", slot), self._checked(context, place.value, param.type)))
        return tests

    def _self(self, context: Context, place: Place) -> None:
        if not (isinstance(place.value, tree.Name) and place.value.id == SELF):
            message = f"abilities are about who bears them: here must stand `{SELF}`"
            context.error("not-self", place, message, f"`{SELF}`")
            self.sound = False

    def _each(self, context: Context, name: tree.Name, slot: int, param: ParamSymbol) -> None:
        self.sound &= not clashes(context, name)
        place = context.passage.place(name.span)
        local = Local(name.id, slot, param.type, place, "any of them", used=True)
        context.flow = context.flow.with_local(local)

    def _bonus(self, context: Context) -> str:
        node, bonuses = self.planned.node, self.stats.symbols.bonuses
        if node.bonus is None:
            return ""
        name = node.bonus.id
        if name not in bonuses:
            help = did_you_mean(name, bonuses) if bonuses else "`kind: bonus` declares one"
            if name not in self.stats.symbols.poisoned:
                context.error("unknown-bonus", node.bonus, f"there is no type of bonus `{name}`", help)
            self.sound = False
        elif node.change != "by":
            message = "only what adds (`by`) has a type: the others are held against each other anyway"
            context.error("unknown-bonus", node.bonus, message, "take the type out")
            self.sound = False
        items = self.stats.content.by_kind("bonus")
        self.stats.symbols.used.update(item.id for item in items if item.slug == name)
        return name

    def _label(self, context: Context) -> str:
        node, item = self.planned.node, self.planned.texts[0].item
        if node.label is None:
            return str(item.data("title") or item.name)
        found = self._checked(context, node.label, TEXT)
        if self.sound and self.planned.texts[0].callee is None and found[0] != "value":
            context.error("not-a-constant", node.label, "a reason is a plain text", '`as "why"`')
            self.sound = False
        return str(found[1]) if found[0] == "value" else ""


def _mark(text: Text, texts: Sequence[Text], node: tree.Node) -> tree.Span:
    """Where a text does its part: uses the next keyword, or modifies."""
    after = texts[texts.index(text) + 1 :]
    call = after[0].call if after else None
    return call.span if call is not None else node.span


def _all(tests: Sequence[Expr]) -> Expr | None:
    """All of the conditions in one."""
    if not tests:
        return None
    whole = tests[0]
    for test in tests[1:]:
        whole = ("and", whole, test)
    return whole


def reads_in_terms(reads: Iterable[ZoneRead], terms: Terms) -> tuple[ZoneRead, ...]:
    """The same zones, their owners with some slots replaced."""
    return tuple(
        read
        if read.owner is None
        else ZoneRead(read.zone, in_terms(read.owner, terms), read.place, read.chosen)
        for read in reads
    )


def in_terms(expr: Expr, terms: Terms) -> Expr:
    """An expression with some of its slots replaced."""
    if expr[0] == "slot":
        return terms.get(expr[1], expr)
    if expr[0] == "value":
        return expr
    return tuple(in_terms(part, terms) if type(part) is tuple and part else part for part in expr)
