"""The derivation of a number: a tree of `Finding`s from the whole down to printed or chosen leaves.

Each part is evaluated by the code that the machine plays with; the `total` of the parts of a finding
equals its value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from ruleloom.runtime.explain import finding as f
from ruleloom.runtime.explain.expr_words import COMPARING, ExprWords
from ruleloom.runtime.explain.finding import BY, LESS, OF, Finding, SlotView
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.expr import OfPart, conjuncts
from ruleloom.runtime.program.program import CHANGES, Expr, Function, Modifier, Origin, Stat
from ruleloom.runtime.program.values import FRACTION, INT, UNKNOWN, Dynamic, Scope, Type, World

NUMBERS = (str(INT), str(FRACTION))
NO_DEPTH = 100
# Forms that count as one term, whatever their own parts.
SINGLE = frozenset((
    "value", "slot", "scope", "setting", "static", "field", "lookup", "function", "allowed",
    "query", "table", "at",
))  # fmt: skip
IS_SET = "it is set to something else"


class Reckoning:
    """Derives the numbers of one world; `places` are the origins of functions and settings by id.

    `patched` are the origins of changed printed fields, by the origin of the thing and by name; `rows`
    those of the rows of changed tables by table id, in order, `otherwise` last.
    """

    def __init__(
        self,
        linked: Linked,
        world: World,
        scope: Scope = (),
        rules: frozenset[str] = frozenset(),
        places: Mapping[str, Origin] | None = None,
        patched: Mapping[tuple[Origin, str], Origin] | None = None,
        rows: Mapping[str, Sequence[Origin | None]] | None = None,
    ) -> None:
        self.linked = linked
        self.words = ExprWords(linked, world, scope or linked.initial_scope, rules)
        self.places, self.patched, self.rows = places or {}, patched or {}, rows or {}
        self._settings = {
            id.rpartition("/")[2].replace("-", "_"): place
            for id, place in self.places.items()
            if id.partition(":")[2].startswith(("setting/", "switch/"))
        }
        self._stats: Mapping[str, Stat] = {s.id: s for s in linked.program.stats}
        self._known: dict[object, Finding] = {}
        self._types = OfPart(_types_of)
        self._best = frozenset(bonus for bonus, keep in linked.program.bonuses if keep == "best")

    def function(self, id: str, args: Sequence[Dynamic], depth: int = NO_DEPTH) -> Finding:
        """The derivation of a function, `depth` levels deep; KeyError for an unknown id."""
        # In Python `1`, `yes` and a whole fraction are equal.
        key = (id, depth, *args, *map(type, args))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._function(self.words.functions[id], tuple(args), depth)
        return found

    def _function(self, function: Function, args: tuple[Dynamic, ...], depth: int) -> Finding:
        id = function.id
        place = (self.places[id],) if id in self.places else ()
        whole, label = self.words.value(function.body, args), self.words.called(function, args)
        if function.body[0] == "table":
            return Finding(label, whole, "printed", via=self._row(function, args) or place)
        if depth <= 0:
            return Finding(label, whole, via=place, more=True)
        at = SlotView(args, self._types(function), function.params, place)
        parts = tuple(f.less_said(self._body(function, at, depth - 1)))
        none_counts = whole == 0 and whole is not False and all(x.does == OF for x in parts)
        return Finding(
            label, whole, "nothing" if none_counts or not parts else "", BY, place, parts
        )

    def _row(self, function: Function, args: tuple[Dynamic, ...]) -> tuple[Origin, ...]:
        """The origin of a changed row of a table; else empty."""
        rows, keys = self.rows.get(function.id, ()), list(function.body[2][1])
        number = keys.index(args[0]) if rows and args[0] in keys else len(keys)
        place = rows[number] if number < len(rows) else None
        return (place,) if place is not None else ()

    def _body(self, function: Function, at: SlotView, depth: int) -> list[Finding]:
        body = function.body
        if function.id in self.linked.restricted:
            return self._restricted(self._stats[function.id], at, depth)
        if function.id in self._stats:
            return self._stat(self._stats[function.id], at, depth)
        if function.result == "Bool":
            return self.conditions(body, at, depth)
        if body[0] == "function" and self.words.functions[body[1]].body[0] != "table":
            # The function only forwards to another: show that one's parts.
            found = self.called(body, at, depth + 1)
            return list(found.parts) or [found]
        if function.result.removesuffix("?") in NUMBERS:
            return self.terms(body, at, depth)
        return []

    # ------------------------------------------------------------------ stats

    def _stat(self, stat: Stat, at: SlotView, depth: int) -> list[Finding]:
        held = [one for one in stat.modifiers if self._holds(one.test, at)]
        applied, beaten = set(map(id, held)), set(map(id, self._beaten(held, at)))
        found = self._base(stat, held, at, depth)
        for one in sorted(stat.modifiers, key=lambda one: CHANGES.index(one.change)):
            if id(one) not in applied:
                found.append(self._unmet(one, at))
                continue
            told = self._held(one, at, depth)
            if id(one) in beaten:
                better = f"better {one.bonus.replace('_', ' ')}" if one.bonus else "higher one"
                why = IS_SET if one.change.startswith("first") else f"a {better} counts"
                told = told._replace(counts=False, why=why)
            found.append(told)
        limits = ((stat.least, "least", "never below"), (stat.most, "most", "never above"))
        for limit, does, label in limits:
            if limit is not None:
                told = self.single(limit, at, depth)
                found.append(told._replace(label=label, does=does, minor=False))
        return list(_idle_limits_hidden(found))

    def _holds(self, test: Expr | None, at: SlotView) -> bool:
        """Does a condition hold? None always does."""
        return test is None or bool(self.words.value(test, at.values))

    def _held(self, one: Modifier, at: SlotView, depth: int) -> Finding:
        """A modifier whose condition holds."""
        at = at._replace(place=one.via[-1:])
        found = self.single(one.value, at, depth)
        inner = (found,) if found.kind not in ("", "constant") else found.parts
        reasons = [test._replace(minor=True) for test in self._tested(one.test, at, depth)]
        kind, parts = "" if inner else found.kind, (*inner, *reasons)
        return Finding(one.label, found.value, kind, one.change, one.via, parts, more=found.more)

    def _tested(self, test: Expr | None, at: SlotView, depth: int) -> list[Finding]:
        return [] if test is None else self.conditions(test, at, depth)

    def _unmet(self, one: Modifier, at: SlotView) -> Finding:
        """A modifier whose condition fails; it may guard the value, so there is none."""
        assert one.test is not None
        *tests, last = conjuncts(one.test)
        fails = next((test for test in tests if not self.words.value(test, at.values)), last)
        why = f"not so: {self.words.said(fails, at)}"
        return Finding(one.label, None, "constant", one.change, one.via, (), False, why, True)

    def _restricted(self, rule: Stat, at: SlotView, depth: int) -> list[Finding]:
        """A rule's own conditions, then its restrictions; those that do not apply are minor."""
        found = self.conditions(rule.base, at, depth)
        for one in rule.modifiers:
            held = self._holds(one.test, at)
            parts = tuple(self._tested(one.test, at._replace(place=one.via[-1:]), depth))
            why = "" if held else "does not apply"
            found.append(
                Finding(one.label, not held, "", OF, one.via, parts, held, why, minor=not held)
            )
        return found

    def _base(
        self, stat: Stat, held: Sequence[Modifier], at: SlotView, depth: int
    ) -> list[Finding]:
        """The terms of a stat's base, or one finding if they do not just add up."""
        if any(one.change == "to" for one in held):
            return [self._begun(stat, at, depth)._replace(counts=False, why=IS_SET)]
        found = self.terms(stat.base, at, depth)
        if held and not all(one.does in (BY, LESS, OF) for one in found):
            return [self._begun(stat, at, depth)]
        plain = len(found) == 1 and (found[0].kind == "constant" or found[0].value == 0)
        return [found[0]._replace(label="to begin with")] if plain else found

    def _begun(self, stat: Stat, at: SlotView, depth: int) -> Finding:
        """The base of a stat as one finding."""
        found = self.single(stat.base, at, depth)
        made_up = found.kind == "constant" or found.parts or found.more
        return found._replace(label="to begin with") if made_up else found

    def _beaten(self, held: Sequence[Modifier], at: SlotView) -> list[Modifier]:
        """Modifiers without effect: bonuses that do not stack, and the lower of two set values."""
        valued = [(self.words.value(one.value, at.values), one) for one in held]
        setting = [pair for pair in valued if pair[1].change == "to"]
        beaten = _all_but_first(setting)
        beaten += [one for one in held if one.change.startswith("first")] if setting else []
        for bonus in self._best:
            rivals = [pair for pair in valued if pair[1].bonus == bonus]
            for sign in (1, -1):
                beaten += _all_but_first([(sign * v, one) for v, one in rivals if sign * v > 0])
        return beaten

    # ------------------------------------------------------------------ sums and products

    def terms(self, expr: Expr, at: SlotView, depth: int) -> list[Finding]:
        """The terms of an expression, whose `total` is its value."""
        match expr:
            case ("+", left, right):
                return [*self._adding(left, at, depth), *self._adding(right, at, depth)]
            case ("-", left, right):
                less = map(f.taken_off, self._adding(right, at, depth))
                return [*self._adding(left, at, depth), *less]
            case ("negative", part):
                return [f.taken_off(one) for one in self._adding(part, at, depth)]
            case ("*", left, right):
                times = [one._replace(does="times") for one in self._factors(right, at, depth)]
                return [*self._factors(left, at, depth), *times]
            case ("div" | "mod", left, right):
                by = self.single(right, at, depth)
                return [self.single(left, at, depth), by._replace(does=expr[0])]
            case ("if", condition, then, otherwise):
                side = then if self._holds(condition, at) else otherwise
                because = map(f.unless_named, self.conditions(condition, at, depth))
                return [*self.terms(side, at, depth), *because]
            case ("count", listed):
                return self._counted(-1, listed, None, at)
            case ("each", "count", _, slot, domain, where):
                return self._counted(slot, domain, where, at)
            case ("each", "sum", *_):
                return self._brought(expr, at, depth)
            case ("each", "highest" | "lowest", *_):
                return _compared(self._brought(expr, at, depth), expr[1])
        return [self._leaf(expr, at, depth)]

    def single(self, expr: Expr, at: SlotView, depth: int, label: str = "") -> Finding:
        """An expression as one finding, named by its words unless `label` is given."""
        if expr[0] in SINGLE:
            return self._leaf(expr, at, depth)
        kind, parts = "", []
        if depth <= 0:  # its parts lie below the requested depth
            short = self.words.shortened(expr, at.values)
            if short[0] in SINGLE:
                return self._leaf(short, at, 0)
        else:
            parts = self.terms(expr, at, depth - 1)
            only = f.only_term(parts)
            if only is not None:
                return only
            kind = "" if parts else "nothing"
        value = self.words.value(expr, at.values)
        label, said = label or self.words.said(expr, at), tuple(f.less_said(parts))
        return Finding(label, value, kind, BY, at.place, said, more=depth <= 0)

    def _adding(self, expr: Expr, at: SlotView, depth: int) -> list[Finding]:
        """The terms of a summand if they only add; else the summand as one term."""
        if expr[0] in SINGLE or expr[0] in ("*", "div", "mod"):
            return [self.single(expr, at, depth)]
        terms = self.terms(expr, at, depth)
        # A sum only adds, whatever its parts.
        is_sum = expr[0] in ("+", "-", "negative") or expr[:2] == ("each", "sum")
        adds = is_sum or all(one.does in (BY, LESS) for one in terms)
        return terms if adds else [self.single(expr, at, depth)]

    def _factors(self, expr: Expr, at: SlotView, depth: int) -> list[Finding]:
        return self.terms(expr, at, depth) if expr[0] == "*" else [self.single(expr, at, depth)]

    def _counted(self, slot: int, domain: Expr, where: Expr | None, at: SlotView) -> list[Finding]:
        type_ = self.words.element(domain, at)
        return [
            Finding(self.words.title(type_, one), 1, "constant", via=self._place(type_.name, one))
            for one in self.words.passing(slot, domain, where, at.values)
        ]

    def _brought(self, expr: Expr, at: SlotView, depth: int) -> list[Finding]:
        """The term of each thing in an aggregate, named after the thing."""
        _, _, value, slot, domain, where = expr
        if value is None and where is None and domain[0] == "list":
            return [self.single(part, at, depth) for part in domain[1:]]
        type_, found = self.words.element(domain, at), []
        for one in self.words.passing(slot, domain, where, at.values):
            title = self.words.title(type_, one)
            if value is None:
                found.append(Finding(title, one, _origin(domain), via=at.place))
                continue
            told = self.single(value, at.with_slot(slot, type_, one), depth, title)
            if value[0] not in SINGLE:
                told = told.called(title, self._place(type_.name, one) or told.via)
            elif type_ != UNKNOWN and title not in told.label:
                told = told.called(f"{told.label} ({title})", told.via)
            found.append(told)
        return found

    # ------------------------------------------------------------------ leaves

    def _leaf(self, expr: Expr, at: SlotView, depth: int) -> Finding:
        form = expr[0]
        if form in ("function", "allowed"):
            return self.called(expr, at, depth)
        value = self.words.value(expr, at.values)
        if form == "value":
            return Finding("by the rule", value, "constant", via=at.place)
        if form == "slot":
            name = at.names[expr[1]].replace("_", " ") or self.words.said(expr, at)
            return Finding(name, value, "argument")
        return Finding(self.words.said(expr, at), value, _origin(expr), BY, self._written(expr, at))

    def _written(self, expr: Expr, at: SlotView) -> tuple[Origin, ...]:
        """The origins of the value of a printed field or a setting."""
        read = expr[1] if expr[0] == "lookup" else expr
        if read[0] == "static":
            entity, _, field = read[1].partition(".")
            places = self._place(entity, self.words.value(read[2], at.values))
            patched = self.patched
            return tuple([patched.get((one, field), one) for one in places]) if patched else places
        known = expr[0] == "setting" and expr[1] in self._settings
        return (self._settings[expr[1]],) if known else ()

    def called(self, expr: Expr, at: SlotView, depth: int) -> Finding:
        """The finding of a call, with its computed arguments."""
        values = [self.words.value(arg, at.values) for arg in expr[2:]]
        found = self.function(expr[1], values, depth)
        worked_out = [
            self.single(arg, at, depth).as_part(OF, arg[0] in ("static", "lookup"))
            for arg, value in zip(expr[2:], values, strict=True)
            if arg[0] not in ("value", "slot", "record") and self._is_number(arg, value, at)
        ]
        return found.made_of((*worked_out, *found.parts)) if worked_out else found

    def _is_number(self, expr: Expr, value: Dynamic, at: SlotView) -> bool:
        """Is the value of an expression a number, not the index of a thing?"""
        if value.__class__ is not int and value.__class__ is not Fraction:
            return False
        type_ = self.words.type_of(expr, at)
        return (type_.present if type_.optional else type_) in (INT, FRACTION, UNKNOWN)

    def _place(self, entity: str, thing: Dynamic) -> tuple[Origin, ...]:
        """The origin of a printed thing of an entity."""
        known = self.linked.entities.get(entity)
        places = known.places if known is not None else ()
        return (places[thing],) if isinstance(thing, int) and 0 <= thing < len(places) else ()

    # ------------------------------------------------------------------ conditions

    def conditions(self, expr: Expr, at: SlotView, depth: int) -> list[Finding]:
        """The evaluated parts of a condition, each with yes or no."""
        match expr:
            case ("and" | "or", one, other):
                found = self.conditions(one, at, depth)
                # The second side is evaluated only if the first does not decide.
                asked = self._holds(one, at) == (expr[0] == "and")
                return [*found, *self.conditions(other, at, depth)] if asked else found
            case ("not", part):
                return self.conditions(part, at, depth)
            case ("each", "exists" | "every", *_):
                return self._instances(expr, at)
            case ("function" | "allowed", *_):
                rule = self.called(expr, at, depth)
                return [rule.as_part(OF, rule.minor)]
        return [self._test(expr, at, depth)]

    def _test(self, expr: Expr, at: SlotView, depth: int) -> Finding:
        sides = [
            (side, self.words.value(side, at.values))
            for side in (expr[1:] if expr[0] in COMPARING and depth > 0 else ())
            if side[0] not in ("value", "slot")
        ]
        parts = tuple([
            self.single(side, at, depth - 1)._replace(does=OF)
            for side, value in sides
            if self._is_number(side, value, at)
        ])  # fmt: skip
        said, held = self.words.said(expr, at), self._holds(expr, at)
        return Finding(said, held, "" if parts else _origin(expr), OF, at.place, parts)

    def _instances(self, expr: Expr, at: SlotView) -> list[Finding]:
        """The witnesses of `exists`, or the counterexamples of `every`."""
        _, kind, value, slot, domain, where = expr
        held = self._holds(expr, at)
        if held != (kind == "exists"):
            return []
        test, among = (where, None) if kind == "every" and value is None else (value, where)
        type_ = self.words.element(domain, at)
        return [
            Finding(self.words.title(type_, one), held, "printed", OF, self._place(type_.name, one))
            for one in self.words.passing(slot, domain, among, at.values)
            if test is None or self._holds(test, at.with_slot(slot, type_, one)) == held
        ]


def _types_of(function: Function) -> Mapping[int, Type]:
    """The types of a function's slots."""
    return dict(enumerate(map(Type.parse, function.param_types)))


def _origin(expr: Expr) -> str:
    """The `kind` of a leaf."""
    form = expr[1][0] if expr[0] == "lookup" else expr[0]
    if form == "setting":
        return "setting"
    if form in ("static", "table"):
        return "printed"
    return "constant" if form in ("value", "..") else "state"


def _compared(rivals: list[Finding], kind: str) -> list[Finding]:
    """The rivals of `highest` or `lowest`; only the winner counts."""
    if not rivals:
        return [Finding("there is none", 0, "nothing")]
    best = (max if kind == "highest" else min)([one.value for one in rivals])
    winner = next(one for one in rivals if one.value == best)
    why = f"a {kind.removesuffix('est')}er one counts"
    return [one if one is winner else one._replace(counts=False, why=why) for one in rivals]


def _idle_limits_hidden(parts: Sequence[Finding]) -> Iterator[Finding]:
    """The same parts; a limit that changes nothing is minor."""
    for number, part in enumerate(parts):
        limits = part.counts and part.does in ("least", "most")
        idle = limits and f.total(parts[: number + 1]) == f.total(parts[:number])
        yield part._replace(minor=True) if idle else part


def _all_but_first(rivals: Sequence[tuple[Dynamic, Modifier]]) -> list[Modifier]:
    """Rivals that the highest leaves without effect; the first of equals counts."""
    top = max((value for value, _ in rivals), default=0)
    winner = next((one for value, one in rivals if value == top), None)
    return [one for _, one in rivals if one is not winner]
