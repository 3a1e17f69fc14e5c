"""Rules, and what the words and numbers of the texts mean: those that a reader meets somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ruleloom.compiler.english.word import capital, constant, sentence, spaced
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.templates import HOLE
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.reference.rulebook.document import (
    Block,
    CatalogueEntry,
    Definition,
    Definitions,
    Entries,
    Grid,
    Part,
    Prose,
    Steps,
)
from ruleloom.reference.rulebook.marks import unmarked
from ruleloom.reference.rulebook.sections import anchor_of, doing
from ruleloom.reference.rulebook.telling import Telling, ToldLine

# The kinds of what is explained where it is not done.
DEFINED = ("measure", "stat", "rule", "table")
# The most signs of keys and values that lie side by side.
WIDE = 60
NEVER = "such that this is never so"
LIFTED = " This rule can be lifted."
# The words that are explained, before what they mean.
_HEAD = re.compile(r".+?(?=: | if |[.])")
_DEMAND = re.compile(r"(.*?)\. .*?: “(.*)”", re.DOTALL)


def mentioned(telling: Telling, told: Iterable[str]) -> set[str]:
    """The ids of all numbers and rules that texts speak of, or the words for these in turn."""
    waiting = [id for text in told for id in telling.marks.ids(text)]
    found: set[str] = set()
    for id in waiting:
        item = telling.items.get(id)
        if id not in found and item is not None and item.kind in DEFINED:
            found.add(id)
            # The list grows while it is gone through.
            waiting += telling.marks.ids(telling.declaration(item))
    return found


def rules_part(telling: Telling, known: set[str]) -> Part | None:
    """What holds at all times, what happens by itself, and what may be lifted."""
    content = telling.content
    always = (
        ToldLine(sentence(str(one["english"])))
        for item in content.by_kind("vocabulary")
        for one in item.data("always") or ()
        if one.get("english")
    )
    parts = [
        _listed("At all times", "at-all-times", always),
        _listed("What is always so", "standing", _of_kind(telling, "standing")),
        _listed("What happens by itself", "by-itself", _of_kind(telling, "trigger")),
        _of_lasting(telling),
        _of_keywords(telling),
        _of_rules(telling, known),
    ]
    found = tuple(part for part in parts if part is not None)
    return Part("Rules and limits", "rules", (), found) if found else None


def _listed(title: str, anchor: str, lines: Iterable[ToldLine]) -> Part | None:
    found = tuple(lines)
    return Part(title, anchor, (Steps(found, numbered=False),)) if found else None


def _of_kind(telling: Telling, kind: str) -> Iterator[ToldLine]:
    """What the items of a kind do, each with who brought it."""
    for item in telling.content.by_kind(kind):
        told = telling.told(item)
        source = telling.source(item)
        for line in (*told.passive, *told.steps):
            yield replace(line, text=f"{line.text} ({source})") if source else line


def _of_lasting(telling: Telling) -> Part | None:
    """The effects that last, under the names by which texts begin and end them."""
    entries = tuple(
        CatalogueEntry(
            telling.heading(item),
            anchor_of(item),
            "",
            tuple(doing(telling, item)),
            telling.source(item),
        )
        for item in telling.content.by_kind("lasting")
        if telling.told(item).passive
    )
    return Part("Effects that last", "lasting", (Entries(entries),)) if entries else None


def _of_keywords(telling: Telling) -> Part | None:
    """What stands in short on items that have it."""
    entries = tuple(
        _headed(anchor_of(item), line.text, telling.source(item))
        for item in telling.content.by_kind("keyword")
        for line in telling.told(item).passive[:1]
    )
    said = Prose("Items say these in short.", soft=True)
    return Part("Keywords", "keywords", (said, Definitions(entries))) if entries else None


def _of_rules(telling: Telling, known: set[str]) -> Part | None:
    items = [item for item in telling.content.by_kind("rule") if item.id in known]
    entries = tuple(_definition(telling, item) for item in items)
    said = Prose("These hold wherever a text does not say that they are ignored.", soft=True)
    return (
        Part("Rules that cards may lift", "soft-rules", (said, Definitions(entries)))
        if entries
        else None
    )


def _definition(telling: Telling, item: Item) -> Definition:
    text = telling.declaration(item).replace(LIFTED, "")
    return _headed(anchor_of(item), text, telling.source(item))


def _headed(anchor: str, text: str, source: str) -> Definition:
    """A sentence parted into the words it explains, and what these mean."""
    found = _HEAD.match(text)
    head = found[0] if found is not None else ""
    return Definition(anchor, head, text[len(head) :], source)


def terms_part(telling: Telling, kind: str, title: str, known: set[str]) -> Part | None:
    """What is meant by the words, or where the numbers come from, that stand in the texts."""
    items = [item for item in telling.content.by_kind(kind) if item.id in known]
    entries = tuple(_definition(telling, item) for item in items if _says_more(telling, item))
    return Part(title, f"all-{kind}", (Definitions(entries),)) if entries else None


def _says_more(telling: Telling, item: Item) -> bool:
    text = unmarked(telling.declaration(item))
    return ": " in text or " if " in text or "Under the present settings" in text


def tables_part(telling: Telling) -> Part | None:
    """Every table as a table."""
    tables = (_table(telling, item) for item in telling.content.by_kind("table"))
    parts = tuple(part for part in tables if part is not None)
    return Part("Tables", "tables", (), parts) if parts else None


def _table(telling: Telling, item: Item) -> Part | None:
    """A table; none if it only says everything again."""
    rows = [(_key(key), _told(node)) for key, node in item.fields["rows"].entries.items()]
    if "otherwise" in item.fields:
        rows.append(("any other", _told(item.fields["otherwise"])))
    if all(key == value for key, value in rows):
        return None
    title = capital(HOLE.sub("…", str(item.data("english") or spaced(item.slug))))
    grid = Grid((), tuple(rows))
    if sum(max(map(len, row)) for row in rows) < WIDE:
        grid = Grid(tuple(key for key, _ in rows), (tuple(value for _, value in rows),), plain=True)
    return Part(title, anchor_of(item), (grid,), (), telling.source(item))


def _key(written: str) -> str:
    return spaced(written) if written.islower() else written


def _told(node: YamlNode) -> str:
    said = constant(node.value)
    return spaced(said) if "_" in said else said


def demands_part(telling: Telling) -> Part | None:
    """What is held against content before anybody plays: what must not be so of whom."""
    grouped: dict[str, list[ToldLine]] = {}
    for item in telling.content.by_kind("requirement"):
        found = _DEMAND.match(telling.declaration(item))
        if found is not None and NEVER not in found[1]:
            said = re.sub(r"`([^`]*)`", lambda name: f"“{spaced(name[1])}”", found[2])
            grouped.setdefault(found[1], []).append(ToldLine(capital(said)))
    blocks: list[Block] = []
    for head, lines in grouped.items():
        blocks += [Prose(f"{_refused(head)}:"), Steps(tuple(lines), numbered=False)]
    return Part("What is not allowed", "requirements", tuple(blocks)) if blocks else None


def _refused(head: str) -> str:
    """`Every ethos must meet this` as the head of what is wrong with one that does not."""
    for verb, said in (
        (" must meet this", "None of this may be so of {}"),
        (" should meet this", "This is as a rule a mistake in {}"),
        (" usually meets this", "This is unusual in {}"),
    ):
        if head.endswith(verb):
            return said.format(head.removesuffix(verb).replace("Every ", "any ", 1))
    return head


def all_told(telling: Telling) -> Iterator[str]:
    """Every text that stands somewhere in the document, definitions apart."""
    for item in telling.content.items:
        told = telling.told(item)
        for line in (*told.passive, *told.steps):
            yield from line.all()
        if item.kind == "requirement":
            yield telling.declaration(item)
