"""The table of odds of an ability against the tasks of play."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import call

PACK = """\
kind: pack
id: here
version: 1.0.0
game: moonstone
edition: 1
requires: {{moonstone: "*"}}
settings: {{exemption_measure: {exemption}}}
"""
GIVEN = """\
given:
  things:
    skating: {{kind: ability, scope: {scope}, base: Agl}}
    ann: {{kind: character, skills: {{skating: {points}}}}}
  players: [Gus, Tea]
  state: {{gm: Gus, ann: {{here: true, player: Tea, pi: 100, mi: 100, ei: 100}}}}
"""


@pytest.mark.parametrize(
    ("scope", "points", "task", "exemption"),
    [
        ("broad", 3, "hard-skilled", "modifier"),
        ("narrow", 2, "average", "modifier"),
        ("narrow", 2, "average", "bought_points"),
        ("focused", 2, "much-skill", "modifier"),
        ("focused", 1, "anyone-none", "modifier"),
    ],
)
def test_the_table_says_what_attempting_says(
    scope: str, points: int, task: str, exemption: str, tmp_path: Path
):
    file = tmp_path / "given.yaml"
    file.write_text(GIVEN.format(scope=scope, points=points), encoding="utf-8")
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "pack.yaml").write_text(PACK.format(exemption=exemption), "utf-8")

    def told(*words: str) -> Any:
        done = call("odds", tmp_path / "here", *words, "--given", file, "--json")
        assert done.code == 0, done.out + done.err
        return json.loads(done.out)

    ways = ("--policy", f"points_put={points}", "--policy", f"task={task}")
    ((line,),) = [table["lines"] for table in told("skating", *ways)]
    attempt = f"use attempt(ann, Int, skating, {task.replace('-', '_')})"
    [values] = told(attempt, "--of", "success")["tables"]
    chances = {one["value"]: Fraction(one["chance"]) for one in values["values"]}
    assert Fraction(line["value"]) == chances.get("yes", Fraction(0))
