"""Tables for derived cases: positions that bring an item into play, and their variants.

Shipped games keep some next to their starters, with `my-KIND` for the item; cases that name the item
are seeds too. Each is varied: one thing fewer or more, a second copy of the item, one value changed.
A variant that makes no sense becomes no case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from itertools import islice, product
from typing import Any

from ruleloom.compiler.analysis.yaml_cursor import items_in
from ruleloom.compiler.cases.case_file import DO, Case, read_cases
from ruleloom.compiler.cases.case_words import as_list
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.symbols import FieldSymbol, Symbols
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.ast import Instead, Keyword, When
from ruleloom.compiler.yaml.node import to_data
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.values import Type, parse_point
from ruleloom.scaffold.starters import STARTERS
from ruleloom.scenarios.derive.mutate import Mutant, flow, nodes_of, other_values, texts_of
from ruleloom.scenarios.notation import CaseData, Notation, StepNotUnderstood

MOST_OWN, MOST_EVENTS, MOST_AMOUNTS = 4, 8, 6
VALUES = ("Int", "Fraction", "Bool")
READ_IT = "derived from what the machine does now: read it, then keep it"
AS_IT_IS = "as it is"
COPIES = "two copies"
MOST = 60
MANY = 4  # enough copies of a token to exhaust the supply in many a game


@dataclass(eq=False)
class Draft:
    """A draft of a case: plain data, how its table differs, and the prompt it is about."""

    given: CaseData
    when: tuple[CaseData, ...]
    then: CaseData
    says: str
    about: str = ""
    offered: int = -1  # the number of options; -1 if it does not matter
    kills: list[Mutant] = field(default_factory=list)  # mutants under which the case fails

    @property
    def size(self) -> int:
        """Its length as text."""
        return len(repr((self.given, self.when, self.then)))

    def written(self, id: str, note: str = READ_IT) -> dict[str, Any]:
        """The draft as a case."""
        body = {"given": self.given, "when": self.when, "then": self.then}
        return {"id": id, "note": note, **body}


@dataclass(eq=False)
class TrialTable:
    """A table, the steps that bring the item into play, and how it differs from its `base`.

    The last step's `answers` are kept apart. `number` is a field worth a boundary search; `drafts` are
    the results of the run, None if it failed.
    """

    given: CaseData
    when: tuple[CaseData, ...]
    answers: CaseData = field(default_factory=dict)
    says: str = AS_IT_IS
    number: tuple[str, str] | None = None
    base: TrialTable | None = None
    drafts: list[Draft] | None = None

    @classmethod
    def of(cls, given: CaseData, when: Sequence[Any]) -> TrialTable:
        """A table whose last step has its answers taken out."""
        steps = [dict(step) for step in when]
        said = steps[-1].pop("answers", {}) if steps else {}
        answers = {name: value for one in as_list(said or {}) for name, value in one.items()}
        return cls(given, tuple(steps), answers)

    @property
    def does(self) -> bool:
        """Whether the last step runs effect text."""
        return DO in self.when[-1]

    @property
    def made(self) -> str:
        """The key of tables that compile alike."""
        return repr(({key: one for key, one in self.given.items() if key != "state"}, self.when))

    def varied(
        self, says: str, given: CaseData, number: tuple[str, str] | None = None
    ) -> TrialTable:
        """A variant with other `given` entries."""
        base, given = self.base or self, {**self.given, **given}
        return replace(self, given=given, says=says, number=number, base=base, drafts=None)

    def draft(self, **parts: Any) -> Draft:
        """A draft of a case on this table."""
        return Draft(**{"given": self.given, "when": self.when, "says": self.says, **parts})


def tables_of(item: Item, content: Content, symbols: Symbols) -> list[TrialTable]:
    """The tables for an item, those made for its kind first."""
    return [*_made_for(item, content, symbols), *_of_cases(item, content)[:MOST_OWN]]


def _made_for(item: Item, content: Content, symbols: Symbols) -> Iterator[TrialTable]:
    path, data = STARTERS / f"{content.game}.yaml", dict[str, Any]()
    with suppress(SourceError):
        for root in items_in(Source.read(path, path.name).text):
            data = {kind: to_data(node) for kind, node in root.entries.items()}
    for entry in data.get(item.kind, ()):
        if entry.get("needs", item.kind) in (item.kind, *item.fields):
            filled: Any = _filled(entry, item)
            if "event" in entry:
                yield from _events(filled, item, content, symbols)
            else:
                yield TrialTable.of(filled["given"], filled["when"])


def _filled(entry: Any, item: Item) -> Any:
    """A starter's table with the item's name and printed fields in its placeholders."""
    name = f"my-{item.kind}"
    if isinstance(entry, Mapping):
        return {_filled(key, item): _filled(value, item) for key, value in entry.items()}
    if isinstance(entry, list):
        return [_filled(one, item) for one in entry]
    if not isinstance(entry, str):
        return entry
    for one in item.fields:
        entry = entry.replace(f"{name}.{one}", str(item.data(one)))
    return entry.replace(name, item.name).replace(name.replace("-", "_"), item.slug)


def _events(
    entry: CaseData, item: Item, content: Content, symbols: Symbols
) -> Iterator[TrialTable]:
    """Tables for each event that the item reacts to, on its bearer and on the other of `event`."""
    bearer, other = entry["event"]
    count = 0
    for event in _answered(item, content):
        operation = symbols.operations.get(event.name.id)
        if operation is None or count >= MOST_EVENTS:
            continue
        types = [one.type.name for one in operation.params]
        # All further persons of the event are the other one.
        another = {} if not types or types[0] in VALUES else {types[0]: other}
        for first, amount in product((bearer, other) if types else ("",), _amounts(item, content)):
            rest = [
                another.get(name) or _argument(name, amount, item, symbols, content)
                for name in types[1:]
            ]
            if None not in rest:
                said = ", ".join(map(str, filter(None, (first, *rest))))
                yield TrialTable(entry["given"], ({DO: f"{operation.name}({said})"},))
                count += 1


def _amounts(item: Item, content: Content) -> list[int]:
    """Numbers on both sides of those in the item's texts."""
    literals = (node for node in nodes_of(item, content) if isinstance(node, ast.NumberLiteral))
    written = {node.value for node in literals if isinstance(node.value, int)}
    near = {near for one in written for near in (one // 2, one, one + 1)}
    return sorted(near or {3, 40})[:MOST_AMOUNTS]


def _answered(item: Item, content: Content) -> Iterator[ast.CallExpr]:
    """The events that an item's abilities react to, those of its keywords included."""
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


def _of_cases(item: Item, content: Content) -> list[TrialTable]:
    """The tables of cases that name the item, its own pack's first."""
    folded = "[-_]".join(map(re.escape, re.split("[-_]", item.name)))
    name = re.compile(rf"(?<![\w-]){folded}\d*(?![\w-])")
    found = []
    for shown in content.scenarios:
        for case in read_cases(content.sources[shown], Report(), content) or ():
            fits = not (case.fault or case.refused or case.given.get("fresh")) and case.steps
            table = _of_case(case, name) if fits else None
            if table is not None:
                other_pack = content.files[shown][0] != item.pack
                found.append((other_pack, len(flow(dict(case.given))), table))
    return [table for *_, table in sorted(found, key=lambda one: one[:2])]


def _of_case(case: Case, name: re.Pattern[str]) -> TrialTable | None:
    """The table of a case, with steps up to the first that names the item, or before its use in play."""
    steps = [step for step in case.steps or () if isinstance(step, Mapping)]
    naming = [number for number, step in enumerate(steps) if name.search(flow(step))]
    if not naming and not name.search(flow(dict(case.given))):
        return None
    if any(DO in step for step in steps):
        return TrialTable.of(case.given, steps)
    last = naming[0] if naming else 0
    if 0 < last == len(steps) - 1 and name.search(str(next(iter(steps[last].values())))):
        last -= 1
    return TrialTable.of(case.given, steps[: last + 1])


# ------------------------------------------------------------------------------------ variants


def variants_of(
    table: TrialTable, item: Item, symbols: Symbols, notation: Notation, linked: Linked | None
) -> list[TrialTable]:
    """The table itself, then its variants; those of tokens and cards need a `linked` program."""
    found = [table, *_twice(table, item), *_things(table, item), *_states(table, symbols)]
    if linked is not None:
        found += [*_tokens(table, notation, linked), *_cards(table, item, notation)]
    return found[:MOST]


def _twice(table: TrialTable, item: Item) -> Iterator[TrialTable]:
    """Variants with a second copy of the item."""
    things = table.given.get("things") or {}
    for name, thing in things.items():
        for key, value in thing.items() if isinstance(thing, Mapping) else ():
            for entry in value if isinstance(value, list) else ():
                first = next(iter(entry.values()), None) if isinstance(entry, Mapping) else entry
                if first == item.name:
                    double = {**thing, key: [*value, entry]}
                    yield table.varied(COPIES, {"things": {**things, name: double}})
                    break


def _things(table: TrialTable, item: Item) -> Iterator[TrialTable]:
    """Variants with a thing removed or doubled, but not the owner."""
    both = {part: table.given.get(part) or {} for part in ("things", "state")}
    owned = both["things"].items()
    others = [name for name, one in owned if name in both["state"] and not _holds(one, item)]
    together = [others] if len(others) > 1 else []
    for gone in (*([name] for name in others), *together):
        left = {part: _without(said, gone) for part, said in both.items()}
        fewer = table.varied(f"without {' and '.join(gone)}", left)
        if not any(name in str(fewer.given) for name in gone):
            yield fewer
    for name in others:
        grown = {part: {**said, f"other-{name}": said[name]} for part, said in both.items()}
        yield table.varied(f"another like {name}", grown)


def _without(said: CaseData, names: Sequence[str]) -> CaseData:
    return {name: one for name, one in said.items() if name not in names}


def _holds(thing: Any, item: Item) -> bool:
    if isinstance(thing, Mapping | list):
        inner = thing.values() if isinstance(thing, Mapping) else thing
        return any(_holds(one, item) for one in inner)
    return bool(thing == item.name)


def _states(table: TrialTable, symbols: Symbols) -> Iterator[TrialTable]:
    """Variants with another value in one field of a thing."""
    state = table.given.get("state") or {}
    things = {name: values for name, values in state.items() if isinstance(values, Mapping)}
    for name, values in things.items():
        for said, value in values.items():
            slug = str(said).partition("(")[0].replace("-", "_")
            fields = (one for one in symbols.fields.get(slug, {}).values() if not one.static)
            for one in islice(fields, 1):
                known = [other[said] for other in things.values() if said in other]
                number = (name, str(said)) if one.type.name == "Int" else None
                for other in _others(one, value, known, symbols):
                    changed = {**state, name: {**values, said: other}}
                    yield table.varied(f"{name} with {said} {other}", {"state": changed}, number)


def _others(
    field: FieldSymbol, value: Any, known: Sequence[Any], symbols: Symbols
) -> Sequence[Any]:
    """Other values of a field; `known` are the values of the table's things."""
    if field.type.many:
        return ()
    if field.type.optional:
        return ("none",) if value != "none" else ()
    high, near = field.high, list(known)
    if isinstance(value, int):
        near += [0, 2 * value + 10 if high is None else high, value // 4, 1]
    return other_values(field.type.name, value, symbols.enums, near, (field.low, high))


def _tokens(table: TrialTable, notation: Notation, linked: Linked) -> Iterator[TrialTable]:
    """Variants with a token removed, doubled or changed."""
    for key, entry in notation.given.items():
        tokens = table.given.get(key)
        if entry.get("token", "") not in notation.tokens or not isinstance(tokens, list):
            continue
        for number, token in enumerate(tokens):
            rest = [*tokens[:number], *tokens[number + 1 :]]
            yield table.varied(f"without {token}", {key: rest})
            with suppress(StepNotUnderstood):
                for other in _other_tokens(str(token), entry["token"], notation, linked):
                    yield table.varied(f"{other} for {token}", {key: [*rest, other]})
        for token in tokens:
            yield table.varied(f"another {token}", {key: [*tokens, token]})
            yield table.varied(f"{MANY} more of {token}", {key: [*tokens, *[token] * MANY]})


def _other_tokens(token: str, entity: str, notation: Notation, linked: Linked) -> Iterator[str]:
    texts = notation.parts_of(linked, entity, token)
    fields = {one.name: one for one in linked.entities[entity].fields}
    words = {"Player": linked.layout.players[:2], **linked.layout.enums}
    for name, said in texts.items():
        field, of = fields[name], Type.parse(fields[name].type).name
        if of in linked.layout.points:
            across, up = parse_point(said)
            others = [f"{across + 1}/{up}", f"{across}/{up + 1}", f"{across + 3}/{up}"]
        else:
            value: Any = int(said) if of == "Int" else said
            near = (value - 1, value + 1) if of == "Int" else ()
            others = other_values(of, value, words, near, (field.low, field.high))
        yield from (notation.tokens[entity].format(**{**texts, name: one}) for one in others)


def _cards(table: TrialTable, item: Item, notation: Notation) -> Iterator[TrialTable]:
    """Variants with one card of a player fewer, but never the item's own."""
    for key, entry in notation.given.items():
        held = table.given.get(key)
        if "zone" not in entry or not isinstance(held, Mapping):
            continue
        for player, cards in held.items():
            for card in cards if isinstance(cards, list) else ():
                if not str(card).startswith(item.name):
                    rest = [one for one in cards if one != card]
                    yield table.varied(f"without {card}", {key: {**held, player: rest}})
