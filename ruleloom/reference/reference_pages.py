"""The site of a game: its pages by file name, with guides to cases and effect text whose examples are
short ones from the game itself.

Every value in a template is sanitized, then escaped; no text of a pack is parsed as a template.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment

from ruleloom.api.version import version_text
from ruleloom.compiler.analysis.effect_cursor import USUAL
from ruleloom.compiler.analysis.normal_form import clauses, statements
from ruleloom.compiler.analysis.words import call_text, head_text, result_text
from ruleloom.compiler.cases.case_file import ATTEMPT, BUILD, PLAYED
from ruleloom.compiler.cases.case_words import as_list
from ruleloom.compiler.packs.content import Content, Item, Pack
from ruleloom.compiler.pipeline import collector_resting
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.yaml.node import written
from ruleloom.output.printed import templates_in
from ruleloom.reference import word_rows
from ruleloom.reference.dice import dice_odds, mean_text, percent
from ruleloom.reference.entries import entries_of
from ruleloom.reference.gathered import (
    SHAPES,
    CaseEntry,
    Gathered,
    PageRow,
    anchor_of,
    item_link,
    limits,
    link_to,
    open_bounds,
    page_of_kind,
    spelled_out,
)
from ruleloom.reference.word_rows import kinds_of, prompts_of
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.program import Modal, Program, Roll
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.scenarios.notation import Notation

SCENARIOS = "scenarios.schema.json"
# The bounds for examples: short, but not trivial.
LEAST_LINES, LONGEST_VALUE = 3, 120


def guide_of(made: Gathered) -> PageRow:
    """The rows of the guide to cases."""
    cases = [case for file in made.files for case in file.cases if case.shape]
    notation = Notation(made.program)
    return {
        "game": made.program.game,
        "edition": made.program.edition,
        "shapes": list(_shapes(cases)),
        "dice": _with_dice(made, cases),
        "given": _keys(made, cases, "given", notation.given),
        "steps": list(_steps(made, notation, cases)),
        "claims": _keys(made, cases, "then", notation.then),
        "tokens": list(notation.tokens.items()),
    }


def _shapes(cases: Sequence[CaseEntry]) -> Iterator[tuple[str, CaseEntry, int]]:
    """Each shape that the game uses, with a short typical case and the number of cases."""
    for shape in SHAPES:
        of_it = [case for case in cases if case.shape == shape]
        telling = [one for one in of_it if one.raw.count("\n") >= LEAST_LINES] or of_it
        if not of_it:
            continue
        counts = Counter(chain(*map(_parts, of_it)))
        usual = {part for part, count in counts.items() if count * 3 > len(of_it)}
        best = min(telling, key=lambda one: (-len(usual & _parts(one)), len(one.raw)))
        yield shape, best, len(of_it)


def _with_dice(made: Gathered, cases: Sequence[CaseEntry]) -> CaseEntry | None:
    """The shortest case that tries effect text and answers a roll."""
    rows = (row for routine in made.program.routines for row in routine.rows)
    rolls = {row.name for row in rows if isinstance(row, Roll)}
    found = [one for one in cases if one.shape == "attempt" and rolls & _answered(one)]
    return min(found, key=lambda one: len(one.raw), default=None)


def _answered(case: CaseEntry) -> set[str]:
    """The prompts that a case answers."""
    steps = (one for one in case.case.steps or () if isinstance(one, Mapping))
    said = (one for step in steps for one in as_list(step.get("answers") or {}))
    return {str(name) for one in said if isinstance(one, Mapping) for name in one}


def _parts(case: CaseEntry) -> set[str]:
    """The keys under `given` and `then` and in the steps of a case, with their section."""
    steps = (one for one in case.case.steps or () if isinstance(one, Mapping))
    found = {f"when.{key}" for step in steps for key in step}
    found |= {f"given.{key}" for key in case.case.given} | {f"then.{key}" for key in case.case.then}
    return found


def _keys(
    made: Gathered,
    cases: Sequence[CaseEntry],
    part: str,
    own: Mapping[str, Mapping[str, Any]],
) -> list[PageRow]:
    """The keys that cases use or the game declares, most used first: the help, the number of uses and
    a short example of each."""
    described = _described(made, part, "In a case that tries effect text: " if own else "")
    used: Counter[str] = Counter(key for case in cases for key in getattr(case.case, part))
    rows = []
    for name in dict.fromkeys((*own, *used, *described)):
        values = [(case, getattr(case.case, part).get(name)) for case in cases]
        case, value = _shortest(values)
        example = made.names.pieces(f"{name}: {written(value)}") if case is not None else ()
        row = {"name": name, "used": used[name], "example": example, "of": case}
        row |= {"own": own.get(name), "help": described.get(name, "")}
        rows.append(((-used[name], name), row))
    return [row for _, row in sorted(rows, key=lambda one: one[0])]


def _described(made: Gathered, part: str, tried: str) -> Mapping[str, str]:
    """The schema's descriptions of the keys that all games share; those of played cases win."""
    store = made.content.schemas
    forms = store.files.get(SCENARIOS, {}).get("$defs", {})
    found: dict[str, str] = {}
    for form in (PLAYED, ATTEMPT, BUILD):
        keys = forms.get(form, {}).get("properties", {}).get(part, {}).get("properties", {})
        for name, said in keys.items():
            while "$ref" in said:
                _, said = store.resolve(SCENARIOS, said["$ref"])
            told = (tried if form == ATTEMPT else "") + said.get("description", "")
            found.setdefault(name, told)
    return found


def _shortest(values: Sequence[tuple[CaseEntry, Any]]) -> tuple[CaseEntry | None, Any]:
    """The case with the median of values that fit a line, else the shortest; None if empty."""
    found = [(len(written(value)), number) for number, (_, value) in enumerate(values) if value]
    if not found:
        return None, None
    # The shortest values are trivial; the median of those that fit a line is typical.
    fitting = sorted(one for one in found if one[0] <= LONGEST_VALUE) or [min(found)]
    return values[fitting[len(fitting) // 2][1]]


def _steps(made: Gathered, notation: Notation, cases: Sequence[CaseEntry]) -> Iterator[PageRow]:
    """The step forms of the game's notation: the head, the other keys with the prompts that each
    answers, and an example step."""
    for form in notation.forms.values():
        case, step = _shortest([(one, _step_of(form.key, form.word, one)) for one in cases])
        yield {
            "form": form,
            "answering": [(key, as_list(names)) for key, names in form.keys.items()],
            "example": made.names.pieces(written(step)) if case is not None else (),
        }


def _step_of(key: str, word: str, case: CaseEntry) -> Any:
    """A case's first step with a key and word."""
    for step in case.case.steps or ():
        if isinstance(step, Mapping) and key in step and word in ("*", str(step[key])):
            return step
    return None


# The minimum length of an example line; a line with open brackets continues on the next.
LEAST_SIGNS = 12
BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))


def statements_of(made: Gathered) -> Mapping[str, Sequence[PageRow]]:
    """The statements of effects and of abilities, each with its syntax and an example line, which is
    empty if the game does not use it."""
    shortest = _shortest_lines(made.items.values())
    found: dict[str, list[PageRow]] = {"effects": [], "abilities": []}
    for one in statements():
        line, item = shortest.get(one.word, ("", None))
        of = made.mention(item.id) if item is not None else None
        row = {**one._asdict(), "line": made.names.pieces(line), "of": of}
        found["abilities" if one.is_ability else "effects"].append(row)
    return found


def _shortest_lines(items: Iterable[Item]) -> dict[str, tuple[str, Item]]:
    """The shortest complete line of effect text, and its item, by first word."""
    found: dict[str, tuple[str, Item]] = {}
    for item in items:
        for line in _lines(item):
            word = line.split(" ")[0].rstrip(":")
            if word not in found or len(line) < len(found[word][0]):
                found[word] = line, item
    return found


def _lines(item: Item) -> Iterator[str]:
    for field in USUAL:
        for line in str(item.data(field) or "").splitlines():
            said = line.strip()
            whole = all(said.count(open) == said.count(shut) for open, shut in BRACKETS)
            if whole and (len(said) >= LEAST_SIGNS or said in ("stop", "else:")):
                yield said


TEMPLATES = Path(__file__).resolve().parent / "templates"


# The functions that templates call.
SHARED = {
    one.__name__: one
    for one in (
        *(anchor_of, link_to, item_link, spelled_out, page_of_kind, open_bounds, written),
        *(as_list, dice_odds, mean_text, percent),
        *(
            head_text,
            result_text,
            call_text,
            word_rows.type_of,
            word_rows.english_of,
            word_rows.asks_as,
        ),
    )
}


def page(template: str, **values: Any) -> str:
    """The rendered text of a page, or of another file."""
    return _environment().get_template(f"{template}.j2").render(values)


def plain_text(template: str, **values: Any) -> str:
    """The rendered text of a template that escapes nothing by itself, such as Markdown."""
    printing = templates_in(TEMPLATES, escape=False)
    printing.globals |= SHARED
    return printing.get_template(f"{template}.j2").render(values).rstrip("\n") + "\n"


@cache
def _environment() -> Environment:
    made = templates_in(TEMPLATES)
    made.finalize = _safe
    made.globals |= SHARED
    return made


def _safe(value: object) -> object:
    """A printed value without deceptive characters; markup is trusted."""
    if not isinstance(value, str) or hasattr(value, "__html__"):
        return value
    return "\n".join(map(safe_text, value.split("\n")))


LONGEST_SNIPPET = 160
MOST_FOUND = 40
# The kinds under the menu headings of rules and of numbers; all others count as things in play.
RULES = (
    "power",
    "random-table",
    "flow",
    "trigger",
    "rule",
    "requirement",
    "fusion",
    "way",
    "action",
    "lasting",
    "standing",
)
NUMBERS = ("stat", "measure", "table", "bonus", "keyword", "tag", "setting", "switch")


class PageLink(Frozen):
    """The menu entry of a page."""

    file: str
    title: str
    about: str = ""
    count: int = 0


class Site(NamedTuple):
    """The title and menu of all pages, and descriptions of packs."""

    title: str
    packs: Sequence[PageRow]
    menu: Sequence[tuple[str, Sequence[PageLink]]]
    made_by: str


class _SiteParts(Gathered):
    """A gathered game with rows that several pages share: its item entries, kinds and prompts."""

    def __init__(self, content: Content, program: Program) -> None:
        super().__init__(content, program)
        self.entries, self.kinds, self.prompts = entries_of(self), kinds_of(self), prompts_of(self)
        self.abouts = {kind.name: kind.about for kind in self.kinds}


@collector_resting()
def site_of(content: Content, program: Program) -> Mapping[str, str]:
    """The site's texts, by file name."""
    made = _SiteParts(content, program)
    about = [_about(made, pack) for pack in content.packs]
    title = " with ".join(dict.fromkeys(one["title"] for one in about))
    packs = ", ".join(f"{pack.id} {pack.version}" for pack in content.packs)
    made_by = f"Made by {version_text()} from {packs}."
    site = Site(title, about, list(_menu(made)), made_by)
    files = {"style.css": page("style.css"), "search.js": page("search.js")}
    files |= dict(_pages(made, site))
    rows = list(_index(made))
    found = json.dumps(rows, separators=(",", ":")).replace("</", "<\\/")
    files["index.js"] = f"window.referenceIndex = {found};\n"
    return files


def _pages(made: _SiteParts, site: Site) -> Iterator[tuple[str, str]]:
    """Pages by file name."""
    slugs = {one.slug: one for one in made.items.values() if one.kind in ("setting", "switch")}
    called = {one.id: one for one in made.symbols.callables.values()}
    rows: Mapping[str, Mapping[str, Any]] = {
        "index": {},
        "events": {
            "moments": word_rows.events_of(made, moments=True),
            "operations": word_rows.events_of(made, moments=False),
            "others": word_rows.other_events(made),
            "rolls": list(word_rows.rolls_of(made)),
            "menus": word_rows.menus_of(made),
        },
        "words": {"queries": word_rows.queries_of(made)},
        "prompts": {"prompts": made.prompts},
        "kinds": {"kinds": made.kinds},
        "numbers": {"signatures": called, "limits": limits(made.content, made.program)},
        "settings": {"items": slugs},
        "clauses": {"clauses": _clauses(made)},
        "effects": {
            "statements": statements_of(made),
            "powers": "power" in made.entries,
            "keywords": "keyword" in made.entries,
        },
        "cases": {"guide": guide_of(made), "files": made.files},
    }
    titles = {one.file: one.title for _, pages in site.menu for one in pages}
    for name, values in rows.items():
        file = f"{name}.html"
        values = {"made": made, "title": titles.get(file, "Overview"), **values}
        yield file, page(file, site=site, file=file, **values)
    for kind, of_it in made.entries.items():
        file = page_of_kind(kind)
        values = {"made": made, "kind": kind, "entries": of_it, "about": made.abouts.get(kind, "")}
        yield file, page("items.html", site=site, file=file, title=_title(made, kind), **values)
    for one in made.files:
        values = {"cases": one.cases, "about": one.about, "path": f"{one.pack}/{one.path}"}
        yield one.page, page("case_file.html", site=site, file=one.page, title=one.path, **values)


def _menu(made: _SiteParts) -> Iterator[tuple[str, Sequence[PageLink]]]:
    entries, abouts = made.entries, made.abouts
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
    """The title of a kind's page, with the game's own capitals, as in NPC."""
    symbols = made.symbols
    noun = symbols.nouns.get(symbols.kinds.get(kind, ""), ("", ""))[0]
    name = noun if noun.lower() == kind else kind
    return name[:1].upper() + name[1:].replace("-", " ")


def _about(made: _SiteParts, pack: Pack) -> PageRow:
    """The title, version and text of a pack, and its items if not the first."""
    title, text = (str(pack.manifest.data(name) or "") for name in ("title", "about"))
    of_it = (one for many in made.entries.values() for one in many if one.item.pack == pack.id)
    brought = [] if pack is made.content.packs[0] else [*of_it]
    return {"title": title or pack.id, "version": pack.version, "text": text, "entries": brought}


def _clauses(made: Gathered) -> list[tuple[str, str, Sequence[Any], Sequence[Any]]]:
    """Each clause with its text, the items that implement it, and the cases that prove it."""
    items, cases, texts = made.items_of_clause, made.cases_of_clause, clauses(made.content)
    names = sorted({*items, *cases, *texts})
    return [(name, texts.get(name, ""), items.get(name, ()), cases.get(name, ())) for name in names]


def search(content: Content, program: Program, text: str) -> list[tuple[str, str, str, str]]:
    """The search entries that have each word, those named by it first, as the site ranks them."""
    words = text.lower().split()
    found = [(_weight(row, words), row) for row in _index(_SiteParts(content, program))]
    ranked = sorted(found, key=lambda one: (-one[0], len(one[1][0])))
    return [row for weight, row in ranked if weight][:MOST_FOUND]


def _weight(row: tuple[str, str, str, str], words: Sequence[str]) -> int:
    """How well an entry fits these words, as in search.js; 0 if it lacks one."""
    name, _, href, text = row
    named, found = f"{name} {href.rpartition('#')[2]}".lower(), 0
    for word in words:
        at = named.find(word)
        if at == 0:
            found += 12 if len(named) == len(word) else 8
        elif at > 0:
            found += 3 if named[at - 1].isalnum() else 6
        elif word in text.lower():
            found += 1
        else:
            return 0
    return found


def _index(made: _SiteParts) -> Iterator[tuple[str, str, str, str]]:
    """The search entries: a name, its sort, its link, and the start of its text."""
    for kind, of_it in made.entries.items():
        for one in of_it:
            text = one.card or one.full
            yield _found(one.title, kind.replace("-", " "), one.href, text)
    yield from _vocabulary_index(made.symbols)
    for known in made.kinds:
        yield _found(known.name, "kind", link_to("kind", known.name), known.about)
    for prompt in made.prompts:
        asked = (one for _, one in prompt.askings if not isinstance(one.row, Modal))
        words = next((one.question for one in asked if one.question), "")
        yield _found(prompt.name, "prompt", link_to("prompt", prompt.name), words)


def _vocabulary_index(symbols: Symbols) -> Iterator[tuple[str, str, str, str]]:
    """The search entries of the vocabulary."""
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
