"""Navigation: declarations and references of names, renaming, signature help, and hover text as Markdown.

A renamed item keeps its old name under `renamed_from`, as other packs may depend on it. A harmful rename
is refused: the edited texts are compiled and must have no new errors. A computed number is broken down
as by `ruleloom why`, before any game has begun, for a thing that an item creates: the item at the
cursor, or the first one of the last pack.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from lsprotocol import types as lsp

from ruleloom.api.at_rest import at_rest
from ruleloom.compiler.analysis.analysis import GameAnalysis, Occurrence, span_in
from ruleloom.compiler.analysis.effect_cursor import effect_cursor
from ruleloom.compiler.analysis.words import RENAMED_FROM, is_reserved, slug_of
from ruleloom.compiler.analysis.yaml_cursor import (
    FileEdit,
    FileEdits,
    YamlCursor,
    edited,
    field_at,
    line_end,
    schemas_at,
    yaml_cursor,
)
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.packs.content import BETWEEN, Item
from ruleloom.compiler.resolve.embedded import Meaning
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import walk
from ruleloom.compiler.yaml.node import YamlNode, written
from ruleloom.editor.annotations import curve, link_in, odds_in
from ruleloom.editor.project import Project, Workspace
from ruleloom.editor.usage import spoken
from ruleloom.output.derivation_text import derivation_text, normalised
from ruleloom.reference.dice import mean_text
from ruleloom.runtime.explain.derivation import Reckoning
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Entity


class Spot(NamedTuple):
    """A range of a file."""

    path: str
    start: int
    end: int


def name_at(project: Project, path: str, offset: int) -> Occurrence | None:
    """The name at an offset, else the first known word of that spelling."""
    names = project.names(path)
    found = names.at(offset)
    if found is not None:
        return found
    start, end = word_at(names.text, offset)
    word = next(project.snapshot.kept.words.all_of(names.text[start:end]), None)
    if word is None:
        return None
    table, name = ("item", word.id) if ":" in word.id else (word.sort, word.name)
    return Occurrence(start, end, Meaning(table, name), word=word.sort)


def word_at(text: str, offset: int) -> tuple[int, int]:
    """The start and end of the word around an offset."""
    start = end = min(offset, len(text))
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] in "_-"):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] in "_-"):
        end += 1
    return start, end


def definitions(project: Project, path: str, offset: int) -> list[Spot]:
    """The declarations of the name at a place."""
    name = name_at(project, path, offset)
    return [] if name is None else list(declarations(project, name.meaning, path))


def declarations(project: Project, target: Meaning, path: str = "") -> Iterator[Spot]:
    """The declarations of a meaning; for a local variable, its first occurrence in the file."""
    if target.table == "local":
        found = [one for one in project.names(path).occurrences if one.meaning == target]
        yield from (Spot(path, one.start, one.end) for one in found[:1])
        return
    item = project.item(target)
    place = item.place if item is not None else project.snapshot.kept.declared.get(target)
    if place is not None:
        where = project.snapshot.real_path(place.path)
        yield Spot(where, *span_in(project.text(where), place))


def references(project: Project, path: str, offset: int, declared: bool = True) -> list[Spot]:
    """Every occurrence of the name at an offset, with its declaration if `declared`."""
    name = name_at(project, path, offset)
    if name is None:
        return []
    return [
        Spot(where, one.start, one.end)
        for where, one in project.everywhere(name.meaning)
        if declared or not one.declares
    ]


WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
RENAMED = ("local", "item", "menu")


class RenameRefused(Exception):
    """A rename is not possible, for the reason in the message."""


def renamable(project: Project, path: str, offset: int) -> Occurrence:
    """The renamable name at an offset. Raises RenameRefused."""
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
        if item.node.place.member:
            member = item.node.place.member
            raise RenameRefused(f"it is made for `{member}` of a family: give that another name")
        declared = project.snapshot.real_path(item.source.path)
        if not project.is_writable(declared):
            raise RenameRefused(f"it stands in {item.source.path}, which is not changed from here")
    return name


def rename(workspace: Workspace, project: Project, path: str, offset: int, new: str) -> FileEdits:
    """The edits, by file, that rename the name at an offset. Raises RenameRefused."""
    name = renamable(project, path, offset)
    is_item = name.meaning.table == "item"
    _check_new(new, project, name.meaning)
    edits: dict[str, list[FileEdit]] = defaultdict(list)
    old = _old_name(project, name.meaning)
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


def _old_name(project: Project, target: Meaning) -> str:
    """The name of what is renamed, as its declaration has it."""
    item = project.item(target)
    return item.short if item is not None else target.name.rpartition(":")[2]


def _beside(workspace: Workspace, project: Project) -> Iterator[Project]:
    """The current projects of other groups that share packs with this one."""
    for group in workspace.groups_beside(project.group):
        snapshot = workspace.known.get(group) or workspace.check(group)
        if snapshot is not None:
            yield Project(snapshot, group, workspace.texts)


def _check_new(new: str, project: Project, target: Meaning) -> None:
    item = project.item(target) if target.table == "item" else None
    if item is not None:
        schemas = schemas_at(project.snapshot.kept.schemas, item.kind, ["id"])
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
    """The edit of one occurrence: a full id, a name spelled as in effect text, or one of several
    things' numbered names."""
    written = text[one.start : one.end]
    name = written.rpartition("/")[2]
    pack, between, short = name.partition(BETWEEN)
    if between and pack and not slug_of(name).startswith(slug_of(old)):
        name = short
    head = written[: len(written) - len(name)]
    rest = slug_of(name).removeprefix(slug_of(old))
    if not slug_of(name).startswith(slug_of(old)) or not re.fullmatch(r"\d*", rest):
        raise RenameRefused(f"`{name}` is called after it, and would have to be renamed by hand")
    better = slug_of(new) if one.is_slug and is_item else new
    return FileEdit(one.start, one.end, f"{head}{better}{rest}")


def _keep_old(project: Project, target: Meaning, new: str) -> Iterator[tuple[str, FileEdit]]:
    """The edit that keeps the old name in the item itself."""
    for spot in declarations(project, target):
        names = project.names(spot.path)
        item, old = names.item_at(spot.start), _old_name(project, target)
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
    """The edit that adds `old`, and drops `new`."""
    known = [str(one.value) for one in (had.items or [had])]
    kept = [one for one in (*known, old) if one != new]
    return FileEdit(had.start, had.end, f"[{', '.join(kept)}]" if len(kept) != 1 else kept[0])


def _refuse_harm(workspace: Workspace, project: Project, edits: FileEdits) -> None:
    """Compile the edited texts. Raises RenameRefused on added errors."""
    texts = {**workspace.texts}
    for path, many in edits.items():
        if project.is_known(path):
            texts[path] = edited(project.text(path), many)
    before = _errors(project.snapshot.result.diagnostics)
    after = workspace.compiled(project.group, texts).diagnostics
    new = [one for one in after if one.severity == "error" and _errors([one]) - before]
    if len(_errors(after)) > len(before) and new:
        raise RenameRefused(f"that would break something: {new[0].message}")


def _errors(found: Iterable[Diagnostic]) -> set[tuple[str, str]]:
    return {(one.code, one.message) for one in found if one.severity == "error"}


LONGEST = 1_500
MOST_CHANGES = 6
DEPTH, MOST_LINES, WIDTH = 2, 14, 72
ESCAPED = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_{}[]<>#|"})


def hover(
    project: Project,
    path: str,
    offset: int,
    texts: Mapping[str, str] | None = None,
    site: str = "",
) -> lsp.Hover | None:
    """The hover for an offset, None without one; `texts` are the known rules texts by item id, and
    `site` is the URL of the game's reference."""
    text = project.text(path)
    start, end = word_at(text, offset)
    said = _odds(project, path, offset)
    if said is None and project.names(path).at(offset) is None:
        cursor = yaml_cursor(text, end)
        told = (_of_field(project, cursor), _of_value(project, path, offset, cursor))
        said = start, end, "\n\n".join(filter(None, told))
    if said is None or not said[2]:
        name = name_at(project, path, offset)
        if name is None:
            return None
        link = link_in(site, name.meaning)
        parts = [*_of_name(project, path, name, texts or {})]
        parts += [f"[in the reference]({link})"] if link else []
        said = name.start, name.end, "\n\n".join(parts)
    start, end, markdown = said
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, markdown)
    return lsp.Hover(content, project.lines(path).range(start, end)) if markdown else None


def plain(text: str) -> str:
    """Text of a pack escaped for Markdown."""
    return text.translate(ESCAPED)


def _fenced(text: str) -> str:
    return f"```\n{text}\n```" if text else ""


# ------------------------------------------------------------------ names


def _of_name(
    project: Project, path: str, name: Occurrence, texts: Mapping[str, str]
) -> Iterator[str]:
    meaning = name.meaning
    if meaning.table == "local":
        yield f"`{meaning.name.rpartition(':')[2]}`: {name.word or 'variable'} of this text"
        known = project.known_at(path, name.end)
        variable = project.text(path)[name.start : name.end]
        if variable in known:
            yield f"type `{known[variable]}`"
        return
    item = project.item(meaning)
    yield from _of_word(project, name, item)
    if item is not None:
        yield from _of_item(project, item, texts)
        parts = number_parts(project, item, _item_at(project, path, name.start))
        yield from filter(None, [_fenced(parts)])


def _item_at(project: Project, path: str, offset: int) -> Item | None:
    """The compiled item around an offset."""
    names = project.names(path)
    around = names.item_at(offset)
    return project.item(Meaning("item", names.id_of(around))) if around is not None else None


def _of_word(project: Project, name: Occurrence, item: Item | None) -> Iterator[str]:
    """A name's signature in effect text, and its English."""
    slug = item.slug if item is not None else name.meaning.name.rpartition(".")[2]
    for word in project.snapshot.kept.words.all_of(slug):
        is_it = word.id == item.id if item is not None else ":" not in word.id
        if is_it or (item is None and name.meaning.table == "item"):
            yield _fenced(f"{word.sort} {word.called}")
            yield from filter(None, [plain(spoken(word.english))])
            return
    if item is None:
        yield f"`{name.meaning.name}`: {name.word or name.meaning.table}"


def _of_item(project: Project, item: Item, texts: Mapping[str, str]) -> Iterator[str]:
    title = item.data("title")
    head = f"**{plain(str(title))}** · " if title else ""
    yield f"{head}`{item.id}`"
    told = texts.get(item.id) or str(item.data("text") or "")
    if told:
        yield plain(told if len(told) <= LONGEST else f"{told[:LONGEST]} ...").replace("\n", "  \n")
    value = item.data("is") or item.data("value")
    if value is not None:
        yield _fenced(written(value) if not isinstance(value, str) else value)
    changes = project.changes(item.id)[:MOST_CHANGES]
    if changes:
        yield "\n".join(
            f"- patched by `{one.by}`: {plain(field)} {_change(one.old, one.new)}"
            for field, one in changes
        )


def _change(old: object, new: object) -> str:
    short = [written(one) for one in (old, new)]
    if any("\n" in one or len(one) > 60 for one in short):
        return "changed"
    return f"`{short[0]}` → `{short[1]}`"


def signature_help(project: Project, path: str, offset: int) -> lsp.SignatureHelp | None:
    """The signature of the call around an offset, with the active argument, if any."""
    cursor = effect_cursor(project.snapshot.kept.bodies, yaml_cursor(project.text(path), offset))
    if cursor is None or not cursor.callee:
        return None
    known = [
        one for one in project.snapshot.kept.words.all_of(cursor.callee) if one.params is not None
    ]
    word = known[0] if known else project.snapshot.kept.words.events.get(cursor.callee)
    if word is None or not word.params:
        return None
    parameters = [f"{one.name}: {one.type}" for one in word.params]
    label = f"{word.name}({', '.join(parameters)}){word.called.partition(')')[2]}"
    labels = [one.name for one in word.params]
    before, sign, _ = cursor.before.rpartition("(")[2].rpartition(",")[2].partition(":")
    is_labelled = sign and before.strip() in labels
    number = labels.index(before.strip()) if is_labelled else cursor.argument
    information = lsp.SignatureInformation(
        label,
        documentation=spoken(word.english) or None,
        parameters=[lsp.ParameterInformation(one) for one in parameters],
    )
    return lsp.SignatureHelp([information], 0, min(number, len(labels) - 1))


# ------------------------------------------------------------------ fields


def _of_field(project: Project, cursor: YamlCursor) -> str:
    kind, schemas = cursor.item.kind, project.snapshot.kept.schemas
    if cursor.fields == ("kind",) and cursor.word in schemas.kinds:
        about = str(schemas.schema(cursor.word).get("description", ""))
        return f"**{cursor.word}**: {plain(about)}"
    path = (*cursor.path, cursor.word) if cursor.role == "key" else cursor.path
    field = field_at(schemas, kind, path)
    if field is None:
        return ""
    values = ", ".join(f"`{one}`" for one in field.values)
    lines = (
        f"**{field.name}**" + (" (needed)" if field.needed else ""),
        plain(field.help or field.title),
        f"one of {values}" if values else "",
    )
    return "\n\n".join(filter(None, lines))


def _of_value(project: Project, path: str, offset: int, cursor: YamlCursor) -> str:
    """The printed value of the field at an offset, then the value after each patch, by line."""
    item = _item_at(project, path, offset)
    field = str(cursor.path[0]) if cursor.path else cursor.word
    history = project.snapshot.kept.content.history.get((item.id, field), ()) if item else ()
    printed = [f"as printed: {_brief(one.old)}" for one in history[:1]]
    return _fenced("\n".join([*printed, *(f"by {one.by}: {_brief(one.new)}" for one in history)]))


def _brief(value: object) -> str:
    text = "nothing" if value is None else " ".join(str(value).split())
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 3]}..."


# ------------------------------------------------------------------ numbers and odds


def number_parts(project: Project, number: Item, around: Item | None) -> str:
    """The breakdown of a number for the thing that the item `around` creates, or for an example;
    empty if it needs a game or other arguments."""
    kept = project.snapshot.kept
    functions = kept.program.functions if kept.program is not None else ()
    function = next((one for one in functions if one.id == number.id), None)
    if kept.program is None or function is None:
        return ""
    linked, world = at_rest(kept.program)
    args: tuple[int, ...] = ()
    if function.param_types:
        entity = linked.entities.get(function.param_types[0])
        if len(function.param_types) > 1 or entity is None or not entity.places:
            return ""
        args = (_thing(kept, entity, around),)
    content = kept.content
    places, patched = content.rule_places(), content.patched_fields()
    reckoning = Reckoning(
        linked, world, places=places, patched=patched, rows=content.patched_rows()
    )
    try:
        found = normalised(reckoning.function(function.id, args, DEPTH))
    except (RuntimeFault, TypeError, RecursionError):  # it needs the state of a game
        return ""
    lines = derivation_text(found, number.pack, False, width=WIDTH)
    more = ["..."] if len(lines) > MOST_LINES else []
    return "\n".join([*lines[:MOST_LINES], *more])


def _thing(kept: GameAnalysis, entity: Entity, around: Item | None) -> int:
    """The index of an item's thing, else of the first in the last pack."""
    made = kept.made(around) if around is not None else ()
    last = kept.content.packs[-1].id
    own = (number for number, place in enumerate(entity.places) if place.pack == last)
    return next((number for name, number in made if name == entity.name), next(own, 0))


def _odds(project: Project, path: str, offset: int) -> tuple[int, int, str] | None:
    """The odds, as Markdown, of the roll or condition at an offset, and its span."""
    text = project.names(path).text_at(offset)
    if text is None:
        return None
    spans = ((text.span(node.span), node) for node in walk(text.tree))
    around = [(end - start, node) for (start, end), node in spans if start <= offset <= end]
    nodes = [node for _, node in sorted(around, key=lambda one: one[0])]
    for node, odds, each in odds_in(text.tree, nodes, ast.DiceLiteral, ast.Binary, ast.Name):
        start, end = text.span(node.span)
        words = " ".join(project.text(path)[start:end].split())
        said = ": the highest die" if each else ""
        mean = mean_text(odds)
        said += f", {mean} on average" if mean else ""
        return start, end, f"`{words}`{said}\n\n{_fenced(curve(odds))}"
    return None
