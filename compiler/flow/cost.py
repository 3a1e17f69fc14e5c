"""The most that one use of a text can take: prompts, operations, dice, and work on long lists.

While a text is checked its cost is a small tree, because the powers it uses may not have been
checked yet; `Costs` adds everything up at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from ruleloom.compiler.frozen import Frozen, frozen
from ruleloom.compiler.graph import Callee, Graph, components, is_circle
from ruleloom.runtime.program.program import MOST_REPLACED, Bounds

LIMIT = 100_000
DICE_LIMIT = 1_000_000
WORK_LIMIT = 20_000_000
# A whole use may come to more than one expression may: people answer in between. A thousand
# characters with ten flaws each, of whom forty are in a scene, come to 67 million.
USE_WORK_LIMIT = 5 * WORK_LIMIT
# Anything above is far too much anyway; it keeps the numbers small.
CEILING = 10**12


@frozen
class Flat(Frozen):
    """Prompts, operations and dice; `fuel` if a power known only at run time may add to them.

    `work` counts the evaluations of expressions that look through long lists.
    """

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


# A callee is a routine that is used, or an event with all triggers that answer it at once.
Cost = Flat | Sequence | Most | Times | Callee
NOTHING = Flat()
DONE = Flat(operations=1)


class Costs:
    """Adds up costs, from those of each routine and the triggers and replacements of operations.

    What is used comes before what uses it, so that nothing is recursive. A routine that comes back
    to itself counts once round: circles of powers are refused elsewhere, and a circle of triggers
    runs once a turn.
    """

    def __init__(
        self,
        routines: Mapping[str, Cost],
        triggers: Mapping[str, tuple[str, ...]],
        replacements: Mapping[str, tuple[str, ...]],
    ) -> None:
        self._routines = {Callee("routine", id): cost for id, cost in routines.items()}
        self._answers = _by_event(triggers)
        self._instead = _by_event(replacements)
        self._known: dict[Callee, Flat] = {}
        self._below: dict[Callee, Flat] = {}
        """While circles of replacements are counted: what each takes with one fewer inside it."""
        plain: dict[Callee, Collection[Callee]] = {**self._answers}
        for routine, cost in self._routines.items():
            plain[routine] = set(_named(cost))
        needs = {one: {*others, *self._instead.get(one, ())} for one, others in plain.items()}
        for part in components(needs):
            within = set(part)
            if any(within.intersection(self._instead.get(one, ())) for one in part):
                self._in_levels(within, plain)
            else:
                self._count(part, needs)

    def _count(self, part: Collection[Callee], needs: Graph[Callee]) -> None:
        if is_circle(part, needs):
            # Counted with nothing for one another, and then with what that came to.
            self._known.update({one: self._one(one) for one in part})
        self._known.update({one: self._one(one) for one in part})

    def _in_levels(self, part: set[Callee], plain: Graph[Callee]) -> None:
        """Count a circle of replacements: with none, then with one inside another, and so on.

        Each may run once inside the others, up to `MOST_REPLACED` in all.
        """
        needs = {one: part.intersection(plain[one]) for one in part}
        replacing = {new for one in part for new in self._instead.get(one, ()) if new in part}
        self._below = dict.fromkeys(replacing, NOTHING)
        for _ in range(min(MOST_REPLACED, len(replacing)) + 1):
            for inner in components(needs):
                self._count(inner, needs)
            if self._below == (below := {one: self._known[one] for one in replacing}):
                break
            self._below = below
        self._below = {}

    def bounds(self, routine: str) -> Bounds:
        """The bounds of one routine."""
        total = self._known[Callee("routine", routine)]
        return Bounds(total.prompts, total.operations, total.dice, total.fuel)

    def work(self, routine: str) -> int:
        """How many evaluations one use of a routine may take."""
        return self._known[Callee("routine", routine)].work

    def _one(self, callee: Callee) -> Flat:
        if callee in self._routines:
            return self._add(self._routines[callee])
        answers = [self._known.get(one, NOTHING) for one in self._answers[callee]]
        instead = [
            self._below.get(one) or self._known[one] for one in self._instead.get(callee, ())
        ]
        return _together([_together([DONE, *answers], sum), *instead], max)

    def _add(self, cost: Cost) -> Flat:
        if isinstance(cost, Flat):
            return cost
        if isinstance(cost, Callee):
            return self._known.get(cost, DONE if cost.kind == "event" else NOTHING)
        if isinstance(cost, Sequence | Most):
            join = sum if isinstance(cost, Sequence) else max
            return _together([self._add(part) for part in cost.parts], join)
        part = self._add(cost.part)
        numbers = (cost.count * number for number in _numbers(part))
        return _flat(numbers, part.fuel)


def _by_event(routines: Mapping[str, tuple[str, ...]]) -> dict[Callee, tuple[Callee, ...]]:
    """The routines that answer or replace each event."""
    return {
        Callee("event", name): tuple(Callee("routine", id) for id in found)
        for name, found in routines.items()
    }


def _named(cost: Cost) -> Iterator[Callee]:
    waiting = [cost]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Sequence | Most):
            waiting += one.parts
        elif isinstance(one, Callee):
            yield one
        elif isinstance(one, Times):
            waiting.append(one.part)


def _numbers(part: Flat) -> tuple[int, int, int, int]:
    return part.prompts, part.operations, part.dice, part.work


def _flat(numbers: Iterable[int], fuel: bool) -> Flat:
    prompts, operations, dice, work = (min(CEILING, number) for number in numbers)
    return Flat(prompts, operations, dice, fuel, work)


def _together(parts: list[Flat], join: Callable[[Iterable[int]], int]) -> Flat:
    """The `sum` or `max` of each number of the parts."""
    columns = zip(*map(_numbers, [NOTHING, *parts]), strict=True)
    return _flat(map(join, columns), any(part.fuel for part in parts))
