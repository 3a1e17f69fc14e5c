"""Rolls on random tables, by a seed, and the exact odds of their rows, nested ones multiplied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from fractions import Fraction

from ruleloom.compiler.packs.random_tables import HOLE, RandomRow, RandomTable, filled
from ruleloom.reference.dice import Odds, dice_odds
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.machine.dice import Xoshiro

Tables = Mapping[str, RandomTable]


class RolledRow(Frozen):
    """One roll: what fell, the row, the rolls that it led to, and what is told or given."""

    table: RandomTable
    fell: tuple[int, ...]
    row: RandomRow
    nested: tuple[RolledRow, ...]
    told: str


@dataclass(slots=True, eq=False)
class TableRolls:
    """Rolls on the tables of a game, one after the other: what was drawn from decks stays out."""

    tables: Tables
    chance: Xoshiro
    out: dict[str, set[int]] = field(default_factory=dict)

    def roll(self, table: RandomTable) -> RolledRow:
        """Roll on a table, and on those that its row names."""
        fell = (self._drawn(table),) if table.is_deck else self._dice(table)
        row = next(one for one in table.rows if one.low <= sum(fell) <= one.high)
        nested = tuple(self.roll(self.tables[name]) for name in nested_in(row, self.tables))
        given = {one.table.item.slug: one.told for one in nested}
        told = filled(row.text or row.value, given) or given.get(row.goes_on, "")
        return RolledRow(table, fell, row, nested, told)

    def _dice(self, table: RandomTable) -> tuple[int, ...]:
        return tuple(self._below(table.sides) + 1 for _ in range(table.count))

    def _drawn(self, deck: RandomTable) -> int:
        out = self.out.setdefault(deck.item.slug, set())
        if len(out) == deck.sides:
            out.clear()
        left = [one for one in range(1, deck.sides + 1) if one not in out]
        card = left[self._below(len(left))]
        out.add(card)
        return card

    def _below(self, many: int) -> int:
        number, self.chance = self.chance.below(many)
        return number


def nested_in(row: RandomRow, tables: Tables) -> list[str]:
    """The tables that a row rolls on, each once: in the holes of its texts, and the one it goes on to."""
    named = dict.fromkeys((*HOLE.findall(row.text or row.value), row.goes_on))
    return [name for name in named if name in tables]


class RowOdds(Frozen):
    """A row with its chance in its table and in all, and the odds of the tables that it rolls on."""

    table: RandomTable
    row: RandomRow
    chance: Fraction
    in_all: Fraction
    nested: tuple[RowOdds, ...]


def row_odds(
    table: RandomTable, tables: Tables, before: Fraction = Fraction(1)
) -> tuple[RowOdds, ...]:
    """The odds of each row of a table; of a deck, of the first row that is drawn."""
    falls = dice_odds(table.count or 1, table.sides)
    return tuple(_odds_of(table, row, tables, falls, before) for row in table.rows)


def _odds_of(
    table: RandomTable,
    row: RandomRow,
    tables: Tables,
    falls: Odds,
    before: Fraction,
) -> RowOdds:
    faces = (one for value, one in falls.items() if row.low <= value <= row.high)
    chance = sum(faces, Fraction(0))
    named = (tables[name] for name in nested_in(row, tables))
    nested = tuple(one for other in named for one in row_odds(other, tables, before * chance))
    return RowOdds(table, row, chance, before * chance, nested)


def shown(row: RandomRow, tables: Tables) -> str:
    """What a row tells or gives, with the titles of tables in its holes; then what it goes on to or does."""
    titles = {name: f"[{one.title}]" for name, one in tables.items()}
    parts = [filled(row.text or row.value, titles)]
    parts += [titles.get(row.goes_on, row.goes_on)] if row.goes_on else []
    parts += [row.does] if row.does else []
    return "; ".join(filter(None, parts))


def flat(odds: tuple[RowOdds, ...], depth: int = 0) -> Iterator[tuple[int, RowOdds]]:
    """The rows with those of nested tables behind each, with their depth."""
    for one in odds:
        yield depth, one
        yield from flat(one.nested, depth + 1)
