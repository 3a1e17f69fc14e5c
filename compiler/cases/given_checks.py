"""Checks of a case's `given`: settings, players, state, things made in play, and contents of zones.

The number of things is bounded by an entity's `max`, by the copies that items make, and for a
notation's tokens by their `supply`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from ruleloom.compiler.cases.case_values import (
    COPY,
    CaseValues,
    Fault,
    each,
    entries,
    scalar,
    unknown,
)
from ruleloom.compiler.cases.case_words import (
    GIVEN_TO_PLAY,
    NONE,
    folded,
    name_and_words,
)
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.resolve.symbols import EntitySymbol, Signature
from ruleloom.compiler.schema.expected_values import how_to_write
from ruleloom.compiler.types import with_article
from ruleloom.compiler.yaml.node import YamlNode, entries_of, items_of
from ruleloom.runtime.program.program import Zone
from ruleloom.runtime.program.values import BOOL, PLAYER, Type

CHOSEN = ("settings", "switches")
CHANGES = ("base", "set", "del")  # the keys of a map of points that modify a table

Laid = tuple[str, YamlNode | None]
"""A thing's name, and its node in the case; a table's entries have no node."""


class CaseGiven(CaseValues):
    """The checks of one case's `given`."""

    def check_choices(self, given: YamlNode, may_go_beyond: bool) -> None:
        """Check settings and switches; with `may_go_beyond`, their bounds are ignored."""
        settings = self.symbols.settings
        for name, node, where in chain.from_iterable(map(entries, map(given.get, CHOSEN))):
            setting, word = settings.get(folded(name)), scalar(node)
            if setting is None:
                message = f"there is no switch or setting `{name}`"
                self.add(self.no_item(where, message, name, settings))
            elif setting.options and word not in setting.options:
                self.tell_unknown(node, f"`{setting.name}` has no option {{}}", setting.options)
            elif setting.options or (setting.type == BOOL and word in ("yes", "no")):
                continue
            elif may_go_beyond:
                self.hold(setting.type, node)
            else:
                self.add(self.why_not_held(setting, node))

    def check_players(self, given: YamlNode) -> None:
        """Check the players and `me`."""
        self.check_repeated(given.get("players"))
        players = self.symbols.entities.get("Player")
        there = {scalar(node) for node in items_of(given.get("players"))}
        if players is not None and len(there) > players.most:
            where = entries_of(given)["players"]
            self.tell("out-of-bounds", where, f"a game has at most {players.most} players")
        if (me := given.get("me")) is not None:
            self.hold(PLAYER, me)

    # -------------------------------------------------------------------------------------- state

    def check_state(self, given: YamlNode) -> None:
        """Check the fields of things, and the variables of the game."""
        for name, node, where in entries(given.get("state")):
            variable, entities = self.symbols.scope.get(folded(name)), self.names.entities_of(name)
            if node.kind == "map" and entities:
                for said, value, at in entries(node):
                    self.add(self._wrong_field(name, entities, said, value, at))
            elif variable is not None and node.kind != "map":
                self.add(self.why_not_held(variable, node))
            elif entities:
                message = f"the fields of {self.noun(Type(entities[0]))} are wanted here"
                self.tell("type-mismatch", node, message, f"`{name}: {{field: value}}`")
            else:
                is_thing, known = node.kind == "map", self.names.all_names()
                what = "thing or player" if is_thing else "variable of the game and no thing"
                known = known if is_thing else [*self.symbols.scope, *known]
                self.add(self.no_item(where, f"there is no {what} `{name}`", name, known))

    def _wrong_field(
        self, name: str, entities: Sequence[str], said: str, node: YamlNode, where: YamlNode
    ) -> Fault:
        slug, words = name_and_words(said)
        of = self.symbols.fields.get(folded(slug), {})
        fields = [of[one] for one in entities if one in of and not of[one].static]
        if not fields:
            message = f"`{name}` has no field `{slug or said}` that changes in play"
            return unknown(where, message, slug or said, self._changing(entities))
        return self.why_no_key(fields[0], words, where) or self.why_not_held(fields[0], node)

    def _changing(self, entities: Sequence[str]) -> list[str]:
        """The names of the fields that change in play."""
        known = self.symbols.entities
        fields = (pair for one in entities if one in known for pair in known[one].fields.items())
        return [name for name, field in fields if not field.static]

    # ------------------------------------------------------------------------------- made in play

    def of_made(self, node: YamlNode | None) -> Iterator[tuple[EntitySymbol, YamlNode]]:
        """The entries of a map of entities whose things are made in play."""
        made, tokens = self.game.made_in_play, self.words.tokens
        known = {name: one for name, one in made.items() if name not in tokens}
        for kind, named, where in entries(node):
            if kind in known:
                yield known[kind], named
            else:
                self.tell_unknown(where, "nothing makes a {} in play", known)

    def check_made(self, given: YamlNode) -> None:
        """Check the things made in play, and their number."""
        for entity, named in self.of_made(given.get("made")):
            if named.kind != "map":
                self.tell("type-mismatch", named, f"`{entity.name}` has things by name")
            for name, fields, at in entries(named):
                self._count(entity, 1, at)
                self._check_made_thing(entity, name, fields, at)

    def _count(self, entity: EntitySymbol, more: int, where: YamlNode) -> None:
        """Count things of an entity, and report the first one beyond its maximum."""
        before = self.counts[entity.name]
        self.counts[entity.name] += more
        if before <= entity.most < self.counts[entity.name]:
            beyond = f"not {self.counts[entity.name]}" if more > 1 else "this is one too many"
            message = f"there are at most {entity.most} {entity.plural}, and {beyond}"
            self.tell("out-of-bounds", where, message)

    def _check_made_thing(
        self, entity: EntitySymbol, name: str, fields: YamlNode, where: YamlNode
    ) -> None:
        if fields.kind != "map":
            self.tell("type-mismatch", fields, f"`{name}` has fields, each with a value")
            return
        said = {folded(key): node for key, node in fields.entries.items()}
        there = said.get(entity.present)
        message = f"`{name}` is not there without a `{entity.present}`"
        if there is None and said.keys() <= entity.fields.keys():
            self.tell("missing-field", where, message, f"add `{entity.present}:`")
        elif there is not None and scalar(there) == NONE:
            self.tell("missing-field", there, message)
        for key, node, at in entries(fields):
            if node is not there or scalar(node) != NONE:
                self._check_made_field(entity, key, node, at)

    def _check_made_field(
        self, entity: EntitySymbol, said: str, node: YamlNode, where: YamlNode
    ) -> None:
        name, words = name_and_words(said)
        callables = self.symbols.callables
        field, query = entity.fields.get(folded(name)), callables.get(folded(name))
        if field is not None and not field.static:
            self.add(self.why_no_key(field, words, where) or self.why_not_held(field, node))
        elif query is not None and _lists_for(query, entity):
            self._check_members(query, node, where)
        else:
            lists = [one for one, of in callables.items() if of.of]
            known = [*self._changing([entity.name]), *lists]
            message = f"{with_article(entity.singular)} has no `{name or said}`"
            self.add(unknown(where, message, name or said, known))

    def _check_members(self, query: Signature, node: YamlNode, where: YamlNode) -> None:
        """Check the things in a query's list: names, or their number for each value of an option field."""
        of, _, by = query.of.partition(".")
        entity, made = self.symbols.entities.get(of), self.game.made_in_play.get(of)
        if entity is not None:
            if by != entity.present:
                message = f"`{query.name}` does not say which {entity.plural} there are"
                self.tell("type-mismatch", where, message)
            self._check_sorts(entity, node)
        for members in node.entries.values() if node.kind == "map" else [node]:
            self._check_found(made, members)

    def _check_sorts(self, entity: EntitySymbol, node: YamlNode) -> None:
        """Check that each key of a map is a value of exactly one changing field of the entity."""
        changing = [one for one in entity.fields.values() if not one.static]
        sorts = [word for one in changing for word in self.symbols.options_of(one.type)]
        for _, _, at in (one for one in entries(node) if sorts.count(one[0]) != 1):
            self.tell_unknown(at, f"{entity.plural} are not told apart by {{}}", sorts)

    def _check_found(self, made: EntitySymbol | None, node: YamlNode) -> None:
        """Check a number of things or a list of their names; things made in play are counted."""
        if node.kind not in ("int", "list") or any(one.kind == "int" for one in node.items):
            self.want("a list of names or a number", node, how_to_write(node, ("integer",)))
            return
        for one in each(node):
            if one.kind in ("map", "list", "bool"):
                self.want("a name", one, "put it in quotes")
            if made is not None:
                self._count(made, one.value if isinstance(one.value, int) else 1, one)

    # ----------------------------------------------------------------------------------- in zones

    def check_zones(self, zones: YamlNode | None) -> None:
        """Check the contents of zones, as given or as claimed."""
        known = {name: zone for name, zone in self.symbols.zones.items() if not zone.at}
        for name, node in self.named(zones, known, "there is no zone {}"):
            self.check_zone(known[name], node)

    def check_zone(self, zone: Zone, node: YamlNode) -> None:
        """Check a list of things, by player for a zone that each player has."""
        if zone.parted and node.kind != "map":
            self.want(f"a list for each {self.keys_of(zone)}", node)
        for held in [one for _, one in self.by_part(zone, node)] if zone.parted else [node]:
            self._check_list(zone.of, held)

    def _check_list(self, of: str, node: YamlNode) -> None:
        if node.kind != "list":
            noun = self.symbols.nouns.get(of, ("", "things"))[1]
            self.want(f"a list of {noun}", node, "`[...]`")
        for one in node.items:
            self.hold(Type(of), one)

    def check_laid_once(self, zones: YamlNode | None) -> None:
        """Report things beyond the game's number of copies."""
        lying = Counter[tuple[str, str]]()
        for of, one in self._lying(zones):
            called = of, folded(COPY.sub("", scalar(one)))
            has = self.game.copies[called]
            lying[called] += 1
            # A case may have several of its own things; unknown names are reported elsewhere.
            if has and called[1] not in self.names.things and lying[called] == has + 1:
                lie = f"there is no other `{scalar(one)}` that could lie there"
                self.tell("repeated-entry", one, f"{lie}: the game has {has}")

    def _lying(self, zones: YamlNode | None) -> Iterator[tuple[str, YamlNode]]:
        """The things in zones other than maps, each with its entity."""
        for name, node, _ in entries(zones):
            zone = self.symbols.zones.get(folded(name))
            if zone is not None and not zone.at:
                parts = node.entries.values() if zone.parted else [node]
                yield from ((zone.of, one) for part in parts for one in part.items)

    # ------------------------------------------------------------------------------ by a notation

    def check_position(self, given: YamlNode, fresh: bool) -> None:
        """Check the position of a case played in steps; a `fresh` game gets its position from set-up."""
        for name, node, where in entries(given):
            entry = self.words.given.get(name)
            if entry is None:
                self._check_given_to_play(given, name, node, where)
            elif node.kind != "null":
                self.check_part(entry, node)
                if fresh and self._is_placed(entry, node):
                    message = f"a fresh game takes no `{name}`: set-up places it"
                    self.tell("unknown-field", where, message)
        self._check_two_places(given, fresh)
        for key, entry in self.words.given.items():
            if "token" in entry:
                self._check_supply(given, entry, items_of(given.get(key)))

    def _check_given_to_play(
        self, given: YamlNode, name: str, node: YamlNode, where: YamlNode
    ) -> None:
        """Check the entries of `given` besides the position."""
        if name == "dice":
            for one in node.items:
                self._check_picked(one)
        elif name == "state":
            self.check_state(given)
        elif name == "made":
            self.check_made(given)
        elif name not in GIVEN_TO_PLAY:
            tries = ": a step of this game is written `{{do: EFFECT}}`"
            message = f"`given` has no {{}}{'' if self.words.forms else tries}"
            self.tell_unknown(where, message, [*self.words.given, *GIVEN_TO_PLAY])

    def _is_placed(self, entry: Mapping[str, Any], node: YamlNode) -> bool:
        """Does set-up place this in a new game? Only piles can be stacked."""
        zone = self.symbols.zones.get(entry.get("zone", ""))
        placed = (zone is not None and not zone.lazy) or "token" in entry
        return placed or ("scope" in entry and scalar(node) != NONE)

    def check_part(self, entry: Mapping[str, Any], node: YamlNode, claimed: bool = False) -> None:
        """Check one entry of a position, as given or as claimed."""
        if "zone" in entry:
            zone = self.symbols.zones[entry["zone"]]
            if zone.at:
                self.check_map(zone, node, claimed)
            else:
                self.check_zone(zone, node)
        elif "token" in entry:
            self._check_list(entry["token"], node)
        elif "scope" in entry:
            if scalar(node) != NONE:
                self.hold(self.symbols.scope[entry["scope"]].type, node)
        elif "order_after" in entry:
            lazy = [zone.of for zone in self.symbols.zones.values() if zone.lazy]
            self._check_list(lazy[0], node)
        elif "setting" in entry:
            self.hold(self.symbols.settings[entry["setting"]].type, node)

    def check_map(self, zone: Zone, node: YamlNode, claimed: bool = False) -> None:
        """Check a zone on points: the name of a table, names by point, or the changes to a table."""
        if node.kind != "map":
            if scalar(node) not in self.words.tables:
                self.tell_unknown(node, "there is no table {}", self.words.tables)
        elif claimed or node.entries.keys().isdisjoint(CHANGES):
            self._check_points(zone, node, claimed)
        else:
            self._check_changes(zone, node)

    def _check_changes(self, zone: Zone, node: YamlNode) -> None:
        """Check the changes to a table: its base, points to set and points to empty."""
        for name, part in self.named(node, CHANGES, "a change of the table has no {}"):
            if name == "base" and part.kind != "map":
                self.check_map(zone, part)
            elif name == "set" and part.kind == "map":
                self._check_points(zone, part, False)
            elif name == "del" and part.kind == "list":
                for one in part.items:
                    self.hold(Type(zone.at), one)
            else:
                what = "a list of points is" if name == "del" else "points with names are"
                self.tell("type-mismatch", part, f"{what} wanted here")

    def _check_points(self, zone: Zone, node: YamlNode, claimed: bool) -> None:
        """Check the names on points; `none` can only be claimed."""
        for point, held, where in entries(node):
            found = self.why_not(Type(zone.at), where)
            if found is not None:
                near = did_you_mean(point, CHANGES)
                self.tell(found.code, where, found.message, near or found.help)
            elif scalar(held) != NONE:
                self.hold(Type(zone.of), held)
            elif not claimed:
                message = f"nothing can be put on {point}: `del: [{point}]` empties it"
                self.tell("type-mismatch", where, message)

    def _check_picked(self, node: YamlNode) -> None:
        """Check a roll, or a name that chance picks."""
        word, game = folded(scalar(node)), self.game
        there = word in game.entities_by_record or word in self.symbols.values
        if node.kind != "int" and not there and not self.names.entities_of(word):
            names = [name for names in game.records.values() for name in names.values()]
            self.tell_unknown(node, "there is nothing called {}", names)

    def _check_two_places(self, given: YamlNode, fresh: bool) -> None:
        """Report things laid out twice, the usual table included; of a `fresh` game only its piles."""
        zones = self.symbols.zones
        laid = [
            (zones[entry["zone"]].of, one)
            for key, entry in self.words.given.items()
            if "zone" in entry and (zones[entry["zone"]].lazy or not fresh)
            for one in self._laid(zones[entry["zone"]], given.get(key))
        ]
        laid.sort(key=lambda one: one[1][1] is not None)
        seen: dict[tuple[str, str], YamlNode | None] = {}
        for of, (name, node) in laid:
            if (of, folded(name)) in seen and node is not None:
                usual = seen[of, folded(name)] is None
                help = f"the usual table has `{name}`: take another one" if usual else None
                self.tell("repeated-entry", node, f"`{name}` lies in two places", help)
            seen.setdefault((of, folded(name)), node)

    def _check_supply(
        self, given: YamlNode, entry: Mapping[str, Any], listed: Sequence[YamlNode]
    ) -> None:
        """Report the first token of each sort beyond its supply."""
        entity = self.symbols.entities[entry["token"]]
        if len(listed) > entity.most:
            message = f"there are at most {entity.most} {entity.plural}, and not {len(listed)}"
            self.tell("out-of-bounds", listed[entity.most], message)
        if "supply" not in entry:
            return
        most, by = entry["supply"]["most"], entry["supply"]["for_each"]
        number = most if isinstance(most, int) else self._chosen(given, most)
        for sort, alike in self._by_sort(entity.name, listed, by).items():
            if isinstance(number, int) and (over := alike[number:]):
                said = " and ".join(map(" ".join, zip(by, sort, strict=True)))
                limit = "" if isinstance(most, int) else f" (`{most}`)"
                message = f"there are at most {number} {entity.plural} of {said}{limit}"
                which = "this one" if len(over) == 1 else f"{len(over)} of them"
                told = f"{message}, and not {len(alike)}"
                self.tell("out-of-bounds", over[0], told, f"leave out {which}")

    def _by_sort(
        self, entity: str, listed: Sequence[YamlNode], by: Sequence[str]
    ) -> Mapping[tuple[str, ...], list[YamlNode]]:
        """The tokens grouped by the fields that define their sort."""
        sorts = defaultdict[tuple[str, ...], list[YamlNode]](list)
        for one in listed:
            if (parts := self.names.parts_of(entity, scalar(one))) is not None:
                sorts[tuple(parts[field] for field in by)].append(one)
        return sorts

    def _chosen(self, given: YamlNode, name: str) -> Any:
        """The value of a setting in this case."""
        value: object = self.words.settings.get(name, self.symbols.settings[name].value)
        for key, entry in self.words.given.items():
            if entry.get("setting") == name and (node := given.get(key)) is not None:
                value = node.value
        for part in ("switches", "settings"):
            for key, node in entries_of(given.get(part)).items():
                value = node.value if folded(key) == name else value
        return value

    def _laid(self, zone: Zone, node: YamlNode | None) -> Iterator[Laid]:
        """The things in a zone; on points, those of the usual table included."""
        if not zone.at:
            for part in (node, *entries_of(node).values()):
                yield from ((scalar(one), one) for one in items_of(part))
        else:
            yield from self._on_points(node)

    def _on_points(self, node: YamlNode | None) -> Iterator[Laid]:
        said, tables = entries_of(node), self.words.tables
        changes = not said.keys().isdisjoint(CHANGES)
        new = entries_of(said.get("set")) if changes else said
        gone = set(map(scalar, items_of(said.get("del"))))
        if changes or not said:
            base = said.get("base") if changes else node
            table = tables.get(next(iter(tables), "") if base is None else scalar(base), {})
            yield from ((str(one), None) for at, one in table.items() if at not in {*new, *gone})
        yield from ((scalar(one), one) for at, one in new.items() if at not in gone)


def _lists_for(query: Signature, entity: EntitySymbol) -> bool:
    """Does a query list the things that belong to one of this entity?"""
    return bool(query.of) and [one.type.name for one in query.params] == [entity.name]
