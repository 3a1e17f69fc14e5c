"""Packs of the shipped games that share tags, change the numbers of others and forbid them things."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from ruleloom.compiler.cases.case_file import read_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.source.file import Source
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
LIGHTS = """\
- kind: stat
  id: light
  takes: "who: Player"
  is: "0"
  english: "the light of {who}"
- kind: rule
  id: may_sleep
  takes: "piece: Piece"
  holds: "facing(piece) != up"
  english: "{piece} may sleep"
- kind: major
  id: lighthouse
  title: Lighthouse
  number: 94
  effect: |
    choose minion from minions where may_sleep(minion) and light(me) < 3 "Who sleeps?"
    face(minion, up)
  abilities: |
    modify light(each who) by 1 where exists(piece: pieces_of(who) where board(space(piece)) = this) as "on the lighthouse"
    restrict may_sleep(each piece) where board(space(piece)) = self as "too bright"
    when shift(piece, goal) where board(goal) = self:
        say "{piece} comes into the light"
- kind: suit
  id: lamps
  title: Lamp
  numbers: {from: 1, to: 3}
  effect: |
    use move
  abilities: |
    modify light(each who) by 1 where exists(piece: pieces_of(who) where board(space(piece)) = this) as "at a lamp"
- kind: standing
  id: upright
  for: Piece
  among: pieces_on_board
  where: "facing(self) = up"
  abilities: |
    modify light(each who) by 1 where who = owner(self) as "upright"
    when shift(piece, goal) where piece != self and goal = space(self):
        say "{self} greets {piece}"
- kind: standing
  id: star
  for: Player
  stacks: once
  abilities: |
    modify light(each who) by 2 where count(hand(self)) > 1 and who != self as "a star"
- kind: major
  id: ember
  title: Ember
  number: 95
  effect: |
    choose whom from players "Whose light?"
    choose much from 0 .. 9 where much = light(whom) "How much?"
    choose piece from pieces_of(whom) where may_sleep(piece) "Who sleeps?"
    face(piece, up)
    say "{much}"
"""
LIGHT_CASES = """\
  - id: too-bright
    given: {board: {base: std, set: {0/0: lighthouse}}, pieces: [A1N@0/0, A1N@0/1], hands: {A: [ember]}}
    when: [{option: play, card: ember}, {power: ember, whom: A, much: 1, piece: A1N@0/0}]
    then: {legal: false, reason: "too bright"}
  - id: dark-elsewhere
    given: {board: {base: std, set: {0/0: lighthouse}}, pieces: [A1N@0/0, A1N@0/1], hands: {A: [ember]}}
    when: [{option: play, card: ember}, {power: ember, whom: A, much: 1, piece: A1N@0/1}]
    then: {pieces: [A1N@0/0, A1up@0/1]}
  - id: no-light
    given: {pieces: [A1N@0/0], hands: {A: [ember]}}
    when: [{option: play, card: ember}, {power: ember, whom: A, much: 0, piece: A1N@0/0}]
    then: {pieces: [A1up@0/0]}
  - id: two-lamps-and-a-lighthouse-and-upright
    given: {board: {base: std, set: {0/0: lighthouse, 0/1: lamps1, 0/2: lamps3}}, pieces: [A1N@0/0, A1N@0/1, A1N@0/2, A1up@1/1, B1up@1/0, B1up@2/0], hands: {A: [ember]}}
    when: [{option: play, card: ember}, {power: ember, whom: A, much: 4, piece: A1N@0/1}]
    then: {pieces: [A1N@0/0, A1up@0/1, A1N@0/2, A1up@1/1, B1up@1/0, B1up@2/0]}
  - id: two-of-the-other
    given: {board: {base: std, set: {0/0: lighthouse, 0/1: lamps1, 0/2: lamps3}}, pieces: [A1N@0/0, A1N@0/1, A1N@0/2, A1up@1/1, B1up@1/0, B1up@2/0, B1N@2/2], hands: {A: [ember]}}
    when: [{option: play, card: ember}, {power: ember, whom: B, much: 2, piece: B1N@2/2}]
    then: {pieces: [A1N@0/0, A1N@0/1, A1N@0/2, A1up@1/1, B1up@1/0, B1up@2/0, B1up@2/2]}
  - id: one-star-of-two
    given: {players: [A, B, C], pieces: [A1N@0/1], hands: {A: [ember], B: [fool, moon], C: [hermit, lamps2]}}
    when: [{option: play, card: ember}, {power: ember, whom: A, much: 2, piece: A1N@0/1}]
    then: {pieces: [A1up@0/1]}
"""
PARTS = """\
- {kind: bonus, id: prayer, keep: best, english: prayers}
- kind: standing
  id: praying
  for: Character
  tags: [holy]
  abilities: |
    modify max_PI(self) by 3 type prayer where score(self, Str) > 5
    modify max_PI(self) by 2 type prayer where score(self, Str) > 6
    modify max_PI(self) by 7 where score(self, Str) > 7
- kind: measure
  id: prayed
  takes: "who: Character"
  gives: Int
  is: "part_of(max_PI(who), prayer)"
  english: "what prayer brings {who}"
- kind: measure
  id: blessed_with
  takes: "who: Character"
  gives: Int
  is: "part_of(max_PI(who), blessed) - part_of(max_PI(who), prayer)"
  english: "what else holy things bring {who}"
- kind: trigger
  id: told
  event: "hurt_body(who, much)"
  timing: immediately
  where: "prayed(who) + blessed_with(who) > 0"
  gloss: "the gods are named"
  effect: |
    say "the gods look at {who}"
"""
PART_CASES = """\
  - id: parts-by-sort-and-by-tag
    given:
      things: {ann: {kind: character}, bea: {kind: character, start: {Str: 6}}, cal: {kind: character, start: {Str: 5}}}
    then: {numbers: {ann: {prayed: 3, blessed_with: 7}, bea: {prayed: 3, blessed_with: 0}, cal: {prayed: 0, blessed_with: 0}}}
"""
PACKS = {
    "gnostica": {"lights": LIGHTS},
    "moonstone": {
        "air": HOLY + CENSER.format(name="censer") + AURA,
        "parts": HOLY + PARTS,
        # It comes later, and the one before knows nothing of it.
        "later": HOLY + CENSER.format(name="thurible"),
    },
    "witchgates": {"gloom": GLOOM},
}
CASES = {
    ("gnostica", "lights"): LIGHT_CASES,
    ("moonstone", "air"): AIR_CASES.replace("NAME", "censer"),
    ("moonstone", "later"): AIR_CASES.replace("NAME", "thurible"),
    ("moonstone", "parts"): PART_CASES,
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
    others = () if pack == "parts" else (one for one in PACKS[game] if one != "parts")
    result, report = compile_paths([folder(game, one) for one in {pack, *others}]), Report()
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
