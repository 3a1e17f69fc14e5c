"""Stats: numbers that other items modify. Puts the base and every modifier of one together.

In go the declaration of a stat and what `compiler.abilities` found; out come one expression, which is what
the machine works out, and the `Stat` of the program, which says the same in parts for whoever asks why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from compiler.abilities import Abilities, Planned, Text
from compiler.adding_up import added_up
from compiler.bearing import SELF, Bearers, Maker, Way, all_of
from compiler.conditions import warn_if_clashing
from compiler.context import Context
from compiler.diagnostics import did_you_mean
from compiler.effect import tree
from compiler.effect.ability_tree import Place
from compiler.effect.parse import parse_expr
from compiler.holding import bounds
from compiler.intervals import UNKNOWN
from compiler.locals import clashes
from compiler.scopes import Local, ZoneRead, size
from compiler.symbols import ParamSymbol, Signature
from compiler.texts import parsed, passage
from compiler.types import is_unknown
from compiler.wanted import wanted
from runtime.program import Expr, Modifier, Stat
from runtime.values import INT, TEXT

# Less than what the machine takes from a save.
MOST_PARTS = 15_000
# What leaves a number as it is.
IDLE: dict[str, Expr] = {"by": ("value", 0), "times": ("value", 1)}


@dataclass
class Stats:
    """Builds the stats of one game. `make` gives a fresh context for a text."""

    abilities: Abilities
    make: Maker
    built: dict[str, Stat] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.content, self.symbols = self.abilities.content, self.abilities.symbols
        self.report = self.abilities.report
        self.bearers = Bearers(self.content, self.symbols, self.report, self.make)

    def build(self, callee: Signature, base: Expr) -> tuple[Expr, tuple[ZoneRead, ...]]:
        """The whole of a stat whose base is checked already, and the zones that its modifiers look into."""
        # First the limits: what modifies within them changes nothing.
        least, most = (self._limit(callee, name) for name in ("least", "most"))
        modifiers, reads = self._modifiers(callee)
        stat = Stat(callee.id, base, modifiers, least, most)
        self.built[callee.id] = stat
        whole = added_up(stat, self.symbols.bonuses, len(callee.params))
        self._refuse_large(callee, whole)
        return whole, reads

    def restricted(self, callee: Signature, base: Expr) -> tuple[Expr, tuple[ZoneRead, ...]]:
        """The whole of a rule, with all that restricts it, and the zones that this looks into."""
        modifiers, reads = self._modifiers(callee)
        if not modifiers:
            return base, reads
        self.built[callee.id] = Stat(callee.id, base, modifiers, None, None)
        whole = ("and", base, ("not", _any(modifiers)))
        self._refuse_large(callee, whole)
        return whole, reads

    def _modifiers(self, callee: Signature) -> tuple[tuple[Modifier, ...], tuple[ZoneRead, ...]]:
        planned = self.abilities.planned(callee.name)
        made = [_Making(self, callee, one).modifier() for one in planned]
        modifiers = tuple(one for one, _ in filter(None, made))
        return modifiers, tuple(read for _, zones in filter(None, made) for read in zones)

    def _refuse_large(self, callee: Signature, whole: Expr) -> None:
        if size(whole) > MOST_PARTS:
            message = f"so much modifies `{callee.name}` that no machine would read it back from a save"
            self.report.error("too-much-work", callee.place, message, "let fewer items modify it")

    def _limit(self, callee: Signature, name: str) -> Expr | None:
        item = next(one for one in self.content.items if one.id == callee.id)
        text = passage(self.content, item, name, self.report)
        node = parsed(text, parse_expr, self.report) if text is not None else None
        if text is None or node is None:
            return None
        context = self.make(text, callee.id, callee.params)
        typed = wanted(context, node, callee.result or INT)
        if not typed.sound:
            return None
        low, high = bounds(context, typed.expr)
        least, most = context.functions.limits.get(callee.id, UNKNOWN)
        context.functions.limits[callee.id] = (low, most) if name == "least" else (least, high)
        return typed.expr


class _Making(Way):
    """One modifier on its way from the text to the program."""

    def __init__(self, stats: Stats, callee: Signature, planned: Planned) -> None:
        names = [f"${param.name}" for param in callee.params]
        about = callee.params[0].type if callee.params else INT
        super().__init__(stats.bearers, planned.texts, names or ["$self"], 0, about)
        self.stats, self.callee, self.planned = stats, callee, planned

    def modifier(self) -> tuple[Modifier, tuple[ZoneRead, ...]] | None:
        """The modifier, or None after a complaint or for a keyword that nothing uses."""
        texts, node = self.planned.texts, self.planned.node
        self._is_about_bearers()
        context, tests = self.walk()
        tests += self._places(context)
        value = self.checked(context, node.value, self.callee.result or INT)
        if self.sound:
            self._warn_if_idle(context, value)
        if node.where is not None:
            tests.append(self.condition(context, node.where))
        if self.sound:
            warn_if_clashing(context, node, tests)
        label, bonus = self._label(context), self._bonus(context)
        self.close(context)
        if not self.sound or self.alone:
            return None
        via = tuple(text.passage.origin(mark_of(text, texts, node)) for text in texts)
        item = texts[0].item.id
        made = Modifier(item, node.change, all_of(tests), value, bonus, label, via)
        return made, tuple(self.reads)

    def _is_about_bearers(self) -> None:
        """Complain if the stat is a number of other things than those that bear the item."""
        entity = None if self.alone else self.bearers.entity(self.texts[0])
        about = self.callee.params[0].type if self.callee.params else None
        if entity is not None and about is not None and about != entity and not is_unknown(about):
            context = self.stats.make(self.texts[-1].passage, "", ())
            noun = context.say(entity)
            kind = "rule" if self.callee.kind == "rule" else "number"
            message = f"`{self.callee.name}` is a {kind} of {context.say(about)}, and `self` is {noun} here"
            context.error("type-mismatch", self.planned.node.stat, message)
            self.sound = False

    # ------------------------------------------------------------------ what it says

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
                tests.append(("=", ("slot", slot), self.checked(context, place.value, param.type)))
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

    def _warn_if_idle(self, context: Context, value: Expr) -> None:
        """Warn about a change that leaves the stat as it is, where it stands or where a keyword is told so."""
        node, texts = self.planned.node, self.planned.texts
        least, most = context.functions.limits.get(self.callee.id, UNKNOWN)
        low, high = bounds(context, value)
        why = ""
        if value == IDLE.get(node.change):
            why = f"`{node.change} {value[1]}` leaves it as it is"
        elif node.change == "least" and least is not None and high is not None and high <= least:
            why = f"it is at least {least} anyway"
        elif node.change == "most" and most is not None and low is not None and low >= most:
            why = f"it is at most {most} anyway"
        if why:
            own = node.value if len(texts) == 1 or _is_plain(node.value) else None
            text = texts[-1] if own is not None else texts[0]
            span = own.span if own is not None else mark_of(text, texts, node)
            message = f"this changes nothing of `{self.callee.name}`: {why}"
            context.report.warning("changes-nothing", text.passage.place(span), message)

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
        found = self.checked(context, node.label, TEXT)
        if self.sound and self.planned.texts[0].callee is None and found[0] != "value":
            context.error("not-a-constant", node.label, "a reason is a plain text", '`as "why"`')
            self.sound = False
        return str(found[1]) if found[0] == "value" else ""


def _any(modifiers: Sequence[Modifier]) -> Expr:
    """Does one of these apply? Put together by halves, so that it is not nested deep."""
    if len(modifiers) == 1:
        test = modifiers[0].test
        return ("value", True) if test is None else test
    half = len(modifiers) // 2
    return ("or", _any(modifiers[:half]), _any(modifiers[half:]))


def _is_plain(node: tree.Expr) -> bool:
    """Is this a number as it is written?"""
    return isinstance(node, tree.Number) or (isinstance(node, tree.Unary) and _is_plain(node.value))


def mark_of(text: Text, texts: Sequence[Text], node: tree.Node) -> tree.Span:
    """Where a text does its part: uses the next keyword, or modifies."""
    after = texts[texts.index(text) + 1 :]
    call = after[0].call if after else None
    return call.span if call is not None else node.span
