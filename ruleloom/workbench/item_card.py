"""What is being written, as it reads: the card with its printed fields and rules text, its sheet,
the odds of what it rolls, and what packs have changed about it.

In go the texts as they stand and what the last compilation has found out; out come plain values, which
the page shows as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TypedDict

from ruleloom.api.at_rest import at_rest
from ruleloom.compiler.analysis.source_file import TextOf
from ruleloom.compiler.resolve.embedded import Meaning
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import walk
from ruleloom.compiler.yaml.node import YamlNode, to_data, written
from ruleloom.editor.project import Project
from ruleloom.editor.reading.annotations import WITHOUT_USES
from ruleloom.editor.reading.odds_curve import Odds, dice_odds, expression_odds, mean, rolls_in
from ruleloom.runtime.explain.sheet_pages import SheetPage, page_of
from ruleloom.runtime.machine.labels import number_text
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.program import Program, Sheet

MOST_CURVES, MOST_POINTS, MOST_SHEETS = 40, 60, 3
# Fields that stand elsewhere on the card, or are no print of it.
NOT_PRINTED = ("kind", "id", "title", "text", "renamed_from", "cases")


class CardField(TypedDict):
    """A printed field."""

    name: str
    text: str


class Point(TypedDict):
    """A value that may be rolled, and its exact chance as a fraction and as a number."""

    value: str
    chance: float
    exact: str


class Curve(TypedDict):
    """The odds of a roll or of a condition: its words, the average, and each value."""

    words: str
    average: str
    points: list[Point]


class ChangeShown(TypedDict):
    """A change of a field by a patch, of this pack or another."""

    field: str
    by: str
    pack: str
    old: str
    new: str


class SheetShown(TypedDict):
    """A sheet, block by block; a line has a label, a value, a note and a text."""

    title: str
    blocks: list[dict[str, object]]


class ItemShown(TypedDict):
    """An item of a file. `id` is its full name, empty for one without; `sound` says whether the
    packs are without mistakes, and `fresh` whether the text of the rules is that of now."""

    id: str
    kind: str
    title: str
    fields: list[CardField]
    said: str
    rules: str
    fresh: bool
    curves: list[Curve]
    sheets: list[SheetShown]
    changes: list[ChangeShown]
    uses: int
    sound: bool
    start: int


def item_card(
    project: Project,
    path: str,
    offset: int,
    texts: Mapping[str, str],
    is_fresh: bool,
    program: Program | None,
) -> ItemShown | None:
    """The item around an offset, or the nearest before it; None where there is none.

    `texts` are the rules texts of items, and `is_fresh` says whether they are those of now.
    """
    names = project.names(path)
    item = names.item_near(offset)
    if item is None:
        return None
    kind = names.kind_of(item)
    id = names.id_of(item) if item.get("id") is not None else ""
    title = item.get("title") or item.get("id")
    said = item.get("text")
    return {
        "id": id,
        "kind": kind,
        "title": (title.text or "") if title is not None else kind,
        "fields": list(_fields(item, {text.path for text in names.all_texts})),
        "said": (said.text or "").strip() if said is not None else "",
        "rules": texts.get(id, ""),
        "fresh": is_fresh,
        "curves": list(_curves([text for text in names.texts if text.item is item]))[:MOST_CURVES],
        "sheets": list(_sheets(project, program, id)) if program is not None else [],
        "changes": list(_changes(project, id)),
        "uses": project.uses.get(Meaning("item", id), 0) if kind not in WITHOUT_USES else 0,
        "sound": project.snapshot.result.ok,
        "start": item.start,
    }


def _fields(item: YamlNode, effects: set[tuple[str, ...]]) -> Iterator[CardField]:
    """The fields that are printed as they are: neither effect text nor what stands elsewhere."""
    for name, node in item.entries.items():
        is_effect = any(path[:1] == (name,) for path in effects)
        if name in NOT_PRINTED or is_effect or node.kind == "null":
            continue
        value = to_data(node)
        yield {"name": name, "text": value if isinstance(value, str) else written(value)}


# ---------------------------------------------------------------------------------- odds


def _curves(texts: list[TextOf]) -> Iterator[Curve]:
    """The odds of each roll, and of each expression about what was rolled."""
    for text in texts:
        rolls = rolls_in(text.tree)
        told: list[ast.Span] = []
        for node in walk(text.tree):
            odds = _odds_of(node, rolls)
            # Of an expression the whole is shown, and none of its parts.
            inside = any(span[0] <= node.span[0] and node.span[1] <= span[1] for span in told)
            if odds is not None and not inside:
                told.append(node.span)
                start, end = text.span(node.span)
                yield curve_of(" ".join(text.written.source.text[start:end].split()), odds)


def _odds_of(node: ast.SyntaxNode, rolls: Mapping[str, Odds]) -> Odds | None:
    if isinstance(node, ast.RollStmt):
        return dice_odds(node.dice, node.each)
    return expression_odds(node, rolls) if isinstance(node, ast.Binary) else None


def curve_of(words: str, odds: Odds) -> Curve:
    """Odds for the page."""
    if set(odds) <= {True, False}:
        told = [("yes", odds.get(True, Fraction(0))), ("no", odds.get(False, Fraction(0)))]
        return {"words": words, "average": "", "points": [_point(*one) for one in told]}
    points = [_point(label, chance) for label, chance in _grouped(odds)]
    return {"words": words, "average": number_text(mean(odds)), "points": points}


def _grouped(odds: Odds) -> Iterator[tuple[str, Fraction]]:
    """Each value with its chance; of very many values those side by side together."""
    values = sorted(odds)
    step = -(-len(values) // MOST_POINTS)
    for at in range(0, len(values), step):
        group = values[at : at + step]
        first, last = number_text(group[0]), number_text(group[-1])
        label = first if len(group) == 1 else f"{first}-{last}"
        yield label, sum((odds[one] for one in group), Fraction(0))


def _point(value: str, chance: Fraction) -> Point:
    return {"value": value, "chance": float(chance), "exact": str(chance)}


# ---------------------------------------------------------------------------------- sheets, changes


def _sheets(project: Project, program: Program, id: str) -> Iterator[SheetShown]:
    """The sheets of the things that an item makes."""
    content = project.snapshot.now
    item = content.by_id.get(id)
    if item is None or not program.sheets:
        return
    place, printed = content.origin(item.place), str(item.data("text") or "").strip()
    for sheet in program.sheets:
        places = program.entity(sheet.entity).places
        numbers = [number for number, one in enumerate(places) if one == place]
        for number in numbers[:MOST_SHEETS]:
            page = _page(program, sheet, number, printed)
            if page is not None:
                yield _sheet(page)


def _page(program: Program, sheet: Sheet, number: int, printed: str) -> SheetPage | None:
    """The page about a thing; None where it needs what exists only in a game in play."""
    linked, world = at_rest(program)
    try:
        return page_of(linked, world, sheet, number, lambda *_: printed)
    except (RuntimeFault, TypeError, Refused):
        return None


def _sheet(page: SheetPage) -> SheetShown:
    blocks: list[dict[str, object]] = [
        {
            "title": block.title,
            "headings": list(block.headings),
            "lines": [[one.label, one.value, one.note, one.text] for one in block.lines],
        }
        for block in page.blocks
    ]
    return {"title": page.title, "blocks": blocks}


def _changes(project: Project, id: str) -> Iterator[ChangeShown]:
    for (of, field), history in project.snapshot.now.history.items():
        if of == id:
            for one in history:
                old, new = _short(one.old), _short(one.new)
                yield {"field": field, "by": one.by, "pack": one.pack, "old": old, "new": new}


def _short(value: object) -> str:
    text = written(value) if not isinstance(value, str) else value
    return text if len(text) <= 200 else f"{text[:200]} ..."
