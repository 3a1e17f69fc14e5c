"""All that cases of a pack could come past: the lines, ways and conditions of its texts, what its
rules and measures come to, and what its abilities change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ruleloom.compiler.packs.content import Content
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import (
    Jump,
    JumpUnless,
    Modal,
    Origin,
    Program,
    Return,
    Row,
    Spend,
    Words,
)
from ruleloom.scenarios.coverage.watch import Mark

LINE, WAY, CONDITION, ABILITY, RULE = "line", "way", "condition", "ability", "rule"
SORTS = (LINE, WAY, CONDITION, ABILITY, RULE)
NEVER_RUN, NEVER_ASKED = "nothing runs this", "nothing asks for this"
NEITHER = {"this never comes to yes", "this never comes to no"}
# Rows that stand for no line of their own.
SILENT = (Jump, Return, Spend)


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that a case can come past, known by any of its `marks`; `lack` says that none does."""

    sort: str
    origin: Origin
    lack: str
    marks: tuple[Mark, ...]


def targets_of(program: Program, content: Content, pack: str) -> list[Target]:
    """What the cases of a pack could come past, each once, in the order of the files."""
    found: dict[tuple[Mark, ...], Target] = {}
    for one in (*_rows(program), *_rules(program, content), *_abilities(program)):
        if one.origin.pack == pack:
            found.setdefault(one.marks, one)
    return sorted(found.values(), key=lambda one: (_place(one.origin), SORTS.index(one.sort)))


def _place(origin: Origin) -> tuple[str, int, int]:
    return origin.path, origin.line, origin.column


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
        lack = f"nobody takes the way `{spelled(mode.label)}`"
        if row.kind == "optional":
            lack = "nobody does this" if mode is row.modes[0] else "nobody leaves this out"
        yield Target(WAY, row.origin, lack, (("way", row.origin, mode.label),))


def _is_branch(row: JumpUnless, rows: Sequence[Row]) -> bool:
    """Is it an `if`, and no loop or part of a longer statement?"""
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
            lack = f"this never comes to {word}"
            yield Target(RULE, origin, lack, (("value", what, answer),))


def _abilities(program: Program) -> Iterator[Target]:
    for stat in program.stats:
        for one in stat.modifiers:
            if one.test is not None:
                mark: Mark = ("value", ("modifier", stat.id, one.via), True)
                yield Target(ABILITY, one.via[0], "this never changes anything", (mark,))


def spelled(words: Words) -> str:
    """A text, with dots for its holes."""
    if isinstance(words, str):
        return words
    return "".join(part if isinstance(part, str) else "..." for part in words)


def run_of(targets: Iterable[Target], marks: set[Mark]) -> set[Target]:
    """Those targets that somebody has come past."""
    return {one for one in targets if not marks.isdisjoint(one.marks)}
