"""Packs that know nothing of one another raise one limit of Moonstone and of Witchgates together."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.compiler.cases.case_file import read_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.scenarios.results import PASSED
from tests.support.pack_examples import manifest, write
from tests.support.scenario_runs import run_cases

HOMEBREW = Path(__file__).parent / "homebrew" / "packs"
SAINTS = """\
- kind: advantage
  id: saints-blood
  title: Saint's blood
  rating: II
  text: "You are dead 10 PI later than others."
  abilities: modify dies_at(self) by -10 as "saint's blood"
- kind: standing
  id: long-nights
  for: Character
  abilities: modify daily_uses(self, each what) by 1 where uses_a_day(what) is not none as "long nights"
"""
DEATH = """\
kind: scenarios
cases:
  - id: dead-at-forty
    given:
      things: {anna: {kind: character, gifts: [stubborn-heart, saints-blood, well-rested, blood-gift]}}
      state: {anna: {here: yes, pi: 5, mi: 100, ei: 100}}
    when: [{do: "use suffer(anna, sharp, 44)"}]
    then: {numbers: {anna: {pi: -39, dead: false, dies_at: -40, uses_left(blood-gift): 5}}}
  - id: and-not-later
    given:
      things: {anna: {kind: character, gifts: [stubborn-heart, saints-blood]}}
      state: {anna: {here: yes, pi: 5, mi: 100, ei: 100}}
    when: [{do: "use suffer(anna, sharp, 45)"}]
    then: {numbers: {anna: {pi: -40, dead: true}}}
"""
MULES = """\
- kind: lasting
  id: mule-walks-along
  on: Character
  counts: "scene_ends()"
  english: "a mule walks behind {self}"
  abilities: modify more_boxes(self) by 4 as "a mule"
- kind: standing
  id: deep-pools
  for: Character
  abilities: modify pool_limit(self) by 1 as "deep pools"
- kind: way
  id: mules-come
  to: gm_menu
  label: "a mule comes along"
  when: "exists(everybody)"
  effect: |
    choose led_by from everybody by gm "Behind whom?"
    begin mule_walks_along on led_by for 1
"""
LOADS = """\
kind: scenarios
cases:
  - id: back-and-mule-together
    given:
      players: [Gus, Tea]
      things: {mia: {kind: character, vocation: chess, merits: {strong-back: 1, wide-circle: 3}}}
      state: {gm: Gus, mia: {here: yes, player: Tea, load: light}}
    when: [{do: turn, answers: {"What happens now?": a mule comes along, led_by: mia}}]
    then: {numbers: {mia: {boxes_there: 9, pool_limit: 9}}}
  - id: the-mule-goes-with-the-scene
    given:
      players: [Gus, Tea]
      things: {mia: {kind: character, vocation: chess, merits: {strong-back: 1}}}
      state: {gm: Gus, mia: {here: yes, player: Tea, load: light}}
    when:
      - {do: turn, answers: {"What happens now?": a mule comes along, led_by: mia}}
      - {do: "scene_ends()"}
    then: {numbers: {mia: {boxes_there: 5, pool_limit: 8}}}
"""


@pytest.mark.parametrize(
    ("pack", "other", "cases"),
    [("moonstone/stubborn-hearts", SAINTS, DEATH), ("witchgates/wide-circles", MULES, LOADS)],
    ids=["death", "loads"],
)
def test_two_packs_raise_one_limit(pack: str, other: str, cases: str, tmp_path: Path):
    game = pack.partition("/")[0]
    text = {"pack.yaml": manifest("other", game=game), "other.yaml": other, "cases.yaml": cases}
    write(tmp_path, text)
    result = compile_paths([HOMEBREW / pack, tmp_path], texts=False)
    assert [str(found) for found in result.diagnostics] == []
    assert result.content is not None
    assert result.program is not None
    name = next(name for name in result.content.scenarios if str(tmp_path) in name)
    read = read_cases(result.content.sources[name], Report()) or ()
    done = run_cases(result.program, read, content=result.content).results
    assert [(one.case.id, one.message) for one in done if one.status != PASSED] == []
    assert len(done) == 2
