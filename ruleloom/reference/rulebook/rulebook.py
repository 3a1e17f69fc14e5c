"""The game as one document, in the order in which it is learnt, with an index at the end.

What is done stands in the order of the flows, then come rules and words, tables, the items by kind,
and what a group may decide otherwise. All of it comes from the compiled game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ruleloom.api.version import version_text
from ruleloom.compiler.english.word import count, listed
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import collector_resting
from ruleloom.reference.rulebook.definitions import (
    Catalogue,
    Things,
    all_told,
    anchor_of,
    demands_part,
    doing,
    endings,
    mentioned,
    rules_part,
    section,
    summary,
    tables_part,
    terms_part,
    variants_part,
)
from ruleloom.reference.rulebook.layout import ITEMS, BookChapter, BookPlan, laid_out
from ruleloom.reference.rulebook.telling import (
    Block,
    Definitions,
    Detail,
    Document,
    Entries,
    Part,
    Prose,
    Reference,
    Telling,
    Terms,
    TextPiece,
    numbers_of,
    pack_title,
    unmarked,
)
from ruleloom.reference.site import page
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.values import PLAYER

# Longer headings are sentences, which nobody looks up.
MOST_WORDS = 6
ARTICLE = re.compile("^(?:The|A|An) ")

Index = Sequence[tuple[str, Sequence[tuple[str, Sequence[Reference]]]]]


def index_of(parts: Iterable[Part], numbers: Mapping[str, str]) -> Index:
    """The entries by their first letters."""
    found: dict[str, dict[str, Reference]] = {}
    for words, place in _heads(parts, numbers):
        # `An Attack` stands under its second word.
        turned = ARTICLE.sub("", unmarked(words))
        turned = f"{turned[:1].upper()}{turned[1:]}" if turned != unmarked(words) else turned
        found.setdefault(turned, {})[place.anchor] = place
    letters: dict[str, list[tuple[str, Sequence[Reference]]]] = {}
    for words in sorted(found, key=str.casefold):
        first = words[:1].upper() if words[:1].isalpha() else "0–9"
        letters.setdefault(first, []).append((words, tuple(found[words].values())))
    return tuple((letter, tuple(entries)) for letter, entries in letters.items())


def _heads(parts: Iterable[Part], numbers: Mapping[str, str]) -> Iterator[tuple[str, Reference]]:
    for part in parts:
        number = numbers[part.anchor]
        if len(part.title.split()) <= MOST_WORDS:
            yield part.title, Reference(number, part.anchor)
        for block in part.blocks:
            heads = _heads_within(block, part.anchor)
            yield from ((head, Reference(number, anchor)) for head, anchor in heads)
        yield from _heads(part.parts, numbers)


def _heads_within(block: Block, anchor: str) -> list[tuple[str, str]]:
    """The words that a block explains, each with where."""
    if isinstance(block, Entries):
        return [(one.title, one.anchor) for one in block.entries if one.title]
    if isinstance(block, Terms):
        return [(word, anchor) for word, _ in block.rows]
    if isinstance(block, Definitions):
        heads = ((one.head, one.anchor) for one in block.entries)
        return [(head, place) for head, place in heads if len(head.split()) <= MOST_WORDS]
    return []


FLOWS = {"set_up": "Setting up", "turn": "What happens in turn"}


@collector_resting()
def rulebook(content: Content, program: Program) -> str:
    """The document of a compiled game; the program has to hold its texts."""
    telling = Telling(content, dict(program.texts))
    document = document_of(telling, program)
    places = places_of(telling, document)

    def pieces(text: str) -> Iterator[TextPiece]:
        for said, id in telling.marks.pieces(text):
            yield TextPiece(said, places.get(id))

    return page("rulebook.html", book=document, pieces=pieces, made_by=f"Made by {version_text()}")


def document_of(telling: Telling, program: Program) -> Document:
    """All parts of the document, with their numbers and the index."""
    content = telling.content
    layout = laid_out(telling)
    parts = tuple(_parts(telling, program, layout))
    numbers = dict(numbers_of(parts))
    title = pack_title(content, content.game)
    on_top = [pack_title(content, pack.id) for pack in content.packs if pack.id != content.game]
    sources = [f"{pack_title(content, pack.id)} {pack.version}" for pack in content.packs]
    return Document(
        f"{title} with {listed(on_top)}" if on_top else title,
        sources,
        parts,
        numbers,
        index_of(parts, numbers),
    )


def _parts(telling: Telling, program: Program, layout: BookPlan) -> Iterator[Part]:
    told = tuple(all_told(telling))
    known = mentioned(telling, told)
    abouts = (pack.manifest.data("about") for pack in telling.content.packs)
    about = [Prose(str(text)) for text in abouts if text]
    players = Prose(f"For up to {count(program.entity(PLAYER.name).most)} players.")
    yield Part("The game", "the-game", (*about, players, *endings(telling)))
    yield Things(telling, program, "\n".join(told)).part()
    catalogue = Catalogue(telling, layout.within)
    kinds = [kind for kind in telling.symbols.kinds if telling.content.by_kind(kind)]
    for chapter in layout.chapters:
        yield _chapter(telling, chapter, kinds, catalogue)
    yield from rules_part(telling, known)
    yield from terms_part(telling, "stat", "Where the numbers come from", known)
    yield from terms_part(telling, "measure", "What the words mean", known)
    yield from tables_part(telling)
    yield from demands_part(telling)
    for kind in kinds:
        yield Part(catalogue.title(kind), f"all-{kind}", (catalogue.entries(kind),))
    yield from variants_part(telling)


def _chapter(
    telling: Telling, chapter: BookChapter, kinds: Sequence[str], catalogue: Catalogue
) -> Part:
    """The chapter of a flow, of a power that brings many others with it, or of what items do."""
    sections = tuple(section(telling, *one) for one in chapter.sections)
    if chapter.head == ITEMS:
        own = [kind for kind in kinds if any(map(telling.uses, telling.content.by_kind(kind)))]
        said = listed([catalogue.title(kind).lower() for kind in own])
        return Part(f"What {said} do", "what-items-do", (), sections)
    item = telling.items.get(chapter.begins)
    blocks: list[Block] = []
    title, anchor = "", chapter.head.replace(" ", "-")
    if chapter.plan is not None:
        title = chapter.plan.title
        blocks += [Prose(chapter.plan.about)] if chapter.plan.about else []
    if item is not None:
        title = title or FLOWS.get(item.id.rpartition("/")[2], "") or telling.heading(item)
        anchor = anchor_of(item)
        blocks += (*summary(telling, item), *doing(telling, item))
    return Part(title, anchor, tuple(blocks), sections)


def places_of(telling: Telling, document: Document) -> dict[str, Reference]:
    """The references to all items that have a place of their own, by id."""
    anchors = dict(_anchors(document.parts, document.numbers))
    found = {}
    for item in telling.content.items:
        number = anchors.get(anchor_of(telling.items[telling.teller_of(item.id)]))
        if number is not None:
            found[item.id] = number
    return found


def _anchors(parts: Iterable[Part], numbers: Mapping[str, str]) -> Iterator[tuple[str, Reference]]:
    for part in parts:
        yield part.anchor, Reference(numbers[part.anchor], part.anchor)
        for block in part.blocks:
            yield from ((anchor, Reference(said, anchor)) for anchor, said in _within(block))
        yield from _anchors(part.parts, numbers)


def _within(block: Block) -> Iterator[tuple[str, str]]:
    """The anchors within a block, each with how a text refers to it."""
    match block:
        case Definitions():
            yield from ((one.anchor, "") for one in block.entries)
        case Entries():
            for entry in block.entries:
                yield entry.anchor, ""
                yield from (found for inner in entry.blocks for found in _within(inner))
        case Detail():
            yield block.anchor, "below"
