"""Coverage of a pack by its cases, and the comparison of its texts and logs with the accepted ones.

Targets of coverage are lines, ways and conditions of effect texts, results of rules and measures,
and modifiers that abilities apply. Rows are identified by their source position, since each case may
have a program of its own.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, field, replace
from difflib import unified_diff
from pathlib import Path
from typing import Any, NamedTuple

from ruleloom.compiler.packs.content import Content
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.program import (
    Jump,
    JumpUnless,
    Modal,
    Origin,
    Program,
    Return,
    Row,
    Spend,
)
from ruleloom.scenarios.listener import Mark

# ------------------------------------------------------------------------------------- targets

LINE, WAY, CONDITION, ABILITY, RULE = "line", "way", "condition", "ability", "rule"
# The sorts of targets, each with its plural.
SORTS = {
    **{LINE: "lines", WAY: "ways", CONDITION: "conditions"},
    **{ABILITY: "abilities", RULE: "rules"},
}
NEVER_RUN, NEVER_ASKED = "nothing runs this", "nothing asks for this"
NEITHER = {"this never comes to yes", "this never comes to no"}
# Rows that are no line of their own.
SILENT = (Jump, Return, Spend)


class Target(Frozen):
    """A coverage target, hit by any of its `marks`; `lack` is the message when none is hit."""

    sort: str
    origin: Origin
    lack: str
    marks: tuple[Mark, ...]


def _targets_of(program: Program, content: Content, pack: str) -> list[Target]:
    """The coverage targets of a pack, without duplicates, in source order."""
    found: dict[tuple[Mark, ...], Target] = {}
    for one in (*_rows(program), *_rules(program, content), *_abilities(program)):
        if one.origin.pack == pack:
            found.setdefault(one.marks, one)
    sorts = [*SORTS]
    places = {one: (one.origin.path, one.origin.line, one.origin.column) for one in found.values()}
    return sorted(places, key=lambda one: (places[one], sorts.index(one.sort)))


def _rows(program: Program) -> Iterator[Target]:
    for routine in program.routines:
        for row in routine.rows:
            if not isinstance(row, SILENT):
                yield Target(LINE, row.origin, NEVER_RUN, (("line", row.origin),))
            if isinstance(row, Modal):
                yield from _ways(row)
            elif isinstance(row, JumpUnless) and _is_branch(row, routine.rows):
                for answer, lack in ((True, "this is never so"), (False, "this is always so")):
                    mark = ("condition", row.origin, answer)
                    yield Target(CONDITION, row.origin, lack, (mark,))


def _ways(row: Modal) -> Iterator[Target]:
    for mode in row.modes:
        parts = (mode.label,) if isinstance(mode.label, str) else mode.label
        label = "".join(one if isinstance(one, str) else "..." for one in parts)
        lack = f"nobody takes the way `{label}`"
        if row.kind == "optional":
            lack = "nobody does this" if mode is row.modes[0] else "nobody leaves this out"
        yield Target(WAY, row.origin, lack, (("way", row.origin, mode.label),))


def _is_branch(row: JumpUnless, rows: Sequence[Row]) -> bool:
    """Is it the jump of an `if`, not of a loop or a longer statement?"""
    last = rows[row.to - 1]
    return isinstance(last, Jump) and last.to >= row.to


def _rules(program: Program, content: Content) -> Iterator[Target]:
    items = {item.id: item for item in content.items}
    for function in program.functions:
        item = items.get(function.id)
        if item is None:
            continue
        origin, what = content.origin(item.place), ("function", function.id)
        if function.result != "Bool":
            marks = tuple(("value", what, value) for value in (None, True, False))
            yield Target(RULE, origin, NEVER_ASKED, marks)
            continue
        for answer, word in ((True, "yes"), (False, "no")):
            yield Target(RULE, origin, f"this never comes to {word}", (("value", what, answer),))


def _abilities(program: Program) -> Iterator[Target]:
    for stat in program.stats:
        for one in stat.modifiers:
            if one.test is not None:
                mark: Mark = ("value", ("modifier", stat.id, one.via), True)
                yield Target(ABILITY, one.via[0], "this never changes anything", (mark,))


# ------------------------------------------------------------------------------------ coverage

ALL = 100


class Portion(Frozen):
    """A covered count of a total."""

    run: int
    all: int

    @property
    def percent(self) -> int:
        """The share in percent, rounded down."""
        return ALL if self.run == self.all else ALL * self.run // self.all

    def __str__(self) -> str:
        return f"{self.run} of {self.all}"


class Gap(NamedTuple):
    """A target that no passing case hits: its position and the message."""

    sort: str
    path: str
    line: int
    column: int
    message: str


class Coverage(Frozen):
    """The coverage of one pack; `floor` is the percentage that its manifest requires."""

    pack: str
    floor: int
    by_sort: Mapping[str, Portion]
    by_item: Mapping[str, Portion]
    gaps: Mapping[str, Sequence[Gap]]  # by item

    @property
    def whole(self) -> Portion:
        """The total."""
        shares = self.by_sort.values()
        return Portion(sum(one.run for one in shares), sum(one.all for one in shares))

    @property
    def is_enough(self) -> bool:
        """Does the coverage reach its floor?"""
        return self.whole.percent >= self.floor

    def to_json(self) -> dict[str, Any]:
        """The coverage as JSON."""
        return {
            "pack": self.pack,
            "percent": self.whole.percent,
            "floor": self.floor,
            **asdict(self.whole),
            "sorts": {name: asdict(one) for name, one in self.by_sort.items()},
            "items": [
                {
                    "id": id,
                    **asdict(share),
                    "gaps": [gap._asdict() for gap in self.gaps.get(id, ())],
                }
                for id, share in self.by_item.items()
            ],
        }


def coverage_of(program: Program, content: Content, pack: str, marks: set[Mark]) -> Coverage:
    """The coverage of a pack from the marks of its passing cases."""
    targets = _targets_of(program, content, pack)
    run = {one for one in targets if not marks.isdisjoint(one.marks)}
    item_at = _items_at(content)
    shown = {path: shown for shown, (of, path) in content.files.items() if of == pack}
    gaps = defaultdict[str, list[Gap]](list)
    for one in _first_told(targets, run):
        at = one.origin
        gaps[item_at(at)].append(Gap(one.sort, shown[at.path], at.line, at.column, one.lack))
    floor = content.pack(pack).manifest.data("coverage")
    return Coverage(
        pack=pack,
        floor=floor if isinstance(floor, int) else 0,
        by_sort=_shares(((one.sort, one in run) for one in targets), SORTS),
        by_item=_shares((item_at(one.origin), one in run) for one in targets),
        gaps=gaps,
    )


def _first_told(targets: list[Target], run: set[Target]) -> Iterator[Target]:
    """The reported gaps: none within a line that never runs, and each lack once per line."""
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
    """The covered and total counts by name."""
    run, every = Counter[str](), Counter[str](dict.fromkeys(names, 0))
    for name, is_run in found:
        every[name] += 1
        run[name] += is_run
    return {name: Portion(run[name], count) for name, count in every.items()}


def _items_at(content: Content) -> Callable[[Origin], str]:
    """The look-up of the item id at an origin."""
    starts = defaultdict[tuple[str, str], list[tuple[int, str]]](list)
    for item in content.items:
        starts[content.files[item.place.path]].append((item.node.place.line, item.id))

    def at(origin: Origin) -> str:
        above = (one for one in starts[origin.pack, origin.path] if one[0] <= origin.line)
        return max(above, default=(0, f"{origin.pack}:{origin.path}"))[1]

    return at


FILE = "accepted.json"
LOG = "log "
CONTEXT = 1  # lines of context around a difference

Kept = dict[str, list[str]]
"""Lines by the subject's key: `card house:major/lake`, `log a-case`."""


def texts_of(program: Program, content: Content, pack: str) -> Kept:
    """Cards and rules texts of the items that a pack declares or changes, from a program compiled with its
    texts."""
    own = {item.id for item in content.items if item.pack == pack}
    own |= {
        id for (id, _), done in content.history.items() if any(one.pack == pack for one in done)
    }
    found = (("card", program.card_texts().items()), ("text", program.texts))
    return {
        f"{what} {id}": text.splitlines() for what, all_ in found for id, text in all_ if id in own
    }


def read(file: Path) -> Kept:
    """The accepted lines, if any. Raises ValueError for a file of another format."""
    data: Any = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    lines = data.values() if isinstance(data, Mapping) else [None]
    if not all(isinstance(one, list) and all(isinstance(x, str) for x in one) for one in lines):
        raise ValueError("it holds no lines of texts and logs")
    return {str(key): list(one) for key, one in data.items()}


def written(kept: Kept) -> str:
    """The file text of accepted lines, one per line so that its diffs are readable."""
    return json.dumps(dict(sorted(kept.items())), indent=1, ensure_ascii=False) + "\n"


class Acceptance(Frozen):
    """The accepted lines of a pack, and how its current texts and logs differ from them."""

    file: str
    kept: int
    is_kept_now: bool = True
    changed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The line diff of each text or log; of one that is gone, all its lines."""
    new: tuple[str, ...] = ()

    @classmethod
    def compared(cls, file: str, accepted: Kept, now: Kept) -> Acceptance:
        """Compare; a missing log is no difference, as its case may not have been run."""
        changed = {}
        for key, lines in accepted.items():
            here = now.get(key, [])
            if here != lines and (key in now or not key.startswith(LOG)):
                diff = unified_diff(lines, here, lineterm="", n=CONTEXT)
                heads = ("---", "+++", "@@")
                changed[key] = tuple(line for line in diff if not line.startswith(heads))
        new = tuple(key for key in now if key not in accepted)
        return cls(file, len(accepted), False, changed, new)

    def to_json(self) -> dict[str, Any]:
        """The comparison as JSON."""
        changed = {key: list(lines) for key, lines in self.changed.items()}
        return {"file": self.file, "kept": self.kept, "changed": changed, "new": list(self.new)}
