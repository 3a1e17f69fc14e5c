"""The chapter on what there is: the things, where they lie, and what has to be kept in mind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ruleloom.compiler.english.word import capital, count, listed, sentence, spaced, with_article
from ruleloom.compiler.resolve.symbols import EntitySymbol, FieldSymbol
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree_walk import walk
from ruleloom.compiler.types import PLAIN
from ruleloom.reference.rulebook.document import Block, Part, Prose, Terms
from ruleloom.reference.rulebook.marks import unmarked
from ruleloom.reference.rulebook.telling import Telling
from ruleloom.runtime.program.program import Program, Zone
from ruleloom.runtime.program.values import BOOL, PLAYER, Type

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
    """Describes what there is in one game, as far as its texts speak of it."""

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
        """How many there are of what items make."""
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
    """How many can play, as far as the vocabulary says."""
    most = program.entity(PLAYER.name).most
    return f"For up to {count(most)} players."
