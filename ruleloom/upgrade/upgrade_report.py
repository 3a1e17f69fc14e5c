"""What an upgrade changes for a game in play: in rules words, per person and thing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ruleloom.diff.compare import ASKED, NUMBERS, NumberChange, plain, value_text
from ruleloom.diff.report import DiffReport, shorter_difference, wrapped
from ruleloom.output.terminal import paint
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.explain.expr_words import ExprWords
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import field_words, title_text
from ruleloom.runtime.play.carried_names import NewNames
from ruleloom.runtime.play.carry import Aside
from ruleloom.runtime.play.game import versions_told
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Entity, Function
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.state import NO_RULES, State
from ruleloom.runtime.program.values import Dynamic, Type
from ruleloom.upgrade.offer import UpgradeOffer


class UpgradeChanges(Frozen):
    """The changes of rules `texts` (id, old, new), of `numbers` of things in play and of `settings` (name,
    old, new); items that came, went or are `renamed`; the `holders` of changed items; new `fields` with
    what they begin with; what is set aside, and why the game waits."""

    versions: tuple[str, ...]
    texts: tuple[tuple[str, str, str], ...] = ()
    came: tuple[str, ...] = ()
    went: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    numbers: tuple[NumberChange, ...] = ()
    settings: tuple[tuple[str, str, str], ...] = ()
    holders: tuple[tuple[str, tuple[str, ...]], ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    aside: tuple[Aside, ...] = ()
    waits: str = ""


def changes_of(one: UpgradeOffer) -> UpgradeChanges:
    """The changes that an offer brings."""
    old, new = one.before.linked.original, one.linked
    names = NewNames(old.program, new.program, dict(one.renames))
    was, now = dict(old.program.texts), dict(new.program.texts)
    called = {id: found for id in was if (found := names.of_item(id, now)) is not None}
    texts = tuple((id, was[id], now[on]) for id, on in called.items() if was[id] != now[on])
    told = UpgradeChanges(
        versions_told(old, new),
        texts,
        came=tuple(sorted(now.keys() - called.values())),
        went=tuple(sorted(was.keys() - called)),
        renamed=tuple((id, on) for id, on in called.items() if id != on),
        settings=tuple(_settings(old, new)),
        fields=tuple(_new_fields(old, new, names)),
        waits=one.waits,
    )
    if one.carried is None:
        return told
    state, aside = one.carried
    holders = tuple(_holders(new, state, [called[id] for id, _, _ in texts]))
    return replace(told, numbers=tuple(_numbers(one, names, state)), holders=holders, aside=aside)


def _settings(old: Linked, new: Linked) -> Iterator[tuple[str, str, str]]:
    """The settings that are other ones by the new rules."""
    for name, value in new.settings.items():
        if name in old.settings and old.settings[name] != value:
            yield name, value_of(old.settings[name]), value_of(value)


def value_of(value: Any) -> str:
    """A setting for display."""
    return value_text(value) if isinstance(value, int | Fraction) else str(value)


def _numbers(one: UpgradeOffer, names: NewNames, state: State) -> Iterator[NumberChange]:
    """The numbers of things in play that are other ones by the new rules."""
    old, new, before = one.before.linked.original, one.linked, one.before.state
    words = ExprWords(new, state.world, state.scope, NO_RULES)
    there = {function.id: function for function in old.program.functions}
    for function in new.program.functions:
        if function.id not in there or not _is_asked(function):
            continue
        kind = Type.parse(function.param_types[0]).name
        was, now = _computed(old, before, function.id), _computed(new, state, function.id)
        for number, other in _pairs(old, new, names, kind, before, state):
            values = was(other), now(number)
            if values[0] != values[1] and None not in values:
                of = str(title_text(new, state.world, Type(kind), number))
                yield NumberChange(function.id, of, words.called(function, (number,)), *values)


def _is_asked(function: Function) -> bool:
    named = ASKED.match(function.id) is not None and function.result in NUMBERS
    return named and len(function.param_types) == 1


def _computed(linked: Linked, state: State, id: str) -> Any:
    """A function of one thing, which gives None where it has no value here."""
    compiled = linked.codegen.value(("function", id, ("slot", 0)))

    def value(number: int) -> Any:
        try:
            found = compiled(state.world, (number,), state.scope, NO_RULES)
        except (RuntimeFault, TypeError, LookupError, ValueError, RecursionError):
            return None  # it is about another moment of the game
        return found if isinstance(found, int | Fraction) else None

    return value


def _pairs(
    old: Linked, new: Linked, names: NewNames, kind: str, before: State, after: State
) -> Iterator[tuple[int, int]]:
    """The things of a kind that are in play on both sides: their new and old numbers."""
    if kind not in old.entities or kind not in new.entities:
        return
    known = {name: at for at, name in enumerate(new.layout.names_of(kind))}
    for other in range(old.layout.number_there(kind)):
        number: int | None = other if other < new.layout.number_there(kind) else None
        if known:
            number = known.get(names.of_item(old.layout.names_of(kind)[other], known) or "")
        if number is not None and _there(old, kind, other, before):
            yield from [(number, other)] if _there(new, kind, number, after) else []


def _there(linked: Linked, kind: str, number: int, state: State) -> bool:
    column = linked.column_of(kind)
    return column is None or state.world[column][number] is not None


def _field_values(
    linked: Linked, entity: Entity, number: int, state: State
) -> Iterator[tuple[str, Dynamic]]:
    """What a thing has in its fields, printed and in play, with the type of each."""
    printed = dict(entity.static)
    for field in entity.fields:
        at = linked.layout.index.get(f"{entity.name}.{field.name}")
        column = printed.get(field.name, ()) if at is None else state.world[at]
        yield Type.parse(field.type).name, column[number] if number < len(column) else None


def _holders(
    linked: Linked, state: State, changed: Sequence[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Who has something whose rules text changes: things by their fields, players by their zones."""
    ids = {id.rpartition("/")[2] for id in changed}
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for entity in (one for one in linked.entities.values() if one.changing):
        for number in range(linked.layout.number_there(entity.name)):
            if _there(linked, entity.name, number, state):
                whose = str(title_text(linked, state.world, Type(entity.name), number))
                for kind, value in _field_values(linked, entity, number, state):
                    for title in _changed_in(linked, kind, value, ids, state):
                        found[whose][title] = None
    for zone in linked.program.zones:
        if zone.per_player:
            for player, things in enumerate(state.world[linked.layout.index[zone.name]]):
                for title in _changed_in(linked, zone.of, things, ids, state):
                    found[linked.layout.players[player]][title] = None
    yield from ((whose, tuple(titles)) for whose, titles in found.items())


def _changed_in(
    linked: Linked, kind: str, value: Dynamic, ids: set[str], state: State
) -> Iterator[str]:
    """The titles of those things in a value whose rules text changes."""
    names = linked.layout.names.get(kind)
    for one in value if isinstance(value, tuple) else (value,):
        if names and type(one) is int and names[one].partition("#")[0] in ids:
            yield str(title_text(linked, state.world, Type(kind), one))


def _new_fields(old: Linked, new: Linked, names: NewNames) -> Iterator[tuple[str, str]]:
    """Fields and variables that the old version had not, with what they begin with."""
    carried = {names.of_declared("field", one.name, new.layout.index) for one in old.layout.columns}
    for column in new.layout.columns:
        entity, _, field = column.name.partition(".")
        if column.kind == "field" and column.name not in carried and entity in old.entities:
            begins = title_text(new, (), column.type, column.initial) if not column.by else "empty"
            yield f"{field_words(new, field)} of {new.entities[entity].plural}", str(begins)
    known = {names.of_declared("variable", one.name, new.scope_index) for one in old.program.scope}
    for one in new.program.scope:
        if one.name not in known:
            begins = title_text(new, (), Type.parse(one.type), one.initial)
            yield one.name.replace("_", " "), str(begins)


# ---------------------------------------------------------------------------------- shown


def report_lines(
    found: UpgradeChanges, colour: bool = False, everything: bool = False
) -> Iterator[str]:
    """The report for the host; nothing is hidden."""
    form = DiffReport(colour, everything)
    yield f"  {safe_text(', '.join(found.versions))}"
    sections: Mapping[str, Iterator[str]] = {
        "rules texts that change": form.texts(found.texts),
        "whom that is about": _rows(f"{whose}: {', '.join(what)}" for whose, what in found.holders),
        "numbers that change": form.numbers(found.numbers),
        "settings": _rows(f"{name}  {was} -> {now}" for name, was, now in found.settings),
        "new items": _rows(found.came),
        "other names": _rows(f"{was} -> {now}" for was, now in found.renamed),
        "items that are gone": _rows(found.went),
        "new, with what it begins with": _rows(
            f"{name}: {begins}" for name, begins in found.fields
        ),
        "set aside: the new version has no place for it": _rows(one.words for one in found.aside),
        "the game waits": _rows([found.waits] if found.waits else []),
    }
    for heading, rows in sections.items():
        body = list(rows)
        if body:
            yield from ("", paint(heading, "bold", on=colour), *body)


def _rows(told: Any) -> Iterator[str]:
    for one in told:
        yield from wrapped(safe_text(one), 2, 4)


FORMAT = 1


def _words_changed(old: str, new: str) -> list[list[list[Any]]]:
    return [[list(stretch) for stretch in line] for line in shorter_difference(old, new)]


def report_data(found: UpgradeChanges) -> dict[str, Any]:
    """The same as plain data for JSON. Fractions are strings such as `1/2`."""
    return {
        "format": FORMAT,
        "versions": list(found.versions),
        "texts": [
            {"id": id, "old": old, "new": new, "words": _words_changed(old, new)}
            for id, old, new in found.texts
        ],
        "came": list(found.came),
        "went": list(found.went),
        "renamed": [{"old": was, "new": now} for was, now in found.renamed],
        "numbers": [
            {**one._asdict(), "old": plain(one.old), "new": plain(one.new)} for one in found.numbers
        ],
        "settings": [{"name": name, "old": old, "new": new} for name, old, new in found.settings],
        "about": [{"of": whose, "changes": list(what)} for whose, what in found.holders],
        "fields": [{"name": name, "begins": begins} for name, begins in found.fields],
        "aside": [one._asdict() for one in found.aside],
        "waits": found.waits or None,
    }
