"""The texts of the items of a game, as lines with marks, the planned chapters of its packs, and the
document: parts within parts, and the blocks that each consists of.

Texts may hold marks; they become references once every part has its number.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from operator import is_not
from typing import Any, ClassVar, NamedTuple, TypeVar

from ruleloom.compiler.analysis.words import slug_of
from ruleloom.compiler.build import names_and_effects
from ruleloom.compiler.english.event_text import event_of
from ruleloom.compiler.english.page import StepLine, anything, outline
from ruleloom.compiler.english.rules_text import Book, Effects
from ruleloom.compiler.english.statement_text import render_steps
from ruleloom.compiler.english.word import capital, listed, sentence, spaced
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.pipeline import SHARED
from ruleloom.compiler.query.lookups import Table
from ruleloom.compiler.resolve.symbols import Signature, Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.values import INT

K = TypeVar("K")
Lines = tuple[StepLine, ...]
FIRST, LAST = 0xF0000, 0xFFFFD
MARK = re.compile(f"[{chr(FIRST)}-{chr(LAST)}]")


class TextMarks:
    """Marks behind the words of powers, numbers and rules, each with the id that it stands for.

    A mark is one sign of a private area of Unicode. It is set before anything is put into words, and
    so stands wherever these words come up, however the sentence bends.
    """

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}
        self._marks: dict[str, str] = {}

    def marked(self, table: Mapping[K, Signature], kinds: Container[str]) -> Table[K, Signature]:
        """The same table with a mark behind the words of each power, number or rule of these kinds."""
        return Table({key: self._marked(one, kinds) for key, one in table.items()})

    def _marked(self, callee: Signature, kinds: Container[str]) -> Signature:
        mark = self.of(callee.id) or chr(FIRST + len(self._ids))
        if callee.kind not in kinds or not callee.english or not callee.id or mark > chr(LAST):
            return callee
        self._ids[mark], self._marks[callee.id] = callee.id, mark
        return replace(callee, english=f"{unmarked(callee.english)}{mark}")

    def of(self, id: str) -> str:
        """The mark of what has this id; empty if it has none."""
        return self._marks.get(id, "")

    def pieces(self, text: str) -> Iterator[tuple[str, str]]:
        """The stretches of a text, each with the id of what is marked at its end, if anything."""
        start = 0
        for mark in MARK.finditer(text):
            yield text[start : mark.start()], self._ids.get(mark[0], "")
            start = mark.end()
        if start < len(text):
            yield text[start:], ""

    def ids(self, text: str) -> Iterator[str]:
        """The ids of what is marked in a text."""
        return (id for _, id in self.pieces(text) if id)


def unmarked(text: str) -> str:
    """A text without its marks."""
    return MARK.sub("", text)


# The kinds of actions, which can have a chapter.
ACTING = ("flow", "power", "fusion")


class PlannedChapter(NamedTuple):
    """A chapter that some pack has planned; `begins` is the flow or power whose steps it opens with,
    or empty, `tells` are those that have a section in it."""

    name: str
    title: str
    about: str
    begins: str
    tells: Sequence[str]


class Arrangement(NamedTuple):
    """The planned chapters, and the headings of sections by id."""

    chapters: Sequence[PlannedChapter]
    headings: Mapping[str, str]


def arrangement_of(content: Content) -> Arrangement:
    """The arrangement by all packs, in their order."""
    ids = {item.slug: item.id for kind in reversed(ACTING) for item in content.by_kind(kind)}
    chapters: list[PlannedChapter] = []
    headings: dict[str, str] = {}
    for pack in content.packs:
        said = pack.manifest.data("rulebook") or {}
        headings |= {ids[name]: text for name, text in _slugs(said.get("headings"), ids)}
        for one in said.get("chapters") or ():
            chapters.append(_planned(one, ids, len(chapters)))
    return Arrangement(tuple(chapters), headings)


def _planned(said: Mapping[str, Any], ids: Mapping[str, str], number: int) -> PlannedChapter:
    tells = [ids[name] for name, _ in _slugs(dict.fromkeys(said.get("tells") or (), ""), ids)]
    begins = ids.get(slug_of(said.get("begins") or ""), "")
    about = " ".join(str(said.get("about") or "").split())
    return PlannedChapter(f"chapter {number}", str(said["title"]), about, begins, tuple(tells))


def _slugs(said: Mapping[str, str] | None, ids: Mapping[str, str]) -> list[tuple[str, str]]:
    """The entries whose names are those of something that is done."""
    pairs = [(slug_of(name), str(text)) for name, text in (said or {}).items()]
    return [(name, text) for name, text in pairs if name in ids]


class Voice:
    """One rendering of all texts, with the marks that were set before."""

    def __init__(
        self,
        content: Content,
        named: tuple[Symbols, Effects],
        marks: TextMarks,
        kinds: Sequence[str],
    ) -> None:
        symbols, effects = named
        self.symbols = replace(
            symbols,
            powers=marks.marked(symbols.powers, kinds),
            fusions=marks.marked(symbols.fusions, kinds),
            callables=marks.marked(symbols.callables, kinds),
        )
        self.book = Book(content, self.symbols, effects)

    def steps(self, item: Item) -> tuple[Lines, tuple[str, ...]]:
        """The steps of an item, and the names of what they use."""
        effect = self.book.effect(item) if item.kind != "lasting" else None
        if effect is None:
            return (), ()
        teller = self.book.teller(item, full=True)
        when = event_of(item, teller) if item.kind == "trigger" else None
        if when is not None and when.never:
            return (), ()
        whole = tuple(effect)
        steps = render_steps(teller, without_bookkeeping(whole, self.symbols) or whole)
        if when is not None:
            steps = (when.step(steps),)
        return outline(steps), tuple(teller.used)

    def passive(self, item: Item) -> tuple[Lines, tuple[str, ...]]:
        """The lines of an item that hold without its use, and the names in them."""
        teller = self.book.teller(item, full=False)
        return outline(self.book.numbers.steps(item, teller), ": "), tuple(teller.used)


def without_bookkeeping(node: Any, symbols: Symbols) -> Any:
    """Syntax without the statements that only empty a variable of the game: itself where there is
    nothing to take out, as menus are known by their nodes; these stay as they are."""
    if isinstance(node, tuple):
        kept = [without_bookkeeping(one, symbols) for one in node if not _empties(one, symbols)]
        return tuple(kept) if len(kept) < len(node) or any(map(is_not, kept, node)) else node
    is_menu = isinstance(node, ast.ChooseOneStmt) and node.menu is not None
    if not isinstance(node, ast.SyntaxNode) or is_menu:
        return node
    fields = [getattr(node, field) for field in node.__match_args__]
    kept = [without_bookkeeping(field, symbols) for field in fields]
    return type(node)(*kept) if any(map(is_not, kept, fields)) else node


def _empties(node: Any, symbols: Symbols) -> bool:
    """Does a statement set a variable of the game to none, or to an empty list?"""
    match node:
        case ast.AssignStmt(
            name=ast.Name(id=name), value=ast.NoneLiteral() | ast.ListExpr(items=())
        ):
            return name in symbols.scope
    return False


# What can be referred to, by kind.
MARKED = ("power", "fusion", "measure", "stat", "rule", "table")


class Told(Frozen):
    """What an item says: what it does all the time, its steps, and the ids of the powers that these
    use, in order."""

    passive: Lines = ()
    steps: Lines = ()
    uses: tuple[str, ...] = ()
    options: str = ""


class Telling:
    """Puts the items of one game into words.

    Marks of numbers bend some sentences. So all is told twice, and where the two differ, that one
    counts which bears only the marks of powers: they stand at the end of what is done.
    """

    def __init__(self, content: Content) -> None:
        self.content = content
        self.items: Mapping[str, Item] = {item.id: item for item in content.items}
        self.marks = TextMarks()
        named = names_and_effects(content, SHARED.builds)
        self._plain = Voice(content, named, self.marks, ("power", "fusion"))
        self._full = Voice(content, named, self.marks, MARKED)
        self.symbols, self.words = self._plain.symbols, self._plain.book.words
        self.arrangement = arrangement_of(content)
        self._told: dict[str, Told] = {}
        self._declared: dict[str, str] = {}
        self._shortcuts = dict(self._echoes())

    def told(self, item: Item) -> Told:
        """The lines of an item."""
        if item.id not in self._told:
            self._told[item.id] = self._tell(item)
        return self._told[item.id]

    def _tell(self, item: Item) -> Told:
        plain, used = self._plain.steps(item)
        passive, used_then = self._plain.passive(item)
        steps = _without_echo(_merged(plain, self._full.steps(item)[0]))
        passive = _merged(passive, self._full.passive(item)[0])
        uses = dict.fromkeys(filter(None, map(self._id, (*used_then, *used))))
        return Told(passive, steps, tuple(uses), self._plain.book.options(item) if steps else "")

    def effect(self, item: Item) -> Sequence[ast.Stmt]:
        """The text of an item's effect; empty if it has none."""
        return self._plain.book.effect(item) or () if item.kind != "lasting" else ()

    def declaration(self, item: Item) -> str:
        """The paragraph of an item without an effect."""
        if item.id not in self._declared:
            both = ((StepLine(voice.book.brief(item)),) for voice in (self._plain, self._full))
            self._declared[item.id] = _merged(*both)[0].text
        return self._declared[item.id]

    def demand(self, item: Item) -> tuple[str, str]:
        """What has to meet a requirement, and the complaint about one that does not."""
        both = (voice.book.demand(item) for voice in (self._plain, self._full))
        about, said = _merged(*(tuple(map(StepLine, one)) for one in both))
        return about.text, said.text

    def printed(self, item: Item) -> str:
        """The printed fields of an item."""
        return self._plain.book.printed.fields(item)

    def source(self, item: Item) -> str:
        """Who brought an item that is not the game's own, and who has changed it."""
        content = self.content
        said = "" if item.pack == content.game else f"From {pack_title(content, item.pack)}."
        return f"{said} {self._plain.book.printed.patched(item)}".strip()

    def _id(self, name: str) -> str:
        """The id of what a text uses, which it calls by its name, or a fusion by its id."""
        power = self.symbols.powers.get(name)
        return power.id if power is not None else name if name in self.items else ""

    def _echoes(self) -> Iterator[tuple[str, str]]:
        """The powers that do nothing but use another one, each with that."""
        for item in self.content.by_kind("power"):
            told = self.told(item)
            if len(told.steps) == len(told.uses) == 1 and not told.steps[0].inner:
                gloss = capital(str(self.items[told.uses[0]].data("gloss") or ""))
                if unmarked(told.steps[0].text).rstrip(".") == gloss:
                    yield item.id, told.uses[0]

    def teller_of(self, id: str) -> str:
        """The id of what says what a power does: itself, or the only one it uses."""
        seen: set[str] = set()
        while id in self._shortcuts and id not in seen:
            seen.add(id)
            id = self._shortcuts[id]
        return id

    def uses(self, item: Item) -> tuple[str, ...]:
        """The ids of the powers that a reader of an item has to know, in order."""
        return tuple(dict.fromkeys(map(self.teller_of, self.told(item).uses)))

    def is_told(self, id: str) -> bool:
        """Has this something to say in a section of its own?"""
        return id in self.items and bool(self.told(self.items[id]).steps)

    def heading(self, item: Item) -> str:
        """The heading of an item: its title, or its summary, as far as that is short."""
        title = item.data("title") or self.arrangement.headings.get(item.id)
        if isinstance(title, str) and title:
            return capital(title)
        if item.kind == "fusion":
            parts = [self._part(str(part)) for part in item.data("parts") or ()]
            return capital(f"{listed(parts)}, joined")
        return _shortened(self.summary(item)) or capital(spaced(item.slug))

    def summary(self, item: Item) -> str:
        """The author's summary of an item; empty if it has no more than a title."""
        gloss = str(item.data("gloss") or "")
        callee = self._plain.book.callee(item)
        if not gloss or callee is None:
            return capital(gloss)
        numbers = {one.name: ("value", "N") for one in callee.params if one.type == INT}
        values = anything(callee, self.words) | numbers
        return capital(self._plain.book.teller(item, full=True).filled(gloss, values))

    def _part(self, name: str) -> str:
        power = self.symbols.powers.get(name)
        return unmarked(power.english) if power is not None and power.english else spaced(name)


# What makes no heading when the rest is cut off.
_BEGINNINGS = ("If ", "When ", "While ", "With ", "From ", "After ", "At ", "Unless ", "Where ")
LONG = 7


def _shortened(gloss: str) -> str:
    """A gloss as a heading: a long one up to its first break."""
    head = re.split(r"[,;:] ", gloss, maxsplit=1)[0]
    words = len(head.split())
    short = len(gloss.split()) > LONG and words > 1 and not head.startswith(_BEGINNINGS)
    return head if short else gloss


def pack_title(content: Content, id: str) -> str:
    """The title of a pack."""
    return str(content.pack(id).manifest.data("title") or id)


def _merged(plain: Lines, full: Lines) -> Lines:
    """Each line with all its marks, unless these have bent it."""
    if len(plain) != len(full):
        return plain
    return tuple(
        StepLine((more if unmarked(more.text) == unmarked(less.text) else less).text, inner)
        for less, more in zip(plain, full, strict=True)
        for inner in (_merged(less.inner, more.inner),)
    )


def _without_echo(lines: Lines) -> Lines:
    """Lines in which, where a choice is called what it does, that is said once."""
    found = []
    for line in lines:
        label, _, rest = line.text.partition(": ")
        again = rest and unmarked(rest).rstrip(".").lower() == label.lower()
        text = sentence(rest) if again else line.text
        found.append(StepLine(text, _without_echo(line.inner)))
    return tuple(found)


# So many blocks, or steps, make an entry long.
MANY = 4


class Prose(Frozen):
    """A paragraph; a `soft` one is set smaller, as a remark."""

    form: ClassVar[str] = "prose"
    text: str
    soft: bool = False


class Steps(Frozen):
    """Steps with numbers, or without if their order does not matter."""

    form: ClassVar[str] = "steps"
    lines: Sequence[StepLine]
    numbered: bool = True


class Grid(Frozen):
    """A table; the first cell of a row heads it, unless all are `plain`."""

    form: ClassVar[str] = "grid"
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    plain: bool = False


class Terms(Frozen):
    """Words, each with what it means."""

    form: ClassVar[str] = "terms"
    rows: Sequence[tuple[str, str]]


class CatalogueEntry(NamedTuple):
    """An item of a catalogue: its printed values, what it says, and what it alone brings."""

    title: str
    anchor: str
    facts: str
    blocks: Sequence[Block]
    source: str = ""

    @property
    def is_long(self) -> bool:
        """Does it need the width of a page?"""
        return any(_is_long(one) for one in self.blocks)


class Entries(Frozen):
    """A catalogue."""

    form: ClassVar[str] = "entries"
    entries: Sequence[CatalogueEntry]

    @property
    def is_brief(self) -> bool:
        """Are all of them so short that two stand beside each other?"""
        return all(len(entry.blocks) < MANY and not entry.is_long for entry in self.entries)


def _is_long(block: Block) -> bool:
    match block:
        case Steps(lines=lines):
            return len(lines) >= MANY or any(line.inner for line in lines)
        case Grid() | Detail():
            return True
    return False


class Definition(NamedTuple):
    """Some words, and what they mean."""

    anchor: str
    head: str
    text: str
    source: str = ""


class Definitions(Frozen):
    """Words that texts use, each to be found from there."""

    form: ClassVar[str] = "definitions"
    entries: Sequence[Definition]


class Detail(Frozen):
    """A section below something else, under a heading without a number."""

    form: ClassVar[str] = "detail"
    title: str
    anchor: str
    blocks: Sequence[Block]


Block = Prose | Steps | Grid | Terms | Entries | Definitions | Detail


class Part(NamedTuple):
    """A chapter, or a section of one; `source` says which packs it comes from, if not the game."""

    title: str
    anchor: str
    blocks: Sequence[Block] = ()
    parts: Sequence[Part] = ()
    source: str = ""


class Reference(NamedTuple):
    """A reference to a part, by its number and its anchor."""

    number: str
    anchor: str


class TextPiece(NamedTuple):
    """A stretch of text, and what it refers to behind it."""

    text: str
    place: Reference | None = None


class Document(Frozen):
    """The whole of it."""

    title: str
    sources: Sequence[str]
    parts: Sequence[Part]
    numbers: Mapping[str, str] = field(default_factory=dict)
    index: Sequence[tuple[str, Sequence[tuple[str, Sequence[Reference]]]]] = ()


def numbers_of(parts: Iterable[Part], above: str = "") -> Iterator[tuple[str, str]]:
    """The number of every part, by its anchor: `4.2` is the second section of chapter 4."""
    for place, part in enumerate(parts, 1):
        number = f"{above}{place}"
        yield part.anchor, number
        yield from numbers_of(part.parts, f"{number}.")
