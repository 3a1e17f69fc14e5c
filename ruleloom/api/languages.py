"""The languages of a game: those of the translation packs at hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from ruleloom.api.content_error import ContentError
from ruleloom.api.making import read_content, sound
from ruleloom.compiler.analysis.game_texts import GameTexts, told_of
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.locate import BUILTIN
from ruleloom.compiler.packs.walk import MANIFEST
from ruleloom.compiler.pipeline import compile_paths, named_in
from ruleloom.compiler.translation.language import LANGUAGES, language_of
from ruleloom.compiler.translation.realised import Realised, realised, standing_alone
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.language import ENGLISH, Language
from ruleloom.runtime.program.program import Program
from ruleloom.store.language_tables import LANGUAGE_TABLES, RULES_SENTENCES, Translated
from ruleloom.store.store import NewValue, StoreKind, get

TRANSLATIONS = BUILTIN / "translations"
NOTHING, NO_SENTENCES = Translated({}, {}, {}), Realised({}, {})
T = TypeVar("T", bound=Frozen)


def language_for(
    program: Program,
    code: str,
    packs: Sequence[str] = (),
    may_lack: bool = False,
    turn: AbstractContextManager[Any] = nullcontext(),  # noqa: B008
) -> Language:
    """A language for the readers of a game, from the translations shipped and those among its packs; from
    the former alone where the packs have mistakes now. Sentences of its rules are made when one is first
    read, within `turn`. Raises Refused for a language without tables, or, unless all texts `may_lack`,
    without a translation."""
    if code == ENGLISH.code:
        return ENGLISH
    if code not in LANGUAGES:
        known = ", ".join((ENGLISH.code, *sorted(LANGUAGES)))
        raise Refused(f"there is no language `{code}`; there are {known}")
    read_in, read = _read_for(program, code, packs)
    if not read.texts and not may_lack:
        raise Refused(f"nobody has translated {program.title} into `{code}`")

    def made() -> Mapping[str, str]:
        with turn:
            return sentences_in(read_in, code).sentences

    return language_of(program, code, read.texts, read.sentences, made)


def languages_of(game: str) -> dict[str, str]:
    """The languages that a game is shipped in, by code, each by its own name."""
    found = {code: one.name for code, one in LANGUAGES.items() if shipped_for(game, code)}
    return {ENGLISH.code: "English", **found}


def shipped_for(pack: str, code: str) -> Path | None:
    """The shipped translation of a pack."""
    folder = TRANSLATIONS / f"{pack}-{code}"
    return folder if (folder / MANIFEST).is_file() else None


def wanted_for(program: Program, code: str, packs: Sequence[str] = ()) -> Mapping[str, str]:
    """The words that a language lacks for sentences of the rules, each with a sentence that wants it."""
    return sentences_in(_read_for(program, code, packs)[0], code).wanted


def _read_for(
    program: Program, code: str, packs: Sequence[str]
) -> tuple[Sequence[str], Translated]:
    """The packs that are shipped in a language of the packs of a program, with other packs, and what all
    these translate."""
    names = sorted({lock.pack for lock in program.lock})
    shipped = {name: str(one) for name in names if (one := shipped_for(name, code)) is not None}
    # A translation requires the pack that it translates: that need not be named.
    every = (*shipped.values(), *(one for one in packs if one not in shipped))
    with suppress(ContentError):
        return every, translated_in(every, code)
    return tuple(shipped.values()), translated_in(tuple(shipped.values()), code)


def translated_in(packs: Sequence[str], code: str) -> Translated:
    """What packs translate. Raises ContentError for packs with mistakes."""
    return _known(LANGUAGE_TABLES, packs, made_languages).get(code, NOTHING)


def sentences_in(packs: Sequence[str], code: str) -> Realised:
    """What a language makes of the rules of packs. Raises ContentError for packs with mistakes."""
    return _known(RULES_SENTENCES, packs, made_sentences).get(code, NO_SENTENCES)


def _known(
    kind: StoreKind[dict[str, T]],
    packs: Sequence[str],
    make: Callable[[Sequence[str]], NewValue[dict[str, T]]],
) -> dict[str, T]:
    return get(kind, packs, partial(make, packs)) if packs else {}


def made_languages(packs: Sequence[str]) -> NewValue[dict[str, Translated]]:
    """What packs translate, by language. Those that are shipped are read and not compiled. Raises
    ContentError for packs with mistakes."""
    if all(Path(one).parent == TRANSLATIONS for one in packs):
        content, sources = read_content(packs)
    else:
        content, sources = _compiled(packs)
    return NewValue(_translated(content), sources, content.folders)


def made_sentences(packs: Sequence[str]) -> NewValue[dict[str, Realised]]:
    """What the languages of packs make of the rules of their game. Raises ContentError for packs with
    mistakes."""
    content, sources = _compiled(packs)
    found = {}
    for code, said in _translated(content).items():
        if said.words:
            told = told_of(GameTexts(content, {}, named_in(content)))
            made = realised(told, LANGUAGES[code].realiser({**said.texts, **said.words}))
            alone = standing_alone(said.texts)
            found[code] = replace(made, sentences={**alone, **made.sentences})
    return NewValue(found, sources, content.folders)


def _compiled(packs: Sequence[str]) -> tuple[Content, Mapping[str, str]]:
    """The content of packs without mistakes, and the texts of their files."""
    result = compile_paths(packs, reasons=False, scenarios=False, played=False)
    return sound(result)[1], result.sources


def _translated(content: Content) -> dict[str, Translated]:
    """What the packs of a game translate, by language."""
    found: dict[str, Translated] = {}
    of_pack = {pack.id: str(pack.manifest.data("language") or "") for pack in content.packs}
    for item in content.by_kind("translation"):
        said = found.setdefault(of_pack[item.pack], Translated({}, {}, {}))
        said.texts.update({**(item.data("texts") or {}), **(item.data("reasons") or {})})
        said.words.update(item.data("words") or {})
        pairs = item.data("sentences") or ()
        said.sentences.update({one["english"]: one["says"] for one in pairs})
    return found
