"""The live variables of rows and states: those that can still be read.

Suspended effects that differ only in dead variables go on alike, so leaving these out merges states.
For the variables of the game, what may run at any moment, the responses to events and the rules that
always hold, counts as about to run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, reduce
from operator import or_
from typing import TypeAlias, TypeVar

from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.calls import FunctionReads, reached
from ruleloom.runtime.program.expr import expressions_of, slots_read
from ruleloom.runtime.program.program import Program, Routine, Row
from ruleloom.runtime.program.state import Frame, State, frames
from ruleloom.runtime.program.values import Dynamic, Scope

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
    # The table of a secret choice is filled one answer after the other.
    written = [{-1 if isinstance(row, p.Secret) else getattr(row, "slot", -1)} for row in rows]

    def read_from(pc: int) -> frozenset[int]:
        after = nothing.union(*(live[to] for to in successors(rows[pc], pc)))
        return (after - written[pc]) | reads[pc]

    settle(live, read_from)
    return tuple(live)


def settle(found: list[Held], holds: Callable[[int], Held]) -> bool:
    """Put what `holds` at each row, the last first, until nothing changes; the end stays as it is.

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
    """The rows to which a row may lead."""
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
    """For each row, what holds wherever it begins, whichever way has led there.

    `leads_to` are the rows behind one with what holds there, `beside` is what two ways share.
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
    """The same state with every variable blanked that cannot be read any more."""
    blanked = None
    for frame in reversed([*frames(state.frame)]):
        blanked = frame._replace(slots=still_read(frame, live), parent=blanked)
    return state._replace(frame=blanked)


def still_read(frame: Frame, live: LiveSlots) -> tuple[Dynamic, ...]:
    """The variables of a frame, those blanked that cannot be read any more."""
    kept = live[frame.routine][frame.pc]
    return tuple([value if i in kept else None for i, value in enumerate(frame.slots)])


# Variables as the bits of a number, by their places.
Variables: TypeAlias = int
# What a row reads, all but what it sets, the rows and the routines that may run next.
Effect: TypeAlias = tuple[Variables, Variables, tuple[int, ...], tuple[int, ...]]


class LiveVariables:
    """The variables read from each row on, in its routine and in all that this uses.

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
        """The values of the variables that can be read from here on."""
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
        """Find those of a routine and of all that it uses, as far as they are not known yet."""
        effects: dict[int, list[Effect]] = {}

        def used(number: int) -> Iterable[int]:
            rows = self._program.routines[number].rows
            effects[number] = [self._effect(row, pc) for pc, row in enumerate(rows)]
            callees = (one for _, _, _, callees in effects[number] for one in callees)
            return (one for one in callees if one not in self._live)

        order = [*reached([routine], used)]
        order.reverse()  # nearly all before what uses them
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
        """Who acts, and what is read by whatever may run at any moment, or once this has run."""
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
    """The variables read from one row of a routine on."""
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
