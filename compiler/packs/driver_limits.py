"""The limits that a Python driver sets to extensions: what it could not know of is refused.

A driver finds its columns by name, so that more fields, variables and entities do no harm. The
values of its enums, the places of its things, and the fields it changes are its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import YamlNode, entries_of, fields_of, items_of
from ruleloom.runtime.dataclass import dataclass

# Queries of these types alone, which read nothing on the table, are answered in every game.
SEATED = frozenset({"Int", "Player"})
WORDS = ("english", "log", "noun")
TYPE = re.compile(r"[A-Z][A-Za-z0-9]*")
FIELD = re.compile(r"\s*([a-z][a-z0-9_]*)")


Problem = tuple[Place, str]
"""The place of what cannot be added, and why it cannot."""


@dataclass(frozen=True, slots=True, eq=False)
class DriverLimits:
    """What the driver of a game looks after: nothing, if the game has none."""

    game: str
    types: frozenset[str]
    entities: frozenset[str]
    fields: frozenset[str]

    @classmethod
    def of(cls, vocabulary: Item) -> DriverLimits:
        """Read in the game's own vocabulary what its driver has to do with."""
        if not has_driver(vocabulary):
            return cls(vocabulary.pack, frozenset(), frozenset(), frozenset())
        entities = entries_of(vocabulary.fields.get("entities"))
        fields = {name for one in entities.values() for name in entries_of(one.get("fields"))}
        # The types of all columns, and of all arguments and results of the driver.
        parts = ("entities", "zones", "queries", "operations")
        declared = [vocabulary.fields[part] for part in parts if part in vocabulary.fields]
        types = {
            name for part in declared for one in part.entries.values() for name in _types_in(one)
        }
        return cls(vocabulary.pack, frozenset(types), frozenset(entities), frozenset(fields))

    def problem(self, section: str, name: str, node: YamlNode) -> Problem | None:
        """Why a new zone or operation cannot be, or None."""
        if section == "zones" and (of := node.get("of")) is not None and of.text in self.entities:
            what = f"the driver of `{self.game}` moves what is of the type `{of.text}`"
            return of.place, f"{what}, and would not know of `{name}`"
        for place, what, does in self._touched(node) if section == "operations" else ():
            owner = f"the driver of `{self.game}` looks after `{what}`"
            return place, f"{owner}, so nothing else {does}"
        return None

    def _touched(self, node: YamlNode) -> Iterator[tuple[Place, str, str]]:
        """What is the driver's own and an operation sets, makes or moves."""
        for key, _, place in fields_of(node.get("sets")):
            field = FIELD.match(key)
            if field is not None and field[1] in self.fields:
                yield place, field[1], "sets it"
        makes, params = node.get("makes"), entries_of(node.get("params"))
        if makes is not None and makes.text in self.entities:
            yield makes.place, makes.text, "makes one"
        for key, _, place in fields_of(node.get("moves")):
            of = params[key].text or "" if key in params else ""
            if self.entities.intersection(TYPE.findall(of)):
                yield place, of, "moves one"


def has_driver(vocabulary: Item) -> bool:
    """Does this game need Python for what can be asked and done?"""
    queries = entries_of(vocabulary.fields.get("queries")).values()
    operations = entries_of(vocabulary.fields.get("operations")).values()
    return any(map(_looks, queries)) or any("sets" not in one.entries for one in operations)


def _looks(query: YamlNode) -> bool:
    """Does the answer to a query depend on anything but the seats?"""
    if "of" in query.entries:
        return False
    return bool(items_of(query.get("reads"))) or not SEATED.issuperset(_types_in(query))


def _types_in(node: YamlNode) -> Iterator[str]:
    for child in (*(one for key, one in node.entries.items() if key not in WORDS), *node.items):
        if child.text is not None:
            yield from TYPE.findall(child.text)
        yield from _types_in(child)
