"""What a pack overrides in others: hashes of what it was written against, and these texts, kept beside."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from ruleloom.compiler.analysis.overrides import Override, overrides
from ruleloom.compiler.analysis.yaml_cursor import FileEdit
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.compiler.schema.registry import AGAINST
from ruleloom.compiler.yaml.node import text_of
from ruleloom.migrate.course import Course, Task
from ruleloom.migrate.whole_texts import whole_text

FOLDER = "against"
BEHIND = ("target", "every", "id")
"""The fields behind which the hash stands: the first of them that an item has."""
OURS = ("effect", "abilities")


def written_against(course: Course, result: CompileResult) -> tuple[dict[str, str], list[Item]]:
    """Write into each item of a pack what it overrides; return the texts to keep, by path in the pack, and
    the items whose kind has a field of that name already."""
    content, kept, left = result.content, dict[str, str](), list[Item]()
    edits: dict[str, list[FileEdit]] = {}
    for one in _own(course, content) if content is not None else ():
        if AGAINST in one.entry.first.fields:
            left.append(one.entry.first)
            continue
        kept[f"{FOLDER}/{one.hash}.txt"] = one.text.rstrip() + "\n"
        edits.setdefault(one.entry.first.source.path, []).append(_edit(one))
    if content is not None:
        course.change(content, edits)
    return kept, left


def _own(course: Course, content: Content) -> Iterator[Override]:
    """What the pack overrides in others."""
    return overrides(content, partial(course.is_own, content))


def _edit(override: Override) -> FileEdit:
    """The edit that says what an item is against, beside its target or its name."""
    item, known = override.entry.first, override.entry.against
    if known is not None:
        return FileEdit(known.start, known.end, f'"{override.hash}"')
    name = next(one for one in BEHIND if one in item.node.entries)
    start = (item.node.key_spans or {})[name][0]
    line = item.source.text.rfind("\n", 0, start) + 1
    between = ", " if item.node.style == "{" else "\n" + " " * (start - line)
    end = item.node.entries[name].end
    return FileEdit(end, end, f'{between}{AGAINST}: "{override.hash}"')


def moved_tasks(course: Course, result: CompileResult) -> Iterator[Task]:
    """A task for each item that overrides something else by now: with what it was written against, if that is
    kept."""
    content = result.content
    for override in _own(course, content) if content is not None else ():
        written, item = text_of(override.entry.against), override.entry.first
        if written in ("", override.hash):
            continue
        file = Path(course.folder.path, FOLDER, f"{written}.txt")
        was = [("then", file.read_text(encoding="utf-8"))] if file.is_file() else []
        replaced = whole_text(item) or next(
            (item.fields[one] for one in OURS if one in item.fields), None
        )
        ours = [("your pack", text_of(replaced))] if replaced is not None else []
        yield Task(item.place, override.words, (*was, ("now", override.text), *ours))
