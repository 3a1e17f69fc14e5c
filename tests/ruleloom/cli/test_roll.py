"""`ruleloom roll` and `ruleloom odds TABLE`: what falls, by a seed, and how likely each row is."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction

import pytest

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.random_tables import KIND, tables_of
from ruleloom.compiler.pipeline import load
from ruleloom.reference.random_tables import TableRolls, row_odds
from ruleloom.runtime.machine.dice import Xoshiro
from tests.conftest import ROOT
from tests.support.command import call

PACKS = ROOT / "tests" / "content" / "homebrew" / "packs"
OMENS, ROADS = str(PACKS / "gnostica" / "night-omens"), str(PACKS / "moonstone" / "forest-roads")


def test_a_roll_tells_the_dice_the_row_and_the_rows_that_it_leads_to():
    done = call("roll", "night-omens", OMENS, "--seed", "4", "--times", "2")
    assert done.out.splitlines() == [
        "Night Omens (2d6): 6 + 1 = 7: The night is quiet.",
        "Night Omens (2d6): 3 + 1 = 4: the player dreams of silent ravens.",
        "  Night birds (1d6): 4: silent ravens",
        "    Night colours (1d4): 3: silent",
        "seed 4",
    ]
    assert call("roll", "Night Omens", OMENS, "--seed", "4", "--times", "2") == done


def test_what_was_drawn_stays_out_until_all_are():
    done = call("roll", "forest-wonder", ROADS, "--seed", "1", "--times", "6")
    told = [line.partition(": ")[2] for line in done.out.splitlines()[:-1]]
    assert len({*told[:3]}) == len({*told[3:]}) == 3


def test_a_name_that_no_table_has_is_answered_with_the_nearest():
    done = call("roll", "forest-wonders", ROADS)
    assert done.code == 2
    assert "there is no random table `forest-wonders`" in done.err
    assert "did you mean `forest-wonder`?" in done.err


def test_the_odds_of_a_row_within_a_row_are_multiplied():
    done = call("odds", OMENS, "night-omens", "--json")
    rows = {one["results"]: one for one in json.loads(done.out)["rows"]}
    assert {name: one["chance"] for name, one in rows.items()} == {
        "2-4": "1/6",
        "5-9": "2/3",
        "10-11": "5/36",
        "12": "1/36",
    }
    birds = rows["2-4"]["nested"]
    assert [(one["chance"], one["in_all"]) for one in birds] == [("1/3", "1/18"), ("2/3", "1/9")]
    assert [one["in_all"] for one in birds[1]["nested"]] == ["1/36", "1/36", "1/18"]


@pytest.mark.parametrize("pack", [OMENS, ROADS])
def test_rolls_come_as_often_as_the_odds_say(pack):
    content = load([pack], Report(), scenarios=False)
    assert content is not None
    tables = tables_of(content.by_kind(KIND))
    for table in tables.values():
        rolls, times = TableRolls(tables, Xoshiro.seeded(1)), 600
        fell = Counter(rolls.roll(table).row.results for _ in range(times))
        odds = {one.row.results: one.chance for one in row_odds(table, tables)}
        assert sum(odds.values()) == 1
        assert all(abs(Fraction(fell[row], times) - odds[row]) < Fraction(1, 12) for row in odds)
