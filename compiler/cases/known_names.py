"""The names that a case may write: those of the game, and those of its own things and players."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property, lru_cache
from itertools import chain
from string import ascii_uppercase
from typing import Any, NamedTuple

from ruleloom.compiler.cases.case_words import word
from ruleloom.compiler.cases.prompts import Prompts, is_text
from ruleloom.compiler.diagnostics.suggest import nearest
from ruleloom.compiler.lower.program import Build, words_of
from ruleloom.compiler.query.lookups import Marks, StillTable
from ruleloom.compiler.resolve.symbols import EntitySymbol, ParamSymbol, Symbols
from ruleloom.compiler.resolve.values import folded
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.summary.outline import texts_in, texts_of
from ruleloom.compiler.yaml.node import YamlNode, entries_of, items_of
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Routine
from ruleloom.runtime.program.values import Type

COPY = re.compile(r"#\d+$")
DIGITS = "0123456789"
BRINGING = ("players", "things", "made")


class GameNames:
    """What a game has, in the form in which cases look it up."""

    def __init__(self, build: Build) -> None:
        self.build = build
        # Tables of their own: those of a build note each look-up for the next one.
        tables: dict[str, Any] = {
            k: StillTable(table) for k, table in build.symbols.tables().items()
        }
        # What cases speak of is not used by the game, and what they set is not set by it.
        tables |= {name: StillTable() for name in ("open_sets", "open_loops")}
        written = Marks(build.symbols.written)
        self.symbols: Symbols = replace(
            build.symbols, **tables, used=Marks(), read=Marks(), written=written
        )
        self.prompts = self.prompts_in(build.routines)
        self.flows = {item.name for item in build.content.by_kind("flow")}
        self._gone = {folded(item.name) for item in build.content.disabled}

    def prompts_in(self, routines: Iterable[Routine]) -> Prompts:
        """What routines can ask."""
        return Prompts(routines, self.build.entities, words_of(self.build, "counted"))

    @cached_property
    def records(self) -> Mapping[str, Mapping[str, str]]:
        """The things that items make, by entity: each folded name with the name."""
        found = {}
        for entity in self.build.entities:
            names = (*entity.names, *(COPY.sub("", name) for name in entity.names))
            found[entity.name] = {folded(name): name for name in names}
        return found

    @cached_property
    def entities_by_record(self) -> Mapping[str, tuple[str, ...]]:
        """The entities of which a record of this folded name is one."""
        found: dict[str, tuple[str, ...]] = {}
        for entity, names in self.records.items():
            for name in names:
                found[name] = (*found.get(name, ()), entity)
        return found

    @cached_property
    def titles(self) -> frozenset[str]:
        """The titles of things that items make; things made in play may be named after them."""
        return frozenset(title for one in self.build.entities for title in one.titles)

    @cached_property
    def literals(self) -> frozenset[str]:
        """The texts that stand in the rules and on things: some name things in play."""
        found: set[str] = set()
        for function in self.build.functions:
            found |= texts_in(function.body)
        for checked in self.build.checked.values():
            found |= texts_of(checked.routine)
        for entity in self.build.entities:
            for _, values in entity.static:
                found.update(value for value in values if isinstance(value, str))
        return frozenset(found)

    @cached_property
    def taken(self) -> frozenset[str]:
        """What no thing of a case may be called."""
        return taken_by(self.symbols)

    @cached_property
    def made_in_play(self) -> Mapping[str, EntitySymbol]:
        """The entities of which play makes things."""
        entities = self.symbols.entities.values()
        return {one.name: one for one in entities if one.present and not one.recorded}

    @cached_property
    def parts(self) -> Mapping[str, tuple[EntitySymbol, ...]]:
        """The parts that a thing of each entity has."""
        found: dict[str, tuple[EntitySymbol, ...]] = {}
        for one in self.symbols.entities.values():
            if one.part is not None:
                found[one.part.of] = (*found.get(one.part.of, ()), one)
        return found

    def forgives(self, name: str) -> bool:
        """Was a name taken away by a patch? Then another check tells it, or none."""
        return self.is_gone(name) or self.symbols.poisoned.may_declare(name)

    def is_gone(self, name: str) -> bool:
        """Has a patch taken away what was called so?"""
        return folded(name) in self._gone

    def was_called(self, name: str) -> bool:
        """Is it the old name of an item?"""
        return any(folded(old) == folded(name) for _, old in self.build.content.renamed)

    def what_became(self, name: str, path: str) -> tuple[str, str | None] | None:
        """The change that took away an item of this name, with the help; None where there was none.

        What a patch takes out is told in the cases of that patch's pack: those of others hold
        without it.
        """
        content = self.build.content
        pack, _ = content.files.get(path, ("", ""))
        for item in content.disabled:
            if folded(item.name) == folded(name):
                for change in content.history.get((item.id, ""), ()):
                    if change.pack == pack:
                        return f"`{name}` is not in the game: `{change.by}` takes it out", None
        return None


@dataclass(slots=True)
class OwnNames:
    """The names of one case."""

    game: GameNames
    players: tuple[str, ...]
    things: dict[str, str] = field(default_factory=dict)  # its things by folded name: their entity
    nodes: dict[str, YamlNode] = field(default_factory=dict)
    made: dict[str, set[str]] = field(default_factory=dict)  # by entity, the folded names
    texts: list[YamlNode] = field(default_factory=list)  # in which people may write names
    own_texts: set[str] = field(default_factory=set)
    known: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, game: GameNames, body: YamlNode, usual: int = 0) -> OwnNames:
        """The names that a case brings; `usual` is the number of players where it names none."""
        given = _as_meant(entries_of(body.get("given")))
        own = cls(game, _players(game, given, usual))
        for name, node in entries_of(given.get("things")).items():
            kind = node.get("kind")
            made_of = game.symbols.kinds.get(kind.text or "") if kind is not None else None
            if made_of:
                own.things[folded(name)] = made_of
                own.nodes[folded(name)] = node
        for entity, made in entries_of(given.get("made")).items():
            own._take_made(entity, made)
        own.texts += [given[part] for part in ("things", "state") if part in given]
        steps = items_of(body.get("when"))
        own.texts += [text for step in steps for text in own._written(step.get("answers"))]
        return own

    @property
    def params(self) -> tuple[ParamSymbol, ...]:
        """The things of the case as a text may name them."""
        return tuple(ParamSymbol(name, Type(of)) for name, of in self.things.items())

    def _written(self, answers: YamlNode | None) -> Iterator[YamlNode]:
        """The answers that are texts in people's own words."""
        for one in items_of(answers) or ([answers] if answers is not None else []):
            for name, node in one.entries.items():
                askings = self.game.prompts.of(name)
                if not askings or any(is_text(asking) for asking in askings):
                    yield node

    def _take_made(self, kind: str, node: YamlNode) -> None:
        names = self.made.setdefault(kind, set())
        for name, thing in node.entries.items():
            names.add(folded(name))
            for query, listed in thing.entries.items():
                callee = self.game.symbols.callables.get(folded(query))
                of = callee.of.partition(".")[0] if callee is not None else ""
                if of:
                    members = {*map(folded, _words_in(listed)), *map(folded, listed.entries)}
                    self.made.setdefault(of, set()).update(members)

    def entities_of(self, name: str) -> tuple[str, ...]:
        """The entities of which a thing or player of this name is one."""
        found = self.known.get(name)
        if found is None:
            found = self.known[name] = self._entities_of(name)
        return found

    def _entities_of(self, name: str) -> tuple[str, ...]:
        key = folded(name)
        found: tuple[str, ...] = ("Player",) if name in self.players else ()
        own = self.things.get(key.partition("#")[0]) or self.things.get(key.rstrip(DIGITS))
        if own is not None:
            found = (*found, own)
        found += tuple(kind for kind, names in self.made.items() if key in names)
        found += tuple(self._parts(key))
        records = self.game.entities_by_record
        return found + (records.get(key) or records.get(COPY.sub("", key), ()))

    def _parts(self, name: str) -> Iterator[str]:
        """The entities of which `ann.bees` is one."""
        owner, dot, rest = name.rpartition(".")
        if not dot:
            return
        for entity in self.entities_of(owner):
            for part in self.game.parts.get(entity, ()):
                assert part.part is not None
                if self._has_part(owner, part.part.under, part.part.key, rest):
                    yield part.name

    def _has_part(self, owner: str, under: str, key: str, rest: str) -> bool:
        node = self.nodes.get(owner)
        if node is None:  # a part of a part, or of a thing of the game
            return True
        listed = node.get(under) or node.get(next(iter(nearest(under, node.entries, 1)), under))
        if key:
            return any(folded(one) == rest for one in entries_of(listed))
        return rest.isdigit() and 1 <= int(rest) <= len(items_of(listed))

    def is_of(self, entity: str, name: str) -> bool:
        """Is this the name of a thing of this entity, or may play give it to one?"""
        return entity in self.entities_of(name) or self.may_be_named(entity, name)

    def may_be_named(self, entity: str, name: str) -> bool:
        """May something in play be called so, after a text that somebody writes?"""
        symbol = self.game.symbols.entities.get(entity)
        if symbol is None or not (symbol.named_by or entity in self.game.made_in_play):
            return False
        name = COPY.sub("", name)
        words = {*name.split(), name}
        if any(words & names for names in self.made.values()) or words & self._said():
            return True
        if name in self.game.symbols.values:
            return True
        if name in self.game.titles or folded(name) in self.game.entities_by_record:
            return True
        titles = (node.get("title") for node in self.nodes.values())
        return name in self.game.literals or any(
            title is not None and title.text == name for title in titles
        )

    def _said(self) -> set[str]:
        """The words of texts that people write in the case."""
        if self.texts:
            self.own_texts.update(word for node in self.texts for word in _words_in(node))
            self.texts.clear()
        return self.own_texts

    def names_of(self, entity: str) -> list[str]:
        """All names of things of an entity, for suggestions."""
        if entity == "Player":
            return list(self.players)
        own = [name for name, kind in self.things.items() if kind == entity]
        made = sorted(self.made.get(entity, ()))
        return [*own, *made, *self.game.records.get(entity, {}).values()]

    def all_names(self) -> list[str]:
        """The players, and the names of all things of the case."""
        made = [name for names in self.made.values() for name in sorted(names)]
        return [*self.players, *self.things, *made]


# Fields of many kinds: no thing may be called so, nor by the game's own words.
FIELDS = ("kind", "id", "title", "text", "abilities", "effect", "clauses")


def taken_by(symbols: Symbols) -> frozenset[str]:
    """The names that no thing of a case may have: names of cases are known by the word alone."""
    words = (value for values in symbols.enums.values() for value in values)
    own = (symbols.kinds, symbols.fields, symbols.settings, symbols.callables)
    return frozenset((*FIELDS, *words, *chain(*own, symbols.keywords, symbols.bonuses)))


class Key(NamedTuple):
    """A key of a mapping; its place is only worked out where something is wrong with it."""

    node: YamlNode
    name: str

    @property
    def place(self) -> Place:
        """Where it stands."""
        return self.node.key_place(self.name)


class WordOfKey(NamedTuple):
    """A word within a key."""

    key: Key
    word: str

    @property
    def place(self) -> Place:
        """Where it stands."""
        place, source = self.key.place, self.key.node.source
        line = source.line_text(place.line)
        at = line.find(self.word, place.column - 1)
        if at < 0 or at >= place.end_column - 1:
            return place
        return Place(place.path, place.line, at + 1, place.line, at + 1 + len(self.word))


@dataclass(frozen=True, slots=True)
class At:
    """A place that is known."""

    place: Place


NOWHERE = At(Place("", 1, 1, 1, 1))
Where = YamlNode | Key | WordOfKey | At


def entries(node: YamlNode | None) -> Iterator[tuple[str, YamlNode, Key]]:
    """Each field of a map that may be missing, with its key."""
    if node is not None:
        for name, child in node.entries.items():
            yield name, child, Key(node, name)


def scalar(node: YamlNode) -> str:
    """A plain value as a word."""
    return word(node.value)


def _as_meant(given: Mapping[str, YamlNode]) -> Mapping[str, YamlNode]:
    """The parts of `given` that bring names, also of a misspelt one."""
    left = tuple(part for part in BRINGING if part not in given)
    return {_meant(key, left): node for key, node in given.items()}


@lru_cache(maxsize=1_000)
def _meant(key: str, left: tuple[str, ...]) -> str:
    return next(iter(nearest(key, left, 1)), key)


def _players(game: GameNames, given: Mapping[str, YamlNode], usual: int) -> tuple[str, ...]:
    named = items_of(given.get("players"))
    if named:
        return tuple(map(scalar, named))
    if usual:
        return tuple(ascii_uppercase[:usual])
    said = entries_of(given.get("settings")).get("least_players")
    known = game.symbols.settings.get("least_players")
    least = said.value if said is not None else known.value if known is not None else 1
    return tuple(ascii_uppercase[: least if isinstance(least, int) else 1])


def _words_in(node: YamlNode) -> Iterable[str]:
    """Every word of every text in a node."""
    for child in (*node.items, *node.entries.values()):
        yield from _words_in(child)
    if node.text is not None:
        yield node.text
        yield from node.text.split()
