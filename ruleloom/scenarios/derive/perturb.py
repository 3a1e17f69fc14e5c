"""Variants of a table: one thing fewer or more, a second copy of the item, one value changed.

A variant that makes no sense is refused at set-up, and becomes no case.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ruleloom.compiler.cases.case_words import within
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.symbols import FieldSymbol, Symbols
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.program import FieldInfo
from ruleloom.runtime.program.values import Type, parse_point
from ruleloom.scenarios.notation import CaseData, Notation, StepNotUnderstood
from ruleloom.scenarios.setup.facts import token_texts

AS_IT_IS = "as it is"
COPIES = "two copies"
MOST = 60
MANY = 4  # enough copies of a token to exhaust the supply in many a game


@dataclass(frozen=True, slots=True)
class Variant:
    """A table, and how it differs; `number` is a field worth a boundary search."""

    given: CaseData
    says: str
    number: tuple[str, str] | None = None


def variants_of(
    given: CaseData, item: Item, symbols: Symbols, notation: Notation, linked: Linked | None
) -> list[Variant]:
    """The table itself, then those near it; tokens and cards need a `linked` program."""
    found = [Variant(given, AS_IT_IS), *_twice(given, item), *_things(given, item)]
    found += _states(given, symbols)
    if linked is not None:
        found += [*_tokens(given, notation, linked), *_cards(given, item, notation)]
    return found[:MOST]


def _twice(given: CaseData, item: Item) -> Iterator[Variant]:
    """The item once more for its owner."""
    things = given.get("things") or {}
    for name, thing in things.items():
        for field, value in thing.items() if isinstance(thing, Mapping) else ():
            for entry in value if isinstance(value, list) else ():
                first = next(iter(entry.values()), None) if isinstance(entry, Mapping) else entry
                if first == item.name:
                    double = {**thing, field: [*value, entry]}
                    yield Variant({**given, "things": {**things, name: double}}, COPIES)
                    break


def _things(given: CaseData, item: Item) -> Iterator[Variant]:
    """A thing less, or one more like it; the owner of the item stays alone."""
    things, state = given.get("things") or {}, given.get("state") or {}
    others = [name for name, thing in things.items() if name in state and not _holds(thing, item)]
    together = [others] if len(others) > 1 else []
    for gone in (*([name] for name in others), *together):
        fewer = {**given, "things": _without(things, gone), "state": _without(state, gone)}
        if not any(name in str(fewer) for name in gone):
            yield Variant(fewer, f"without {' and '.join(gone)}")
    for name in others:
        more = f"other-{name}"
        grown = {"things": {**things, more: things[name]}, "state": {**state, more: state[name]}}
        yield Variant({**given, **grown}, f"another like {name}")


def _without(entries: CaseData, names: Sequence[str]) -> dict[str, Any]:
    return {one: data for one, data in entries.items() if one not in names}


def _holds(thing: Any, item: Item) -> bool:
    if isinstance(thing, Mapping | list):
        inner = thing.values() if isinstance(thing, Mapping) else thing
        return any(_holds(one, item) for one in inner)
    return bool(thing == item.name)


def _states(given: CaseData, symbols: Symbols) -> Iterator[Variant]:
    """The table with another value of one field of a thing."""
    tables = _tables(given)
    for name, values in tables.items():
        for said, value in values.items():
            field = _field_called(str(said), symbols)
            if field is None:
                continue
            known = [one[said] for one in tables.values() if said in one]
            number = (name, str(said)) if field.type.name == "Int" else None
            for other in _others(field, value, known, symbols):
                changed = {**given["state"], name: {**values, said: other}}
                yield Variant({**given, "state": changed}, f"{name} with {said} {other}", number)


def _tables(given: CaseData) -> dict[str, Mapping[str, Any]]:
    """The fields of each thing on the table."""
    state = given.get("state") or {}
    return {name: values for name, values in state.items() if isinstance(values, Mapping)}


def _field_called(said: str, symbols: Symbols) -> FieldSymbol | None:
    """The first field of this name that can change; it may be said with the key of its table."""
    slug = said.partition("(")[0].replace("-", "_")
    return next((one for one in symbols.fields.get(slug, {}).values() if not one.static), None)


def _others(
    field: FieldSymbol, value: Any, known: Sequence[Any], symbols: Symbols
) -> Sequence[Any]:
    """Other values of a field; `known` are those that things of the table have."""
    type_ = field.type
    match type_.name:
        case _ if type_.many:
            return ()
        case "Bool":
            return ("no" if value in (True, "yes") else "yes",)
        case "Int" if isinstance(value, int):
            return _numbers_near(field, value, known)
        case name if name in symbols.enums:
            return [one for one in symbols.enums[name] if one != value][:2]
    return ("none",) if type_.optional and value != "none" else ()


def _numbers_near(field: FieldSymbol, value: int, known: Sequence[Any]) -> Sequence[int]:
    high = field.high if field.high is not None else 2 * value + 10
    near = dict.fromkeys([*known, 0, high, value // 4, 1])
    numbers = (one for one in near if isinstance(one, int) and within(field, one))
    return [one for one in numbers if one != value][:5]


def _tokens(given: CaseData, notation: Notation, linked: Linked) -> Iterator[Variant]:
    """A token less, one more, or a slightly different one."""
    for key, entry in notation.given.items():
        tokens = given.get(key)
        if entry.get("token", "") not in notation.tokens or not isinstance(tokens, list):
            continue
        for number, token in enumerate(tokens):
            rest = [*tokens[:number], *tokens[number + 1 :]]
            yield Variant({**given, key: rest}, f"without {token}")
            for other in _other_tokens(str(token), entry["token"], notation, linked):
                yield Variant({**given, key: [*rest, other]}, f"{other} for {token}")
        for token in tokens:
            yield Variant({**given, key: [*tokens, token]}, f"another {token}")
            yield Variant({**given, key: [*tokens, *[token] * MANY]}, f"{MANY} more of {token}")


def _other_tokens(token: str, entity: str, notation: Notation, linked: Linked) -> Iterator[str]:
    try:
        texts = token_texts(linked, notation, entity, token)
    except StepNotUnderstood:
        return
    fields = {one.name: one for one in linked.entities[entity].fields}
    for name, text in texts.items():
        for other in _others_of(fields[name], text, linked):
            yield notation.tokens[entity].format(**{**texts, name: other})


def _others_of(field: FieldInfo, said: str, linked: Linked) -> list[str]:
    name = Type.parse(field.type).name
    words = {"Player": linked.layout.players[:2], **linked.layout.enums}
    if name in words:
        return [one for one in words[name] if one != said][: 1 if name == "Player" else 4]
    if name == "Int":
        return [str(one) for one in (int(said) - 1, int(said) + 1) if within(field, one)]
    if name in linked.layout.points:
        across, up = parse_point(said)
        return [f"{across + 1}/{up}", f"{across}/{up + 1}", f"{across + 3}/{up}"]
    return []


def _cards(given: CaseData, item: Item, notation: Notation) -> Iterator[Variant]:
    """A card less of what players hold, but not the item's own."""
    for key, entry in notation.given.items():
        held = given.get(key)
        if "zone" not in entry or not isinstance(held, Mapping):
            continue
        for player, cards in held.items():
            for card in cards if isinstance(cards, list) else ():
                if not str(card).startswith(item.name):
                    rest = [one for one in cards if one != card]
                    yield Variant({**given, key: {**held, player: rest}}, f"without {card}")
