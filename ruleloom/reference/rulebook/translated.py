"""A rulebook in another language: each of its texts by the whole sentence that the compiler writes.

The marks of cross-references stand in a translation as {1}, {2}, ... A sentence without a translation stays
English as a whole, and says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from ruleloom.compiler.analysis.game_texts import MARK, StepLine
from ruleloom.compiler.translation.realised import numbered
from ruleloom.compiler.translation.rules_sentences import NUMBERED, UNTRANSLATED
from ruleloom.reference.rulebook.document import (
    Block,
    CatalogueEntry,
    Definition,
    Definitions,
    Detail,
    Entries,
    Grid,
    Part,
    Prose,
    Steps,
    Terms,
)
from ruleloom.runtime.program.language import Language

# The term of a definition, with its mark if it has one.
_TERM = re.compile(rf".*?{MARK.pattern}|[^:.,]+")
_NO_WORDS = re.compile(r"[\W\d_]*")


class Translator:
    """Translates texts, and keeps those that lack."""

    def __init__(self, language: Language) -> None:
        self.language, self._says = language, language.sentences_said()
        self.used: dict[str, None] = {}
        self.lacking: dict[str, None] = {}

    def text(self, text: str) -> str:
        """A text in the language, its marks where the translation wants them."""
        if _NO_WORDS.fullmatch(text):
            return text
        sentence = numbered(text)
        said = self._says.get(sentence)
        if said is None:
            self.lacking[sentence] = None
            return f"{UNTRANSLATED}{text}"
        self.used[sentence] = None
        marks = MARK.findall(text)
        return NUMBERED.sub(lambda found: marks[int(found[1]) - 1], said)

    def parts(self, parts: Iterable[Part]) -> tuple[Part, ...]:
        """The parts of a document."""
        return tuple(
            one._replace(
                title=self.text(one.title),
                blocks=tuple(map(self.block, one.blocks)),
                parts=self.parts(one.parts),
            )
            for one in parts
        )

    def block(self, block: Block) -> Block:
        """One block of a part."""
        match block:
            case Prose():
                return replace(block, text=self.text(block.text))
            case Steps():
                return replace(block, lines=[*map(self._line, block.lines)])
            case Grid():
                head, *rows = ([*map(self.text, row)] for row in (block.head, *block.rows))
                return replace(block, head=head, rows=rows)
            case Terms():
                return Terms([(self.text(word), self.text(said)) for word, said in block.rows])
            case Entries():
                return Entries([*map(self._entry, block.entries)])
            case Definitions():
                return Definitions([*map(self._definition, block.entries)])
            case Detail():
                inner = [*map(self.block, block.blocks)]
                return replace(block, title=self.text(block.title), blocks=inner)

    def _line(self, line: StepLine) -> StepLine:
        return StepLine(self.text(line.text), tuple(map(self._line, line.inner)))

    def _entry(self, entry: CatalogueEntry) -> CatalogueEntry:
        title = self.language.titles.get(entry.title) or self.text(entry.title)
        facts = self.text(entry.facts) if entry.facts else ""
        return entry._replace(title=title, facts=facts, blocks=[*map(self.block, entry.blocks)])

    def _definition(self, entry: Definition) -> Definition:
        text = self.text(entry.head + entry.text)
        found = _TERM.match(text)
        head = found[0] if found is not None else ""
        return entry._replace(head=head, text=text[len(head) :])
