"""The board of Witchgates as plain data: the pool of dice before and after the roll, the spell that is
put together, clocks, aspects, and the tracks of every character that is there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from ruleloom.runtime.play.game import Game
from ruleloom.web.boards import any_game
from ruleloom.web.boards.any_game import RestOfBoard
from ruleloom.web.boards.scene_reader import Figure, SceneReader, whole
from ruleloom.web.pages import told

PEOPLE = "Character"
ADDED = ("base", "specialty", "aspect", "stress", "mana", "other")
TAKEN = (("aspect", "aspect_loss"), ("tier", "tier_loss"), ("other", "other_loss"))
LEVELS = (("Ability", "ability_level"), ("Skill", "skill_level"), ("Arcana", "arcana_level"))
LEFT = (("mana_left", "max_mana"), ("fortune_left", "max_fortune"), ("armor_now", "full_armor"))
DRAWN = (PEOPLE, "Clock", "Aspect", "Working", "Npc")


class Pool(TypedDict):
    """The dice of a roll: where they come from, how many are left, what they show."""

    who: str | None
    what: str
    position: str | None
    effect: str | None
    added: list[tuple[str, int]]
    taken: list[tuple[str, int]]
    dice: int
    shown: list[int]
    band: str | None
    trouble: bool


class SpellShown(TypedDict):
    """The spell that is being put together."""

    ref: str
    name: str
    arcana: str | None
    pieces: list[str]
    cost: Figure
    left: Figure
    hits: int
    glances: int


class ClockShown(TypedDict):
    """A clock: how many of its sections are full."""

    ref: str
    name: str
    segments: int
    filled: int
    helps: bool


class AspectShown(TypedDict):
    """An aspect with its dice."""

    ref: str
    name: str
    dice: int
    of_players: bool
    maker: str | None


class Mage(TypedDict):
    """A character in the scene: tracks and pools."""

    ref: str
    name: str
    player: int | None
    boxes: list[str]
    gauges: list[Figure]
    scores: list[Figure]
    states: list[str]


class Stranger(TypedDict):
    """An NPC in the scene."""

    ref: str
    name: str
    tier: Figure
    harm: Figure


class WitchgatesBoard(RestOfBoard):
    """The whole board."""

    kind: str
    scene: str | None
    pool: Pool | None
    spell: SpellShown | None
    clocks: list[ClockShown]
    aspects: list[AspectShown]
    people: list[Mage]
    npcs: list[Stranger]


def board(game: Game, viewer: int) -> WitchgatesBoard:
    """The board as `viewer` may see it."""
    scene = SceneReader(game, viewer)
    here = [one for one in scene.things(PEOPLE) if scene.field(PEOPLE, "here", one)]
    return {
        "kind": "witchgates",
        "scene": scene.title_or_none("Scene", scene.scope("playing")),
        "pool": _pool(scene),
        "spell": _spell(scene),
        "clocks": [_clock(scene, one) for one in scene.things("Clock")],
        "aspects": [_aspect(scene, one) for one in scene.things("Aspect")],
        "people": [_mage(scene, one) for one in here],
        "npcs": [
            _stranger(scene, one) for one in scene.things("Npc") if scene.field("Npc", "there", one)
        ],
        **any_game.rest(game, viewer, DRAWN),
    }


def _pool(scene: SceneReader) -> Pool | None:
    """The roll in hand; None where nobody rolls."""
    roller, shown = scene.scope("roller"), scene.scope("shown") or ()
    added = _counted(scene, ((word, f"{word}_dice") for word in ADDED))
    if roller is None and not shown and not added:
        return None
    return {
        "who": scene.title_or_none(PEOPLE, roller),
        "what": _rolled(scene),
        "position": scene.title_or_none("Position", scene.scope("position")),
        "effect": scene.title_or_none("Effect", scene.scope("effect_level")),
        "added": added,
        "taken": _counted(scene, TAKEN),
        "dice": max(0, whole(scene.measured("net_pool"))),
        "shown": [int(face) for face in shown],
        "band": scene.title_or_none("Band", scene.scope("band")),
        "trouble": bool(scene.scope("trouble")),
    }


def _counted(scene: SceneReader, names: Iterable[tuple[str, str]]) -> list[tuple[str, int]]:
    """The sources of dice, or of losses, with their numbers."""
    found = ((word, int(scene.scope(name) or 0)) for word, name in names)
    return [(word, many) for word, many in found if many]


def _rolled(scene: SceneReader) -> str:
    """The names of the roll: the skill, ability and arcana."""
    found = []
    for kind in ("Skill", "Ability", "Arcana", "Specialty"):
        value = scene.scope(f"rolled_{kind.lower()}")
        if value is not None:
            found.append(scene.title(kind, value))
    return " + ".join(found)


def _spell(scene: SceneReader) -> SpellShown | None:
    spell = scene.scope("casting")
    if spell is None:
        return None
    name = scene.name("Working", spell)
    parts = scene.field("Working", "has", spell) or {}
    pieces = [
        f"{scene.title('Component', one)}{f' ×{many}' if many > 1 else ''}"
        for one, many in sorted(parts.items())
        if many
    ]
    return {
        "ref": scene.ref("Working", spell),
        "name": scene.title("Working", spell),
        "arcana": scene.title_or_none("Arcana", scene.field("Working", "ruling", spell)),
        "pieces": pieces,
        "cost": scene.figure(told("cost"), f"cost({name})", scene.measured("cost", spell)),
        "left": scene.figure(
            told("left_to_pay"), f"left_to_pay({name})", scene.measured("left_to_pay", spell)
        ),
        "hits": int(scene.scope("spell_hits") or 0),
        "glances": int(scene.scope("spell_glances") or 0),
    }


def _clock(scene: SceneReader, clock: int) -> ClockShown:
    return {
        "ref": scene.ref("Clock", clock),
        "name": scene.title("Clock", clock),
        "segments": int(scene.field("Clock", "segments", clock) or 0),
        "filled": int(scene.field("Clock", "filled", clock) or 0),
        "helps": bool(scene.field("Clock", "helps", clock)),
    }


def _aspect(scene: SceneReader, aspect: int) -> AspectShown:
    maker = scene.field("Aspect", "maker", aspect)
    return {
        "ref": scene.ref("Aspect", aspect),
        "name": scene.title("Aspect", aspect),
        "dice": int(scene.field("Aspect", "dice", aspect) or 0),
        "of_players": bool(scene.field("Aspect", "of_players", aspect)),
        "maker": None if maker is None else scene.game.players[maker],
    }


def _mage(scene: SceneReader, who: int) -> Mage:
    name = scene.name(PEOPLE, who)
    wounds = scene.field(PEOPLE, "wound", who) or {}
    return {
        "ref": scene.ref(PEOPLE, who),
        "name": scene.title(PEOPLE, who),
        "player": scene.field(PEOPLE, "player", who),
        "boxes": [str(wounds.get(one) or "") for one in scene.measured("boxes_of", who) or ()],
        "gauges": _gauges_of(scene, who, name),
        "scores": [one for kind, stat in LEVELS for one in _levels(scene, who, name, kind, stat)],
        "states": [one for one in ("unconscious", "dead") if scene.measured(one, who)],
    }


def _gauges_of(scene: SceneReader, who: int, name: str) -> list[Figure]:
    """Stress, and what is left of mana, fortune and armor."""
    stress, most = (scene.field(PEOPLE, field, who) for field in ("stress", "stress_boxes"))
    gauges = [scene.figure("stress", f"stress({name})", stress, most)]
    for now, full in LEFT:
        values = scene.measured(now, who), scene.measured(full, who)
        gauges.append(scene.figure(now.partition("_")[0], f"{now}({name})", *values))
    return [one for one in gauges if one.get("most") or one["value"]]


def _levels(scene: SceneReader, who: int, name: str, kind: str, stat: str) -> list[Figure]:
    """The levels of a character that are not 0."""
    good_at = (one for one in scene.things(kind) if scene.measured(stat, who, one))
    return [scene.level(stat, name, who, kind, one) for one in good_at]


def _stranger(scene: SceneReader, npc: int) -> Stranger:
    name = scene.name("Npc", npc)
    harm = scene.field("Npc", "harm_taken", npc)
    return {
        "ref": scene.ref("Npc", npc),
        "name": scene.title("Npc", npc),
        "tier": scene.figure("tier", f"tier_of({name})", scene.measured("tier_of", npc)),
        "harm": scene.figure("harm", f"harm_taken({name})", harm),
    }
