"""Replaced texts of effects as changes of their steps, where both make the same program."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent
from typing import Any

from ruleloom.compiler.analysis.stepped_text import Changes, step_changes
from ruleloom.compiler.analysis.yaml_cursor import FileEdit
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.compiler.yaml.node import YamlNode, entries_of, text_of
from ruleloom.migrate.course import Course, Task
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_data

REPLACED, SET, EFFECT = "replace-effect", "set", "effect"
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
        again, old = None, _replaced(content, patch)
        new = text_of(whole_text(patch))
        changes = [step_changes(one, new) for one in old]
        # A class of items has one change for all of them.
        if changes and all(one == changes[0] for one in changes):
            again = _with_steps(course, result, patch, changes[0])
        if again is None and (patch.source, patch.node.start) not in content.against:
            texts = (("the game", "\n".join(old[:1])), ("your pack", new))
            yield Task(patch.place, WHOLE % patch.name, texts)
        result = again or result


def whole_text(item: Item) -> YamlNode | None:
    """The text that a patch puts in the place of a whole one; None for other items."""
    found = item.fields.get(REPLACED) or entries_of(item.fields.get(SET)).get(EFFECT)
    return found if item.kind == "patch" else None


def _replacing(course: Course, result: CompileResult) -> list[str]:
    """The ids of the patches of the pack that replace a whole text."""
    content = result.content
    patches = content.by_kind("patch") if content is not None else ()
    own = [one for one in patches if content and course.is_own(content, one.source.path)]
    return [one.id for one in own if whole_text(one) is not None]


def _with_steps(
    course: Course, result: CompileResult, patch: Item, changes: Changes | None
) -> CompileResult | None:
    """The pack with changes of steps in place of a whole text; None if they are another program."""
    content, program, before = result.content, result.program, dict(course.texts)
    if not changes or content is None or program is None:
        return None
    course.change(content, {patch.source.path: [*_edits(patch, changes)]})
    again = course.compiled()
    if again.program is not None and same_program(program, again.program):
        return again
    course.texts = before
    return None


def _replaced(content: Content, patch: Item) -> list[str]:
    """The texts of effects that a patch replaces."""
    changes = (several for (_, name), several in content.history.items() if name == EFFECT)
    old = [one.old for several in changes for one in several if one.by == patch.id]
    return [one for one in old if isinstance(one, str)]


def _edits(patch: Item, changes: Changes) -> Iterator[FileEdit]:
    """The edits that say a text by changes of steps instead; what else `set:` says stays."""
    node, text = patch.node, patch.source.text
    name = REPLACED if REPLACED in node.entries else SET
    start = (node.key_spans or {})[name][0]
    margin = " " * (start - (text.rfind("\n", 0, start) + 1))
    said, whole = indent(_written(changes), margin)[len(margin) :], node.entries[name]
    if name == REPLACED or len(whole.entries) == 1:
        yield FileEdit(start, _end(text, whole), said)
    else:
        key = (whole.key_spans or {})[EFFECT][0]
        yield FileEdit(start, start, f"{said}\n{margin}")
        yield FileEdit(text.rfind("\n", 0, key), _end(text, whole.entries[EFFECT]), "")


def _end(text: str, node: YamlNode) -> int:
    """The end of a value, without the lines behind it."""
    return len(text[: node.end].rstrip("\n"))


def _written(changes: Changes) -> str:
    """Changes of steps as fields of a patch."""
    parts = []
    for op, steps in changes.items():
        is_removed = not any(steps.values())
        parts.append(f"{op}: [{', '.join(steps)}]" if is_removed else f"{op}:")
        for name, lines in () if is_removed else steps.items():
            parts += [f"  {name}: |", indent(lines, "    ")]
    return "\n".join(parts)
