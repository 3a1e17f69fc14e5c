"""The most that one use of a text can take: prompts, operations, dice, and work on long lists.

While a text is checked its cost is a small tree, because the powers it uses may not have been
checked yet; `ruleloom.compiler.flow.cost_totals` adds everything up at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from ruleloom.compiler.source.file import Place
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.calls import Callee

# The budget of one use. What may take more is played under fuel, which people are warned of.
LIMIT = 100_000
DICE_LIMIT = 1_000_000
# A whole use may come to more than one expression should: people answer in between. A thousand
# characters with ten scars each, of whom forty are in a scene, come to 67 million.
WORK_LIMIT = 20_000_000
USE_WORK_LIMIT = 5 * WORK_LIMIT
# Nothing can stop an expression halfway: one that may take as much as a whole use is refused.
MOST_WORK = USE_WORK_LIMIT
# Anything above is far too much anyway; it keeps the numbers small.
CEILING = 10**12


@dataclass(frozen=True, slots=True)
class Flat:
    """Prompts, operations and dice; `fuel` if a power known only at run time may add to them.

    `work` counts the evaluations of expressions that look through long lists. `once` are the
    triggers that may run besides, each once however often what is counted is done. `at` is where
    the text says so, `row` the row to which the work is done.
    """

    prompts: int = 0
    operations: int = 0
    dice: int = 0
    fuel: bool = False
    work: int = 0
    at: Place | None = None
    once: frozenset[str] = frozenset()
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Factor:
    """The factor of a loop: the words for one and for several of it, and where it stands.

    There is less of it `without` what some packs add.
    """

    words: tuple[str, str]
    at: Place
    without: tuple[Share, ...] = ()


@dataclass(frozen=True, slots=True)
class Opened:
    """A count that the open value of moments decides: so often, if answers make that so large."""

    moments: tuple[str, ...]
    rounds: Callable[[int], int]


@dataclass(frozen=True, slots=True)
class Share:
    """So many rounds there would be without this pack, which says so at this place."""

    pack: str
    count: int
    at: Place


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
    by: Factor | None = None
    opened: Opened | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A routine that is used, or an event with all triggers that answer it, at a place of a text."""

    callee: Callee
    at: Place


@dataclass(frozen=True, slots=True)
class End:
    """Here a text ends, or (with `finish`) the whole game."""

    at: Place
    finish: bool = False


Cost = Flat | Sequence | Most | Times | Call | End
NOTHING = Flat()
DONE = Flat(operations=1)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Packs whose share is not to be counted, and their files."""

    packs: frozenset[str]
    paths: frozenset[str]

    def has(self, place: Place | None) -> bool:
        """Did one of them write what stands there?"""
        return place is not None and place.path in self.paths

    def count(self, times: Times) -> int:
        """The rounds of a loop without them; of a loop of theirs only the body is left."""
        if times.by is None:
            return times.count
        shares = (one.count for one in times.by.without if one.pack in self.packs)
        least = min(shares, default=times.count)
        return min(1, least) if self.has(times.by.at) else least


NOBODY = LeftOut(frozenset(), frozenset())


def heavy_rows(cost: Cost) -> Counter[int]:
    """The rows of a text that may take many evaluations each time, with how many."""
    found = Counter[int]()
    for one in leaves(cost):
        if isinstance(one, Flat) and one.row is not None:
            found[one.row] += one.work
    return found


def with_answers(cost: Cost, highs: Mapping[str, int]) -> Cost:
    """The cost of a text where answers make the open values of moments so large."""
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
