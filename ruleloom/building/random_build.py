"""Random records that spend what is allowed, and meet every requirement on the way.

Each step is a choice that adds to a price, and is taken only if nothing then forbids the record; so that
there is no dead end, what is left is filled with whatever still fits.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ruleloom.building.answer_lines import RecordChange, nested_change
from ruleloom.building.appraisal import Appraisal, Number, Unmet
from ruleloom.building.building import Building
from ruleloom.building.choices import ENTRIES, NUMBER, SEVERAL, TABLE, OpenChoice, headings_of
from ruleloom.building.offers import Eligible, candidates
from ruleloom.building.plain_tree import Data, Steps, at_path
from ruleloom.building.yaml_edits import changed
from ruleloom.compiler.yaml.node import Plain

MOST_FAILURES, MOST_STEPS = 6, 400
MOST_FREE, MOST_UP, LEAST_PART, LISTED = 2, 3, 4, 4
PRICED = (NUMBER, TABLE, ENTRIES, SEVERAL)
THEME_WEIGHT = 12
"""How much likelier is what fits the theme."""


class RandomMove(NamedTuple):
    """A change of the record in the making, and how likely it is."""

    change: RecordChange
    weight: int


def random_record(building: Building, seed: int, theme: str = "") -> Building:
    """A legal record that begins with another and spends what it leaves; by this theme where it can."""
    return random_steps(building, seed, theme)[0]


def random_steps(
    building: Building, seed: int, theme: str = ""
) -> tuple[Building, tuple[RecordChange, ...]]:
    """Such a record, and the changes that made it, each of which was legal in its turn."""
    maker = _Maker(building, random.Random(seed), theme.casefold())
    return maker.made(), tuple(maker.steps)


class _Maker:
    """Makes one record."""

    def __init__(self, building: Building, dice: random.Random, theme: str) -> None:
        self.building, self.dice, self.theme = building, dice, theme
        self.bench, self.data = building.bench, building.data
        self.now: Appraisal = building.appraisal
        self.idle: set[Steps] = set()
        """The changes that cost nothing."""
        self.steps: list[RecordChange] = []
        self.failures: Counter[str] = Counter()
        self.seen: Data | None = None
        self.open: list[OpenChoice] = []
        self.remarked: list[RandomMove] = []
        """The moves that `check` would only remark on."""

    def made(self) -> Building:
        """The record, its text written once all is chosen."""
        self.take_free()
        self.give_up()
        while self.left() and (choices := self.choices()):
            # What is chosen in lists makes somebody; plain numbers only fill up.
            [choice] = self.dice.choices(
                choices, [1 if x.sort == NUMBER else LISTED for x in choices]
            )
            moves = [*self.of_choice(choice)]
            if not (moves and self.takes(self.one_of(moves), strict=True)):
                self.failures[choice.at] += 1
        self.fill()
        return self.written()

    def choices(self) -> list[OpenChoice]:
        """The choices that may raise a price, without those that have failed too often."""
        if self.seen is not self.data:
            self.seen, found = self.data, headings_of(self.bench, self.data)
            every = (one for heading in found for one in heading.choices)
            self.open = [one for one in every if one.sort in PRICED]
        return [
            one
            for one in self.open
            if one.path not in self.idle and self.failures[one.at] < MOST_FAILURES
        ]

    def left(self) -> bool:
        """Is there anything left to spend?"""
        return any(one.left is not None and one.left > 0 for one in self.now.budgets)

    def spent(self, one: Appraisal) -> dict[str, Number]:
        return {each.name: each.spent for each in one.budgets if each.allowed is not None}

    def takes(
        self, move: RandomMove, strict: bool, free: bool = False, refunds: bool = False
    ) -> bool:
        """Take a move that the record can bear; `strict` also avoids whatever `check` would tell.

        One that is `free` costs nothing, one that `refunds` returns something, any other costs something.
        """
        data = changed(self.data, move.change.path, move.change.value)
        assert isinstance(data, dict), "a record is a map"
        after = self.bench.appraise(data)
        told = self.told(after)
        if any(one.level == "error" for one in told) or self.exceeds(after):
            return False
        if strict and told:
            self.remarked.append(move)
            return False
        before, now = self.spent(self.now), self.spent(after)
        more = [now.get(name, 0) - was for name, was in before.items()]
        raises, lowers = any(one > 0 for one in more), any(one < 0 for one in more)
        if not (raises or lowers):
            self.idle.add(move.change.path)
        if (raises, lowers) != (
            (False, False) if free else (False, True) if refunds else (True, False)
        ):
            return False
        self.data, self.now = data, after
        self.steps.append(move.change)
        return True

    def told(self, after: Appraisal) -> list[Unmet]:
        """What `check` would tell after a change, and does not tell now."""
        known = {(one.requirement, one.at) for one in self.now.findings}
        told = (one for one in after.findings if not one.unknown)
        return [one for one in told if (one.requirement, one.at) not in known]

    def exceeds(self, after: Appraisal) -> bool:
        """Is more spent after a change than is allowed, where it is not now?"""
        over = {one.name for one in self.now.budgets if one.over}
        return any(one.over and one.name not in over for one in after.budgets)

    def moves(self) -> list[RandomMove]:
        """All changes that may raise a price."""
        every = (move for choice in self.choices() for move in self.of_choice(choice))
        return [one for one in every if one.change.path not in self.idle]

    def of_choice(self, choice: OpenChoice) -> Iterator[RandomMove]:
        """The moves at one choice: together as likely as those at any other."""
        if choice.sort == NUMBER:
            yield self.raised(choice, self.dice.randint(1, MOST_UP))
        elif choice.sort == TABLE and choice.choices and not choice.of:
            inner = [one for one in choice.choices if one.sort == NUMBER]
            yield from (self.raised(one, self.dice.randint(1, MOST_UP)) for one in inner)
        elif choice.sort == TABLE:
            yield from self.keyed(choice)
        elif choice.sort in (ENTRIES, SEVERAL) and choice.of and choice.plain:
            yield from self.added(choice)

    def raised(self, choice: OpenChoice, by: int) -> RandomMove:
        """A number raised."""
        now = choice.value if choice.value is not None else choice.standard
        value = (now if isinstance(now, int) else 0) + by
        value = value if choice.high is None else min(value, choice.high)
        return RandomMove(self.change(choice.path, value), self.weight(choice.label))

    def keyed(self, choice: OpenChoice) -> Iterator[RandomMove]:
        """A new entry of a map, or a higher one."""
        for one in candidates(self.building, choice):
            held = at_path(self.data, (*choice.path, one.value))
            if held is None or isinstance(held, int):
                value = (held or 0) + self.dice.randint(1, MOST_UP)
                yield RandomMove(self.change((*choice.path, one.value), value), self.likely(one))

    def added(self, choice: OpenChoice) -> Iterator[RandomMove]:
        """A new entry of a list."""
        held = choice.value if isinstance(choice.value, list) else []
        there = {one.get(choice.short) if isinstance(one, dict) else one for one in held}
        for one in candidates(self.building, choice):
            if one.value not in there and one.text:
                yield RandomMove(
                    self.change((*choice.path, len(held)), one.value), self.likely(one)
                )

    def change(self, path: Sequence[str | int], value: Plain) -> RecordChange:
        return nested_change(tuple(path), value, self.data)

    def likely(self, one: Eligible) -> int:
        return self.weight(" ".join((one.value, one.label, one.text, *one.tags)))

    def weight(self, words: str) -> int:
        return THEME_WEIGHT if self.theme and self.theme in words.casefold() else 1

    def take_free(self) -> None:
        """Take a few things that cost nothing from each list that has such."""
        for at in [one.at for one in self.choices() if one.sort == SEVERAL and not one.value]:
            for _ in range(self.dice.randint(0, MOST_FREE)):
                choice = next((one for one in self.choices() if one.at == at), None)
                moves = [*self.added(choice)] if choice is not None else []
                if moves:
                    self.takes(self.one_of(moves), strict=True, free=True)

    def one_of(self, moves: Sequence[RandomMove]) -> RandomMove:
        return self.dice.choices(moves, [one.weight for one in moves])[0]

    def give_up(self) -> None:
        """Give something up, now and then, for more to spend: at most a part of what is allowed."""
        most = {x.name: x.allowed / LEAST_PART for x in self.now.budgets if x.allowed}
        for _ in range(self.dice.randint(0, MOST_FREE)):
            before, data = self.now, self.data
            choices = [one for one in self.choices() if one.sort == ENTRIES]
            moves = [*self.of_choice(self.dice.choice(choices))] if choices else []
            if moves and self.takes(self.one_of(moves), strict=True, refunds=True):
                returned = self.spent(self.now)
                if any(-returned[name] > part for name, part in most.items()):
                    self.now, self.data = before, data
                    self.steps.pop()

    def fill(self) -> None:
        """Take whatever still fits, in random order, until nothing does; what `check` would remark on, only
        where nothing else fits."""
        self.failures.clear()
        for _ in range(MOST_STEPS):
            self.remarked = []
            moves = [*self.moves(), *self.smallest()] if self.left() else []
            self.dice.shuffle(moves)
            if not any(self.takes(one, strict=True) for one in moves) and not any(
                self.takes(one, strict=False) for one in self.remarked
            ):
                return

    def smallest(self) -> Iterator[RandomMove]:
        """Each number raised by one."""
        for choice in (each for one in self.choices() for each in (one, *one.choices)):
            if choice.sort == NUMBER and choice.path not in self.idle:
                yield self.raised(choice, 1)

    def written(self) -> Building:
        """The building with the fields that were changed."""
        found = self.building
        for change in _differences((), found.data, self.data):
            found = found.take(change)
        return found


def _differences(path: Steps, old: Plain, new: Plain) -> Iterator[RecordChange]:
    """The changes that make one value of another, the smallest that there are."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key, value in new.items():
            yield from _differences((*path, key), old.get(key), value)
    elif isinstance(old, list) and isinstance(new, list) and new[: len(old)] == old:
        for number, value in enumerate(new[len(old) :], len(old)):
            yield RecordChange((*path, number), value)
    elif old != new:
        yield RecordChange(path, new)
