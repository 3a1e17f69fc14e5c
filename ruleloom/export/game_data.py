"""What is carried elsewhere: the items of a game with their printed texts and fields, its tables, and odds of
its rolls, taken from the entries of the reference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.pipeline import collector_resting
from ruleloom.compiler.yaml.node import Plain, written
from ruleloom.reference.dice import dice_odds
from ruleloom.reference.entries import entries_of
from ruleloom.reference.gathered import Gathered, WordRow
from ruleloom.reference.random_tables import shown
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.machine.labels import number_text
from ruleloom.runtime.program.program import Program

APART = ("kind", "id", "title")
PLAYED = ("block", "abilities")
"""The forms of effect text that do something in play."""


class RollOdds(Frozen):
    """The odds of a roll with known dice, by the item that rolls it."""

    item: str
    roll: str
    dice: str
    rows: tuple[tuple[str, Fraction], ...]


class Lookup(Frozen):
    """A table of the rules: a value for each key, `otherwise` for all others."""

    id: str
    title: str
    about: str
    heads: tuple[str, str]
    rows: tuple[tuple[str, str], ...]


class RollableRow(NamedTuple):
    """The results that lead to a row, from the lowest to the highest, its text, and how many falls of the
    dice lead to it."""

    low: int
    high: int
    text: str
    falls: int

    @property
    def results(self) -> str:
        """The results as they are written: `2`, `3-5`."""
        return str(self.low) if self.low == self.high else f"{self.low}-{self.high}"


class Rollable(Frozen):
    """A table that people roll on: its dice and rows in order. Rows of a deck that are drawn stay out."""

    id: str
    title: str
    dice: str
    deck: bool
    nested: bool
    """Whether a row names another table."""
    rows: tuple[RollableRow, ...]


class ItemData(Frozen):
    """An item: its address, words for a card, whole rules text, and fields as its author wrote them."""

    id: str
    kind: str
    title: str
    pack: str
    place: str
    card: str
    rules: str
    fields: Mapping[str, Plain]
    played: bool
    """Whether it does something in play."""


class GameData(Frozen):
    """A game with packs on top of it; `name` is that of the last pack."""

    name: str
    title: str
    about: str
    game: str
    packs: tuple[tuple[str, str], ...]
    authors: tuple[str, ...]
    licence: str
    items: tuple[ItemData, ...]
    lookups: tuple[Lookup, ...]
    rollable: tuple[Rollable, ...]
    odds: tuple[RollOdds, ...]

    @property
    def version(self) -> str:
        """The version of the last pack."""
        return self.packs[-1][1]

    def kinds(self) -> dict[str, list[ItemData]]:
        """The items by kind, tables apart."""
        found: dict[str, list[ItemData]] = {}
        apart = {one.id for one in self.lookups} | {one.id for one in self.rollable}
        for item in self.items:
            if item.id not in apart:
                found.setdefault(item.kind, []).append(item)
        return found


class Exported(Frozen):
    """The files of an export by name, and what could not be carried over, a line each."""

    files: Mapping[str, str | bytes]
    left_out: tuple[str, ...]


EVERYWHERE = (
    "What is played: effects, moments and choices are words there, and nobody is held to them.",
    "Scenarios, sheets, pictures and the vocabulary.",
)
"""What no target carries."""


@collector_resting()
def game_data(content: Content, program: Program, with_odds: bool) -> GameData:
    """What a game carries elsewhere."""
    entries = [one for many in entries_of(Gathered(content, program)).values() for one in many]
    manifest, last = content.packs[-1].manifest, content.packs[-1]
    authors = manifest.data("authors")
    return GameData(
        last.id,
        str(manifest.data("title") or last.id),
        str(manifest.data("about") or ""),
        content.game,
        tuple((one.id, one.version) for one in content.packs),
        tuple(map(str, authors)) if isinstance(authors, list) else (),
        str(manifest.data("licence") or ""),
        tuple(_item(content, one) for one in entries),
        tuple(_lookup(one.item) for one in entries if one.item.kind == "table"),
        tuple(_rollables(entries)),
        tuple(_odds(entries)) if with_odds else (),
    )


def _item(content: Content, entry: WordRow) -> ItemData:
    item: Item = entry.item
    forms = content.schemas.effect_fields(item.kind)
    return ItemData(
        item.id,
        item.kind,
        named(item),
        item.pack,
        entry.place,
        entry.card,
        entry.full,
        {name: item.data(name) for name in item.fields if name not in APART},
        any(form in PLAYED and path[0] in item.fields for path, form in forms.items()),
    )


def named(item: Item) -> str:
    """The title of an item, else its name in words."""
    name = item.slug.replace("_", " ")
    return str(item.data("title") or f"{name[:1].upper()}{name[1:]}")


def _lookup(item: Item) -> Lookup:
    rows = item.data("rows")
    listed = [*rows.items()] if isinstance(rows, dict) else []
    if "otherwise" in item.fields:
        listed.append(("otherwise", item.data("otherwise")))
    said = tuple((str(key), value_text(value)) for key, value in listed)
    about = str(item.data("english") or "").replace("{by}", "...")
    heads = str(item.data("by")), str(item.data("gives"))
    return Lookup(item.id, named(item), about, heads, said)


def _rollables(entries: Iterable[WordRow]) -> Iterator[Rollable]:
    """The tables to roll on; of a deck, the die that is as large as the deck."""
    listed = [one for one in entries if one.rows]
    tables = {one.item.slug: one.rows[0].table for one in listed}
    for entry in listed:
        table = tables[entry.item.slug]
        many = table.sides ** (table.count or 1)
        rows = (
            RollableRow(one.row.low, one.row.high, shown(one.row, tables), int(one.chance * many))
            for one in entry.rows
        )
        dice = f"1d{table.sides}" if table.is_deck else table.dice
        nested = any(one.nested for one in entry.rows)
        yield Rollable(entry.item.id, table.title, dice, table.is_deck, nested, tuple(rows))


def _odds(entries: Iterable[WordRow]) -> Iterator[RollOdds]:
    for one in entries:
        for name, many, sides, each in one.odds:
            odds = dice_odds(many, sides, each)
            dice = f"highest of {many}d{sides}" if each else f"{many}d{sides}"
            rows = tuple((number_text(value), chance) for value, chance in odds.items())
            yield RollOdds(one.item.id, name, dice, rows)


def value_text(value: Plain) -> str:
    """A value as text: a text as it is, anything else as YAML."""
    return value if isinstance(value, str) else written(value)
