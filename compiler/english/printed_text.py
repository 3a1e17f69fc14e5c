"""The printed part of an item: the fields of its kind, and the packs that patched it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ruleloom.compiler.english.clause_tree import FactsTree, Told
from ruleloom.compiler.english.glossary import Glossary
from ruleloom.compiler.english.word import capital, constant, listed, plain_verb, sentence, spaced
from ruleloom.compiler.packs.content import COMMON_KINDS, Content, Item
from ruleloom.compiler.query.lookups import Table
from ruleloom.compiler.types import PLAIN
from ruleloom.compiler.yaml.node import YamlNode, to_data

# Fields that are rendered elsewhere, or that do not describe the item itself.
_NOT_PRINTED = (
    *("kind", "id", "renamed_from", "deprecated", "title", "text", "english", "gloss"),
    *("clauses", "after", "effect", "abilities", "allowed"),
)
# The opening of an option that is an action: `to light a lamp`.
_TO = "to "
_LONGEST, MOST = 8, 1000
"""The most entries of a list that are printed."""


class PrintedTexts:
    """Renders the printed fields of one game's items, and the packs that patched them."""

    def __init__(self, content: Content, words: Glossary) -> None:
        self.content, self.words, self.symbols = content, words, words.symbols
        self._longest, self._pack = _LONGEST, ""
        self.titles = Table[str | tuple[str, str], str](
            [(item.name, _title_of(item)) for item in content.items]
        )
        for pack, names in content.scopes.items():
            told = ((name, content.by_id.get(item.id)) for (_, name), item in names.items())
            self.titles.update(((pack, name), _title_of(one)) for name, one in told if one)
        self.packs = Table({pack.id: _title_of(pack.manifest) for pack in content.packs})
        self.changes = Table[str, dict[str, list[str]]]()
        """The fields of each item that packs have changed, by pack."""
        for (id, field), changes in content.history.items():
            by_pack = self.changes.setdefault(id, {})
            for change in changes:
                by_pack.setdefault(change.pack, []).append(field)

    def fields(self, item: Item, whole: bool = False) -> str:
        """`Rating: II; EI cost: 5; natural.` Empty for items that are rules.

        Only the `whole` text has all entries of long lists.
        """
        if item.kind in COMMON_KINDS:
            return ""
        self._longest = MOST if whole else _LONGEST
        self._pack = item.pack
        store = self.content.schemas
        left_out = {path[0] for path in store.effect_fields(item.kind)} | {*_NOT_PRINTED}
        names = [one for one in store.fields(item.kind) if one not in left_out]
        told = {
            name: self._field(self._label(item.kind, name), name, node)
            for name, node in item.fields.items()
            if name in names
        }
        told |= self._dice(item, told)
        parts = [*filter(None, (told | _spans(item, told)).values())]
        numbers = tuple(
            (label, number) for label, _, number in (one.partition(": ") for one in parts)
        )
        said = sentence("; ".join(parts)) if parts else ""
        plain = all(number.isdigit() for _, number in numbers)
        return Told.of(said, FactsTree(numbers) if said and plain else None)

    def _dice(self, item: Item, told: Mapping[str, str]) -> dict[str, str]:
        """The fields for dice and sides, merged: `2d10`."""
        found: dict[str, str] = {}
        for name in told:
            sides = f"{name.removesuffix('dice')}sides"
            number = item.data(name) if name.endswith("dice") else None
            large = item.data(sides) or self._default(item.kind, sides)
            if isinstance(number, int) and isinstance(large, int):
                label = "" if name == "dice" else f"{told[name].partition(':')[0]}: "
                found |= {name: f"{label}{number}d{large}", sides: ""}
        return found

    def _default(self, kind: str, name: str) -> object:
        """The default value of a printed field; None without one."""
        field = self.symbols.fields.get(name, {}).get(self.symbols.kinds.get(kind, ""))
        written = field.written if field is not None else None
        default = written.get("default") if written is not None and written.kind == "map" else None
        return to_data(default) if default is not None else None

    def patched(self, item: Item) -> str:
        """`Changed by Wet Ink (cost and effect).`"""
        said = []
        for pack, names in self.changes.get(item.id, {}).items():
            labels = (
                self._label(item.kind, one) if one in item.fields else spaced(one)
                for one in names
                if one
            )
            fields = [*dict.fromkeys(label.lower() for label in labels)]
            said.append(self.packs.get(pack, pack) + (f" ({listed(fields)})" if fields else ""))
        return f"Changed by {listed(said)}." if said else ""

    def _label(self, kind: str, name: str) -> str:
        schema = self.content.schemas.schema(kind).get("properties", {}).get(name, {})
        return str(schema.get("title") or capital(spaced(name)))

    def _field(self, label: str, name: str, node: YamlNode) -> str:
        value = to_data(node)
        if isinstance(value, bool):
            return _flag(label if label[1:2].isupper() else label[:1].lower() + label[1:], value)
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
        """An entry of a list, the rest in brackets: `Lamp rites (8 points)`."""
        if not isinstance(value, dict) or not isinstance(next(iter(value.values()), None), str):
            return self._value(name, value)
        (key, first), *rest = value.items()
        said = ", ".join(self._aside(one, more) for one, more in rest)
        return self._word(key, first) + (f" ({said})" if said else "")

    def _aside(self, name: str, value: object) -> str:
        """A value after its name, `rank 2`; a count comes before its noun, `8 points`."""
        if isinstance(value, bool):
            return _flag(spaced(name), value)
        said = self._value(name, value)
        counts = type(value) is int and re.fullmatch(r"[a-z]+[^\Wsui]s", name)
        return f"{said} {name}" if counts else f"{spaced(name)} {said}"

    def _entries(self, name: str, value: Mapping[str, object]) -> Iterator[str]:
        if set(value) == {"from", "to"}:
            yield f"{value['from']} to {value['to']}"
            return
        for key, one in value.items():
            said = constant(one) if isinstance(one, bool) else self._value(name, one)
            key = self._title(key) or self._word(name, key)
            if said.startswith(_TO):
                yield f"{said.removeprefix(_TO)} ({key})"
            else:
                yield f"{key} {said}".strip() if isinstance(one, int) else f"{key} ({said})"

    def _title(self, name: str) -> str:
        pack, _, inside = name.rpartition(":")
        bare = inside.rpartition("/")[2].replace("_", "-")
        here = self._pack, f"{pack}:{bare}" if pack else bare
        return self.titles.get(here) or self.titles.get(name) or self.titles.get(bare) or ""

    def _word(self, name: str, value: object) -> str:
        """A scalar in print: the title of an item, an option in words, or the value itself."""
        if not isinstance(value, str):
            return "" if value is None else str(value)
        if ("value", value) in self.words.symbols.words:
            return self.words.value(value)
        types = {one.type.name for one in self.symbols.fields.get(name, {}).values()}
        if (types and types <= {*PLAIN}) or name == "examples":
            return value
        return self._title(value) or (spaced(value) if value.islower() else value)


def _spans(item: Item, told: Mapping[str, str]) -> dict[str, str]:
    """The fields `least_x` and `most_x`, merged: `Value: 1 to 3`."""
    found: dict[str, str] = {}
    for least in told:
        name = least.removeprefix("least_")
        if name != least and told.get(f"most_{name}"):
            low, high = item.data(least), item.data(f"most_{name}")
            span = str(low) if low == high else f"{low} to {high}"
            found |= {least: f"{capital(spaced(name))}: {span}", f"most_{name}": ""}
    return found


def _flag(label: str, holds: bool) -> str:
    """A flag's label or its negation: `does not tire`, `not natural`."""
    verb, _, rest = label.partition(" ")
    if holds:
        return label
    if re.fullmatch(r"[a-z]{2,}[^s]s", verb):
        return f"does not {plain_verb(verb)} {rest}".rstrip()
    return f"not {label}"


def _title_of(item: Item) -> str:
    return str(item.data("title") or spaced(item.name))
