"""The records of a game: one entity each, with the name by which items refer to it.

A name is written with `-` or `_` alike, or in full: `pack:kind/name`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import YamlNode


@dataclass(frozen=True, slots=True)
class Record:
    """One entity made by an item, or by an entry of one. `said` is what complaints call it.

    `item` is the id of the item that makes it by itself, `id` its own, which differs where the item
    makes several. `number` is there where the item makes one for each number, `owner` where the
    record is part of another. Of a `broken` one some fields were refused, so that nobody hears that
    they are missing.
    """

    name: str
    title: str
    said: str
    place: Place
    fields: Mapping[str, YamlNode]
    item: str = ""
    id: str = ""
    power: str = ""
    number: int | None = None
    owner: int | None = None
    broken: bool = False


@dataclass(slots=True)
class Register:
    """The records of each entity, in their order."""

    records: dict[str, list[Record]] = field(default_factory=dict)
    _numbers: dict[str, dict[str, int]] = field(default_factory=dict)
    _renamed: dict[tuple[str, str], Item] = field(default_factory=dict)

    def enter(
        self, entity: str, records: list[Record], renamed: Mapping[str, Item] | None = None
    ) -> None:
        """Take in the records of an entity; `renamed` are the items that had other names before."""
        self.records[entity] = records
        numbers = self._numbers[entity] = {}
        for number, record in enumerate(records):
            for name in (record.name, record.id):
                numbers.setdefault(_folded(name), number)
        for old, item in (renamed or {}).items():
            for name, new in ((old, item.name), (f"{item.pack}:{item.kind}/{old}", item.id)):
                if _folded(name) not in numbers and _folded(new) in numbers:
                    numbers[_folded(name)] = numbers[_folded(new)]
                    self._renamed[entity, _folded(name)] = item

    def renamed(self, entity: str, name: str) -> Item | None:
        """The item that is meant where `name` is an old name."""
        return self._renamed.get((entity, _folded(name)))

    def find(self, entity: str, name: str) -> int | None:
        """The number of the record that an item calls `name`."""
        return self._numbers.get(entity, {}).get(_folded(name)) if name else None

    def parts(self, entity: str, owners: int) -> tuple[tuple[int, ...], ...]:
        """The numbers of the parts of each owner."""
        found: list[list[int]] = [[] for _ in range(owners)]
        for number, record in enumerate(self.records.get(entity, ())):
            if record.owner is not None:
                found[record.owner].append(number)
        return tuple(map(tuple, found))

    def names(self, entity: str) -> list[str]:
        """What the records of an entity are called."""
        return [record.name for record in self.records.get(entity, ())]


def _folded(name: str) -> str:
    return name.replace("-", "_")
