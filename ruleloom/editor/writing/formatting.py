"""Formatting in an editor: effect text in canonical form, and the indentation of a new line."""

from __future__ import annotations

from collections.abc import Iterator

from ruleloom.compiler.analysis.alone import form_of
from ruleloom.compiler.analysis.format_file import BLOCKS, blocks_of, edit_of
from ruleloom.compiler.analysis.texts import FileEdit
from ruleloom.compiler.analysis.yaml_cursor import yaml_cursor
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.editor.project import Project

STEP = 4


def formatting(project: Project, path: str) -> Iterator[FileEdit]:
    """The edits that bring each effect text of a file into canonical form; what does not parse stays."""
    names = project.names(path)
    if names.root is None or not project.is_writable(path):
        return
    for node in names.items:
        for block, form in blocks_of(node, project.snapshot.schemas):
            edit = edit_of(names.source, block, form, Report())
            if edit is not None:
                yield edit


def indented(project: Project, path: str, offset: int) -> FileEdit | None:
    """The edit that indents the new line at a place: deeper below a `:`, else like the line above."""
    text = project.text(path)
    start = text.rfind("\n", 0, offset) + 1
    if start == 0 or text[start:offset].strip():
        return None
    cursor = yaml_cursor(text, start - 1)
    form = form_of(project.snapshot.schemas, cursor.item.kind, cursor.fields)
    above = text[:start].rstrip("\n").rpartition("\n")[2]
    if form not in BLOCKS or not above.strip():
        return None
    width = len(above) - len(above.lstrip(" "))
    opens = above.rstrip().endswith(":") and cursor.role == "text"
    begins = above.rstrip().endswith("|") and cursor.role != "text"
    width += STEP if opens else 2 if begins else 0
    end = start + len(text[start:]) - len(text[start:].lstrip(" "))
    wanted = " " * width
    return None if text[start:end] == wanted else FileEdit(start, end, wanted)
