"""The derivation of a number: a tree of `Finding`s from the whole down to printed or chosen leaves.

Each part is evaluated by the code that the machine plays with; the `total` of the parts of a
finding is its value again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from ruleloom.runtime.explain import finding as f
from ruleloom.runtime.explain.expr_parts import ExprParts, Parts
from ruleloom.runtime.explain.expr_words import ExprWords
from ruleloom.runtime.explain.finding import BY, LESS, OF, Bound, Finding, Slots, SlotView, later
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.expr import conjuncts
from ruleloom.runtime.program.program import CHANGES, Expr, Function, Modifier, Origin, Stat
from ruleloom.runtime.program.values import FRACTION, INT, Dynamic, Scope, Type, World

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
        settings = {
            id.rpartition("/")[2].replace("-", "_"): place
            for id, place in self.places.items()
            if id.partition(":")[2].startswith(("setting/", "switch/"))
        }
        self._exprs = ExprParts(self.words, self._bound, settings, self.patched)
        self._stats: Mapping[str, Stat] = {s.id: s for s in linked.program.stats}
        self._functions: dict[tuple[str, int], Bound[Finding]] = {}
        # Of all others `1`, `yes` and a whole fraction may be values, which are equal to Python.
        self._exact = {"Int", "Text", *linked.layout.enums, *linked.entities}
        self._best = frozenset(bonus for bonus, keep in linked.program.bonuses if keep == "best")

    def function(self, id: str, args: Sequence[Dynamic], depth: int = NO_DEPTH) -> Finding:
        """The derivation of a function, `depth` levels deep; KeyError for an unknown id."""
        return self._bound(id, depth)(tuple(args))

    def _bound(self, id: str, depth: int) -> Bound[Finding]:
        """The derivation of a function for any arguments, memoized."""
        if (id, depth) not in self._functions:
            types = map(Type.parse, self.words.functions[id].param_types)
            exact = all(one.name in self._exact for one in types)
            self._functions[id, depth] = _kept(self._function(id, depth), exact)
        return self._functions[id, depth]

    def _function(self, id: str, depth: int) -> Bound[Finding]:
        function = self.words.functions[id]
        place = (self.places[id],) if id in self.places else ()
        args = [("slot", number) for number in range(len(function.params))]
        value, label = self.words.value(("function", id, *args)), self.words.called(function)
        if function.body[0] == "table":
            row = self._row(function)
            return lambda slots: Finding(
                label(slots), value(slots), "printed", via=row(slots) or place
            )
        if depth <= 0:
            return lambda slots: Finding(label(slots), value(slots), via=place, more=True)
        view = SlotView(tuple(map(Type.parse, function.param_types)), function.params, place)
        body = later(lambda: self._body(function, view, depth - 1))

        def derived(slots: Slots) -> Finding:
            whole = value(slots)
            parts = tuple(f.less_said(body(slots)))
            none_counts = whole == 0 and whole is not False and all(x.does == OF for x in parts)
            kind = "nothing" if none_counts or not parts else ""
            return Finding(label(slots), whole, kind, BY, place, parts)

        return derived

    def _row(self, function: Function) -> Bound[tuple[Origin, ...]]:
        """The place of the row of a changed table, if the row was changed."""
        rows = self.rows.get(function.id, ())
        keys = list(function.body[2][1])

        def row(slots: Slots) -> tuple[Origin, ...]:
            number = keys.index(slots[0]) if slots[0] in keys else len(keys)
            place = rows[number] if number < len(rows) else None
            return (place,) if place is not None else ()

        return row if rows else lambda _: ()

    def _body(self, function: Function, view: SlotView, depth: int) -> Parts:
        body = function.body
        if function.id in self.linked.restricted:
            return self._restricted(self._stats[function.id], view, depth)
        if function.id in self._stats:
            return self._stat(self._stats[function.id], view, depth)
        if function.result == "Bool":
            return self._exprs.conditions(body, view, depth)
        if body[0] == "function" and self.words.functions[body[1]].body[0] != "table":
            # It passes on another: the parts of the other, not the other.
            return _parts_of(self._exprs.called(body, view, depth + 1))
        if function.result.removesuffix("?") in NUMBERS:
            return self._exprs.terms(body, view, depth)
        return lambda _: []

    # ------------------------------------------------------------------ stats

    def _stat(self, stat: Stat, view: SlotView, depth: int) -> Parts:
        changes = [self._change(one, view, depth) for one in stat.modifiers]
        in_order = [one for name in CHANGES for one in changes if one.does == name]
        base, limits = self._base(stat, view, depth), self._limits(stat, view, depth)

        def parts(slots: Slots) -> list[Finding]:
            held = [one for one in changes if one.holds(slots)]
            applied, beaten = set(map(id, held)), set(map(id, self._beaten(held, slots)))
            found = base(slots, held)
            for one in in_order:
                if id(one) in beaten:
                    found.append(one.told(slots)._replace(counts=False, why=one.beaten_by))
                else:
                    found.append((one.told if id(one) in applied else one.unmet)(slots))
            found += [limit(slots) for limit in limits]
            return list(_idle_limits_hidden(found))

        return parts

    def _change(self, one: Modifier, view: SlotView, depth: int) -> _Change:
        better = f"better {one.bonus.replace('_', ' ')}" if one.bonus else "higher one"
        return _Change(
            one.change,
            one.bonus,
            (lambda _: True) if one.test is None else self.words.value(one.test),
            later(lambda: self.words.value(one.value)),
            later(lambda: self._held(one, view, depth)),
            later(lambda: self._unmet(one, view)),
            "it is set to something else"
            if one.change.startswith("first")
            else f"a {better} counts",
        )

    def _held(self, one: Modifier, view: SlotView, depth: int) -> Bound[Finding]:
        """A modifier whose condition holds."""
        view = view._replace(place=one.via[-1:])
        value = self._exprs.single(one.value, view, depth)
        tests = self._conditions(one.test, view, depth)

        def held(slots: Slots) -> Finding:
            found = value(slots)
            inner = (found,) if found.kind not in ("", "constant") else found.parts
            kind = "" if inner else found.kind
            reasons = [test._replace(minor=True) for test in tests(slots)]
            parts = (*inner, *reasons)
            return Finding(
                one.label, found.value, kind, one.change, one.via, parts, more=found.more
            )

        return held

    def _conditions(self, test: Expr | None, view: SlotView, depth: int) -> Parts:
        return (lambda _: []) if test is None else self._exprs.conditions(test, view, depth)

    def _unmet(self, one: Modifier, view: SlotView) -> Bound[Finding]:
        """A modifier whose condition does not hold. It may guard the value, so that has none."""
        assert one.test is not None
        tests = conjuncts(one.test)
        said = [later(partial(self.words.said, test, view)) for test in tests]
        values = [later(partial(self.words.value, test)) for test in tests[:-1]]

        def unmet(slots: Slots) -> Finding:
            number = next((i for i, value in enumerate(values) if not value(slots)), len(values))
            why = f"not so: {said[number](slots)}"
            return Finding(one.label, None, "constant", one.change, one.via, (), False, why, True)

        return unmet

    def _limits(self, stat: Stat, view: SlotView, depth: int) -> list[Bound[Finding]]:
        limits = ((stat.least, "least", "never below"), (stat.most, "most", "never above"))
        return [
            _renamed(self._exprs.single(limit, view, depth), word, does)
            for limit, does, word in limits
            if limit is not None
        ]

    def _restricted(self, rule: Stat, view: SlotView, depth: int) -> Parts:
        """A rule's own conditions, then its restrictions; one that does not apply now is minor."""
        own = self._exprs.conditions(rule.base, view, depth)
        restrictions = [self._restriction(one, view, depth) for one in rule.modifiers]
        return lambda slots: [*own(slots), *[one(slots) for one in restrictions]]

    def _restriction(self, one: Modifier, view: SlotView, depth: int) -> Bound[Finding]:
        conditions = self._conditions(one.test, view._replace(place=one.via[-1:]), depth)
        holds = (lambda _: True) if one.test is None else self.words.value(one.test)

        def restriction(slots: Slots) -> Finding:
            held, parts = bool(holds(slots)), tuple(conditions(slots))
            why = "" if held else "does not apply"
            return Finding(one.label, not held, "", OF, one.via, parts, held, why, minor=not held)

        return restriction

    def _base(
        self, stat: Stat, view: SlotView, depth: int
    ) -> Callable[[Slots, Sequence[_Change]], list[Finding]]:
        """The base of a stat: its terms, where they only add or nothing else changes it."""
        terms = later(lambda: self._exprs.terms(stat.base, view, depth))
        whole = later(lambda: _begun(self._exprs.single(stat.base, view, depth)))

        def base(slots: Slots, held: Sequence[_Change]) -> list[Finding]:
            if any(one.does == "to" for one in held):
                why = "it is set to something else"
                return [whole(slots)._replace(counts=False, why=why)]
            found = terms(slots)
            if held and not all(one.does in (BY, LESS, OF) for one in found):
                return [whole(slots)]
            plain = len(found) == 1 and (found[0].kind == "constant" or found[0].value == 0)
            return [found[0]._replace(label="to begin with")] if plain else found

        return base

    def _beaten(self, held: Sequence[_Change], slots: Slots) -> list[_Change]:
        """Modifiers without effect: bonuses that do not stack, and the lower of two set values."""
        valued = [(one.value(slots), one) for one in held]
        setting = [pair for pair in valued if pair[1].does == "to"]
        beaten = _all_but_first(setting)
        beaten += [one for one in held if one.does.startswith("first")] if setting else []
        for bonus in self._best:
            rivals = [pair for pair in valued if pair[1].bonus == bonus]
            for sign in (1, -1):
                beaten += _all_but_first([(sign * v, one) for v, one in rivals if sign * v > 0])
        return beaten


class _Change(NamedTuple):
    """A modifier: whether it holds, its value, and its finding where it does, or does not."""

    does: str
    bonus: str
    holds: Bound[Dynamic]
    value: Bound[Dynamic]
    told: Bound[Finding]
    unmet: Bound[Finding]
    beaten_by: str


def _kept(derive: Bound[Finding], exact: bool) -> Bound[Finding]:
    """The same, memoized; `exact` if equal arguments are identical."""
    known: dict[Slots, Finding] = {}

    def kept(slots: Slots) -> Finding:
        key = slots if exact else (*slots, *map(type, slots))
        found = known.get(key)
        if found is None:
            found = known[key] = derive(slots)
        return found

    return kept


def _parts_of(derive: Bound[Finding]) -> Parts:
    """The parts of something; itself if it has none."""

    def parts(slots: Slots) -> list[Finding]:
        found = derive(slots)
        return list(found.parts) or [found]

    return parts


def _begun(derive: Bound[Finding]) -> Bound[Finding]:
    """The base of a stat as one finding."""

    def begun(slots: Slots) -> Finding:
        found = derive(slots)
        made_up = found.kind == "constant" or found.parts or found.more
        return found._replace(label="to begin with") if made_up else found

    return begun


def _renamed(derive: Bound[Finding], label: str, does: str) -> Bound[Finding]:
    return lambda slots: derive(slots)._replace(label=label, does=does, minor=False)


def _idle_limits_hidden(parts: Sequence[Finding]) -> Iterator[Finding]:
    """The same, limits minor that what stands before them keeps anyway."""
    for number, part in enumerate(parts):
        limits = part.counts and part.does in ("least", "most")
        idle = limits and f.total(parts[: number + 1]) == f.total(parts[:number])
        yield part._replace(minor=True) if idle else part


def _all_but_first(rivals: Sequence[tuple[Dynamic, _Change]]) -> list[_Change]:
    """Those that the highest leaves without effect; the first of equals counts."""
    top = max((value for value, _ in rivals), default=0)
    winner = next((one for value, one in rivals if value == top), None)
    return [one for _, one in rivals if one is not winner]
