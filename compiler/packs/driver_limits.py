"""The limits that a Python driver sets to extensions: what it could not know of is refused.

A driver finds its columns by name and never looks at others, so fields, variables, printed fields
and things of new sorts are safe beside it. It does decide over the values of its enums, over where
its things lie, and over the fields it changes; those are its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import YamlNode, entries_of, fields_of

# Questions about no more than these, which look at nothing on the table, are answered in every
# game.
SEATED = frozenset({"Int", "Player"})
WORDS = ("english", "log", "noun")
TYPE = re.compile(r"[A-Z][A-Za-z0-9]*")
FIELD = re.compile(r"\s*([a-z][a-z0-9_]*)")


@dataclass(frozen=True, slots=True)
class Problem:
    """Why something cannot be added; `place` where that is not the place of the whole."""

    message: str
    place: Place | None = None


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
        changing = [
            one.entries["fields"].entries for one in entities.values() if "fields" in one.entries
        ]
        fields = frozenset(name for part in changing for name in part)
        return cls(vocabulary.pack, frozenset(_types(vocabulary)), frozenset(entities), fields)

    def knows(self, enum: str) -> bool:
        """Does the driver decide over the values of this enum?"""
        return enum in self.types

    def problem(self, section: str, name: str, node: YamlNode) -> Problem | None:
        """Why a new zone or operation cannot be, or None."""
        if section == "zones" and (of := node.get("of")) is not None and of.text in self.entities:
            what = f"the driver of `{self.game}` moves what is of the type `{of.text}`"
            return Problem(f"{what}, and would not know of `{name}`", of.place)
        return self._of_operation(node) if section == "operations" else None

    def _of_operation(self, node: YamlNode) -> Problem | None:
        for key, _, place in fields_of(node.get("sets")):
            field = FIELD.match(key)
            if field is not None and field[1] in self.fields:
                return self._own(field[1], "sets it", place)
        makes, params = node.get("makes"), entries_of(node.get("params"))
        if makes is not None and makes.text in self.entities:
            return self._own(makes.text, "makes one", makes.place)
        for key, _, place in fields_of(node.get("moves")):
            of = params[key].text or "" if key in params else ""
            if self.entities.intersection(TYPE.findall(of)):
                return self._own(of, "moves one", place)
        return None

    def _own(self, what: str, does: str, place: Place) -> Problem:
        return Problem(
            f"the driver of `{self.game}` looks after `{what}`, so nothing else {does}", place
        )


def has_driver(vocabulary: Item) -> bool:
    """Does this game need Python for what can be asked and done?"""
    queries, operations = (
        entries_of(vocabulary.fields.get(part)).values() for part in ("queries", "operations")
    )
    return any(map(_looks, queries)) or any("sets" not in one.entries for one in operations)


def _looks(query: YamlNode) -> bool:
    """Does the answer to a query depend on anything but the seats?"""
    if "of" in query.entries:
        return False
    reads = query.get("reads")
    return (reads is not None and bool(reads.items)) or not SEATED.issuperset(_types_in(query))


def _types(vocabulary: Item) -> Iterator[str]:
    """The types of all columns of the game, and of all arguments and results of the driver."""
    for part in ("entities", "zones", "queries", "operations"):
        for one in entries_of(vocabulary.fields.get(part)).values():
            yield from _types_in(one)


def _types_in(node: YamlNode) -> Iterator[str]:
    for child in (*(one for key, one in node.entries.items() if key not in WORDS), *node.items):
        if child.text is not None:
            yield from TYPE.findall(child.text)
        yield from _types_in(child)
