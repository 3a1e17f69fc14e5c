"""The board of any game, from its vocabulary alone: things with their values, zones, variables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NotRequired, TypedDict

from ruleloom.output.standings import belongings, kinds_apart
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.labels import title_text, unnamed
from ruleloom.runtime.play.corrections import things_there
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.program import Entity, Zone
from ruleloom.runtime.program.values import Column, Type
from ruleloom.table.fields import (
    Field,
    cell_text,
    cells_of,
    fields_of,
    listed,
    speaks,
    start_of,
    variable_texts,
)
from ruleloom.web.boards.scene_reader import thing_ref


class ValueShown(TypedDict):
    """A value: its text, the question to `why` about it, and its number if it is one."""

    heading: str
    text: str
    why: str
    number: NotRequired[int]
    start: NotRequired[int]


class Thing(TypedDict):
    """A thing with its values and belongings."""

    ref: str
    title: str
    cells: list[ValueShown]
    belongings: list[tuple[str, list[str]]]


class Kind(TypedDict):
    """The things of one kind that have a value to show."""

    title: str
    things: list[Thing]


class Held(TypedDict):
    """Equal things in a zone."""

    ref: str
    text: str
    many: int
    at: NotRequired[str]


class ZoneShown(TypedDict):
    """A zone with its contents, or their number where they are hidden."""

    name: str
    owner: str | None
    mine: bool
    count: int
    counted: str
    things: list[Held] | None


class RestOfBoard(TypedDict):
    """The parts of a board that are drawn alike in every game."""

    kinds: list[Kind]
    zones: list[ZoneShown]
    going_on: list[str]


class AnyBoard(RestOfBoard):
    """The whole board."""

    kind: str


def board(game: Game, viewer: int) -> AnyBoard:
    """The board as `viewer` may see it."""
    return {"kind": "any", **rest(game, viewer)}


def rest(game: Game, viewer: int, without: Sequence[str] = ()) -> RestOfBoard:
    """The parts of a board that are drawn alike, but for the kinds that are drawn elsewhere."""
    linked = game.linked
    drawn = [one for one in kinds_apart(linked) if one.name not in without]
    return {
        "kinds": [kind for kind in (_kind(game, one) for one in drawn) if kind["things"]],
        "zones": list(zones(game, viewer)),
        "going_on": list(variable_texts(linked, game.state, viewer, None)),
    }


def _kind(game: Game, entity: Entity) -> Kind:
    linked, world = game.linked, game.state.world
    fields = fields_of(linked, entity)
    names = {number: name for name, number in things_there(linked, world, entity).items()}
    start = start_of(linked)
    things = listed(world, start, fields, list(names))
    shown, _ = cells_of(linked, world, start, fields, things)
    if entity.present and entity.name in linked.layout.named:
        shown = things  # things that people have made are shown even without a value
    title = entity.plural[:1].upper() + entity.plural[1:]
    return {
        "title": title,
        "things": [_thing(game, entity, one, fields, names[one]) for one in shown],
    }


def _thing(game: Game, entity: Entity, thing: int, fields: Sequence[Field], name: str) -> Thing:
    linked, world = game.linked, game.state.world
    return {
        "ref": thing_ref(game, entity.name, thing),
        "title": title_text(linked, world, Type(entity.name), thing),
        "cells": list(cells(game, fields, thing, name)),
        "belongings": [(s, list(n)) for s, n in belongings(linked, world, entity, thing)],
    }


def cells(game: Game, fields: Sequence[Field], thing: int, name: str) -> Iterator[ValueShown]:
    """The values of a thing that are not empty."""
    linked, world, start = game.linked, game.state.world, start_of(game.linked)
    for field in fields:
        if not speaks(linked, world, start, field, thing):
            continue
        text, value = cell_text(linked, world, field, thing), world[field.column][thing]
        column = linked.layout.columns[field.column].name.rpartition(".")[2]
        cell: ValueShown = {"heading": field.heading, "text": text, "why": f"{column}({name})"}
        if field.type.name == "Int" and not field.by and isinstance(value, int):
            cell["number"] = value
        yield cell


def zones(game: Game, viewer: int) -> Iterator[ZoneShown]:
    """The zones, each owner's by itself, as far as `viewer` sees them."""
    for zone in game.linked.program.zones:
        column = game.state.world[game.linked.layout.index[zone.name]]
        for owner, held in enumerate(column) if zone.per_player else [(None, column)]:
            yield _zone(game, zone, held, viewer, owner)


def _zone(game: Game, zone: Zone, held: Column, viewer: int, owner: int | None) -> ZoneShown:
    seen = secrecy_of(game.linked).shows(viewer, zone, owner)
    return {
        "name": zone.name.replace("_", " "),
        "owner": None if owner is None else game.players[owner],
        "mine": owner is not None and owner == viewer,
        "count": len(held),
        "counted": unnamed(game.linked, zone.of, len(held)),
        "things": _held(game, zone, held) if seen else None,
    }


def _held(game: Game, zone: Zone, held: Column) -> list[Held]:
    linked, world, kind = game.linked, game.state.world, Type(zone.of)
    if zone.at:
        at = Type(zone.at)
        return [
            {
                "ref": thing_ref(game, zone.of, held[one]),
                "text": title_text(linked, world, kind, held[one]),
                "many": 1,
                "at": title_text(linked, world, at, one),
            }
            for one in sorted(held)
        ]
    texts = {one: title_text(linked, world, kind, one) for one in held}
    many = Counter(texts.values())
    first = {text: one for one, text in reversed(texts.items())}
    return [
        {"ref": thing_ref(game, zone.of, first[text]), "text": text, "many": many[text]}
        for text in many
    ]
