"""Where the site of a game speaks of a name: the page and the anchor, from the name alone.

An item stands on the page of its kind, at an anchor that is its whole id; all else that has a name
stands on the page of its sort, at `SORT-NAME`. So links from outside last as long as the ids do,
and whoever wants to link to a name need not have built the site.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from ruleloom.compiler.analysis.words import call_text
from ruleloom.compiler.packs.content import KINDS_WITHOUT_ID, Content
from ruleloom.compiler.resolve.name_uses import Meaning
from ruleloom.compiler.resolve.symbols import Signature, Symbols
from ruleloom.compiler.yaml.node import written
from ruleloom.runtime.program.program import Program

# The page that tells of each sort of name.
PAGES: Final = {
    "operation": "events",
    "event": "events",
    "roll": "events",
    "menu": "events",
    "type": "words",
    "value": "words",
    "field": "words",
    "query": "words",
    "zone": "words",
    "variable": "words",
    "kind": "kinds",
    "prompt": "prompts",
    "clause": "clauses",
    "given": "cases",
    "step": "cases",
    "claim": "cases",
    "statement": "effects",
}
# What may stand in an anchor and in a link alike; any other sign is written by its number.
PLAIN = re.compile(r"[^A-Za-z0-9:/._-]")
# The same for the name of a file: small letters, as some disks hold `A` and `a` to be one.
PLAIN_IN_FILES = re.compile(r"[^a-z0-9.-]")


def spelled_out(text: str, strange: re.Pattern[str] = PLAIN) -> str:
    """A text as it stands in an anchor, other signs by their numbers."""
    return strange.sub(lambda sign: f"_{ord(sign[0]):x}", text)


def anchor_of(sort: str, name: str) -> str:
    """The anchor of a name within its page."""
    return f"{sort}-{spelled_out(name)}"


def link_to(sort: str, name: str) -> str:
    """The page and the anchor of a name that is no item."""
    return f"{PAGES[sort]}.html#{anchor_of(sort, name)}"


def page_of_kind(kind: str) -> str:
    """The page with all items of a kind."""
    return f"kind-{kind}.html"


def item_link(id: str) -> str:
    """The page and the anchor of an item, by its id `pack:kind/name`."""
    return f"{page_of_kind(id.partition(':')[2].partition('/')[0])}#{spelled_out(id)}"


CLAUSE = ":clause/"
# Under which sort the site knows what is no item.
SORTS = {"moment": "operation", "enum": "type"} | {
    sort: sort
    for sort in ("operation", "query", "type", "value", "field", "zone", "variable", "kind")
}


def link_of(meaning: Meaning) -> str:
    """The page and the anchor of what a name means; empty for what has none, such as a variable of a
    text."""
    name, sort = meaning.name, SORTS.get(meaning.table, "")
    if meaning.table == "item":
        is_clause = CLAUSE in name
        return link_to("clause", name.partition(CLAUSE)[2]) if is_clause else item_link(name)
    if sort == "field":  # the site knows it by the thing that has it
        return link_to(sort, name) if "." in name else ""
    return link_to(sort, name.rpartition(".")[2]) if sort else ""


def page_of_cases(pack: str, path: str) -> str:
    """The page with the cases of one file of a pack."""
    parts = [spelled_out(part, PLAIN_IN_FILES) for part in (pack, *path.split("/"))]
    return f"cases-{'~'.join(parts)}.html"


def case_link(pack: str, path: str, id: str) -> str:
    """The page and the anchor of a case."""
    return f"{page_of_cases(pack, path)}#{anchor_of('case', id)}"


NOT_ITEMS = frozenset({*KINDS_WITHOUT_ID, "pack", "clause"})  # clauses have a page of their own
# Told apart in this order: a comment, words in quotes, a field with prose, the id of an item, and a
# word with what says that it is used or called.
TOKEN = re.compile(
    r"""(?<!\S)\#[^\n]*
    |"[^"\n]*"
    |\b(?:title|text|english|gloss|note|why|reason):\ *[^",{}\n]*
    |(?P<id>[a-z][a-z0-9_-]*:[a-z-]+/[A-Za-z0-9_-]+)
    |(?P<use>\buse\s+)?(?P<word>(?<![\w.\#-])[A-Za-z][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*)(?P<call>\()?
    """,
    re.VERBOSE,
)


class Piece(NamedTuple):
    """A stretch of text, and what it links to, if anything."""

    text: str
    href: str = ""


PageRow = Mapping[str, Any]
"""A row as only the template of its page reads it."""


class KnownNames:
    """The links of all names of a game."""

    def __init__(self, content: Content, symbols: Symbols, program: Program | None = None) -> None:
        self.items = {item.id: item for item in content.items if item.kind not in NOT_ITEMS}
        self._symbols = symbols
        calls = {name: _place(one) for name, one in symbols.callables.items()}
        operations = {name: link_to("operation", name) for name in symbols.operations}
        self.powers = {name: _place(one) for name, one in symbols.powers.items()}
        self.powers |= {item.slug: item_link(item.id) for item in content.by_kind("flow")}
        self.called = _first(
            operations.items(),
            calls.items(),
            ((name, _place(one)) for name, one in symbols.keywords.items()),
            self._of_kinds("lasting"),
            _places("event", symbols.events),
            self.powers.items(),
            self._fields(),
        )
        self.plain = _first(
            _places("value", symbols.values),
            self._records(content, program),
            _places("variable", symbols.scope),
            _places("zone", symbols.zones),
            self._of_kinds("setting", "switch", "tag", "bonus"),
            _places("type", (*symbols.enums, *symbols.entities)),
            operations.items(),
            calls.items(),
        )

    def _fields(self) -> Iterator[tuple[str, str]]:
        for name, owners in self._symbols.fields.items():
            yield name, link_to("field", f"{next(iter(owners))}.{name}")

    def _records(self, content: Content, program: Program | None) -> Iterator[tuple[str, str]]:
        """The things that items make, under their own names and those that effect text gives them."""
        kinds = self._symbols.kinds
        made = {content.origin(one.place): one for one in self.items.values() if one.kind in kinds}
        for entity in program.entities if program is not None else ():
            for name, origin in zip(entity.names, entity.places, strict=False):
                if item := made.get(origin):
                    yield name, item_link(item.id)
        for item in made.values():
            yield from ((item.name, item_link(item.id)), (item.slug, item_link(item.id)))

    def _of_kinds(self, *kinds: str) -> Iterator[tuple[str, str]]:
        items = (one for one in self.items.values() if one.kind in kinds)
        return ((name, item_link(one.id)) for one in items for name in (one.slug, one.name))

    def pieces(self, text: str) -> list[Piece]:
        """A text with its names linked."""
        found: list[Piece] = []
        begun = 0
        for token in TOKEN.finditer(text):
            href, start, end = self._token(token)
            if href:
                found += [Piece(text[begun:start])] if start > begun else []
                found.append(Piece(text[start:end], href))
                begun = end
        return [*found, Piece(text[begun:])] if begun < len(text) else found

    def _token(self, token: re.Match[str]) -> tuple[str, int, int]:
        """The place of what a token names, and where that name stands."""
        if token["id"]:
            href = item_link(token["id"]) if token["id"] in self.items else ""
            return href, *token.span("id")
        word = token["word"]
        if not word:
            return "", 0, 0
        if token["use"]:
            href = self.powers.get(word, "")
        elif token["call"]:
            href = self.called.get(word, "")
        else:
            href = self.plain.get(word, "")
        return href, *token.span("word")

    def typed(self, text: str) -> list[Piece]:
        """A text about types, with those of the game linked and nothing else."""
        types = (*self._symbols.enums, *self._symbols.entities)
        known = {name: link_to("type", name) for name in types}
        parts = re.split(r"([A-Za-z][A-Za-z0-9]*)", text)
        return [Piece(part, known.get(part, "")) for part in parts if part]

    def signature(self, one: Signature) -> list[Piece]:
        """How a call is written, with what it gives: its name and its types are linked."""
        whole = call_text(one)
        href = self.powers.get(one.name) if one.kind == "power" else self.called.get(one.name)
        return [Piece(one.name, href or ""), *self.typed(whole[len(one.name) :])]

    def value(self, data: Any) -> list[Piece]:
        """A plain value as it would be written, with its names linked."""
        return self.pieces(written(data))


def _places(sort: str, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    return ((name, link_to(sort, name)) for name in names)


def _place(one: Signature) -> str:
    """The link of a signature: its item, or its line among the queries."""
    return item_link(one.id) if ":" in one.id else link_to("query", one.name)


def _first(*groups: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    """All pairs; of the same name the first."""
    found: dict[str, str] = {}
    for group in groups:
        for name, place in group:
            found.setdefault(name, place)
    return found
