"""Replaced texts of effects as changes of their steps, where both make the same program."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent
from typing import Any

from ruleloom.compiler.analysis.patched_text import AGAINST
from ruleloom.compiler.analysis.stepped_text import Changes, step_changes
from ruleloom.compiler.analysis.yaml_cursor import FileEdit
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.compiler.yaml.node import text_of
from ruleloom.migrate.course import Course, Task
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_data

REPLACED = "replace-effect"
WHOLE = (
    "`%s` replaces a whole text, and answers to none of its steps: "
    "lines before, after or in place of a step would go on with what the game changes"
)


def same_program(one: Program, other: Program) -> bool:
    """Are two programs the same but for where their texts stand?"""
    return bool(_bare(one) == _bare(other))


def _bare(program: Program) -> Any:
    def without(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: without(one) for key, one in value.items() if key != "lock"}
        if isinstance(value, list | tuple):
            is_place = [*map(type, value)] == [str, str, int, int]
            return None if is_place else [without(one) for one in value]
        return value

    return without(program_data(program))


def as_steps(course: Course, result: CompileResult) -> Iterator[Task]:
    """Turn replaced texts into changes of steps; yield a task for each that must stay whole.

    One that says `against:` has been looked at as it stands.
    """
    for id in _replacing(course, result):
        content = result.content
        assert content is not None, "only sound packs have steps"
        patch = content.by_id[id]
        old, new = _replaced(content, patch), text_of(patch.fields[REPLACED])
        again = _with_steps(course, result, patch, step_changes(old, new))
        if again is None and AGAINST not in patch.fields:
            yield Task(patch.place, WHOLE % patch.name, (("the game", old), ("your pack", new)))
        result = again or result


def _replacing(course: Course, result: CompileResult) -> list[str]:
    """The ids of the patches of the pack that replace a whole text."""
    content = result.content
    patches = content.by_kind("patch") if content is not None else ()
    own = [one for one in patches if content and course.is_own(content, one.source.path)]
    return [one.id for one in own if REPLACED in one.fields]


def _with_steps(
    course: Course, result: CompileResult, patch: Item, changes: Changes | None
) -> CompileResult | None:
    """The pack with changes of steps in place of a whole text; None if they are another program."""
    content, program, before = result.content, result.program, dict(course.texts)
    if not changes or content is None or program is None:
        return None
    course.change(content, {patch.source.path: [_edit(patch, changes)]})
    again = course.compiled()
    if again.program is not None and same_program(program, again.program):
        return again
    course.texts = before
    return None


def _replaced(content: Content, patch: Item) -> str:
    """The text of the effect that a patch replaces; empty for none."""
    changes = (several for (_, name), several in content.history.items() if name == "effect")
    old = next((one.old for several in changes for one in several if one.by == patch.id), "")
    return old if isinstance(old, str) else ""


def _edit(patch: Item, changes: Changes) -> FileEdit:
    """The edit that says a text by changes of steps instead."""
    node, spans = patch.fields[REPLACED], patch.node.key_spans or {}
    start = spans[REPLACED][0]
    text = patch.source.text
    margin = " " * (start - (text.rfind("\n", 0, start) + 1))
    parts = []
    for op, steps in changes.items():
        is_removed = not any(steps.values())
        parts.append(f"{op}: [{', '.join(steps)}]" if is_removed else f"{op}:")
        for name, lines in () if is_removed else steps.items():
            parts += [f"  {name}: |", indent(lines, "    ")]
    end = len(text[: node.end].rstrip("\n"))
    return FileEdit(start, end, indent("\n".join(parts), margin)[len(margin) :])
