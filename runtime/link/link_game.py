"""The start of a game: its settings, a program linked for its players, and the world before set-up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import starmap

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program import values as v
from ruleloom.runtime.program.faults import NamedReason, OutOfRange, Refused
from ruleloom.runtime.program.language import ENGLISH, FORMED_HOLE, Language, Phrase
from ruleloom.runtime.program.program import Entity, FieldInfo, Peek, Program, Put, Setting, Zone
from ruleloom.runtime.program.texts import TEXT_HOLE
from ruleloom.runtime.program.values import (
    LARGEST,
    Column,
    ColumnInfo,
    Description,
    Dynamic,
    Layout,
    SpotWords,
    Type,
    Value,
    World,
    exact,
    plain_number,
)

SORTS: Mapping[str, tuple[tuple[type, ...], str]] = {
    "Int": ((int,), "a whole number"),
    "Fraction": ((int, Fraction), "a number such as 3 or 1/2"),
    "Bool": ((bool,), "yes or no"),
}


def _no_setting(name: str, known: Iterable[str]) -> Refused:
    """The refusal of an unknown name; one may have that of its pack before it."""
    near = [f"`{one}`" for one in known if one.endswith(f"__{name}") or name.endswith(f"__{one}")]
    help = f"write {' or '.join(near)}" if near else None
    return Refused(f"there is no switch or setting `{name}`", help)


def settings_of(program: Program, chosen: Mapping[str, Dynamic]) -> dict[str, Dynamic]:
    """The settings and switches of a game, with `chosen` over the program's defaults.

    Raises Refused for an unknown name or a value that does not fit, OutOfRange with all numbers outside
    their limits.
    """
    known = {s.name: s for s in program.settings}
    found = {name: s.value for name, s in known.items()}
    beyond: list[NamedReason] = []
    for name, value in chosen.items():
        setting = known.get(name)
        if setting is None:
            raise _no_setting(name, known)
        found[name] = _meant(setting.type, value)
        try:
            _check_setting(program, setting, found[name])
        except Refused as error:
            reason = error.reason.told(error.reason, (), [name])
            if not isinstance(error, OutOfRange):
                raise Refused(reason) from None
            beyond.append(reason)
    if beyond:
        raise OutOfRange(
            NamedReason("; ".join(beyond), (), [name for one in beyond for name in one.of])
        )
    return found


def as_seen(program: Program, chosen: Mapping[str, Dynamic]) -> Program:
    """The program of a game with these settings: a switch may open zones to all."""
    opened = [z for z in program.zones if z.open_if and chosen[z.open_if[0]] == z.open_if[1]]
    zones = tuple(replace(z, seen_by="all") if z in opened else z for z in program.zones)
    return replace(program, zones=zones) if opened else program


def _check_setting(program: Program, setting: Setting, value: Dynamic) -> None:
    """Refuse a value outside the range checked by the compiler."""
    options = setting.options or dict(program.enums).get(setting.type, ())
    if options:
        if value not in options:
            raise Refused(f"`{setting.name}` is one of {', '.join(options)}, not `{value}`")
        return
    wanted, said = SORTS.get(setting.type, ((str,), "a text"))
    if type(value) not in wanted:
        raise Refused(f"`{setting.name}` is {said}, and `{value}` is none")
    if int in wanted:
        low = -LARGEST if setting.low is None else setting.low
        high = LARGEST if setting.high is None else setting.high
        if low == high != value:
            why = "its pack gives it no `min` and `max` to change it within"
            raise Refused(f"`{setting.name}` is {low}: {why}")
        if not low <= value <= high:
            raise OutOfRange(f"`{setting.name}` is a number from {low} to {high}, not {value}")


def _meant(type_: str, value: Value) -> Value:
    """`yes`, `no`, `1/4` and `0.25` converted to the type; other values unchanged."""
    if type_ == "Bool":
        return value == "yes" if value in ("yes", "no") else value
    if type_ == "Fraction" and isinstance(value, str | Fraction):
        try:
            return exact(value) if isinstance(value, str) else plain_number(value)
        except ValueError:
            return value
    return value


LONGEST_NAME = 200


def layout_of(program: Program, players: tuple[str, ...], language: Language = ENGLISH) -> Layout:
    """The layout of the world for these players, its names for readers of a language."""
    entities = program.entities
    zones = (*map(_zone_column, program.zones), *_ends_columns(program))
    columns = (*_field_columns(program), *zones)
    index = {column.name: i for i, column in enumerate(columns)}
    return Layout(
        columns=columns,
        index=index,
        enums=dict(program.enums),
        points=frozenset(program.points),
        sizes={e.name: e.size for e in entities},
        names={e.name: e.names for e in entities if e.names},
        titles={e.name: e.titles for e in entities if e.names},
        players=players,
        named={e.name: index[f"{e.name}.{e.named_by}"] for e in entities if e.named_by},
        words=dict(program.words),
        described=_descriptions(program, index, language.own),
        spots={name: _spots(program, name, index) for name in program.points},
    )


def told_in(linked: Linked, language: Language) -> Linked:
    """The same game for readers of a language: its rows, keys and worlds stay as they are."""
    original, program = linked.original, language.program
    if program is None:
        return original
    known = original.readings.get(language.code)
    if known is not None and known.language is language:
        return known
    program = as_seen(program, linked.settings)
    layout = layout_of(program, linked.layout.players, language)
    parts = (program, layout, linked.driver, linked.settings)
    made = Linked(*parts, language=language, original=original)
    original.readings[language.code] = made
    return made


def _descriptions(
    program: Program, index: Mapping[str, int], own: Mapping[str, str]
) -> Mapping[str, Description]:
    """How things without a title are told, by kind."""
    return {
        one.name: _description(program, one, index, own.get(one.name, ""))
        for one in program.entities
        if one.described
    }


def _description(
    program: Program, entity: Entity, index: Mapping[str, int], own_words: str
) -> Description:
    """How things of a kind are told, by columns."""
    fields = {one.name: one for one in entity.changing}

    def part(number: int, text: str) -> str | tuple[int, int, tuple[str, ...]]:
        if not number % 2:
            return text
        field = fields[text]
        return index[f"{entity.name}.{text}"], field.low or 0, field.called

    there, texts = fields.get(entity.present), _split(entity.described)
    own = _split(own_words) if own_words else ()
    at = "" if there is None else Type.parse(there.type).name
    first, owner, rest, *_ = *texts, "", ""
    is_owned = not first and rest.startswith(v.WHOSE) and fields[owner].type == "Player"
    owner = _owner_in(texts, fields) if own else owner
    return Description(
        tuple(starmap(part, enumerate(texts))),
        -1 if there is None else index[f"{entity.name}.{there.name}"],
        at if at in program.points else "",
        index[f"{entity.name}.{owner}"] if is_owned or own else -1,
        tuple(starmap(part, enumerate(own))),
    )


def _owner_in(texts: Sequence[str], fields: Mapping[str, FieldInfo]) -> str:
    """The hole of a description that names the owner."""
    return next(name for name in texts[1::2] if fields[name].type == "Player")


def _split(words: str, hole: re.Pattern[str] = TEXT_HOLE) -> list[str]:
    """The texts of a description, in all their forms, and the groups of its holes between them."""
    alone = hole.split(words)
    if not isinstance(words, Phrase):
        return alone
    forms = {form: hole.split(text) for form, text in words.forms.items()}
    return [
        text
        if at % (hole.groups + 1)
        else Phrase.of(text, {form: one[at] for form, one in forms.items()})
        for at, text in enumerate(alone)
    ]


def _spots(program: Program, name: str, index: Mapping[str, int]) -> tuple[SpotWords, ...]:
    """What points of a kind are called, by columns."""
    found = []
    for one in program.spots:
        if one.of == name:
            before, zone, form, after = _split(one.text, FORMED_HOLE)
            found.append(SpotWords(before, index[zone], after, one.east, one.north, form or ""))
    return tuple(found)


def _field_columns(program: Program) -> Iterator[ColumnInfo]:
    for entity in program.entities:
        for field in entity.changing:
            name, type_ = f"{entity.name}.{field.name}", Type.parse(field.type)
            yield ColumnInfo(name, "field", type_, "all", False, field.initial, field.by)


def _zone_column(zone: Zone) -> ColumnInfo:
    kind = "map" if zone.at else "under" if zone.under else "each" if zone.per_player else "pile"
    by = zone.under
    return ColumnInfo(zone.name, kind, Type(zone.of, many=True), zone.seen_by, zone.lazy, by=by)


def _ends_columns(program: Program) -> Iterator[ColumnInfo]:
    """One column for each pile whose order a player may learn."""
    rows = [row for routine in program.routines for row in routine.rows]
    piles = {row.pile for row in rows if isinstance(row, Peek | Put)}
    for zone in program.zones:
        if zone.name in piles:
            type_ = Type(zone.of, many=True)
            yield ColumnInfo(v.ends_name(zone.name), v.ENDS, type_, "nobody")


def empty_world(layout: Layout) -> World:
    """The world without entities, but with full lazy piles."""
    world: list[Column] = []
    for column in layout.columns:
        if column.kind == "field":
            start = v.FrozenMap() if column.by else column.initial
            world.append((start,) * layout.sizes[column.name.split(".")[0]])
        elif column.kind == "each":
            world.append(((),) * len(layout.players))
        elif column.kind in ("map", "under"):
            world.append(v.FrozenMap())
        elif column.kind == v.ENDS:
            world.append(((), ()))
        else:
            world.append(tuple(range(layout.sizes[column.type.name])) if column.lazy else ())
    return tuple(world)


def link_game(
    program: Program,
    bind: v.Bind,
    players: Iterable[str],
    settings: Mapping[str, Dynamic] | None = None,
) -> Linked:
    """Link a program; Refused for a wrong number of players, or two of one name."""
    names = tuple(players)
    chosen = settings_of(program, settings or {})
    least, most = chosen.get("least_players", 1), program.entity("Player").most
    if not least <= len(names) <= most:
        wanted = f"{least} to {most}" if least < most else str(most)
        raise Refused(f"{program.title} is for {wanted} players, not {len(names)}")
    if not all(isinstance(name, str) and 0 < len(name) <= LONGEST_NAME for name in names):
        raise Refused(f"the name of a player is a text of 1 to {LONGEST_NAME} characters")
    if len(set(names)) != len(names):
        raise Refused("two players have the same name")
    program = as_seen(program, chosen)
    layout = layout_of(program, names)
    return Linked(program, layout, bind(layout), chosen)
