"""Adds up what the texts of a game may take: each use with all that it sets going."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from ruleloom.compiler.flow.cost import (
    CEILING,
    DONE,
    NOBODY,
    NOTHING,
    USE_WORK_LIMIT,
    Call,
    Cost,
    End,
    Flat,
    LeftOut,
    Sequence,
    Times,
    leaves,
)
from ruleloom.compiler.graph import Graph, components, is_circle
from ruleloom.runtime.program.calls import Callee
from ruleloom.runtime.program.program import MOST_REPLACED, Bounds


class Exits(NamedTuple):
    """The cost of a part up to each way out of it; None where there is none.

    It goes on to what stands behind it, its text ends, or the game is over.
    """

    on: Flat | None = None
    end: Flat | None = None
    over: Flat | None = None

    @property
    def most(self) -> Flat:
        """The most that it may take, by any way out."""
        return _most([one for one in self if one is not None])

    @property
    def used(self) -> Exits:
        """The same of a use of this text: where that ends, its user goes on."""
        return Exits(_either([self.on, self.end]), None, self.over)


GONE_ON = Exits(NOTHING)


class Costs:
    """Adds up costs, from those of each routine and the triggers and replacements of operations.

    What is used comes before what uses it, so that nothing is recursive. A routine that comes back
    to itself counts once round: circles of powers are refused elsewhere, and a circle of triggers
    runs once a turn. What was counted `before`, with nobody left out, is taken over where it and all
    that it sets going are the same.
    """

    def __init__(
        self,
        routines: Mapping[str, Cost],
        triggers: Mapping[str, tuple[str, ...]],
        replacements: Mapping[str, tuple[str, ...]],
        once: Collection[str] = (),
        left_out: LeftOut = NOBODY,
        before: Costs | None = None,
    ) -> None:
        self._once, self._left_out, self._before = frozenset(once), left_out, before
        self._routines = {Callee("routine", id): cost for id, cost in routines.items()}
        self._answers = _by_event(triggers)
        self._instead = _by_event(replacements)
        self._known: dict[Callee, Flat] = {}
        self._used: dict[Callee, Exits] = {}
        self._named: dict[Callee, frozenset[Callee]] = {}
        """The routines and events that each sets going itself."""
        self._besides: dict[frozenset[str], tuple[set[str], Flat]] = {}
        """For the triggers that run once a turn, all of them that follow, and what those take."""
        self._below: dict[Callee, Flat] = {}
        """While circles of replacements are counted: what each takes with one fewer inside it."""
        plain: dict[Callee, Collection[Callee]] = {
            event: [one for one in found if one.name not in self._once]
            for event, found in self._answers.items()
        }
        for routine, cost in self._routines.items():
            same = before is not None and before._routines.get(routine) is cost
            self._named[routine] = before._named[routine] if before and same else _named(cost)
        plain.update(self._named)
        needs = {one: {*others, *self._instead.get(one, ())} for one, others in plain.items()}
        for part in components(needs):
            within = set(part)
            if any(within.intersection(self._instead.get(one, ())) for one in part):
                self._in_levels(within, plain)
            elif not self._is_taken_over(within, needs):
                self._count(part, needs)
        self._before = None

    def _is_taken_over(self, part: set[Callee], needs: Graph[Callee]) -> bool:
        """Take over what was counted of a circle, or of one alone, if that is the same."""
        before = self._before
        if before is None or not all(self._is_as_it_was(one, before) for one in part):
            return False
        others = set().union(*(needs[one] for one in part)) - part
        if not all(self._takes_what_it_took(other, before) for other in others):
            return False
        for one in part:
            self._known[one] = before._known[one]
            if one in before._used:
                self._used[one] = before._used[one]
        return True

    def _is_as_it_was(self, one: Callee, before: Costs) -> bool:
        """Does its text say what it said, and do the same answer it?"""
        if one not in before._known:
            return False
        mine = self._routines.get(one), self._answers.get(one), self._instead.get(one)
        theirs = before._routines.get(one), before._answers.get(one), before._instead.get(one)
        if mine[0] is not theirs[0] or mine[1:] != theirs[1:]:
            return False
        answers = {answer.name for found in mine[1:] for answer in found or ()}
        return self._once & answers == before._once & answers

    def _takes_what_it_took(self, one: Callee, before: Costs) -> bool:
        known, used = self._known.get(one), self._used.get(one)
        return known is before._known.get(one) and used is before._used.get(one)

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

    @property
    def is_heavy(self) -> bool:
        """May any use take more evaluations than its budget?"""
        routines = (one.name for one in self._routines)
        return any(self.total(one).work > USE_WORK_LIMIT for one in routines)

    def bounds(self, routine: str) -> Bounds:
        """The bounds of one routine."""
        total = self.total(routine)
        return Bounds(total.prompts, total.operations, total.dice, total.fuel)

    def total(self, routine: str) -> Flat:
        """The cost of one use of a routine, with the triggers that run once a turn."""
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
        """A routine, and each trigger that may run once in the turn of its use."""
        own = self._known[Callee("routine", routine)]
        return [routine, *sorted(self._closure(own.once) - {routine})]

    def _closure(self, once: frozenset[str]) -> set[str]:
        """Triggers that run once a turn, with those that they may set off in turn."""
        found, waiting = set[str](), [once]
        while waiting:
            new = waiting.pop() - found
            found |= new
            waiting += {self._known[Callee("routine", one)].once for one in new}
        return found

    def routine(self, id: str) -> Cost:
        """The cost of one routine, as its text says."""
        return self._routines[Callee("routine", id)]

    def is_trigger(self, id: str) -> bool:
        """Does a routine answer events, and not replace them?"""
        return any(Callee("routine", id) in found for found in self._answers.values())

    def answers(self, event: Callee) -> tuple[Callee, ...]:
        """The routines that run at an event each time, or in its place."""
        found = (*self._answers.get(event, ()), *self._instead.get(event, ()))
        return tuple(one for one in found if one.name not in self._once)

    def _one(self, callee: Callee) -> Flat:
        if callee in self._routines:
            exits = self._exits(self._routines[callee])
            self._used[callee] = exits.used
            return exits.most
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

    def of(self, cost: Cost | Callee) -> Flat:
        """The cost of a part of a text."""
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
        return self._used.get(cost.callee) or Exits(self.of(cost.callee))

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
        """Rounds of a loop; one that never goes on to the next is the only one."""
        if count == 0:
            return GONE_ON
        before = _times(part.on, count - 1)
        return Exits(_times(part.on, count), _after(before, part.end), _after(before, part.over))


def _by_event(routines: Mapping[str, tuple[str, ...]]) -> dict[Callee, tuple[Callee, ...]]:
    """The routines that answer or replace each event."""
    return {
        Callee("event", name): tuple(Callee("routine", id) for id in found)
        for name, found in routines.items()
    }


def _named(cost: Cost) -> frozenset[Callee]:
    return frozenset(one.callee for one in leaves(cost) if isinstance(one, Call))


def _either(parts: Iterable[Flat | None]) -> Flat | None:
    found = [part for part in parts if part is not None]
    return _most(found) if found else None


def _after(before: Flat, part: Flat | None) -> Flat | None:
    return None if part is None else _sum([before, part])


def _times(part: Flat | None, count: int) -> Flat:
    if part is None:
        return NOTHING
    numbers = part.prompts, part.operations, part.dice, part.work
    prompts, operations, dice, work = (min(CEILING, count * number) for number in numbers)
    return Flat(prompts, operations, dice, part.fuel, work, None, part.once)


def _sum(parts: Iterable[Flat]) -> Flat:
    """All of them, one after another."""
    prompts = operations = dice = work = 0
    fuel, once = False, frozenset[str]()
    for part in parts:
        prompts += part.prompts
        operations += part.operations
        dice += part.dice
        work += part.work
        fuel |= part.fuel
        once |= part.once
    if max(prompts, operations, dice, work) > CEILING:
        prompts, operations = min(CEILING, prompts), min(CEILING, operations)
        dice, work = min(CEILING, dice), min(CEILING, work)
    return Flat(prompts, operations, dice, fuel, work, None, once)


def _most(parts: Iterable[Flat]) -> Flat:
    """Of each number the largest, as one of them is taken."""
    prompts = operations = dice = work = 0
    fuel, once = False, frozenset[str]()
    for part in parts:
        prompts, operations = max(prompts, part.prompts), max(operations, part.operations)
        dice, work = max(dice, part.dice), max(work, part.work)
        fuel |= part.fuel
        once |= part.once
    return Flat(prompts, operations, dice, fuel, work, None, once)
