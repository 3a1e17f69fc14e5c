"""What one use of a text can take at most: prompts, operations, dice, and the work of long
expressions.

While a text is checked its cost is a small tree, because the powers it uses may not have been
checked yet; `Costs` adds everything up at the end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ruleloom.compiler.frozen import Frozen, frozen
from ruleloom.compiler.graph import components, is_circle
from ruleloom.runtime.program.program import MOST_REPLACED, Bounds

LIMIT = 100_000
DICE_LIMIT = 1_000_000
WORK_LIMIT = 20_000_000
# A whole use may come to more than one expression may: people answer in between. A thousand
# characters with ten flaws each, of whom forty are in a scene, come to 67 million.
USE_WORK_LIMIT = 5 * WORK_LIMIT
# Past this everything is `far too much`; it keeps the numbers small.
CEILING = 10**12
NO_REPLACEMENTS: Mapping[str, tuple[str, ...]] = {}


@frozen
class Flat(Frozen):
    """Some prompts, operations and dice; `fuel` if a power known only at run time may add to them.
    `work` counts the evaluations of expressions that look through long lists."""

    prompts: int = 0
    operations: int = 0
    dice: int = 0
    fuel: bool = False
    work: int = 0


@frozen
class Sequence(Frozen):
    parts: tuple[Cost, ...]


@frozen
class Most(Frozen):
    """One of several ways is taken."""

    parts: tuple[Cost, ...]


@frozen
class Times(Frozen):
    count: int
    part: Cost


@frozen
class Using(Frozen):
    """A power is used."""

    routine: str


@frozen
class Doing(Frozen):
    """An operation is done, with all triggers that answer it at once."""

    operation: str


PARTED = (Sequence, Most)
Cost = Flat | Sequence | Most | Times | Using | Doing
NOTHING = Flat()
DONE = Flat(operations=1)


class Costs:
    """Adds up costs, given the cost of each routine, and the triggers and the replacements of each
    operation.

    What is used comes before what uses it, so that nothing is recursive. A routine that comes back
    to itself counts once round: circles of powers are refused elsewhere, and a circle of triggers
    runs once a turn.
    """

    def __init__(
        self,
        routines: Mapping[str, Cost],
        triggers: Mapping[str, tuple[str, ...]],
        replacements: Mapping[str, tuple[str, ...]] = NO_REPLACEMENTS,
    ) -> None:
        self._routines = routines
        # An operation is called by its name behind a space, which no routine's id has.
        self._answers = {_operation(name): answers for name, answers in triggers.items()}
        self._instead = {_operation(name): found for name, found in replacements.items()}
        self._known: dict[str, Flat] = {}
        self._below: dict[str, Flat] = {}
        """What replacements take within which one fewer may run, while a part with several is
        counted."""
        plain: dict[str, Collection[str]] = {**self._answers}
        for id, cost in routines.items():
            plain[id] = set(_named(cost))
        needs = {name: {*others, *self._instead.get(name, ())} for name, others in plain.items()}
        for part in components(needs):
            within = set(part)
            if any(within.intersection(self._instead.get(name, ())) for name in part):
                self._in_levels(within, plain)
            else:
                self._count(part, needs)

    def _count(self, part: Collection[str], needs: Mapping[str, Collection[str]]) -> None:
        if is_circle(part, needs):
            # Counted with nothing for one another, and then with what that came to.
            self._known.update({name: self._one(name) for name in part})
        self._known.update({name: self._one(name) for name in part})

    def _in_levels(self, part: set[str], plain: Mapping[str, Collection[str]]) -> None:
        """Count what replacements in a circle may take: first with none of them, then with one
        within another, and so on. Each may run once within the others, and so many at most."""
        needs = {name: part.intersection(plain[name]) for name in part}
        replacing = part.intersection(
            *[{one for name in part for one in self._instead.get(name, ())}]
        )
        self._below = dict.fromkeys(replacing, NOTHING)
        for _ in range(min(MOST_REPLACED, len(replacing)) + 1):
            for inner in components(needs):
                self._count(inner, needs)
            if self._below == (below := {name: self._known[name] for name in replacing}):
                break
            self._below = below
        self._below = {}

    def bounds(self, routine: str) -> Bounds:
        """The bounds of one routine."""
        total = self._known[routine]
        return Bounds(total.prompts, total.operations, total.dice, total.fuel)

    def work(self, routine: str) -> int:
        """How many evaluations one use of a routine may take."""
        return self._known[routine].work

    def _one(self, name: str) -> Flat:
        if name in self._routines:
            return self._add(self._routines[name])
        done = _sum([DONE, *(self._known.get(id, NOTHING) for id in self._answers[name])])
        others = self._instead.get(name, ())
        return (
            _most([done, *(self._below.get(id) or self._known[id] for id in others)])
            if others
            else done
        )

    def _add(self, cost: Cost) -> Flat:
        if isinstance(cost, Flat):
            return cost
        if isinstance(cost, Sequence):
            return _sum([self._add(part) for part in cost.parts])
        if isinstance(cost, Doing):
            return self._known.get(_operation(cost.operation), DONE)
        if isinstance(cost, Most):
            return _most([self._add(part) for part in cost.parts])
        if isinstance(cost, Using):
            return self._known.get(cost.routine, NOTHING)
        return _times(cost.count, self._add(cost.part))


def _operation(name: str) -> str:
    return f" {name}"


def _named(cost: Cost) -> Iterator[str]:
    """The routines and operations in a cost."""
    waiting = [cost]
    while waiting:
        one = waiting.pop()
        if isinstance(one, PARTED):
            waiting += one.parts
        elif isinstance(one, Using):
            yield one.routine
        elif isinstance(one, Doing):
            yield _operation(one.operation)
        elif isinstance(one, Times):
            waiting.append(one.part)


def _sum(parts: list[Flat]) -> Flat:
    prompts = operations = dice = work = 0
    fuel = False
    for part in parts:
        prompts += part.prompts
        operations += part.operations
        dice += part.dice
        work += part.work
        fuel = fuel or part.fuel
    return Flat(
        min(CEILING, prompts),
        min(CEILING, operations),
        min(CEILING, dice),
        fuel,
        min(CEILING, work),
    )


def _most(parts: list[Flat]) -> Flat:
    return Flat(
        max((part.prompts for part in parts), default=0),
        max((part.operations for part in parts), default=0),
        max((part.dice for part in parts), default=0),
        any(part.fuel for part in parts),
        max((part.work for part in parts), default=0),
    )


def _times(count: int, part: Flat) -> Flat:
    return Flat(
        min(CEILING, count * part.prompts),
        min(CEILING, count * part.operations),
        min(CEILING, count * part.dice),
        part.fuel,
        min(CEILING, count * part.work),
    )
