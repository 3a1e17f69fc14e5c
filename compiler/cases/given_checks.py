"""Holds `given` of a case against the game: settings, things, state, what play has made, zones."""

from __future__ import annotations

from fractions import Fraction

from ruleloom.compiler.cases.case_values import (
    CaseValues,
    Fault,
    Faults,
    fault,
    some,
    unknown,
    unknown_item,
)
from ruleloom.compiler.cases.case_words import (
    NONE,
    Bounded,
    name_and_words,
    number_in,
    reach_of,
    within,
)
from ruleloom.compiler.cases.known_names import (
    Key,
    Where,
    WordOfKey,
    entries,
    scalar,
)
from ruleloom.compiler.resolve.symbols import EntitySymbol, FieldSymbol, ScopeSymbol, SettingSymbol
from ruleloom.compiler.resolve.values import folded
from ruleloom.compiler.schema.expected_values import how_to_write
from ruleloom.compiler.types import with_article
from ruleloom.compiler.yaml.node import YamlNode, entries_of, items_of
from ruleloom.runtime.program.program import Zone
from ruleloom.runtime.program.values import BOOL, PLAYER, Type


def wrong_choices(values: CaseValues, given: YamlNode, illegal: bool) -> Faults:
    """The mistakes in the settings and switches; a case of a refusal may go beyond them."""
    settings = values.names.game.symbols.settings
    for part in ("settings", "switches"):
        for name, node, where in entries(given.get(part)):
            known = settings.get(folded(name))
            if known is None:
                message = f"there is no switch or setting `{name}`"
                yield from some(unknown_item(values.names, where, message, name, settings))
            else:
                yield from some(_wrong_setting(values, known, node, illegal))


def _wrong_setting(
    values: CaseValues, setting: SettingSymbol, node: YamlNode, illegal: bool
) -> Fault:
    word = scalar(node)
    if setting.options:
        if word in setting.options:
            return None
        message = f"`{setting.name}` has no option `{word}`"
        return unknown(node, message, word, setting.options)
    if setting.type == BOOL and word in ("yes", "no"):
        return None
    found = values.why_not(setting.type, node)
    return found if found is not None or illegal else _beyond(setting, number_in(word), node)


def _beyond(bounded: Bounded, number: int | Fraction | None, where: Where) -> Fault:
    if number is None or within(bounded, number):
        return None
    return fault("out-of-bounds", where, f"`{bounded.name}` {reach_of(bounded)}")


def wrong_players(values: CaseValues, given: YamlNode) -> Faults:
    """The mistakes in the players, and in who acts."""
    seen: set[str] = set()
    players = values.names.game.symbols.entities.get("Player")
    for node in items_of(given.get("players")):
        if scalar(node) in seen:
            yield fault("repeated-entry", node, f"`{scalar(node)}` stands here twice")
        seen.add(scalar(node))
    if players is not None and len(seen) > players.most:
        where = entries_of(given)["players"]
        yield fault("out-of-bounds", where, f"a game has at most {players.most} players")
    me = given.get("me")
    if me is not None:
        yield from some(values.why_not(PLAYER, me))


def wrong_state(values: CaseValues, given: YamlNode) -> Faults:
    """The mistakes in the fields of things, and in the variables of the game."""
    game = values.names.game
    for name, node, where in entries(given.get("state")):
        variable = game.symbols.scope.get(folded(name))
        if node.kind == "map":
            yield from _wrong_fields(values, name, node, where)
        elif variable is not None:
            yield from some(_wrong_value(values, variable, node))
        elif values.names.entities_of(name):
            kind = values.noun_of(values.names.entities_of(name)[0])
            message = f"the fields of {with_article(kind)} are wanted here"
            yield fault("type-mismatch", node, message, f"`{name}: {{field: value}}`")
        else:
            message = f"there is no variable of the game and no thing `{name}`"
            known = [*game.symbols.scope, *values.names.all_names()]
            yield from some(unknown_item(values.names, where, message, name, known))


def _wrong_fields(values: CaseValues, name: str, node: YamlNode, where: Where) -> Faults:
    names = values.names
    entities = names.entities_of(name)
    if not entities:
        message = f"there is no thing or player `{name}`"
        yield from some(unknown_item(names, where, message, name, names.all_names()))
        return
    for said, value, at in entries(node):
        yield from some(_wrong_field(values, name, entities, said, value, at))


def _wrong_field(
    values: CaseValues,
    name: str,
    entities: tuple[str, ...],
    said: str,
    node: YamlNode,
    where: Key,
) -> Fault:
    symbols = values.names.game.symbols
    slug, words = name_and_words(said)
    of = symbols.fields.get(folded(slug), {})
    fields = [of[one] for one in entities if one in of and not of[one].static]
    if not fields:
        known = _changing(values, entities)
        message = f"`{name}` has no field `{slug or said}` that changes in play"
        return unknown(where, message, slug or said, known)
    field = fields[0]
    return wrong_key(values, field, words, node, where) or _wrong_value(values, field, node)


def _changing(values: CaseValues, entities: tuple[str, ...]) -> list[str]:
    """The fields of things that change in play."""
    known = values.names.game.symbols.entities
    fields = (pair for one in entities if one in known for pair in known[one].fields.items())
    return [name for name, field in fields if not field.static]


def _wrong_value(values: CaseValues, field: FieldSymbol | ScopeSymbol, node: YamlNode) -> Fault:
    found = values.why_not(field.type, node)
    if found is not None or field.type.many or (field.low is None and field.high is None):
        return found
    return _beyond(field, number_in(scalar(node)), node)


def wrong_key(
    values: CaseValues, field: FieldSymbol, words: tuple[str, ...], node: YamlNode, where: Key
) -> Fault:
    """The mistake in the parentheses behind a field."""
    if len(words) != bool(field.by):
        wanted = values.noun(Type(field.by)) if field.by else "nothing"
        return fault(
            "missing-argument" if field.by else "too-many-arguments",
            where,
            f"`{field.name}` has {wanted} in parentheses",
        )
    if not words:
        return None
    return values.why_not_word(Type(field.by), node, words[0], WordOfKey(where, words[0]))


def wrong_made(values: CaseValues, given: YamlNode) -> Faults:
    """The mistakes in the things that play would have made."""
    known = values.names.game.made_in_play
    for kind, named, where in entries(given.get("made")):
        entity = known.get(kind)
        if entity is None:
            yield unknown(where, f"nothing makes a `{kind}` in play", kind, known)
            continue
        if named.kind != "map":
            yield fault("type-mismatch", named, f"`{kind}` has things by name")
        for name, fields, at in entries(named):
            yield from _wrong_made_thing(values, entity, name, fields, at)


def _wrong_made_thing(
    values: CaseValues, entity: EntitySymbol, name: str, fields: YamlNode, where: Where
) -> Faults:
    if fields.kind != "map":
        yield fault("type-mismatch", fields, f"`{name}` has fields, each with a value")
        return
    present = entity.present in map(folded, fields.entries)
    if not present and all(folded(key) in entity.fields for key in fields.entries):
        message = f"`{name}` is not there without a `{entity.present}`"
        yield fault("missing-field", where, message, f"add `{entity.present}:`")
    for said, node, at in entries(fields):
        if folded(said) == entity.present and scalar(node) == NONE:
            message = f"`{name}` is not there without a `{entity.present}`"
            yield fault("missing-field", node, message)
            continue
        yield from _wrong_made_field(values, entity, said, node, at)


def _wrong_made_field(
    values: CaseValues, entity: EntitySymbol, said: str, node: YamlNode, where: Key
) -> Faults:
    slug, words = name_and_words(said)
    callables = values.names.game.symbols.callables
    field, query = entity.fields.get(folded(slug)), callables.get(folded(slug))
    if field is not None and not field.static:
        yield from some(
            wrong_key(values, field, words, node, where) or _wrong_value(values, field, node)
        )
    elif query is not None and query.of:
        yield from _wrong_members(values, query.of, node)
    else:
        lists = [one for one, callee in callables.items() if callee.of]
        message = f"{with_article(entity.singular)} has no `{slug or said}`"
        known = [*_changing(values, (entity.name,)), *lists]
        yield unknown(where, message, slug or said, known)


def _wrong_members(values: CaseValues, of: str, node: YamlNode) -> Faults:
    """The things a query finds: by name, or a number of them for each value of their sort."""
    entity = values.names.game.symbols.entities.get(of.partition(".")[0])
    groups = [(None, node, node)] if node.kind != "map" else list(entries(node))
    for value, members, where in groups:
        if value is not None and entity is not None:
            yield from _wrong_sort(values, entity, value, where)
        numbers = any(one.kind == "int" for one in members.items)
        if members.kind not in ("int", "list") or numbers:
            message = "a list of names or a number is wanted here"
            yield fault("type-mismatch", members, message, how_to_write(members, ("integer",)))
        for one in members.items:
            if one.kind in ("map", "list", "bool"):
                yield fault("type-mismatch", one, "a name is wanted here", "put it in quotes")


def _wrong_sort(values: CaseValues, entity: EntitySymbol, value: str, where: Where) -> Faults:
    enums = values.names.game.symbols.enums
    changing = [one for one in entity.fields.values() if not one.static]
    sorts = [word for one in changing for word in enums.get(one.type.name, ())]
    if value not in sorts:
        yield unknown(where, f"{entity.plural} are not told apart by `{value}`", value, sorts)


def wrong_zones(values: CaseValues, zones: YamlNode | None) -> Faults:
    """The mistakes in the contents of zones, as given or as claimed."""
    symbols = values.names.game.symbols
    for name, node, where in entries(zones):
        zone = symbols.zones.get(folded(name))
        if zone is None or zone.at:
            known = [one for one, of in symbols.zones.items() if not of.at]
            yield unknown(where, f"there is no zone `{name}`", name, known)
            continue
        yield from _wrong_zone(values, zone, name, node)


def _wrong_zone(values: CaseValues, zone: Zone, name: str, node: YamlNode) -> Faults:
    parts = list(node.entries.values()) if zone.per_player else [node]
    if zone.per_player != (node.kind == "map") or any(one.kind != "list" for one in parts):
        what = "for each player" if zone.per_player else "of what lies there"
        wrong = next((one for one in parts if one.kind != "list"), node)
        yield fault("type-mismatch", wrong, f"`{name}` is a list {what}")
        return
    for player, _, at in entries(node):
        yield from some(values.why_no_player(player, at, node))
    for part in parts:
        yield from some(values.why_not(Type(zone.of, many=True), part))
