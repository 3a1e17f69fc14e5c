"""The printed part of an item: the fields of its kind, and the packs that patched it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ruleloom.compiler.english.glossary import Glossary
from ruleloom.compiler.english.word import capital, listed, plain_verb, sentence, spaced
from ruleloom.compiler.packs.content import COMMON_KINDS, Content, Item
from ruleloom.compiler.query.lookups import Table
from ruleloom.compiler.types import PLAIN
from ruleloom.compiler.yaml.node import YamlNode, to_data

# Fields that are told elsewhere, or that say nothing of the item itself.
_NOT_PRINTED = (
    *("kind", "id", "renamed_from", "title", "text", "english", "gloss"),
    *("clauses", "after", "effect", "abilities"),
)
# Two fields that are read as one: `2d10`.
_DICE, _SIDES = "dice", "sides"
# What an option is called that is something to do, as rules speak of it: `to light a lamp`.
_TO = "to "
_LONGEST, MOST = 8, 1000
"""How many entries of a list are printed."""


class PrintedTexts:
    """Writes the printed fields of the items of one game."""

    def __init__(self, content: Content, words: Glossary) -> None:
        self.content, self.words, self.symbols = content, words, words.symbols
        self._longest = _LONGEST
        self.titles = Table({item.name: _title_of(item) for item in content.items})
        self.packs = Table({pack.id: _title_of(pack.manifest) for pack in content.packs})
        self.changes = Table[str, dict[str, list[str]]]()
        """The fields of each item that packs have changed, by pack."""
        for (id, field), changes in content.history.items():
            by_pack = self.changes.setdefault(id, {})
            for change in changes:
                by_pack.setdefault(change.pack, []).append(field)

    def fields(self, item: Item, whole: bool = False) -> str:
        """`Rating: II; EI cost: 5; natural.` Empty for what is rule and not content.

        Of long lists only the `whole` text has all entries.
        """
        self._longest = MOST if whole else _LONGEST
        if item.kind in COMMON_KINDS:
            return ""
        labels = self._labels(item.kind)
        told = [
            (name, self._field(labels[name], name, node))
            for name, node in item.fields.items()
            if name in labels
        ]
        told = self._with_spans(item, self._with_dice(item, told))
        said = "; ".join(one for _, one in told if one)
        return sentence(said) if said else ""

    def _with_dice(self, item: Item, told: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """The same, with a number of dice and their sides as one: `2d10`."""
        given = dict(told)
        for name in [one for one in given if one.endswith(_DICE)]:
            sides = name.removesuffix(_DICE) + _SIDES
            number, large = item.data(name), item.data(sides) or self._default(item.kind, sides)
            if isinstance(number, int) and isinstance(large, int):
                label = "" if name == _DICE else f"{given[name].partition(':')[0]}: "
                given |= {name: f"{label}{number}d{large}", sides: ""}
        return list(given.items())

    def _default(self, kind: str, name: str) -> object:
        """What a printed field is where an item does not say."""
        field = self.symbols.fields.get(name, {}).get(self.symbols.kinds.get(kind, ""))
        written = field.written if field is not None else None
        default = written.get("default") if written is not None and written.kind == "map" else None
        return to_data(default) if default is not None else None

    def _with_spans(self, item: Item, told: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """The same, with the least and the most of something as one: `Value: 1 to 3`."""
        given = dict(told)
        for least in [name for name in given if name.startswith("least_")]:
            name = least.removeprefix("least_")
            low, high = item.data(least), item.data(f"most_{name}")
            if given.get(f"most_{name}"):
                span = str(low) if low == high else f"{low} to {high}"
                given |= {least: f"{capital(spaced(name))}: {span}", f"most_{name}": ""}
        return list(given.items())

    def patched(self, item: Item) -> str:
        """`Changed by Wet Ink (cost and effect).`"""
        labels = {name: self._label(item.kind, name) for name in item.fields}
        said = []
        for pack, names in self.changes.get(item.id, {}).items():
            fields = dict.fromkeys(labels.get(one, spaced(one)).lower() for one in names if one)
            what = f" ({listed(list(fields))})" if fields else ""
            said.append(f"{self.packs.get(pack, pack)}{what}")
        return f"Changed by {listed(said)}." if said else ""

    def _labels(self, kind: str) -> Mapping[str, str]:
        """The fields of a kind that are printed, with what each is called."""
        store = self.content.schemas
        effects = {path[0] for path in store.effect_fields(kind)}
        names = (one for one in store.fields(kind) if one not in effects | {*_NOT_PRINTED})
        return {name: self._label(kind, name) for name in names}

    def _label(self, kind: str, name: str) -> str:
        schema = self.content.schemas.schema(kind).get("properties", {}).get(name, {})
        return str(schema.get("title") or capital(spaced(name)))

    def _field(self, label: str, name: str, node: YamlNode) -> str:
        value = to_data(node)
        if isinstance(value, bool):
            words = label if label[1:2].isupper() else label[:1].lower() + label[1:]
            return _flag(words, value)
        said = self._value(name, value).removeprefix(_TO)
        return f"{label}: {said}" if said else ""

    def _value(self, name: str, value: object) -> str:
        if isinstance(value, list):
            parts = [self._entry(name, one) for one in value[: self._longest]]
            more = len(value) - len(parts)
            return listed([*parts, f"{more} more"] if more else parts)
        if isinstance(value, dict):
            return ", ".join(self._entries(name, value))
        return self._word(name, value)

    def _entry(self, name: str, value: object) -> str:
        """One of a list: what it is, and the rest in brackets: `Lamp rites (8 points)`."""
        if not isinstance(value, dict) or not isinstance(next(iter(value.values()), None), str):
            return self._value(name, value)
        (key, first), *rest = value.items()
        said = [
            _flag(spaced(one), more) if isinstance(more, bool) else self._amount(one, more)
            for one, more in rest
        ]
        word = self._word(key, first)
        return f"{word} ({', '.join(said)})" if said else word

    def _amount(self, name: str, value: object) -> str:
        """A value behind what it is called, `rank 2`; what is counted stands before it, `8 points`."""
        said = self._value(name, value)
        counts = type(value) is int and re.fullmatch(r"[a-z]+[^\Wsui]s", name)
        return f"{said} {name}" if counts else f"{spaced(name)} {said}"

    def _entries(self, name: str, value: Mapping[str, object]) -> Iterator[str]:
        if set(value) == {"from", "to"}:
            yield f"{value['from']} to {value['to']}"
            return
        for key, one in value.items():
            said = "yes" if one is True else "no" if one is False else self._value(name, one)
            key = self._title(key) or self._word(name, key)
            if said.startswith(_TO):
                yield f"{said.removeprefix(_TO)} ({key})"
            else:
                yield f"{key} {said}".strip() if isinstance(one, int) else f"{key} ({said})"

    def _title(self, name: str) -> str:
        return self.titles.get(name) or self.titles.get(name.replace("_", "-")) or ""

    def _word(self, name: str, value: object) -> str:
        """A value as it is printed: the title of an item, an option in words, or as it stands."""
        if not isinstance(value, str):
            return "" if value is None else str(value)
        if ("value", value) in self.words.symbols.words:
            return self.words.value(value)
        types = {one.type.name for one in self.symbols.fields.get(name, {}).values()}
        if (types and types <= {*PLAIN}) or name == "examples":
            return value
        return self._title(value) or (spaced(value) if value.islower() else value)


def _flag(label: str, holds: bool) -> str:
    return label if holds else _denied(label)


def _denied(label: str) -> str:
    """`tires` as `does not tire`, `natural` as `not natural`."""
    verb, _, rest = label.partition(" ")
    if re.fullmatch(r"[a-z]{2,}[^s]s", verb):
        return f"does not {plain_verb(verb)} {rest}".rstrip()
    return f"not {label}"


def _title_of(item: Item) -> str:
    return str(item.data("title") or spaced(item.name))
