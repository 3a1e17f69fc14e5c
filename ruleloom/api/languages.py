"""The languages of a game: those of the translation packs at hand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.locate import BUILTIN
from ruleloom.compiler.packs.walk import MANIFEST
from ruleloom.compiler.pipeline import load
from ruleloom.compiler.translation.language import LANGUAGES, language_of
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.language import ENGLISH, Language
from ruleloom.runtime.program.program import Program

TRANSLATIONS = BUILTIN / "translations"


def language_for(program: Program, code: str, packs: Sequence[str] = ()) -> Language:
    """A language for the readers of a game, from the translations shipped and those among its packs. Raises
    Refused for a language that nobody has translated the game into."""
    if code == ENGLISH.code:
        return ENGLISH
    if code not in LANGUAGES:
        known = ", ".join((ENGLISH.code, *sorted(LANGUAGES)))
        raise Refused(f"there is no language `{code}`; there are {known}")
    names = {lock.pack for lock in program.lock}
    shipped = [str(one) for name in sorted(names) if (one := shipped_for(name, code)) is not None]
    texts = texts_in((*shipped, *packs), code)
    if not texts:
        raise Refused(f"nobody has translated {program.title} into `{code}`")
    return language_of(program, code, texts)


def shipped_for(pack: str, code: str) -> Path | None:
    """The shipped translation of a pack."""
    folder = TRANSLATIONS / f"{pack}-{code}"
    return folder if (folder / MANIFEST).is_file() else None


@lru_cache(maxsize=8)
def texts_in(packs: tuple[str, ...], code: str) -> dict[str, str]:
    """The translated texts of packs, by the original."""
    report = Report()
    content = load(packs, report, scenarios=False) if packs else None
    return {} if content is None else texts_of(content, code, ("texts", "sentences"))


def texts_of(content: Content, code: str, fields: Sequence[str]) -> dict[str, str]:
    """The texts of the translations into a language, by the original."""
    into = {pack.id for pack in content.packs if pack.manifest.data("language") == code}
    found: dict[str, str] = {}
    for item in content.by_kind("translation"):
        if item.pack in into:
            for name in fields:
                found.update(item.data(name) or {})
    return found
