"""The parts of the rulebook: sections on items (steps of flows and powers, catalogues), definitions of
the rules, terms and numbers that texts use, and the things of the game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ruleloom.compiler.analysis.game_texts import (
    LIFTED,
    GameTexts,
    StepLine,
    Things,
    always_true,
    demands,
    readings,
    settings,
    tables,
    unmarked,
)
from ruleloom.compiler.packs.content import Item
from ruleloom.reference.rulebook.document import (
    Block,
    CatalogueEntry,
    Definition,
    Definitions,
    Detail,
    Entries,
    Grid,
    Part,
    Prose,
    Steps,
    Terms,
)
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.texts import with_settings

# The kinds of items explained by a definition, not by steps.
DEFINED = ("measure", "stat", "rule", "table")
# The width in characters below which a table is laid out as two rows.
WIDE = 60
# The defined term, before its meaning.
HEAD = re.compile(r".+?(?=: | if |[.])")
IN_FORCE = "Where a rule can be read in several ways, this book follows the first of them."
TO_AGREE = "These numbers can be changed, within the bounds given."
SOFT_RULES = "These hold wherever a text does not say that they are ignored."


def anchor_of(item: Item) -> str:
    """The anchor of an item, in any chapter."""
    return f"{item.kind}-{item.name}" if item.id.count(":") else item.name


def doing(texts: GameTexts, item: Item) -> Iterator[Block]:
    """The blocks of an item's effect: its summary if the heading is shorter, standing rules, steps."""
    remark = texts.remark(item)
    if remark:
        yield Prose(remark, soft=True)
    yield from _steps(texts, item)


def _steps(texts: GameTexts, item: Item) -> Iterator[Block]:
    told = texts.text_of(item)
    for line in told.passive:
        yield Prose(line.text)
        if line.inner:
            yield Steps(line.inner, numbered=False)
    if told.options:
        yield Prose(told.options, soft=True)
    if len(told.steps) == 1:
        only = told.steps[0]
        yield Prose(only.text)
        if only.inner:
            yield Steps(only.inner)
    elif told.steps:
        yield Steps(told.steps)


def section(texts: GameTexts, id: str, below: Sequence[str]) -> Part:
    """The section of a power, with a subsection for each of the powers `below` it."""
    item = texts.items[id]
    inner = tuple(section(texts, one, ()) for one in below)
    blocks = tuple(doing(texts, item))
    return Part(texts.heading(item), anchor_of(item), blocks, inner, texts.source(item))


def catalogue(texts: GameTexts, within: Mapping[str, Sequence[str]], kind: str) -> Entries:
    """The catalogue of a kind's items, each with powers that it alone uses (`within`)."""
    items = texts.content.by_kind(kind)
    return Entries([_entry(texts, item, within.get(item.id, ())) for item in items])


def _entry(texts: GameTexts, item: Item, below: Sequence[str] = ()) -> CatalogueEntry:
    text, facts = item.data("text"), texts.book.printed.fields(item)
    printed = " ".join(text.split()) if isinstance(text, str) else ""
    printed = with_settings(printed, texts.book.settings)
    blocks: list[Block] = [*([Prose(printed)] if printed else []), *_steps(texts, item)]
    for one in (texts.items[id] for id in below):
        blocks.append(Detail(texts.heading(one), anchor_of(one), tuple(doing(texts, one))))
    return CatalogueEntry(texts.heading(item), anchor_of(item), facts, blocks, texts.source(item))


def _listed(lines: Iterable[str]) -> Steps:
    return Steps([StepLine(line) for line in lines], numbered=False)


def endings(texts: GameTexts) -> Iterator[Block]:
    """The list of endings; no blocks if no text ends the game."""
    found = texts.endings()
    if found:
        yield Prose("The game ends in one of these ways:")
        yield _listed(found)


def things_part(texts: GameTexts, program: Program) -> Part:
    """The chapter on things, zones and variables."""
    things = Things(texts, program)
    numbers = things.numbers()
    sections = (
        ("The things", "things", things.things()),
        ("Where they lie", "zones", things.zones()),
        ("What to keep in mind", "scope", things.variables()),
    )
    parts = []
    for title, anchor, rows in sections:
        terms = tuple(rows)
        blocks: list[Block] = [Terms(terms)] if terms else []
        if anchor == "things" and numbers:
            blocks.insert(0, Prose(numbers))
        parts += [Part(title, anchor, blocks)] if blocks else []
    return Part("What there is", "what-there-is", (), parts)


def variants_part(texts: GameTexts) -> Iterator[Part]:
    """The chapter on readings of rules and on settings, if any."""
    switches = [
        Definition(anchor_of(one.item), one.head, one.text, one.source) for one in readings(texts)
    ]
    rows = settings(texts)
    parts = [*_defined("Other readings of the rules", "readings", switches, Prose(IN_FORCE))]
    if rows:
        grid = Grid(("", "here", "from", "to"), rows)
        parts.append(Part("Numbers to agree on", "settings", (Prose(TO_AGREE, soft=True), grid)))
    if parts:
        yield Part("Variants", "variants", (), parts)


def rules_part(texts: GameTexts, known: set[str]) -> Iterator[Part]:
    """The chapter on standing rules, triggers and soft rules, if any."""
    by_kind = texts.content.by_kind
    lists = (
        ("At all times", "at-all-times", map(StepLine, always_true(texts))),
        ("What is always so", "standing", _of_kind(texts, "standing")),
        ("What happens by itself", "by-itself", _of_kind(texts, "trigger")),
    )
    parts = [
        Part(title, anchor, (Steps(lines, numbered=False),))
        for title, anchor, found in lists
        if (lines := [*found])
    ]
    lasting = [
        _entry(texts, item)._replace(facts="")
        for item in by_kind("lasting")
        if texts.text_of(item).passive
    ]
    parts += [Part("Effects that last", "lasting", (Entries(lasting),))] if lasting else []
    keywords = [
        _headed(texts, item, line.text)
        for item in by_kind("keyword")
        for line in texts.text_of(item).passive[:1]
    ]
    rules = [_definition(texts, item) for item in by_kind("rule") if item.id in known]
    in_short = Prose("Items say these in short.", soft=True)
    parts += _defined("Keywords", "keywords", keywords, in_short)
    soft = Prose(SOFT_RULES, soft=True)
    parts += _defined("Rules that cards may lift", "soft-rules", rules, soft)
    if parts:
        yield Part("Rules and limits", "rules", (), parts)


def _of_kind(texts: GameTexts, kind: str) -> Iterator[StepLine]:
    """The lines of all items of a kind, each with its source."""
    for item in texts.content.by_kind(kind):
        told, source = texts.text_of(item), texts.source(item)
        for line in (*told.passive, *told.steps):
            yield replace(line, text=f"{line.text} ({source})") if source else line


def _defined(
    title: str, anchor: str, entries: Sequence[Definition], *about: Prose
) -> Iterator[Part]:
    """A part of definitions, if there are any."""
    if entries:
        yield Part(title, anchor, (*about, Definitions(entries)))


def _definition(texts: GameTexts, item: Item) -> Definition:
    return _headed(texts, item, texts.declaration(item).replace(LIFTED, ""))


def _headed(texts: GameTexts, item: Item, text: str) -> Definition:
    """The definition in a sentence about an item, split into its term and its meaning."""
    found = HEAD.match(text)
    head = found[0] if found is not None else ""
    return Definition(anchor_of(item), head, text[len(head) :], texts.source(item))


def terms_part(texts: GameTexts, kind: str, title: str, known: set[str]) -> Iterator[Part]:
    """The chapter that defines `known` items of a kind, unless it only repeats their names."""
    entries = []
    for item in texts.content.by_kind(kind):
        text = unmarked(texts.declaration(item)) if item.id in known else ""
        if ": " in text or " if " in text or "Under the present settings" in text:
            entries.append(_definition(texts, item))
    yield from _defined(title, f"all-{kind}", entries)


def tables_part(texts: GameTexts) -> Iterator[Part]:
    """The chapter of tables."""
    parts = []
    for item, title, rows in tables(texts):
        grid = Grid((), rows)
        if sum(max(map(len, row)) for row in rows) < WIDE:
            keys, values = zip(*rows, strict=True)
            grid = Grid(keys, (values,), plain=True)
        parts.append(Part(title, anchor_of(item), (grid,), (), texts.source(item)))
    if parts:
        yield Part("Tables", "tables", (), parts)


def demands_part(texts: GameTexts) -> Iterator[Part]:
    """The chapter on requirements, which the compiler checks, if any."""
    blocks: list[Block] = []
    for head, lines in demands(texts).items():
        blocks += [Prose(f"{head}:"), _listed(lines)]
    if blocks:
        yield Part("What is not allowed", "requirements", blocks)
