"""Data flow over the rows of a routine: live variables, conditions that hold, and safe points.

Suspended effects that differ only in dead variables continue alike, so dropping these merges states. For
the variables of the game, all that may run at any moment (responses to events, and rules that always
hold) counts as about to run.

A row is *calm* if nothing compulsory that could turn out impossible lies between it and the end of its
routine, or the next roll, which look-ahead never passes. A row is *barred* if every path from it reaches
a roll before the routine ends: what waits for the routine does not matter there. Static knowledge (a
value or an interval of each expression) and the conditions that hold at a row say which choices always
have an option: `if exists(foe: foes): choose foe from foes`. A condition holds until something may
change what it reads; at a question the host may correct anything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial, reduce
from operator import or_
from typing import NamedTuple, TypeAlias, TypeVar

from ruleloom.runtime.program import interval
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.expr import (
    FunctionReads,
    conjuncts,
    expressions_of,
    reached,
    slots_read,
    substitute,
)
from ruleloom.runtime.program.interval import Interval
from ruleloom.runtime.program.program import Expr, Function, Program, Routine, Row
from ruleloom.runtime.program.state import Frame, State, frames
from ruleloom.runtime.program.values import Dynamic, Scope, Value

Live = tuple[frozenset[int], ...]
Held = TypeVar("Held")


class LiveSlots(dict[int, Live]):
    """The live slots of each routine, by its number; computed on demand."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self._routines = program.routines

    def __missing__(self, routine: int) -> Live:
        found = self[routine] = live_slots(self._routines[routine])
        return found


def live_slots(routine: Routine) -> Live:
    """For each row, the slots that the row itself or a row after it may read."""
    rows = routine.rows
    nothing: frozenset[int] = frozenset()
    live = [nothing] * (len(rows) + 1)
    result = {routine.result} - {-1}
    reads = [_read(row) | result for row in rows]
    # The table of a secret choice is filled one answer at a time.
    written = [{-1 if isinstance(row, p.Secret) else getattr(row, "slot", -1)} for row in rows]

    def read_from(pc: int) -> frozenset[int]:
        after = nothing.union(*(live[to] for to in successors(rows[pc], pc)))
        return (after - written[pc]) | reads[pc]

    settle(live, read_from)
    return tuple(live)


def settle(found: list[Held], holds: Callable[[int], Held]) -> bool:
    """Set each entry to `holds` of its row, last row first, until a fixpoint; the last entry stays.

    False if nothing has changed at all.
    """
    before, changed = [*found], True
    while changed:
        changed = False
        for pc in range(len(found) - 2, -1, -1):
            now = holds(pc)
            if now != found[pc]:
                found[pc], changed = now, True
    return found != before


def successors(row: Row, pc: int) -> tuple[int, ...]:
    """The successors of a row."""
    match row:
        case p.Jump():
            return (row.to,)
        case p.JumpUnless() | p.Replaceable():
            return (pc + 1, row.to)
        case p.Modal():
            return tuple(mode.to for mode in row.modes)
        case _:
            return (pc + 1,)


def held_before(
    rows: Sequence[Row],
    nothing: Held,
    leads_to: Callable[[int, Held], Iterable[tuple[int, Held]]],
    beside: Callable[[Held, Held], Held],
) -> list[Held]:
    """For each row, what holds before it on every path.

    `leads_to` yields the successors of a row with what holds there; `beside` merges two paths.
    """
    found, waiting = {0: nothing}, [0]
    while waiting:
        pc = waiting.pop()
        for to, held in leads_to(pc, found[pc]):
            known = found.get(to)
            now = held if known is None else beside(known, held)
            if now != known:
                found[to] = now
                waiting += [to] if to < len(rows) else []
    return [found.get(pc, nothing) for pc in range(len(rows))]


def _read(row: Row) -> frozenset[int]:
    found = frozenset[int]().union(*map(slots_read, expressions_of(row)))
    if isinstance(row, p.Secret):
        return found | {row.slot}
    return found - {row.slot} if isinstance(row, p.Choose | p.Draw) else found


def forgotten(state: State, live: LiveSlots) -> State:
    """The same state with every dead variable blanked."""
    blanked = None
    for frame in reversed([*frames(state.frame)]):
        blanked = frame._replace(slots=still_read(frame, live), parent=blanked)
    return state._replace(frame=blanked)


def still_read(frame: Frame, live: LiveSlots) -> tuple[Dynamic, ...]:
    """The variables of a frame, with the dead ones blanked."""
    kept = live[frame.routine][frame.pc]
    return tuple([value if i in kept else None for i, value in enumerate(frame.slots)])


# A set of variables, as a bit mask of their places.
Variables: TypeAlias = int
# The variables a row reads, a mask of those it does not set, and the rows and routines next.
Effect: TypeAlias = tuple[Variables, Variables, tuple[int, ...], tuple[int, ...]]


class LiveVariables:
    """The variables live at each row, in its routine and all that this uses.

    A caller may read the values from before a routine set them, as the routine may fizzle.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._places = {one.name: place for place, one in enumerate(program.scope)}
        self._index = {one.id: number for number, one in enumerate(program.routines)}
        self._operations = {one.name: one for one in program.operations}
        self._functions = FunctionReads(program.functions)
        self._powers = {
            one.name: tuple(self._index[id] for id in one.powers if id in self._index)
            for one in program.entities
        }
        self._live: dict[int, list[Variables]] = {}
        self._always = self._always_live()
        self._kept: dict[Variables, tuple[int, ...]] = {}

    def still_read(self, scope: Scope, frame: Frame | None) -> tuple[Dynamic, ...]:
        """The values of the variables that are still live."""
        live = self._always
        for one in frames(frame):
            live |= self._of(one.routine)[one.pc]
        kept = self._kept.get(live)
        if kept is None:
            kept = self._kept[live] = tuple(i for i in range(len(scope)) if live >> i & 1)
        return tuple([scope[place] for place in kept])

    def _of(self, routine: int) -> list[Variables]:
        """The live variables of each row of a routine."""
        if routine not in self._live:
            self._settle_from(routine)
        return self._live[routine]

    def _settle_from(self, routine: int) -> None:
        """Compute those of a routine and of all that it uses, unless known already."""
        effects: dict[int, list[Effect]] = {}

        def used(number: int) -> Iterable[int]:
            rows = self._program.routines[number].rows
            effects[number] = [self._effect(row, pc) for pc, row in enumerate(rows)]
            callees = (one for _, _, _, callees in effects[number] for one in callees)
            return (one for one in callees if one not in self._live)

        order = [*reached([routine], used)]
        order.reverse()  # nearly always callees before callers
        found = {number: [0] * (len(effects[number]) + 1) for number in order}
        live = {**self._live, **found}
        while sum(settle(live[one], partial(_read_from, effects[one], live, one)) for one in order):
            pass
        self._live.update(found)  # only now, as another thread may look for them, too

    def _effect(self, row: Row, pc: int) -> Effect:
        reads, kept = self._read_by(row), -1
        callees: tuple[int, ...] = ()
        match row:
            case p.SetScope():
                kept = ~(1 << self._places[row.name])
            case p.Use():
                callees = (self._index[row.routine],)
            case p.UsePower():
                callees = self._powers[row.entity]
            case p.Operate():
                reads |= self._read_by(self._operations[row.operation])
        return reads, kept, successors(row, pc), callees

    def _always_live(self) -> Variables:
        """The acting player, and all that responses, rules, set-up or the turn may read."""
        program = self._program
        responses: tuple[p.Trigger | p.Replacement, ...]
        responses = (*program.triggers, *program.replacements)
        operations = (self._operations[rule.operation] for rule in program.always)
        routines = (*(one.routine for one in responses), program.set_up, program.turn)
        begun = _all(self._of(self._index[id])[0] for id in routines)
        read = _all(map(self._read_by, (*responses, *program.always, *operations)))
        return 1 << self._places["me"] | begun | read

    def _read_by(self, part: object) -> Variables:
        """The variables that the expressions of a part of a program read."""
        read = (self._functions.within(expr).scope for expr in expressions_of(part))
        return _all(1 << self._places[name] for names in read for name in names)


def _read_from(
    rows: list[Effect], live: Mapping[int, list[Variables]], routine: int, pc: int
) -> Variables:
    """The variables live at one row of a routine."""
    reads, kept, after, callees = rows[pc]
    later = 0
    for to in after:
        later |= live[routine][to]
    reads |= later & kept
    for callee in callees:
        reads |= live[callee][0]
    return reads


def _all(sets: Iterable[Variables]) -> Variables:
    return reduce(or_, sets, 0)


DEPTH = 20
Known: TypeAlias = "Value | Interval"
"""A value, or the interval of a number; None if unknown."""


class Foresight:
    """Static values or intervals of a program's expressions, from those of slots."""

    def __init__(self, program: Program) -> None:
        self.functions: Mapping[str, Function] = {f.id: f for f in program.functions}
        numbers = (setting for setting in program.settings if setting.type == "Int")
        self.settings = {one.name: Interval(one.low, one.high) for one in numbers}
        counts = (variable for variable in program.scope if variable.type == "Int")
        self.variables = {one.name: Interval(one.low, one.high) for one in counts}

    def known(self, expr: Expr, slots: Mapping[int, Known], depth: int = 0) -> Known:
        """A value or an `Interval`; None if unknown."""
        match expr:
            case ("value", value):
                constant: Known = value
                return constant
            case ("slot", slot):
                return slots.get(slot)
            case ("setting", name):
                return self.settings.get(name)
            case ("scope", name):
                return self.variables.get(name)
            case ("function", id, *args) if depth < DEPTH:
                found = {i: self.known(arg, slots, depth) for i, arg in enumerate(args)}
                return self.known(self.functions[id].body, found, depth + 1)
            case ("allowed", id, *args):  # also where it does not hold, while it is ignored
                return self.known(("function", id, *args), slots, depth) is True or None
            case ("each", ("highest" | "lowest") as word, None, _, ("list", _, *_) as domain, None):
                return self._extreme(word, domain, slots, depth)
            case (form, *parts) if form in _WORK:
                return _WORK[form](*(self.known(part, slots, depth) for part in parts))
        return None

    def _extreme(self, word: str, listed: Expr, slots: Mapping[int, Known], depth: int) -> Interval:
        known = (_number(self.known(part, slots, depth)) for part in listed[1:])
        return interval.extreme(word, [one or interval.ANY_NUMBER for one in known])

    def options(self, domain: Expr, slots: Mapping[int, Known]) -> tuple[Known, ...]:
        """Values that a list is certain to contain."""
        if domain[0] == "..":
            low, high = (self.known(side, slots) for side in domain[1:])
            least = _number(high)
            known = least.low if least is not None else None
            return (low,) if type(low) is int and known is not None and low <= known else ()
        values = self.known(domain, slots)
        return tuple(values) if isinstance(values, tuple) and type(values) is not Interval else ()


def _number(value: Known) -> Interval | None:
    if type(value) is Interval:
        return value
    return Interval(value, value) if type(value) is int else None


def _worked_out(form: str, left: Known, right: Known) -> Known:
    """Arithmetic or comparison of two numbers; or of two other constants."""
    ours, theirs = _number(left), _number(right)
    if ours is not None and theirs is not None:
        work = interval.compare if form in interval.NEGATED else interval.arithmetic
        return work(form, ours, theirs)
    if form in ("=", "!=") and isinstance(left, str | bool) and type(left) is type(right):
        return interval.compare_values(form, left, right)
    return None


# Abstract evaluation of each form, from the knowledge of its operands.
_WORK: Mapping[str, Callable[..., Known]] = {
    "not": lambda side: interval.negation(interval.all_hold([side])),
    "and": lambda *sides: interval.all_hold(sides),
    "or": lambda *sides: interval.one_holds(sides),
    "mod": lambda left, right: left % right if type(left) is int is type(right) and right else None,
    **{form: partial(_worked_out, form) for form in (*interval.NEGATED, "+", "-", "*")},
}


class Facts(NamedTuple):
    """The conditions that hold, and the known values of slots."""

    conditions: frozenset[Expr] = frozenset()
    slots: Mapping[int, Known] = {}

    def without(self, slot: int) -> Facts:
        """The facts that survive an assignment to a slot."""
        kept = frozenset(one for one in self.conditions if slot not in slots_read(one))
        return Facts(kept, {at: known for at, known in self.slots.items() if at != slot})

    def beside(self, other: Facts) -> Facts:
        """The facts common to both."""
        both = {
            at: known
            for at, known in self.slots.items()
            if at in other.slots and other.slots[at] == known
        }
        return Facts(self.conditions & other.conditions, both)

    @property
    def lasting(self) -> Facts:
        """The facts that survive a change of anything but slots."""
        return Facts(frozenset(), self.slots)

    def given(self, conditions: Sequence[Expr]) -> Facts:
        """The facts plus these conditions."""
        parts = (part for one in conditions for part in _held(one))
        return Facts(self.conditions.union(parts), self.slots)


NOTHING = Facts()


def facts_of(rows: Sequence[Row], foresight: Foresight) -> list[Facts]:
    """The facts before each row on every path."""

    def leads_to(pc: int, facts: Facts) -> Iterator[tuple[int, Facts]]:
        return _leads_to(rows[pc], pc, facts, foresight)

    return held_before(rows, NOTHING, leads_to, Facts.beside)


def _leads_to(row: Row, pc: int, facts: Facts, foresight: Foresight) -> Iterator[tuple[int, Facts]]:
    """The successors of a row, with the facts on each edge."""
    match row:
        case p.Jump():
            yield row.to, facts
        case p.JumpUnless():
            yield pc + 1, facts.given([row.condition])
            yield row.to, facts.given([("not", row.condition)])
        case p.Modal():
            for mode in row.modes:
                yield mode.to, facts.lasting.given([one.test for one in mode.conditions])
        case p.Ensure():
            yield pc + 1, facts.given([row.condition])
        case p.Let():
            known = foresight.known(row.value, facts.slots)
            others, slots = facts.without(row.slot), {} if known is None else {row.slot: known}
            yield pc + 1, Facts(others.conditions, {**others.slots, **slots})
        case p.Say() | p.Spend():
            yield pc + 1, facts
        case p.Return() | p.Finish() | p.Rank():
            return
        case _:
            slot: int = getattr(row, "slot", -1)
            left = facts.lasting if slot < 0 else facts.lasting.without(slot)
            yield from ((to, left) for to in successors(row, pc))


def _held(condition: Expr) -> list[Expr]:
    """The conjuncts of a condition."""
    match condition:
        case ("and", one, other):
            return [*_held(one), *_held(other)]
        case ("not", ("or", one, other)):
            return [*_held(("not", one)), *_held(("not", other))]
        case ("not", ("not", inner)):
            return _held(inner)
    return [condition]


Flags = list[bool]
"""Flags of a routine's rows, and of its end."""


class Calm(NamedTuple):
    """For each row of a routine and its end: whether it is calm, and whether it is barred."""

    calm: tuple[bool, ...]
    barred: tuple[bool, ...]


class SafePoints(dict[int, Calm]):
    """The calm and barred rows of each routine, by its number; computed on demand.

    A dynamic use is calm if every power of the entity begins calmly without dynamic uses: with fuel, one
    such use ends well. `dynamic` presets the answer.
    """

    def __init__(self, program: Program, dynamic: bool | None = None) -> None:
        super().__init__()
        self._program = program
        self._index = {routine.id: number for number, routine in enumerate(program.routines)}
        self._foresight = Foresight(program)
        self._dynamic = dynamic
        self._present = {e.name: f"{e.name}.{e.present}" for e in program.entities if e.present}

    def __missing__(self, routine: int) -> Calm:
        for number in self._callees_first(routine):
            rows = self._program.routines[number].rows
            barred, calm = [False] * (len(rows) + 1), [True] * (len(rows) + 1)
            settle(barred, partial(self._is_barred, rows, barred))
            settle(calm, partial(self._is_calm, rows, self._doubtful(rows), calm))
            self[number] = Calm(tuple(calm), tuple(barred))
        return self[routine]

    def _callees_first(self, routine: int) -> list[int]:
        """The routine and all that it uses, callees first; the machine refuses a cycle."""
        order: list[int] = []
        seen = set(self)
        waiting = [(routine, False)]
        while waiting:
            number, done = waiting.pop()
            if done:
                order.append(number)
            elif number not in seen:
                seen.add(number)
                rows = self._program.routines[number].rows
                used = [self._index[row.routine] for row in rows if isinstance(row, p.Use)]
                waiting += [(number, True), *((callee, False) for callee in used)]
        return order

    def _start_of(self, routine: str) -> tuple[bool, bool]:
        """Whether the first row is calm, and barred; optimistic within a cycle."""
        known = self.get(self._index[routine])
        return (True, False) if known is None else (known.calm[0], known.barred[0])

    def _is_barred(self, rows: Sequence[p.Row], barred: Flags, pc: int) -> bool:
        row = rows[pc]
        match row:
            case p.Roll():
                return True
            case p.Return() | p.Finish() | p.Rank():
                return False
            case p.Use() if self._start_of(row.routine)[1]:
                return True
        return all(barred[to] for to in successors(row, pc))

    def _is_calm(
        self, rows: Sequence[p.Row], doubtful: Collection[int], flags: Flags, pc: int
    ) -> bool:
        row = rows[pc]
        match row:
            case p.Secret() | p.Roll() | p.Return() | p.Finish() | p.Rank():
                return True
            case p.Ensure():
                return False
            case p.Choose() if pc in doubtful:
                return False
            case p.UsePower() if not self._is_calm_use(row):
                return False
            case p.Modal():
                return any(not mode.conditions and flags[mode.to] for mode in row.modes)
            case p.Use():
                calm, barred = self._start_of(row.routine)
                return calm and (barred or flags[pc + 1])
        return all(flags[to] for to in successors(row, pc))

    def _doubtful(self, rows: Sequence[p.Row]) -> frozenset[int]:
        """The choices that may have no option."""
        open_ = {
            pc: row
            for pc, row in enumerate(rows)
            if isinstance(row, p.Choose) and not self._always_has_options(row, NOTHING)
        }
        facts = facts_of(rows, self._foresight) if open_ else []
        return frozenset(
            pc for pc, row in open_.items() if not self._always_has_options(row, facts[pc])
        )

    def _always_has_options(self, row: p.Choose, facts: Facts) -> bool:
        """Is some value certain to be in the domain and pass all conditions, or none needed?"""
        if row.count in ("any", "up_to", "order") or row.or_none:
            return True
        if row.count != "one":
            return False
        return self._exists(row, facts.conditions) or any(
            all(
                self._foresight.known(one.test, {**facts.slots, row.slot: value}) is True
                for one in row.conditions
            )
            for value in self._foresight.options(row.domain, facts.slots)
        )

    def _exists(self, row: p.Choose, conditions: Iterable[Expr]) -> bool:
        """Does a known condition guarantee an option of this choice?"""
        wanted = {part for one in row.conditions for part in conjuncts(one.test)}
        present = self._present.get(row.type)
        if present is not None:
            wanted.add(("not", ("is_none", ("field", present, ("slot", row.slot)))))
        for one in conditions:
            match one:
                case ("each", "exists", None, slot, domain, test) if domain == row.domain:
                    known = () if test is None else conjuncts(test)
                    its_own = {slot: ("slot", row.slot)}
                    if wanted <= {substitute(part, its_own) for part in known}:
                        return True
        return False

    @cached_property
    def _calm_entities(self) -> frozenset[str]:
        """The entities of which every power begins calmly without dynamic uses of its own."""
        without = SafePoints(self._program, dynamic=False)
        return frozenset(
            entity.name
            for entity in self._program.entities
            if all(
                name in self._index and without[self._index[name]].calm[0] for name in entity.powers
            )
        )

    def _is_calm_use(self, row: p.UsePower) -> bool:
        """Does every power that this may use end well, given fuel?"""
        return row.entity in self._calm_entities if self._dynamic is None else self._dynamic
