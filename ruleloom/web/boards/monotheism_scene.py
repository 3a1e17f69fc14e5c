"""The board of Monotheism as plain data: a mat for each deity with its followers and dice, and the
miracle or mission that is going on, with every die that was placed on it."""

from __future__ import annotations

from typing import TypedDict

from ruleloom.output.standings import belongings
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.play.game import Game
from ruleloom.web.boards import any_game
from ruleloom.web.boards.any_game import RestOfBoard
from ruleloom.web.boards.scene_reader import Figure, SceneReader

COSMIC, POOL, PLACED = "cosmic_pool", "pool", "placed"


class DieShown(TypedDict):
    """A die, or several alike: its colour and size, and what it shows, if it was thrown."""

    ref: str
    colour: str
    sides: int
    many: int
    shows: int | None
    placer: int | None
    declared: str


class FollowerShown(TypedDict):
    """A follower: tilted while Busy, with traits by colour."""

    ref: str
    name: str
    about: str
    busy: bool
    traits: list[tuple[str, list[str]]]


class Deity(TypedDict):
    """The mat of one player."""

    name: str
    ethos: str | None
    pained_by: str
    affirmed_by: str
    figures: list[Figure]
    dice: list[DieShown] | None
    count: int
    followers: list[FollowerShown]


class Deed(TypedDict):
    """The miracle or the mission that is going on."""

    title: str
    actor: str | None
    target: str | None
    targets: list[str]
    helping: list[str]
    hindering: list[str]
    goal: int
    placed: list[DieShown]


class MonotheismBoard(RestOfBoard):
    """The whole board."""

    kind: str
    deities: list[Deity]
    cosmos: list[DieShown]
    deed: Deed | None


def board(game: Game, viewer: int) -> MonotheismBoard:
    """The board as `viewer` may see it."""
    scene = SceneReader(game, viewer)
    rest = any_game.rest(game, viewer, without=("Player", "Follower", "Die"))
    drawn = (COSMIC, POOL, PLACED)
    rest["zones"] = [one for one in rest["zones"] if one["name"].replace(" ", "_") not in drawn]
    return {
        "kind": "monotheism",
        "deities": [_deity(scene, seat) for seat in range(len(game.players))],
        "cosmos": _together(scene, _zone(scene, COSMIC)),
        "deed": _deed(scene),
        **rest,
    }


def _zone(scene: SceneReader, name: str, seat: int | None = None) -> list[int]:
    number = scene.linked.layout.index.get(name)
    if number is None:
        return []
    column = scene.world[number]
    return list(column if seat is None else column[seat])


def _die(scene: SceneReader, die: int, many: int = 1) -> DieShown:
    shows, sides = scene.field("Die", "shows", die), scene.field("Die", "sides", die)
    return {
        "ref": scene.ref("Die", die),
        "colour": str(scene.field("Die", "colour", die)),
        "sides": int(sides or 0),
        "many": many,
        "shows": int(shows) if shows else None,
        "placer": scene.field("Die", "placer", die),
        "declared": str(scene.field("Die", "declared", die) or ""),
    }


def _together(scene: SceneReader, dice: list[int]) -> list[DieShown]:
    """Dice in a pool, those that are alike as one."""
    groups: dict[tuple[str, int], list[int]] = {}
    for die in dice:
        colour, sides = (scene.field("Die", field, die) for field in ("colour", "sides"))
        groups.setdefault((str(colour), int(sides or 0)), []).append(die)
    order = scene.enum("Colour")
    keys = sorted(groups, key=lambda one: (order.index(one[0]) if one[0] in order else 9, one[1]))
    shown = [_die(scene, groups[key][0], len(groups[key])) for key in keys]
    return [{**one, "shows": None, "placer": None, "declared": ""} for one in shown]


def _deity(scene: SceneReader, seat: int) -> Deity:
    name = scene.game.players[seat]
    pool = _zone(scene, POOL, seat)
    kept = [one for one in scene.things("Follower") if _keeper(scene, one) == seat]
    return {
        "name": name,
        "ethos": scene.title_or_none("Ethos", scene.field("Player", "ethos", seat)),
        "pained_by": str(scene.field("Player", "pained_by", seat) or ""),
        "affirmed_by": str(scene.field("Player", "affirmed_by", seat) or ""),
        "figures": scene.figures(name, seat, {"pain": "pain", "affirmation": "affirmation"}),
        "dice": _together(scene, pool) if _sees_pool(scene, seat) else None,
        "count": len(pool),
        "followers": [_follower(scene, one) for one in kept],
    }


def _sees_pool(scene: SceneReader, seat: int) -> bool:
    zones = (zone for zone in scene.linked.program.zones if zone.name == POOL)
    secrecy = secrecy_of(scene.linked)
    return any(secrecy.shows(scene.viewer, zone, seat) for zone in zones)


def _keeper(scene: SceneReader, follower: int) -> int | None:
    keeper = scene.field("Follower", "keeper", follower)
    return keeper if isinstance(keeper, int) else None


def _follower(scene: SceneReader, follower: int) -> FollowerShown:
    entity = scene.linked.entities["Follower"]
    lists = belongings(scene.linked, scene.world, entity, follower)
    return {
        "ref": scene.ref("Follower", follower),
        "name": scene.title("Follower", follower),
        "about": str(scene.field("Follower", "about", follower) or ""),
        "busy": bool(scene.field("Follower", "busy", follower)),
        "traits": [(colour, list(words)) for colour, words in lists],
    }


def _deed(scene: SceneReader) -> Deed | None:
    deed, errand = scene.scope("deed"), scene.scope("errand")
    if deed is None and errand is None:
        return None
    title = scene.title("Miracle", deed) if deed is not None else scene.title("Mission", errand)
    return {
        "title": title,
        "actor": scene.title_or_none("Follower", scene.scope("actor")),
        "target": scene.title_or_none("Follower", scene.scope("target")),
        "targets": scene.titles("Follower", scene.scope("targets")),
        "helping": scene.titles("Trait", scene.scope("helping")),
        "hindering": scene.titles("Trait", scene.scope("hindering")),
        "goal": int(scene.scope("goal") or 0),
        "placed": [_die(scene, one) for one in _zone(scene, PLACED)],
    }
