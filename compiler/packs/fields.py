"""Static fields of items before any patch: the written values, else those of the vocabulary.

Nothing is reported here: the vocabulary is checked later.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from fractions import Fraction
from typing import Any

from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.packs.poison import slug_of
from ruleloom.compiler.packs.settings import FRACTIONAL, amount, sort_of
from ruleloom.compiler.yaml.node import YamlNode, text_of
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.values import FRACTION

TAG, TAGS = "tag", "tags"
FULL_ID = re.compile(r"(?:[a-z][a-z0-9_-]*:)?[a-z][a-z0-9_-]*/([A-Za-z][A-Za-z0-9_-]*)")


@dataclass(frozen=True, slots=True)
class Families:
    """Every tag of a game as effect text writes it, with its parent if it has one."""

    parents: Mapping[str, str]

    @classmethod
    def of(cls, items: Iterable[Item]) -> Families:
        """Read the tags among these items. Nothing is reported: they are checked later."""
        tags = [item for item in items if item.kind == TAG]
        return cls({item.slug: slug_of(str(item.data("parent") or "")) for item in tags})

    def widened(self, tags: Iterable[str]) -> tuple[str, ...]:
        """These tags, each once, and all the wider ones that go with them."""
        found: dict[str, None] = {}
        for tag in tags:
            while tag and tag not in found:
                found[tag] = None
                tag = self.parents.get(tag, "")
        return tuple(found)


@dataclass(frozen=True, slots=True)
class PrintedField:
    """The declaration of one field of a content kind: its type, its default, its words."""

    type: str = ""
    default: YamlNode | None = None
    words: tuple[str, ...] = ()


NO_FIELD = PrintedField()


@dataclass(frozen=True, slots=True, eq=False)
class Printed:
    """The declarations of the fields of the content kinds of a game."""

    vocabulary: Mapping[str, YamlNode]
    families: Families = field(default_factory=lambda: Families({}))
    _found: dict[tuple[str, str], PrintedField] = field(default_factory=dict)

    @classmethod
    def of(cls, items: Iterable[Item]) -> Printed:
        """Read the vocabulary among these items, if there is one, and the tags."""
        items = tuple(items)
        vocabulary = next((item.fields for item in items if item.kind == "vocabulary"), {})
        return cls(vocabulary, Families.of(items))

    def field(self, kind: str, name: str) -> PrintedField:
        """The declaration of a field of items of this kind."""
        if (kind, name) not in self._found:
            self._found[kind, name] = self._read(kind, name)
        return self._found[kind, name]

    def value(self, item: Item, fields: Mapping[str, YamlNode], name: str) -> YamlNode | None:
        """The value of a field: the written one, else the default of the vocabulary."""
        node = fields.get(name)
        return node if node is not None else self.field(item.kind, name).default

    def are_tags(self, kind: str, name: str) -> bool:
        """Does this field hold the tags of an item, and not a list that its game calls so?"""
        return self.field(kind, name).type == TAG

    def is_fractional(self, item: Item, name: str) -> bool:
        """May this field of an item hold a number that is not whole?"""
        if item.kind == "setting":
            return name == "value" and sort_of(item) == FRACTIONAL
        if item.kind == "table":
            return _type_in(item.data("gives")) == str(FRACTION)
        return self.field(item.kind, name).type == str(FRACTION)

    def _read(self, kind: str, name: str) -> PrintedField:
        entity = text_of(_at(self.vocabulary.get("kinds"), kind, "makes"))
        written = _at(self.vocabulary.get("entities"), entity, "static", name)
        if written is None:
            return (
                PrintedField(TAG, words=tuple(self.families.parents)) if name == TAGS else NO_FIELD
            )
        type_ = _type_in(written.text or getattr(written.get("type"), "text", None))
        values = _at(self.vocabulary.get("enums"), type_)
        words = [*values.entries, *(one.text or one.raw for one in values.items)] if values else []
        default = None if written.get("by") is not None else written.get("default")
        return PrintedField(type_, default, tuple(words))


def _at(node: YamlNode | None, *keys: str) -> YamlNode | None:
    for key in keys:
        node = node.get(key) if node is not None else None
    return node


def _type_in(written: Any) -> str:
    """The name of the type itself: `Colour` of `List of Colour?`."""
    return str(written or "").removeprefix("List of ").partition(" by ")[0].removesuffix("?")


def value_of(node: YamlNode | None) -> Any:
    """The value of a node: number, truth, folded word, tuple, dict by folded keys, or None."""
    if node is None or node.kind == "null":
        return None
    if node.kind == "list":
        return tuple(value_of(one) for one in node.items)
    if node.kind == "map":
        return {folded(key): value_of(one) for key, one in node.entries.items()}
    number = amount(node)
    if number is not None and not isinstance(node.value, bool):
        return number
    return folded(node.value) if isinstance(node.value, str) else node.value


def folded(word: str) -> str:
    """A word as effect text writes it, with `_` for `-` and without the pack and kind of an id."""
    full = FULL_ID.fullmatch(word)
    return (full[1] if full else word).replace("-", "_")


def is_number(value: Any) -> bool:
    """Is this a number? A truth is none."""
    return isinstance(value, int | Fraction) and not isinstance(value, bool)
