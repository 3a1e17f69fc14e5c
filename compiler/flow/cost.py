"""The maximal cost of one use of a text: prompts, operations, dice, and work on long lists.

During the check of a text its cost is a small tree, because the powers it uses may not have been
checked yet; `Costs` adds up everything at the end: each use with all that it triggers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from collections.abc import Sequence as List
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from ruleloom.compiler.graph import Graph, components, is_circle
from ruleloom.compiler.source.file import Place
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.expr import Callee, OfPart
from ruleloom.runtime.program.program import MOST_REPLACED, Bounds

# The budget of one use. Above it a use is played under fuel, with a warning.
LIMIT = 100_000
DICE_LIMIT = 1_000_000
# A whole use may exceed the limit of one expression: prompts come in between. A thousand characters
# with ten scars each, of whom forty are in a scene, take 67 million.
WORK_LIMIT = 20_000_000
USE_WORK_LIMIT = 5 * WORK_LIMIT
# An expression cannot be interrupted: one that may take as much as a whole use is refused.
MOST_WORK = USE_WORK_LIMIT
# Larger numbers are cut to this, to stay small.
CEILING = 10**12
NUMBERS = attrgetter("prompts", "operations", "dice", "work")


class Flat(Frozen):
    """Prompts, operations and dice; `fuel` if a power known only at run time may add to them.

    `work` counts the evaluations of expressions over long lists. `once` are the triggers that may run
    besides, each once regardless of repetition. `at` is the place in the text, `row` the row that does
    the work.
    """

    prompts: int = 0
    operations: int = 0
    dice: int = 0
    fuel: bool = False
    work: int = 0
    at: Place | None = None
    once: frozenset[str] = frozenset()
    row: int | None = None


class Factor(Frozen):
    """The factor of a loop: its singular and plural, and its place.

    `without` are the smaller counts without the share of some packs.
    """

    words: tuple[str, str]
    at: Place
    without: tuple[Share, ...] = ()


class Opened(Frozen):
    """A count that depends on the open value of moments: `rounds` for an upper bound of it."""

    moments: tuple[str, ...]
    rounds: Callable[[int], int]


class Share(Frozen):
    """The number of rounds without this pack, and the place where it adds to them."""

    pack: str
    count: int
    at: Place


class Sequence(Frozen):
    parts: tuple[Cost, ...]


class Most(Frozen):
    """Alternatives, one of which is taken."""

    parts: tuple[Cost, ...]


class Times(Frozen):
    count: int
    part: Cost
    by: Factor | None = None
    opened: Opened | None = None


class Call(Frozen):
    """The use of a routine, or an event with all its triggers, at a place of a text."""

    callee: Callee
    at: Place


class End(Frozen):
    """The end of a text, or (with `finish`) of the game."""

    at: Place
    finish: bool = False


Cost = Flat | Sequence | Most | Times | Call | End
Answering = Mapping[Callee, List[Callee]]
"""The routines that answer, or replace, each event."""
NOTHING = Flat()
DONE = Flat(operations=1)


class LeftOut(Frozen):
    """Packs whose share is left out, and their files."""

    packs: frozenset[str]
    paths: frozenset[str]

    def has(self, place: Place | None) -> bool:
        """Whether a place is in a file of these packs."""
        return place is not None and place.path in self.paths

    def count(self, times: Times) -> int:
        """The rounds of a loop without these packs; of a loop of theirs, at most one."""
        if times.by is None:
            return times.count
        shares = (one.count for one in times.by.without if one.pack in self.packs)
        least = min(shares, default=times.count)
        return min(1, least) if self.has(times.by.at) else least


NOBODY = LeftOut(frozenset(), frozenset())


def heavy_rows(cost: Cost) -> Counter[int]:
    """The rows of a text that may take many evaluations per run, with the number."""
    found = Counter[int]()
    for one in leaves(cost):
        if isinstance(one, Flat) and one.row is not None:
            found[one.row] += one.work
    return found


def with_answers(cost: Cost, highs: Mapping[str, int]) -> Cost:
    """The cost of a text, given the bounds of the open values of moments."""
    if isinstance(cost, Sequence | Most):
        return type(cost)(tuple(with_answers(part, highs) for part in cost.parts))
    if not isinstance(cost, Times):
        return cost
    count, opened = cost.count, cost.opened
    if opened is not None and highs.keys() & set(opened.moments):
        count = max(count, opened.rounds(max(highs.get(one, 0) for one in opened.moments)))
    return Times(count, with_answers(cost.part, highs), cost.by)


def leaves(cost: Cost) -> Iterator[Flat | Call | End]:
    waiting = [cost]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Sequence | Most):
            waiting += one.parts
        elif isinstance(one, Times):
            waiting.append(one.part)
        else:
            yield one


class Exits(NamedTuple):
    """The cost of a part up to each of its exits; None for one it lacks.

    The exits: it goes on, its text ends, or the game ends.
    """

    on: Flat | None = None
    end: Flat | None = None
    over: Flat | None = None

    @property
    def most(self) -> Flat:
        """The maximal cost over all exits."""
        return _most([one for one in self if one is not None])

    @property
    def used(self) -> Exits:
        """The exits of a use of this text: where it ends, its user goes on."""
        return Exits(_either([self.on, self.end]), None, self.over)


GONE_ON = Exits(NOTHING)


class Costs:
    """Adds up costs, from those of each routine and the triggers and replacements of operations.

    Callees come before their users, so that nothing is recursive. A routine in a circle counts once:
    circles of powers are refused elsewhere, and a circle of triggers runs once per turn.
    """

    def __init__(
        self,
        routines: Mapping[str, Cost],
        answers: Answering,
        instead: Answering,
        once: Collection[str] = (),
        left_out: LeftOut = NOBODY,
    ) -> None:
        self._once, self._left_out = frozenset(once), left_out
        self._routines = {Callee("routine", id): cost for id, cost in routines.items()}
        self._answers, self._instead = answers, instead
        self._known: dict[Callee, Flat] = {}
        self._used: dict[Callee, Exits] = {}
        self._besides: dict[frozenset[str], tuple[set[str], Flat]] = {}
        """For a set of once-per-turn triggers, their closure and its cost."""
        self._below: dict[Callee, Flat] = {}
        """During the count of circles of replacements: the cost of each with one fewer nested in it."""
        plain: dict[Callee, Collection[Callee]] = {
            event: [one for one in found if one.name not in self._once]
            for event, found in self._answers.items()
        }
        for routine, cost in self._routines.items():
            plain[routine] = callees_in(cost)
        needs = {one: {*others, *self._instead.get(one, ())} for one, others in plain.items()}
        for part in components(needs):
            within = set(part)
            if any(within.intersection(self._instead.get(one, ())) for one in part):
                self._in_levels(within, plain)
            else:
                self._count(part, needs)

    def _count(self, part: Collection[Callee], needs: Graph[Callee]) -> None:
        if is_circle(part, needs):
            # Counted first with zero for one another, then with that result.
            self._known.update({one: self._one(one) for one in part})
        self._known.update({one: self._one(one) for one in part})

    def _in_levels(self, part: set[Callee], plain: Graph[Callee]) -> None:
        """Count a circle of replacements by nesting depth: none, then one, and so on.

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

    @property
    def is_heavy(self) -> bool:
        """Whether any use may take more evaluations than its budget."""
        routines = (one.name for one in self._routines)
        return any(self.total(one).work > USE_WORK_LIMIT for one in routines)

    def bounds(self, routine: str) -> Bounds:
        """The bounds of one routine."""
        total = self.total(routine)
        return Bounds(total.prompts, total.operations, total.dice, total.fuel)

    def total(self, routine: str) -> Flat:
        """The cost of one use of a routine, with its once-per-turn triggers."""
        own = self._known[Callee("routine", routine)]
        if not own.once:
            return own
        if own.once not in self._besides:
            besides = self._closure(own.once)
            flats = [self._known[Callee("routine", one)] for one in besides]
            self._besides[own.once] = besides, _sum(flats)
        besides, total = self._besides[own.once]
        return total if routine in besides else _sum([own, total])

    def runs(self, routine: str) -> list[str]:
        """The ids of a routine, and of each once-per-turn trigger of its use."""
        own = self._known[Callee("routine", routine)]
        return [routine, *sorted(self._closure(own.once) - {routine})]

    def _closure(self, once: frozenset[str]) -> set[str]:
        """The closure of once-per-turn triggers under those they may trigger."""
        found, waiting = set[str](), [once]
        while waiting:
            new = waiting.pop() - found
            found |= new
            waiting += {self._known[Callee("routine", one)].once for one in new}
        return found

    def routine(self, id: str) -> Cost:
        """The cost tree of one routine."""
        return self._routines[Callee("routine", id)]

    def is_trigger(self, id: str) -> bool:
        """Whether a routine answers events, without replacing them."""
        return any(Callee("routine", id) in found for found in self._answers.values())

    def answers(self, event: Callee) -> tuple[Callee, ...]:
        """The routines that run at every such event, or replace it."""
        found = (*self._answers.get(event, ()), *self._instead.get(event, ()))
        return tuple(one for one in found if one.name not in self._once)

    def _one(self, callee: Callee) -> Flat:
        if callee in self._routines:
            most, self._used[callee] = self._added_up(self._routines[callee])
            return most
        answers = [
            Flat(once=frozenset([one.name]))
            if one.name in self._once
            else self._known.get(one, NOTHING)
            for one in self._answers.get(callee, ())
        ]
        instead = [
            self._below.get(one) or self._known[one] for one in self._instead.get(callee, ())
        ]
        return _most([_sum([DONE, *answers]), *instead])

    def _added_up(self, cost: Cost) -> tuple[Flat, Exits]:
        """The cost of one routine, and the exits of a use of it; counted anew only if what it calls costs
        something else than the last time."""
        if self._left_out is not NOBODY:
            exits = self._exits(cost)
            return exits.most, exits.used
        called, kept = [*map(self._callee, callees_in(cost))], last_counted(cost)
        last = kept[-1] if kept else None
        if last is None or last[0] != called:
            exits = self._exits(cost)
            last = called, exits.most, exits.used
            kept[:] = [last]
        return last[1], last[2]

    def of(self, cost: Cost | Callee) -> Flat:
        """The cost of a cost tree or callee."""
        if isinstance(cost, Callee):
            return self._known.get(cost, DONE if cost.kind == "event" else NOTHING)
        return self._exits(cost).most

    def _exits(self, cost: Cost) -> Exits:
        if isinstance(cost, Flat | Call | End):
            return GONE_ON if self._left_out.has(cost.at) else self._leaf(cost)
        if isinstance(cost, Times):
            return self._rounds(self._exits(cost.part), self._left_out.count(cost))
        if isinstance(cost, Sequence):
            return self._one_after_another(cost.parts)
        ways = [self._exits(part) for part in cost.parts]
        return Exits(*map(_either, zip(*ways, strict=True))) if ways else GONE_ON

    def _leaf(self, cost: Flat | Call | End) -> Exits:
        if isinstance(cost, Flat):
            return Exits(cost)
        if isinstance(cost, End):
            return Exits(over=NOTHING) if cost.finish else Exits(end=NOTHING)
        return self._callee(cost.callee)

    def _callee(self, callee: Callee) -> Exits:
        return self._used.get(callee) or Exits(self.of(callee))

    def _one_after_another(self, parts: Iterable[Cost]) -> Exits:
        so_far, ends, overs = NOTHING, list[Flat | None](), list[Flat | None]()
        for part in parts:
            found = self._exits(part)
            ends.append(_after(so_far, found.end))
            overs.append(_after(so_far, found.over))
            if found.on is None:
                return Exits(None, _either(ends), _either(overs))
            so_far = _sum([so_far, found.on])
        return Exits(so_far, _either(ends), _either(overs))

    def _rounds(self, part: Exits, count: int) -> Exits:
        """The exits of a loop; a body that never goes on runs once."""
        if count == 0:
            return GONE_ON
        before = _times(part.on, count - 1)
        return Exits(_times(part.on, count), _after(before, part.end), _after(before, part.over))


@OfPart
def callees_in(cost: Cost) -> tuple[Callee, ...]:
    """The callees of a text."""
    return tuple(dict.fromkeys(one.callee for one in leaves(cost) if isinstance(one, Call)))


@OfPart
def last_counted(cost: Cost) -> list[tuple[list[Exits], Flat, Exits]]:
    """What the callees of a text cost when it was last counted, and its cost and exits then."""
    return []


def _either(parts: Iterable[Flat | None]) -> Flat | None:
    found = [part for part in parts if part is not None]
    return _most(found) if found else None


def _after(before: Flat, part: Flat | None) -> Flat | None:
    return None if part is None else _sum([before, part])


def _times(part: Flat | None, count: int) -> Flat:
    return NOTHING if part is None else _together([part], lambda column: count * sum(column))


def _together(parts: Iterable[Flat], add: Callable[[Iterable[int]], int]) -> Flat:
    found = list(parts)
    columns = zip(*map(NUMBERS, found), strict=True)
    prompts, operations, dice, work = [min(CEILING, add(one)) for one in columns] or [0] * 4
    fuel, once = any(one.fuel for one in found), (one.once for one in found)
    return Flat(prompts, operations, dice, fuel, work, None, frozenset[str]().union(*once))


_sum = partial(_together, add=sum)
"""The sum of costs."""
_most = partial(_together, add=max)
"""The maximum of costs, by quantity."""
