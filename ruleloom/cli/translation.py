"""`ruleloom translation` says what the translation of a game lacks, as entries to fill in."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator

import click

from ruleloom.api.languages import language_for, wanted_for
from ruleloom.api.making import sound
from ruleloom.cli.faults import CLEAN, FINDINGS, refusals_told
from ruleloom.cli.options import option, pack_paths, paths_argument
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.translation.originals import originals
from ruleloom.compiler.translation.rules_sentences import on_cards, sentences_of, unmarked
from ruleloom.output.terminal import count_of
from ruleloom.reference.rulebook.rulebook import written
from ruleloom.reference.rulebook.translated import Translator
from ruleloom.runtime.program.language import Language
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.table.drawing import SAID_AT


@click.command("translation")
@paths_argument
@option("--language CODE", "The language, such as de.", required=True)
def command(paths: tuple[str, ...], language: str) -> int:
    """Say what a translation lacks: words, texts, reasons, and sentences of its rulebook.

    A PATH is a pack's folder or the name of a shipped game, with its translations on top; those that
    are shipped are read, too. What lacks is printed as an item of a translation pack, to fill in. The
    exit code is 1 if anything lacks, and 0 if the translation is complete.
    """
    named = list(pack_paths(paths))
    program, content = sound(compile_paths(named, texts=True, scenarios=False))
    with refusals_told():
        read = language_for(program, language, named, may_lack=True)
    _, parts = written(content, program)
    translator = Translator(read)
    translator.parts(parts)
    left = [*translator.lacking, *_lacking_elsewhere(program, read)]
    lacking = {
        "words": [one for one, of in wanted_for(program, language, named).items() if of in left],
        "texts": _lacking(program, read, False),
        "reasons": _lacking(program, read, True),
        "sentences": left,
    }
    many = sum(map(len, lacking.values()))
    for old in _no_longer_said(program, read, translator.used):
        print(safe_text(f"# the rulebook no longer says: {old}"))
    if not many:
        print(
            f"complete: {count_of(len(translator.used), 'sentence')} of the rulebook, and all texts"
        )
        return CLEAN
    print(f"# {count_of(many, 'text')} to translate")
    for line in _item(content.game, lacking):
        print(safe_text(line))
    return FINDINGS


def _lacking(program: Program, language: Language, is_reason: bool) -> list[str]:
    """The texts that a language lacks: of conditions, or all others."""
    needed = (one for one in originals(program) if one.is_needed and one.is_reason == is_reason)
    return [*dict.fromkeys(one.text for one in needed if one.text not in language.says)]


def _lacking_elsewhere(program: Program, language: Language) -> list[str]:
    """The sentences on cards and at the table that a language lacks, and the rulebook does not say."""
    says = unmarked(language.sentences_said())
    return [one for one in _said_elsewhere(program) if one not in says]


def _said_elsewhere(program: Program) -> dict[str, None]:
    """The sentences on cards, step by step as well, and at the table."""
    cards, full = on_cards(program), dict(program.texts)
    texts = (text for id, card in cards.items() for text in (card.whole, full.get(id, "")))
    told = (one for text in texts for one in sentences_of(text))
    return dict.fromkeys((*told, *SAID_AT.get(program.game, ())))


def _item(game: str, lacking: dict[str, list[str]]) -> Iterator[str]:
    """An item of a translation pack with what lacks."""
    yield from ("- kind: translation", "  id: lacking", f"  of: {game}")
    for field, texts in lacking.items():
        if texts:
            yield f"  {field}:"
            yield from _entries(field, texts)


def _entries(field: str, texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        quoted = json.dumps(text, ensure_ascii=False)
        if field == "sentences":
            yield from (f"    - english: {quoted}", '      says: ""')
        else:
            yield f'    {quoted}: ""'


def _no_longer_said(program: Program, read: Language, used: Container[str]) -> Iterator[str]:
    """The sentences that are translated and stand neither in the rulebook nor on a card or at a table."""
    said = _said_elsewhere(program)
    yield from (one for one in read.sentences if one not in used and one not in said)
