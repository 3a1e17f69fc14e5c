"""The entry of each item on the site: its texts, printed fields, incoming references, and the exact odds
of its rolls with constant dice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ruleloom.compiler.analysis.effect_cursor import form_of
from ruleloom.compiler.analysis.yaml_cursor import fields_in
from ruleloom.compiler.packs.content import Change, Item
from ruleloom.compiler.packs.random_tables import KIND as RANDOM_TABLE
from ruleloom.compiler.packs.random_tables import tables_of
from ruleloom.compiler.yaml.node import YamlNode, to_data
from ruleloom.reference.gathered import (
    CaseEntry,
    Gathered,
    PageRow,
    Piece,
    RollHook,
    WordRow,
    clauses_of,
    hrefs_of,
    item_link,
    rolls,
    spelled_out,
    title_of,
)
from ruleloom.reference.random_tables import row_odds

# The limits above which a table of odds is unreadable.
MOST_DICE, MOST_ROWS = 20, 60


def odds_of(rolls: Iterable[RollHook]) -> list[tuple[str, int, int, bool]]:
    """The name, number, sides and separateness of dice that are known, once each."""
    found = dict.fromkeys((one.name, one.many or 0, one.sides or 0, one.dice) for one in rolls)
    return [one for one in found if one[1] <= MOST_DICE and 1 < one[1] * one[2] <= MOST_ROWS]


def pools_of(rolls: Iterable[RollHook]) -> list[tuple[str, int]]:
    """The name and sides of separate dice whose number depends on play."""
    pools = dict.fromkeys((one.name, one.sides or 0) for one in rolls if one.dice and not one.many)
    return [one for one in pools if 1 < one[1] <= MOST_DICE]


# Fields shown elsewhere in the entry.
APART = frozenset({"kind", "id", "title", "clauses", "clause", "renamed_from", "deprecated"})
PROSE = frozenset({"text", "english", "gloss", "help", "about"})
LONGEST_LINE = 100
MOST_PROVED = 6


def entries_of(made: Gathered) -> Mapping[str, list[WordRow]]:
    """The entries of all items, by kind, in file order."""
    fields = {id: tuple(_fields(made, item)) for id, item in made.items.items()}
    users = _users(made, fields)
    stats = {stat.id: stat for stat in made.program.stats}
    dice: dict[str, list[RollHook]] = defaultdict(list)
    settings = {one.name: one.value for one in made.program.settings}
    for roll in rolls(made.nodes, settings):
        dice[roll.item.id].append(roll)
    patched: dict[str, list[PageRow]] = defaultdict(list)
    for (id, field), changes in made.content.history.items():
        patched[id] += [
            {"by": made.mention(one.by), "text": _change(field, one)} for one in changes
        ]
    tables = tables_of(made.content.by_kind(RANDOM_TABLE))
    found: dict[str, list[WordRow]] = defaultdict(list)
    for id, item in made.items.items():
        origin = made.content.origin(item.place)
        cases = _cases(made, item)
        entry = WordRow(
            item=item,
            href=item_link(id),
            title=title_of(item),
            anchor=spelled_out(id),
            card=made.cards.get(id, ""),
            full=made.texts.get(id, ""),
            fields=fields[id],
            odds=odds_of(dice[id]),
            pools=pools_of(dice[id]),
            rows=row_odds(tables[item.slug], tables) if item.kind == RANDOM_TABLE else (),
            patched=patched[id],
            modifiers=stats[id].modifiers if id in stats else (),
            used_by=made.links(users[id]),
            clauses=clauses_of(item),
            cases=cases,
            proved_odds=[one for one in cases if isinstance(one.case.then.get("odds"), Mapping)][
                :MOST_PROVED
            ],
            place=f"{origin.pack}/{origin.path}, line {origin.line}",
        )
        found[item.kind].append(entry)
    return found


def _cases(made: Gathered, item: Item) -> list[CaseEntry]:
    """The cases that name an item, those that prove one of its clauses first."""
    named = made.cases_of.get(item_link(item.id), [])
    own = set(clauses_of(item))
    return sorted(named, key=lambda case: own.isdisjoint(case.case.clauses))


def _users(made: Gathered, fields: Mapping[str, Sequence[WordRow]]) -> Mapping[str, list[str]]:
    """Referring ids, by item id."""
    ids = {item_link(id): id for id in made.items}
    found: dict[str, list[str]] = defaultdict(list)
    for id, own in fields.items():
        hrefs = {href for field in own for href in hrefs_of(field.value)}
        for other in sorted(ids[href] for href in hrefs if href in ids):
            if other != id:
                found[other].append(id)
    return found


def _fields(made: Gathered, item: Item) -> Iterator[WordRow]:
    store = made.content.schemas
    known = {one.name: one for one in fields_in(store, item.kind, ())}
    for name, node in item.fields.items():
        if name in APART or (item.kind == RANDOM_TABLE and name not in item.node.entries):
            continue  # what a table is lowered to is told by its rows
        value, form = _shown(made, name, node, bool(form_of(store, item.kind, (name,))))
        if form == "prose" and _told(value[0].text, made.cards.get(item.id, "")):
            continue
        field = known.get(name)
        title, help = (field.title or name, field.help) if field is not None else (name, "")
        # The form is `prose`, `code` (several lines) or `value`.
        yield WordRow(name=name, title=title, help=help, value=value, form=form)


def _told(text: str, card: str) -> bool:
    """Does a card contain a text already, ignoring case and a final full stop?"""
    return " ".join(text.rstrip(".").lower().split()) in " ".join(card.lower().split())


def _shown(made: Gathered, name: str, node: YamlNode, effect: bool) -> tuple[list[Piece], str]:
    """A value with its names linked, and its form: `prose`, `code` or `value`."""
    data: Any = to_data(node)
    if name in PROSE and isinstance(data, str):
        return [Piece(data)], "prose"
    if effect and isinstance(data, str):
        return made.names.pieces(data.rstrip("\n")), "code"
    if isinstance(data, dict | list):
        pieces = made.names.value(data)
        if sum(len(piece.text) for piece in pieces) <= LONGEST_LINE:
            return pieces, "value"
        return _lines(made, data), "code"
    return made.names.value(data), "value"


def _lines(made: Gathered, data: dict[str, Any] | list[Any]) -> list[Piece]:
    """A long list or mapping, by line."""
    value = made.names.value
    is_table = isinstance(data, dict)
    entries = data.items() if isinstance(data, dict) else (("", one) for one in data)
    found: list[Piece] = []
    for name, one in entries:
        head = [*value(name), Piece(": ")] if is_table else [Piece("- ")]
        found += [*([Piece("\n")] if found else []), *head, *value(one)]
    return found


def _change(field: str, one: Change) -> str:
    plain = (str, int, float, bool)
    short = isinstance(one.old, plain) and isinstance(one.new, plain)
    if short and len(f"{one.old}{one.new}") < LONGEST_LINE and "\n" not in f"{one.old}{one.new}":
        return f"{field}: {one.old}, now {one.new}"
    return f"{field} ({one.op})"
