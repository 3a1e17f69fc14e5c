"""Holds `given` of a case against its game: settings, players, state, what play has made, what lies where.

What there is of a thing bounds what can lie there: `max` of an entity, the copies that items make,
and in a notation the `supply` of what is written as tokens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
    NotationWords,
    folded,
    name_and_words,
)
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.resolve.symbols import EntitySymbol, SettingSymbol, Signature
from ruleloom.compiler.schema.expected_values import how_to_write
from ruleloom.compiler.types import with_article
from ruleloom.compiler.yaml.node import YamlNode, entries_of, items_of
from ruleloom.runtime.program.program import Zone
from ruleloom.runtime.program.values import BOOL, PLAYER, Type

CHANGES = ("base", "set", "del")  # what a map of points may say of a table


def check_choices(values: CaseValues, given: YamlNode, may_go_beyond: bool) -> None:
    """The settings and switches; a case of a refusal may go beyond them."""
    settings = values.symbols.settings
    for part in ("settings", "switches"):
        for name, node, where in entries(given.get(part)):
            known = settings.get(folded(name))
            if known is None:
                message = f"there is no switch or setting `{name}`"
                values.add(values.no_item(where, message, name, settings))
            else:
                values.add(_wrong_setting(values, known, node, may_go_beyond))


def _wrong_setting(
    values: CaseValues, setting: SettingSymbol, node: YamlNode, may_go_beyond: bool
) -> Fault:
    word = scalar(node)
    if setting.options:
        message = f"`{setting.name}` has no option `{word}`"
        is_option = word in setting.options
        return None if is_option else unknown(node, message, word, setting.options)
    if setting.type == BOOL and word in ("yes", "no"):
        return None
    if may_go_beyond:
        return values.why_not(setting.type, node)
    return values.why_not_held(setting, node)


def check_players(values: CaseValues, given: YamlNode) -> None:
    """The players, and who acts."""
    _check_repeated(values, given.get("players"))
    players = values.symbols.entities.get("Player")
    there = {scalar(node) for node in items_of(given.get("players"))}
    if players is not None and len(there) > players.most:
        where = entries_of(given)["players"]
        values.tell("out-of-bounds", where, f"a game has at most {players.most} players")
    if (me := given.get("me")) is not None:
        values.hold(PLAYER, me)


def _check_repeated(values: CaseValues, node: YamlNode | None) -> None:
    """Entries of a list that stand there before."""
    seen: set[str] = set()
    for one in items_of(node):
        if folded(scalar(one)) in seen:
            values.tell("repeated-entry", one, f"`{scalar(one)}` stands here twice")
        seen.add(folded(scalar(one)))


def check_printed(values: CaseValues, type_: Type, node: YamlNode) -> None:
    """A value that is printed on a thing."""
    if values.hold(type_, node):
        _check_repeated(values, node)


# -------------------------------------------------------------------------------------- state


def check_state(values: CaseValues, given: YamlNode) -> None:
    """The fields of things, and the variables of the game."""
    names = values.names
    for name, node, where in entries(given.get("state")):
        variable, entities = values.symbols.scope.get(folded(name)), names.entities_of(name)
        if node.kind == "map" and entities:
            for said, value, at in entries(node):
                values.add(_wrong_field(values, name, entities, said, value, at))
        elif node.kind == "map":
            message = f"there is no thing or player `{name}`"
            values.add(values.no_item(where, message, name, names.all_names()))
        elif variable is not None:
            values.add(values.why_not_held(variable, node))
        elif entities:
            message = f"the fields of {values.noun(Type(entities[0]))} are wanted here"
            values.tell("type-mismatch", node, message, f"`{name}: {{field: value}}`")
        else:
            message = f"there is no variable of the game and no thing `{name}`"
            known = [*values.symbols.scope, *names.all_names()]
            values.add(values.no_item(where, message, name, known))


def _wrong_field(
    values: CaseValues,
    name: str,
    entities: Sequence[str],
    said: str,
    node: YamlNode,
    where: YamlNode,
) -> Fault:
    slug, words = name_and_words(said)
    of = values.symbols.fields.get(folded(slug), {})
    fields = [of[one] for one in entities if one in of and not of[one].static]
    if not fields:
        message = f"`{name}` has no field `{slug or said}` that changes in play"
        return unknown(where, message, slug or said, _changing(values, entities))
    return values.why_no_key(fields[0], words, where) or values.why_not_held(fields[0], node)


def _changing(values: CaseValues, entities: Sequence[str]) -> list[str]:
    """The fields of things that change in play."""
    known = values.symbols.entities
    fields = (pair for one in entities if one in known for pair in known[one].fields.items())
    return [name for name, field in fields if not field.static]


# ------------------------------------------------------------------------------- made in play


def check_made(values: CaseValues, given: YamlNode) -> None:
    """The things that play would have made, and that there are not too many of them."""
    known, counts = values.names.game.made_in_play, Counter[str]()
    for kind, named, where in entries(given.get("made")):
        entity = known.get(kind)
        if entity is None:
            values.tell_unknown(where, f"nothing makes a `{kind}` in play", kind, known)
        elif named.kind != "map":
            values.tell("type-mismatch", named, f"`{kind}` has things by name")
        else:
            for name, fields, at in entries(named):
                _count(values, counts, entity, 1, at)
                _check_made_thing(values, entity, name, fields, at, counts)


def _count(
    values: CaseValues, counts: Counter[str], entity: EntitySymbol, more: int, where: YamlNode
) -> None:
    """Count things of an entity; the first beyond the most that there can be is one too many."""
    before = counts[entity.name]
    counts[entity.name] += more
    if before <= entity.most < counts[entity.name]:
        beyond = f"not {counts[entity.name]}" if more > 1 else "this is one too many"
        message = f"there are at most {entity.most} {entity.plural}, and {beyond}"
        values.tell("out-of-bounds", where, message)


def _check_made_thing(
    values: CaseValues,
    entity: EntitySymbol,
    name: str,
    fields: YamlNode,
    where: YamlNode,
    counts: Counter[str],
) -> None:
    if fields.kind != "map":
        values.tell("type-mismatch", fields, f"`{name}` has fields, each with a value")
        return
    said = {folded(key): node for key, node in fields.entries.items()}
    there = said.get(entity.present)
    message = f"`{name}` is not there without a `{entity.present}`"
    if there is None and said.keys() <= entity.fields.keys():
        values.tell("missing-field", where, message, f"add `{entity.present}:`")
    elif there is not None and scalar(there) == NONE:
        values.tell("missing-field", there, message)
    for key, node, at in entries(fields):
        if node is not there or scalar(node) != NONE:
            _check_made_field(values, entity, key, node, at, counts)


def _check_made_field(
    values: CaseValues,
    entity: EntitySymbol,
    said: str,
    node: YamlNode,
    where: YamlNode,
    counts: Counter[str],
) -> None:
    name, words = name_and_words(said)
    callables = values.symbols.callables
    field, query = entity.fields.get(folded(name)), callables.get(folded(name))
    if field is not None and not field.static:
        values.add(values.why_no_key(field, words, where) or values.why_not_held(field, node))
    elif (
        query is not None and query.of and [one.type.name for one in query.params] == [entity.name]
    ):
        _check_members(values, query, node, where, counts)
    else:
        known = [
            *_changing(values, [entity.name]),
            *(one for one, of in callables.items() if of.of),
        ]
        message = f"{with_article(entity.singular)} has no `{name or said}`"
        values.tell_unknown(where, message, name or said, known)


def _check_members(
    values: CaseValues, query: Signature, node: YamlNode, where: YamlNode, counts: Counter[str]
) -> None:
    """The things a query finds: by name, or a number of them for each value of their sort."""
    of, _, by = query.of.partition(".")
    entity, made = values.symbols.entities.get(of), values.names.game.made_in_play.get(of)
    if entity is not None and by != entity.present:
        message = f"`{query.name}` does not say which {entity.plural} there are"
        values.tell("type-mismatch", where, message)
    if entity is not None:
        _check_sorts(values, entity, node)
    for members in node.entries.values() if node.kind == "map" else [node]:
        if members.kind not in ("int", "list") or any(one.kind == "int" for one in members.items):
            message = "a list of names or a number is wanted here"
            values.tell("type-mismatch", members, message, how_to_write(members, ("integer",)))
            continue
        for one in each(members):
            if one.kind in ("map", "list", "bool"):
                values.tell("type-mismatch", one, "a name is wanted here", "put it in quotes")
            if made is not None:
                _count(values, counts, made, one.value if isinstance(one.value, int) else 1, one)


def _check_sorts(values: CaseValues, entity: EntitySymbol, node: YamlNode) -> None:
    """The keys of a map are values by which things of an entity are told apart."""
    changing = [one for one in entity.fields.values() if not one.static]
    sorts = [word for one in changing for word in values.symbols.options_of(one.type)]
    for value, _, at in entries(node):
        if sorts.count(value) != 1:
            message = f"{entity.plural} are not told apart by `{value}`"
            values.tell_unknown(at, message, value, sorts)


# ----------------------------------------------------------------------------------- in zones


def check_zones(values: CaseValues, zones: YamlNode | None) -> None:
    """The contents of zones, as given or as claimed."""
    known = {name: zone for name, zone in values.symbols.zones.items() if not zone.at}
    for name, node in values.named(zones, known, "there is no zone {}"):
        check_zone(values, known[name], node)


def check_zone(values: CaseValues, zone: Zone, node: YamlNode) -> None:
    """A list of what lies there, of each player where each has one."""
    if not zone.per_player:
        _check_list(values, zone.of, node)
    elif node.kind != "map":
        values.tell("type-mismatch", node, "a list for each player is wanted here")
    else:
        for _, held in values.by_player(node):
            _check_list(values, zone.of, held)


def _check_list(values: CaseValues, of: str, node: YamlNode) -> None:
    if node.kind != "list":
        noun = values.symbols.nouns.get(of, ("", "things"))[1]
        values.tell("type-mismatch", node, f"a list of {noun} is wanted here", "`[...]`")
    for one in node.items:
        values.hold(Type(of), one)


def check_laid_once(values: CaseValues, zones: YamlNode | None) -> None:
    """What lies in zones more often than the game has it."""
    free: dict[str, Counter[str]] = {}
    for name, node, _ in entries(zones):
        zone = values.symbols.zones.get(folded(name))
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
                values.tell("repeated-entry", one, f"{lie}: the game has {has}")


def _copies(values: CaseValues, of: str) -> Iterator[str]:
    entities = (one for one in values.names.game.build.entities if one.name == of)
    return (folded(COPY.sub("", name)) for one in entities for name in one.names)


# ------------------------------------------------------------------------------ by a notation


def check_position(values: CaseValues, words: NotationWords, given: YamlNode, fresh: bool) -> None:
    """The position of a case that is played in steps: set-up places that of a `fresh` game."""
    for name, node, where in entries(given):
        entry = words.given.get(name)
        if entry is not None and node.kind != "null":
            check_part(values, words, entry, node)
            if fresh and _is_placed(values, entry, node):
                message = f"a fresh game takes no `{name}`: set-up places it"
                values.tell("unknown-field", where, message)
        elif name == "dice":
            for one in node.items:
                values.add(None if one.kind == "int" else _wrong_any(values, one))
        elif entry is None and name not in GIVEN_TO_PLAY:
            message = f"`given` has no `{name}`"
            if not words.forms:
                message = f"{message}: a step of this game is written `{{do: EFFECT}}`"
            values.tell_unknown(where, message, name, [*words.given, *GIVEN_TO_PLAY])
    _check_two_places(values, words, given, fresh)
    for key, entry in words.given.items():
        if "token" in entry:
            _check_supply(values, words, given, entry, items_of(given.get(key)))


def _is_placed(values: CaseValues, entry: Mapping[str, Any], node: YamlNode) -> bool:
    """Is it what set-up places in a new game? Only piles can be stacked."""
    zone = values.symbols.zones.get(entry.get("zone", ""))
    placed = (zone is not None and not zone.lazy) or "token" in entry
    return placed or ("scope" in entry and scalar(node) != NONE)


def check_part(
    values: CaseValues,
    words: NotationWords,
    entry: Mapping[str, Any],
    node: YamlNode,
    claimed: bool = False,
) -> None:
    """A part of a position, as given or as claimed."""
    if "zone" in entry:
        zone = values.symbols.zones[entry["zone"]]
        if zone.at:
            check_map(values, words, zone, node, claimed)
        else:
            check_zone(values, zone, node)
    elif "token" in entry:
        _check_list(values, entry["token"], node)
    elif "scope" in entry:
        if scalar(node) != NONE:
            values.hold(values.symbols.scope[entry["scope"]].type, node)
    elif "order_after" in entry:
        lazy = [zone.of for zone in values.symbols.zones.values() if zone.lazy]
        _check_list(values, lazy[0], node)
    elif "setting" in entry:
        values.hold(values.symbols.settings[entry["setting"]].type, node)


def check_map(
    values: CaseValues, words: NotationWords, zone: Zone, node: YamlNode, claimed: bool = False
) -> None:
    """What lies on points: a table by name, points with names, or what changes a table."""
    if node.kind != "map":
        if scalar(node) not in words.tables:
            message = f"there is no table `{scalar(node)}`"
            values.tell_unknown(node, message, scalar(node), words.tables)
    elif claimed or node.entries.keys().isdisjoint(CHANGES):
        _check_points(values, zone, node, claimed)
    else:
        for name, part in values.named(node, CHANGES, "a change of the table has no {}"):
            if name == "base" and part.kind != "map":
                check_map(values, words, zone, part)
            elif name == "set" and part.kind == "map":
                _check_points(values, zone, part, False)
            elif name == "del" and part.kind == "list":
                for one in part.items:
                    values.hold(Type(zone.at), one)
            else:
                what = "a list of points is" if name == "del" else "points with names are"
                values.tell("type-mismatch", part, f"{what} wanted here")


def _check_points(values: CaseValues, zone: Zone, node: YamlNode, claimed: bool) -> None:
    """What lies on each point; that nothing does can only be claimed."""
    for point, held, where in entries(node):
        found = values.why_not(Type(zone.at), where)
        if found is not None:
            near = did_you_mean(point, CHANGES)
            values.tell(found.code, where, found.message, near or found.help)
        elif scalar(held) != NONE:
            values.hold(Type(zone.of), held)
        elif not claimed:
            message = f"nothing can be put on {point}: `del: [{point}]` empties it"
            values.tell("type-mismatch", where, message)


def _wrong_any(values: CaseValues, node: YamlNode) -> Fault:
    """A name of anything that chance may take."""
    word, game = folded(scalar(node)), values.names.game
    there = word in game.entities_by_record or word in values.symbols.values
    if there or values.names.entities_of(word):
        return None
    names = [name for names in game.records.values() for name in names.values()]
    return unknown(node, f"there is nothing called `{scalar(node)}`", word, names)


Laid = tuple[str, YamlNode | None]
"""The name of a thing that lies somewhere, and where the case says so; a table has no place."""


def _check_two_places(
    values: CaseValues, words: NotationWords, given: YamlNode, fresh: bool
) -> None:
    """What is laid out twice, the usual table among it; set-up lays out a `fresh` game, but for piles."""
    zones = values.symbols.zones
    laid = [
        (zones[entry["zone"]].of, one)
        for key, entry in words.given.items()
        if "zone" in entry and (zones[entry["zone"]].lazy or not fresh)
        for one in _laid(words, zones[entry["zone"]].at, given.get(key))
    ]
    laid.sort(key=lambda one: one[1][1] is not None)
    seen: set[tuple[str, str]] = set()
    for of, (name, node) in laid:
        if (of, folded(name)) in seen and node is not None:
            values.tell("repeated-entry", node, f"`{name}` lies in two places")
        seen.add((of, folded(name)))


def _laid(words: NotationWords, at: str, node: YamlNode | None) -> Iterator[Laid]:
    """What lies in a zone; on points, what the usual table has there as well."""
    if not at:
        for part in (node, *entries_of(node).values()):
            yield from ((scalar(one), one) for one in items_of(part))
        return
    said = entries_of(node)
    changes = not said.keys().isdisjoint(CHANGES)
    new = entries_of(said.get("set")) if changes else said
    gone = {scalar(one) for one in items_of(said.get("del"))} if changes else set()
    if changes or not said:
        base = said.get("base") if changes else node
        usual = next(iter(words.tables), "")
        table = words.tables.get(scalar(base) if base is not None else usual, {})
        yield from ((str(one), None) for at, one in table.items() if at not in {*new, *gone})
    yield from ((scalar(one), one) for at, one in new.items() if at not in gone)


def _check_supply(
    values: CaseValues,
    words: NotationWords,
    given: YamlNode,
    entry: Mapping[str, Any],
    listed: Sequence[YamlNode],
) -> None:
    """The first token of each sort beyond the most that there can be."""
    entity = values.symbols.entities[entry["token"]]
    if len(listed) > entity.most:
        message = f"there are at most {entity.most} {entity.plural}, and not {len(listed)}"
        values.tell("out-of-bounds", listed[entity.most], message)
    if "supply" not in entry:
        return
    most, by = entry["supply"]["most"], entry["supply"]["for_each"]
    number = most if isinstance(most, int) else _chosen(values, words, given, most)
    sorts: dict[tuple[str, ...], list[YamlNode]] = {}
    for one in listed if isinstance(number, int) else ():
        parts = values.parts_of(entity.name, scalar(one))
        if parts is not None:
            sorts.setdefault(tuple(parts[field] for field in by), []).append(one)
    for sort, alike in sorts.items():
        over = alike[number:]
        if over:
            said = " and ".join(map(" ".join, zip(by, sort, strict=True)))
            limit = "" if isinstance(most, int) else f" (`{most}`)"
            message = f"there are at most {number} {entity.plural} of {said}{limit}"
            which = "this one" if len(over) == 1 else f"{len(over)} of them"
            told = f"{message}, and not {len(alike)}"
            values.tell("out-of-bounds", over[0], told, f"leave out {which}")


def _chosen(values: CaseValues, words: NotationWords, given: YamlNode, name: str) -> Any:
    """The value of a setting in this case."""
    value: object = words.settings.get(name, values.symbols.settings[name].value)
    for key, entry in words.given.items():
        if entry.get("setting") == name and (node := given.get(key)) is not None:
            value = node.value
    for part in ("switches", "settings"):
        for key, node in entries_of(given.get(part)).items():
            value = node.value if folded(key) == name else value
    return value
