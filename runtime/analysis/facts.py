"""What holds wherever a row begins, whatever the board looks like: conditions, and what is known of
variables.

Ways lead on only where conditions hold: `if exists(foe: foes): choose foe from foes` always finds
somebody. A condition holds until something may change what it reads; at a question the host may
set anything right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ruleloom.runtime.analysis.liveness import held_before, successors
from ruleloom.runtime.analysis.ranges import Foresight, Known
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.expr import slots_read, walk
from ruleloom.runtime.program.interval import MIRRORED, NEGATED
from ruleloom.runtime.program.program import Expr, Row


class Facts(NamedTuple):
    """The conditions that hold, and what is known of slots."""

    conditions: frozenset[Expr] = frozenset()
    slots: Mapping[int, Known] = {}

    def without(self, slot: int) -> Facts:
        """The facts that remain when a slot has another value."""
        kept = frozenset(one for one in self.conditions if slot not in slots_read(one))
        return Facts(kept, {at: known for at, known in self.slots.items() if at != slot})

    def beside(self, other: Facts) -> Facts:
        """The facts that hold here as well as there."""
        both = {
            at: known
            for at, known in self.slots.items()
            if at in other.slots and other.slots[at] == known
        }
        return Facts(self.conditions & other.conditions, both)

    @property
    def lasting(self) -> Facts:
        """The facts that remain when anything but slots may have changed."""
        return Facts(frozenset(filter(_reads_slots_alone, self.conditions)), self.slots)

    def given(self, conditions: Sequence[Expr]) -> Facts:
        """The facts that hold where these conditions do, too."""
        parts = map(normal, (part for one in conditions for part in _held(one)))
        return Facts(self.conditions.union(parts), self.slots)


NOTHING = Facts()
# The forms that read anything but slots.
STATE = frozenset(("field", "zone", "at", "scope", "query", "function", "allowed"))


def facts_of(rows: Sequence[Row], foresight: Foresight) -> list[Facts]:
    """For each row, what holds wherever it begins."""

    def leads_to(pc: int, facts: Facts) -> Iterator[tuple[int, Facts]]:
        return _leads_to(rows[pc], pc, facts, foresight)

    return held_before(rows, NOTHING, leads_to, Facts.beside)


def _leads_to(row: Row, pc: int, facts: Facts, foresight: Foresight) -> Iterator[tuple[int, Facts]]:
    """The rows that one leads to, with what holds there on this way."""
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


def normal(condition: Expr) -> Expr:
    """A comparison as it is written in `Facts`, whichever way round it was; else the same."""
    match condition:
        case ("not", (op, left, right)) if op in NEGATED:
            return normal((NEGATED[op], left, right))
        case (op, left, right) if op in MIRRORED and repr(left) > repr(right):
            return (MIRRORED[op], right, left)
    return condition


def _held(condition: Expr) -> list[Expr]:
    """The parts of a condition, all of which hold where it does."""
    match condition:
        case ("and", one, other):
            return [*_held(one), *_held(other)]
        case ("not", ("or", one, other)):
            return [*_held(("not", one)), *_held(("not", other))]
        case ("not", ("not", inner)):
            return _held(inner)
    return [condition]


def _reads_slots_alone(condition: Expr) -> bool:
    return STATE.isdisjoint(one[0] for one in walk(condition))
