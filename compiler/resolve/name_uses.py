"""The meaning of each name in the texts of a game: a table by span, filled by the checker.

Nothing is noted unless it is asked for: `NameUses.on`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruleloom.compiler.packs.lasting_names import OWNER_NAME, SELF, THIS
from ruleloom.compiler.query.lookups import Lookups
from ruleloom.compiler.resolve.embedded import Passage
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax.ast import Name, Span
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.dataclass import dataclass

LOCAL, ITEM, THING, SETTING, LABEL = "local", "item", "thing", "setting", "label"
BEARERS = (SELF, THIS, OWNER_NAME)


@dataclass(frozen=True, slots=True, order=True)
class Meaning:
    """The meaning of a name: an item by its id, a word of a vocabulary, or a variable of one item.

    The checker knows a thing by its entity and number, a setting by its name, and a parameter that a
    call names by what is called; each belongs to an item.
    """

    table: str
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class NameUse:
    """A name in a text, or a field that is one; `word` is the sort of it, as an author would say."""

    passage: Passage | YamlNode
    span: Span
    meaning: Meaning
    word: str
    declares: bool

    @property
    def place(self) -> Place:
        """Its place."""
        if isinstance(self.passage, Passage):
            return self.passage.place(self.span)
        return self.passage.inner_place


class NameUses:
    """All uses of one build; each is noted like a mark, so that a reused text has its own."""

    __slots__ = ("found", "lookups", "name", "on")

    def __init__(self, on: bool = False) -> None:
        self.on = on
        self.found: dict[NameUse, None] = {}
        self.lookups: Lookups | None = None
        self.name = ""

    def __iter__(self) -> Iterator[NameUse]:
        return iter(self.found)

    def watched(self, name: str, lookups: Lookups) -> None:
        """Note from now on, under this name."""
        self.name, self.lookups = name, lookups

    def add(self, use: NameUse) -> None:
        """Enter a use."""
        self.found[use] = None
        if self.lookups is not None and self.lookups.keys is not None:
            self.lookups.marks[self.name, use] = None

    def note(
        self, passage: Passage, span: Span, meaning: Meaning, word: str = "", declares: bool = False
    ) -> None:
        """Note what stands at a span of a text, if anybody wants to know."""
        if self.on and span[0] < span[1]:
            self.add(NameUse(passage, span, meaning, word or meaning.table, declares))

    def note_value(self, node: YamlNode, meaning: Meaning, word: str) -> None:
        """Note what a field means that is a name."""
        if self.on:
            self.add(NameUse(node, (0, 0), meaning, word, False))

    def note_local(self, passage: Passage, name: Name, declares: bool = False) -> None:
        """Note a variable of the item in which it stands."""
        if self.on and name.id.isidentifier() and name.id not in BEARERS:
            self.note(passage, name.span, Meaning(LOCAL, name.id), "local variable", declares)


def meaning_of(id: str, name: str, kind: str) -> Meaning:
    """The item that something is, or, of a vocabulary, its word."""
    if ":" in id:
        return Meaning(ITEM, id)
    return Meaning("operation" if kind in ("operation", "moment") else "query", name)
