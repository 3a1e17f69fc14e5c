"""Pages out of templates: everything that is put in is made safe to show, then escaped.

Nothing of a pack is read as a template.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment

from ruleloom.api.version import version_text
from ruleloom.compiler.lint.cited_clauses import Ledger, told
from ruleloom.compiler.packs.content import Content, Pack
from ruleloom.compiler.pipeline import collector_resting
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.output.html import templates_in
from ruleloom.reference import word_rows
from ruleloom.reference.case_guide import guide_of, statements_of
from ruleloom.reference.entries import Entry, entries_of
from ruleloom.reference.gathered import Gathered
from ruleloom.reference.names import (
    PageRow,
    anchor_of,
    item_link,
    link_to,
    page_of_kind,
    spelled_out,
)
from ruleloom.reference.prompt_names import PromptEntry, prompts_of
from ruleloom.reference.word_rows import KindEntry, kinds_of
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.safe_text import safe_text

TEMPLATES = Path(__file__).resolve().parent / "templates"


def page(template: str, **values: Any) -> str:
    """The text of one page, or of another file of the site."""
    return _environment().get_template(f"{template}.j2").render(values)


@cache
def _environment() -> Environment:
    made = templates_in(TEMPLATES)
    made.finalize = _safe
    shared = (anchor_of, link_to, item_link, spelled_out, page_of_kind)
    made.globals |= {one.__name__: one for one in shared}
    return made


def _safe(value: object) -> object:
    """A printed value without signs that would deceive the eye; markup is of our own."""
    if not isinstance(value, str) or hasattr(value, "__html__"):
        return value
    return "\n".join(map(safe_text, value.split("\n")))


LONGEST_SNIPPET = 160
# Kinds whose names come first in search, and in the menu among what people play with.
RULES = ("power", "flow", "trigger", "rule", "requirement", "fusion", "way", "lasting", "standing")
NUMBERS = ("stat", "measure", "table", "bonus", "keyword", "tag", "setting", "switch")


@dataclass(frozen=True, slots=True)
class PageLink:
    """A page as the menu shows it."""

    file: str
    title: str
    about: str = ""
    count: int = 0


class Site(NamedTuple):
    """The title and the menu of all pages, and what each pack is."""

    title: str
    packs: Sequence[PageRow]
    menu: Sequence[tuple[str, Sequence[PageLink]]]
    made_by: str


@collector_resting()
def site_of(content: Content, program: Program) -> Mapping[str, str]:
    """Every file of the site, by name."""
    made = Gathered(content, program)
    entries = entries_of(made)
    kinds = kinds_of(made)
    prompts = prompts_of(made)
    about = [_about(pack, entries, pack is not content.packs[0]) for pack in content.packs]
    title = " with ".join(dict.fromkeys(one["title"] for one in about))
    packs = ", ".join(f"{pack.id} {pack.version}" for pack in content.packs)
    made_by = f"Made by {version_text()} from {packs}."
    site = Site(title, about, list(_menu(made, entries, kinds)), made_by)
    files = {"style.css": page("style.css"), "search.js": page("search.js")}
    files |= dict(_pages(made, site, entries, kinds, prompts))
    rows = list(_index(made, entries, kinds, prompts))
    found = json.dumps(rows, separators=(",", ":")).replace("</", "<\\/")
    files["index.js"] = f"window.referenceIndex = {found};\n"
    return files


def _pages(
    made: Gathered,
    site: Site,
    entries: Mapping[str, Sequence[Entry]],
    kinds: Sequence[KindEntry],
    prompts: Sequence[PromptEntry],
) -> Iterator[tuple[str, str]]:
    """All pages, by file."""
    rows: Mapping[str, Mapping[str, Any]] = {
        "index": {},
        "events": {
            "moments": word_rows.events_of(made, moments=True),
            "operations": word_rows.events_of(made, moments=False),
            "others": word_rows.other_events(made),
            "rolls": word_rows.rolls_of(made),
            "menus": word_rows.menus_of(made),
        },
        "words": {
            "enums": made.symbols.enums,
            "things": word_rows.things_of(made),
            "zones": list(word_rows.zones_of(made)),
            "variables": word_rows.variables_of(made),
            "queries": word_rows.queries_of(made),
        },
        "prompts": {"prompts": prompts},
        "kinds": {"kinds": kinds},
        "numbers": {"numbers": list(word_rows.numbers_of(made, entries))},
        "settings": {"settings": list(word_rows.settings_of(made))},
        "clauses": {"clauses": _clauses(made)},
        "effects": {
            "statements": statements_of(made),
            "powers": "power" in entries,
            "keywords": "keyword" in entries,
        },
        "cases": {"guide": guide_of(made), "files": made.files},
    }
    titles = {one.file: one.title for _, pages in site.menu for one in pages}
    for name, values in rows.items():
        file = f"{name}.html"
        yield file, page(file, site=site, file=file, title=titles.get(file, "Overview"), **values)
    abouts = {kind.name: kind.about for kind in kinds}
    for kind, of_it in entries.items():
        file = page_of_kind(kind)
        values = {"kind": kind, "entries": of_it, "about": abouts.get(kind, "")}
        yield file, page("items.html", site=site, file=file, title=_title(made, kind), **values)
    for one in made.files:
        values = {"cases": one.cases, "about": one.about, "path": f"{one.pack}/{one.path}"}
        yield one.page, page("case_file.html", site=site, file=one.page, title=one.path, **values)


def _menu(
    made: Gathered, entries: Mapping[str, Sequence[Entry]], kinds: Sequence[KindEntry]
) -> Iterator[tuple[str, Sequence[PageLink]]]:
    abouts = {kind.name: kind.about for kind in kinds}
    own = [kind for kind in entries if kind not in (*RULES, *NUMBERS)]

    def pages(of: Iterable[str]) -> tuple[PageLink, ...]:
        shown = (kind for kind in of if kind in entries)
        return tuple(
            PageLink(page_of_kind(one), _title(made, one), abouts.get(one, ""), len(entries[one]))
            for one in shown
        )

    yield ("What is in play", pages(own))
    yield ("Rules", pages(RULES))
    values = (
        PageLink("numbers.html", "All numbers", "What each is, and what changes it."),
        PageLink("settings.html", "What can be set", "Settings and switches, with what holds now."),
    )
    yield ("Numbers and settings", (*values, *pages(NUMBERS)))
    yield (
        "To write for it",
        (
            PageLink("cases.html", "How to write a case", "Keys, steps and claims, with examples."),
            PageLink("kinds.html", "Kinds and fields", "What an item of each kind is made of."),
            PageLink("effects.html", "Effect text", "How what items do is written."),
            PageLink("events.html", "Where to hook in", "Moments, rolls, menus and operations."),
            PageLink("prompts.html", "Prompts", "What is asked, by the names that cases use."),
            PageLink("words.html", "Words", "Values, things and their fields, zones, questions."),
            PageLink("clauses.html", "Clauses", "What carries out and proves each."),
        ),
    )
    files = (PageLink(one.page, one.path, one.about, len(one.cases)) for one in made.files)
    yield ("Scenarios", tuple(files))


def _title(made: Gathered, kind: str) -> str:
    """The title of the page of a kind: an NPC is written as the game writes it."""
    symbols = made.symbols
    noun = symbols.nouns.get(symbols.kinds.get(kind, ""), ("", ""))[0]
    name = noun if noun.lower() == kind else kind
    return name[:1].upper() + name[1:].replace("-", " ")


def _about(pack: Pack, entries: Mapping[str, Sequence[Entry]], on_top: bool) -> PageRow:
    """The title, version and text of a pack, and its items if it lies on top."""
    title, text = (str(pack.manifest.data(name) or "") for name in ("title", "about"))
    brought = [one for many in entries.values() for one in many if one.item.pack == pack.id]
    title, brought = title or pack.id, brought if on_top else []
    return {"title": title, "version": pack.version, "text": text, "entries": brought}


def _clauses(made: Gathered) -> list[tuple[str, str, Sequence[Any], Sequence[Any]]]:
    """Each clause with what it says, the items that carry it out, and the cases that prove it."""
    items, cases = made.items_of_clause, made.cases_of_clause
    ledger = Ledger(made.content).clauses
    names = sorted({*items, *cases, *ledger})
    texts = {name: told(one) for name, one in ledger.items()}
    return [(name, texts.get(name, ""), items.get(name, ()), cases.get(name, ())) for name in names]


def _index(
    made: Gathered,
    entries: Mapping[str, Sequence[Entry]],
    kinds: Sequence[KindEntry],
    prompts: Sequence[PromptEntry],
) -> Iterator[tuple[str, str, str, str]]:
    """The entries of search: a name, its sort, its link, and the beginning of its text."""
    for kind, of_it in entries.items():
        for one in of_it:
            text = one.card or one.full
            yield _found(one.title, kind.replace("-", " "), one.href, text)
    yield from _vocabulary_index(made.symbols)
    for known in kinds:
        yield _found(known.name, "kind", link_to("kind", known.name), known.about)
    for prompt in prompts:
        words = next((asking.words for asking in prompt.askings if asking.words), "")
        yield _found(prompt.name, "prompt", link_to("prompt", prompt.name), words)


def _vocabulary_index(symbols: Symbols) -> Iterator[tuple[str, str, str, str]]:
    """The entries of search for the vocabulary."""
    for event in symbols.operations.values():
        yield _found(event.name, event.kind, link_to("operation", event.name), event.english)
    for value, enum in symbols.values.items():
        yield _found(value, f"value of {enum}", link_to("value", value))
    for sort, names in (("type", (*symbols.enums, *symbols.entities)), ("zone", symbols.zones)):
        for name in names:
            yield _found(name, sort, link_to(sort, name))
    for name, owners in symbols.fields.items():
        for entity in owners:
            yield _found(name, f"field of {entity}", link_to("field", f"{entity}.{name}"))


def _found(name: str, sort: str, href: str, text: str = "") -> tuple[str, str, str, str]:
    line = " ".join(text.split())
    short = line if len(line) <= LONGEST_SNIPPET else f"{line[: LONGEST_SNIPPET - 3]}..."
    return safe_text(name), sort, href, safe_text(short)
