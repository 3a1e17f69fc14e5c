"""What one use of a text can take at most: prompts, operations and dice.

While a text is checked its cost is a small tree, because the powers it uses may not have been checked yet;
`Costs` adds everything up at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from runtime.program import Bounds

LIMIT = 100_000
# Past this everything is `far too much`; it keeps the numbers small.
CEILING = 10**12


@dataclass(frozen=True, slots=True)
class Flat:
    """Some prompts, operations and dice; `fuel` if a power known only at run time may add to them."""

    prompts: int = 0
    operations: int = 0
    dice: int = 0
    fuel: bool = False


@dataclass(frozen=True, slots=True)
class Sequence:
    parts: tuple[Cost, ...]


@dataclass(frozen=True, slots=True)
class Most:
    """One of several ways is taken."""

    parts: tuple[Cost, ...]


@dataclass(frozen=True, slots=True)
class Times:
    count: int
    part: Cost


@dataclass(frozen=True, slots=True)
class Using:
    """A power is used."""

    routine: str


@dataclass(frozen=True, slots=True)
class Doing:
    """An operation is done, with all triggers that answer it at once."""

    operation: str


Cost = Flat | Sequence | Most | Times | Using | Doing
NOTHING = Flat()


class Costs:
    """Adds up costs, given the cost of each routine and the triggers of each operation.

    A routine that is on the way already counts nothing: cycles of powers are refused elsewhere, and a
    cycle of triggers runs once a turn.
    """

    def __init__(self, routines: Mapping[str, Cost], triggers: Mapping[str, tuple[str, ...]]) -> None:
        self._routines = routines
        self._triggers = triggers
        self._known: dict[str, Flat] = {}
        self._open: set[str] = set()

    def bounds(self, routine: str) -> Bounds:
        """The bounds of one routine."""
        total = self._routine(routine)
        return Bounds(total.prompts, total.operations, total.dice, total.fuel)

    def _routine(self, id: str) -> Flat:
        if id in self._known:
            return self._known[id]
        if id in self._open or id not in self._routines:
            return NOTHING
        self._open.add(id)
        total = self._add(self._routines[id])
        self._open.discard(id)
        self._known[id] = total
        return total

    def _add(self, cost: Cost) -> Flat:
        match cost:
            case Flat():
                return cost
            case Sequence(parts):
                return _sum([self._add(part) for part in parts])
            case Most(parts):
                return _most([self._add(part) for part in parts])
            case Times(count, part):
                return _times(count, self._add(part))
            case Using(routine):
                return self._routine(routine)
            case Doing(operation):
                answers = [self._routine(id) for id in self._triggers.get(operation, ())]
                return _sum([Flat(operations=1), *answers])


def _sum(parts: list[Flat]) -> Flat:
    return Flat(
        min(CEILING, sum(part.prompts for part in parts)),
        min(CEILING, sum(part.operations for part in parts)),
        min(CEILING, sum(part.dice for part in parts)),
        any(part.fuel for part in parts),
    )


def _most(parts: list[Flat]) -> Flat:
    return Flat(
        max((part.prompts for part in parts), default=0),
        max((part.operations for part in parts), default=0),
        max((part.dice for part in parts), default=0),
        any(part.fuel for part in parts),
    )


def _times(count: int, part: Flat) -> Flat:
    return Flat(
        min(CEILING, count * part.prompts),
        min(CEILING, count * part.operations),
        min(CEILING, count * part.dice),
        part.fuel,
    )
