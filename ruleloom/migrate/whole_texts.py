"""Replaced texts of effects as changes of their steps, where both make the same program.

The lines of the new text are held against those of the text it replaces, without the names of steps. What is
inserted, replaced and taken out must begin and end with a step.
"""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from textwrap import dedent, indent
from typing import Any, NamedTuple

from ruleloom.compiler.analysis.yaml_cursor import FileEdit
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.patch.edits import AFTER, BEFORE, REPLACE
from ruleloom.compiler.syntax.errors import EffectSyntaxError
from ruleloom.compiler.syntax.formatter import INDENT
from ruleloom.compiler.syntax.parser import NamedStep, read_steps
from ruleloom.migrate.course import Course, Task
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_data

REPLACED = "replace-effect"
HELP = "lines before, after or in place of a step would go on with what the game changes"


class Line(NamedTuple):
    """A line of a text without its steps: which begin and which end at it."""

    text: str
    begins: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()


def same_program(one: Program, other: Program) -> bool:
    """Are two programs the same but for where their texts stand?"""
    return _bare(one) == _bare(other)


def _bare(program: Program) -> Any:
    def without(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: without(one) for key, one in value.items() if key != "lock"}
        if isinstance(value, list | tuple):
            is_place = [*map(type, value)] == [str, str, int, int]
            return None if is_place else [without(one) for one in value]
        return value

    return without(program_data(program))


def as_steps(course: Course, content: Content, program: Program) -> Iterator[Task]:
    """Turn replaced texts into changes of steps; yield a task for each that must stay whole."""
    for patch in content.by_kind("patch"):
        node = patch.fields.get(REPLACED)
        if node is None or not course.is_own(content, patch.source.path):
            continue
        change = next((one for (_, name), several in content.history.items() if name == "effect" for one in several if one.by == patch.id), None)
        if change is None or not isinstance(change.old, str):
            continue
        before, changes = dict(course.texts), step_changes(change.old, node.text or "")
        if changes:
            course.change(content, {patch.source.path: [_edit(patch, changes)]})
            again = course.compiled()
            if again.program is not None and same_program(program, again.program):
                continue
            course.texts = before
        words = f"`{patch.name}` replaces a whole text, and answers to none of its steps: {HELP}"
        yield Task(patch.place, words, (("the game", change.old), ("your pack", node.text or "")))


Changes = Mapping[str, Mapping[str, str]]
"""The lines by operation and step."""


def step_changes(old: str, new: str) -> Changes | None:
    """How a text differs from another one, as changes of its steps; None if it is not at steps."""
    try:
        lines, steps = _unstepped(old, read_steps(old))
    except EffectSyntaxError:
        return None
    ours = [one for one in new.rstrip().split("\n") if one.strip()]
    found: dict[str, dict[str, str]] = defaultdict(dict)
    matcher = difflib.SequenceMatcher(None, [one.text for one in lines], ours, autojunk=False)
    for does, first, last, start, end in matcher.get_opcodes():
        if does == "equal":
            continue
        brought = dedent("\n".join(ours[start:end]))
        place = _place(lines, first, last, steps)
        if place is None or place[1] in found[place[0]]:
            return None
        found[place[0]][place[1]] = brought
    return found


def _place(lines: Sequence[Line], first: int, last: int, steps: Mapping[str, int]) -> tuple[str, str] | None:
    """The operation and step that stand for a range of lines; `steps` are the columns."""
    if first == last:
        after = [name for name in lines[first - 1].ends] if first else []
        before = [name for name in lines[first].begins] if first < len(lines) else []
        if after:
            return AFTER, after[-1]
        return (BEFORE, before[0]) if before else None
    whole = [name for name in lines[first].begins if name in lines[last - 1].ends]
    return (REPLACE, whole[0]) if whole else None


def _unstepped(text: str, steps: Sequence[NamedStep]) -> tuple[list[Line], Mapping[str, int]]:
    """The lines of a text without the names of steps."""
    lines = text.rstrip("\n").split("\n")
    found: list[Line] = []
    for number, line in enumerate(lines):
        around = [one for one in steps if one.first <= number <= one.last]
        shift = sum(INDENT for one in around if not one.inline and number > one.first)
        here = [one for one in around if one.first == number]
        if here and not here[-1].inline:
            continue
        body = line[shift:] if not here else " " * (here[-1].column - shift) + line.partition(":")[2].strip()
        if not body.strip():
            continue
        begins = [one.name for one in around if _first_line(one, lines) == number]
        ends = [one.name for one in around if one.last == number]
        found.append(Line(body, tuple(begins), tuple(reversed(ends))))
    return found, {one.name: one.column for one in steps}


def _first_line(step: NamedStep, lines: Sequence[str]) -> int:
    """The first line of a step's statements."""
    return step.first if step.inline else step.first + 1


def _edit(patch: Item, changes: Changes) -> FileEdit:
    """The edit that says a text by changes of steps instead."""
    node, spans = patch.fields[REPLACED], patch.node.key_spans or {}
    start = spans[REPLACED][0]
    text = patch.source.text
    margin = " " * (start - (text.rfind("\n", 0, start) + 1))
    parts = []
    for op, steps in changes.items():
        parts.append(f"{op}:")
        for name, lines in steps.items():
            parts += [f"  {name}: |", indent(lines, "    ")]
    end = len(text[: node.end].rstrip("\n"))
    return FileEdit(start, end, indent("\n".join(parts), margin)[len(margin) :])
