"""What patches were written against: hashes beside their targets, and the texts themselves in the pack."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ruleloom.compiler.analysis.patched_text import AGAINST, PatchedText, patched_texts
from ruleloom.compiler.analysis.yaml_cursor import FileEdit
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.compiler.yaml.node import text_of
from ruleloom.migrate.course import Course, Task

FOLDER = "against"


def written_against(course: Course, result: CompileResult) -> dict[str, str]:
    """Write into each patch of a pack what it is against; return the texts to keep, by path in the pack."""
    content, kept = result.content, dict[str, str]()
    edits: dict[str, list[FileEdit]] = {}
    for one in own_patches(course, content) if content is not None else ():
        kept[f"{FOLDER}/{one.hash}.txt"] = one.text.rstrip() + "\n"
        edits.setdefault(one.patch.source.path, []).append(_edit(one.patch, one.hash))
    if content is not None:
        course.change(content, edits)
    return kept


def own_patches(course: Course, content: Content) -> Iterator[PatchedText]:
    """What the patches of the pack are about in other packs."""
    found = patched_texts(content)
    yield from (one for one in found if course.is_own(content, one.patch.source.path))


def _edit(patch: Item, hash: str) -> FileEdit:
    """The edit that says what a patch is against, beside its target."""
    known, target = patch.fields.get(AGAINST), patch.fields["target"]
    if known is not None:
        return FileEdit(known.start, known.end, f'"{hash}"')
    start = (patch.node.key_spans or {})["target"][0]
    line = patch.source.text.rfind("\n", 0, start) + 1
    between = ", " if patch.node.style == "{" else "\n" + " " * (start - line)
    return FileEdit(target.end, target.end, f'{between}{AGAINST}: "{hash}"')


def moved_tasks(course: Course, result: CompileResult) -> Iterator[Task]:
    """A task for each patch whose target has changed: with what it was written against, if that is kept."""
    content = result.content
    for patch, target, now, hash in own_patches(course, content) if content is not None else ():
        written = text_of(patch.fields.get(AGAINST))
        if written in ("", hash):
            continue
        words = f"`{target.id}` has changed since `{patch.name}` was written against it"
        file = Path(course.folder.path, FOLDER, f"{written}.txt")
        was = [("then", file.read_text(encoding="utf-8"))] if file.is_file() else []
        replaced = patch.fields.get("replace-effect")
        ours = [("your pack", text_of(replaced))] if replaced is not None else []
        yield Task(patch.place, words, (*was, ("now", now), *ours))
