"""What only the compiler knows of a word: the texts of items that are not kept, and the pages of what
a vocabulary names."""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.cache.item_texts import NO_TEXTS, ItemTexts, keep_texts
from ruleloom.cache.lookup import CacheQuery
from ruleloom.cli.explain.word_page import WordPages
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.output.terminal import safe_lines
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Program


@dataclass(frozen=True, slots=True)
class FoundPages:
    """The pages of a word, each with its game, and all words that have some."""

    found: tuple[tuple[str, str], ...]
    words: tuple[str, ...]


def made_texts(packs: Sequence[str], query: CacheQuery | None) -> ItemTexts:
    """The texts of all items of packs, kept for the next time; none where something is wrong."""
    result = compiled(packs)
    if result.program is None or result.content is None:
        return NO_TEXTS
    texts = texts_of(result.content, result.program)
    if query is not None:
        keep_texts(query, texts, result.sources, result.content.folders)
    return texts


def broken_pack(packs: Sequence[str]) -> str:
    """The pack in which the first mistake stands, or, if that is in none, the first of these; empty
    without mistakes."""
    result = compiled(packs)
    errors = [one.place.path for one in result.diagnostics if one.severity == "error"]
    files = result.content.files if result.content is not None else {}
    found = (files[path][0] for path in errors if path in files)
    return next(found, packs[0]) if errors else ""


def texts_of(content: Content, program: Program) -> ItemTexts:
    """The texts of all items of a game, from a program that was made with texts."""
    full, cards = (_texts(content, dict(one)) for one in (program.texts, program.cards))
    return ItemTexts(full, cards)


def compiled(packs: Sequence[str]) -> CompileResult:
    """The program of packs with the texts of their items."""
    return compile_paths(packs, texts=True, reasons=False, scenarios=False)


def _texts(content: Content, generated: dict[str, str]) -> dict[str, str]:
    return {item.id: generated.get(item.id) or as_written(item) for item in content.items}


def as_written(item: Item) -> str:
    """The author's own words and effect, for an item without a generated text."""
    fields = map(item.data, ("title", "english", "gloss", "effect", "is", "holds"))
    words = [field.rstrip("\n") for field in fields if isinstance(field, str)]
    return "\n".join(words) or "nothing is written about it"


def pages_of(word: str, groups: Sequence[Sequence[str]]) -> FoundPages:
    """What a word of the vocabularies of games is."""
    games: list[tuple[Content, Program]] = []
    for result in map(compiled, groups):
        if result.program is not None and result.content is not None:
            games.append((result.content, result.program))
    known = [(content.game, WordPages(content, program)) for content, program in games]
    found = tuple((game, safe_lines(page)) for game, pages in known for page in pages.of(word))
    return FoundPages(found, tuple(sorted({one for _, pages in known for one in pages.words})))
