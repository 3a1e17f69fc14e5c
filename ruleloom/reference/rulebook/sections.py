"""The sections about items: steps of flows and powers, catalogues, endings, variants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ruleloom.compiler.english.word import capital, constant, listed, plural, sentence, spaced
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import parts, walk
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
)
from ruleloom.reference.rulebook.telling import Telling, ToldLine, pack_title, unmarked

# A summary of so few words says no more than any heading.
FEW = 3


def anchor_of(item: Item) -> str:
    """The anchor of an item, whatever its chapter."""
    return f"{item.kind}-{item.name}" if item.id.count(":") else item.name


def doing(telling: Telling, item: Item) -> Iterator[Block]:
    """The effect of an item: its standing part, then its steps."""
    told = telling.told(item)
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


def summary(telling: Telling, item: Item) -> Iterator[Block]:
    """The summary of an item in a sentence, where its heading is shorter."""
    said = telling.summary(item)
    if len(said) > len(telling.heading(item)) and len(said.split()) > FEW:
        yield Prose(sentence(said), soft=True)


def section(telling: Telling, id: str, below: Sequence[str]) -> Part:
    """The section of a power, and a section below it for each one that only it needs."""
    item = telling.items[id]
    return Part(
        telling.heading(item),
        anchor_of(item),
        (*summary(telling, item), *doing(telling, item)),
        tuple(section(telling, one, ()) for one in below),
        telling.source(item),
    )


def details(telling: Telling, ids: Sequence[str]) -> Iterator[Detail]:
    """The sections of powers that only one item needs, below it."""
    for id in ids:
        item = telling.items[id]
        blocks = (*summary(telling, item), *doing(telling, item))
        yield Detail(telling.heading(item), anchor_of(item), blocks)


class Catalogue:
    """Writes the entries of one game; `within` has for each item what it alone uses."""

    def __init__(self, telling: Telling, within: Mapping[str, Sequence[str]]) -> None:
        self.telling, self.within = telling, within

    def title(self, kind: str) -> str:
        """The plural noun of a kind."""
        symbols = self.telling.symbols
        entity = symbols.kinds.get(kind, "")
        alone = [one for one, made in symbols.kinds.items() if made == entity] == [kind]
        noun = symbols.nouns.get(entity, ("", ""))[1] if entity and alone else ""
        return capital(noun or plural(spaced(kind)))

    def entries(self, kind: str) -> Entries:
        """All items of a kind."""
        return Entries(tuple(map(self._entry, self.telling.content.by_kind(kind))))

    def _entry(self, item: Item) -> CatalogueEntry:
        return CatalogueEntry(
            self.telling.heading(item),
            anchor_of(item),
            self.telling.printed(item),
            tuple(self._blocks(item)),
            self.telling.source(item),
        )

    def _blocks(self, item: Item) -> Iterator[Block]:
        text = item.data("text")
        if isinstance(text, str) and text.strip():
            yield Prose(" ".join(text.split()))
        yield from doing(self.telling, item)
        yield from details(self.telling, self.within.get(item.id, ()))


def endings(telling: Telling) -> Iterator[Block]:
    """A list of all endings; nothing where no text of a flow or power ends the game."""
    # An ending of several texts stands once, with the place of the last one.
    found = {unmarked(said): said for said in _endings(telling)}.values()
    if found:
        yield Prose("The game ends in one of these ways:")
        yield Steps(tuple(ToldLine(said) for said in found), numbered=False)


def _endings(telling: Telling) -> Iterator[str]:
    for item in telling.content.items:
        mark = telling.marks.of(telling.teller_of(item.id))
        told = telling.told(item).steps
        for node in walk(tuple(telling.effect(item))) if told else ():
            match node:
                case ast.FinishStmt(winner=winner, reason=reason):
                    said = _reason(reason)
                    who = "Somebody wins" if winner is not None else "Nobody wins"
                case ast.RankStmt(reason=reason):
                    said, who = _reason(reason), "Whoever is ahead wins"
                case _:
                    continue
            yield sentence(f"{who}{f': {said}' if said else ''}{mark}")


def _reason(text: ast.TextLiteral) -> str:
    """The reason of an ending, unless it depends on who plays."""
    found = [part for part in parts(text) if isinstance(part, str)]
    return "".join(found) if len(found) == len([*parts(text)]) else ""


def variants_part(telling: Telling) -> Part | None:
    """The readings of rules and the numbers that are for a group to decide."""
    parts = tuple(part for part in (_readings(telling), _numbers(telling)) if part is not None)
    return Part("Variants", "variants", (), parts) if parts else None


def _readings(telling: Telling) -> Part | None:
    switches = telling.content.by_kind("switch")
    if not switches:
        return None
    head = Prose("Where a rule can be read in several ways, this book follows the first of them.")
    entries = Definitions(tuple(_switch(telling, item) for item in switches))
    return Part("Other readings of the rules", "readings", (head, entries))


def _switch(telling: Telling, item: Item) -> Definition:
    words = telling.words
    chosen = str(telling.symbols.settings[item.slug].value)
    options = [str(one) for one in item.data("options") or {}]
    said = [words.option(item.slug, one) for one in options if one != chosen]
    others = "".join(f" Or: {sentence(one)[:1].lower()}{sentence(one)[1:]}" for one in said)
    text = f": {sentence(words.option(item.slug, chosen))}{others}"
    return Definition(
        anchor_of(item), capital(words.setting(item.slug)), text, _set_by(telling, item)
    )


def _set_by(telling: Telling, item: Item) -> str:
    """Which packs have decided this, if any."""
    content = telling.content
    packs = [one.pack for one in telling.symbols.set_by.get(item.slug, ())]
    packs += [
        pack.id
        for pack in content.packs
        if item.slug
        in {str(name).replace("-", "_") for name in pack.manifest.data("switches") or {}}
    ]
    found = dict.fromkeys(packs)
    if not found:
        return telling.source(item)
    return f"Set by {listed([pack_title(content, pack) for pack in found])}."


def _numbers(telling: Telling) -> Part | None:
    items = telling.content.by_kind("setting")
    if not items:
        return None
    head = Prose("These numbers can be changed, within the bounds given.", soft=True)
    grid = Grid(("", "here", "from", "to"), tuple(_row(telling, item) for item in items))
    return Part("Numbers to agree on", "settings", (head, grid))


def _row(telling: Telling, item: Item) -> tuple[str, ...]:
    setting = telling.symbols.settings[item.slug]
    bounds: Iterator[str] = ("" if one is None else str(one) for one in (setting.low, setting.high))
    name = capital(telling.words.setting(item.slug))
    said = _set_by(telling, item)
    return (f"{name} ({said})" if said else name, constant(setting.value), *bounds)
