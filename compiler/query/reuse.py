"""Reuses lowered texts of an earlier build whose dependencies have not changed.

`Lookups` records every name that is looked up while a text is checked. The next build compares the
text and the entries under these names with those of the earlier one; if all are the same, so is the
result. No result is kept of a text with diagnostics, or of one without only because something else is
broken.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import field
from typing import Any, NamedTuple, Protocol, TypeVar

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.query.lookups import BODY, NEVER_SAME, Key, Lookups, Mark, Table, part_of
from ruleloom.compiler.source.file import Remade
from ruleloom.runtime.dataclass import dataclass

T = TypeVar("T")
# Each build holds the names and trees of its packs; builds of one sort share most of them.
MOST_ALIKE, MOST_KEPT = 2, 40


@dataclass(frozen=True, slots=True, eq=False)
class Reusable:
    """The result of one text, with its inputs, the names looked up and those marked."""

    inputs: tuple[object, ...]
    result: Any
    needed: tuple[Key, ...]
    marks: tuple[Mark, ...]


class LookedUp(Protocol):
    """The names of a game, as far as lookups among them are concerned."""

    def tables(self) -> dict[str, Table[Any, Any]]:
        """The tables by name."""

    @property
    def lookups(self) -> Lookups:
        """The lookups in progress."""

    def hand_on(self, needed: Iterable[Key], marks: Iterable[Mark]) -> None:
        """Add these keys to the result in progress, and these marks."""


@dataclass(slots=True, eq=False)
class Generation:
    """The parts of one build that later builds can reuse."""

    symbols: LookedUp
    tables: dict[str, Table[Any, Any]]
    kept: dict[Hashable, Reusable] = field(default_factory=dict)
    body: Callable[[str], object] = str
    """The body of a rule or measure with its facts, by name, once all names are known."""
    settle: Callable[[], object] = bool
    """Releases the checker of bodies."""

    def found(self, key: Key) -> object:
        """The entry under a key."""
        table, name, *path = key
        if table == BODY:
            return self.body(str(name))
        found = self.tables[table].peek(name)
        return part_of(found, path[0]) if path else found


class BuildKey(NamedTuple):
    """The key of a build: the paths of its packs' manifests, the game's first, and whether it holds
    reasons and rules texts.

    Under another path nothing can be reused: each item and each line records its place.
    """

    packs: tuple[str, ...]
    reasons: bool
    texts: bool


class Generations:
    """A cache of the latest builds, a few of each game and sort: one game does not evict another's."""

    def __init__(self) -> None:
        self._kept: dict[BuildKey, Generation] = {}

    @property
    def kept(self) -> tuple[BuildKey, ...]:
        """The keys of all builds, oldest first."""
        return tuple(self._kept)

    def at(self, key: BuildKey) -> Generation | None:
        """The latest build of this key."""
        return self._kept.get(key)

    def before(self, wanted: BuildKey) -> Generation | None:
        """The build nearest to the wanted one; None if none has a pack in common with it."""
        latest_first = reversed(self._kept)  # among equally near ones, the latest
        nearest = max(latest_first, key=lambda kept: _nearness(kept, wanted), default=None)
        if nearest is None or not _in_common(nearest, wanted):
            return None
        return self._kept[nearest]

    def keep(self, key: BuildKey, made: Generation) -> None:
        """Keep a build for later ones, and evict the oldest if there are too many of its sort."""
        self._kept.pop(key, None)
        self._kept[key] = made
        like_it = [one for one in self._kept if _sort(one) == _sort(key)]
        for old in like_it[:-MOST_ALIKE]:
            del self._kept[old]
        if len(self._kept) > MOST_KEPT:
            del self._kept[next(iter(self._kept))]

    def clear(self) -> None:
        """Drop all builds."""
        self._kept.clear()


def _sort(key: BuildKey) -> tuple[str, bool, bool]:
    return key.packs[0], key.reasons, key.texts


def _in_common(kept: BuildKey, wanted: BuildKey) -> int:
    return len({*kept.packs} & {*wanted.packs})


def _nearness(kept: BuildKey, wanted: BuildKey) -> tuple[bool, bool, bool, int, int]:
    """The sort key of nearness: a common pack, the wanted texts (the slowest part), the same reasons,
    most packs in common, fewest others."""
    common, others = _in_common(kept, wanted), {*kept.packs} - {*wanted.packs}
    has_texts = kept.texts or not wanted.texts
    return common > 0, has_texts, kept.reasons == wanted.reasons, common, -len(others)


class Reuse:
    """Compares the build `now` with the one `before`, and keeps its results."""

    def __init__(self, symbols: LookedUp, before: Generation | None, report: Report) -> None:
        self.now, self.before, self.report = Generation(symbols, symbols.tables()), before, report
        self._same: dict[Key, bool] = {}

    def result(self, key: Hashable, inputs: tuple[object, ...], make: Callable[[], T]) -> T:
        """The result of a text: reused if its inputs and lookups are unchanged, otherwise made."""
        self.report.go_on()
        kept = self._kept(key, inputs)
        if kept is None:
            found = self.report.count
            with self.now.symbols.lookups.apart() as (needed, marks):
                result = make()
            kept = Reusable(inputs, result, tuple(needed), tuple(marks))
            if self.report.count > found:
                self.now.symbols.hand_on(kept.needed, kept.marks)
                return result
        self.now.kept[key] = kept
        self.now.symbols.hand_on(kept.needed, kept.marks)
        again: T = kept.result
        return again

    def changed(self, key: Key) -> None:
        """Compare the entry under a key again: it is entered only now."""
        self._same.pop(key, None)

    def finish(self) -> None:
        """Release the earlier build, which would keep the one before it, and so on; and the checker of
        bodies, so that this build is freed with its last user, without a garbage collection."""
        self.before = None
        self.now.settle()

    def _kept(self, key: Hashable, inputs: tuple[object, ...]) -> Reusable | None:
        if self.before is None:
            return None
        kept = self.before.kept.get(key)
        if kept is None or NEVER_SAME in kept.needed or not alike(kept.inputs, inputs):
            return None
        same = self._same
        for key in kept.needed:  # thousands, most of them shared with other texts
            if key not in same:
                same[key] = alike(self.before.found(key), self.now.found(key))
            if not same[key]:
                return None
        return kept


def alike(old: object, new: object) -> bool:
    """Whether two values are the same for any text."""
    if old is new:
        return True
    if isinstance(old, tuple) and isinstance(new, tuple):
        return len(old) == len(new) and all(map(alike, old, new))
    if type(old) is not type(new):
        return False  # `yes` equals 1, and is another value
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(map(alike, old, new))
    if isinstance(old, Remade) and isinstance(new, Remade):
        return alike(old.parts, new.parts)
    return old == new
