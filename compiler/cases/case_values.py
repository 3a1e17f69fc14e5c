"""The names and values that a case may write: those of its game, and of its own things and players.

Values are checked against the type that their place requires, like those of items. All faults are
collected, each at its own place.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from itertools import chain
from string import ascii_uppercase
from typing import Any

from ruleloom.compiler.cases.case_words import (
    NONE,
    NotationWords,
    Prompts,
    folded,
    is_point,
    is_text,
    number_in,
    reach_of,
    token_parts,
    word,
)
from ruleloom.compiler.cases.made_in_play import NAMED, made_in, named_in
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.diagnostics.suggest import did_you_mean, nearest, quoted_list
from ruleloom.compiler.lower.program import Build, words_of
from ruleloom.compiler.query.lookups import Marks, StillTable
from ruleloom.compiler.resolve.symbols import (
    EntitySymbol,
    FieldSymbol,
    ParamSymbol,
    ScopeSymbol,
    SettingSymbol,
    Symbols,
)
from ruleloom.compiler.resolve.values import key_node
from ruleloom.compiler.schema.expected_values import how_to_write_number, without_brackets
from ruleloom.compiler.summary.summaries import texts_in, texts_of
from ruleloom.compiler.types import is_unknown, with_article
from ruleloom.compiler.yaml.node import YamlNode, entries_of, items_of, text_of, to_data
from ruleloom.runtime.program.expr import reasons_of
from ruleloom.runtime.program.interval import lies_within
from ruleloom.runtime.program.program import Routine, Zone
from ruleloom.runtime.program.values import PLAYER, Type

COPY = re.compile(r"#\d+$")
DIGITS = "0123456789"
BRINGING = ("players", "things", "made")


class GameNames:
    """The names of a game, indexed for look-up by cases."""

    def __init__(self, build: Build) -> None:
        self.build = build
        # Separate tables: those of a build record each look-up for the next build.
        tables: dict[str, Any] = {
            k: StillTable(table) for k, table in build.symbols.tables().items()
        }
        # Uses and assignments in cases do not count as uses and assignments in the game.
        tables |= {name: StillTable() for name in ("open_sets", "open_loops")}
        written = Marks(build.symbols.written)
        self.symbols: Symbols = replace(
            build.symbols, **tables, used=Marks(), read=Marks(), written=written
        )
        self.prompts = self.prompts_in(build.routines)
        self.flows = {item.name for item in build.content.by_kind("flow")}
        self._gone = {folded(item.name) for item in build.content.disabled}

    def prompts_in(self, routines: Iterable[Routine]) -> Prompts:
        """The prompts of some routines."""
        return Prompts(routines, self.build.entities, words_of(self.build, "counted"))

    @cached_property
    def records(self) -> Mapping[str, Mapping[str, str]]:
        """The things made by items, by entity: each name by its folded name."""
        found = {}
        for entity in self.build.entities:
            names = (*entity.names, *(COPY.sub("", name) for name in entity.names))
            found[entity.name] = {folded(name): name for name in names}
        return found

    @cached_property
    def copies(self) -> Counter[tuple[str, str]]:
        """How many things made by items an entity has of one folded name."""
        return Counter(
            (entity.name, folded(COPY.sub("", name)))
            for entity in self.build.entities
            for name in entity.names
        )

    @cached_property
    def entities_by_record(self) -> Mapping[str, tuple[str, ...]]:
        """The entities that have a record of this folded name."""
        found = defaultdict[str, tuple[str, ...]](tuple)
        for entity, names in self.records.items():
            for name in names:
                found[name] += (entity,)
        return dict(found)

    @cached_property
    def literals(self) -> frozenset[str]:
        """The texts in the rules and on things, with their titles: some name things in play."""
        found = texts_in(self.build.functions)
        for checked in self.build.checked.values():
            found |= texts_of(checked.routine)
        for entity in self.build.entities:
            printed = (value for _, values in entity.static for value in values)
            found |= {*entity.titles, *(value for value in printed if isinstance(value, str))}
        return frozenset(found)

    @cached_property
    def taken(self) -> frozenset[str]:
        """The names that no thing of a case may have."""
        return taken_by(self.symbols)

    @cached_property
    def made_in_play(self) -> Mapping[str, EntitySymbol]:
        """The entities whose things are made in play, by name."""
        entities = self.symbols.entities.values()
        return {one.name: one for one in entities if one.present and not one.recorded}

    @cached_property
    def parts(self) -> Mapping[str, Mapping[str, EntitySymbol]]:
        """The part entities of each entity, by the field that lists the parts."""
        found = defaultdict[str, dict[str, EntitySymbol]](dict)
        for one in self.symbols.entities.values():
            if one.part is not None:
                found[one.part.of][one.part.under] = one
        return found

    @cached_property
    def refusing(self) -> Mapping[str, None]:
        """The names of all that can refuse an answer, a setting or a thing."""
        build = self.build
        reasons = (one for routine in build.routines for one in reasons_of(routine))
        refusing = (
            one for one in build.content.items if {"abilities", "holds"} & one.fields.keys()
        )
        items = (folded(item.name) for item in refusing)
        names = chain.from_iterable(one.names for one in reasons)
        return dict.fromkeys((*names, *self.symbols.zones, *self.symbols.settings, *items))

    def pack_of(self, path: str) -> str:
        """The pack whose folder has a file; the last pack for a loose one."""
        content = self.build.content
        return content.files.get(path, (content.packs[-1].id, ""))[0]

    def is_gone(self, name: str) -> bool:
        """Has a patch removed an item of this name?"""
        return folded(name) in self._gone

    def what_became(self, name: str, path: str) -> str | None:
        """The message about the change that removed an item of this name; None without one.

        Removals are reported only in cases of the patch's own pack: cases of other packs hold without it.
        """
        content = self.build.content
        pack, _ = content.files.get(path, ("", ""))
        gone = [item.id for item in content.disabled if folded(item.name) == folded(name)]
        changes = (change for id in gone for change in content.history.get((id, ""), ()))
        by = next((change.by for change in changes if change.pack == pack), None)
        return None if by is None else f"`{name}` is not in the game: `{by}` takes it out"


class OwnNames:
    """The names of one case, in the words of its notation; `usual` is its number of players if it names
    none."""

    def __init__(
        self, game: GameNames, body: YamlNode, words: NotationWords, usual: int = 0
    ) -> None:
        self.game, self.body, self.words = game, body, words
        self.given = _as_meant(entries_of(body.get("given")))
        self.players = _players(game, self.given, usual)
        self.things: dict[str, str] = {}  # the entity by folded name
        self.nodes: dict[str, YamlNode] = {}
        self.made = defaultdict[str, set[str]](set)  # the folded names by entity
        self.own_texts: set[str] = set()  # the texts in its effect texts
        self.entities_of = cache(self._entities_of)
        for name, node in entries_of(self.given.get("things")).items():
            made_of = game.symbols.kinds.get(text_of(node.get("kind")))
            if made_of:
                self.things[folded(name)] = made_of
                self.nodes[folded(name)] = node
        for entity, made in entries_of(self.given.get("made")).items():
            self._take_made(entity, made)

    def params_of(self, *texts: YamlNode) -> tuple[ParamSymbol, ...]:
        """The things of the case as parameters of these texts, those made in play among them."""
        own = self.given.get("made")
        made = made_in(self.game.symbols, None if own is None else to_data(own))
        text = " ".join(one.text or "" for one in texts)
        unsaid = made.keys() - set(NAMED.findall(text))  # they may be meant by a misspelt word
        said = named_in(text, made, self.game.symbols)
        found = {**{name: made[name][0] for name in (*unsaid, *said)}, **self.things}
        return tuple(ParamSymbol(name, Type(of)) for name, of in found.items())

    def _take_made(self, kind: str, node: YamlNode) -> None:
        self.made[kind] |= set(map(folded, node.entries))
        things = node.entries.values()
        for query, listed in chain.from_iterable(one.entries.items() for one in things):
            callee = self.game.symbols.callables.get(folded(query))
            if callee is not None and callee.of:
                of = callee.of.partition(".")[0]
                self.made[of] |= set(map(folded, (*_words_in(listed), *listed.entries)))

    def _entities_of(self, name: str) -> tuple[str, ...]:
        """The entities that have a thing or player of this name."""
        key = folded(name)
        own = self.things.get(key.partition("#")[0]) or self.things.get(key.rstrip(DIGITS))
        found = [*(["Player"] if name in self.players else ()), *([own] if own is not None else ())]
        made = (kind for kind, names in self.made.items() if key in names)
        records = self.game.entities_by_record
        of_game = records.get(key) or records.get(COPY.sub("", key), ())
        tokens = (of for of in self.words.tokens if self.parts_of(of, name) is not None)
        return (*found, *made, *self._parts(key), *of_game, *tokens)

    def parts_of(self, entity: str, token: str) -> Mapping[str, str] | None:
        """The texts of a token's fields, by name; None if it does not match the pattern."""
        fields = self.game.symbols.entities[entity].fields.items()
        types = {name: one.type.name for name, one in fields}
        words = {**self.game.symbols.enums, PLAYER.name: self.players}
        return token_parts(self.words.tokens[entity], types, words, token)

    def _parts(self, name: str) -> Iterator[str]:
        """The part entities that `ann.bees` may belong to."""
        owner, dot, rest = name.rpartition(".")
        for entity in self.entities_of(owner) if dot else ():
            for under, part in self.game.parts.get(entity, {}).items():
                assert part.part is not None
                if self._has_part(owner, under, part.part.key, rest):
                    yield part.name

    def _has_part(self, owner: str, under: str, key: str, rest: str) -> bool:
        node = self.nodes.get(owner)
        if node is None:  # a part of a part, or of a thing of the game
            return True
        listed = node.get(under) or node.get(next(iter(nearest(under, node.entries, 1)), under))
        if key:
            return any(folded(one) == rest for one in entries_of(listed))
        return rest.isdigit() and 1 <= int(rest) <= len(items_of(listed))

    def may_be_named(self, entity: str, name: str) -> bool:
        """Can a thing get this name in play, by a text that a player writes?"""
        symbol = self.game.symbols.entities.get(entity)
        if symbol is None or not (symbol.named_by or entity in self.game.made_in_play):
            return False
        name, game = COPY.sub("", name), self.game
        words = {*name.split(), name}
        if any(words & names for names in (*self.made.values(), self.said, self.own_texts)):
            return True
        titles = (text_of(node.get("title")) for node in self.nodes.values())
        is_written = name in game.symbols.values or name in game.literals or name in titles
        return is_written or folded(name) in game.entities_by_record

    @cached_property
    def said(self) -> frozenset[str]:
        """The words of free texts in the case."""
        nodes = [self.given[part] for part in ("things", "state") if part in self.given]
        answers = (step.get("answers") for step in items_of(self.body.get("when")))
        for one in chain.from_iterable(map(each, filter(None, answers))):
            for name, node in one.entries.items():
                askings = self.game.prompts.of(name)
                nodes += [node] if not askings or any(map(is_text, askings)) else []
        return frozenset(word for node in nodes for word in _words_in(node))

    def names_of(self, entity: str) -> list[str]:
        """All names of an entity's things, for suggestions."""
        if entity == "Player":
            return list(self.players)
        own = [name for name, kind in self.things.items() if kind == entity]
        return [*own, *sorted(self.made[entity]), *self.game.records.get(entity, {}).values()]

    def all_names(self) -> list[str]:
        """The players, and the names of all things of the case."""
        made = [name for names in self.made.values() for name in sorted(names)]
        return [*self.players, *self.things, *made]


# Fields of many kinds: like the game's own words, they are no names for things.
FIELDS = ("kind", "id", "title", "text", "abilities", "effect", "clauses")


def taken_by(symbols: Symbols) -> frozenset[str]:
    """The names that no thing of a case may have, as cases identify names by the word alone."""
    words = (value for values in symbols.enums.values() for value in values)
    own = (symbols.kinds, symbols.fields, symbols.settings, symbols.callables)
    return frozenset((*FIELDS, *words, *chain(*own, symbols.keywords, symbols.bonuses)))


def part_of(node: YamlNode, part: str) -> YamlNode:
    """A word within a text or a key, as a node to point at; the whole node if it is not found there."""
    start = node.source.text.find(part, node.start, node.end)
    if not part or start < 0 or "\n" in node.raw:
        return node
    return YamlNode(node.source, "text", part, start, start + len(part))


def entries(node: YamlNode | None) -> Iterator[tuple[str, YamlNode, YamlNode]]:
    """Each entry of a map, which may be None: name, value, and the key as a node."""
    if node is not None:
        for name, child in node.entries.items():
            yield name, child, key_node(node, name)


def scalar(node: YamlNode) -> str:
    """The word of a scalar node; another as written."""
    return node.raw if node.kind in ("map", "list") else word(node.value)


def _as_meant(given: Mapping[str, YamlNode]) -> Mapping[str, YamlNode]:
    """The entries of `given`, with misspelt keys of names corrected."""
    left = [part for part in BRINGING if part not in given]
    return {next(iter(nearest(key, left, 1)), key): node for key, node in given.items()}


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
    """Every text in a node, and each of its words."""
    for child in (*node.items, *node.entries.values()):
        yield from _words_in(child)
    if node.text is not None:
        yield node.text
        yield from node.text.split()


# ------------------------------------------------------------------------------------- values

MOST_SHOWN = 12
WANTED = {
    "Int": "a whole number",
    "Fraction": "a number",
    "Bool": "`yes` or `no`",
    "Text": "a text",
}

Fault = Diagnostic | None


def fault(code: str, where: YamlNode, message: str, help: str | None = None) -> Diagnostic:
    """An error in a case."""
    return Diagnostic(where.place, "error", code, message, help)


def unknown(where: YamlNode, message: str, word: str, known: Iterable[str]) -> Diagnostic:
    """An unknown name, with the nearest one, or all known ones if they are few."""
    choices = list(dict.fromkeys(known))
    few = f"there are {quoted_list(choices)}" if 0 < len(choices) <= MOST_SHOWN else None
    return fault("unknown-name", where, message, did_you_mean(word, choices) or few)


class CaseValues:
    """The checks of one case, which collect their faults in `found`: those of its values.

    `words` are those of a notation, with patterns of tokens such as `A2E@0/1`.
    """

    are_printed = False  # values printed on things, which name only records

    def __init__(self, names: OwnNames, words: NotationWords) -> None:
        self.names, self.words, self.game = names, words, names.game
        self.symbols, self.prompts = names.game.symbols, names.game.prompts
        self.found: list[Diagnostic] = []
        self.counts = Counter[str]()  # of things, by entity
        self.routines: list[Routine] = []  # its texts, lowered
        self.texts: set[str] = set()  # the literals in them

    def add(self, found: Fault) -> bool:
        """Record a fault, if any, and return whether there is none."""
        if found is not None:
            self.found.append(found)
        return found is None

    def tell(self, code: str, where: YamlNode, message: str, help: str | None = None) -> None:
        """Record an error."""
        self.found.append(fault(code, where, message, help))

    def tell_unknown(self, where: YamlNode, message: str, known: Iterable[str]) -> None:
        """Record an unknown name; `{}` stands for it in the message."""
        name = scalar(where)
        self.found.append(unknown(where, message.format(f"`{name}`"), name, known))

    def want(self, what: str, where: YamlNode, help: str | None = None) -> None:
        """Record a value of another type than wanted."""
        self.tell("type-mismatch", where, f"{what} is wanted here", help)

    def hold(self, type_: Type, node: YamlNode) -> bool:
        """Check a value against a type, and return whether it fits."""
        return self.add(self.why_not(type_, node))

    def named(
        self, node: YamlNode | None, known: Collection[str], nothing: str
    ) -> Iterator[tuple[str, YamlNode]]:
        """The entries of a map whose keys are known; `nothing` is the message for others."""
        for name, child, where in entries(node):
            if folded(name) in known:
                yield folded(name), child
            else:
                self.tell_unknown(where, nothing, known)

    def check_repeated(self, node: YamlNode | None) -> None:
        """Check that a list has no repeated entries."""
        seen: set[str] = set()
        for one in items_of(node):
            if folded(scalar(one)) in seen:
                self.tell("repeated-entry", one, f"`{scalar(one)}` stands here twice")
            seen.add(folded(scalar(one)))

    def by_player(self, node: YamlNode | None) -> Iterator[tuple[str, YamlNode]]:
        """The entries of a map of players; other keys are faults."""
        return ((key, child) for key, child, where in entries(node) if self.hold(PLAYER, where))

    def by_part(self, zone: Zone, node: YamlNode) -> Iterator[tuple[str, YamlNode]]:
        """The entries of a zone's map by players, or by the things that it lies under."""
        of = Type(zone.parted_by)
        return ((key, child) for key, child, where in entries(node) if self.hold(of, where))

    def keys_of(self, zone: Zone) -> str:
        """The noun of whatever has a part of a zone."""
        return self.symbols.noun(Type(zone.under)) if zone.under else "player"

    def no_item(self, where: YamlNode, message: str, word: str, known: Iterable[str]) -> Fault:
        """The fault of an unknown name or removed item; None if another check reports it."""
        became = self.game.what_became(word, where.place.path)
        if became is not None:
            return fault("unknown-name", where, became)
        is_told = self.game.is_gone(word) or self.symbols.poisoned.may_declare(word)
        return None if is_told else unknown(where, message, word, known)

    # --------------------------------------------------------------------------- against types

    def why_not(self, type_: Type, node: YamlNode) -> Fault:
        """The fault of a value where this type is wanted."""
        if type_.name in self.words.tokens:
            return self._why_no_token(type_, node)
        if is_unknown(type_) or (node.kind == "int" and type_.name == "Int"):
            return None
        if node.kind == "map":
            return fault("type-mismatch", node, f"{self.noun(type_)} is wanted here")
        if type_.many or node.kind == "list":
            return self._why_no_list(type_, node)
        return self.why_not_word(type_, node, scalar(node))

    def _why_no_list(self, type_: Type, node: YamlNode) -> Fault:
        if not type_.many:
            message = f"{self.noun(type_)} is wanted here, and no list"
            fits = len(node.items) == 1 and self.why_not(type_, node.items[0]) is None
            return fault("type-mismatch", node, message, without_brackets(node) if fits else None)
        if node.kind != "list":
            return None if scalar(node) == NONE else self.why_not(type_.item, node)
        return next(filter(None, (self.why_not(type_.item, one) for one in node.items)), None)

    def why_not_word(self, type_: Type, where: YamlNode, word: str) -> Fault:
        """The fault of one word: a value, or an argument in the parentheses of a key."""
        if type_.optional and word == NONE:
            return None
        match type_.name:
            case "Bool":
                fine = word in ("yes", "no")
            case "Int":
                fine = isinstance(number_in(word), int)
            case "Fraction":
                fine = number_in(word) is not None
            case "Text":
                fine = True
            case _:
                return self._why_no_name(type_, word, where)
        if fine:
            return None
        message = f"{WANTED[type_.name]} is wanted here, and not `{word}`"
        help = f"write {WANTED['Bool']}" if type_.name == "Bool" else how_to_write_number(word)
        return fault("type-mismatch", where, message, help)

    def _why_no_name(self, type_: Type, word: str, where: YamlNode) -> Fault:
        if type_.name in self.symbols.points:
            message = f"{self.noun(type_)} is wanted here, and not `{word}`"
            return None if is_point(word) else fault("type-mismatch", where, message, "`2/-1`")
        options = self._options(type_)
        if options:
            fine = word in options or folded(word) in map(folded, options)
        elif type_.name in self.symbols.entities or type_.name == "Player":
            fine = type_.name in self.names.entities_of(word)
            fine = fine or (not self.are_printed and self.names.may_be_named(type_.name, word))
        else:
            fine = True
        return None if fine else self._no_such(type_, word, where)

    def _options(self, type_: Type) -> Sequence[str]:
        """The values of an enum, the options of a switch, or all tags."""
        tags = self.symbols.tags if type_.name == "Tag" else ()
        return self.symbols.options_of(type_) or tuple(tags)

    def _no_such(self, type_: Type, word: str, where: YamlNode) -> Fault:
        noun = self.symbols.noun(type_)
        message = f"there is no {noun} `{word}` here"
        other = self.names.entities_of(word)
        if other and type_.name not in other:
            message = f"`{word}` is {self.noun(Type(other[0]))}, and no {noun}"
        renamed = (folded(old) for _, old in self.game.build.content.renamed)
        if self.are_printed and folded(word) in renamed:
            return None  # a printed field keeps its old name, as it would on an item
        return self.no_item(where, message, word, self.candidates(type_))

    def candidates(self, type_: Type) -> Sequence[str]:
        """The names of a type's values."""
        if type_.name == "Bool":
            return ("yes", "no")
        if type_.name in self.words.tokens:
            return self.written
        return self._options(type_) or self.names.names_of(type_.name)

    def noun(self, type_: Type) -> str:
        """The phrase for a value of this type."""
        return WANTED.get(type_.name) or with_article(self.symbols.noun(type_))

    def why_not_held(
        self, held: FieldSymbol | ScopeSymbol | SettingSymbol, node: YamlNode
    ) -> Fault:
        """The fault in the value of a field, variable or setting, bounds included."""
        found, number = self.why_not(held.type, node), number_in(scalar(node))
        if found is not None or held.type.many or number is None:
            return found
        if lies_within(number, held.low, held.high):
            return None
        return fault("out-of-bounds", node, f"`{held.name}` {reach_of(held.low, held.high)}")

    def why_no_key(self, field: FieldSymbol, words: Sequence[str], where: YamlNode) -> Fault:
        """The fault in the parentheses behind a field."""
        if len(words) != bool(field.by):
            wanted = self.noun(Type(field.by)) if field.by else "nothing"
            code = "missing-argument" if field.by else "too-many-arguments"
            return fault(code, where, f"`{field.name}` has {wanted} in parentheses")
        if not words:
            return None
        return self.why_not_word(Type(field.by), part_of(where, words[0]), words[0])

    # --------------------------------------------------------------------------------- tokens

    def _why_no_token(self, type_: Type, node: YamlNode) -> Fault:
        if node.kind in ("map", "list") and not type_.many:
            message = f"one is wanted here, written like {self.words.tokens[type_.name]}"
            return fault("type-mismatch", node, message)
        if type_.optional and scalar(node) == NONE:
            return None
        found = (self._why_not_written(type_.name, one) for one in each(node))
        return next(filter(None, found), None)

    def _why_not_written(self, entity: str, node: YamlNode) -> Fault:
        token, fields = scalar(node), self.symbols.entities[entity].fields
        parts = self.names.parts_of(entity, token)
        if parts is None:
            message = f"`{token}` is not written like {self.words.tokens[entity]}"
            return fault("type-mismatch", node, message, did_you_mean(token, self.written))
        for name, text in parts.items():
            field, number = fields[name], number_in(text)
            if field.type.name == "Int" and not lies_within(number, field.low, field.high):
                message = f"`{token}`: {name} is {field.low} to {field.high}"
                return fault("type-mismatch", node, message)
            if field.type.name in self.symbols.points and not is_point(text):
                return fault("type-mismatch", node, f"`{token}`: `{text}` is no {name}")
        return None

    @property
    def written(self) -> list[str]:
        """The tokens in `given`, for suggestions."""
        keys = (key for key, entry in self.words.given.items() if "token" in entry)
        return [scalar(one) for key in keys for one in items_of(self.names.given.get(key))]


def each(node: YamlNode) -> Sequence[YamlNode]:
    """The items of a list, or the node itself if it is no list."""
    return node.items if node.kind == "list" else [node]
