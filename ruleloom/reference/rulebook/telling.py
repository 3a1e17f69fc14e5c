"""What the items of a game say, as lines with marks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ruleloom.compiler.build import names_and_effects
from ruleloom.compiler.english import item_text
from ruleloom.compiler.english.word import capital, listed, sentence, spaced
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.pipeline import SHARED
from ruleloom.compiler.syntax import ast
from ruleloom.reference.rulebook.arrangement import arrangement_of
from ruleloom.reference.rulebook.marks import TextMarks, unmarked
from ruleloom.reference.rulebook.voice import Voice
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.values import INT

# What can be referred to, by kind.
MARKED = ("power", "fusion", "measure", "stat", "rule", "table")

_NUMBERED = re.compile(r"\s*\S+\. (.*)")
_OPTIONS = re.compile(r"^\(Unless .*\)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ToldLine:
    """One step, and what it consists of."""

    text: str
    inner: tuple[ToldLine, ...] = ()

    def all(self) -> Iterator[str]:
        """Its text and those within it."""
        yield self.text
        for line in self.inner:
            yield from line.all()


@dataclass(frozen=True, slots=True)
class Told:
    """What an item says: what it does all the time, its steps, and the ids of the powers that these
    use, in order."""

    passive: tuple[ToldLine, ...] = ()
    steps: tuple[ToldLine, ...] = ()
    uses: tuple[str, ...] = ()
    options: str = ""


class Telling:
    """Puts the items of one game into words.

    Marks of numbers bend some sentences. So all is told twice, and where the two differ, that one
    counts which bears only the marks of powers: they stand at the end of what is done.
    """

    def __init__(self, content: Content, texts: Mapping[str, str]) -> None:
        self.content, self.texts = content, texts
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
        """What an item does."""
        if item.id not in self._told:
            self._told[item.id] = self._tell(item)
        return self._told[item.id]

    def _tell(self, item: Item) -> Told:
        plain, used = self._plain.steps(item)
        passive, used_then = self._plain.passive(item)
        steps = _merged(plain, self._full.steps(item)[0])
        passive = _merged(passive, self._full.passive(item)[0])
        uses = dict.fromkeys(filter(None, map(self._id, (*used_then, *used))))
        options = (
            _OPTIONS.search(self.texts.get(item.id, "").partition(":\n")[0]) if steps else None
        )
        said = options[0] if options is not None else ""
        return Told(lines_of(passive, False), lines_of(steps), tuple(uses), said)

    def effect(self, item: Item) -> Sequence[ast.Stmt]:
        """The text of an item's effect; empty if it has none."""
        return self._plain.book.effect(item) or () if item.kind != "lasting" else ()

    def declaration(self, item: Item) -> str:
        """What an item without an effect says in a paragraph."""
        if item.id not in self._declared:
            both = ([voice.book.brief(item)] for voice in (self._plain, self._full))
            self._declared[item.id] = _merged(*both)[0]
        return self._declared[item.id]

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
        """What an item is called: its title, or what it does, as far as that is short."""
        title = item.data("title") or self.arrangement.headings.get(item.id)
        if isinstance(title, str) and title:
            return capital(title)
        if item.kind == "fusion":
            parts = [self._part(str(part)) for part in item.data("parts") or ()]
            return capital(f"{listed(parts)}, joined")
        return _shortened(self.summary(item)) or capital(spaced(item.slug))

    def summary(self, item: Item) -> str:
        """What its author says that an item does; empty if there is no more than a title."""
        gloss = str(item.data("gloss") or "")
        callee = self._plain.book.callee(item)
        if not gloss or callee is None:
            return capital(gloss)
        numbers = {one.name: ("value", "N") for one in callee.params if one.type == INT}
        values = item_text.anything(callee, self.words) | numbers
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
    """What people call a pack."""
    return str(content.pack(id).manifest.data("title") or id)


def _merged(plain: Sequence[str], full: Sequence[str]) -> list[str]:
    """Each line with all its marks, unless these have bent it."""
    if len(plain) != len(full):
        return list(plain)
    return [
        more if unmarked(more) == unmarked(less) else less
        for less, more in zip(plain, full, strict=True)
    ]


def lines_of(texts: Sequence[str], numbered: bool = True) -> tuple[ToldLine, ...]:
    """Lines that are indented by three for each level as a tree, without their numbers."""
    found: list[ToldLine] = []
    at = 0
    while at < len(texts):
        level = _level(texts[at])
        end = at + 1
        while end < len(texts) and _level(texts[end]) > level:
            end += 1
        text = _without_echo(texts[at]) if numbered else texts[at].strip()
        found.append(ToldLine(text, lines_of(texts[at + 1 : end], numbered)))
        at = end
    return tuple(found)


def _level(text: str) -> int:
    return len(text) - len(text.lstrip())


def _without_echo(text: str) -> str:
    """A line without its number; where a choice is called what it does, that is said once."""
    found = _NUMBERED.fullmatch(text)
    said = found[1] if found is not None else text.strip()
    label, link, rest = said.partition(": ")
    if link and unmarked(rest).rstrip(".").lower() == label.lower():
        return sentence(rest)
    return said
