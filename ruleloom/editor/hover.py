"""The hover text for the word under the cursor, as Markdown, and how a call is written.

A number that the rules compute is told part by part as `ruleloom why` does. Before any game has begun,
it is that of a thing which an item makes: the item at the place, or the first one of the packs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lsprotocol import types as lsp

from ruleloom.api.at_rest import at_rest
from ruleloom.compiler.analysis.analysis import GameAnalysis, Occurrence
from ruleloom.compiler.analysis.effect_cursor import effect_cursor
from ruleloom.compiler.analysis.source_file import TextOf
from ruleloom.compiler.analysis.yaml_cursor import YamlCursor, field_at, yaml_cursor
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.name_uses import Meaning
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree_walk import walk
from ruleloom.compiler.yaml.node import written
from ruleloom.editor.annotations import (
    curve,
    dice_odds,
    expression_odds,
    link_in,
    mean,
    rolls_in,
)
from ruleloom.editor.navigation import name_at, word_at
from ruleloom.editor.project import Project
from ruleloom.editor.usage import spoken
from ruleloom.output.derivation_text import derivation_text, normalised
from ruleloom.runtime.explain.derivation import Reckoning
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import number_text
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Entity, Function

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
    """What there is to say about a place; `texts` are the rules texts of items, where known, and
    `site` is where the reference of the game is."""
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
    """Text of a pack as it may stand in Markdown."""
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
    """The item around a place, as it was compiled."""
    names = project.names(path)
    around = names.item_at(offset)
    return project.item(Meaning("item", names.id_of(around))) if around is not None else None


def _of_word(project: Project, name: Occurrence, item: Item | None) -> Iterator[str]:
    """How a name is written in effect text, and its English."""
    slug = item.slug if item is not None else name.meaning.name.rpartition(".")[2]
    for word in project.words.all_of(slug):
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
    changes = [
        f"- patched by `{one.by}`: {plain(field)} {_change(one.old, one.new)}"
        for (id, field), history in project.snapshot.content.history.items()
        for one in history
        if id == item.id
    ]
    yield from filter(None, ["\n".join(changes[:MOST_CHANGES])])


def _change(old: object, new: object) -> str:
    short = [written(one) for one in (old, new)]
    if any("\n" in one or len(one) > 60 for one in short):
        return "changed"
    return f"`{short[0]}` → `{short[1]}`"


def signature_help(project: Project, path: str, offset: int) -> lsp.SignatureHelp | None:
    """The call in which a place stands, with the argument that is due; None outside of any."""
    cursor = effect_cursor(project.snapshot.kept, yaml_cursor(project.text(path), offset))
    if cursor is None or not cursor.callee:
        return None
    known = [one for one in project.words.all_of(cursor.callee) if one.params is not None]
    word = known[0] if known else project.words.events.get(cursor.callee)
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
    kind, schemas = cursor.item.kind, project.snapshot.schemas
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
    """The printed value of the field at a place, and its value after each patch, a line each."""
    item = _item_at(project, path, offset)
    field = str(cursor.path[0]) if cursor.path else cursor.word
    history = project.snapshot.content.history.get((item.id, field), ()) if item else ()
    printed = [f"as printed: {_brief(one.old)}" for one in history[:1]]
    return _fenced("\n".join([*printed, *(f"by {one.by}: {_brief(one.new)}" for one in history)]))


def _brief(value: object) -> str:
    text = "nothing" if value is None else " ".join(str(value).split())
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 3]}..."


# ------------------------------------------------------------------ numbers and odds


def number_parts(project: Project, number: Item, around: Item | None) -> str:
    """The parts of a number for the thing that the item `around` makes, or for an example; empty
    where there is none, or where the number needs more than that."""
    kept = project.snapshot.kept
    functions = kept.program.functions if kept.program is not None else ()
    function = next((one for one in functions if one.id == number.id), None)
    if kept.program is None or function is None:
        return ""
    linked, world = at_rest(kept.program)
    args = _arguments(kept, linked, function, around)
    if args is None:
        return ""
    content = kept.content
    places, patched = content.rule_places(), content.patched_fields()
    reckoning = Reckoning(
        linked, world, places=places, patched=patched, rows=content.patched_rows()
    )
    try:
        found = normalised(reckoning.function(function.id, args, DEPTH))
    except (RuntimeFault, TypeError, RecursionError):  # it needs what is only there in a game
        return ""
    lines = derivation_text(found, number.pack, False, width=WIDTH)
    more = ["..."] if len(lines) > MOST_LINES else []
    return "\n".join([*lines[:MOST_LINES], *more])


def _arguments(
    kept: GameAnalysis, linked: Linked, function: Function, around: Item | None
) -> tuple[int, ...] | None:
    """The arguments of a number: none, or a thing that an item makes."""
    if not function.param_types:
        return ()
    entity = linked.entities.get(function.param_types[0])
    if len(function.param_types) > 1 or entity is None or not entity.places:
        return None
    return (_thing(kept, entity, around),)


def _thing(kept: GameAnalysis, entity: Entity, around: Item | None) -> int:
    """The thing that an item makes, or the first of the pack that comes last."""
    if around is not None:
        origin = kept.content.origin(around.place)
        if origin in entity.places:
            return entity.places.index(origin)
    last = kept.content.packs[-1].id
    own = (number for number, place in enumerate(entity.places) if place.pack == last)
    return next(own, 0)


def _odds(project: Project, path: str, offset: int) -> tuple[int, int, str] | None:
    """The odds of the roll or the condition at a place, with from where to where it goes."""
    text = project.names(path).text_at(offset)
    if text is None:
        return None
    rolls = rolls_in(text.tree)
    each = [one.dice for one in walk(text.tree) if isinstance(one, ast.RollStmt) and one.each]
    for node in sorted(_around(text, offset), key=lambda one: one.span[1] - one.span[0]):
        is_each = any(node is one for one in each)
        match node:
            case ast.DiceLiteral():
                odds = dice_odds(node, is_each)
            case ast.Binary():
                odds = expression_odds(node, rolls)
            case ast.Name():
                odds = rolls.get(node.id)
            case _:
                odds = None
        if odds is not None:
            start, end = text.span(node.span)
            words = " ".join(project.text(path)[start:end].split())
            said = ": the highest die" if is_each else ""
            said += "" if {*odds} <= {True, False} else f", {number_text(mean(odds))} on average"
            return start, end, f"`{words}`{said}\n\n{_fenced(curve(odds))}"
    return None


def _around(text: TextOf, offset: int) -> Iterator[ast.SyntaxNode]:
    """The parts of a text around a place."""
    for node in walk(text.tree):
        start, end = text.span(node.span)
        if start <= offset <= end:
            yield node
