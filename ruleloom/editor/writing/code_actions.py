"""What can be done about the place under the cursor: fixes of findings, and new texts.

Every action is a set of edits; nothing is written here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ruleloom.compiler.analysis.schema_fields import FieldHelp, fields_in
from ruleloom.compiler.analysis.texts import FileEdit, line_end
from ruleloom.compiler.analysis.uses import span_in
from ruleloom.compiler.diagnostics.fixits import fix_of
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.packs.content import KINDS_WITHOUT_ID
from ruleloom.compiler.schema.registry import LIKE
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import walk
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.editor.names.rename import FileEdits
from ruleloom.editor.project import Project
from ruleloom.editor.writing.new_case import WRITE_CASE, can_write
from ruleloom.runtime.dataclass import dataclass

QUICK, ALL, WRITE = "quickfix", "source.fixAll", "refactor"
UNKNOWN_POWER = "unknown-power"
# What is written for a field of which nothing is known but its type.
FIRST_VALUES = {"string": '""', "integer": "1", "boolean": "no", "array": "[]", "object": "{}"}


@dataclass(frozen=True, slots=True)
class Action:
    """Something that can be done, in words, and the edits that do it, by real path.

    Where that takes too long to find out beforehand, a `command` does it: its name and arguments.
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
    """The code actions for a stretch of a file and the findings about it."""
    if not project.is_writable(path):
        return []
    made = [action for one in found for action in _mending(project, path, one)]
    made += _all_fixes(project, path)
    item = project.names(path).item_at(start)
    if item is not None:
        made += _missing_fields(project, path, item)
        made += _new_case(project, path, item)
    return made


def _mending(project: Project, path: str, found: Diagnostic) -> Iterator[Action]:
    edit = fix_edit(project, path, found)
    if edit is not None:
        title = f"write `{edit.text}`"
        yield Action(title, QUICK, {path: [edit]}, found, is_preferred=True)
    if found.code == UNKNOWN_POWER:
        made = _new_power(project, path, found)
        if made is not None:
            yield made
    if found.severity == "warning":
        yield _allow(project, path, found)


def fix_edit(project: Project, path: str, found: Diagnostic) -> FileEdit | None:
    """The edit that mends a finding, if one word does."""
    shown = found.place.path
    fix = fix_of(found, {shown: project.text(path)})
    if fix is None:
        return None
    start, end = span_in(project.text(path), fix.place)
    return FileEdit(start, end, fix.text)


def _all_fixes(project: Project, path: str) -> list[Action]:
    shown = project.snapshot.shown.get(path)
    findings = (one for one in project.snapshot.findings if one.place.path == shown)
    edits = [edit for one in findings if (edit := fix_edit(project, path, one)) is not None]
    if not edits:
        return []
    return [Action("apply all fixes of one word in this file", ALL, {path: _apart(edits)})]


def _apart(edits: list[FileEdit]) -> list[FileEdit]:
    """Those edits that do not overlap."""
    kept: list[FileEdit] = []
    for one in sorted(set(edits)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _allow(project: Project, path: str, found: Diagnostic) -> Action:
    """The comment that allows a warning; its author still has to say why."""
    text = project.text(path)
    start, _ = span_in(text, found.place)
    line = text.rfind("\n", 0, start) + 1
    margin = re.match(r" *", text[line:])
    comment = f"# ruleloom: allow {found.code} because it is meant"
    edit = FileEdit(line, line, f"{margin[0] if margin else ''}{comment}\n")
    return Action(f"allow `{found.code}` here", QUICK, {path: [edit]}, found)


# ------------------------------------------------------------------ new texts


def _missing_fields(project: Project, path: str, item: YamlNode) -> Iterator[Action]:
    """The fields that an item needs and does not have."""
    kind = project.names(path).kind_of(item)
    schemas = project.snapshot.schemas
    if kind not in schemas.kinds or kind in KINDS_WITHOUT_ID or LIKE in item.entries:
        return
    needed = schemas.schema(kind).get("required", ())
    known = {one.name: one for one in fields_in(schemas, kind, ())}
    for name in needed:
        if name not in item.entries and name in known:
            edit = _field_edit(project.text(path), item, known[name], kind)
            yield Action(f"add the missing field `{name}`", QUICK, {path: [edit]})


def _new_case(project: Project, path: str, item: YamlNode) -> Iterator[Action]:
    """A scenario for the item, if it can be tried."""
    one = project.snapshot.now.by_id.get(project.names(path).id_of(item))
    if one is not None and can_write(one):
        title = "write a scenario for this"
        yield Action(title, WRITE, {}, command=(WRITE_CASE, (path, one.id)))


def _field_edit(text: str, item: YamlNode, field: FieldHelp, kind: str) -> FileEdit:
    """The edit that adds a field behind the others, with something that its author can change."""
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


def _new_power(project: Project, path: str, found: Diagnostic) -> Action | None:
    """The power that a text uses and nobody has written, with the parameters that it is given."""
    text = project.text(path)
    start, end = span_in(text, found.place)
    name = text[start:end]
    if not name.isidentifier():
        return None
    call = _use_at(project, path, start, name)
    takes = _parameters(project, path, start, call) if call is not None else []
    item = project.names(path).item_at(start)
    end = min(line_end(text, (item.end if item is not None else len(text)) - 1) + 1, len(text))
    in_list = bool(re.search(r"^- ", text, re.MULTILINE))
    lines = ["kind: power", f"id: {name}"]
    lines += [f'takes: "{", ".join(takes)}"'] if takes else []
    lines += [f'gloss: "{name.replace("_", " ")}"', "effect: |", "  stop"]
    if in_list:
        body = "\n".join(
            f"{'- ' if not number else '  '}{line}" for number, line in enumerate(lines)
        )
        return Action(
            f"make the power `{name}`", QUICK, {path: [FileEdit(end, end, f"\n{body}\n")]}, found
        )
    other = str(Path(path).parent / f"{name.replace('_', '-')}.yaml")
    if os.path.lexists(other):
        return None
    new = {other: [FileEdit(0, 0, "\n".join(lines) + "\n")]}
    return Action(f"make the power `{name}` in a file of its own", QUICK, new, found)


def _use_at(project: Project, path: str, start: int, name: str) -> ast.UseStmt | None:
    text = project.names(path).text_at(start)
    if text is None:
        return None
    uses = (one for one in walk(text.tree) if isinstance(one, ast.UseStmt))
    return next((one for one in uses if text.span(one.power.span)[0] == start), None)


def _parameters(project: Project, path: str, start: int, use: ast.UseStmt) -> list[str]:
    """The parameters for what a `use` gives: variables by their names and types, all else numbers."""
    known: Mapping[str, object] = project.known_at(path, start)
    found = []
    for number, arg in enumerate(use.args, 1):
        named = arg.value.id if isinstance(arg.value, ast.Name) else ""
        type_ = known.get(named, "Int")
        found.append(f"{arg.label or named or f'value_{number}'}: {type_}")
    return found
