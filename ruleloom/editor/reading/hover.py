"""The hover text for the word under the cursor, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleloom.compiler.analysis.schema_fields import FieldHelp, field_at
from ruleloom.compiler.analysis.source_file import SourceFile, TextOf
from ruleloom.compiler.analysis.uses import Occurrence
from ruleloom.compiler.analysis.yaml_cursor import YamlCursor, yaml_cursor
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.embedded import Meaning
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import walk
from ruleloom.compiler.yaml.node import written
from ruleloom.editor.completion.candidates import spoken
from ruleloom.editor.names.navigation import name_at, word_at
from ruleloom.editor.project import Project
from ruleloom.editor.reading.annotations import link_in
from ruleloom.editor.reading.number_parts import field_history, number_parts
from ruleloom.editor.reading.odds_curve import (
    curve,
    dice_odds,
    expression_odds,
    mean,
    rolls_in,
)
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.machine.labels import number_text

LONGEST = 1_500
MOST_CHANGES = 6
ESCAPED = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_{}[]<>#|"})


@dataclass(frozen=True, slots=True)
class Hover:
    """A text in Markdown about a stretch of a file."""

    start: int
    end: int
    markdown: str


def hover(
    project: Project,
    path: str,
    offset: int,
    texts: Mapping[str, str] | None = None,
    site: str = "",
) -> Hover | None:
    """What there is to say about a place; `texts` are the rules texts of items, where known, and
    `site` is where the reference of the game is."""
    text = project.text(path)
    start, end = word_at(text, offset)
    odds = _odds(project, path, offset)
    if odds is not None:
        return odds
    names = project.names(path)
    exact = names.at(offset)
    field = ""
    if exact is None:
        cursor = yaml_cursor(text, end)
        field = "\n\n".join(
            filter(None, [_of_field(project, cursor), _of_value(project, names, offset, cursor)])
        )
    if field:
        return Hover(start, end, field)
    name = exact or name_at(project, path, offset)
    if name is None:
        return None
    told = list(_of_name(project, path, name, texts or {}))
    link = link_in(site, name.meaning)
    said = "\n\n".join([*told, *([f"[in the reference]({link})"] if link else [])])
    return Hover(name.start, name.end, said) if said else None


def plain(text: str) -> str:
    """Text of a pack as it may stand in Markdown."""
    return text.translate(ESCAPED)


# ------------------------------------------------------------------ names


def _of_name(
    project: Project, path: str, name: Occurrence, texts: Mapping[str, str]
) -> Iterator[str]:
    meaning = name.meaning
    if meaning.table == "local":
        yield f"`{meaning.name.rpartition(':')[2]}`: {name.word or 'variable'} of this text"
        type_ = _type_of(project, path, name)
        if type_:
            yield type_
        return
    item = project.item(meaning)
    yield from _of_word(project, name, item)
    if item is not None:
        yield from _of_item(project, item, texts)
        parts = number_parts(project, item, _item_at(project, project.names(path), name.start))
        if parts:
            yield f"```\n{parts}\n```"


def _item_at(project: Project, names: SourceFile, offset: int) -> Item | None:
    """The item around a place, as it was compiled."""
    around = names.item_at(offset)
    return project.item(Meaning("item", names.id_of(around))) if around is not None else None


def _of_value(project: Project, names: SourceFile, offset: int, cursor: YamlCursor) -> str:
    """The changes of the field at a place by patches."""
    item = _item_at(project, names, offset)
    field = str(cursor.path[0]) if cursor.path else cursor.word
    lines = list(field_history(project, item, field)) if item is not None else []
    text = "\n".join(lines)
    return f"```\n{text}\n```" if lines else ""


def _of_word(project: Project, name: Occurrence, item: Item | None) -> Iterator[str]:
    """How a name is written in effect text, and its English."""
    slug = item.slug if item is not None else name.meaning.name.rpartition(".")[2]
    word = next((one for one in project.words.all_of(slug) if _means(one.id, name, item)), None)
    if word is None:
        if item is None:
            yield f"`{name.meaning.name}`: {name.word or name.meaning.table}"
        return
    yield f"```\n{word.sort} {word.called}\n```"
    if word.english:
        yield plain(spoken(word.english))


def _means(id: str, name: Occurrence, item: Item | None) -> bool:
    if item is not None:
        return id == item.id
    return ":" not in id or name.meaning.table == "item"


def _of_item(project: Project, item: Item, texts: Mapping[str, str]) -> Iterator[str]:
    title = item.data("title")
    head = f"**{plain(str(title))}** · " if title else ""
    yield f"{head}`{item.id}`"
    told = texts.get(item.id) or str(item.data("text") or "")
    if told:
        yield plain(told if len(told) <= LONGEST else f"{told[:LONGEST]} ...").replace("\n", "  \n")
    value = item.data("is") or item.data("value")
    if value is not None:
        yield f"```\n{written(value) if not isinstance(value, str) else value}\n```"
    changes = list(_changes(project, item))
    if changes:
        yield "\n".join(changes[:MOST_CHANGES])


def _changes(project: Project, item: Item) -> Iterator[str]:
    """The changes of an item by patches, step by step."""
    for (id, field), history in project.snapshot.content.history.items():
        if id == item.id:
            for one in history:
                yield f"- patched by `{one.by}`: {plain(field)} {_change(one.old, one.new)}"


def _change(old: object, new: object) -> str:
    short = [written(one) for one in (old, new)]
    if any("\n" in one or len(one) > 60 for one in short):
        return "changed"
    return f"`{short[0]}` → `{short[1]}`"


def _type_of(project: Project, path: str, name: Occurrence) -> str:
    """The type of a variable, as the checker knows it behind the place."""
    text = project.text(path)
    known = project.known_at(path, name.end)
    variable = text[name.start : name.end]
    return f"type `{known[variable]}`" if variable in known else ""


# ------------------------------------------------------------------ fields


def _of_field(project: Project, cursor: YamlCursor) -> str:
    kind = cursor.item.kind
    schemas = project.snapshot.schemas
    if cursor.fields == ("kind",) and cursor.word in schemas.kinds:
        about = str(schemas.schema(cursor.word).get("description", ""))
        return f"**{cursor.word}**: {plain(about)}"
    path = (*cursor.path, cursor.word) if cursor.role == "key" else cursor.path
    field = field_at(schemas, kind, path)
    return _field_text(field) if field is not None else ""


def _field_text(field: FieldHelp) -> str:
    lines = [f"**{field.name}**" + (" (needed)" if field.needed else "")]
    if field.help or field.title:
        lines.append(plain(field.help or field.title))
    if field.values:
        lines.append(f"one of {', '.join(f'`{one}`' for one in field.values)}")
    return "\n\n".join(lines)


# ------------------------------------------------------------------ odds


def _odds(project: Project, path: str, offset: int) -> Hover | None:
    """The odds of the roll or the condition at a place."""
    text = project.names(path).text_at(offset)
    if text is None:
        return None
    rolls = rolls_in(text.tree)
    for node in sorted(_around(text, offset), key=lambda one: one.span[1] - one.span[0]):
        each = _is_rolled_each(text, node)
        if isinstance(node, ast.DiceLiteral):
            odds = dice_odds(node, each)
        elif isinstance(node, ast.Binary):
            odds = expression_odds(node, rolls)
        elif isinstance(node, ast.Name) and node.id in rolls:
            odds = rolls[node.id]
        else:
            continue
        if odds is not None:
            start, end = text.span(node.span)
            words = " ".join(project.text(path)[start:end].split())
            head = f"`{words}`" + (": the highest die" if each else "")
            average = (
                "" if set(odds) <= {True, False} else f", {number_text(mean(odds))} on average"
            )
            return Hover(start, end, f"{head}{average}\n\n```\n{curve(odds)}\n```")
    return None


def _around(text: TextOf, offset: int) -> Iterator[ast.SyntaxNode]:
    """The parts of a text around a place."""
    for node in walk(text.tree):
        start, end = text.span(node.span)
        if start <= offset <= end:
            yield node


def _is_rolled_each(text: TextOf, node: ast.SyntaxNode) -> bool:
    rolls = (one for one in walk(text.tree) if isinstance(one, ast.RollStmt) and one.each)
    return any(one.dice is node for one in rolls)
