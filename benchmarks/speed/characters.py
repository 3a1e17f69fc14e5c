"""A thousand characters of Moonstone: checked, and the cost of each explained, against the same sum
by hand.

By hand is Python that reads the same file and adds up what each character costs, and says nothing
more. Checked means compiled together with the game and held against its requirements; explained,
all that `ruleloom why` tells.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from benchmarks.figures import Figure
from benchmarks.harness import side_by_side
from benchmarks.speed.fighting import PACK
from ruleloom.api.at_rest import at_rest
from ruleloom.api.requirements import with_requirements
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.explain.derivation import Reckoning

MANY = 1_000
CHARACTERS, CV, DEPTH = "Character", "moonstone:measure/CV", 2
RAW = ("Int", "Wil", "Cha", "Sen", "Str", "End", "Agl", "Skl")
ORDINARY, LOWEST = 12, -50
# What the rules print: what a rating costs, for an advantage and for a point of a scaled one; what
# a bane returns.
GENERAL = {"I": 1, "II": 2, "III": 3, "IV": 5, "V": 10, "VI": 20, "VII": 30}
SCALED: dict[str, int | Fraction] = {"1/5": Fraction(1, 5), "1/2": Fraction(1, 2), **GENERAL}
RETURNED = {"0": 0, "i": 1, "ii": 2, "iii": 3, "iv": 5, "v": 10, "vi": 20, "vii": 30}
LOTS = {"mi": 5, "pi": 5, "ei": 5, "mr": 2, "pr": 2, "er": 2, "init": 1}
GAME = Path(__file__).parents[2] / "rulesets" / "moonstone"
Items = Mapping[str, Mapping[str, Any]]


def shipped(kind: str, *files: str) -> Items:
    """The items of a kind that the game brings, by id."""
    found = [
        one for name in files for one in yaml.safe_load((GAME / f"{name}.yaml").read_text("utf-8"))
    ]
    return {one["id"]: one for one in found if one["kind"] == kind}


def written(folder: Path, many: int = MANY) -> Path:
    """A campaign of so many random characters, with scores, trained abilities, advantages and
    disadvantages."""
    source = random.Random(7)
    gifts = list(shipped("advantage", "advantages"))
    flaws = list(shipped("bane", "banes"))
    arts = list(shipped("ability", "abilities"))
    head = PACK + "settings: {cv_allowance: 400, buy_integrities: true}\n"
    (folder / "pack.yaml").write_text(head, encoding="utf-8")
    lines = []
    for number in range(many):
        start = {raw: source.randint(8, 18) for raw in source.sample(RAW, 4)}
        skills = {art: source.randint(1, 6) for art in source.sample(arts, 3)}
        some, banes = source.sample(gifts, 2), source.sample(flaws, 1)
        bought = source.choice(list(LOTS))
        said = (
            f"{{kind: character, id: c{number}, title: C{number}, text: x, start: {start}, skills: {skills}, "
            f"gifts: {some}, flaws: {banes}, bought_{bought}: {LOTS[bought] * source.randint(1, 3)}}}"
        )
        lines.append(f"- {said}\n".replace("'", ""))
    path = folder / "people.yaml"
    path.write_text("".join(lines), encoding="utf-8")
    return path


def by_machine(folder: Path) -> list[Fraction]:
    """Compile, check, and explain what each character costs."""
    result = with_requirements(compile_paths([folder]))
    assert result.program is not None, [str(found) for found in result.diagnostics[:3]]
    linked, world = at_rest(result.program)
    reckoning = Reckoning(linked, world)
    every = range(len(linked.layout.names[CHARACTERS]))
    return [Fraction(reckoning.function(CV, (who,), DEPTH).value) for who in every]


def by_hand(path: Path, gifts: Items, flaws: Items) -> list[Fraction]:
    """Read the file, and add up."""
    people = yaml.load(
        path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    )
    return [cost(one, gifts, flaws) for one in people]


def cost(one: Mapping[str, Any], gifts: Items, flaws: Items) -> Fraction:
    """What a character costs, in Ad."""
    prices = {raw: score_price(score) for raw, score in one["start"].items()}
    total = Fraction(sum(prices.values()) + sum(one["skills"].values()))
    total += sum(Fraction(one.get(f"bought_{level}", 0), lot) for level, lot in LOTS.items())
    for name in one["gifts"]:
        prices_of = SCALED if gifts[name].get("scaled") else GENERAL
        total += prices_of[str(gifts[name]["rating"])]
    for name in one["flaws"]:
        # A bane that says the same as a low score: the one that returns more counts.
        bane = flaws[name]
        told = [raw for raw in bane.get("covers", ()) if prices.get(raw, 0) < 0]
        back = RETURNED[str(bane["rating"])]
        lower = [raw for raw in told if -prices[raw] < back]
        total -= 0 if len(lower) < len(told) else back
        total -= sum(prices[raw] for raw in lower)
    return total


def score_price(score: int) -> int:
    """Ad for one raw score: each five cost more than the five before."""
    if score <= ORDINARY:
        return LOWEST if score == 1 else -3 * (ORDINARY - score)
    return sum(2 * (1 + (point - ORDINARY - 1) // 5) for point in range(ORDINARY + 1, score + 1))


def figures(keys: Collection[str], rounds: int = 3) -> Iterator[Figure]:
    """The whole way from the file."""
    gifts, flaws = (
        shipped("advantage", "advantages", "supernature", "spell-lists"),
        shipped("bane", "banes"),
    )
    with TemporaryDirectory() as name:
        folder = Path(name)
        path = written(folder)
        assert by_machine(folder) == by_hand(path, gifts, flaws)
        text, edits = path.read_text(encoding="utf-8"), count()

        def edited_and_explained() -> None:
            # Else the compiler gives the result of last time.
            path.write_text(f"{text}# edit {next(edits)}\n", encoding="utf-8")
            by_machine(folder)

        times = side_by_side(edited_and_explained, lambda: by_hand(path, gifts, flaws), 1, rounds)
    yield Figure("characters", *times, rounds)
