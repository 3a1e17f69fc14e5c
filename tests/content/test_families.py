"""Packs of the shipped games that share tags, change the numbers of others and forbid them things."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.source.file import Source
from ruleloom.scenarios.cases import read_cases
from ruleloom.scenarios.results import PASSED
from tests.support.pack_examples import manifest, write
from tests.support.scenario_runs import run_cases
from tests.support.scratch import scratch

HOLY = '- {kind: tag, id: blessed, english: "blessed"}\n- {kind: tag, id: holy, parent: blessed, english: "holy"}\n'
CENSER = """\
- kind: weapon
  id: {name}
  title: {name}
  dice: 1
  sides: 6
  harm: sharp
  used_with: blade-weapons
  tags: [holy]
  text: "It smokes."
"""
AURA = """\
- kind: standing
  id: holy-air
  for: Character
  abilities: |
    passive where here(self) and exists(arm: weapons(self) where blessed in tags(arm)):
        modify max_PI(each who) by 5 where who != self and here(who) as "blessed air"
        modify max_MI(each who) at least 120 where who != self as "calm"
    restrict may_act(each who) where pi(self) < 10 and here(self) and who != self as "everybody stares"
    restrict may_strike(each who, self) where score(who, Str) > 40 as "they fear what they might do"
"""
WELL = "{here: yes, pi: 100, mi: 100, ei: 100}"
AIR_CASES = f"""\
  - id: nobody-holds-it
    given:
      things: {{ann: {{kind: character}}, bea: {{kind: character}}}}
      state: {{ann: {WELL}, bea: {WELL}}}
    when: [{{do: say "x"}}]
    then: {{numbers: {{ann: {{max_PI: 100, max_MI: 100}}, bea: {{max_PI: 100}}}}}}
  - id: one-holds-it
    given:
      things: {{ann: {{kind: character, weapons: [NAME]}}, bea: {{kind: character}}, cal: {{kind: character}}}}
      state: {{ann: {WELL}, bea: {WELL}}}
    when: [{{do: say "x"}}]
    then: {{numbers: {{ann: {{max_PI: 100, max_MI: 100}}, bea: {{max_PI: 105, max_MI: 120}}, cal: {{max_PI: 100}}}}}}
  - id: two-hold-it
    given:
      things: {{ann: {{kind: character, weapons: [NAME]}}, bea: {{kind: character, weapons: [NAME]}}, cal: {{kind: character}}}}
      state: {{ann: {WELL}, bea: {WELL}, cal: {WELL}}}
    when: [{{do: say "x"}}]
    then: {{numbers: {{ann: {{max_PI: 105}}, bea: {{max_PI: 105}}, cal: {{max_PI: 110, max_MI: 120}}}}}}
  - id: they-stare
    given:
      things: {{ann: {{kind: character}}, bea: {{kind: character}}}}
      state: {{ann: {{here: yes, pi: 9, mi: 100, ei: 100}}, bea: {WELL}}}
    when: [{{do: "choose who from everybody where may_act(who)", answers: {{who: bea}}}}]
    then: {{legal: false, reason: "everybody stares"}}
"""
GLOOM = """\
- {kind: tag, id: cursed, english: "cursed"}
- kind: gear
  id: doll
  title: A doll
  size: 1
  price: 20
  tags: [cursed]
- kind: standing
  id: gloom
  for: Character
  abilities: |
    restrict may_act(each who) where who != self and exists(thing: Gear where cursed in tags(thing) and carried(self, thing) > 0) as "the doll looks"
"""
GLOOM_CASES = """\
  - id: the-doll-looks
    given:
      players: [Gus, Tea]
      things: {tom: {kind: character, vocation: chess}, una: {kind: character, vocation: chess}}
      state: {tom: {here: yes, player: Tea, load: light, carried(doll): 1}, una: {here: yes, player: Gus}}
    when: [{do: "choose who from Character where may_act(who)", answers: {who: una}}]
    then: {legal: false, reason: "the doll looks"}
  - id: not-at-its-keeper
    given:
      players: [Gus, Tea]
      things: {tom: {kind: character, vocation: chess}, una: {kind: character, vocation: chess}}
      state: {tom: {here: yes, player: Tea, load: light, carried(doll): 1}, una: {here: yes, player: Gus}}
    when: [{do: "choose who from Character where may_act(who)", answers: {who: tom}}]
    then: {numbers: {tom: {stress: 0}}}
"""
PACKS = {
    "moonstone": {
        "air": HOLY + CENSER.format(name="censer") + AURA,
        # It comes later, and the one before knows nothing of it.
        "later": HOLY + CENSER.format(name="thurible"),
    },
    "witchgates": {"gloom": GLOOM},
}
CASES = {
    ("moonstone", "air"): AIR_CASES.replace("NAME", "censer"),
    ("moonstone", "later"): AIR_CASES.replace("NAME", "thurible"),
    ("witchgates", "gloom"): GLOOM_CASES,
}


@cache
def folder(game: str, pack: str) -> Path:
    made = scratch(f"{pack}-") / pack
    made.mkdir()
    write(made, {"pack.yaml": manifest(pack, game=game), "items.yaml": PACKS[game][pack]})
    return made


@pytest.mark.parametrize(("game", "pack"), sorted(CASES))
def test_packs_share_what_they_declare(game: str, pack: str):
    result, report = compile_paths([folder(game, one) for one in PACKS[game]]), Report()
    assert [str(found) for found in result.diagnostics] == []
    assert result.program is not None
    cases = read_cases(
        Source("cases.yaml", f"kind: scenarios\ncases:\n{CASES[game, pack]}"), report
    )
    assert report.diagnostics() == []
    assert cases is not None
    done = run_cases(result.program, cases, content=result.content)
    found = [f"{one.case.id}: {one.status}: {one.message}" for one in done.results]
    assert [one for one in found if f": {PASSED}: " not in one] == []
