"""The languages of a game: those of the translation packs at hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from ruleloom.api.content_error import ContentError
from ruleloom.api.making import sound
from ruleloom.compiler.analysis.game_texts import GameTexts, told_of
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.locate import BUILTIN
from ruleloom.compiler.packs.walk import MANIFEST
from ruleloom.compiler.pipeline import compile_paths, named_in
from ruleloom.compiler.translation.language import LANGUAGES, language_of
from ruleloom.compiler.translation.realised import Realised, realised
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.language import ENGLISH, Language
from ruleloom.runtime.program.program import Program
from ruleloom.store.language_tables import LANGUAGE_TABLES, Languages, Translated
from ruleloom.store.store import NewValue, get

TRANSLATIONS = BUILTIN / "translations"
NOTHING = Translated({}, {}, {}, {})


def language_for(
    program: Program, code: str, packs: Sequence[str] = (), may_lack: bool = False
) -> Language:
    """A language for the readers of a game, from the translations shipped and those among its packs; from
    the former alone where the packs have mistakes now. Raises Refused for a language without tables, or,
    unless all texts `may_lack`, without a translation."""
    if code == ENGLISH.code:
        return ENGLISH
    if code not in LANGUAGES:
        known = ", ".join((ENGLISH.code, *sorted(LANGUAGES)))
        raise Refused(f"there is no language `{code}`; there are {known}")
    read = _read_for(program, code, packs)
    if not read.texts and not may_lack:
        raise Refused(f"nobody has translated {program.title} into `{code}`")
    return language_of(program, code, read.texts, read.sentences, read.made)


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
    return _read_for(program, code, packs).wanted


def _read_for(program: Program, code: str, packs: Sequence[str]) -> Translated:
    """What is shipped in a language of the packs of a program, with what other packs bring."""
    names = sorted({lock.pack for lock in program.lock})
    shipped = {name: str(one) for name in names if (one := shipped_for(name, code)) is not None}
    with suppress(ContentError):
        # A translation requires the pack that it translates: that need not be named.
        own = (one for one in packs if one not in shipped)
        return translated_in((*shipped.values(), *own), code)
    return translated_in(tuple(shipped.values()), code)


def translated_in(packs: Sequence[str], code: str) -> Translated:
    """What packs translate, and what the language makes of the rules of their game. Raises ContentError for
    packs with mistakes."""
    if not packs:
        return NOTHING
    return get(LANGUAGE_TABLES, packs, partial(made_languages, packs)).get(code, NOTHING)


def made_languages(packs: Sequence[str]) -> NewValue[Languages]:
    """The languages that packs are translated into. Raises ContentError for packs with mistakes."""
    result = compile_paths(packs, reasons=False, scenarios=False, played=False)
    _, content = sound(result)
    tables: dict[str, dict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    of_pack = {pack.id: str(pack.manifest.data("language") or "") for pack in content.packs}
    for item in content.by_kind("translation"):
        said = tables[of_pack[item.pack]]
        said["texts"] |= {**(item.data("texts") or {}), **(item.data("reasons") or {})}
        said["words"] |= item.data("words") or {}
        pairs = item.data("sentences") or ()
        said["sentences"] |= {one["english"]: one["says"] for one in pairs}
    found = {}
    for code, said in tables.items():
        made = _realised(content, code, said["texts"], said["words"])
        found[code] = Translated(said["texts"], said["sentences"], made.sentences, made.wanted)
    return NewValue(found, result.sources, content.folders)


def _realised(
    content: Content, code: str, texts: Mapping[str, str], words: Mapping[str, str]
) -> Realised:
    """The sentences that a language makes of the rules of a game; none without words."""
    if not words:
        return Realised({}, {})
    told = told_of(GameTexts(content, {}, named_in(content)))
    return realised(told, LANGUAGES[code].realiser({**texts, **words}))
