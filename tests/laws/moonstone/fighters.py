"""A campaign of random people who fight: what they can do, the scenes they meet in, and the
readings they play by.

The campaign is written from one seed and compiled once a process. Its people have scores, trained
abilities, shipped advantages and disadvantages, weapons and armour, and what this page adds: spells
and advantages that act, drain, heal and bind. A `Bout` is one fight, made from its seed alone.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml

from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.program.program import Program
from tests.conftest import ROOT
from tests.laws.gnostica.strategies import RandomPlayer

GAME = "moonstone"
PEOPLE, SCENES, LINKED_AT_A_TIME, SEATS = 40, 60, 12, ("A", "B")
RAW = ("Int", "Wil", "Cha", "Sen", "Str", "End", "Agl", "Skl")
PACK = """\
kind: pack
id: brawl
version: 0.1.0
game: moonstone
edition: 1
title: The brawl
requires: {moonstone: ">=0.1"}
settings: {cv_allowance: 2000, buy_integrities: true}
"""
POWERS = """\
- {kind: advantage, id: fire-lore, title: Fire lore, rating: II, scaled: true, text: x}
- {kind: advantage, id: mind-lore, title: Mind lore, rating: II, scaled: true, text: x}
- {kind: spell, id: bolt-of-fire, title: Bolt, of: fire-lore, cost: 1, aim: a_foe, text: x,
   effect: "use bolt(Int, magic, 3, 10, heat)"}
- {kind: spell, id: great-bolt, title: Great bolt, of: fire-lore, cost: 3, aim: a_foe, exertion: true, text: x,
   effect: "use bolt(Int, magic, 9, 20, heat, yes)"}
- {kind: spell, id: spark-of-life, title: Spark, of: fire-lore, cost: 0, aim: anybody, text: x,
   effect: "if target is not none: use heal(target, 7)"}
- kind: spell
  id: terror
  title: Terror
  of: mind-lore
  cost: 1
  aim: a_foe
  text: x
  effect: |
    use attack_by(Wil, none, Wil) giving hit
    if hit and target is not none:
        roll fear = 6d20 by speaker(target)
        use suffer(target, horror, fear)
- kind: spell
  id: comfort
  title: Comfort
  of: mind-lore
  cost: 2
  aim: a_friend
  text: x
  effect: "if target is not none: use heal_mind(target, 25)"
- kind: advantage
  id: leech
  title: Leech
  rating: III
  active: true
  aim: a_foe
  ei_cost: 0
  text: x
  effect: |
    use attack_by(Wil, none, End) giving hit
    if hit and target is not none: use drain(target, 40)
- kind: advantage
  id: wither
  title: Wither
  rating: III
  active: true
  aim: a_foe
  text: x
  effect: |
    use attack_by(Int, magic, Wil, none, yes) giving hit
    if hit and target is not none: use drain_raw_score(target, Str, 5)
"""
# The readings of the game that a fight may be played by. The first of each is the default.
READINGS: dict[str, tuple[Any, ...]] = {
    "near_death": ("option_2", "option_1", "option_3"),
    "initiative_tiebreak": ("init_agl_reroll", "reroll_only", "simultaneous"),
    "situations": ("unasked", "asked"),
    "exempt_links": ("pi_only", "pi_and_mi", "none_exempt"),
    "omit_ei": (False, True),
    "cinematic": (False, True),
    "agl_pr_needs_dodge": (True, False),
    "er_buffers_action_cost": (False, True),
    "combat_action_ei_cost": (5, 0, 30),
    "deck_jokers": (2, 0),
}


def shipped(kind: str, file: str) -> list[str]:
    """The ids of what the game brings."""
    items = yaml.safe_load((ROOT / "rulesets" / GAME / f"{file}.yaml").read_text("utf-8"))
    return [one["id"] for one in items if one["kind"] == kind and not one.get("scaled")]


def people(source: random.Random) -> Iterator[dict[str, Any]]:
    """Anybody at all, the strong and the weak."""
    weapons, armour = shipped("weapon", "gear"), shipped("armour", "gear")
    gifts, flaws = shipped("advantage", "advantages"), shipped("bane", "banes")
    arts = ["dodging", "combat", "swords", "magic", "first-aid", "guns", "unarmed-combat"]
    for number in range(PEOPLE):
        pools: list[Any] = [
            {"advantage": one, "points": source.randint(1, 6)} for one in ("fire-lore", "mind-lore")
        ]
        able = [
            *source.sample(gifts, source.randint(0, 4)),
            *source.sample(["leech", "wither"], source.randint(0, 2)),
        ]
        yield {
            "kind": "character",
            "id": f"c{number}",
            "title": f"C{number}",
            "text": "x",
            "start": {
                raw: source.randint(1, 24) for raw in source.sample(RAW, source.randint(0, 8))
            },
            "skills": {
                art: source.randint(1, 8) for art in source.sample(arts, source.randint(0, 4))
            },
            "gifts": able + source.sample(pools, source.randint(0, 2)),
            "flaws": source.sample(flaws, source.randint(0, 2)),
            "weapons": source.sample(weapons, source.randint(0, 3)),
            "gear": source.sample(armour, source.randint(0, 2)),
            "bought_pr": 2 * source.randint(0, 3),
            "bought_er": 2 * source.randint(0, 2),
        }


def scenes(source: random.Random) -> Iterator[dict[str, Any]]:
    """Two to six of them on two or three sides, some of whom come in with less than they could
    have."""
    for number in range(SCENES):
        cast: dict[str, Any] = {}
        sides = source.randint(2, 3)
        for place, who in enumerate(source.sample(range(PEOPLE), source.randint(2, 6))):
            role: dict[str, Any] = {
                "on_side": place % sides + 1,
                "played_from": source.randint(1, len(SEATS)),
            }
            if source.random() < 0.3:
                level = source.choice(["pi", "mi", "ei"])
                role[f"{level}_at_start"] = source.choice(
                    [source.randint(1, 40), 200, -source.randint(0, 20)]
                )
            cast[f"c{who}"] = role
        opening = {"opening": "quietly", "until_decided": False} if source.random() < 0.15 else {}
        yield {
            "kind": "scene",
            "id": f"s{number}",
            "title": f"S{number}",
            "text": "x",
            "cast": cast,
            **opening,
        }


def write_campaign(folder: Path) -> None:
    """Write the pack of the campaign into a folder."""
    source = random.Random(11)
    (folder / "pack.yaml").write_text(PACK, encoding="utf-8")
    (folder / "powers.yaml").write_text(POWERS, encoding="utf-8")
    (folder / "people.yaml").write_text(yaml.safe_dump(list(people(source))), encoding="utf-8")
    (folder / "scenes.yaml").write_text(yaml.safe_dump(list(scenes(source))), encoding="utf-8")


@cache
def program() -> Program:
    """The campaign, compiled once a process."""
    with tempfile.TemporaryDirectory(prefix="brawl-") as name:
        write_campaign(Path(name))
        result = compile_paths([Path(name)], reasons=False, scenarios=False)
    assert result.program is not None, [
        str(one) for one in result.diagnostics if one.severity == "error"
    ]
    return result.program


@lru_cache(maxsize=LINKED_AT_A_TIME)
def linked(chosen: tuple[tuple[str, Any], ...]) -> Linked:
    """The campaign under these readings."""
    return link_game(program(), driver_of(GAME), SEATS, dict(chosen))


@dataclass(frozen=True)
class Bout:
    """One random fight to be: made from its seed alone."""

    seed: int
    style: str
    scene: int
    chosen: tuple[tuple[str, Any], ...]

    @property
    def linked(self) -> Linked:
        """The campaign, ready to run."""
        return linked(self.chosen)

    def game(self) -> Game:
        """The campaign at its first prompt, which asks for a scene."""
        return new_game(self.linked, self.seed)

    def begun(self) -> Game:
        """The fight, with its scene chosen."""
        return self.game().choose(self.scene)

    def player(self) -> RandomPlayer:
        """One source of answers for everybody."""
        return RandomPlayer(self.seed)

    def __str__(self) -> str:
        said = ", ".join(f"{name}={value}" for name, value in self.chosen)
        return f"seed {self.seed}: scene s{self.scene}, {self.style}" + (
            f", {said}" if said else ""
        )


def bout(seed: int, each: int = 25) -> Bout:
    """The fight of a seed. `each` fights in a row share their readings, for which the campaign is
    linked once."""
    shared, source = random.Random(seed // each * 2 + 1), random.Random(seed * 2)
    chosen = tuple(
        (name, shared.choice(values)) for name, values in READINGS.items() if shared.random() < 0.5
    )
    style = source.choice(("random", "random", "steady", "fierce"))
    return Bout(seed, style, source.randrange(SCENES), chosen)
