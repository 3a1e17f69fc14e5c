"""Reads a vocabulary into the symbol table: enums, points, entities, zones, variables, parts of records.

In go the vocabulary items; out come names with types. Queries and operations are read by
`ruleloom.compiler.resolve.operations`; expressions (initial values, rules that always hold) are checked
once every name is known. A part is made by an entry of a field of its owner's item; whatever a record
refers to has to be made by records too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.declare import claim, type_in
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
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.program.program import Zone
from ruleloom.runtime.program.values import FRACTION, INT, PLAYER, TEXT, Type

PLAYER_MOST = 6
ENTITY_MOST = 1_000


def read_things(content: Content, symbols: Symbols, report: Report) -> None:
    """Enter the types, zones and variables that the vocabularies of the packs declare."""
    items = content.by_kind("vocabulary")
    for item in items:
        _types(item, symbols, report)
    for item in items:
        _kinds(item, symbols, report)
        _entities(item, symbols, report)
        _zones(item, symbols, report)
        _scope(item, symbols, report)


def section(item: Item, name: str) -> Iterator[tuple[str, YamlNode, Place]]:
    """The entries of one part of a vocabulary, with the place of each key."""
    node = item.fields.get(name)
    if node is None or node.kind != "map":
        return
    for key, child in node.entries.items():
        yield key, child, node.key_place(key)


def text_of(node: YamlNode, key: str, default: str = "") -> str:
    """The text of one field of a map."""
    child = node.get(key)
    return child.text or default if child is not None else default


def int_of(node: YamlNode, key: str) -> int | None:
    """The number of one field of a map."""
    child = node.get(key)
    value = child.value if child is not None else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def is_yes(node: YamlNode, key: str) -> bool:
    """Does one field of a map say `true`?"""
    child = node.get(key)
    return child is not None and child.value is True


# ---------------------------------------------------------------------------------- types


def _enums(item: Item, symbols: Symbols, report: Report) -> None:
    for name, node, place in section(item, "enums"):
        if not claim(symbols, report, "type", name, place):
            continue
        if not claim(symbols, report, "value", name, place):
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
    words = [one.text or "" for one in noun.items] if noun is not None else []
    if len(words) == 2:
        symbols.nouns[name] = (words[0], words[1])
    elif noun is not None and noun.text:
        symbols.nouns[name] = (noun.text, f"{noun.text}s")


def _kinds(item: Item, symbols: Symbols, report: Report) -> None:
    for name, node, place in section(item, "kinds"):
        if not claim(symbols, report, "kind", name, place):
            continue
        makes = node.get("makes")
        entity = makes.text or "" if makes is not None else ""
        if makes is not None and entity not in symbols.types:
            help = did_you_mean(entity, symbols.types)
            report.error("unknown-type", makes.place, f"there is no entity `{entity}`", help)
            entity = ""
        symbols.kinds[name] = entity
        _bearer(name, node, symbols, report)


def _bearer(kind: str, node: YamlNode, symbols: Symbols, report: Report) -> None:
    """`bearer: {entity: Character, when: "has(self, this)"}`: whom the abilities of these items are
    about."""
    bearer = node.get("bearer")
    entity, when = (
        (bearer.get(key) for key in ("entity", "when")) if bearer is not None else (None, None)
    )
    if bearer is None or entity is None or when is None:
        return
    name = entity.text or ""
    if name not in symbols.types:
        help = did_you_mean(name, symbols.types)
        report.error("unknown-type", entity.place, f"there is no entity `{name}`", help)
        return
    symbols.bearers[kind] = Bearer(name, when, bearer.place)


# ------------------------------------------------------------------------------- entities and zones


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
    for name, child in node.entries.items() if node is not None else ():
        type_ = type_in(symbols, report, child if child.kind == "text" else child.get("type"))
        assert node is not None
        place = node.key_place(name)
        claim(symbols, report, f"field of {entity}", name, place)
        if name not in symbols.fields:
            claim(symbols, report, "call", name, place)
        by = (
            _named_type(child, "by", [*symbols.types], symbols, report)
            if "by" in child.entries
            else ""
        )
        if "by" in child.entries and not by:
            by = UNKNOWN.name
        low, high = int_of(child, "min"), int_of(child, "max")
        yield FieldSymbol(entity, name, type_, static, low, high, by, child)


def _entity(
    name: str,
    node: YamlNode,
    place: Place,
    fields: Mapping[str, FieldSymbol],
    symbols: Symbols,
    report: Report,
) -> EntitySymbol:
    singular, plural = symbols.nouns.get(name, (name.lower(), f"{name.lower()}s"))
    symbols.nouns[name] = (singular, plural)
    present = node.get("present")
    there = present.text or "" if present is not None else ""
    if present is not None and (
        there not in fields or fields[there].static or not fields[there].type.optional
    ):
        moving = [one.name for one in fields.values() if not one.static and one.type.optional]
        message = f"`{there}` must be a field of {with_article(singular)} that may be none"
        report.error("unknown-name", present.place, message, did_you_mean(there, moving))
        there = moving[0] if moving else ""
    records = _records(name, node, symbols, report)
    most = int_of(node, "max") or (PLAYER_MOST if name == "Player" else ENTITY_MOST)
    recorded = "records" in node.entries or "part_of" in node.entries
    named_by = _named_by(name, node, fields, symbols, report)
    return EntitySymbol(
        name,
        singular,
        plural,
        most,
        fields,
        there,
        records,
        place,
        recorded,
        None,
        named_by,
        is_yes(node, "alike"),
    )


def _named_by(
    name: str, node: YamlNode, fields: Mapping[str, FieldSymbol], symbols: Symbols, report: Report
) -> str:
    """The field with the name that people give such a thing; empty if there is none."""
    written = node.get("named_by")
    if written is None:
        return ""
    field = written.text or ""
    texts = [
        one.name
        for one in fields.values()
        if not one.static and not one.by and one.type.present == TEXT
    ]
    if name == "Player":
        report.error(
            "type-mismatch",
            written.place,
            "players have names of their own",
            "take out `named_by:`",
        )
        return ""
    if field not in texts:
        message = (
            f"`{field}` must be a field of {with_article(symbols.nouns[name][0])} that is a text and "
            "can change"
        )
        help = did_you_mean(field, texts) or f"under `fields:` write `{field}: Text`"
        report.error("unknown-name", written.place, message, help)
        return ""
    symbols.read.add(f"{name}.{field}")
    return field


def _records(name: str, node: YamlNode, symbols: Symbols, report: Report) -> tuple[str, ...]:
    """The content kinds that make this entity; `records` and `kinds` have to agree."""
    written = node.get("records")
    listed = {one.text or "": one for one in written.items} if written is not None else {}
    for kind, one in listed.items():
        if kind not in symbols.kinds:
            report.error(
                "unknown-name",
                one.place,
                f"there is no kind `{kind}`",
                did_you_mean(kind, symbols.kinds),
            )
        elif symbols.kinds[kind] not in ("", name):
            report.error("kinds-disagree", one.place, f"`{kind}` does not say `makes: {name}`")
    for kind, makes in symbols.kinds.items():
        if makes == name and kind not in listed and listed.keys() <= symbols.kinds.keys():
            place = symbols.places["kind", kind]
            report.error(
                "kinds-disagree", place, f"`{name}` does not name `{kind}` among its `records:`"
            )
    return tuple(kind for kind in listed if symbols.kinds.get(kind) == name)


def _zones(item: Item, symbols: Symbols, report: Report) -> None:
    for name, node, place in section(item, "zones"):
        per, at = text_of(node, "per"), text_of(node, "at")
        fine = claim(symbols, report, "value", name, place) and claim(
            symbols, report, "call", name, place
        )
        of = _named_type(node, "of", [*symbols.entities], symbols, report)
        fine &= not at or bool(_named_type(node, "at", [*symbols.points], symbols, report))
        fine &= not per or bool(_named_type(node, "per", ["Player"], symbols, report))
        if not fine or not of:
            symbols.poisoned.add(name)
            continue
        lazy = text_of(node, "order") == "lazy"
        if lazy and (per or at):
            message = (
                f"`{name}` cannot be drawn from: a pile of unknown order is one pile, and nobody's"
            )
            report.error("not-a-pile", node.entries["order"].place, message)
        opening = node.get("open_if")
        open_if = (
            tuple((key, one.text or one.raw) for key, one in opening.entries.items())
            if opening
            else ()
        )
        seen_by = text_of(node, "seen_by", "all")
        symbols.zones[name] = Zone(name, of, per == "Player", at, seen_by, lazy, *open_if[:1])


def _named_type(
    node: YamlNode, key: str, choices: list[str], symbols: Symbols, report: Report
) -> str:
    child = node.get(key)
    name = child.text or child.raw if child is not None else ""
    if child is None or name in choices:
        return name
    help = did_you_mean(name, choices)
    report.error("unknown-type", child.place, f"`{name}` is not a type that can stand here", help)
    return ""


def _scope(item: Item, symbols: Symbols, report: Report) -> None:
    for name, node, place in section(item, "scope"):
        type_ = type_in(symbols, report, node.get("type"))
        if claim(symbols, report, "value", name, place):
            symbols.scope[name] = ScopeSymbol(name, type_, place)
    me = symbols.scope.get("me")
    if me is None:
        if not symbols.scope and not symbols.operations:
            # A vocabulary that has hardly begun: nobody acts yet.
            symbols.scope["me"] = ScopeSymbol("me", PLAYER, item.place)
            return
        report.error(
            "no-me",
            item.place,
            "the vocabulary has no variable `me`: who acts",
            "`me: {type: Player, life: game}`",
        )
        symbols.scope["me"] = ScopeSymbol("me", PLAYER, item.place)
    elif me.type != PLAYER and not is_unknown(me.type):
        report.error(
            "type-mismatch", me.place, "`me` must be a player", "`me: {type: Player, life: game}`"
        )


def read_parts(content: Content, symbols: Symbols, report: Report) -> None:
    """Enter what the entities say of parts; complain about printed fields that no item could
    fill."""
    recorded = [name for name, one in symbols.entities.items() if one.recorded]
    for item in content.by_kind("vocabulary"):
        for name, node, place in section(item, "entities"):
            if "part_of" in node.entries and symbols.places.get(("type", name)) == place:
                part = _Reader(symbols.entities[name], node, symbols, report).part(recorded)
                symbols.entities[name] = replace(symbols.entities[name], part=part)
                _listed(name, part, node, symbols, report)
    _refuse_circles(symbols, report)
    for entity in symbols.entities.values():
        _check_types(entity, recorded, symbols, report)


def _listed(name: str, part: PartSymbol, node: YamlNode, symbols: Symbols, report: Report) -> None:
    """Make the field that the entries stand under one that is read: the list of the parts of an
    owner."""
    under = node.get("under")
    whole = symbols.entities.get(part.of)
    if under is None or whole is None:
        return
    if not claim(symbols, report, f"field of {part.of}", part.under, under.place):
        return
    if part.under not in symbols.fields and not claim(
        symbols, report, "call", part.under, under.place
    ):
        return
    field = FieldSymbol(part.of, part.under, Type(name, many=True), True, None, None, parts=True)
    symbols.entities[part.of] = replace(whole, fields={**whole.fields, part.under: field})
    symbols.fields.setdefault(part.under, {})[part.of] = field


class _Reader:
    """Reads what one entity says of itself as a part."""

    def __init__(
        self, entity: EntitySymbol, node: YamlNode, symbols: Symbols, report: Report
    ) -> None:
        self.entity = entity
        self.node = node
        self.symbols = symbols
        self.report = report
        self.fine = True

    def part(self, recorded: Iterable[str]) -> PartSymbol:
        of = self.node.entries["part_of"]
        whole, noun = of.text or of.raw, with_article(self.entity.singular)
        if self.entity.records:
            message = f"{noun} is made by items or is part of something, not both"
            self._wrong("kinds-disagree", of.place, message, "delete `records:` or `part_of:`")
        if whole not in recorded:
            help = did_you_mean(whole, recorded)
            self._wrong("unknown-type", of.place, f"`{whole}` is nothing that records make", help)
            whole = ""
        owner = self._owner(whole, noun)
        names = {word: self._field(word, owner) for word in ("short", "key", "value")}
        short, key, value = (found.name if found is not None else "" for found in names.values())
        if "key" in self.node.entries and "short" in self.node.entries:
            place = self.node.key_place("short")
            message = f"with `key:` a plain value stands for the field `value:`, so {noun} has no `short:`"
            self._wrong("kinds-disagree", place, message, "write `value:`")
        under = self.node.get("under")
        name = under.text or under.raw if under is not None else ""
        whole = whole if self.fine else ""
        return PartSymbol(whole, name, owner.name if owner else "", short, key, value, of.place)

    def _owner(self, whole: str, noun: str) -> FieldSymbol | None:
        """The field that holds the owner, which is of the kind of the whole."""
        owner = self._field("owner")
        if owner is not None and whole and owner.type != Type(whole) and not is_unknown(owner.type):
            what = with_article(self.symbols.nouns[whole][0])
            message = (
                f"the owner of {noun} is {what}, so `{owner.name}` must be of the type `{whole}`"
            )
            self._wrong("type-mismatch", self.node.entries["owner"].place, message)
        return owner

    def _wrong(self, code: str, place: Place, message: str, help: str | None = None) -> None:
        self.fine = False
        self.report.error(code, place, message, help)

    def _field(self, word: str, owner: FieldSymbol | None = None) -> FieldSymbol | None:
        """The printed field that stands behind `word:`."""
        node = self.node.get(word)
        if node is None:
            return None
        printed = {f.name: f for f in self.entity.fields.values() if f.static and f is not owner}
        name = node.text or node.raw
        if name not in printed:
            noun = with_article(self.entity.singular)
            message = f"nothing called `{name}` is printed on {noun}"
            if owner is not None and name == owner.name:
                message = f"`{name}` is the owner of {noun}, and is never written"
            self._wrong("unknown-name", node.place, message, did_you_mean(name, printed))
        elif printed[name].by:
            message = f"`{name}` is a table, so nothing plain can stand for it"
            self._wrong("type-mismatch", node.place, message)
        return printed.get(name)


def _refuse_circles(symbols: Symbols, report: Report) -> None:
    """Complain where a part is, some steps up, part of itself."""
    for name, entity in symbols.entities.items():
        if entity.part is not None and name in _above(name, symbols):
            report.error(
                "kinds-disagree", entity.part.place, f"{entity.plural} are parts of themselves"
            )


def _above(name: str, symbols: Symbols) -> Iterator[str]:
    """What an entity is part of, and what that is part of."""
    seen: set[str] = set()
    part = symbols.entities[name].part
    while part is not None and part.of and part.of not in seen:
        yield part.of
        seen.add(part.of)
        part = symbols.entities[part.of].part


def _check_types(
    entity: EntitySymbol, recorded: list[str], symbols: Symbols, report: Report
) -> None:
    """A printed field holds plain values or names records; `by` of any is an enum or made by
    records."""
    keys = [*symbols.enums, *recorded]
    for field in entity.fields.values():
        if field.written is None:
            continue
        node, by = field.written.get("type") or field.written, field.written.get("by")
        if field.static and field.type.name in symbols.entities and field.type.name not in recorded:
            message = f"items can only name what items make, and no items make `{field.type.name}`"
            report.error(
                "unknown-type", node.place, message, did_you_mean(field.type.name, recorded)
            )
        if by is not None and field.by in symbols.types and field.by not in keys:
            message = f"`{field.by}` is not a type that can stand here"
            help = did_you_mean(field.by, keys) or "an enum, or an entity that items make"
            report.error("unknown-type", by.place, message, help)
        if field.type.by_player:
            message = (
                f"`{field.type}` holds the answers of a secret choice, and no field keeps those"
            )
            report.error("unknown-type", node.place, message)
        _check_bounds(field, field.written, report)


def _check_bounds(field: FieldSymbol, written: YamlNode, report: Report) -> None:
    """Complain about a `min` or `max` that bounds nothing, or lets nothing be."""
    word = next((word for word in ("min", "max") if word in written.entries), None)
    if word is None or is_unknown(field.type):
        return
    if field.type.name not in (INT.name, FRACTION.name):
        message = f"`{word}` bounds a number, and `{field.name}` is of the type `{field.type}`"
        report.error("kinds-disagree", written.key_place(word), message, f"delete `{word}:`")
    elif field.low is not None and field.high is not None and field.low > field.high:
        message = f"nothing is from {field.low} to {field.high}"
        report.error("out-of-bounds", written.key_place("min"), message, "exchange `min` and `max`")
