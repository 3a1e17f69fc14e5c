"""What a reader of a game has to know besides what its items do, in words: things and where they lie,
variables, tables, settings with their readings, requirements, clauses, the forms of statements."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ruleloom.compiler.analysis.telling import Telling, unmarked
from ruleloom.compiler.english.word import (
    capital,
    constant,
    count,
    listed,
    sentence,
    spaced,
    with_article,
)
from ruleloom.compiler.lint.cited_clauses import Ledger, told
from ruleloom.compiler.packs.content import Content, Item, slug_of
from ruleloom.compiler.resolve.declare import HOLE
from ruleloom.compiler.resolve.symbols import EntitySymbol, FieldSymbol
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.errors import ABILITIES, CHOOSE_ONE, FORMS
from ruleloom.compiler.syntax.tree import walk
from ruleloom.compiler.types import PLAIN
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.program.program import Program, Zone
from ruleloom.runtime.program.values import BOOL, PLAYER, Type

Row = tuple[str, ...]
WRITE, CHOICE = "write ", "a choice is written "
NEVER = "such that this is never so"
DEMAND = re.compile(r"(.*?)\. .*?: “(.*)”", re.DOTALL)
# What is wrong with what does not meet a requirement, by the words of its head.
REFUSED = (
    (" must meet this", "None of this may be so of {}"),
    (" should meet this", "This is as a rule a mistake in {}"),
    (" usually meets this", "This is unusual in {}"),
)
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


class Reading(NamedTuple):
    """A rule that can be read in several ways: its words, and the readings, that in force first."""

    item: Item
    head: str
    text: str
    source: str


class StatementForm(NamedTuple):
    """A statement by its first word, and how it is written."""

    word: str
    form: str
    is_ability: bool


def statements() -> list[StatementForm]:
    """Every statement of effects and abilities; the forms are the help of messages."""
    choice = f"{FORMS['choose'].removeprefix(CHOICE)}, or {CHOOSE_ONE.removeprefix(WRITE)}"
    forms = {**FORMS, "choose": choice}.items()
    return [StatementForm(one, form.removeprefix(WRITE), one in ABILITIES) for one, form in forms]


def clauses(content: Content) -> Mapping[str, str]:
    """What each clause of the packs' ledgers says, with its place in the book."""
    return {name: told(item) for name, item in Ledger(content).clauses.items()}


def title_of(telling: Telling) -> str:
    """The title of a game with the packs on top of it."""
    game, packs = telling.content.game, telling.content.packs
    on_top = listed([telling.pack_title(pack.id) for pack in packs if pack.id != game])
    return " with ".join(filter(None, (telling.pack_title(game), on_top)))


def kinds_that_do(telling: Telling) -> str:
    """The kinds of items of which some use what is told elsewhere: `cards and pieces`."""
    by_kind = telling.content.by_kind
    own = [kind for kind in telling.symbols.kinds if any(map(telling.uses, by_kind(kind)))]
    return listed([telling.kind_title(kind).lower() for kind in own])


def players_text(program: Program) -> str:
    """For how many players a game is."""
    return f"For up to {count(program.entity(PLAYER.name).most)} players."


def always_true(telling: Telling) -> list[str]:
    """The rules of vocabularies that always hold."""
    listed = (item.data("always") or () for item in telling.content.by_kind("vocabulary"))
    return [sentence(str(one["english"])) for many in listed for one in many if one.get("english")]


def readings(telling: Telling) -> Iterator[Reading]:
    """The rules that can be read in several ways."""
    words = telling.words
    for item in telling.content.by_kind("switch"):
        chosen = str(telling.symbols.settings[item.slug].value)
        others = [str(one) for one in item.data("options") or {} if str(one) != chosen]
        said = [sentence(words.option(item.slug, one)) for one in (chosen, *others)]
        more = "".join(f" Or: {one[:1].lower()}{one[1:]}" for one in said[1:])
        head, source = capital(words.setting(item.slug)), _set_by(telling, item)
        yield Reading(item, head, f": {said[0]}{more}", source)


def settings(telling: Telling) -> list[Row]:
    """The numbers that a group may change: what each is called, its value, and its bounds."""
    rows = []
    for item in telling.content.by_kind("setting"):
        setting = telling.symbols.settings[item.slug]
        bounds = ("" if one is None else str(one) for one in (setting.low, setting.high))
        name, said = capital(telling.words.setting(item.slug)), _set_by(telling, item)
        rows.append((f"{name} ({said})" if said else name, constant(setting.value), *bounds))
    return rows


def _set_by(telling: Telling, item: Item) -> str:
    """Which packs have decided a setting, or else who brought it."""
    packs = [one.pack for one in telling.symbols.set_by.get(item.slug, ())]
    for pack in telling.content.packs:
        said = pack.manifest.data("switches") or {}
        packs += [pack.id] * (item.slug in map(slug_of, map(str, said)))
    titles = [telling.pack_title(pack) for pack in dict.fromkeys(packs)]
    return f"Set by {listed(titles)}." if titles else telling.source(item)


def tables(telling: Telling) -> Iterator[tuple[Item, str, list[Row]]]:
    """Every table with its title and rows; none that only says everything again."""
    for item in telling.content.by_kind("table"):
        entries = item.fields["rows"].entries.items()
        rows = [(spaced(key) if key.islower() else key, _told(node)) for key, node in entries]
        if "otherwise" in item.fields:
            rows.append(("any other", _told(item.fields["otherwise"])))
        if any(key != value for key, value in rows):
            title = str(item.data("english") or spaced(item.slug))
            yield item, capital(HOLE.sub("…", title)), [*rows]


def _told(node: YamlNode) -> str:
    return _option(constant(node.value))


def _option(value: str) -> str:
    return spaced(value) if "_" in value else value


def demands(telling: Telling) -> Mapping[str, list[str]]:
    """The requirements of content, by what does not meet them."""
    grouped: dict[str, list[str]] = defaultdict(list)
    for item in telling.content.by_kind("requirement"):
        found = DEMAND.match(telling.declaration(item))
        if found is not None and NEVER not in found[1]:
            said = re.sub(r"`([^`]*)`", lambda name: f"“{spaced(name[1])}”", found[2])
            grouped[_refused(found[1])].append(capital(said))
    return grouped


def _refused(head: str) -> str:
    """`Every card must meet this` as the head of what is wrong with one that does not."""
    for verb, said in REFUSED:
        if head.endswith(verb):
            return said.format(head.removesuffix(verb).replace("Every ", "any ", 1))
    return head


class Things:
    """The things, zones and variables of one game, as far as its texts speak of them."""

    def __init__(self, telling: Telling, program: Program) -> None:
        self.program, self.symbols, self.words = program, telling.symbols, telling.words
        self._mentions = Counter(
            name
            for item in telling.content.items
            for name in {
                node.id for node in walk(telling.effect(item)) if isinstance(node, ast.Name)
            }
        )
        self._told = " ".join(unmarked("\n".join(telling.all())).lower().split())

    def numbers(self) -> str:
        """How many things items make; empty where they make none."""
        made = self.symbols.kinds.values()
        entities = [one for one in self.symbols.entities.values() if one.name in made]
        numbers = [(len(self.program.entity(one.name).names), one) for one in entities]
        said = [
            f"{number} {entity.plural}" if number > 1 else f"one {entity.singular}"
            for number, entity in numbers
            if number
        ]
        return f"There are {listed(said)}." if said else ""

    def things(self) -> Iterator[tuple[str, str]]:
        """The sorts of things that no item makes, with the fields that texts speak of."""
        for entity in self.symbols.entities.values():
            told_of = entity.part is None and entity.name not in self.symbols.kinds.values()
            about = self._about(entity) if told_of else ""
            if about and " " not in entity.name and self._is_named(entity.singular):
                yield capital(entity.plural), about

    def _is_named(self, words: str) -> bool:
        return words.lower() in self._told

    def _about(self, entity: EntitySymbol) -> str:
        said = []
        printed, changing = self._known(entity, True), self._known(entity, False)
        if printed:
            said.append(f"On each stands: {listed(printed)}.")
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
        if self.symbols.enums.get(field.type.name):
            return f"{name} ({self._sort(field.type)})"
        if field.low is not None and field.high is not None and field.high <= MOST_SHOWN:
            return f"{name} ({field.low} to {field.high})"
        if field.type.name in self.symbols.entities and field.type != PLAYER:
            noun = self.words.noun(field.type)
            return name if noun in name else f"{name} ({with_article(noun)})"
        return name

    def zones(self) -> Iterator[tuple[str, str]]:
        """Where things lie."""
        for zone in self.program.zones:
            yield capital(self.words.zone(zone.name).removeprefix("the ")), self._zone(zone)

    def _zone(self, zone: Zone) -> str:
        what = capital(self.words.noun(Type(zone.of), plural=True))
        where = "; each player has one" if zone.per_player else ""
        if zone.at:
            where = f"; one for each {self.words.noun(Type(zone.at))}"
        hidden = ", shuffled" if zone.lazy else ""
        return sentence(f"{what}{hidden}{where}; {SEEN_BY.get(zone.seen_by, '')}")

    def variables(self) -> Iterator[tuple[str, str]]:
        """What is to be kept in mind."""
        for one in self.program.scope:
            words, symbol = self.words.scope(one.name), self.symbols.scope.get(one.name)
            if symbol is None or one.name == "me" or self._mentions[one.name] < FEWEST:
                continue
            if symbol.type.name not in PLAIN and self._is_named(words):
                lasts = "for one turn" if one.life == "turn" else "until it changes"
                said = sentence(f"{self._sort(symbol.type)}, {lasts}")
                yield capital(words.removeprefix("the ")), said

    def _sort(self, type_: Type) -> str:
        if type_.name in self.symbols.enums:
            return listed([_option(one) for one in self.symbols.enums[type_.name]], "or")
        noun = self.words.noun(type_, type_.many)
        return noun if type_.many else with_article(noun)
