"""The derivation of a number: a tree of `Finding`s from the whole down to printed or chosen leaves.

Each part is evaluated by the code that the machine plays with; the `total` of the parts of a
finding is its value again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from ruleloom.runtime.explain import finding as f
from ruleloom.runtime.explain.expr_words import COMPARING, ExprWords, SlotView
from ruleloom.runtime.explain.finding import BY, LESS, OF, Finding
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.expr import conjuncts
from ruleloom.runtime.program.program import CHANGES, Expr, Function, Modifier, Origin, Stat
from ruleloom.runtime.program.values import FRACTION, INT, UNKNOWN, Dynamic, Scope, Type, World

NUMBERS = (str(INT), str(FRACTION))
NO_DEPTH = 100


class Reckoning:
    """Derives the numbers of one world; `places` are those of functions and settings by id.

    `patched` are the places of printed fields that were changed, by that of the thing and by name;
    `rows` those of the rows of changed tables by the table's id, in order, `otherwise` last.
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
        self._functions: dict[tuple[Dynamic, ...], Finding] = {}
        self._types: dict[str, tuple[Type, ...]] = {}
        self._best = frozenset(bonus for bonus, keep in linked.program.bonuses if keep == "best")

    def function(self, id: str, args: Sequence[Dynamic], depth: int = NO_DEPTH) -> Finding:
        """How a function comes to its value, `depth` levels deep; KeyError for an unknown id."""
        # `1` and `yes` are equal to Python, and are not the same.
        key = (id, depth, *args, *map(type, args))
        if key not in self._functions:
            self._functions[key] = self._function(id, args, depth)
        return self._functions[key]

    def _function(self, id: str, args: Sequence[Dynamic], depth: int) -> Finding:
        function = self.words.functions[id]
        place = (self.places[id],) if id in self.places else ()
        types = self._types.get(id)
        if types is None:
            types = self._types[id] = tuple(map(Type.parse, function.param_types))
        frame = SlotView(tuple(args), types, function.params, place)
        value = self.words.value(function.body, frame)
        label = self.words.called(function, frame.slots)
        if function.body[0] == "table":
            return Finding(label, value, "printed", via=self._row(function, args) or place)
        if depth <= 0:
            return Finding(label, value, via=place, more=True)
        parts = tuple(f.less_said(self._body(function, frame, depth - 1)))
        none_counts = value == 0 and value is not False and all(one.does == OF for one in parts)
        return Finding(
            label, value, "nothing" if none_counts or not parts else "", BY, place, parts
        )

    def _row(self, function: Function, args: Sequence[Dynamic]) -> tuple[Origin, ...]:
        """Where the row of a changed table stands, if that was changed."""
        rows = self.rows.get(function.id)
        if rows is None:
            return ()
        keys = list(function.body[2][1])
        number = keys.index(args[0]) if args[0] in keys else len(keys)
        place = rows[number] if number < len(rows) else None
        return (place,) if place is not None else ()

    def _body(self, function: Function, frame: SlotView, depth: int) -> list[Finding]:
        body = function.body
        if function.id in self.linked.restricted:
            return list(self._restricted(self._stats[function.id], frame, depth))
        if function.id in self._stats:
            return list(self._stat(self._stats[function.id], frame, depth))
        if function.result == "Bool":
            return list(self.conditions(body, frame, depth))
        if body[0] == "function" and self.words.functions[body[1]].body[0] != "table":
            # It passes on another: what the other is made of, not the other.
            found = self._called(body, frame, depth + 1)
            return list(found.parts) or [found]
        if function.result.removesuffix("?") in NUMBERS:
            return self.terms(body, frame, depth)
        return []

    # ------------------------------------------------------------------ stats

    def _stat(self, stat: Stat, frame: SlotView, depth: int) -> Iterator[Finding]:
        held = [
            one for one in stat.modifiers if one.test is None or self.words.value(one.test, frame)
        ]
        parts: list[Finding] = []
        for part in (
            *self._base(stat, frame, depth, held),
            *self._modified(stat, frame, depth, held),
            *self._limited(stat, frame, depth),
        ):
            limits = part.counts and part.does in ("least", "most")
            idle = limits and f.total([*parts, part]) == f.total(parts)
            parts.append(part)
            yield part._replace(minor=True) if idle else part

    def _modified(
        self, stat: Stat, frame: SlotView, depth: int, held: Sequence[Modifier]
    ) -> Iterator[Finding]:
        applied, beaten = set(map(id, held)), set(map(id, self._beaten(held, frame)))
        for change in CHANGES_IN_ORDER:
            for one in stat.modifiers:
                if one.change == change and id(one) in applied:
                    yield self._modifier(one, frame, depth, id(one) in beaten)
                elif one.change == change:
                    assert one.test is not None
                    *others, last = conjuncts(one.test)
                    unmet = next(
                        (part for part in others if not self.words.value(part, frame)), last
                    )
                    why = f"not so: {self.words.said(unmet, frame)}"
                    # The condition may guard the value, so that is not computed.
                    yield Finding(
                        one.label, None, "constant", change, one.via, (), False, why, True
                    )

    def _limited(self, stat: Stat, frame: SlotView, depth: int) -> Iterator[Finding]:
        limits = ((stat.least, "least", "never below"), (stat.most, "most", "never above"))
        for limit, does, word in limits:
            if limit is not None:
                found = self.single(limit, frame, depth)
                yield found._replace(does=does, label=word, minor=False)

    def _restricted(self, rule: Stat, frame: SlotView, depth: int) -> Iterator[Finding]:
        """A rule's own conditions, then its restrictions; one that does not apply now is minor."""
        yield from self.conditions(rule.base, frame, depth)
        for one in rule.modifiers:
            inner = frame._replace(place=one.via[-1:])
            held = one.test is None or bool(self.words.value(one.test, inner))
            parts = tuple(self.conditions(one.test, inner, depth)) if one.test is not None else ()
            why = "" if held else "does not apply"
            yield Finding(one.label, not held, "", OF, one.via, parts, held, why, minor=not held)

    def _base(
        self, stat: Stat, frame: SlotView, depth: int, held: Sequence[Modifier]
    ) -> list[Finding]:
        """What a stat is to begin with: its terms, where they only add or nothing else does."""
        if any(one.change == "to" for one in held):
            found = self._whole_base(stat, frame, depth)
            return [found._replace(counts=False, why="it is set to something else")]
        terms = self.terms(stat.base, frame, depth)
        if held and not all(one.does in (BY, LESS, OF) for one in terms):
            return [self._whole_base(stat, frame, depth)]
        plain = len(terms) == 1 and (terms[0].kind == "constant" or terms[0].value == 0)
        return [terms[0]._replace(label="to begin with")] if plain else terms

    def _whole_base(self, stat: Stat, frame: SlotView, depth: int) -> Finding:
        """What a stat is to begin with, as one finding."""
        found = self.single(stat.base, frame, depth)
        made_up = found.kind == "constant" or found.parts or found.more
        return found._replace(label="to begin with") if made_up else found

    def _modifier(self, one: Modifier, frame: SlotView, depth: int, beaten: bool) -> Finding:
        frame = frame._replace(place=one.via[-1:])
        found = self.single(one.value, frame, depth)
        inner = (found,) if found.kind not in ("", "constant") else found.parts
        tests = self.conditions(one.test, frame, depth) if one.test is not None else ()
        better = f"better {one.bonus.replace('_', ' ')}" if one.bonus else "higher one"
        return Finding(
            one.label,
            found.value,
            "" if inner else found.kind,
            one.change,
            one.via,
            (*inner, *(test._replace(minor=True) for test in tests)),
            not beaten,
            f"a {better} counts" if beaten else "",
            more=found.more,
        )

    def _beaten(self, held: Sequence[Modifier], frame: SlotView) -> list[Modifier]:
        """Modifiers without effect: bonuses that do not stack, and the lower of two set values."""
        valued = [(self.words.value(one.value, frame), one) for one in held]
        beaten = _all_but_first([pair for pair in valued if pair[1].change == "to"])
        for bonus in self._best:
            rivals = [pair for pair in valued if pair[1].bonus == bonus]
            for sign in (1, -1):
                beaten += _all_but_first([(sign * v, one) for v, one in rivals if sign * v > 0])
        return beaten

    # ------------------------------------------------------------------ sums and products

    def terms(self, expr: Expr, frame: SlotView, depth: int) -> list[Finding]:
        """What an expression is made of, so that `total` of it is its value."""
        match expr:
            case ("+" | "-", left, right):
                more = self._adding(right, frame, depth)
                signed = map(f.taken_off, more) if expr[0] == "-" else more
                return [*self._adding(left, frame, depth), *signed]
            case ("negative", part):
                return list(map(f.taken_off, self._adding(part, frame, depth)))
            case ("*", _, _):
                return self._factors(expr, frame, depth)
            case ("div" | "mod", left, right):
                by = self.single(right, frame, depth)._replace(does=expr[0])
                return [self.single(left, frame, depth), by]
            case ("if", _, _, _):
                return self._taken(expr, frame, depth)
            case ("count", _) | ("each", "count", *_):
                return self._counted(expr, frame)
            case ("each", "sum", *_):
                return list(self._brought(expr, frame, depth))
            case ("each", "highest" | "lowest", *_):
                return self._compared(list(self._brought(expr, frame, depth)), expr[1])
        return [self._leaf(expr, frame, depth)]

    def single(self, expr: Expr, frame: SlotView, depth: int, label: str = "") -> Finding:
        """An expression as one finding, called by what it says where it has no `label`."""
        if expr[0] in SINGLE:
            return self._leaf(expr, frame, depth)
        if depth <= 0:
            short = self.words.short(expr, frame)
            if short[0] in SINGLE:
                return self._leaf(short, frame, depth)
        terms = self.terms(expr, frame, depth - 1) if depth > 0 else []
        only = f.only_term(terms)
        if only is not None:
            return only
        value, label = self.words.value(expr, frame), label or self.words.said(expr, frame)
        kind = "nothing" if depth > 0 and not terms else ""
        parts = tuple(f.less_said(terms))
        return Finding(label, value, kind, BY, frame.place, parts, more=depth <= 0)

    def _adding(self, expr: Expr, frame: SlotView, depth: int) -> list[Finding]:
        """The terms of a summand, where they only add; else the summand as one."""
        if expr[0] in SINGLE or expr[0] in ("*", "div", "mod"):
            return [self.single(expr, frame, depth)]
        terms = self.terms(expr, frame, depth)
        adds = all(one.does in (BY, LESS) for one in terms)
        return terms if adds else [self.single(expr, frame, depth)]

    def _taken(self, expr: Expr, frame: SlotView, depth: int) -> list[Finding]:
        """The terms of the side of an `if` that is taken, and why it is that one."""
        _, condition, then, otherwise = expr
        taken = then if self.words.value(condition, frame) else otherwise
        because = map(f.unless_named, self.conditions(condition, frame, depth))
        return [*self.terms(taken, frame, depth), *because]

    def _factors(self, expr: Expr, frame: SlotView, depth: int) -> list[Finding]:
        if expr[0] != "*":
            return [self.single(expr, frame, depth)]
        left, right = (self._factors(side, frame, depth) for side in expr[1:])
        return [*left, *(one._replace(does="times") for one in right)]

    def _counted(self, expr: Expr, frame: SlotView) -> list[Finding]:
        if expr[0] == "count":
            expr = ("each", "count", None, len(frame.slots), expr[1], None)
        type_ = self.words.element(expr, frame)
        return [
            Finding(self.words.title(type_, one), 1, "constant", via=self._place(type_.name, one))
            for one, _ in self._passing(expr, frame)
        ]

    def _brought(self, expr: Expr, frame: SlotView, depth: int) -> Iterator[Finding]:
        """What each thing brings that a sum goes through, called after the thing."""
        _, _, value, _, domain, where = expr
        if value is None and where is None and domain[0] == "list":
            yield from (self.single(part, frame, depth) for part in domain[1:])
            return
        type_ = self.words.element(expr, frame)
        for one, inner in self._passing(expr, frame):
            if value is None:
                title = self.words.title(type_, one)
                yield Finding(title, one, self._origin(domain), via=frame.place)
            else:
                yield self._called_after(type_, one, value, inner, depth)

    def _called_after(
        self, type_: Type, one: Dynamic, value: Expr, frame: SlotView, depth: int
    ) -> Finding:
        """What one thing brings, with its title unless that is said already."""
        title = self.words.title(type_, one)
        found = self.single(value, frame, depth, title)
        if value[0] not in SINGLE:
            return found._replace(label=title, via=self._place(type_.name, one) or found.via)
        if type_ != UNKNOWN and title not in found.label:
            return found._replace(label=f"{found.label} ({title})")
        return found

    def _passing(self, expr: Expr, frame: SlotView) -> Iterator[tuple[Dynamic, SlotView]]:
        """Each thing that an `each` goes through, and the slots with it."""
        _, _, _, slot, domain, where = expr
        type_ = self.words.element(expr, frame)
        for one in self.words.passing(slot, domain, where, frame):
            yield one, frame.with_slot(slot, one, type_)

    def _compared(self, rivals: list[Finding], kind: str) -> list[Finding]:
        """The highest or lowest of several; the others do not count."""
        if not rivals:
            return [Finding("there is none", 0, "nothing")]
        best = (max if kind == "highest" else min)(one.value for one in rivals)
        winner = next(one for one in rivals if one.value == best)
        why = f"a {kind.removesuffix('est')}er one counts"
        return [one if one is winner else one._replace(counts=False, why=why) for one in rivals]

    # ------------------------------------------------------------------ leaves

    def _leaf(self, expr: Expr, frame: SlotView, depth: int) -> Finding:
        form = expr[0]
        if form in ("function", "allowed"):
            return self._called(expr, frame, depth)
        value = self.words.value(expr, frame)
        if form == "value":
            return Finding("by the rule", value, "constant", via=frame.place)
        if form == "slot":
            named = frame.names[expr[1]].replace("_", " ") or self.words.said(expr, frame)
            return Finding(named, value, "argument")
        via: tuple[Origin, ...] = ()
        read = expr[1] if form == "lookup" else expr
        if read[0] == "static":
            entity, _, field = read[1].partition(".")
            printed = self._place(entity, self.words.value(read[2], frame))
            via = tuple(self.patched.get((one, field), one) for one in printed)
        elif form == "setting" and expr[1] in self._settings:
            via = (self._settings[expr[1]],)
        return Finding(self.words.said(expr, frame), value, self._origin(expr), via=via)

    def _origin(self, expr: Expr) -> str:
        form = expr[1][0] if expr[0] == "lookup" else expr[0]
        if form == "setting":
            return "setting"
        if form in ("static", "table"):
            return "printed"
        return "constant" if form in ("value", "..") else "state"

    def _called(self, expr: Expr, frame: SlotView, depth: int) -> Finding:
        """A function, with those of its arguments that had to be worked out."""
        args = [self.words.value(arg, frame) for arg in expr[2:]]
        found = self.function(expr[1], args, depth)
        worked_out = [
            self.single(arg, frame, depth).as_part(OF, arg[0] in ("static", "lookup"))
            for arg, value in zip(expr[2:], args, strict=True)
            if arg[0] not in ("value", "slot", "record") and self._is_number(arg, value, frame)
        ]
        return found._replace(parts=(*worked_out, *found.parts)) if worked_out else found

    def _is_number(self, expr: Expr, value: Dynamic, frame: SlotView) -> bool:
        """Whether an expression of this value is a number, and not the number of a thing."""
        if value.__class__ is not int and value.__class__ is not Fraction:
            return False
        type_ = self.words.type_of(expr, frame)
        return (type_.present if type_.optional else type_) in (INT, FRACTION, UNKNOWN)

    def _place(self, entity: str, one: object) -> tuple[Origin, ...]:
        known = self.linked.entities.get(entity)
        places = known.places if known is not None else ()
        return (places[one],) if isinstance(one, int) and 0 <= one < len(places) else ()

    # ------------------------------------------------------------------ conditions

    def conditions(self, expr: Expr, frame: SlotView, depth: int) -> Iterator[Finding]:
        """What a condition rests on: each of its parts that was asked, with yes or no."""
        form = expr[0]
        if form in ("and", "or"):
            yield from self.conditions(expr[1], frame, depth)
            if bool(self.words.value(expr[1], frame)) == (form == "and"):
                yield from self.conditions(expr[2], frame, depth)
        elif form == "not":
            yield from self.conditions(expr[1], frame, depth)
        elif form == "each" and expr[1] in ("exists", "every"):
            yield from self._instances(expr, frame)
        elif form in ("function", "allowed"):
            found = self._called(expr, frame, depth)
            yield found.as_part(OF, found.minor)
        else:
            yield self._test(expr, frame, depth)

    def _test(self, expr: Expr, frame: SlotView, depth: int) -> Finding:
        value, said = bool(self.words.value(expr, frame)), self.words.said(expr, frame)
        sides = expr[1:] if expr[0] in COMPARING and depth > 0 else ()
        parts = tuple(
            self.single(side, frame, depth - 1)._replace(does=OF)
            for side in sides
            if side[0] not in ("value", "slot")
            and self._is_number(side, self.words.value(side, frame), frame)
        )
        return Finding(said, value, "" if parts else self._origin(expr), OF, frame.place, parts)

    def _instances(self, expr: Expr, frame: SlotView) -> Iterator[Finding]:
        """The things by which there is one, or by which it is not so of every one."""
        _, kind, value, slot, domain, where = expr
        held = bool(self.words.value(expr, frame))
        if held != (kind == "exists"):
            return
        test, among = (where, None) if kind == "every" and value is None else (value, where)
        type_ = self.words.element(expr, frame)
        for one in self.words.passing(slot, domain, among, frame):
            inner = frame.with_slot(slot, one, type_)
            if test is None or bool(self.words.value(test, inner)) == held:
                title = self.words.title(type_, one)
                yield Finding(title, held, "printed", OF, self._place(type_.name, one))


# What is one thing by itself, however many parts it has in its turn.
SINGLE = frozenset((
    "value", "slot", "scope", "setting", "static", "field", "lookup", "function", "allowed",
    "query", "table", "at",
))  # fmt: skip
CHANGES_IN_ORDER = ("to", "by", "times", "least", "most")
assert {*CHANGES_IN_ORDER, "not"} == set(CHANGES)


def _all_but_first(rivals: Sequence[tuple[Dynamic, Modifier]]) -> list[Modifier]:
    """Those that the highest leaves without effect; the first of equals counts."""
    top = max((value for value, _ in rivals), default=0)
    winner = next((one for value, one in rivals if value == top), None)
    return [one for _, one in rivals if one is not winner]
