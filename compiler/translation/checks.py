"""Checks of translations: of a text that is there, with its holes and numbers, and of one only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import NamedTuple

from ruleloom.compiler.diagnostics.report import Note
from ruleloom.compiler.diagnostics.suggest import did_you_mean, quoted_list
from ruleloom.compiler.english import word
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.translation.language import LANGUAGES, Tables
from ruleloom.compiler.translation.originals import HOLE, originals
from ruleloom.compiler.yaml.node import entries_of, items_of, text_of
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.texts import optional_parts, settled

KIND = "translation"


class Entry(NamedTuple):
    """A text and its translation, with their places; a reason or sentence is written by the compiler."""

    english: str
    says: str
    place: Place
    says_place: Place
    field: str


def entries(item: Item) -> Iterator[Entry]:
    """The translated texts of an item, in order."""
    for field in ("texts", "reasons", "words"):
        texts = item.fields.get(field)
        for english, node in entries_of(texts).items():
            assert texts is not None
            yield Entry(english, text_of(node), texts.key_place(english), node.place, field)
    for pair in items_of(item.fields.get("sentences")):
        one, says = pair.entries["english"], pair.entries["says"]
        yield Entry(text_of(one), text_of(says), one.place, says.place, "sentences")


def check_translations(build: Build, program: Program) -> None:
    """Report what is wrong with the translations of a game."""
    glosses = [one.english for one in build.symbols.powers.values() if one.english]
    known = {one.text: one.is_needed for one in originals(program)}
    known |= dict.fromkeys(glosses, True)
    seen: dict[tuple[str, str, str], Entry] = {}
    for item in build.content.by_kind(KIND):
        code, tables = _tables(build, item)
        if tables is None:
            continue
        _check_of(build, item)
        for entry in entries(item):
            before = seen.setdefault((code, entry.field, entry.english), entry)
            if before.says != entry.says:
                notes = [Note(before.place, f"here it is `{before.says}`")]
                message = "this text has two translations, and only one can stand for it"
                build.report.error("translated-twice", entry.place, message, None, notes)
            _check_entry(build, entry, known, tables)


def _tables(build: Build, item: Item) -> tuple[str, Tables | None]:
    """The language of an item and its tables; None after reporting a language that has none."""
    manifest = next(one.manifest for one in build.content.packs if one.id == item.pack)
    node = manifest.fields.get("language")
    code = "" if node is None else text_of(node)
    tables = LANGUAGES.get(code)
    if node is None:
        message = "this pack says no `language:`, so that nobody reads its translations"
        help = f"write `language: {next(iter(LANGUAGES))}` in its `pack.yaml`"
        build.report.error("unknown-language", item.place, message, help)
    elif tables is None:
        message = f"there is no language `{code}`; there is {quoted_list(sorted(LANGUAGES))}"
        build.report.error("unknown-language", node.place, message)
    return code, tables


def _check_of(build: Build, item: Item) -> None:
    """Report what is said to be translated and is not there."""
    node = item.fields["of"]
    of, content = text_of(node), build.content
    if of in {pack.id for pack in content.packs} or ("/" in of and content.items_called(of)):
        return
    names = {f"{one.kind}/{one.name}" for one in content.items} | {one.id for one in content.packs}
    message = f"there is no item or pack `{of}` to translate"
    build.report.error("unknown-name", node.place, message, did_you_mean(of, sorted(names)))


def _check_entry(build: Build, entry: Entry, known: Mapping[str, bool], tables: Tables) -> None:
    if entry.field == "texts" and entry.english not in known:
        near = did_you_mean(entry.english, sorted(known))
        message = "no text of the game reads so: it was changed since, or is spelt otherwise here"
        build.report.warning("outdated-translation", entry.place, message, near)
        return
    _check_holes(build, entry, tables, {*build.symbols.scope, *tables.own_holes})
    if entry.field == "words" and (wrong := tables.misspelt(entry.says)):
        build.report.error("translated-words", entry.says_place, wrong)
    here, there = word.numbers_in(entry.english), tables.numbers_in(entry.says)
    # `one` and its like are articles as often as numbers.
    if here - {1} != there - {1}:
        lost = quoted_list([str(one) for one in sorted(here - there - {1})])
        new = quoted_list([str(one) for one in sorted(there - here - {1})])
        said = " and ".join(filter(None, (f"lacks {lost}" * bool(lost), f"says {new}" * bool(new))))
        message = f"the translation {said}, and the original does not differ so"
        build.report.warning("translated-number", entry.says_place, message)


def holes(text: str) -> list[tuple[str, str]]:
    """The holes of a text, each with its form or empty; of an optional part its name, and those within."""
    parts = [(f"{part.name}?", "") for part in optional_parts(text)]
    plain = settled(text, lambda part: f"{part.given} {part.otherwise}")
    return [*parts, *((one[1], one[2] or "") for one in HOLE.finditer(plain))]


def _check_holes(build: Build, entry: Entry, tables: Tables, own: Set[str]) -> None:
    """Report holes of a translation that are missing, unknown, or in a form that there is not; words may have
    some of their `own`."""
    wanted = {name for name, _ in holes(entry.english)}
    found = holes(entry.says)
    there = {name for name, _ in found} - (own - wanted if entry.field == "words" else set())
    report = build.report
    if missing := sorted(wanted - there):
        message = f"the translation lacks {quoted_list([f'{{{one}}}' for one in missing])}"
        report.error("translated-holes", entry.says_place, message)
    if unknown := sorted(there - wanted):
        message = f"the original has no {quoted_list([f'{{{one}}}' for one in unknown])}"
        help = did_you_mean(unknown[0], sorted(wanted))
        report.error("translated-holes", entry.says_place, message, help)
    forms = (*tables.forms, *(tables.forms_of_words if entry.field == "words" else ()))
    for _, form in found:
        if form and form not in forms:
            message = f"there is no form `{form}`; there is {quoted_list(list(forms))}"
            report.error("translated-holes", entry.says_place, message)
