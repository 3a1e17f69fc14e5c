"""The items of a kind as a catalogue: printed values, the author's text, what each does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ruleloom.compiler.english.word import capital, listed, plural, spaced
from ruleloom.compiler.packs.content import Item
from ruleloom.reference.rulebook.document import Block, Entries, Entry, Prose
from ruleloom.reference.rulebook.sections import anchor_of, details, doing
from ruleloom.reference.rulebook.sources import source_of
from ruleloom.reference.rulebook.telling import Telling
from ruleloom.runtime.program.program import Program

# Told elsewhere in an entry, or of no use to people.
NOT_PRINTED = frozenset(
    {"kind", "id", "title", "text", "effect", "abilities", "clauses", "renamed_from"}
)
# The fewest values that a table of all items of a kind is worth.
SHORT = 60


class Catalogue:
    """Writes the entries of one game."""

    def __init__(
        self, telling: Telling, program: Program, within: Mapping[str, Sequence[str]]
    ) -> None:
        self.telling, self.within = telling, within
        self._titles = {
            (entity.name, name): title
            for entity in program.entities
            for name, title in zip(entity.names, entity.titles, strict=True)
        }
        self._names = {name for _, name in self._titles}

    def title(self, kind: str) -> str:
        """What the items of a kind are called together."""
        symbols = self.telling.symbols
        entity = symbols.kinds.get(kind, "")
        alone = [one for one, made in symbols.kinds.items() if made == entity] == [kind]
        noun = symbols.nouns.get(entity, ("", ""))[1] if entity and alone else ""
        return capital(noun or plural(spaced(kind)))

    def entries(self, kind: str) -> Entries:
        """All items of a kind."""
        return Entries(tuple(map(self._entry, self.telling.content.by_kind(kind))))

    def _entry(self, item: Item) -> Entry:
        return Entry(
            self.telling.heading(item),
            anchor_of(item),
            tuple(self._facts(item)),
            tuple(self._blocks(item)),
            source_of(self.telling.content, item),
        )

    def _blocks(self, item: Item) -> Iterator[Block]:
        text = item.data("text")
        if isinstance(text, str) and text.strip():
            yield Prose(" ".join(text.split()), soft=False)
        yield from doing(self.telling, item)
        yield from details(self.telling, self.within.get(item.id, ()))

    def _facts(self, item: Item) -> Iterator[tuple[str, str]]:
        entity = self.telling.symbols.kinds.get(item.kind, "")
        for name in item.fields:
            if name in NOT_PRINTED:
                continue
            said = self._value(item.data(name), self._type_of(entity, name))
            if said:
                yield capital(self.telling.words.field(name)), said

    def _type_of(self, entity: str, field: str) -> str:
        symbol = self.telling.symbols.fields.get(field, {}).get(entity)
        return symbol.type.name if symbol is not None else ""

    def _value(self, value: Any, type_: str) -> str:
        """A printed value in words; empty if it is none, or parts of its own."""
        match value:
            case None | [] | {}:
                return ""
            case bool():
                return "yes" if value else ""
            case {"from": low, "to": high}:
                return f"{low} to {high}"
            case list():
                return listed([said for one in value if (said := self._value(one, type_))])
            case dict():
                pairs = (
                    (self._value(key, type_), self._value(one, type_)) for key, one in value.items()
                )
                return ", ".join(f"{key} {said}" for key, said in pairs if said)
            case str():
                return self._named(value, type_)
        return str(value)

    def _named(self, value: str, type_: str) -> str:
        """A name in words: a thing by its title, an option without its underscores."""
        found = self._titles.get((type_, value)) or self._titles.get(
            (type_, value.replace("_", "-"))
        )
        if found:
            return found
        if type_ in self.telling.symbols.enums:
            return spaced(value) if "_" in value else value
        return value if type_ == "Text" or value not in self._names else spaced(value)
