"""A campaign of random people for Witchgates: who they are, the scenes they meet in, and the
readings they play by.

The campaign is written from one seed and compiled once a process. Its forty people are legal:
`check` has nothing to say about them. They have scores, skills, specialties with and without
weapons, arcana and knacks, spells that are written down, merits, splices, armor, a stash and money.
A `Session` is one session, made from its seed alone: its players, its scene, its readings, and who
answers how.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml

from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.program.program import Program
from tests.conftest import ROOT
from tests.laws.witchgates.mage_bots import Everybody

GAME = "witchgates"
PEOPLE, SCENES_EACH, MOST_PLAYERS, LINKED_AT_A_TIME = 40, 12, 4, 8
SEATS = ("Gus", "Ada", "Ben", "Cat", "Dan")
ROLLS = (30, 30, 30, 40)
SEATED = ("random", "keen", "keen", "keen", "mixed", "mixed", "steady")
PACK = """\
kind: pack
id: coven
version: 0.1.0
game: witchgates
edition: 1
title: The coven
requires: {witchgates: ">=0.1"}
"""
# How many levels of each sort somebody has who begins, and somebody who has played for long.
BEGINNER = {"scores": (6, 3), "skills": (8, 2), "arcana_levels": (3, 2)}
EXPERIENCED = {"scores": (10, 5), "skills": (16, 3), "arcana_levels": (9, 3)}
NPC_SORTS: tuple[dict[str, Any], ...] = (
    {"tier": 1},
    {"tier": 2, "low": 1, "high": 3, "deals": "severe", "npc_armor": 2},
    {"tier": 4, "low": 2, "high": 4, "deals": "aggravated"},
    {"tier": 3, "low": 1, "high": 4, "mental": True},
    {"tier": 2, "low": 1, "high": 2, "stressful": True},
    {"tier": 3, "spirit": True, "low": 1, "high": 2, "deals": "aggravated"},
    {"tier": 1, "spirit": True, "manifest": True},
)
# Numbers that a session may be played by, other than the game has them.
NUMBERS: dict[str, tuple[int, ...]] = {
    "dice_on_return": (2,),
    "healing_sections": (6,),
    "boxes_a_trigger": (2, 4),
    "nearly_a_rest": (4,),
    "resist_price": (3,),
    "sections_to_bind": (1,),
}


FILES = {
    "ability": "abilities", "arcana": "arcana", "benefit": "benefits", "component": "components",
    "gear": "gear", "merit": "merits", "skill": "skills",
}  # fmt: skip
SPLICES = (
    "static-halo",
    "bark-skin",
    "glass-hand",
    "echo-thoughts",
    "slipped-step",
    "haunted",
    "stutter",
)


@cache
def shipped(kind: str) -> tuple[dict[str, Any], ...]:
    """The items of a kind that the game brings."""
    items = yaml.safe_load((ROOT / "rulesets" / GAME / f"{FILES[kind]}.yaml").read_text("utf-8"))
    return tuple(one for one in items if one["kind"] == kind)


def ids(kind: str) -> list[str]:
    """The ids of the items of a kind."""
    return [one["id"] for one in shipped(kind)]


# ---------------------------------------------------------------------------------- who there is


def levels(source: random.Random, of: list[str], most: int, in_one: int) -> dict[str, int]:
    """So many levels at most, dealt out one by one."""
    found: dict[str, int] = {}
    for one in source.choices(of, k=source.randint(most // 2, most)):
        found[one] = min(in_one, found.get(one, 0) + 1)
    return found


def specialties(source: random.Random, most: int) -> list[dict[str, Any]]:
    """A few specialties, of so many levels at most, some in a weapon."""
    weapons, benefits = [one["id"] for one in shipped("gear") if one.get("high")], ids("benefit")
    found: list[dict[str, Any]] = []
    left = source.randint(0, most)
    while left > 0:
        one: dict[str, Any] = {"called": f"field {left}", "at": min(left, source.randint(1, 2))}
        if source.random() < 0.5:
            one |= {"with_weapon": source.choice(weapons), "benefit": source.choice(benefits)}
        found.append(one)
        left -= one["at"]
    return found


def knacks(source: random.Random, arcana: dict[str, int]) -> list[dict[str, Any]]:
    """A knack for each level, or the one that there is."""
    found: list[dict[str, Any]] = []
    for realm in shipped("arcana"):
        level = arcana.get(realm["id"], 0)
        if level and realm.get("single_knack"):
            found.append({"arcana": realm["id"], "about": realm["its_knack"]})
        elif level:
            about = source.sample(realm["suggested"], level)
            found += [
                {"arcana": realm["id"], "about": one, "mind_state": source.random() < 0.2}
                for one in about
            ]
    return found


def person(source: random.Random, number: int) -> dict[str, Any]:
    """Anybody at all: a beginner or not, a mage more often than not."""
    experienced = source.random() < 0.6
    much = EXPERIENCED if experienced else BEGINNER
    known = source.sample(ids("arcana"), source.randint(1, 3))
    arcana = levels(source, known, *much["arcana_levels"]) if source.random() < 0.9 else {}
    most = 6 if experienced else 2
    gear = ids("gear")
    merits = source.sample(
        [(m["id"], m.get("least_value", 1), m.get("most_value", 1)) for m in shipped("merit")], 2
    )
    return {
        "kind": "character",
        "id": f"c{number}",
        "title": f"C{number}",
        "vocation": "something of one's own",
        **({"vocation_ability": source.choice(ids("ability"))} if source.random() < 0.7 else {}),
        "experienced": experienced,
        "scores": levels(source, ids("ability"), *much["scores"]),
        "skills": levels(source, ids("skill"), *much["skills"]),
        "arcana_levels": arcana,
        "specialties": specialties(source, 6 if experienced else 3),
        "knacks": knacks(source, arcana),
        "formulary": formulary(source, arcana) if arcana else [],
        "merits": {
            one: source.randint(least, top) for one, least, top in merits if source.random() < 0.6
        },
        "old_splices": {
            one: source.randint(1, 3) for one in source.sample(SPLICES, source.randint(0, 3))
        },
        "mana": source.randint(0, most) if arcana else 0,
        "fortune": source.randint(0, most),
        "health_boxes": source.choice((9, 9, 9, 4, 6, 7, 12, 15)),
        "stress_boxes": source.choice((9, 9, 9, 4, 7, 15)),
        "armor": source.choice((0, 0, 1, 2, 4)),
        "stash": {one: source.randint(1, 3) for one in source.sample(gear, source.randint(0, 6))},
        "worn": source.sample(gear, source.randint(0, 1)),
        "lifestyle": source.randint(0, 5),
        "cash": source.choice((0, 40, 500, 12_000, 30_000)),
        "contacts": [
            {"called": f"friend {n}", "status": source.randint(0, 3)}
            for n in range(source.randint(0, 2))
        ],
    }


FORMULAS: tuple[dict[str, int], ...] = (
    {"energy-strike": 1, "range-near": 1},
    {"insulate": 1, "duration-scene": 1, "anchored": 1},
    {"sense-life": 1, "size-room": 1},
    {"shape-matter": 1, "delayed": 1, "duration-scene": 1},
    {"transfer-stress": 2},
    {"binding": 1},
    {"rewind": 1},
    {"see-spirits": 1, "duration-day": 1, "anchored": 1},
)


def formulary(source: random.Random, known: Mapping[str, int]) -> list[str]:
    """Two spells, one of them of what is known if there is such a one, and one of anything."""
    asked = {one["id"]: (one.get("arcana"), one.get("level", 0)) for one in shipped("component")}
    fitting = [
        number
        for number, parts in enumerate(FORMULAS)
        if all(
            of is None or known.get(of, 0) >= level for of, level in map(asked.__getitem__, parts)
        )
    ]
    first = source.choice(fitting or range(len(FORMULAS)))
    return [f"f{first}", f"f{source.choice([n for n in range(len(FORMULAS)) if n != first])}"]


def scene(source: random.Random, players: int, number: int) -> dict[str, Any]:
    """Each of the players has somebody, one of them perhaps two."""
    seats = [*range(2, players + 2), *([2] if source.random() < 0.3 else [])]
    cast = {
        f"c{who}": seat
        for who, seat in zip(source.sample(range(PEOPLE), len(seats)), seats, strict=True)
    }
    clocks = [
        {
            "named": f"clock {n}",
            "sections": source.choice((4, 6, 8)),
            "helpful": source.random() < 0.5,
        }
        for n in range(source.randint(0, 3))
    ]
    aspects = [
        {"named": f"trait {n}", "with_dice": source.randint(1, 3)}
        for n in range(source.randint(0, 3))
    ]
    npcs = source.sample([f"n{n}" for n in range(len(NPC_SORTS))], source.randint(0, 4))
    called = f"s{players}-{number}"
    return {
        "kind": "scene", "id": called, "title": called,
        "cast": cast, "npcs": npcs, "clocks": clocks, "aspects": aspects,
    }  # fmt: skip


def campaign(source: random.Random) -> Iterator[dict[str, Any]]:
    """All that the pack holds."""
    for number, sort in enumerate(NPC_SORTS):
        yield {"kind": "npc", "id": f"n{number}", "title": f"N{number}", "text": "x", **sort}
    for number, parts in enumerate(FORMULAS):
        yield {
            "kind": "formula",
            "id": f"f{number}",
            "title": f"F{number}",
            "called": f"F{number}",
            "parts": parts,
        }
    for number in range(PEOPLE):
        yield person(source, number)
    for players in range(1, MOST_PLAYERS + 1):
        for number in range(SCENES_EACH):
            yield scene(source, players, number)


def write_campaign(folder: Path) -> None:
    """Write the pack of the campaign into a folder."""
    (folder / "pack.yaml").write_text(PACK, encoding="utf-8")
    items = yaml.safe_dump(list(campaign(random.Random(7))))
    (folder / "campaign.yaml").write_text(items, encoding="utf-8")


@cache
def compiled() -> CompileResult:
    """The campaign, compiled once a process."""
    with tempfile.TemporaryDirectory(prefix="coven-") as name:
        write_campaign(Path(name))
        return compile_paths([Path(name)], reasons=False, scenarios=False)


def program() -> Program:
    """The program of the campaign; everybody in it has to be legal."""
    result = compiled()
    assert result.program is not None, [str(one) for one in result.diagnostics]
    return result.program


# ---------------------------------------------------------------------------------- one session


@cache
def readings() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Every switch of the game with its readings."""
    return tuple((s.name, tuple(s.options)) for s in program().settings if s.options)


@lru_cache(maxsize=LINKED_AT_A_TIME)
def linked(players: int, chosen: tuple[tuple[str, Any], ...]) -> Linked:
    """The campaign for a GM and so many players under these readings."""
    return link_game(program(), driver_of(GAME), SEATS[: players + 1], dict(chosen))


@dataclass(frozen=True)
class Session:
    """One session to be: made from its seed alone."""

    seed: int
    players: int
    scene: int
    styles: tuple[str, ...]
    chosen: tuple[tuple[str, Any], ...]

    @property
    def linked(self) -> Linked:
        """The campaign, ready to run."""
        return linked(self.players, self.chosen)

    def game(self) -> Game:
        """The game at its first prompt, which asks for the scene."""
        return new_game(self.linked, self.seed)

    def player(self) -> Everybody:
        """Who answers, for all seats."""
        return Everybody(self.seed, self.scene, self.styles)

    def __str__(self) -> str:
        said = ", ".join(f"{name}={value}" for name, value in self.chosen)
        return f"seed {self.seed}: scene {self.scene}, {' '.join(self.styles)}, {said}"


def session(seed: int, each: int = 10) -> Session:
    """The session of a seed. `each` in a row share players and readings, for which the campaign is
    linked once."""
    shared, source = random.Random(seed // each * 2 + 1), random.Random(seed * 2)
    players = shared.randint(1, MOST_PLAYERS)
    chosen: list[tuple[str, Any]] = [("session_rolls", shared.choice(ROLLS))]
    chosen.append(("most_awarded", shared.choice((3, 10))))
    if shared.random() < 0.7:
        chosen += [
            (name, shared.choice(options)) for name, options in readings() if shared.random() < 0.4
        ]
        chosen += [
            (name, shared.choice(values))
            for name, values in NUMBERS.items()
            if shared.random() < 0.5
        ]
    styles = tuple(source.choice(SEATED) for _ in range(players + 1))
    names = linked(players, tuple(chosen)).layout.names["Scene"]
    scenes = [number for number, name in enumerate(names) if name.startswith(f"s{players}-")]
    return Session(seed, players, source.choice(scenes), styles, tuple(chosen))
