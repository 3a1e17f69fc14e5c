"""Code actions at the cursor: fixes of diagnostics, and generated texts.

An action is a set of edits or a command; no file is written here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import indent
from typing import NamedTuple

from ruleloom.compiler.analysis.analysis import span_in
from ruleloom.compiler.analysis.effect_cursor import form_of
from ruleloom.compiler.analysis.yaml_cursor import (
    BLOCKS,
    FieldHelp,
    FileEdit,
    FileEdits,
    fields_in,
    format_edits,
    line_end,
    yaml_cursor,
)
from ruleloom.compiler.cases.claimed_words import WORDS_MAY_CHANGE
from ruleloom.compiler.diagnostics.fixes import fix_of
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.packs.content import KINDS_WITHOUT_ID
from ruleloom.compiler.schema.registry import LIKE
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import walk
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.editor.annotations import NAME_CLAIM, WRITE_CASE, can_write
from ruleloom.editor.project import Project

KINDS = QUICK, ALL, WRITE = "quickfix", "source.fixAll", "refactor"
UNKNOWN_POWER = "unknown-power"
# The initial value of a field by its type.
FIRST_VALUES = {"string": '""', "integer": "1", "boolean": "no", "array": "[]", "object": "{}"}


class Action(NamedTuple):
    """A code action: its title, and its edits by real path.

    If computing the edits takes too long, a `command` (name, arguments) makes them on request.
    """

    title: str
    kind: str
    edits: FileEdits
    mends: Diagnostic | None = None
    is_preferred: bool = False
    command: tuple[str, tuple[object, ...]] | None = None


def actions(
    project: Project, path: str, start: int, end: int, found: Sequence[Diagnostic]
) -> list[Action]:
    """The code actions for a range of a file and its diagnostics."""
    if not project.is_writable(path):
        return []
    text, names = project.text(path), project.names(path)
    made = [action for one in found for action in _mending(project, path, one)]
    edits = _all_fixes(project, path)
    if edits:
        made.append(Action("apply all fixes of one word in this file", ALL, {path: edits}))
    item = names.item_at(start)
    if item is None:
        return made
    made += [
        Action(f"add the missing field `{name}`", QUICK, {path: [edit]})
        for name, edit in _missing_fields(project, names.kind_of(item), text, item)
    ]
    one = project.snapshot.now.by_id.get(names.id_of(item))
    if one is not None and can_write(one):
        title = "write a scenario for this"
        made.append(Action(title, WRITE, {}, command=(WRITE_CASE, (path, one.id))))
    return made


def _all_fixes(project: Project, path: str) -> list[FileEdit]:
    """The non-overlapping fixes of all diagnostics of a file."""
    edits: list[FileEdit] = []
    shown = project.snapshot.shown.get(path)
    own = (one for one in project.snapshot.findings if one.place.path == shown)
    for edit in sorted({edit for one in own if (edit := fix_edit(project, path, one)) is not None}):
        edits += [edit] if not edits or edit.start >= edits[-1].end else []
    return edits


def _mending(project: Project, path: str, found: Diagnostic) -> Iterator[Action]:
    edit = fix_edit(project, path, found)
    if edit is not None:
        yield Action(f"write `{edit.text}`", QUICK, {path: [edit]}, found, is_preferred=True)
    if found.code == UNKNOWN_POWER:
        yield from _new_power(project, path, found)
    if found.code == WORDS_MAY_CHANGE and edit is None:
        asked = (path, span_in(project.text(path), found.place)[0])
        yield Action("write its name", QUICK, {}, found, command=(NAME_CLAIM, asked))
    if found.severity == "warning":  # the author still has to give the reason
        text = project.text(path)
        line = text.rfind("\n", 0, span_in(text, found.place)[0]) + 1
        margin = " " * (len(text[line:]) - len(text[line:].lstrip(" ")))
        comment = f"{margin}# ruleloom: allow {found.code} because it is meant\n"
        edits = {path: [FileEdit(line, line, comment)]}
        yield Action(f"allow `{found.code}` here", QUICK, edits, found)


def fix_edit(project: Project, path: str, found: Diagnostic) -> FileEdit | None:
    """The edit that fixes a diagnostic, if any."""
    shown = found.place.path
    fix = fix_of(found, {shown: project.text(path)})
    if fix is None:
        return None
    start, end = span_in(project.text(path), fix.place)
    return FileEdit(start, end, fix.text)


# ------------------------------------------------------------------ new texts


def _missing_fields(
    project: Project, kind: str, text: str, item: YamlNode
) -> Iterator[tuple[str, FileEdit]]:
    """The required fields that an item lacks, each with the edit that adds it."""
    schemas = project.snapshot.kept.schemas
    if kind not in schemas.kinds or kind in KINDS_WITHOUT_ID or LIKE in item.entries:
        return
    known = {one.name: one for one in fields_in(schemas, kind, ())}
    for name in schemas.schema(kind).get("required", ()):
        if name not in item.entries and name in known:
            yield name, _field_edit(text, item, known[name], kind)


def _field_edit(text: str, item: YamlNode, field: FieldHelp, kind: str) -> FileEdit:
    """The edit that adds a field after the others, with a placeholder value."""
    if item.style == "{":
        lead = ", " if item.entries else ""
        at = item.end - 1
        return FileEdit(at, at, f"{lead}{field.name}: {_first_value(field)}")
    first = next(iter(item.entries), None)
    margin = " " * (item.key_place(first).column - 1) if first is not None else ""
    last = max((node.end for node in item.entries.values()), default=item.end)
    end = line_end(text, last - 1)
    value = _first_value(field)
    if field.name in ("effect", "ended"):
        value = f"|\n{margin}  stop"
    elif field.name in ("gloss", "title", "english", "label"):
        value = f'"{kind}"'
    return FileEdit(end, end, f"\n{margin}{field.name}: {value}")


def _first_value(field: FieldHelp) -> str:
    if field.values:
        return field.values[0]
    return FIRST_VALUES.get(next(iter(field.types), ""), '""')


def _new_power(project: Project, path: str, found: Diagnostic) -> Iterator[Action]:
    """The action that declares an unknown power, with parameters by the arguments of its use."""
    text = project.text(path)
    start, end = span_in(text, found.place)
    name = text[start:end]
    if not name.isidentifier():
        return
    call = _use_at(project, path, start, name)
    takes = _parameters(project, path, start, call) if call is not None else []
    item = project.names(path).item_at(start)
    end = min(line_end(text, (item.end if item is not None else len(text)) - 1) + 1, len(text))
    in_list = bool(re.search(r"^- ", text, re.MULTILINE))
    lines = ["kind: power", f"id: {name}"]
    lines += [f'takes: "{", ".join(takes)}"'] if takes else []
    lines += [f'gloss: "{name.replace("_", " ")}"', "effect: |", "  stop"]
    if in_list:
        body = indent("\n".join(lines), "  ")
        edits = {path: [FileEdit(end, end, f"\n- {body.lstrip()}\n")]}
        yield Action(f"make the power `{name}`", QUICK, edits, found)
        return
    other = str(Path(path).parent / f"{name.replace('_', '-')}.yaml")
    if not os.path.lexists(other):
        new = {other: [FileEdit(0, 0, "\n".join(lines) + "\n")]}
        yield Action(f"make the power `{name}` in a file of its own", QUICK, new, found)


def _use_at(project: Project, path: str, start: int, name: str) -> ast.UseStmt | None:
    text = project.names(path).text_at(start)
    if text is None:
        return None
    uses = (one for one in walk(text.tree) if isinstance(one, ast.UseStmt))
    return next((one for one in uses if text.span(one.power.span)[0] == start), None)


def _parameters(project: Project, path: str, start: int, use: ast.UseStmt) -> list[str]:
    """The parameters for the arguments of a `use`: variables keep name and type, others are Int."""
    known: Mapping[str, object] = project.known_at(path, start)
    found = []
    for number, arg in enumerate(use.args, 1):
        named = arg.value.id if isinstance(arg.value, ast.Name) else ""
        type_ = known.get(named, "Int")
        found.append(f"{arg.label or named or f'value_{number}'}: {type_}")
    return found


STEP = 4


def formatting(project: Project, path: str) -> list[FileEdit]:
    """The edits that put the effect texts of a file into canonical form; invalid ones are kept."""
    names, schemas = project.names(path), project.snapshot.kept.schemas
    if names.root is None or not project.is_writable(path):
        return []
    return format_edits(names.source, names.items, schemas, Report())


def indented(project: Project, path: str, offset: int) -> list[FileEdit]:
    """The edit that indents a new line: deeper after `:` or `|`, else like the line above."""
    text = project.text(path)
    start = text.rfind("\n", 0, offset) + 1
    if start == 0 or text[start:offset].strip():
        return []
    cursor = yaml_cursor(text, start - 1)
    form = form_of(project.snapshot.kept.schemas, cursor.item.kind, cursor.fields)
    above = text[:start].rstrip("\n").rpartition("\n")[2]
    if form not in BLOCKS or not above.strip():
        return []
    width = len(above) - len(above.lstrip(" "))
    opens = above.rstrip().endswith(":") and cursor.role == "text"
    begins = above.rstrip().endswith("|") and cursor.role != "text"
    width += STEP if opens else 2 if begins else 0
    end = start + len(text[start:]) - len(text[start:].lstrip(" "))
    wanted = " " * width
    return [] if text[start:end] == wanted else [FileEdit(start, end, wanted)]
