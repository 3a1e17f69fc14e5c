"""What a roll takes, and what chance does, once it is known how it fell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, islice, pairwise
from math import comb
from typing import Any, overload

from ruleloom.runtime.link import link as op
from ruleloom.runtime.link.link import Step
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.registers import Run, settle
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import MOST_DICE, MOST_SIDES, Pick, Roll
from ruleloom.runtime.program.values import World


def dice_of(
    step: Step, world: World, slots: Any, scope: Any, rules: frozenset[str]
) -> tuple[int, int]:
    """How many dice a roll takes now, and of how many sides. RuntimeFault for what no table has."""
    count, sides = step[2](world, slots, scope, rules), step[3](world, slots, scope, rules)
    for number, least, most, what in (
        (count, 0, MOST_DICE, "dice"),
        (sides, 1, MOST_SIDES, "sides"),
    ):
        if type(number) is not int or not least <= number <= most:
            asked = (
                f"a roll of dice with {number} sides"
                if what == "sides"
                else f"a roll of {number} dice"
            )
            raise RuntimeFault(f"{asked} is asked for, and it takes {least} to {most:,} {what}")
    return count, sides


def totals(count: int, sides: int) -> range:
    """Every sum that so many dice can show."""
    return range(count, count * sides + 1)


class Falls(Sequence[tuple[int, ...]]):
    """Every way that so many dice can fall, each die seen: the faces of each, the highest first.
    Dice that are alike make one way; `ways` says in how many orders each can come about. Nothing is
    listed before it is asked for."""

    MOST = 1 << 62

    def __init__(self, number: int, sides: int) -> None:
        self.number = number
        self.sides = sides

    def __len__(self) -> int:
        return min(comb(self.number + self.sides - 1, self.number), self.MOST)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return iter(combinations_with_replacement(range(self.sides, 0, -1), self.number))

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, tuple) or len(value) != self.number:
            return False
        fits = all(type(face) is int and 1 <= face <= self.sides for face in value)
        return fits and all(one >= other for one, other in pairwise(value))

    @overload
    def __getitem__(self, place: int) -> tuple[int, ...]: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[tuple[int, ...]]: ...

    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, slice):
            return tuple(islice(self, *place.indices(len(self))))
        found = next(islice(self, place if place >= 0 else len(self) + place, None), None)
        if found is None:
            raise IndexError(place)
        return found

    def ways(self) -> tuple[int, ...]:
        """For each of them, in how many orders the dice can show these faces."""
        return _orders(self.number, self.sides)


@lru_cache(maxsize=64)
def _orders(number: int, sides: int) -> tuple[int, ...]:
    """In how many orders each fall can come about, in the order of `Falls`: most of the highest
    face first."""
    if sides == 1:
        return (1,)
    return tuple(
        comb(number, highest) * ways
        for highest in range(number, -1, -1)
        for ways in _orders(number - highest, sides - 1)
    )


def falls_of(step: Step, count: int, sides: int) -> Sequence[Any]:
    """All that a roll can come to: sums, or the faces of each die."""
    return Falls(count, sides) if step[5] else totals(count, sides)


def rolled(r: Run, step: Step, value: Any, player: int) -> None:
    """Take the sum of a roll, or the faces of its dice."""
    row = r.routine.rows[r.pc]
    assert isinstance(row, Roll)
    r.slots[step[1]] = value
    r.tell("rolled", row.name, (value, player), r.world)
    r.pc += 1


def picked(r: Run, step: Step, value: Any) -> None:
    """Take what chance has picked from a list, for everybody to see."""
    row = r.routine.rows[r.pc]
    assert isinstance(row, Pick)
    derived = secrecy_of(r.linked).derived.of(r.routine.id, row.domain)
    r.slots[step[1]] = value
    r.tell("picked", row.name, (value, row.type, derived), r.world)
    r.pc += 1


def drawn(r: Run, step: Step, card: int) -> None:
    """Move a card that chance has picked from its pile to where it is going."""
    before = r.world
    columns = list(before)
    columns[step[2]] = tuple([c for c in before[step[2]] if c != card])
    zone, column = r.linked.zones[step[3]], r.linked.layout.index[step[3]]
    owner = step[4](before, r.slots, r.scope, r.rules) if step[4] is not None else None
    if owner is None:
        columns[column] = tuple(sorted((*columns[column], card)))
    else:
        held = list(columns[column])
        held[owner] = tuple(sorted((*held[owner], card)))
        columns[column] = tuple(held)
    r.world = tuple(columns)
    mine = (owner,) if zone.seen_by == "owner" and owner is not None else None
    seen_by = () if zone.seen_by == "nobody" else mine
    r.slots[step[1]] = card
    r.tell("drawn", step[3], (card, owner), before, seen_by)
    r.pc += 1
    settle(r, before)
    r.happen("drawn", (card,))
    r.interrupt()


# What takes in the one of several things that has fallen, by the row that asked for it.
TAKEN = {op.DRAW: drawn, op.PICK: picked}
