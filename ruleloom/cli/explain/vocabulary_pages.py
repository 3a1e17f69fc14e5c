"""The pages of the words of vocabularies, which need the compiler."""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.cli.explain.word_page import WordPages
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.output.terminal import safe_lines
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Program


@dataclass(frozen=True, slots=True)
class FoundPages:
    """The pages of a word, each with its game, and all words that have some."""

    found: tuple[tuple[str, str], ...]
    words: tuple[str, ...]


def broken_pack(packs: Sequence[str]) -> str:
    """The pack in which the first mistake stands, or, if that is in none, the first of these; empty
    without mistakes."""
    result = compiled(packs)
    errors = [one.place.path for one in result.diagnostics if one.severity == "error"]
    files = result.content.files if result.content is not None else {}
    found = (files[path][0] for path in errors if path in files)
    return next(found, packs[0]) if errors else ""


def compiled(packs: Sequence[str]) -> CompileResult:
    """The program of packs with the texts of their items."""
    return compile_paths(packs, texts=True, reasons=False, scenarios=False)


def pages_of(word: str, groups: Sequence[Sequence[str]]) -> FoundPages:
    """The pages of a word in the vocabularies of games."""
    games: list[tuple[Content, Program]] = []
    for result in map(compiled, groups):
        if result.program is not None and result.content is not None:
            games.append((result.content, result.program))
    known = [(content.game, WordPages(content, program)) for content, program in games]
    found = tuple((game, safe_lines(page)) for game, pages in known for page in pages.of(word))
    return FoundPages(found, tuple(sorted({one for _, pages in known for one in pages.words})))
