"""The definitions: rules, words and numbers that a reader meets, and the things of the game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ruleloom.compiler.english.word import (
    capital,
    constant,
    count,
    listed,
    sentence,
    spaced,
    with_article,
)
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.declare import HOLE
from ruleloom.compiler.resolve.symbols import EntitySymbol, FieldSymbol
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import walk
from ruleloom.compiler.types import PLAIN
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
    Terms,
)
from ruleloom.reference.rulebook.sections import anchor_of, doing
from ruleloom.reference.rulebook.telling import Telling, ToldLine, unmarked
from ruleloom.runtime.program.program import Program, Zone
from ruleloom.runtime.program.values import BOOL, PLAYER, Type

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
    """The chapter of standing rules, triggers and rules that may be lifted."""
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
    """The lines of the items of a kind, each with its source."""
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
    """The section of keywords."""
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
    """The definitions of the words or numbers in the texts."""
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
    """The requirements of content, which are checked before anybody plays."""
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
            yield capital(_bare(self.words.zone(zone.name))), self._zone(zone)

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
            words = self.words.scope(one.name)
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


def number_of_players(program: Program) -> str:
    """The number of players that the vocabulary allows."""
    most = program.entity(PLAYER.name).most
    return f"For up to {count(most)} players."
