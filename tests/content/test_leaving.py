"""What a pack can answer wherever a piece leaves the board in Gnostica, and what lasts until a count in
Moonstone."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from ruleloom.compiler.cases.case_file import read_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.scenarios.results import PASSED
from tests.support.pack_examples import manifest, write
from tests.support.scenario_runs import run_cases
from tests.support.scratch import scratch

HARBOUR = """\
- kind: standing
  id: harbour
  for: Player
  abilities: |
    when before leave_play(piece) where owner(piece) = self:
        let size = pips(piece)
        say "a piece of {size} casts off"
- kind: standing
  id: lifeboats
  for: Player
  abilities: |
    instead of leave_play(piece) where owner(piece) = self and pips(piece) = 3 and count(hand(self)) > 0:
        for each spot in first(1, territories):
            shift(piece, to: spot)
"""
LEAVING = """\
kind: scenarios
cases:
  - id: shot-down
    given: {pieces: [A2E@0/1, B2N@1/1], hands: {A: [attack2]}}
    when: [{option: play, card: attack2}, {power: attack, minion: A2E@0/1, piece: B2N@1/1, by: 2}]
    then: {pieces: [A2E@0/1], log: [a piece of 2 casts off]}
  - id: shot-down-and-saved
    given: {pieces: [A3E@0/1, B3N@1/1], hands: {A: [attack2], B: [move3]}}
    when: [{option: play, card: attack2}, {power: attack, minion: A3E@0/1, piece: B3N@1/1, by: 3}]
    then: {pieces: [A3E@0/1, B3N@0/0]}
  - id: the-land-goes-and-the-large-swim
    given:
      board: {0/0: create3, 2/0: grow4}
      pieces: [A2E@1/0, A1up@2/0, B3N@2/1, B1N@3/0]
      hands: {A: [attack2], B: [move3]}
    when: [{option: play, card: attack2}, {power: attack, minion: A2E@1/0, territory: 2/0, by: 1, card: none}]
    then: {pieces: [A2E@1/0, B3N@0/0], log: [a piece of 1 casts off]}
  - id: changing-sides
    given: {pieces: [A1E@0/1, B2N@1/1], hands: {A: [hierophant]}}
    when: [{option: play, card: hierophant}, {power: replace, minion: A1E@0/1, piece: B2N@1/1, orient: S}]
    then: {pieces: [A1E@0/1, A2S@1/1], log: [a piece of 2 casts off]}
  - id: no-changing-sides-for-the-large
    given: {pieces: [A1E@0/1, B3N@1/1], hands: {A: [hierophant], B: [move3]}}
    when: [{option: play, card: hierophant}, {power: replace, minion: A1E@0/1, piece: B3N@1/1}]
    then: {pieces: [A1E@0/1, B3N@0/0]}
  - id: out-of-the-game
    given: {players: [A, B, C], pending: A, pieces: [A1N@2/0, A2up@3/0, B1N@2/0], hands: {A: [move3]}}
    when: [{option: draw, take: 0}, {end: turn}]
    then: {pieces: [B1N@2/0], log: [a piece of 1 casts off, a piece of 2 casts off]}
"""
SHIELDS = """\
- kind: lasting
  id: guard
  on: Character
  counts: "before take_count(self)"
  english: "{self} is on guard"
  abilities: |
    modify PR(self) by 4 as "on guard"
- kind: advantage
  id: on-guard
  title: On guard
  rating: I
  active: true
  aim: nobody
  text: "PR 4 until your next count."
  effect: |
    if acting is not none: begin guard on acting for 1
"""
COUNTS = """\
kind: scenarios
cases:
  - id: a-count-ends-it
    given: {things: {una: {kind: character}}, state: {una: {here: yes, pi: 90, mi: 90, ei: 90}, round: 1}}
    when:
      - {do: begin guard on una for 1, then: {numbers: {una: {PR: 4}}}}
      - {do: use take_count(una)}
    then: {numbers: {una: {PR: 0}}}
  - id: so-does-one-that-is-passed-over
    given:
      things: {una: {kind: character}, rob: {kind: character}}
      state: {una: {here: yes, side: 1, pi: 90, mi: 90, ei: 90}, rob: {here: yes, side: 2, pi: 90, mi: 90, ei: 90}, round: 1}
    when:
      - do: |
          begin guard on una for 1
          begin guard on rob for 1
          use afflict(una, stunned, 2)
        then: {numbers: {una: {PR: 4}, rob: {PR: 4}}}
      - {do: use begin_round, answers: {order: 7, effort: 0}, then: {numbers: {una: {PR: 4, actions_left: 1}, rob: {PR: 4}}}}
      - {do: use go_on_fighting, answers: {"What does rob do?": do nothing}}
    then: {numbers: {una: {PR: 0, actions_left: 1}, rob: {PR: 0}}}
"""
PACKS = {"gnostica": (HARBOUR, LEAVING), "moonstone": (SHIELDS, COUNTS)}


@cache
def outcomes(game: str) -> dict[str, str]:
    """What comes of each case, by its id: empty for what passes."""
    made, (rules, cases) = scratch(f"leaving-{game}-"), PACKS[game]
    write(made, {"pack.yaml": manifest("own", game=game), "rules.yaml": rules, "cases.yaml": cases})
    result = compile_paths([Path(made)])
    assert [str(one) for one in result.diagnostics] == []
    assert result.program is not None
    content = result.content
    assert content is not None
    (own,) = (name for name in content.scenarios if content.files[name][0] == "own")
    read = read_cases(content.sources[own], Report()) or ()
    done = run_cases(result.program, read, content=content).results
    return {one.case.id: "" if one.status == PASSED else one.message for one in done}


@pytest.mark.parametrize("game", sorted(PACKS))
def test_cases_of_a_pack(game: str):
    found = outcomes(game)
    assert found == dict.fromkeys(found, "")
    assert found
