"""Stats: numbers that other items modify.

Each becomes one expression, which the machine evaluates, and the `Stat` of the program, the same in
parts, for explanations. Modifiers apply in this order: the base; what sets a value (the highest wins);
what adds; what multiplies; what bounds; last the bounds of the stat itself. Of the bonuses of one sort
that keeps the best, the highest and the lowest below zero count. Multipliers apply after additions, or
to the base; all with the same rounding multiply together, and are rounded once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ruleloom.compiler.bounds.intervals import bounds
from ruleloom.compiler.bounds.work import check_work
from ruleloom.compiler.check.expect import wanted, warn_if_clashing
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.flow.context import BROKEN, Context
from ruleloom.compiler.flow.flow import Local, ZoneRead, unnamed
from ruleloom.compiler.lower.abilities import Abilities, Bearers, Maker, Planned
from ruleloom.compiler.lower.keyword_paths import KeywordPath
from ruleloom.compiler.packs.content import Item, slug_of
from ruleloom.compiler.packs.lasting_names import EACH, ONCE, SELF, THIS
from ruleloom.compiler.packs.settings import TAGS
from ruleloom.compiler.resolve.embedded import read_text
from ruleloom.compiler.resolve.symbols import Lasting, Signature
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_expr
from ruleloom.compiler.types import UNKNOWN, is_unknown
from ruleloom.compiler.yaml.node import items_of
from ruleloom.runtime.program.expr import ONE, ZERO, conjunction, rounded, size, slots_read
from ruleloom.runtime.program.interval import Interval
from ruleloom.runtime.program.program import ROUNDINGS, Expr, Modifier, Stat
from ruleloom.runtime.program.values import FRACTION, INT, TEXT, Type

BEST = "best"
NOTHING: Expr = ("list",)
# Below the limit of the machine for a save.
MOST_PARTS = 15_000
# The changes that leave a number as it is.
IDLE: dict[str, Expr] = {"by": ("value", 0), "times": ("value", 1)}
# How several effects of one name combine, by change; of a bonus that keeps the best, the highest
# and the lowest below zero count, as of several items.
TOGETHER = {
    **{"by": ("sum",), "to": ("highest",), "times": ("highest",), "least": ("highest",)},
    **{"most": ("lowest",), BEST: ("highest", "lowest")},
}


def added_up(stat: Stat, bonuses: Mapping[str, str], slot: int) -> Expr:
    """The value of a stat as an expression over its parameters; `slot` is a free one."""
    value = _multiplied(stat.base, stat, "first", slot)
    setting, adding = (
        [one for one in stat.modifiers if one.change == change] for change in ("to", "by")
    )
    if setting:
        found = _halved("join", [_listed(one) for one in setting])
        highest: Expr = ("each", "highest", None, slot, found, None)
        is_sure = any(one.test is None for one in setting)
        value = highest if is_sure else ("if", ("=", ("count", found), ZERO), value, highest)
    parts = _parts(adding, bonuses, slot)
    if parts:
        value = ("each", "sum", None, slot, ("list", value, *parts), None)
    return _bounded(_multiplied(value, stat, "times", slot), stat, slot)


def _multiplied(value: Expr, stat: Stat, change: str, slot: int) -> Expr:
    """A value after its multipliers, with each way of rounding applied by itself, if any applies."""
    for how in ROUNDINGS:
        found = [one for one in stat.modifiers if one.change == f"{change}{how}"]
        if found:
            value = _halved("*", [value, *(_if(one, ONE) for one in found)])
        if found and how:
            here: Expr = ("slot", slot)
            whole: Expr = ("if", _any(found), rounded(here, how.strip()), here)
            value = ("each", "sum", whole, slot, ("list", value), None)
    return value


def _halved(sign: str, parts: Sequence[Expr]) -> Expr:
    """The parts joined by an operator, as a balanced tree to limit nesting."""
    if len(parts) == 1:
        return parts[0]
    half = (len(parts) + 1) // 2
    return (sign, _halved(sign, parts[:half]), _halved(sign, parts[half:]))


def _if(one: Modifier, otherwise: Expr) -> Expr:
    return one.value if one.test is None else ("if", one.test, one.value, otherwise)


def _listed(one: Modifier) -> Expr:
    value: Expr = ("list", one.value)
    return value if one.test is None else ("if", one.test, value, NOTHING)


def _parts(adding: Sequence[Modifier], bonuses: Mapping[str, str], slot: int) -> list[Expr]:
    plain = [one for one in adding if bonuses.get(one.bonus) != BEST]
    parts = [_if(one, ZERO) for one in plain]
    for bonus in sorted({one.bonus for one in adding if bonuses.get(one.bonus) == BEST}):
        rivals = ("list", ZERO, *(_if(one, ZERO) for one in adding if one.bonus == bonus))
        parts += [("each", kind, None, slot, rivals, None) for kind in ("highest", "lowest")]
    return parts


def _bounded(value: Expr, stat: Stat, slot: int) -> Expr:
    for change, kind in (("least", "highest"), ("most", "lowest")):
        limits = [one for one in stat.modifiers if one.change == change]
        if limits:
            # A list, so that the value occurs once, however many limits there are.
            found = _halved("join", [("list", value), *map(_listed, limits)])
            value = ("each", kind, None, slot, found, None)
    for limit, kind in ((stat.least, "highest"), (stat.most, "lowest")):
        if limit is not None:
            value = ("each", kind, None, slot, ("list", value, limit), None)
    return value


class Stats:
    """Builds the stats of one game. `make` returns a fresh context for a text."""

    def __init__(self, abilities: Abilities, make: Maker) -> None:
        self.abilities, self.make = abilities, make
        self.content, self.symbols = abilities.content, abilities.symbols
        self.report = abilities.report
        self.bearers = Bearers(abilities, make)
        self.built: dict[str, Stat] = {}

    def build(self, callee: Signature, base: Expr) -> tuple[Expr, tuple[ZoneRead, ...]]:
        """The full expression of a stat or rule with a checked base, and the zones that its modifiers
        read.
        """
        is_rule = callee.kind == "rule"
        # The limits first: they decide whether a modifier changes anything.
        least, most = (None if is_rule else self._limit(callee, name) for name in ("least", "most"))
        modifiers, reads = self.modifiers(callee)
        if is_rule and not modifiers:
            return base, reads
        stat = self.built[callee.id] = Stat(callee.id, base, modifiers, least, most)
        if is_rule:
            whole: Expr = ("and", base, ("not", _any(modifiers)))
        else:
            whole = added_up(stat, self.symbols.bonuses, len(callee.params))
        if size(whole) > MOST_PARTS:
            message = f"`{callee.name}` has too many modifiers to be read back from a save"
            self.report.error("too-much-work", callee.place, message, "let fewer items modify it")
        return whole, reads

    def part(self, callee: Signature, sort: str) -> Expr:
        """The sum that modifiers of a sort of bonus, and those of items with a tag, add to a stat."""
        stat, items = self.built[callee.id], self.content.by_id
        adding = [
            one
            for one in stat.modifiers
            if one.change == "by" and (one.bonus == sort or self._carries(items[one.item], sort))
        ]
        parts = _parts(adding, self.symbols.bonuses, len(callee.params))
        return ("each", "sum", None, len(callee.params), ("list", ZERO, *parts), None)

    def _carries(self, item: Item, tag: str) -> bool:
        written = (slug_of(one.text or one.raw) for one in items_of(item.fields.get(TAGS)))
        return tag in self.symbols.families.widened(written)

    def modifiers(self, callee: Signature) -> tuple[tuple[Modifier, ...], tuple[ZoneRead, ...]]:
        """The modifiers of a stat or rule, and the zones that they read."""
        planned = self.abilities.by_stat.get(callee.name, ())
        made = [_Making(self, callee, one).modifier() for one in planned]
        modifiers = tuple(one for one, _ in filter(None, made))
        return modifiers, tuple(read for _, zones in filter(None, made) for read in zones)

    def _limit(self, callee: Signature, name: str) -> Expr | None:
        item = self.content.by_id[callee.id]
        found = read_text(self.content, item.fields.get(name), parse_expr, self.report)
        if found is None:
            return None
        context = self.make(found[0], callee.id, callee.params)
        typed = wanted(context, found[1], callee.result or INT)
        if not typed.sound:
            return None
        span, (low, high) = bounds(context, typed.expr), context.functions.own_limits(callee.id)
        limits = (span.low, high) if name == "least" else (low, span.high)
        context.functions.limits[callee.id] = Interval(*limits)
        return typed.expr


class _Making(KeywordPath):
    def __init__(self, stats: Stats, callee: Signature, planned: Planned) -> None:
        names, params = [unnamed(param.name) for param in callee.params], callee.params
        places = zip(planned.node.places, params, strict=False)
        own = [slot for slot, (place, _) in enumerate(places) if _is_self(place)]
        self.own: int | None = own[0] if own else None
        """The index of the stat's argument that bears the item; None if it is none of them."""
        bearers, text = stats.bearers, planned.texts[0]
        entity = None if text.callee is not None else bearers.entity(text)
        if self.own is not None:
            slot, about = self.own, params[self.own].type
        else:
            slot, about = len(params), entity or Type(UNKNOWN.name)
            names.append(unnamed(SELF))
        if bearers.symbols.lasting_of(text.item) is not None:
            names.append(unnamed(THIS))
        super().__init__(bearers, planned.texts, names, slot, about)
        self.stats, self.callee, self.planned = stats, callee, planned
        self.at, self.listed = planned.node.span, not own

    def modifier(self) -> tuple[Modifier, tuple[ZoneRead, ...]] | None:
        """The modifier and its zone reads; None after an error or for an unused keyword."""
        texts, node = self.planned.texts, self.planned.node
        self._is_about_bearers()
        context, tests = self.walk()
        tests += self._places(context)
        value, change = self._value(context)
        if self.sound:
            self._warn_if_idle(context, value)
        if node.where is not None:
            tests.append(self.condition(context, node.where))
        if self.sound:
            warn_if_clashing(context, node, tests)
        label, bonus = self._label(context), self._bonus(context)
        self.close(context)
        self._judge_hidden(context)
        if not self.sound or self.alone:
            return None
        via = tuple(text.passage.origin(self.mark_of(text, node)) for text in texts)
        item, test = texts[0].item.id, conjunction(tests)
        if self.own is None:
            test, value = self._of_any(context, test, value)
        elif self.lasting is not None:
            test, value = self._of_all(self.lasting, context, test, value)
        made = Modifier(item, change, test, value, bonus, label, via)
        return (made, tuple(self.reads)) if self.sound else None

    def _value(self, context: Context) -> tuple[Expr, str]:
        """The value of a modifier and its change; `times 1/2 rounded up` rounds the result."""
        node = self.planned.node
        value, how = node.number
        change, type_ = "first" if node.first else node.change, self.callee.result or INT
        if how:
            change, type_ = f"{change} {how}", FRACTION
        typed = context.check(value, type_)
        if node.change == "times" and (typed.type, type_) == (FRACTION, INT):
            words = context.words(value)
            message = f"`times {words}` may make a fraction of the whole `{self.callee.name}`"
            context.error("type-mismatch", node.value, message, f"`{words} rounded down`")
            self.sound = False
            return BROKEN, change
        found = self.checked(context, value, type_, typed)
        if how and self.sound and found[0] == "value" and isinstance(found[1], int):
            words = context.words(value)
            message = f"`times {words}` makes no fraction, so nothing is `rounded {how}`"
            context.error("type-mismatch", node.value, message, f"`{words}`")
            self.sound = False
        return found, change

    def _of_any(self, context: Context, test: Expr | None, value: Expr) -> tuple[Expr, Expr]:
        """The test that any bearer modifies the stat of others, and the combined value of all."""
        node, (slot, _) = self.planned.node, self.turn
        domain = self.everybody() or BROKEN
        anybody: Expr = ("each", "exists", None, slot, domain, test)
        if test is None and self.lasting is not None:
            anybody = (">", ("count", domain), ZERO)
        together: Expr = ("each", self._best(context, value), value, slot, domain, test)
        if slot not in slots_read(value) and together[1] != "sum":
            together = value
        elif node.change == "times":
            message = f"several may bear this, and the factor depends on `{SELF}`"
            context.error("not-self", node.value, message, "a number that is the same for all")
            self.sound = False
        self.sound = self.sound and check_work(context, node.stat, ("list", anybody, together))
        return anybody, together

    def _best(self, context: Context, value: Expr) -> str:
        """The aggregate over several bearers: their sum, or the one that counts."""
        node, bonuses = self.planned.node, self.stats.symbols.bonuses
        if node.change != "by":
            return "lowest" if node.change == "most" else "highest"
        is_best = node.bonus is not None and bonuses.get(node.bonus.id) == BEST
        # For a lasting effect, `stacks` is about a second one on the same bearer.
        counts_once = self.lasting is None and self.texts[0].item.data("stacks") == ONCE
        if not is_best and not counts_once:
            return "sum"
        low, _ = bounds(context, value)
        return "highest" if low is not None and low >= 0 else "lowest"

    def _judge_hidden(self, context: Context) -> None:
        """Refuse modifiers of others' stats that depend on what only some bearer can see."""
        theirs = {self.slot} if self.own != 0 else set()
        theirs |= {self.turn[0]} if self.lasting is not None else set()
        for read in self.reads if self.sound else ():
            is_closed = self.stats.symbols.zones[read.zone].seen_by != "all"
            if is_closed and read.owner is not None and theirs & set(slots_read(read.owner)):
                message = f"others could infer what lies in `{read.zone}`, which they cannot see"
                help = f"`count({read.zone}(self))` is known to all"
                context.report.error("hidden-information", read.place, message, help)
                self.sound = False

    def _of_all(
        self, lasting: Lasting, context: Context, test: Expr | None, value: Expr
    ) -> tuple[Expr, Expr]:
        """The test that an effect of this name is on the bearer, and the combined value of all."""
        node, found = self.planned.node, lasting.found(("slot", self.slot))
        there: Expr = (">", ("count", found), ZERO)
        if test is not None:
            there = ("each", "exists", None, self.instance, found, test)
        if node.change == "not":
            return there, value
        if node.change == "times" and lasting.names.stacks == EACH:
            message = f"several of `{lasting.names.query}` on one bearer cannot multiply together"
            context.error("type-mismatch", node, message, "`stacks: once` or `stacks: longest`")
        best = node.bonus is not None and self.stats.symbols.bonuses.get(node.bonus.id) == BEST
        kinds = TOGETHER[BEST if best else node.change]
        parts = [("each", kind, value, self.instance, found, test) for kind in kinds]
        if not best:
            return there, parts[0]
        rivals = [
            ("each", kind, None, self.instance, ("list", ZERO, part), None)
            for kind, part in zip(kinds, parts, strict=True)
        ]
        return there, ("+", *rivals)

    def _is_about_bearers(self) -> None:
        """Report a stat of other things than the bearers of the item."""
        entity = None if self.alone else self.bearers.entity(self.texts[0])
        if entity is None or is_unknown(self.about):
            return
        context = self.stats.make(self.texts[-1].passage, "", ())
        name, noun = self.callee.name, context.say(entity)
        if self.own is None:
            if self.everybody() is None:
                self.sound = False
            if self.is_unlisted():
                lacks, among = self.unlisted(entity)
                message = f"{lacks}, so one place must be who bears this"
                context.error("not-self", self.planned.node.stat, message, f"`{SELF}`, or {among}")
        elif self.about != entity:
            kind = "rule" if self.callee.kind == "rule" else "number"
            about = context.say(self.about)
            message = f"`{name}` is a {kind} of {about}, and `self` is {noun} here"
            context.error("type-mismatch", self.planned.node.stat, message)
            self.sound = False

    def _places(self, context: Context) -> list[Expr]:
        """The tests of the stat's arguments; `self` and `each x` have none."""
        node, params = self.planned.node, self.callee.params
        if not self._is_shaped(context):
            return []
        tests: list[Expr] = []
        for slot, (place, param) in enumerate(zip(node.places, params, strict=True)):
            match place:
                case _ if slot == self.own:
                    pass
                case ast.StatArg(each=ast.Name() as name):
                    self.sound &= not context.clashes(name)
                    at = context.passage.place(name.span)
                    context.symbols.uses.note_local(context.passage, name, declares=True)
                    context.enter(Local(name.id, slot, param.type, at, "any of them", used=True))
                case ast.StatArg(value=value) if value is not None:
                    tests.append(("=", ("slot", slot), self.checked(context, value, param.type)))
        return tests

    def _is_shaped(self, context: Context) -> bool:
        """Whether the arguments match the stat, and one of them can vary."""
        node, params = self.planned.node, self.callee.params
        if len(node.places) != len(params):
            shape = ", ".join(param.name for param in params)
            takes = f"`{self.callee.name}({shape})` takes {len(params)} things"
            message = f"{takes}, and here are {len(node.places)}"
            code = "missing-argument" if len(node.places) < len(params) else "too-many-arguments"
            each = (f"each {one.name}" for one in params[1:])
            form = ", ".join((SELF, *each))
            context.error(code, node.stat, message, f"as in `{self.callee.name}({form})`")
            self._enter_all(context)
        elif self.own is None and params and not any(place.each for place in node.places):
            message = f"one argument must be the bearer (`{SELF}`) or anybody (`each who`)"
            context.error("not-self", node.places[0], message, f"`{SELF}`")
        else:
            return True
        self.sound = False
        return False

    def _enter_all(self, context: Context) -> None:
        """Make the names of the arguments known, so that the rest of the line is not at fault."""
        node = self.planned.node
        named = {one.each.id: UNKNOWN for one in node.places if one.each}
        at = context.passage.place(node.stat.span)
        for name, type_ in (named | {one.name: one.type for one in self.callee.params}).items():
            context.enter(Local(name, 0, type_, at, "any of them", used=True))

    def _warn_if_idle(self, context: Context, value: Expr) -> None:
        """Warn about a modifier without effect, at the modifier or the keyword's use."""
        node, texts = self.planned.node, self.planned.texts
        why = self._why_idle(context, node.change, value)
        if why:
            own = node.value if len(texts) == 1 or _is_plain(node.value) else None
            text = texts[-1] if own is not None else texts[0]
            span = own.span if own is not None else self.mark_of(text, node)
            message = f"this changes nothing of `{self.callee.name}`: {why}"
            context.report.warning("changes-nothing", text.passage.place(span), message)

    def _why_idle(self, context: Context, change: str, value: Expr) -> str:
        if value == IDLE.get(change):
            return f"`{change} {value[1]}` leaves it as it is"
        least, most = context.functions.own_limits(self.callee.id)
        low, high = bounds(context, value)
        if change == "least" and least is not None and high is not None and high <= least:
            return f"it is at least {least} anyway"
        if change == "most" and most is not None and low is not None and low >= most:
            return f"it is at most {most} anyway"
        return ""

    def _bonus(self, context: Context) -> str:
        node, bonuses = self.planned.node, self.stats.symbols.bonuses
        if node.bonus is None:
            return ""
        name = node.bonus.id
        if name not in bonuses:
            help = did_you_mean(name, bonuses) if bonuses else "`kind: bonus` declares one"
            if not self.stats.symbols.poisoned.may_declare(name):
                message = f"there is no type of bonus `{name}`"
                context.error("unknown-bonus", node.bonus, message, help)
            self.sound = False
        elif node.change != "by":
            message = "only an addition (`by`) has a type of bonus"
            context.error("unknown-bonus", node.bonus, message, "take the type out")
            self.sound = False
        items = self.stats.content.by_kind("bonus")
        self.stats.symbols.used.update(item.id for item in items if item.slug == name)
        context.means(node.bonus, "bonus", name, "sort of bonus")
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
    """The test that one of these modifiers applies, as a balanced tree to limit nesting."""
    if len(modifiers) == 1:
        test = modifiers[0].test
        return ("value", True) if test is None else test
    half = len(modifiers) // 2
    return ("or", _any(modifiers[:half]), _any(modifiers[half:]))


def _is_self(place: ast.StatArg) -> bool:
    return isinstance(place.value, ast.Name) and place.value.id == SELF


def _is_plain(node: ast.Expr) -> bool:
    return isinstance(node, ast.NumberLiteral) or (
        isinstance(node, ast.Unary) and _is_plain(node.value)
    )
