"""A campaign of Moonstone, for tests: what it adds to the game, its characters, and any number of
any of them.

It is compiled together with the game once. No driver is needed: what is asked stands on the sheets.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from ruleloom.api.at_rest import at_rest
from ruleloom.api.requirements import with_requirements
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.values import World
from tests.conftest import ROOT
from tests.support.pack_examples import manifest, write

GAME = ROOT / "rulesets" / "moonstone"
FILES = ("damage-types", "abilities", "advantages", "spell-lists", "keywords")

# What a campaign would add: types of harm, and advantages that speak of them.
CAMPAIGN = """\
- {kind: patch, id: rich, target: moonstone:setting/cv_allowance, set: {value: 900}}
- {kind: patch, id: for-sale, target: moonstone:setting/buy_integrities, set: {value: true}}
- {kind: damage-type, id: fire, title: Fire, affects: body, examples: [a torch]}
- {kind: damage-type, id: despair, title: Despair, affects: mind}
- {kind: advantage, id: coals, title: Coals, rating: I, text: Walks on coals., abilities: "resists(fire, 1/3)"}
- {kind: advantage, id: ember, title: Ember, rating: III, text: Is a coal., abilities: immune(fire)}
- kind: advantage
  id: salamander
  title: Salamander
  rating: III
  text: A flame in the shape of a lizard.
  abilities: |
    immune(heat)
    resists(fire, 1/2)
"""

# The character that has nothing, and those that have something, by what their items say of them.
PEOPLE: dict[str, dict[str, Any]] = {
    "nobody": {},
    "hide": {"gifts": ["thick-hide"]},
    "two-hides": {"gifts": ["thick-hide", "thick-hide"]},
    "hide-and-scales": {"gifts": ["thick-hide", "dragon-scales"]},
    "layers": {
        "gifts": ["thick-hide", "dodge-aura", "dragon-scales"],
        "start": {"Agl": 18},
        "bought_pr": 4,
    },
    "guarded": {"gifts": ["poison-guard"]},
    "guarded-twice": {"gifts": ["poison-guard", "poison-guard"]},
    "diver": {"gifts": ["water-breathing"]},
    "stone-diver": {"gifts": ["water-breathing", "stone-flesh"]},
    "frost": {"gifts": ["water-breathing", "stone-flesh", "cold-immunity"]},
    "stone": {"gifts": ["stone-flesh"]},
    "calm": {"gifts": ["calm-heart", "quiet-mind"]},
    "ward": {"gifts": ["mind-ward", "sealed-mind"], "start": {"Int": 16}},
    "coals": {"gifts": ["coals"]},
    "coals-and-stone": {"gifts": ["coals", "stone-flesh"]},
    "ember": {"gifts": ["ember", "coals"]},
    "salamander": {"gifts": ["salamander", "coals"]},
    "dodger": {"gifts": ["dodge-aura"], "skills": {"dodging": 2, "unarmed-combat": 1, "combat": 1}},
    "fencer": {"gifts": ["born-to-the-blade"], "skills": {"swords": 3}},
    "archer": {"gifts": ["steady-aim", "deadly-throw"], "start": {"Skl": 17}},
    "thief": {"gifts": ["soft-step"], "start": {"Agl": 14}},
    "potter": {"gifts": ["makers-hands"], "skills": {"ceramics": 1}},
    "rifleman": {"skills": {"combat": 2, "guns": 2, "rifles": 2}},
    "giant": {"gifts": ["giants-blood"], "start": {"Str": 15, "End": 13}},
    "small-giant": {"gifts": ["giants-blood"]},
    "fey": {"gifts": ["fey-grace"], "start": {"Agl": 14, "Cha": 15}},
    "slow-fey": {"gifts": ["fey-grace"], "start": {"Agl": 3}},
    "quick": {"gifts": ["quick-blood", "light-sleeper"], "bought_init": 2},
    "grip": {"gifts": ["crushing-grip"], "start": {"Str": 16}},
    "labourer": {"gifts": ["tireless-arms", "second-wind", "strong-blood"]},
    "doubled": {"gifts": ["extra-action"]},
    "doubled-twice": {"gifts": ["extra-action", "extra-action"]},
    "deathless": {"gifts": ["undying", "without-need"]},
    "pools": {
        "gifts": [
            {"advantage": "hearth-magic", "points": 3},
            {"advantage": "wind-lore", "points": 2},
        ]
    },
}


@cache
def shipped() -> list[dict[str, Any]]:
    """Every item of the files that this is about."""
    return [
        item
        for name in FILES
        for item in yaml.safe_load((GAME / f"{name}.yaml").read_text("utf-8"))
    ]


def of_kind(kind: str) -> list[dict[str, Any]]:
    """The shipped items of one kind."""
    return [item for item in shipped() if item["kind"] == kind]


GENERAL = [item for item in of_kind("advantage") if not item.get("scaled")]
SCALED = [item for item in of_kind("advantage") if item.get("scaled")]
ACTIVE = [item["id"] for item in GENERAL if "abilities" in item]


def everybody() -> dict[str, dict[str, Any]]:
    """The characters, among them one for each advantage that has abilities."""
    return {**PEOPLE, **{f"bearer-of-{id}": {"gifts": [id]} for id in ACTIVE}}


@cache
def result() -> CompileResult:
    """The game, the campaign and the characters, compiled together."""
    people = [
        {"kind": "character", "id": id, "title": id, **said} for id, said in everybody().items()
    ]
    files = {
        "pack.yaml": manifest("campaign", 'requires: {moonstone: ">=0.1"}', game="moonstone"),
        "content.yaml": CAMPAIGN,
        "people.yaml": yaml.safe_dump(people),
    }
    with tempfile.TemporaryDirectory(prefix="campaign-") as folder:
        write(Path(folder), files)
        return with_requirements(compile_paths([Path(folder)]))


@cache
def resting(omit_ei: bool) -> tuple[Linked, World]:
    """The game before anything happens in it."""
    program = result().program
    assert program is not None, [str(found) for found in result().diagnostics]
    return at_rest(program, {"omit_ei": omit_ei})


@cache
def number(who: str, what: str, *about: str, omit_ei: bool = False) -> Any:
    """A stat or a measure of somebody: `number("hide", "stat/PR")`,
    `number("hide", "stat/taken", "fire")`."""
    game, world = resting(omit_ei)
    values: list[Any] = [game.program.entity("Character").names.index(who)]
    for one in about:
        found = [
            made for made in ("DamageType", "Ability") if one in game.program.entity(made).names
        ]
        values.append(game.program.entity(found[0]).names.index(one) if found else one)
    expr = ("function", f"moonstone:{what}", *(("value", value) for value in values))
    return game.codegen.value(expr)(world, (), game.initial_scope, frozenset())
