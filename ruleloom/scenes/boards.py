"""The board of each game as JSON data for a page, as `viewer` may see it.

Any game has one from its vocabulary alone: things with their values, zones, variables. A game with a board of
its own has a function in `BOARDS`. The page words the headings of figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import unnamed
from ruleloom.runtime.program.program import Entity, Zone
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import Dynamic
from ruleloom.scenes import gnostica
from ruleloom.scenes.gnostica import GnosticaScene
from ruleloom.scenes.scene import KindSeen, TableScene, ZoneSeen, fields_of, is_owner, kinds_apart

Json = dict[str, Any]

PEOPLE = "Character"


def board_seen(linked: Linked, state: State, viewer: int) -> Json:
    """The board of a game as `viewer` may see it."""
    if linked.program.game == "gnostica":
        scene = GnosticaScene(linked, state, viewer)
        beside = [_zone(scene, one) for one in scene.zones() if one.zone.beside]
        return gnostica.board(scene) | ({"zones": beside} if beside else {})
    return BOARDS.get(linked.program.game, _any)(TableScene(linked, state, viewer))


# ---------------------------------------------------------------------------------- any game


def _any(scene: TableScene) -> Json:
    return {"kind": "any", **_rest(scene)}


def _rest(scene: TableScene, *without: str) -> Json:
    """The generic parts of a board, except the kinds and zones that it draws itself."""
    kinds = [scene.kind(one) for one in kinds_apart(scene.linked) if one.name not in without]
    return {
        "kinds": [shown for shown in (_kind(scene, one) for one in kinds) if shown["things"]],
        "zones": [_zone(scene, one) for one in scene.zones() if one.zone.name not in without],
        "going_on": list(scene.variables()),
    }


def _kind(scene: TableScene, kind: KindSeen) -> Json:
    """The things of one kind that have a value to show, or that players made."""
    entity = kind.entity
    shown = kind.listed if is_owner(scene.linked, entity) else kind.shown
    names = {number: name for name, number in scene.names(entity).items()}
    things = [
        {
            "ref": scene.ref(entity.name, one),
            "title": scene.title(entity.name, one),
            "cells": list(_cells(scene, entity, one, names[one])),
            "belongings": scene.belongings(entity, one),
        }
        for one in shown
    ]
    return {"title": kind.heading, "things": things}


def _cells(scene: TableScene, entity: Entity, thing: int, name: str) -> Iterator[Json]:
    """The non-empty values of a thing: each with its query for `why`, and its number if it is one."""
    for field in fields_of(scene.linked, entity):
        if scene.speaks(field, thing):
            text, value = scene.cell(field, thing), scene.world[field.column][thing]
            is_number = field.type.name == "Int" and not field.by and isinstance(value, int)
            number = {"number": value} if is_number else {}
            call = f"{field.name}({name})"
            yield {"heading": field.heading, "text": text, "why": call, **number}


def _zone(scene: TableScene, seen: ZoneSeen) -> Json:
    """A zone with its contents, or their count if they are hidden."""
    zone, owner = seen.zone, seen.owner
    return {
        "name": zone.name.replace("_", " "),
        "owner": scene.owner(seen),
        "mine": owner is not None and owner == scene.viewer and not zone.under,
        "count": seen.many,
        "counted": unnamed(scene.linked, zone.of, seen.many),
        "things": None if seen.things is None else _held(scene, zone, seen.things),
    }


def _held(scene: TableScene, zone: Zone, things: Iterable[tuple[int, Dynamic]]) -> list[Json]:
    """The things in a zone: each at its place, or equal ones merged with a count."""
    alike: dict[tuple[str, Dynamic], Json] = {}
    for one, at in things:
        place = {"at": scene.title(zone.at, at)} if zone.at else {}
        text, ref = scene.title(zone.of, one), scene.ref(zone.of, one)
        shown = {"ref": ref, "text": text, "many": 0, **place}
        alike.setdefault((text, at), shown)["many"] += 1
    return [*alike.values()]


# ---------------------------------------------------------------------------------- parts of boards


class Seen:
    """One thing of a scene, with its fields by name."""

    def __init__(self, scene: TableScene, kind: str, thing: int) -> None:
        self.scene, self.kind, self.thing = scene, kind, thing
        self.name = scene.name(kind, thing)
        self.head = {"ref": scene.ref(kind, thing), "name": scene.title(kind, thing)}

    def __getitem__(self, field: str) -> Dynamic:
        return self.scene.field(self.kind, field, self.thing)

    def title(self, field: str, kind: str) -> str | None:
        """The title of a field's value, a thing or a word."""
        return self.scene.title_or_none(kind, self[field])

    def measured(self, name: str) -> Dynamic:
        """A measure of this thing."""
        return self.scene.measured(name, self.thing)

    def figure(
        self, name: str, value: Dynamic = None, most: Dynamic = None, heading: str = ""
    ) -> Json:
        """A number with its heading, and its query for `why`; the measure of that name, unless a `value` is
        given."""
        value = self.measured(name) if value is None else value
        return _figure(heading or name, f"{name}({self.name})", value, most)

    def figures(self, names: Iterable[str]) -> list[Json]:
        """Measures of this thing, except those that cannot be computed."""
        return [self.figure(one) for one in names if self.measured(one) is not None]

    def levels(self, stat: str, kind: str, of: Iterable[int]) -> list[Json]:
        """A measure of this thing for each of others, which a click chooses."""
        return [self.level(stat, kind, one, self.scene.title(kind, one)) for one in of]

    def level(self, stat: str, kind: str, one: Dynamic, title: str) -> Json:
        """A measure of this thing for one."""
        call = f"{stat}({self.name}, {self.scene.name(kind, one)})"
        shown = _figure(title, call, self.scene.measured(stat, self.thing, one))
        return {**shown, "ref": self.scene.ref(kind, one)}


def _figure(heading: str, call: str, value: Dynamic, most: Dynamic = None) -> Json:
    limit = {} if most is None else {"most": whole(most)}
    return {"name": heading, "value": whole(value), "why": call, **limit}


def whole(value: Dynamic) -> int:
    """A number on a board, with halves rounded down; `why` shows them."""
    try:
        return int(value or 0)
    except (TypeError, ValueError):
        return 0


def _all_there(scene: TableScene, kind: str, field: str = "") -> list[Seen]:
    """The things of a kind in play, or those with a value in a field."""
    seen = (Seen(scene, kind, one) for one in scene.things(kind))
    return [one for one in seen if not field or one[field]]


# ---------------------------------------------------------------------------------- Moonstone

GAUGES = (("PI", "pi", "max_PI"), ("MI", "mi", "max_MI"), ("EI", "ei", "max_EI"))
NUMBERS = ("Init", "MR", "PR", "ER", "fine_defence")
STATES = ("dead", "dying", "helped")
JUDGED = ("unconscious", "collapsed", "fatigued", "incompetent")
# Conditions longer than this last until somebody lifts them.
MOST_ROUNDS = 1_000


def _moonstone(scene: TableScene) -> Json:
    """The initiative order, injuries, targets, and a sheet for each character in play."""
    fighters = [_fighter(one) for one in _all_there(scene, PEOPLE, "here")]
    fighters.sort(key=lambda one: (-one["initiative"], one["name"]))
    return {
        "kind": "moonstone",
        "scene": scene.title_or_none("Scene", scene.scope("playing")),
        "round": whole(scene.scope("round")),
        "fighting": bool(scene.scope("fighting")),
        "fighters": fighters,
        **_rest(scene, PEOPLE),
    }


def _fighter(who: Seen) -> Json:
    scene = who.scene
    trainings = [one for one in _all_there(scene, "Training") if one["learner"] == who.thing]
    skills = [one["learnt"] for one in trainings if one["learnt"] is not None]
    is_busy = who["deed"] not in (None, "nothing")  # their chosen action and its target
    aimed = who["aimed_at"] if is_busy else None
    return {
        **who.head,
        "player": who["player"],
        "side": whole(who["side"]),
        "initiative": whole(who["initiative"]),
        "to_come": who.thing in (scene.scope("to_come") or ()),
        "acts": who.thing == scene.scope("acting"),
        "waits_for": who.title("waits_for", PEOPLE),
        "deed": who.title("deed", "Deed") if is_busy else None,
        "aimed_at": None if aimed is None else scene.ref(PEOPLE, aimed),
        "gauges": [
            who.figure(field, who[field] or 0, who.measured(full), text)
            for text, field, full in GAUGES
        ],
        "numbers": who.figures(NUMBERS),
        "scores": [
            who.level("score", "RawScore", one, one)
            for one in scene.linked.layout.enums.get("RawScore", ())
        ],
        "skills": who.levels("skill", "Ability", skills),
        "weapons": scene.titles("Weapon", who["weapons"]),
        "states": [*_states(who)],
    }


def _states(who: Seen) -> Iterator[str]:
    """The states and conditions of a character, in words."""
    yield from (one for one in STATES if who[one])
    yield from (one for one in JUDGED if who.measured(one))
    for condition, last in sorted((who["ends"] or {}).items()):
        left = int(last) - whole(who.scene.scope("round")) + 1
        if left > 0:
            title = who.scene.title("Condition", condition)
            yield f"{title} ({left})" if left < MOST_ROUNDS else title


# ---------------------------------------------------------------------------------- Monotheism

COSMIC, POOL, PLACED = "cosmic_pool", "pool", "placed"


def _monotheism(scene: TableScene) -> Json:
    """A mat for each deity with its followers and dice, and the current miracle or mission, with every die
    placed on it."""
    return {
        "kind": "monotheism",
        "deities": [_deity(Seen(scene, "Player", one)) for one in scene.things("Player")],
        "cosmos": _together(scene, scene.column(COSMIC) or ()),
        "deed": _deed(scene),
        **_rest(scene, "Player", "Follower", "Die", COSMIC, POOL, PLACED),
    }


def _die(die: Seen) -> Json:
    """A die: its colour and size, its result if thrown, and who placed it as what."""
    return {
        "ref": die.head["ref"],
        "colour": str(die["colour"]),
        "sides": whole(die["sides"]),
        "many": 1,
        "shows": whole(die["shows"]) or None,
        "placer": die["placer"],
        "declared": str(die["declared"] or ""),
    }


def _together(scene: TableScene, numbers: Iterable[int]) -> list[Json]:
    """The dice in a pool, equal ones merged."""
    groups: dict[tuple[str, int], Json] = {}
    for one in numbers:
        die = {**_die(Seen(scene, "Die", one)), "shows": None, "placer": None, "declared": ""}
        groups.setdefault((die["colour"], die["sides"]), {**die, "many": 0})["many"] += 1
    order = scene.linked.layout.enums.get("Colour", ())
    keys = sorted(groups, key=lambda one: (order.index(one[0]) if one[0] in order else 9, one[1]))
    return [groups[key] for key in keys]


def _deity(deity: Seen) -> Json:
    """The mat of one player."""
    scene, seat = deity.scene, deity.thing
    pool = next(one for one in scene.zones() if (one.zone.name, one.owner) == (POOL, seat))
    return {
        "name": scene.linked.layout.players[seat],
        "ethos": deity.title("ethos", "Ethos"),
        "pained_by": str(deity["pained_by"] or ""),
        "affirmed_by": str(deity["affirmed_by"] or ""),
        "figures": deity.figures(("pain", "affirmation")),
        "dice": None if pool.things is None else _together(scene, [one for one, _ in pool.things]),
        "count": pool.many,
        "followers": _followers(deity),
    }


def _followers(deity: Seen) -> list[Json]:
    """The followers of a deity, `busy` if tilted, with traits by colour."""
    scene, entity = deity.scene, deity.scene.linked.entities.get("Follower")
    return [
        {
            **one.head,
            "about": str(one["about"] or ""),
            "busy": bool(one["busy"]),
            "traits": [] if entity is None else scene.belongings(entity, one.thing),
        }
        for one in _all_there(scene, "Follower")
        if one["keeper"] == deity.thing
    ]


def _deed(scene: TableScene) -> Json | None:
    """The current miracle or mission."""
    deed, errand = scene.scope("deed"), scene.scope("errand")
    if deed is None and errand is None:
        return None
    return {
        "title": scene.title("Mission", errand) if deed is None else scene.title("Miracle", deed),
        "actor": scene.title_or_none("Follower", scene.scope("actor")),
        "target": scene.title_or_none("Follower", scene.scope("target")),
        "targets": scene.titles("Follower", scene.scope("targets")),
        "helping": scene.titles("Trait", scene.scope("helping")),
        "hindering": scene.titles("Trait", scene.scope("hindering")),
        "goal": whole(scene.scope("goal")),
        "placed": [_die(Seen(scene, "Die", one)) for one in scene.column(PLACED) or ()],
    }


# ---------------------------------------------------------------------------------- Witchgates

ADDED = {
    word: f"{word}_dice" for word in ("base", "specialty", "aspect", "stress", "mana", "other")
}
TAKEN = {"aspect": "aspect_loss", "tier": "tier_loss", "other": "other_loss"}
ROLLED = ("Skill", "Ability", "Arcana", "Specialty")
LEVELS = {"Ability": "ability_level", "Skill": "skill_level", "Arcana": "arcana_level"}
LEFT = {"mana_left": "max_mana", "fortune_left": "max_fortune", "armor_now": "full_armor"}


def _witchgates(scene: TableScene) -> Json:
    """The pool of dice before and after the roll, the spell in preparation, clocks, aspects, and the tracks
    of every character in play."""
    return {
        "kind": "witchgates",
        "scene": scene.title_or_none("Scene", scene.scope("playing")),
        "pool": _pool(scene),
        "spell": _spell(scene),
        "clocks": [
            {
                **one.head,
                "segments": whole(one["segments"]),
                "filled": whole(one["filled"]),
                "helps": bool(one["helps"]),
            }
            for one in _all_there(scene, "Clock")
        ],
        "aspects": [
            {
                **one.head,
                "dice": whole(one["dice"]),
                "of_players": bool(one["of_players"]),
                "maker": one.title("maker", "Player"),
            }
            for one in _all_there(scene, "Aspect")
        ],
        "people": [_mage(one) for one in _all_there(scene, PEOPLE, "here")],
        "npcs": [
            {
                **one.head,
                "tier": one.figure("tier_of", heading="tier"),
                "harm": one.figure("harm_taken", one["harm_taken"] or 0, heading="harm"),
            }
            for one in _all_there(scene, "Npc", "there")
        ],
        **_rest(scene, PEOPLE, "Clock", "Aspect", "Working", "Npc"),
    }


def _pool(scene: TableScene) -> Json | None:
    """The current roll: the sources of its dice, their number, and their results; None if nobody rolls."""
    roller, shown, added = scene.scope("roller"), scene.scope("shown") or (), _counts(scene, ADDED)
    if whole(scene.scope("roll_in_hand")) > whole(scene.scope("rolls_made")):
        shown = ()  # those of the roll before
    if roller is None and not shown and not added:
        return None
    rolled = ((kind, scene.scope(f"rolled_{kind.lower()}")) for kind in ROLLED)
    return {
        "who": scene.title_or_none(PEOPLE, roller),
        "what": " + ".join(scene.title(kind, one) for kind, one in rolled if one is not None),
        "position": scene.title_or_none("Position", scene.scope("position")),
        "effect": scene.title_or_none("Effect", scene.scope("effect_level")),
        "added": added,
        "taken": _counts(scene, TAKEN),
        "dice": max(0, whole(scene.measured("net_pool"))),
        "shown": [int(face) for face in shown],
        "band": scene.title_or_none("Band", scene.scope("band")),
        "trouble": bool(scene.scope("trouble")),
    }


def _counts(scene: TableScene, names: Mapping[str, str]) -> list[tuple[str, int]]:
    """The sources of dice or losses, with their counts."""
    found = ((word, whole(scene.scope(name))) for word, name in names.items())
    return [(word, many) for word, many in found if many]


def _spell(scene: TableScene) -> Json | None:
    """The spell in preparation."""
    number = scene.scope("casting")
    if number is None:
        return None
    spell = Seen(scene, "Working", number)
    pieces = (
        (scene.title("Component", o), many) for o, many in sorted((spell["has"] or {}).items())
    )
    return {
        **spell.head,
        "arcana": spell.title("ruling", "Arcana"),
        "pieces": [f"{one}{f' ×{many}' if many > 1 else ''}" for one, many in pieces if many],
        "cost": spell.figure("cost"),
        "left": spell.figure("left_to_pay"),
        "hits": whole(scene.scope("spell_hits")),
        "glances": whole(scene.scope("spell_glances")),
    }


def _mage(mage: Seen) -> Json:
    """A character in the scene: tracks, remaining pools, and nonzero levels."""
    wounds, scene = mage["wound"] or {}, mage.scene
    left = (
        mage.figure(*(now, None, mage.measured(LEFT[now])), now.partition("_")[0]) for now in LEFT
    )
    gauges = [mage.figure("stress", mage["stress"] or 0, mage["stress_boxes"]), *left]
    return {
        **mage.head,
        "player": mage["player"],
        "boxes": [str(wounds.get(one) or "") for one in mage.measured("boxes_of") or ()],
        "gauges": [one for one in gauges if one.get("most") or one["value"]],
        "scores": [
            score
            for kind, stat in LEVELS.items()
            for score in mage.levels(stat, kind, scene.things(kind))
            if score["value"]
        ],
        "states": [one for one in ("unconscious", "dead") if mage.measured(one)],
    }


BOARDS: Mapping[str, Callable[[TableScene], Json]] = {
    "moonstone": _moonstone,
    "monotheism": _monotheism,
    "witchgates": _witchgates,
}
