"""Holds what `given` of a case puts on the table against what there is of it.

The limits are the game's own: `max` of an entity, the copies that items make, and in a notation the
`supply` of what is written as tokens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ruleloom.compiler.cases.case_values import CaseValues, Faults, Tokens, fault
from ruleloom.compiler.cases.known_names import COPY, Where, entries, scalar
from ruleloom.compiler.cases.notation_words import NotationWords
from ruleloom.compiler.resolve.symbols import EntitySymbol
from ruleloom.compiler.resolve.values import folded
from ruleloom.compiler.yaml.node import YamlNode, entries_of, items_of
from ruleloom.runtime.dataclass import dataclass

Laid = tuple[str, YamlNode | None]
"""The name of a thing that lies somewhere, and where the case says so; a table has no place."""


# ---------------------------------------------------------------------------------- made in play


def too_many_made(values: CaseValues, given: YamlNode) -> Faults:
    """The first thing of each kind that is made beyond the most that there can be."""
    counts: Counter[str] = Counter()
    for entity, number, where in _made(values, given):
        before = counts[entity.name]
        counts[entity.name] += number
        if before <= entity.most < counts[entity.name]:
            message = f"there are at most {entity.most} {entity.plural}, and this is one too many"
            if number > 1:
                message = f"there are at most {entity.most} {entity.plural}, and not {counts[entity.name]}"
            yield fault("out-of-bounds", where, message)


def _made(values: CaseValues, given: YamlNode) -> Iterator[tuple[EntitySymbol, int, Where]]:
    """How many of an entity are made, where."""
    known = values.names.game.made_in_play
    for kind, named, _ in entries(given.get("made")):
        if kind not in known:
            continue
        for _, thing, where in entries(named):
            yield known[kind], 1, where
            for query, listed in thing.entries.items():
                callee = values.names.game.symbols.callables.get(folded(query))
                of = known.get(callee.of.partition(".")[0]) if callee is not None else None
                if of is not None:
                    yield from ((of, number, at) for number, at in _members(listed))


def _members(node: YamlNode) -> Iterator[tuple[int, Where]]:
    """The members of a list in play: each by name, or a number of them."""
    for one in node.entries.values() if node.kind == "map" else [node]:
        if isinstance(one.value, int) and one.kind == "int":
            yield one.value, one
        yield from ((1, member) for member in one.items)


# ------------------------------------------------------------------------------------ in zones


def laid_twice(values: CaseValues, zones: YamlNode | None) -> Faults:
    """What lies in zones more often than the game has it."""
    symbols = values.names.game.symbols
    free: dict[str, Counter[str]] = {}
    for name, node, _ in entries(zones):
        zone = symbols.zones.get(folded(name))
        if zone is None or zone.at:
            continue
        there = free.setdefault(zone.of, Counter(_copies(values, zone.of)))
        parts = node.entries.values() if zone.per_player else [node]
        for one in (one for part in parts for one in items_of(part)):
            called = folded(COPY.sub("", scalar(one)))
            if called in values.names.things or called not in there:
                continue  # of its own things, a case may have several; other names are told elsewhere
            there[called] -= 1
            if there[called] == -1:
                has = sum(1 for copy in _copies(values, zone.of) if copy == called)
                lie = f"there is no other `{scalar(one)}` that could lie there"
                yield fault("repeated-entry", one, f"{lie}: the game has {has}")


def _copies(values: CaseValues, of: str) -> Iterator[str]:
    entities = (one for one in values.names.game.build.entities if one.name == of)
    return (folded(COPY.sub("", name)) for one in entities for name in one.names)


def lies_in_two_places(
    values: CaseValues, words: NotationWords, given: YamlNode, fresh: bool
) -> Faults:
    """What a position of a notation lays out twice, its table among them; a `fresh` game is laid out
    by set-up, but for its piles."""
    symbols = values.names.game.symbols
    seen: dict[str, set[str]] = {}
    laid = [
        (symbols.zones[entry["zone"]].of, one)
        for key, entry in words.given.items()
        if "zone" in entry and (symbols.zones[entry["zone"]].lazy or not fresh)
        for one in _laid(words, symbols.zones[entry["zone"]].at, given.get(key))
    ]
    laid.sort(key=lambda one: one[1][1] is not None)
    for of, (name, node) in laid:
        there = seen.setdefault(of, set())
        if folded(name) in there and node is not None:
            yield fault("repeated-entry", node, f"`{name}` lies in two places")
        there.add(folded(name))


def _laid(words: NotationWords, at: str, node: YamlNode | None) -> Iterator[Laid]:
    """What lies in a zone; on points, what the usual table has there as well."""
    if not at:
        for part in (node, *entries_of(node).values()):
            yield from ((scalar(one), one) for one in items_of(part))
        return
    usual = next(iter(words.tables), "")
    if node is None or node.kind != "map":
        table = words.tables.get(scalar(node) if node is not None else usual, {})
        yield from ((str(name), None) for name in table.values())
    elif node.entries.keys() & {"base", "set", "del"}:
        yield from _changed(words.tables, usual, node)
    else:
        yield from ((scalar(one), one) for one in node.entries.values())


def _changed(tables: Mapping[str, Any], usual: str, node: YamlNode) -> Iterator[Laid]:
    base, new = node.get("base"), entries_of(node.get("set"))
    gone = {scalar(one) for one in items_of(node.get("del"))}
    for point, name in tables.get(scalar(base) if base is not None else usual, {}).items():
        if point not in new and point not in gone:
            yield str(name), None
    yield from ((scalar(one), one) for point, one in new.items() if point not in gone)


# ------------------------------------------------------------------------------------- as tokens


@dataclass(frozen=True, slots=True)
class Supply:
    """What there is of the things that a notation writes as tokens, in one case."""

    values: CaseValues
    words: NotationWords
    tokens: Tokens
    given: YamlNode

    def faults(self) -> Faults:
        """The first token of each sort beyond the most that there can be."""
        for key, entry in self.words.given.items():
            if "token" in entry:
                listed = items_of(self.given.get(key))
                yield from self._beyond_entity(entry["token"], listed)
                if "supply" in entry:
                    yield from self._beyond_supply(entry, listed)

    def _beyond_entity(self, name: str, listed: Sequence[YamlNode]) -> Faults:
        entity = self.values.names.game.symbols.entities[name]
        if len(listed) > entity.most:
            message = f"there are at most {entity.most} {entity.plural}, and not {len(listed)}"
            yield fault("out-of-bounds", listed[entity.most], message)

    def _beyond_supply(self, entry: Mapping[str, Any], listed: Sequence[YamlNode]) -> Faults:
        supply, name = entry["supply"], str(entry["token"])
        most = supply["most"]
        number = most if isinstance(most, int) else self._chosen(str(most))
        if number is None:
            return
        sorts: dict[tuple[str, ...], list[YamlNode]] = {}
        for one in listed:
            parts = self.tokens.parts(name, scalar(one))
            if parts is not None:
                sort = tuple(parts[field] for field in supply["for_each"])
                sorts.setdefault(sort, []).append(one)
        plural = self.values.names.game.symbols.entities[name].plural
        limit = "" if isinstance(most, int) else f" (`{most}`)"
        for sort, alike in sorts.items():
            over = alike[number:]
            if over:
                said = " and ".join(map(" ".join, zip(supply["for_each"], sort, strict=True)))
                message = f"there are at most {number} {plural} of {said}{limit}"
                which = "this one" if len(over) == 1 else f"{len(over)} of them"
                place, help = over[0], f"leave out {which}"
                yield fault("out-of-bounds", place, f"{message}, and not {len(alike)}", help)

    def _chosen(self, name: str) -> int | None:
        """The value of a setting in this case; None if it is none that holds a number."""
        known = self.values.names.game.symbols.settings[name].value
        value: object = self.words.settings.get(name, known)
        for key, entry in self.words.given.items():
            if entry.get("setting") == name and (node := self.given.get(key)) is not None:
                value = node.value
        for part in ("switches", "settings"):
            for key, node, _ in entries(self.given.get(part)):
                value = node.value if folded(key) == name else value
        return value if isinstance(value, int) else None
