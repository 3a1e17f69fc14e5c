"""The items of a kind as a catalogue: printed values, the author's text, what each does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ruleloom.compiler.english.word import capital, plural, spaced
from ruleloom.compiler.packs.content import Item
from ruleloom.reference.rulebook.document import Block, CatalogueEntry, Entries, Prose
from ruleloom.reference.rulebook.sections import anchor_of, details, doing
from ruleloom.reference.rulebook.telling import Telling


class Catalogue:
    """Writes the entries of one game; `within` has for each item what it alone uses."""

    def __init__(self, telling: Telling, within: Mapping[str, Sequence[str]]) -> None:
        self.telling, self.within = telling, within

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

    def _entry(self, item: Item) -> CatalogueEntry:
        return CatalogueEntry(
            self.telling.heading(item),
            anchor_of(item),
            self.telling.printed(item),
            tuple(self._blocks(item)),
            self.telling.source(item),
        )

    def _blocks(self, item: Item) -> Iterator[Block]:
        text = item.data("text")
        if isinstance(text, str) and text.strip():
            yield Prose(" ".join(text.split()))
        yield from doing(self.telling, item)
        yield from details(self.telling, self.within.get(item.id, ()))
