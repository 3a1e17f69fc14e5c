"""The languages of a game: those of the translation packs at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from ruleloom.compiler.analysis.game_texts import GameTexts, told_of
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.locate import BUILTIN
from ruleloom.compiler.packs.walk import MANIFEST
from ruleloom.compiler.pipeline import load, named_in
from ruleloom.compiler.translation.language import LANGUAGES, language_of
from ruleloom.compiler.translation.realised import Realised, realised
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.language import ENGLISH, Language
from ruleloom.runtime.program.program import Program

TRANSLATIONS = BUILTIN / "translations"


def language_for(
    program: Program, code: str, packs: Sequence[str] = (), may_lack: bool = False
) -> Language:
    """A language for the readers of a game, from the translations shipped and those among its packs. Raises
    Refused for a language without tables, or, unless all texts `may_lack`, without a translation."""
    if code == ENGLISH.code:
        return ENGLISH
    if code not in LANGUAGES:
        known = ", ".join((ENGLISH.code, *sorted(LANGUAGES)))
        raise Refused(f"there is no language `{code}`; there are {known}")
    read = translated_in(_with_shipped(program, code, packs), code)
    if not read.texts and not may_lack:
        raise Refused(f"nobody has translated {program.title} into `{code}`")
    return language_of(program, code, read.texts, read.sentences, read.realised.sentences)


@lru_cache(maxsize=8)
def languages_of(game: str) -> dict[str, str]:
    """The languages that a game is shipped in, by code, each by its own name."""
    found = {code: one.name for code, one in LANGUAGES.items() if shipped_for(game, code)}
    return {ENGLISH.code: "English", **found}


def shipped_for(pack: str, code: str) -> Path | None:
    """The shipped translation of a pack."""
    folder = TRANSLATIONS / f"{pack}-{code}"
    return folder if (folder / MANIFEST).is_file() else None


def _with_shipped(program: Program, code: str, packs: Sequence[str]) -> tuple[str, ...]:
    """The packs, and what is shipped in a language of those that a program is made of."""
    names = sorted({lock.pack for lock in program.lock})
    shipped = [str(one) for name in names if (one := shipped_for(name, code)) is not None]
    return (*shipped, *packs)


def wanted_for(program: Program, code: str, packs: Sequence[str] = ()) -> Mapping[str, str]:
    """The words that a language lacks for sentences of the rules, each with a sentence that wants it."""
    return translated_in(_with_shipped(program, code, packs), code).realised.wanted


class Translated(Frozen):
    """What packs translate: texts and sentences by their English, and what the language makes itself."""

    texts: Mapping[str, str]
    sentences: Mapping[str, str]
    realised: Realised


@lru_cache(maxsize=8)
def translated_in(packs: tuple[str, ...], code: str) -> Translated:
    """What packs translate, and what the language makes of the rules of their game."""
    texts: dict[str, str] = {}
    words: dict[str, str] = {}
    sentences: dict[str, str] = {}
    report = Report()
    content = load(packs, report, scenarios=False) if packs else None
    for item in content.by_kind("translation") if content is not None else ():
        if content is not None and code_of(content, item) == code:
            texts |= {**(item.data("texts") or {}), **(item.data("reasons") or {})}
            words |= item.data("words") or {}
            pairs = item.data("sentences") or ()
            sentences |= {one["english"]: one["says"] for one in pairs}
    if content is None or not words:
        return Translated(texts, sentences, Realised({}, {}))
    told = told_of(GameTexts(content, {}, named_in(content)))
    return Translated(
        texts, sentences, realised(told, LANGUAGES[code].realiser({**texts, **words}))
    )


def code_of(content: Content, item: Item) -> str:
    """The language of a translation: that of its pack."""
    packs = {pack.id: pack for pack in content.packs}
    return str(packs[item.pack].manifest.data("language") or "")
