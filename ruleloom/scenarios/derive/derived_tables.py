"""Tables of derived cases: how an item of a kind comes into play, and tables near those.

Shipped games keep some beside their starters, with `my-KIND` for the item; cases that name the item
are seeds too. Each is varied: one thing fewer or more, a second copy of the item, one value changed.
A variant that makes no sense becomes no case.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import Any

from ruleloom.compiler.cases.case_file import DO, Case, read_cases
from ruleloom.compiler.cases.case_words import as_list
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.symbols import FieldSymbol, Symbols
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.ast import Instead, Keyword, When
from ruleloom.compiler.yaml.node import to_data
from ruleloom.compiler.yaml.reader import compose
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.interval import lies_within
from ruleloom.runtime.program.program import FieldInfo
from ruleloom.runtime.program.values import Type, parse_point
from ruleloom.scaffold.starters import STARTERS
from ruleloom.scenarios.derive.mutate import flow, nodes_of, texts_of
from ruleloom.scenarios.notation import CaseData, Notation, StepNotUnderstood

MOST_OWN, MOST_EVENTS = 4, 8
VALUES = ("Int", "Fraction", "Bool")


class Seed(Frozen):
    """A table and the steps that bring the item up."""

    given: CaseData
    when: tuple[CaseData, ...]
    answers: CaseData  # to the last step

    @classmethod
    def of(cls, given: CaseData, when: Sequence[Any]) -> Seed:
        """A seed whose last step is left without answers."""
        steps = [dict(step) for step in when]
        answers = steps[-1].pop("answers", {}) if steps else {}
        by_name = {name: value for one in as_list(answers or {}) for name, value in one.items()}
        return cls(given, tuple(steps), by_name)

    @property
    def does(self) -> bool:
        """Whether the last step runs effect text."""
        return DO in self.when[-1]


def seeds_of(item: Item, content: Content, symbols: Symbols) -> list[Seed]:
    """The tables for an item, those made for its kind first."""
    return [*_made_for(item, content, symbols), *_of_cases(item, content)[:MOST_OWN]]


def _made_for(item: Item, content: Content, symbols: Symbols) -> Iterator[Seed]:
    path = STARTERS / f"{content.game}.yaml"
    root = None
    with suppress(SourceError):
        root = compose(Source.read(path, path.name), Report())
    data: Any = to_data(root) if root is not None else {}
    for entry in data.get(item.kind, ()):
        if entry.get("needs", item.kind) in (item.kind, *item.fields):
            filled: Any = _filled(entry, item)
            if "event" in entry:
                yield from _events(filled, item, content, symbols)
            else:
                yield Seed.of(filled["given"], filled["when"])


def _filled(entry: Any, item: Item) -> Any:
    """A table with the item's name, and what is printed on it, in the places kept for them."""
    name = f"my-{item.kind}"
    if isinstance(entry, Mapping):
        return {_filled(key, item): _filled(value, item) for key, value in entry.items()}
    if isinstance(entry, list):
        return [_filled(one, item) for one in entry]
    if not isinstance(entry, str):
        return entry
    for field in item.fields:
        entry = entry.replace(f"{name}.{field}", str(item.data(field)))
    return entry.replace(name, item.name).replace(name.replace("-", "_"), item.slug)


def _events(entry: CaseData, item: Item, content: Content, symbols: Symbols) -> Iterator[Seed]:
    """The events an item answers, done to its bearer and by others: `event` names both people."""
    bearer, other = entry["event"]
    count = 0
    for event in _answered(item, content):
        operation = symbols.operations.get(event.name.id)
        if operation is None or count >= MOST_EVENTS:
            continue
        types = [one.type.name for one in operation.params]
        people = (bearer, other) if types else ("",)
        for first, amount in product(people, _amounts(item, content)):
            # Any other person of the event is the other one.
            another = {} if not types or types[0] in VALUES else {types[0]: other}
            rest = [
                another.get(name) or _argument(name, amount, item, symbols, content)
                for name in types[1:]
            ]
            if None not in rest:
                said = ", ".join(map(str, filter(None, (first, *rest))))
                yield Seed(entry["given"], ({DO: f"{operation.name}({said})"},), {})
                count += 1


def _amounts(item: Item, content: Content) -> list[int]:
    """Numbers on both sides of those that the item writes."""
    literals = (node for node in nodes_of(item, content) if isinstance(node, ast.NumberLiteral))
    written = {node.value for node in literals if isinstance(node.value, int)}
    near = {near for one in written for near in (one // 2, one, one + 1)}
    return sorted(near or {3, 40})[:6]


def _answered(item: Item, content: Content) -> Iterator[ast.CallExpr]:
    """The events that an item's abilities answer, also those of keywords that it has."""
    keywords = {one.slug: one for one in content.by_kind("keyword")}
    waiting = [item]
    while waiting:
        for node in nodes_of(waiting.pop(), content):
            if isinstance(node, When | Instead):
                yield node.event
            elif isinstance(node, Keyword) and node.name.id in keywords:
                keyword = keywords.pop(node.name.id)
                if keyword.id != item.id:
                    waiting.append(keyword)


def _argument(
    type_name: str, amount: int, item: Item, symbols: Symbols, content: Content
) -> str | None:
    if type_name in VALUES:
        return "yes" if type_name == "Bool" else str(amount)
    if type_name in symbols.enums:
        return symbols.enums[type_name][0]
    made = [one.slug for one in content.items if symbols.kinds.get(one.kind) == type_name]
    words = " ".join(text for _, text, _ in texts_of(item, content))
    named = (one for one in made if re.search(rf"\b{one}\b", words))
    return next(named, made[0] if made else None)


def _of_cases(item: Item, content: Content) -> list[Seed]:
    """The tables of cases that name the item, the shortest first."""
    folded = "[-_]".join(map(re.escape, re.split("[-_]", item.name)))
    name = re.compile(rf"(?<![\w-]){folded}\d*(?![\w-])")
    found = []
    for shown in content.scenarios:
        for case in read_cases(content.sources[shown], Report(), content) or ():
            refused = case.fault or "refused" in case.then
            begins = not refused and case.steps and not case.given.get("fresh")
            seed = _of_case(case, name) if begins else None
            if seed is not None:
                other_pack = content.files[shown][0] != item.pack
                found.append((other_pack, len(flow(dict(case.given))), seed))
    return [seed for _, _, seed in sorted(found, key=lambda one: one[:2])]


def _of_case(case: Case, name: re.Pattern[str]) -> Seed | None:
    """The table of a case, with its steps as far as the one that names the item: in play, the one
    before its use."""
    steps = [step for step in case.steps or () if isinstance(step, Mapping)]
    naming = [number for number, step in enumerate(steps) if name.search(flow(step))]
    if not naming and not name.search(flow(dict(case.given))):
        return None
    does = any(DO in step for step in steps)
    last = len(steps) - 1 if does else _last_in_play(steps, naming, name)
    return Seed.of(case.given, steps[: last + 1])


def _last_in_play(steps: Sequence[CaseData], naming: Sequence[int], name: re.Pattern[str]) -> int:
    if not naming:
        return 0
    first = naming[0]
    is_last = 0 < first == len(steps) - 1
    is_use = is_last and name.search(str(next(iter(steps[first].values()))))
    return first - 1 if is_use else first


# ------------------------------------------------------------------------------------ variants

AS_IT_IS = "as it is"
COPIES = "two copies"
MOST = 60
MANY = 4  # enough copies of a token to exhaust the supply in many a game


class Variant(Frozen):
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


def _without(entries: CaseData, names: Collection[str]) -> dict[str, Any]:
    return {one: data for one, data in entries.items() if one not in names}


def _holds(thing: Any, item: Item) -> bool:
    if isinstance(thing, Mapping | list):
        inner = thing.values() if isinstance(thing, Mapping) else thing
        return any(_holds(one, item) for one in inner)
    return bool(thing == item.name)


def _states(given: CaseData, symbols: Symbols) -> Iterator[Variant]:
    """The table with another value of one field of a thing."""
    state = given.get("state") or {}
    tables = {name: values for name, values in state.items() if isinstance(values, Mapping)}
    for name, said, field in _fields_in(tables, symbols):
        known = [one[said] for one in tables.values() if said in one]
        number = (name, str(said)) if field.type.name == "Int" else None
        for other in _others(field, tables[name][said], known, symbols):
            changed = {**state, name: {**tables[name], said: other}}
            yield Variant({**given, "state": changed}, f"{name} with {said} {other}", number)


def _fields_in(tables: CaseData, symbols: Symbols) -> Iterator[tuple[str, Any, FieldSymbol]]:
    """The fields that change in play, each as a case writes it for a thing."""
    for name, values in tables.items():
        for said in values:
            slug = str(said).partition("(")[0].replace("-", "_")
            fields = symbols.fields.get(slug, {}).values()
            yield from [(name, said, one) for one in fields if not one.static][:1]


def _others(
    field: FieldSymbol, value: Any, known: Sequence[Any], symbols: Symbols
) -> Sequence[Any]:
    """Other values of a field; `known` are those that things of the table have."""
    match field.type.name:
        case _ if field.type.many:
            return ()
        case "Bool":
            return ("no" if value in (True, "yes") else "yes",)
        case "Int" if isinstance(value, int):
            return _other_numbers(field, value, known)
        case name if name in symbols.enums:
            return [one for one in symbols.enums[name] if one != value][:2]
    return ("none",) if field.type.optional and value != "none" else ()


def _other_numbers(field: FieldSymbol, value: int, known: Sequence[Any]) -> list[int]:
    high = field.high if field.high is not None else 2 * value + 10
    near = dict.fromkeys([*known, 0, high, value // 4, 1])
    numbers = (one for one in near if isinstance(one, int) and one != value)
    return [one for one in numbers if lies_within(one, field.low, field.high)][:5]


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
    with suppress(StepNotUnderstood):
        texts = notation.parts_of(linked, entity, token)
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
        near = (int(said) - 1, int(said) + 1)
        return [str(one) for one in near if lies_within(one, field.low, field.high)]
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
