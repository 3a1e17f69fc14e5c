"""Giving something another name, everywhere at once.

An item of a pack on which others may build keeps its old name under `renamed_from`. What would break
anything is refused: the changed texts are compiled, and have to be as sound as before.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from ruleloom.compiler.analysis.schema_fields import schemas_at
from ruleloom.compiler.analysis.texts import FileEdit, edited, line_end
from ruleloom.compiler.analysis.uses import Occurrence
from ruleloom.compiler.analysis.words import RENAMED_FROM, is_reserved, slug_of
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.resolve.embedded import Meaning
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.editor.names.navigation import declarations, name_at
from ruleloom.editor.project import Project
from ruleloom.editor.workspace import Workspace

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
RENAMED = ("local", "item", "menu")


class RenameRefused(Exception):
    """This cannot be renamed, or not like that; the message says why."""


FileEdits = Mapping[str, list[FileEdit]]


def renamable(project: Project, path: str, offset: int) -> Occurrence:
    """The name at a place that can be renamed. Raises RenameRefused."""
    name = name_at(project, path, offset)
    if name is None:
        raise RenameRefused("there is no name here")
    target = name.meaning
    if target.table not in RENAMED:
        raise RenameRefused(
            f"`{target.name}` ({target.table}) is declared in a vocabulary, and drivers know its name"
        )
    if target.table == "item":
        item = project.item(target)
        if item is None:
            raise RenameRefused(f"`{target.name}` is no item that can be found")
        declared = project.snapshot.real_path(item.source.path)
        if not project.is_writable(declared):
            raise RenameRefused(f"it stands in {item.source.path}, which is not changed from here")
    return name


def rename(workspace: Workspace, project: Project, path: str, offset: int, new: str) -> FileEdits:
    """The edits that give what stands at a place another name. Raises RenameRefused."""
    name = renamable(project, path, offset)
    is_item = name.meaning.table == "item"
    _check_new(new, project, name.meaning)
    edits: dict[str, list[FileEdit]] = defaultdict(list)
    old = name.meaning.name.rpartition("/" if is_item else ":")[2]
    for where, one in project.everywhere(name.meaning):
        if not project.is_writable(where):
            raise RenameRefused(f"it is used in {where}, which is not changed from here")
        edits[where].append(_edit(project.text(where), one, old, new, is_item))
    if is_item:
        for where, edit in _keep_old(project, name.meaning, new):
            edits[where].append(edit)
    beside = [] if name.meaning.table == "local" else list(_beside(workspace, project))
    for other in beside:
        for where, one in other.everywhere(name.meaning):
            if not project.is_writable(where) and other.is_writable(where):
                edits[where].append(_edit(other.text(where), one, old, new, is_item))
    for each in (project, *beside):
        _refuse_harm(workspace, each, edits)
    return {where: sorted(set(many)) for where, many in edits.items()}


def _beside(workspace: Workspace, project: Project) -> Iterator[Project]:
    """The other packs that are checked together with these, as they are now."""
    for group in workspace.groups_beside(project.group):
        snapshot = workspace.known.get(group) or workspace.check(group)
        if snapshot is not None:
            yield Project(snapshot, group, workspace.texts)


def _check_new(new: str, project: Project, target: Meaning) -> None:
    item = project.item(target) if target.table == "item" else None
    if item is not None:
        schemas = schemas_at(project.snapshot.schemas, item.kind, ["id"])
        forms = [schema["pattern"] for _, schema in schemas if "pattern" in schema]
        if not all(re.search(form, new) for form in forms):
            raise RenameRefused(
                f"`{new}` cannot be an id of kind {item.kind}, written like `{item.name}`: "
                f"{' and '.join(forms)}"
            )
    elif not WORD.fullmatch(new):
        raise RenameRefused("a name in an effect text has letters, digits and `_`")
    if is_reserved(new):
        raise RenameRefused(f"`{new}` is a word of the language")


def _edit(text: str, one: Occurrence, old: str, new: str, is_item: bool) -> FileEdit:
    """The edit of one place, which may be a full id, or the name as effect text writes it, or the name
    of one of several things that an item makes."""
    written = text[one.start : one.end]
    name = written.rpartition("/")[2]
    head = written[: len(written) - len(name)]
    rest = slug_of(name).removeprefix(slug_of(old))
    if not slug_of(name).startswith(slug_of(old)) or not re.fullmatch(r"\d*", rest):
        raise RenameRefused(f"`{name}` is called after it, and would have to be renamed by hand")
    better = slug_of(new) if one.is_slug and is_item else new
    return FileEdit(one.start, one.end, f"{head}{better}{rest}")


def _keep_old(project: Project, target: Meaning, new: str) -> Iterator[tuple[str, FileEdit]]:
    """The line that keeps the old name, in the item itself."""
    for spot in declarations(project, target):
        names = project.names(spot.path)
        item = names.item_at(spot.start)
        old = target.name.rpartition("/")[2]
        if item is None or old == new:
            return
        had = item.get(RENAMED_FROM)
        if had is not None:
            yield spot.path, _more_old(had, old, new)
            return
        id = item.entries["id"]
        if item.style == "{":
            yield spot.path, FileEdit(id.end, id.end, f", {RENAMED_FROM}: {old}")
        else:
            end = line_end(names.text, id.end)
            margin = " " * (item.key_place("id").column - 1)
            yield spot.path, FileEdit(end, end, f"\n{margin}{RENAMED_FROM}: {old}")


def _more_old(had: YamlNode, old: str, new: str) -> FileEdit:
    """One more old name; the new one is none any more."""
    known = [str(one.value) for one in (had.items or [had])]
    kept = [one for one in (*known, old) if one != new]
    return FileEdit(had.start, had.end, f"[{', '.join(kept)}]" if len(kept) != 1 else kept[0])


def _refuse_harm(workspace: Workspace, project: Project, edits: FileEdits) -> None:
    """Compile the changed texts; whatever gets worse is a reason not to rename."""
    texts = {**workspace.texts}
    for path, many in edits.items():
        if project.is_known(path):
            texts[path] = edited(project.text(path), many)
    before = _errors(project.snapshot.result.diagnostics)
    after = workspace.compiled(project.group, texts).diagnostics
    new = [one for one in after if one.severity == "error" and _errors([one]) - before]
    if len(_errors(after)) > len(before) and new:
        raise RenameRefused(f"that would break something: {new[0].message}")


def _errors(found: tuple[Diagnostic, ...] | list[Diagnostic]) -> set[tuple[str, str]]:
    return {(one.code, one.message) for one in found if one.severity == "error"}
