"""The parts of the document: sections about items (steps of flows and powers, catalogues, endings,
variants), definitions of the rules, words and numbers that a reader meets, and the things of the game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ruleloom.compiler.english.page import StepLine
from ruleloom.compiler.english.word import (
    capital,
    constant,
    listed,
    plural,
    sentence,
    spaced,
    with_article,
)
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.declare import HOLE
from ruleloom.compiler.resolve.symbols import EntitySymbol, FieldSymbol
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import parts, walk
from ruleloom.compiler.types import PLAIN
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.reference.rulebook.telling import (
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
    Telling,
    Terms,
    pack_title,
    unmarked,
)
from ruleloom.runtime.program.program import Program, Zone
from ruleloom.runtime.program.values import BOOL, PLAYER, Type

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


def kind_title(telling: Telling, kind: str) -> str:
    """The plural noun of a kind."""
    symbols = telling.symbols
    entity = symbols.kinds.get(kind, "")
    alone = [one for one, made in symbols.kinds.items() if made == entity] == [kind]
    noun = symbols.nouns.get(entity, ("", ""))[1] if entity and alone else ""
    return capital(noun or plural(spaced(kind)))


def catalogue(telling: Telling, within: Mapping[str, Sequence[str]], kind: str) -> Entries:
    """All items of a kind, each with the sections of powers that it alone uses (`within`)."""
    return Entries(
        [_entry(telling, item, within.get(item.id, ())) for item in telling.content.by_kind(kind)]
    )


def _entry(telling: Telling, item: Item, below: Sequence[str]) -> CatalogueEntry:
    text = item.data("text")
    printed = Prose(" ".join(text.split())) if isinstance(text, str) and text.strip() else None
    blocks: list[Block] = [*([printed] if printed else []), *doing(telling, item)]
    for one in (telling.items[id] for id in below):
        inner = (*summary(telling, one), *doing(telling, one))
        blocks.append(Detail(telling.heading(one), anchor_of(one), inner))
    source, facts = telling.source(item), telling.printed(item)
    return CatalogueEntry(telling.heading(item), anchor_of(item), facts, blocks, source)


def endings(telling: Telling) -> Iterator[Block]:
    """A list of all endings; nothing where no text of a flow or power ends the game."""
    # An ending of several texts stands once, with the place of the last one.
    found = {unmarked(said): said for said in _endings(telling)}.values()
    if found:
        yield Prose("The game ends in one of these ways:")
        yield Steps(tuple(StepLine(said) for said in found), numbered=False)


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


def variants_part(telling: Telling) -> Iterator[Part]:
    """The readings of rules and the numbers that are for a group to decide."""
    switches = tuple(_switch(telling, item) for item in telling.content.by_kind("switch"))
    rows = tuple(_row(telling, item) for item in telling.content.by_kind("setting"))
    parts = []
    if switches:
        said = "Where a rule can be read in several ways, this book follows the first of them."
        blocks = (Prose(said), Definitions(switches))
        parts.append(Part("Other readings of the rules", "readings", blocks))
    if rows:
        said = "These numbers can be changed, within the bounds given."
        numbers = (Prose(said, soft=True), Grid(("", "here", "from", "to"), rows))
        parts.append(Part("Numbers to agree on", "settings", numbers))
    if parts:
        yield Part("Variants", "variants", (), parts)


def _switch(telling: Telling, item: Item) -> Definition:
    words = telling.words
    chosen = str(telling.symbols.settings[item.slug].value)
    options = [str(one) for one in item.data("options") or {}]
    said = [words.option(item.slug, one) for one in options if one != chosen]
    others = "".join(f" Or: {sentence(one)[:1].lower()}{sentence(one)[1:]}" for one in said)
    text = f": {sentence(words.option(item.slug, chosen))}{others}"
    return Definition(
        anchor_of(item), capital(words.named("setting", item.slug)), text, _set_by(telling, item)
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


def _row(telling: Telling, item: Item) -> tuple[str, ...]:
    setting = telling.symbols.settings[item.slug]
    bounds: Iterator[str] = ("" if one is None else str(one) for one in (setting.low, setting.high))
    name = capital(telling.words.named("setting", item.slug))
    said = _set_by(telling, item)
    return (f"{name} ({said})" if said else name, constant(setting.value), *bounds)


# The kinds of what is explained where it is not done.
DEFINED = ("measure", "stat", "rule", "table")
# The most signs of keys and values that lie side by side.
WIDE = 60
NEVER = "such that this is never so"
LIFTED = " This rule can be lifted."
# The words that are explained, before what they mean.
_HEAD = re.compile(r".+?(?=: | if |[.])")
# What stands above the complaints about content, by how grave they are.
_REFUSED = {
    "error": "None of this may be so of {}:",
    "warning": "This is as a rule a mistake in {}:",
    "notice": "This is unusual in {}:",
}


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


def rules_part(telling: Telling, known: set[str]) -> Iterator[Part]:
    """The chapter of standing rules, triggers and rules that may be lifted."""
    content = telling.content
    always = [
        StepLine(sentence(str(one["english"])))
        for item in content.by_kind("vocabulary")
        for one in item.data("always") or ()
        if one.get("english")
    ]
    lists = (
        ("At all times", "at-all-times", always),
        ("What is always so", "standing", list(_of_kind(telling, "standing"))),
        ("What happens by itself", "by-itself", list(_of_kind(telling, "trigger"))),
    )
    parts = [
        Part(title, anchor, (Steps(lines, numbered=False),))
        for title, anchor, lines in lists
        if lines
    ]
    parts += _of_lasting(telling)
    keywords = [
        _headed(anchor_of(item), line.text, telling.source(item))
        for item in content.by_kind("keyword")
        for line in telling.told(item).passive[:1]
    ]
    rules = [_definition(telling, item) for item in content.by_kind("rule") if item.id in known]
    said = "These hold wherever a text does not say that they are ignored."
    parts += _defined("Keywords", "keywords", keywords, "Items say these in short.")
    parts += _defined("Rules that cards may lift", "soft-rules", rules, said)
    if parts:
        yield Part("Rules and limits", "rules", (), parts)


def _of_lasting(telling: Telling) -> Iterator[Part]:
    """The effects that last, under the names by which texts begin and end them."""
    entries = [
        CatalogueEntry(
            telling.heading(item),
            anchor_of(item),
            "",
            [*doing(telling, item)],
            telling.source(item),
        )
        for item in telling.content.by_kind("lasting")
        if telling.told(item).passive
    ]
    if entries:
        yield Part("Effects that last", "lasting", (Entries(entries),))


def _of_kind(telling: Telling, kind: str) -> Iterator[StepLine]:
    """The lines of the items of a kind, each with its source."""
    for item in telling.content.by_kind(kind):
        told, source = telling.told(item), telling.source(item)
        for line in (*told.passive, *told.steps):
            yield replace(line, text=f"{line.text} ({source})") if source else line


def _defined(
    title: str, anchor: str, entries: Sequence[Definition], about: str = ""
) -> Iterator[Part]:
    """A part of definitions, if there are any."""
    if entries:
        head = [Prose(about, soft=True)] if about else []
        yield Part(title, anchor, (*head, Definitions(entries)))


def _definition(telling: Telling, item: Item) -> Definition:
    text = telling.declaration(item).replace(LIFTED, "")
    return _headed(anchor_of(item), text, telling.source(item))


def _headed(anchor: str, text: str, source: str) -> Definition:
    """A sentence parted into the words it explains, and what these mean."""
    found = _HEAD.match(text)
    head = found[0] if found is not None else ""
    return Definition(anchor, head, text[len(head) :], source)


def terms_part(telling: Telling, kind: str, title: str, known: set[str]) -> Iterator[Part]:
    """The definitions of the words or numbers in the texts, where these say more than the name."""
    entries = []
    for item in telling.content.by_kind(kind):
        text = unmarked(telling.declaration(item)) if item.id in known else ""
        if ": " in text or " if " in text or "Under the present settings" in text:
            entries.append(_definition(telling, item))
    yield from _defined(title, f"all-{kind}", entries)


def tables_part(telling: Telling) -> Iterator[Part]:
    """Every table as a table."""
    tables = [_table(telling, item) for item in telling.content.by_kind("table")]
    parts = [part for part in tables if part is not None]
    if parts:
        yield Part("Tables", "tables", (), parts)


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


def demands_part(telling: Telling) -> Iterator[Part]:
    """The requirements of content, which are checked before anybody plays."""
    grouped: dict[str, list[StepLine]] = {}
    for item in telling.content.by_kind("requirement"):
        about, complaint = telling.demand(item)
        if about and NEVER not in about:
            head = _REFUSED[str(item.data("level") or "error")].format(
                about.replace("every", "any", 1)
            )
            said = re.sub(r"`([^`]*)`", lambda name: f"“{spaced(name[1])}”", complaint)
            grouped.setdefault(head, []).append(StepLine(said))
    blocks: list[Block] = []
    for head, lines in grouped.items():
        blocks += [Prose(head), Steps(tuple(lines), numbered=False)]
    if blocks:
        yield Part("What is not allowed", "requirements", blocks)


def all_told(telling: Telling) -> Iterator[str]:
    """Every text that stands somewhere in the document, definitions apart."""
    for item in telling.content.items:
        told = telling.told(item)
        for line in (*told.passive, *told.steps):
            yield from line.all()
        if item.kind == "requirement":
            yield telling.declaration(item)


# What has more fields than this is a sheet, and no piece on a table.
MOST_FIELDS = 8
# A bound beyond this is the machine's, and none of the game.
MOST_SHOWN = 100
# What so few texts speak of is nothing to keep in mind.
FEWEST = 4
SEEN_BY = {
    "owner": "only their owner sees them",
    "nobody": "nobody sees them",
    "all": "everybody sees them",
}


class Things:
    """Describes the things, zones and variables of one game, as far as its texts speak of them."""

    def __init__(self, telling: Telling, program: Program, told: str) -> None:
        self.telling, self.program = telling, program
        self.symbols, self.words = telling.symbols, telling.words
        self._mentions = Counter(
            name
            for item in telling.content.items
            for name in {
                node.id for node in walk(tuple(telling.effect(item))) if isinstance(node, ast.Name)
            }
        )
        self._told = " ".join(unmarked(told).lower().split())

    def part(self) -> Part:
        """The chapter."""
        sections: tuple[tuple[str, str, tuple[Block, ...]], ...] = (
            ("The things", "things", (*self._counts(), *_terms(self._things()))),
            ("Where they lie", "zones", _terms(self._zones())),
            ("What to keep in mind", "scope", _terms(self._variables())),
        )
        parts = tuple(Part(title, anchor, blocks) for title, anchor, blocks in sections if blocks)
        return Part("What there is", "what-there-is", (), parts)

    def _counts(self) -> Iterator[Block]:
        """The numbers of the things that items make."""
        made = self.symbols.kinds.values()
        numbers = [
            (len(self.program.entity(one.name).names), one)
            for one in self.symbols.entities.values()
            if one.name in made
        ]
        said = [
            f"{number} {entity.plural}" if number > 1 else f"one {entity.singular}"
            for number, entity in numbers
            if number
        ]
        if said:
            yield Prose(f"There are {listed(said)}.")

    def _things(self) -> Iterator[tuple[str, str]]:
        for entity in self.symbols.entities.values():
            told_of = entity.part is None and entity.name not in self.symbols.kinds.values()
            about = self._about(entity) if told_of else ""
            if about and " " not in entity.name and self._is_named(entity.singular):
                yield capital(entity.plural), about

    def _is_named(self, words: str) -> bool:
        return words.lower() in self._told

    def _about(self, entity: EntitySymbol) -> str:
        said = []
        printed = self._known(entity, True)
        if printed:
            said.append(f"On each stands: {listed(printed)}.")
        changing = self._known(entity, False)
        if 0 < len(changing) <= MOST_FIELDS:
            said.append(f"Known of each: {listed(changing)}.")
        return " ".join(said)

    def _known(self, entity: EntitySymbol, static: bool) -> list[str]:
        """The fields that some text speaks of, in words."""
        return [
            self._field(one)
            for one in entity.fields.values()
            if one.static == static
            and one.type != BOOL
            and self._is_named(f"'s {self.words.field(one.name)}")
        ]

    def _field(self, field: FieldSymbol) -> str:
        name = self.words.field(field.name)
        values = self.symbols.enums.get(field.type.name)
        if values:
            return f"{name} ({listed([_option(one) for one in values], 'or')})"
        if field.low is not None and field.high is not None and field.high <= MOST_SHOWN:
            return f"{name} ({field.low} to {field.high})"
        if field.type.name in self.symbols.entities and field.type != PLAYER:
            noun = self.words.noun(field.type)
            return name if noun in name else f"{name} ({with_article(noun)})"
        return name

    def _zones(self) -> Iterator[tuple[str, str]]:
        for zone in self.program.zones:
            yield capital(_bare(self.words.named("zones", zone.name))), self._zone(zone)

    def _zone(self, zone: Zone) -> str:
        what = capital(self.words.noun(Type(zone.of), plural=True))
        where = "; each player has one" if zone.per_player else ""
        if zone.at:
            where = f"; one for each {self.words.noun(Type(zone.at))}"
        seen = SEEN_BY.get(zone.seen_by, "")
        hidden = ", shuffled" if zone.lazy else ""
        return sentence(f"{what}{hidden}{where}; {seen}")

    def _variables(self) -> Iterator[tuple[str, str]]:
        for one in self.program.scope:
            words = self.words.named("scope", one.name)
            symbol = self.symbols.scope.get(one.name)
            if symbol is None or one.name == "me" or self._mentions[one.name] < FEWEST:
                continue
            if symbol.type.name not in PLAIN and self._is_named(words):
                lasts = "for one turn" if one.life == "turn" else "until it changes"
                yield capital(_bare(words)), sentence(f"{self._sort(symbol.type)}, {lasts}")

    def _sort(self, type_: Type) -> str:
        if type_.name in self.symbols.enums:
            return listed([_option(one) for one in self.symbols.enums[type_.name]], "or")
        noun = self.words.noun(type_, type_.many)
        return noun if type_.many else with_article(noun)


def _terms(rows: Iterator[tuple[str, str]]) -> tuple[Block, ...]:
    found = tuple(rows)
    return (Terms(found),) if found else ()


def _option(value: str) -> str:
    return spaced(value) if "_" in value else value


def _bare(words: str) -> str:
    return words.removeprefix("the ")
