"""How likely a spell with a given plan is, from the command line, against plain enumeration; and
the cases of pools."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import pytest
import yaml

from ruleloom.runtime.program.faults import Refused
from ruleloom.web.lobby import Shelf
from ruleloom.web.people import Making
from ruleloom.web.requests import BadInput, Fields
from tests.conftest import ROOT
from tests.support.command import call

PACK = ROOT / "rulesets" / "witchgates"

# ---------------------------------------------------------------------------------- spells

GIVEN = """\
given:
  things: {{mia: {{kind: character, vocation: chess, arcana_levels: {{forces: 2}}, mana: {mana}}}}}
  players: [Gus, Tea]
  state: {{gm: Gus, mia: {{here: true, player: Tea}}}}
  made: {{Working: {{plan: {{caster: mia, {has}, pieces: [{pieces}]}}}}}}
"""
CAST = "choose spell from spells_by(mia)\nuse roll_for_spell(mia, spell) giving built\n"
PLAN = ("How is the spell made?=cast it|drop the spell", "stance=risky", "effect_meant=standard")


def chance(tmp_path: Path, pieces: Sequence[str], mana: int, *policies: str) -> Fraction:
    """How likely a spell of these components is, as `ruleloom odds` says."""
    given = tmp_path / "given.yaml"
    has = ", ".join(f"has({piece}): 1" for piece in pieces)
    given.write_text(GIVEN.format(mana=mana, has=has, pieces=", ".join(pieces)), encoding="utf-8")
    words = [word for policy in (*PLAN, *policies) for word in ("--policy", policy)]
    done = call("odds", PACK, "-", "--given", given, "--of", "built", "--json", *words, typed=CAST)
    assert done.code == 0, done.out + done.err
    found = json.loads(done.out)
    assert found["exact"]
    values = {one["value"]: Fraction(one["chance"]) for one in found["tables"][0]["values"]}
    assert sum(values.values()) == 1
    return values.get("yes", Fraction(0))


def enumerated(dice: int, pays: Callable[[tuple[int, ...]], bool]) -> Fraction:
    """How many of all falls pay for the spell."""
    return Fraction(sum(map(pays, product(range(1, 7), repeat=dice))), 6**dice)


def glances(faces: Sequence[int]) -> int:
    """What dice pay, in glances: 2 of a six, 1 of a five or four."""
    return sum(2 if face == 6 else 1 if face > 3 else 0 for face in faces)


def test_a_spell_that_the_dice_pay_for(tmp_path: Path):
    """A blow for a hit and ten metres for a glance, by level 2 and 2 mana."""
    found = chance(
        tmp_path, ["energy-strike", "range-near"], 2, "raised=none", "reach_of_trouble=1"
    )
    assert found == enumerated(4, lambda faces: glances(faces) >= 3)


def test_a_spell_that_takes_a_risk(tmp_path: Path):
    """Trouble reaches up to 3, for two free glances; Empower costs a hit more."""
    pieces = ["energy-strike", "range-near", "empower"]
    found = chance(tmp_path, pieces, 1, "raised=none", "reach_of_trouble=3")
    assert found == enumerated(3, lambda faces: glances(faces) + 2 >= 5)


def test_a_spell_that_mana_helps(tmp_path: Path):
    """Each of two mana raises a five to a six, as long as there is a five."""

    def pays(faces: tuple[int, ...]) -> bool:
        return glances(faces) + min(2, faces.count(5)) >= 4

    pieces = ["energy-strike", "range-near", "duration-scene"]
    found = chance(tmp_path, pieces, 2, "raised=5|none", "reach_of_trouble=1")
    assert found == enumerated(4, pays)


# -------------------------------------------------------------- the same spell at the bench


def at_the_bench(tmp_path: Path, pieces: Sequence[str], *policies: str) -> Fraction:
    """How likely a formula of these components is paid for, as the bench says."""
    given = tmp_path / "thing.yaml"
    parts = ", ".join(f"{piece}: 1" for piece in pieces)
    given.write_text(f"given: {{things: {{plan: {{kind: formula, parts: {{{parts}}}}}}}}}\n")
    words = [word for policy in policies for word in ("--policy", policy)]
    done = call("odds", PACK, "plan", "--given", given, "--json", *words)
    assert done.code == 0, done.out + done.err
    ((line,),) = [table["lines"] for table in json.loads(done.out)]
    assert line["exact"]
    return Fraction(line["value"])


@pytest.mark.parametrize(
    ("pieces", "dice", "mana", "reach", "answers"),
    [
        (["energy-strike", "range-near"], 4, 2, 1, "best:1 if built else 0"),
        (["energy-strike", "range-near", "empower"], 3, 1, 3, "none"),
    ],
)
def test_the_bench_says_what_casting_says(
    pieces: list[str], dice: int, mana: int, reach: int, answers: str, tmp_path: Path
):
    """Mia's level is 2; each mana is a die, too."""
    cast = chance(tmp_path, pieces, mana, f"raised={answers}", f"reach_of_trouble={reach}")
    policies = [f"pool_dice={dice}", f"mana_ready={mana}", f"reach_of_trouble={reach}"]
    if answers == "none":
        policies.append("raised=none")
    assert at_the_bench(tmp_path, pieces, *policies) == cast


def test_a_page_that_makes_a_spell_asks_for_its_odds():
    """With fixed answers, so that the page chooses the lines; never with what is to be best."""
    making = Making(Shelf([("witchgates",)]))
    bolt = "kind: formula\nid: bolt\ntitle: Bolt\nparts: {energy-strike: 1, range-near: 1}\n"
    request = {"game": 0, "text": bolt, "number": 0}
    answers = ["pool_dice=2", "mana_ready=0", "raised=none"]
    tables: Any = making.answer("odds", Fields({**request, "answers": answers}))
    (table,) = tables
    assert [(one["answers"], one["value"]) for one in table["lines"]] == [(["2", "0"], "5/36")]
    with pytest.raises(BadInput):
        making.answer("odds", Fields({**request, "answers": ["raised=best:1"]}))
    mistaken = {**request, "text": bolt.replace("near", "neer")}
    with pytest.raises(Refused, match="range-neer"):
        making.answer("odds", Fields({**mistaken, "answers": answers}))


# ---------------------------------------------------------------- pools: the cases are closed forms

BINOMIAL = re.compile(r"(hits_of|glances_of)\(shown\) = (\d)")
TROUBLE = re.compile(r"in_trouble\(shown, (\d)\)")


def binomial(dice: int, many: int, faces: int) -> Fraction:
    """How likely so many dice of all show one of so many faces."""
    return comb(dice, many) * Fraction(faces, 6) ** many * Fraction(6 - faces, 6) ** (dice - many)


def closed(dice: int, asked: str) -> Fraction:
    """The chance that a case of a pool claims, by its closed form."""
    if found := BINOMIAL.fullmatch(asked):
        return binomial(dice, int(found[2]), {"hits_of": 1, "glances_of": 2}[found[1]])
    if found := TROUBLE.fullmatch(asked):
        return sum(
            (binomial(dice, many, int(found[1])) for many in range(dice // 2 + 1, dice + 1)),
            Fraction(0),
        )
    if asked == "trouble and band = hit":  # of the dice that are no ones, not all miss a six
        return sum(
            (
                binomial(dice, ones, 1) * (1 - Fraction(4, 5) ** (dice - ones))
                for ones in range(dice // 2 + 1, dice + 1)
            ),
            Fraction(0),
        )
    no_hit, miss = Fraction(5, 6) ** dice, Fraction(1, 2) ** dice
    return {"band = hit": 1 - no_hit, "band = glance": no_hit - miss, "band = miss": miss}[asked]


def cases() -> list[dict[str, Any]]:
    """The cases of `odds.yaml`."""
    text = (PACK / "scenarios" / "odds.yaml").read_text(encoding="utf-8")
    found: list[dict[str, Any]] = yaml.safe_load(text)["cases"]
    return found


def test_every_pool_is_claimed_as_its_closed_form():
    """What the cases of Witchgates claim, and the machine finds, is the closed form, for every
    number of dice."""
    pools = {
        one["given"]["state"]["base_dice"]: one["then"]["odds"] for one in cases() if "given" in one
    }
    assert sorted(pools) == [1, 2, 3, 4, 5, 6, 7]
    for dice, odds in pools.items():
        for many in range(dice + 1):
            assert {f"hits_of(shown) = {many}", f"glances_of(shown) = {many}"} <= odds.keys()
        assert {f"in_trouble(shown, {up_to})" for up_to in (1, 2, 3)} <= odds.keys()
        assert {asked: Fraction(str(claimed)) for asked, claimed in odds.items()} == {
            asked: closed(dice, asked) for asked in odds
        }


def test_no_dice_are_claimed_as_all_falls_of_two():
    (none,) = [one for one in cases() if "given" not in one]
    falls = [min(two) for two in product(range(1, 7), repeat=2)]
    both_low = Fraction(sum(1 for a, b in product(range(1, 7), repeat=2) if a <= 3 and b <= 3), 36)
    assert {asked: Fraction(str(claimed)) for asked, claimed in none["then"]["odds"].items()} == {
        "band = hit": Fraction(falls.count(6), 36),
        "band = glance": Fraction(falls.count(5) + falls.count(4), 36),
        "band = miss": Fraction(sum(1 for face in falls if face < 4), 36),
        "trouble": Fraction(1, 36),
        "in_trouble(shown, 3)": both_low,
    }
