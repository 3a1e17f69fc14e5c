"""The coverage of a pack by its cases: how much of it they come past, and what they do not."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ruleloom.compiler.packs.content import Content
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Origin, Program
from ruleloom.scenarios.coverage.targets import (
    NEITHER,
    NEVER_ASKED,
    NEVER_RUN,
    SORTS,
    Target,
    run_of,
    targets_of,
)
from ruleloom.scenarios.coverage.watch import Mark

ALL = 100


@dataclass(frozen=True, slots=True)
class Portion:
    """So many of so many."""

    run: int
    all: int

    @property
    def percent(self) -> int:
        """The share in percent, rounded down: all is all."""
        return ALL if self.run == self.all else ALL * self.run // self.all

    def __str__(self) -> str:
        return f"{self.run} of {self.all}"


@dataclass(frozen=True, slots=True)
class Gap:
    """What no passing case comes past: where it stands, and what does not happen there."""

    sort: str
    item: str
    path: str
    line: int
    column: int
    lack: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """The coverage of one pack; `floor` is what its manifest asks for, in percent."""

    pack: str
    floor: int
    by_sort: Mapping[str, Portion]
    by_item: Mapping[str, Portion]
    gaps: tuple[Gap, ...]

    @property
    def whole(self) -> Portion:
        """All of it."""
        shares = self.by_sort.values()
        return Portion(sum(one.run for one in shares), sum(one.all for one in shares))

    @property
    def is_enough(self) -> bool:
        """Does it reach its floor?"""
        return self.whole.percent >= self.floor

    def to_json(self) -> dict[str, Any]:
        """The coverage as JSON."""
        whole = self.whole
        return {
            "pack": self.pack,
            "percent": whole.percent,
            "floor": self.floor,
            "run": whole.run,
            "all": whole.all,
            "sorts": {name: {"run": one.run, "all": one.all} for name, one in self.by_sort.items()},
            "items": [
                {
                    "id": id,
                    "run": share.run,
                    "all": share.all,
                    "gaps": [_gap_json(gap) for gap in self.gaps if gap.item == id],
                }
                for id, share in self.by_item.items()
            ],
        }


def _gap_json(gap: Gap) -> dict[str, Any]:
    place = {"path": gap.path, "line": gap.line, "column": gap.column}
    return {"sort": gap.sort, **place, "message": gap.lack}


def coverage_of(program: Program, content: Content, pack: str, marks: set[Mark]) -> Coverage:
    """The coverage of a pack by what its passing cases came past."""
    targets = targets_of(program, content, pack)
    run = run_of(targets, marks)
    items = _Items(content)
    shown = {path: shown for shown, (of, path) in content.files.items() if of == pack}
    owner = {one: items.at(one.origin) for one in targets}
    gaps = (
        Gap(
            one.sort,
            items.at(one.origin),
            shown[one.origin.path],
            one.origin.line,
            one.origin.column,
            one.lack,
        )
        for one in _first_told(targets, run)
    )
    floor = content.pack(pack).manifest.data("coverage")
    return Coverage(
        pack=pack,
        floor=floor if isinstance(floor, int) else 0,
        by_sort=_shares(((one.sort, one in run) for one in targets), SORTS),
        by_item=_shares((owner[one], one in run) for one in targets),
        gaps=tuple(gaps),
    )


def _first_told(targets: list[Target], run: set[Target]) -> Iterator[Target]:
    """The gaps of a report: none within a line that nothing runs, and each lack of a line once."""
    lacks: dict[Origin, set[str]] = defaultdict(set)
    for one in targets:
        if one not in run:
            lacks[one.origin].add(one.lack)
    told: set[tuple[str, int, str]] = set()
    for one in targets:
        others = lacks[one.origin]
        if one in run or (NEVER_RUN in others and one.lack != NEVER_RUN):
            continue
        lack = NEVER_ASKED if {one.lack, *others} >= NEITHER else one.lack
        place = one.origin.path, one.origin.line, lack
        if place not in told:
            told.add(place)
            yield replace(one, lack=lack)


def _shares(found: Iterable[tuple[str, bool]], names: Iterable[str] = ()) -> dict[str, Portion]:
    """How many of each name have been run."""
    run: Counter[str] = Counter()
    every: Counter[str] = Counter(dict.fromkeys(names, 0))
    for name, is_run in found:
        every[name] += 1
        run[name] += is_run
    return {name: Portion(run[name], count) for name, count in every.items()}


class _Items:
    """The items of a game by where they stand."""

    def __init__(self, content: Content) -> None:
        found: dict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
        for item in content.items:
            pack, path = content.files[item.place.path]
            found[pack, path].append((item.node.place.line, item.id))
        self._starts = {file: sorted(items) for file, items in found.items()}

    def at(self, origin: Origin) -> str:
        """The id of the item in whose text this stands."""
        items = self._starts.get((origin.pack, origin.path), [])
        number = bisect_right(items, (origin.line + 1, ""))
        return items[number - 1][1] if number else f"{origin.pack}:{origin.path}"
