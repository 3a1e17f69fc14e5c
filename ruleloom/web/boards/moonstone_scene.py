"""The board of Moonstone as plain data: the order of initiative, who is hurt how much, who aims at
whom, and a sheet for each character that is there."""

from __future__ import annotations

from typing import TypedDict

from ruleloom.runtime.play.game import Game
from ruleloom.web.boards import any_game
from ruleloom.web.boards.any_game import RestOfBoard
from ruleloom.web.boards.scene_reader import Figure, SceneReader
from ruleloom.web.pages import told

PEOPLE = "Character"
GAUGES = (("PI", "pi", "max_PI"), ("MI", "mi", "max_MI"), ("EI", "ei", "max_EI"))
NUMBERS = ("Init", "MR", "PR", "ER", "fine_defence")
STATES = ("dead", "dying", "helped")
JUDGED = ("unconscious", "collapsed", "fatigued", "incompetent")


class DeedMeant(TypedDict):
    """The deed that somebody sets out to do, and the ref of their target."""

    deed: str | None
    aimed_at: str | None


class Fighter(DeedMeant):
    """A character in the scene."""

    ref: str
    name: str
    player: int | None
    side: int
    initiative: int
    to_come: bool
    acts: bool
    waits_for: str | None
    gauges: list[Figure]
    numbers: list[Figure]
    scores: list[Figure]
    skills: list[Figure]
    weapons: list[str]
    states: list[str]


class MoonstoneBoard(RestOfBoard):
    """The whole board."""

    kind: str
    scene: str | None
    round: int
    fighting: bool
    fighters: list[Fighter]


def board(game: Game, viewer: int) -> MoonstoneBoard:
    """The board as `viewer` may see it."""
    scene = SceneReader(game, viewer)
    there = [one for one in scene.things(PEOPLE) if scene.field(PEOPLE, "here", one)]
    fighters = [_fighter(scene, one) for one in there]
    fighters.sort(key=lambda one: (-one["initiative"], one["name"]))
    return {
        "kind": "moonstone",
        "scene": scene.title_or_none("Scene", scene.scope("playing")),
        "round": int(scene.scope("round") or 0),
        "fighting": bool(scene.scope("fighting")),
        "fighters": fighters,
        **any_game.rest(game, viewer, (PEOPLE,)),
    }


def _fighter(scene: SceneReader, who: int) -> Fighter:
    name = scene.name(PEOPLE, who)
    return {
        "ref": scene.ref(PEOPLE, who),
        "name": scene.title(PEOPLE, who),
        "player": scene.field(PEOPLE, "player", who),
        "side": int(scene.field(PEOPLE, "side", who) or 0),
        "initiative": int(scene.field(PEOPLE, "initiative", who) or 0),
        "to_come": who in (scene.scope("to_come") or ()),
        "acts": who == scene.scope("acting"),
        "waits_for": scene.title_or_none(PEOPLE, scene.field(PEOPLE, "waits_for", who)),
        **_deed(scene, who),
        "gauges": _gauges(scene, who, name),
        "numbers": scene.figures(name, who, {one: told(f"number_{one}") for one in NUMBERS}),
        "scores": [_score(scene, who, name, which) for which in scene.enum("RawScore")],
        "skills": _skills(scene, who, name),
        "weapons": scene.titles("Weapon", scene.field(PEOPLE, "weapons", who)),
        "states": _states(scene, who),
    }


def _deed(scene: SceneReader, who: int) -> DeedMeant:
    """The deed of somebody, with its target."""
    deed, aimed = (scene.field(PEOPLE, field, who) for field in ("deed", "aimed_at"))
    if deed in (None, "nothing"):
        return {"deed": None, "aimed_at": None}
    return {
        "deed": scene.title("Deed", deed),
        "aimed_at": None if aimed is None else scene.ref(PEOPLE, aimed),
    }


def _gauges(scene: SceneReader, who: int, name: str) -> list[Figure]:
    return [
        scene.figure(
            text, f"{field}({name})", scene.field(PEOPLE, field, who), scene.measured(full, who)
        )
        for text, field, full in GAUGES
    ]


def _score(scene: SceneReader, who: int, name: str, which: str) -> Figure:
    """A raw score; while one is asked for, it answers."""
    value = scene.measured("score", who, which)
    return {**scene.figure(which, f"score({name}, {which})", value), "ref": f"RawScore:{which}"}


def _skills(scene: SceneReader, who: int, name: str) -> list[Figure]:
    """The abilities that a character was trained in."""
    trainings = scene.things("Training")
    own = (one for one in trainings if scene.field("Training", "learner", one) == who)
    learnt = (scene.field("Training", "learnt", one) for one in own)
    return [scene.level("skill", name, who, "Ability", one) for one in learnt if one is not None]


def _states(scene: SceneReader, who: int) -> list[str]:
    """The states and conditions of a character, in words."""
    found = [one for one in STATES if scene.field(PEOPLE, one, who)]
    found += [one for one in JUDGED if scene.measured(one, who)]
    ends, now = scene.field(PEOPLE, "ends", who) or {}, int(scene.scope("round") or 0)
    for condition, last in sorted(ends.items()):
        left = int(last) - now + 1
        if left > 0:
            title = scene.title("Condition", condition)
            found.append(f"{title} ({left})" if left < MOST_ROUNDS else title)
    return found


# Conditions that last longer than this last until somebody lifts them.
MOST_ROUNDS = 1_000
