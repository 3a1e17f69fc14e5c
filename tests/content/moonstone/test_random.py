"""Random characters: what the ruleset says of each is what this page works out by itself, in plain
Python."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

from ruleloom.api.at_rest import at_rest
from ruleloom.api.requirements import with_requirements
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.program.program import Program

RAW = ("Int", "Wil", "Cha", "Sen", "Str", "End", "Agl", "Skl")
GENERAL = {"I": 1, "II": 2, "III": 3, "IV": 5, "V": 10, "VI": 20, "VII": 30}
SCALED = {
    "1/5": Fraction(1, 5),
    "1/2": Fraction(1, 2),
    **{k: Fraction(v) for k, v in GENERAL.items()},
}
RETURNED = {"i": 1, "ii": 2, "iii": 3, "iv": 5, "v": 10, "vi": 20, "vii": 30}
SCOPES = {"broad": 1, "narrow": 2, "focused": 3}
LOTS = {"mi": 5, "pi": 5, "ei": 5, "mr": 2, "pr": 2, "er": 2, "init": 1}
PACK = """\
kind: pack
id: crowd
version: 0.1.0
game: moonstone
edition: 1
requires: {moonstone: ">=0.1"}
settings: {supernature: true}
"""
# What this campaign takes for natural, and what for bizarre; where the resistances somebody buys
# may come from.
NATURAL = ("gen-i", "gen-iv", "pool-0", "pool-4")
BIZARRE = ("bane-ii", "bane-iv", "bane-vi")
SOURCES = {"pelt": False, "drill": True}


@dataclass
class Build:
    """A character as this page knows one."""

    scores: dict[str, int]
    bought: dict[str, int]
    skills: dict[str, int]
    general: dict[str, int]
    scaled: dict[str, tuple[int, int]]
    flaws: list[str]
    sources: dict[str, str]

    def text(self, name: str) -> str:
        """The same as an item."""
        gifts = [
            f"{{advantage: {one}, paired: {['burden'] * steps}}}"
            for one, steps in self.general.items()
        ]
        gifts += [
            f"{{advantage: {one}, points: {points}, paired: {['burden'] * steps}}}"
            for one, (points, steps) in self.scaled.items()
        ]
        bought = "".join(f"  bought_{what}: {much}\n" for what, much in self.bought.items() if much)
        bought += "".join(f"  {what}_from: {source}\n" for what, source in self.sources.items())
        lines = {
            "start": "{" + ", ".join(f"{k}: {v}" for k, v in self.scores.items()) + "}",
            "skills": "{" + ", ".join(f"{k}: {v}" for k, v in self.skills.items()) + "}",
            "gifts": "[" + ", ".join(gifts) + "]",
            "flaws": "[" + ", ".join(self.flaws) + "]",
        }
        shown = "".join(f"  {key}: {value}\n" for key, value in lines.items() if len(value) > 2)
        return f"- kind: character\n  id: {name}\n  title: {name}\n{shown}{bought}"


def content() -> str:
    """One advantage of each rating, one bane of each, an ability of each scope, all of this page's
    own."""
    items = [
        f"- {{kind: advantage, id: gen-{r.lower()}, title: G {r}, rating: {r}, text: x, {tag}}}\n"
        for r in GENERAL
        for tag in ["natural: " + str(f"gen-{r.lower()}" in NATURAL).lower()]
    ]
    items += [
        f"- {{kind: advantage, id: pool-{n}, title: S {n}, rating: {r}, scaled: true, text: x, {tag}}}\n"
        for n, r in enumerate(SCALED)
        for tag in ["natural: " + str(f"pool-{n}" in NATURAL).lower()]
    ]
    items += [
        f"- {{kind: bane, id: bane-{r}, title: B {r}, rating: {r}, text: x, {tag}}}\n"
        for r in RETURNED
        for tag in ["bizarre: " + str(f"bane-{r}" in BIZARRE).lower()]
    ]
    items += [
        f"- {{kind: explanation, id: {one}, title: E {one}, natural: {str(tag).lower()}}}\n"
        for one, tag in SOURCES.items()
    ]
    items += [
        f"- {{kind: ability, id: art-{s}, title: A {s}, scope: {s}, base: Str}}\n" for s in SCOPES
    ]
    items.append("- {kind: pairing, id: burden, title: Burden, steps: 1, text: x}\n")
    hide = "modify PR(self) by 4 as 'hide'\n    modify max_PI(self) times 2\n    raised(Agl, 2)"
    items.append(
        f"- kind: advantage\n  id: hide\n  title: Hide\n  rating: II\n  text: x\n  abilities: |\n    {hide}\n".replace(
            "'", '"'
        )
    )
    return "".join(items)


def random_build(source: random.Random) -> Build:
    """Anybody at all."""
    scores = {raw: source.randint(1, 34) for raw in source.sample(RAW, source.randint(0, 8))}
    bought = {
        what: lot * source.randint(0, 6) for what, lot in LOTS.items() if source.random() < 0.3
    }
    skills = {f"art-{s}": source.randint(1, 9) for s in SCOPES if source.random() < 0.5}
    chosen = source.sample([f"gen-{r.lower()}" for r in GENERAL], source.randint(0, 3))
    general = {one: source.choice([0, 0, 1]) for one in chosen}
    if source.random() < 0.3:
        general["hide"] = 0
    pools = source.sample(range(len(SCALED)), source.randint(0, 2))
    scaled = {f"pool-{n}": (source.randint(1, 9), source.choice([0, 0, 1])) for n in pools}
    flaws = [f"bane-{r}" for r in source.sample(list(RETURNED), source.randint(0, 3))]
    sources = {
        what: source.choice(list(SOURCES)) for what in ("mr", "pr", "er") if source.random() < 0.7
    }
    return Build(scores, bought, skills, general, scaled, flaws, sources)


# ---------------------------------------------------------------------------------- by hand


def raw_price(score: int) -> int:
    """Ad for one raw score, point by point."""
    if score == 1:
        return -50
    if score < 12:
        return -3 * (12 - score)
    return sum(2 * (1 + (n - 13) // 5) for n in range(13, score + 1))


def fallen(ratings: list[str], rating: str, steps: int) -> str | None:
    """A rating some rows further down; None below the lowest."""
    place = ratings.index(rating) - steps
    return ratings[place] if place >= 0 else None


def gift_prices(one: Build) -> dict[str, Fraction]:
    """Ad for each advantage."""
    prices = {}
    for name, steps in one.general.items():
        rating = "II" if name == "hide" else name.removeprefix("gen-").upper()
        row = fallen(list(GENERAL), rating, steps)
        prices[name] = Fraction(GENERAL[row] if row else 0)
    for name, (points, steps) in one.scaled.items():
        row = fallen(list(SCALED), list(SCALED)[int(name.removeprefix("pool-"))], steps)
        prices[name] = points * SCALED[row] if row else Fraction(0)
    return prices


def above(norm: int, had: int, bought: int) -> int:
    """How many of the points bought lie above the norm, counted one after the other."""
    return sum(1 for point in range(1, bought + 1) if had + point > norm)


def strangeness(one: Build) -> Fraction:
    """Spn: unnatural advantages, bizarre disadvantages, scores over 20, levels and resistances
    beyond people's."""
    score = {raw: one.scores.get(raw, 12) for raw in RAW}
    found = sum(
        (price for name, price in gift_prices(one).items() if name not in NATURAL), Fraction(0)
    )
    found += sum(RETURNED[name.removeprefix("bane-")] for name in one.flaws if name in BIZARRE)
    found += sum(raw_price(value) - 22 for value in score.values() if value > 20)
    for what, raw in (("mi", "Wil"), ("pi", "End"), ("ei", "End")):
        found += Fraction(above(140, 40 + 5 * score[raw], one.bought.get(what, 0)), 5)
    agile = max(0, score["Agl"] - 15) - max(0, 5 - score["Agl"])
    found += above(5, agile, one.bought.get("init", 0))
    for what, source in one.sources.items():
        found += 0 if SOURCES[source] else Fraction(one.bought.get(what, 0), 2)
    return found


def by_hand(one: Build) -> dict[str, Fraction | int]:
    """Every number of a character."""
    score = {raw: one.scores.get(raw, 12) for raw in RAW}
    cost = Fraction(sum(raw_price(value) for value in score.values()) + sum(one.skills.values()))
    cost += sum((Fraction(much, LOTS[what]) for what, much in one.bought.items()), Fraction(0))
    cost += sum(gift_prices(one).values(), Fraction(0))
    cost -= sum(RETURNED[name.removeprefix("bane-")] for name in one.flaws)
    hide = "hide" in one.general
    agile = score["Agl"] + (2 if hide else 0)
    bought = {what: one.bought.get(what, 0) for what in LOTS}
    return {
        "CV": cost,
        "max_MI": 40 + 5 * score["Wil"] + bought["mi"],
        "max_PI": (40 + 5 * score["End"] + bought["pi"]) * (2 if hide else 1),
        "max_EI": 40 + 5 * score["End"] + bought["ei"],
        "MR": bought["mr"] + 10 * max(0, score["Int"] - 15) + 10 * max(0, score["Cha"] - 15),
        "PR": bought["pr"] + 5 * max(0, agile - 15) + (4 if hide else 0),
        "agile_PR": 5 * max(0, agile - 15),
        "firm_PR": bought["pr"] + (4 if hide else 0),
        "Spn": strangeness(one),
        "CV_now": cost,
        "unspent": max(Fraction(0), 40 - cost),
        "ER": bought["er"],
        "Init": bought["init"] + max(0, agile - 15) - max(0, 5 - agile),
        "melee_dice": max(0, score["Str"] - 15),
        "ranged_dice": max(0, score["Skl"] - 15),
    }


def art_by_hand(one: Build, scope: str) -> int:
    """The fine score of an art, which is used with Str."""
    return one.scores.get("Str", 12) + SCOPES[scope] * one.skills.get(f"art-{scope}", 0)


# ---------------------------------------------------------------------------------- by the rules


def compiled(builds: list[Build], folder: Path) -> Program:
    """A campaign of these characters, for which money is no object."""
    (folder / "pack.yaml").write_text(PACK, encoding="utf-8")
    (folder / "content.yaml").write_text(content(), encoding="utf-8")
    people = "".join(one.text(f"c{number}") for number, one in enumerate(builds))
    (folder / "people.yaml").write_text(people, encoding="utf-8")
    result = compile_paths([folder], reasons=False)
    assert result.program is not None, [str(one) for one in result.diagnostics[:3]]
    told = {one.code for one in with_requirements(result).diagnostics}
    assert told <= {"requirement", "unused-item"}
    return result.program


def check_numbers(builds: list[Build], folder: Path) -> None:
    """Compare every number of every character."""
    program = compiled(builds, folder)
    game, world = at_rest(program)
    ids = {one.id.rpartition("/")[2]: one.id for one in program.functions}
    arts = program.entity("Ability").names
    names = program.entity("Character").names
    for number, one in enumerate(builds):
        who = names.index(f"c{number}")
        for name, value in by_hand(one).items():
            call = game.codegen.value(("function", ids[name], ("value", who)))
            found = call(world, (), game.initial_scope, frozenset())
            assert found == value, (name, one)
        for scope in SCOPES:
            art = ("value", arts.index(f"art-{scope}"))
            call = game.codegen.value(("function", ids["fine"], ("value", who), art))
            assert call(world, (), game.initial_scope, frozenset()) == art_by_hand(one, scope), (
                scope,
                one,
            )


def test_the_numbers_of_random_characters(tmp_path: Path):
    source = random.Random(3)
    check_numbers([random_build(source) for _ in range(60)], tmp_path)


@pytest.mark.slow
def test_the_numbers_of_a_thousand_characters(tmp_path: Path):
    source = random.Random(4)
    for start in range(0, 1_000, 250):
        folder = tmp_path / str(start)
        folder.mkdir()
        check_numbers([random_build(source) for _ in range(250)], folder)
