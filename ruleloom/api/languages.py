"""The languages of a game: those of the translation packs at hand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.locate import BUILTIN
from ruleloom.compiler.packs.walk import MANIFEST
from ruleloom.compiler.pipeline import load
from ruleloom.compiler.translation.language import LANGUAGES, language_of
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
    names = {lock.pack for lock in program.lock}
    shipped = [str(one) for name in sorted(names) if (one := shipped_for(name, code)) is not None]
    texts, sentences = texts_in((*shipped, *packs), code)
    if not texts and not may_lack:
        raise Refused(f"nobody has translated {program.title} into `{code}`")
    return language_of(program, code, texts, sentences)


@lru_cache(maxsize=8)
def languages_of(game: str) -> dict[str, str]:
    """The languages that a game is shipped in, by code, each by its own name."""
    found = {code: one.name for code, one in LANGUAGES.items() if shipped_for(game, code)}
    return {ENGLISH.code: "English", **found}


def shipped_for(pack: str, code: str) -> Path | None:
    """The shipped translation of a pack."""
    folder = TRANSLATIONS / f"{pack}-{code}"
    return folder if (folder / MANIFEST).is_file() else None


@lru_cache(maxsize=8)
def texts_in(packs: tuple[str, ...], code: str) -> tuple[dict[str, str], dict[str, str]]:
    """The translated texts of packs, and the whole sentences of their rules, by the original."""
    texts: dict[str, str] = {}
    sentences: dict[str, str] = {}
    content = load(packs, Report(), scenarios=False) if packs else None
    for item in content.by_kind("translation") if content is not None else ():
        if content is not None and code_of(content, item) == code:
            texts |= {**(item.data("texts") or {}), **(item.data("reasons") or {})}
            pairs = item.data("sentences") or ()
            sentences |= {one["english"]: one["says"] for one in pairs}
    return texts, sentences


def code_of(content: Content, item: Item) -> str:
    """The language of a translation: that of its pack."""
    packs = {pack.id: pack for pack in content.packs}
    return str(packs[item.pack].manifest.data("language") or "")
