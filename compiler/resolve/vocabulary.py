"""Reads a vocabulary into the symbol table: enums, points, entities, zones, variables, parts.

From the vocabulary items it makes names with types. Queries and operations are read by
`ruleloom.compiler.resolve.operations`; expressions (initial values, rules that always hold) are checked
once every name is known. A part is made by an entry of a field of its owner's item; an entity that a
record refers to must be made by records too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.graph import components, is_circle
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.place_parts import EMPTIED, GOES_TO, WHILE
from ruleloom.compiler.packs.settings import TAGS
from ruleloom.compiler.packs.tagged_parts import TAGGED
from ruleloom.compiler.resolve.declare import check_holes, claim, hole_help, hole_place, type_in
from ruleloom.compiler.resolve.symbols import (
    Bearer,
    EntitySymbol,
    FieldSymbol,
    PartSymbol,
    ScopeSymbol,
    Symbols,
)
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.types import UNKNOWN, is_unknown, with_article
from ruleloom.compiler.yaml.node import YamlNode, entries_of, fields_of, items_of, text_of
from ruleloom.runtime.program.program import ITEM_OF, Zone
from ruleloom.runtime.program.texts import TEXT_HOLE
from ruleloom.runtime.program.values import FRACTION, INT, PLAYER, TEXT, Type

PLAYER_MOST = 6
ENTITY_MOST = 1_000
NO_ORDER = "without `order:`, it begins empty, and chance takes things from it, too"
Fields = Mapping[str, FieldSymbol]
# The sort of words, the section of vocabularies that has them, and their field.
_WORDED = (
    *(("roll", "rolls", ""), ("value", "words", ""), ("counted", "counted", "")),
    *(("scope", "scope", "english"), ("zones", "zones", "english")),
)
# The sort of words, the kind of item that has them, and their field.
_CALLED = (
    ("setting", "setting", "english"),
    ("setting", "switch", "english"),
    ("tag", "tag", "english"),
    ("called", "rule", "called"),
)


def read_things(content: Content, symbols: Symbols, report: Report) -> None:
    """Add the types, zones and variables of the vocabularies."""
    items = content.by_kind("vocabulary")
    for item in items:
        _types(item, symbols, report)
    for item in items:
        for name, _, place in section(item, "words"):
            if name not in symbols.values and not symbols.poisoned.mentions(name):
                help = did_you_mean(name, symbols.values) or "the name of a value of an enum"
                report.error("unknown-name", place, f"no enum has a value `{name}`", help)
        _kinds(item, symbols, report)
        _entities(item, symbols, report)
        _zones(item, symbols, report)
        _scope(item, symbols, report)
    for item in items:
        _rolls_for(item, symbols, report)
        _check_spots(item, symbols, report)
        _check_directions(item, symbols, report)


def _rolls_for(item: Item, symbols: Symbols, report: Report) -> None:
    """Add the type of the person that dice are rolled for: none unless a roll says it, but of players."""
    name = _named_type(item.fields, "rolls_for", [*symbols.entities], report)
    if name:
        symbols.rolls_for["person"] = Type(name, optional=name != PLAYER.name)


def _check_directions(item: Item, symbols: Symbols, report: Report) -> None:
    """Report directions that are no values of an enum."""
    for enum, node, place in section(item, "directions"):
        if enum not in symbols.enums:
            help = did_you_mean(enum, symbols.enums)
            report.error("unknown-type", place, f"there is no enum `{enum}`", help)
            continue
        for value, _, at in fields_of(node):
            if value not in symbols.enums[enum]:
                help = did_you_mean(value, symbols.enums[enum])
                report.error("unknown-name", at, f"`{enum}` has no value `{value}`", help)


def _check_spots(item: Item, symbols: Symbols, report: Report) -> None:
    """Report words for points that are not after what lies in a public zone."""
    for name, node, _ in section(item, "values"):
        public = [one for one in symbols.zones.values() if one.at == name and one.seen_by == "all"]
        zones = [one.name for one in public]
        for text, _, place in fields_of(node.get("english")):
            holes = TEXT_HOLE.findall(text)
            if len(holes) == 1 and holes[0] in zones:
                continue
            noun = with_article(symbols.nouns[name][0])
            message = f"`{text}`: {noun} is called after what lies in one zone that everybody sees"
            help = f"write one hole, `{{{zones[0]}}}`" if zones else None
            report.error("unknown-name", place, message, help)


def section(item: Item, name: str) -> Iterator[tuple[str, YamlNode, Place]]:
    """The entries of one section: name, node, and place of the name."""
    return fields_of(item.fields.get(name))


def sections(content: Content, name: str) -> Iterator[tuple[str, YamlNode, Place]]:
    """The entries of one section of all vocabularies."""
    return chain.from_iterable(section(item, name) for item in content.by_kind("vocabulary"))


def int_of(node: YamlNode, key: str) -> int | None:
    """The whole number in a field of a map."""
    child = node.get(key)
    return child.value if child is not None and type(child.value) is int else None


def _enums(item: Item, symbols: Symbols, report: Report) -> None:
    for name, node, place in section(item, "enums"):
        if not all(claim(symbols, report, table, name, place) for table in ("type", "value")):
            continue
        symbols.types[name] = place
        symbols.enums[name] = tuple(one.text or one.raw for one in node.items)
        for value, one in zip(symbols.enums[name], node.items, strict=True):
            if claim(symbols, report, "value", value, one.place):
                symbols.values[value] = name
            if symbols.belonging.pack(one.place) != symbols.belonging.pack(place):
                symbols.new_values.add(name, value, one.place)


def _types(item: Item, symbols: Symbols, report: Report) -> None:
    _enums(item, symbols, report)
    for name, node, place in section(item, "values"):
        if claim(symbols, report, "type", name, place):
            symbols.types[name] = symbols.points[name] = place
            _noun(symbols, name, node)
    for name, node, place in section(item, "entities"):
        if claim(symbols, report, "type", name, place):
            symbols.types[name] = place
            _noun(symbols, name, node)
            if "records" in node.entries or "part_of" in node.entries:
                claim(symbols, report, "value", name, place)
    if "Player" not in symbols.types:
        symbols.types["Player"] = item.place
        symbols.nouns["Player"] = ("player", "players")


def _noun(symbols: Symbols, name: str, node: YamlNode) -> None:
    noun = node.get("noun")
    words = [text_of(one) for one in items_of(noun)]
    if len(words) == 2:
        symbols.nouns[name] = (words[0], words[1])
    elif noun is not None and noun.text:
        symbols.nouns[name] = (noun.text, f"{noun.text}s")


def _kinds(item: Item, symbols: Symbols, report: Report) -> None:
    for name, node, place in section(item, "kinds"):
        if not claim(symbols, report, "kind", name, place):
            continue
        makes = node.get("makes")
        entity = text_of(makes)
        if makes is not None and entity not in symbols.types:
            help = did_you_mean(entity, symbols.types)
            report.error("unknown-type", makes.place, f"there is no entity `{entity}`", help)
            entity = ""
            symbols.poisoned.add("this")
        symbols.kinds[name] = entity
        read_bearer(name, node.get("bearer"), symbols, report)


def read_bearer(kind: str, bearer: YamlNode | None, symbols: Symbols, report: Report) -> None:
    """Read `bearer: {entity: Character, when: "has(self, this)"}`, the bearers of these items."""
    entity, when, among = (entries_of(bearer).get(key) for key in ("entity", "when", "among"))
    if bearer is None or entity is None or when is None:
        return
    name = entity.text or ""
    if name not in symbols.types:
        help = did_you_mean(name, symbols.types)
        report.error("unknown-type", entity.place, f"there is no entity `{name}`", help)
        return
    symbols.bearers[kind] = Bearer(name, when, bearer.place, among)


def _entities(item: Item, symbols: Symbols, report: Report) -> None:
    for name, node, place in section(item, "entities"):
        if symbols.places.get(("type", name)) != place:
            continue
        fields: dict[str, FieldSymbol] = {}
        for part, static in (("fields", False), ("static", True)):
            for field in _fields(name, node.get(part), static, symbols, report):
                fields[field.name] = field
                symbols.fields.setdefault(field.name, {})[name] = field
        symbols.entities[name] = _entity(name, node, place, fields, symbols, report)
    if "Player" not in symbols.entities:
        symbols.entities["Player"] = EntitySymbol(
            "Player", "player", "players", PLAYER_MOST, {}, "", (), symbols.types["Player"]
        )


def _fields(
    entity: str, node: YamlNode | None, static: bool, symbols: Symbols, report: Report
) -> Iterator[FieldSymbol]:
    for name, child, place in fields_of(node):
        type_ = type_in(symbols, report, child if child.kind == "text" else child.get("type"))
        claim(symbols, report, f"field of {entity}", name, place)
        if name not in symbols.fields:
            claim(symbols, report, "call", name, place)
        by = _named_type(child, "by", [*symbols.types], report)
        if "by" in child.entries and not by:
            by = UNKNOWN.name
        low, high = int_of(child, "min"), int_of(child, "max")
        check_holes(child.get("english"), symbols, report, also=("it", "key") if by else ("it",))
        _check_words(child, type_, low, high, report)
        yield FieldSymbol(entity, name, type_, static, low, high, by, child)


def _check_words(
    field: YamlNode, type_: Type, low: int | None, high: int | None, report: Report
) -> None:
    """Report words for numbers that are not one for each."""
    words = field.get("words")
    many = None if low is None or high is None else high - low + 1
    if words is not None and (type_ != INT or many != len(items_of(words))):
        message = "`words:` are for a number, one for each from its `min:` to its `max:`"
        there = f"there are {many} numbers and {len(items_of(words))} words" if many else None
        report.error("type-mismatch", words.place, message, there)


def _entity(
    name: str, node: YamlNode, place: Place, fields: Fields, symbols: Symbols, report: Report
) -> EntitySymbol:
    singular, plural = symbols.nouns.get(name, (name.lower(), f"{name.lower()}s"))
    symbols.nouns[name] = (singular, plural)
    there = _present(singular, node, fields, report)
    records = _records(name, node, symbols, report)
    most = int_of(node, "max") or (PLAYER_MOST if name == "Player" else ENTITY_MOST)
    recorded = "records" in node.entries or "part_of" in node.entries
    if recorded:
        item = FieldSymbol(name, ITEM_OF, Type(name), True, None, None)
        symbols.fields.setdefault(ITEM_OF, {}).setdefault(name, item)
    _check_tagged(plural, recorded, node.get(TAGGED), symbols, report)
    named_by = _named_by(name, node, fields, symbols, report)
    alike, person = (
        (written := node.get(one)) is not None and written.value is True
        for one in ("alike", "person")
    )
    described = _described(node, singular, recorded or name == "Player", fields, report)
    return EntitySymbol(
        name, singular, plural, most, fields, there, records, place, recorded, None, named_by, alike,
        person, described,
    )  # fmt: skip


def _described(
    node: YamlNode, singular: str, is_titled: bool, fields: Fields, report: Report
) -> str:
    """What things without a title are called, with holes for their fields; empty without it."""
    english = node.get("english")
    if english is None:
        return ""
    if is_titled:
        message = f"{with_article(singular)} has a name of its own"
        report.error("kinds-disagree", english.place, message, "take out `english:`")
        return ""
    known = [one.name for one in fields.values() if not one.static and not one.by]
    unknown = [one for one in TEXT_HOLE.finditer(text_of(english)) if one[1] not in known]
    for hole in unknown:
        message = f"nothing fills the hole `{hole[0]}`"
        report.error("unknown-name", hole_place(english, hole), message, hole_help(hole[1], known))
    return "" if unknown else text_of(english)


def _check_tagged(
    plural: str, recorded: bool, tagged: YamlNode | None, symbols: Symbols, report: Report
) -> None:
    """Report an entity that play cannot tag."""
    if tagged is None or tagged.value is not True:
        return
    if recorded:
        message = f"the tags of {plural} are printed on them"
        help = "`tags: [...]` in their items"
        report.error("kinds-disagree", tagged.place, message, help)
    elif not symbols.tags and not symbols.poisoned.may_declare(TAGS):
        message = f"no pack declares a tag that {plural} could have"
        report.error("unknown-name", tagged.place, message, "an item of the kind `tag`")


def _present(singular: str, node: YamlNode, fields: Fields, report: Report) -> str:
    """The field that says whether a thing is in play; empty without one."""
    present, there = node.get("present"), text_of(node.get("present"))
    moving = [one.name for one in fields.values() if not one.static and one.type.optional]
    if present is not None and there not in moving:
        message = f"`{there}` must be a field of {with_article(singular)} that may be none"
        report.error("unknown-name", present.place, message, did_you_mean(there, moving))
        return moving[0] if moving else ""
    return there


def _named_by(name: str, node: YamlNode, fields: Fields, symbols: Symbols, report: Report) -> str:
    """The field with a thing's name given by players; empty without one."""
    written = node.get("named_by")
    if written is None:
        return ""
    if name == "Player":
        message = "players have names of their own"
        report.error("type-mismatch", written.place, message, "take out `named_by:`")
        return ""
    field = written.text or ""
    texts = [
        one.name
        for one in fields.values()
        if not one.static and not one.by and one.type.present == TEXT
    ]
    if field not in texts:
        noun = with_article(symbols.nouns[name][0])
        message = f"`{field}` must be a field of {noun} that is a text and can change"
        help = did_you_mean(field, texts) or f"under `fields:` write `{field}: Text`"
        report.error("unknown-name", written.place, message, help)
        return ""
    symbols.read.add(f"{name}.{field}")
    return field


def _records(name: str, node: YamlNode, symbols: Symbols, report: Report) -> tuple[str, ...]:
    """The content kinds that make this entity; reports a mismatch of `records` and `kinds`."""
    listed = {text_of(one): one for one in items_of(node.get("records"))}
    for kind, one in listed.items():
        if kind not in symbols.kinds:
            help = did_you_mean(kind, symbols.kinds)
            report.error("unknown-name", one.place, f"there is no kind `{kind}`", help)
        elif symbols.kinds[kind] not in ("", name):
            report.error("kinds-disagree", one.place, f"`{kind}` does not say `makes: {name}`")
    makers = [kind for kind, makes in symbols.kinds.items() if makes == name]
    for kind in makers:
        if kind not in listed and listed.keys() <= symbols.kinds.keys():
            message = f"`{name}` does not name `{kind}` among its `records:`"
            report.error("kinds-disagree", symbols.places["kind", kind], message)
    return tuple(filter(makers.__contains__, listed))


def _zones(item: Item, symbols: Symbols, report: Report) -> None:
    for name, node, place in section(item, "zones"):
        per, at = text_of(node.get("per")), text_of(node.get("at"))
        fine = all(claim(symbols, report, table, name, place) for table in ("value", "call"))
        of = _named_type(node, "of", [*symbols.entities], report)
        fine &= not at or bool(_named_type(node, "at", [*symbols.points], report))
        under = per if per != "Player" else ""
        fine &= node.get("per") is None or _may_be_per(node, symbols, report)
        fine &= _check_under(name, under, node, symbols, report)
        if not fine or not of:
            symbols.poisoned.add(name)
            continue
        lazy = _is_pile(name, of, node, symbols, report)
        options = entries_of(node.get("open_if")).items()
        open_if = [(switch, one.text or one.raw) for switch, one in options]
        seen_by = text_of(node.get("seen_by")) or "all"
        packs = {symbols.belonging.pack(one) for one in (item.place, place)}
        symbols.zones[name] = Zone(
            *(name, of, per == "Player", at, seen_by, lazy),
            open_if=open_if[0] if open_if else (),
            beside=len(packs) > 1,
            under=under,
        )


def _may_be_per(node: YamlNode, symbols: Symbols, report: Report) -> bool:
    """Whether a zone is whole, or parted by players, things or points that may have a part."""
    things = [one.name for one in symbols.entities.values() if one.records or one.present]
    return bool(_named_type(node, "per", ["Player", *things, *symbols.points], report))


def _is_pile(name: str, of: str, node: YamlNode, symbols: Symbols, report: Report) -> bool:
    """Whether a zone is a pile of unknown order; reports one that cannot be, and a second one."""
    order = node.get("order")
    if order is None or order.text != "lazy":
        return False
    if not node.entries.keys().isdisjoint(("per", "at")):
        why = "a pile of unknown order is one pile, and nobody's"
        report.error("not-a-pile", order.place, f"`{name}` cannot be drawn from: {why}")
    piles = [one.name for one in symbols.zones.values() if one.of == of and one.lazy]
    if piles:
        why = f"in the beginning all {symbols.nouns[of][1]} lie in `{piles[0]}`"
        report.error("not-a-pile", order.place, f"`{name}` is no second pile: {why}", NO_ORDER)
    return True


def _check_under(name: str, under: str, node: YamlNode, symbols: Symbols, report: Report) -> bool:
    """Report a zone of things or points without what becomes of what lies there, or one that needs none."""
    seen_by = node.get("seen_by")
    if under and seen_by is not None and seen_by.text == "owner":
        message = f"`{name}` is nobody's own, so no owner sees it"
        report.error("kinds-disagree", seen_by.place, message, "`all` or `nobody`")
        return False
    leaves = under in symbols.entities and symbols.entities[under].present
    for word in EMPTIED:
        if under and word not in node.entries and not (word == WHILE and leaves):
            message = f"`{name}` does not say what becomes of things there when their place goes"
            help = f"`{WHILE}:` is the condition for the `place`, and `{GOES_TO}:` the zone they go to then"
            report.error("missing-field", node.place, message, help)
            return False
        if not under and word in node.entries:
            message = f"`{name}` is always there"
            report.error("kinds-disagree", node.key_place(word), message, f"delete `{word}:`")
            return False
    return True


def _written(node: YamlNode | None) -> str:
    return "" if node is None else node.text or node.raw


def _named_type(
    node: YamlNode | Mapping[str, YamlNode], key: str, choices: list[str], report: Report
) -> str:
    child = node.get(key)
    name = _written(child)
    if child is None or name in choices:
        return name
    help = did_you_mean(name, choices)
    report.error("unknown-type", child.place, f"`{name}` is not a type that can stand here", help)
    return ""


def _scope(item: Item, symbols: Symbols, report: Report) -> None:
    for name, node, place in section(item, "scope"):
        type_ = type_in(symbols, report, node.get("type"))
        if claim(symbols, report, "value", name, place):
            low, high = int_of(node, "min"), int_of(node, "max")
            symbols.scope[name] = ScopeSymbol(name, type_, place, low, high)
            _check_bounds(symbols.scope[name], node, report)
    me, help = symbols.scope.get("me"), "add `me: {type: Player, life: game}` to `scope:`"
    if me is None:
        if symbols.scope or symbols.operations:  # else the vocabulary is a stub: nobody acts yet
            message = "the vocabulary has no variable `me`: who acts"
            report.error("no-me", item.place, message, help)
        symbols.scope["me"] = ScopeSymbol("me", PLAYER, item.place)
    elif me.type != PLAYER and not is_unknown(me.type):
        report.error("type-mismatch", me.place, "`me` must be a player", help)


def read_parts(content: Content, symbols: Symbols, report: Report) -> None:
    """Add the declared parts of entities; report printed fields that no item could fill."""
    recorded = [name for name, one in symbols.entities.items() if one.recorded]
    for name, node, place in sections(content, "entities"):
        if "part_of" in node.entries and symbols.places.get(("type", name)) == place:
            part = _part(symbols.entities[name], node, recorded, symbols, report)
            symbols.entities[name] = replace(symbols.entities[name], part=part)
            _listed(name, part, node, symbols, report)
    _refuse_circles(symbols, report)
    for entity in symbols.entities.values():
        _check_types(entity, recorded, symbols, report)


def _listed(name: str, part: PartSymbol, node: YamlNode, symbols: Symbols, report: Report) -> None:
    """Add the field with the entries: the list of an owner's parts."""
    under = node.get("under")
    whole = symbols.entities.get(part.of)
    if under is None or whole is None:
        symbols.poisoned.add(*(name for name in (part.under,) if name))
        return
    tables = [f"field of {part.of}", *(() if part.under in symbols.fields else ("call",))]
    if not all(claim(symbols, report, one, part.under, under.place) for one in tables):
        return
    field = FieldSymbol(part.of, part.under, Type(name, many=True), True, None, None, parts=True)
    symbols.entities[part.of] = replace(whole, fields={**whole.fields, part.under: field})
    symbols.fields.setdefault(part.under, {})[part.of] = field


def _refuse_circles(symbols: Symbols, report: Report) -> None:
    parts = {name: one.part for name, one in symbols.entities.items() if one.part is not None}
    wholes = {name: {part.of} for name, part in parts.items()}
    for circle in (some for some in components(wholes) if is_circle(some, wholes)):
        for name in circle:
            message = f"{symbols.entities[name].plural} are parts of themselves"
            report.error("kinds-disagree", parts[name].place, message)


def _part(
    entity: EntitySymbol, node: YamlNode, recorded: Sequence[str], symbols: Symbols, report: Report
) -> PartSymbol:
    """The declaration of an entity as a part; without `of` after an error."""
    of, noun, before = node.entries["part_of"], with_article(entity.singular), report.count
    whole = _written(of)
    if entity.records:
        message = f"{noun} is made by items or is part of something, not both"
        report.error("kinds-disagree", of.place, message, "delete `records:` or `part_of:`")
    if whole not in recorded:
        help = did_you_mean(whole, recorded)
        report.error("unknown-type", of.place, f"`{whole}` is nothing that records make", help)
        whole = ""
    owner = _printed_field(entity, node, "owner", None, report)
    if owner is not None and whole and owner.type != Type(whole) and not is_unknown(owner.type):
        what = with_article(symbols.nouns[whole][0])
        wanted = f"`{owner.name}` must be of the type `{whole}`"
        message = f"the owner of {noun} is {what}, so {wanted}"
        report.error("type-mismatch", node.entries["owner"].place, message)
    found = [_printed_field(entity, node, one, owner, report) for one in ("short", "key", "value")]
    named = (one.name if one is not None else "" for one in (owner, *found))
    whose, short, key, value = named
    if "key" in node.entries and "short" in node.entries:
        place = node.key_place("short")
        message = (
            f"with `key:` a plain value stands for the field `value:`, so {noun} has no `short:`"
        )
        report.error("kinds-disagree", place, message, "write `value:`")
    of_what = whole if report.count == before else ""
    return PartSymbol(of_what, _written(node.get("under")), whose, short, key, value, of.place)


def _printed_field(
    entity: EntitySymbol, node: YamlNode, word: str, owner: FieldSymbol | None, report: Report
) -> FieldSymbol | None:
    """The printed field that a word of a part's declaration names."""
    written = node.get(word)
    if written is None:
        return None
    printed = {f.name: f for f in entity.fields.values() if f.static and f is not owner}
    name = written.text or written.raw
    if name not in printed:
        noun = with_article(entity.singular)
        message = f"nothing called `{name}` is printed on {noun}"
        if owner is not None and name == owner.name:
            message = f"`{name}` is the owner of {noun}, and is never written"
        report.error("unknown-name", written.place, message, did_you_mean(name, printed))
    elif printed[name].by:
        message = f"`{name}` is a table, so nothing plain can stand for it"
        report.error("type-mismatch", written.place, message)
    return printed.get(name)


def _check_types(
    entity: EntitySymbol, recorded: list[str], symbols: Symbols, report: Report
) -> None:
    """Report printed fields that are no plain values or records, and a bad `by`."""
    keys = [*symbols.enums, *recorded]
    for field in entity.fields.values():
        if field.written is None:
            continue
        node, by = field.written.get("type") or field.written, field.written.get("by")
        _check_made(field, node, recorded, symbols, report)
        if by is not None and field.by in symbols.types and field.by not in keys:
            message = f"`{field.by}` is not a type that can stand here"
            help = did_you_mean(field.by, keys) or "an enum, or an entity that items make"
            report.error("unknown-type", by.place, message, help)
        if field.type.by_player:
            message = f"`{field.type}` holds the answers of a secret choice"
            report.error("unknown-type", node.place, f"{message}, and no field keeps those")
        _check_bounds(field, field.written, report)


def _check_made(
    field: FieldSymbol, node: YamlNode, recorded: list[str], symbols: Symbols, report: Report
) -> None:
    if field.static and field.type.name in symbols.entities and field.type.name not in recorded:
        message = f"items can only name what items make, and no items make `{field.type.name}`"
        help = did_you_mean(field.type.name, recorded)
        report.error("unknown-type", node.place, message, help)


def _check_bounds(field: FieldSymbol | ScopeSymbol, written: YamlNode, report: Report) -> None:
    """Report a `min` or `max` of a field that is no number, or an empty range."""
    word = next((word for word in ("min", "max") if word in written.entries), None)
    if word is None or is_unknown(field.type):
        return
    if field.type.name not in (INT.name, FRACTION.name):
        message = f"`{word}` bounds a number, and `{field.name}` is of the type `{field.type}`"
        report.error("kinds-disagree", written.key_place(word), message, f"delete `{word}:`")
    elif field.low is not None and field.high is not None and field.low > field.high:
        message = f"nothing is from {field.low} to {field.high}"
        report.error("out-of-bounds", written.key_place("min"), message, "exchange `min` and `max`")


def enter_words(content: Content, symbols: Symbols) -> None:
    """Add the English of the authors, once all functions are known."""
    with symbols.lookups.apart():
        parts = re.findall(r"[^_]{2,}", "_".join(symbols.callables))
    symbols.capitals.update({part.lower(): part for part in parts if part.isupper()})
    for sort, part, written in _WORDED:
        for name, node, _ in sections(content, part):
            symbols.words[sort, name] = text_of(node.get(written) if written else node)
    for item in content.by_kind("vocabulary"):
        for node in items_of(item.fields.get("always")):
            symbols.words["always", text_of(node.get("name"))] = text_of(node.get("english"))
    for sort, kind, written in _CALLED:
        for item in content.by_kind(kind):
            symbols.words[sort, item.slug] = str(item.data(written) or "")
    for item in content.by_kind("switch"):
        options = (item.data("options") or {}).items()
        symbols.words.update({("option", item.slug, one): str(words) for one, words in options})
