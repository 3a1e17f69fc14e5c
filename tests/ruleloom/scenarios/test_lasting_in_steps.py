"""Cases played in steps give effects that last and fields, and claim numbers."""

from __future__ import annotations

import pytest

from ruleloom.compiler.pipeline import CompileResult, compile_paths
from tests.support.pack_examples import manifest, write
from tests.support.scenario_runs import checked_cases, run_cases

PACK = """\
- kind: extension
  id: walked
  extends: {Piece: {fields: {walked: {type: Int, initial: 0, min: 0, max: 9}}}}
  operations:
    count_walk:
      params: {piece: Piece}
      sets: {walked(piece): "walked(piece) + 1"}
      english: "count the walk of {piece}"
      log: "{piece} has walked"
- kind: lasting
  id: moss
  on: Space
  until: never
  stacks: each
  english: "moss grows on {self}"
  abilities: |
    modify space_room(self) by 1
- kind: major
  id: gardener
  title: Gardener
  number: 43
  effect: |
    choose minion from minions where walked(minion) < 9 "Who plants?"
    count_walk(minion)
    begin moss on space(minion)
"""
GIVEN = """\
kind: scenarios
cases:
  - id: one
    given:
      pieces: [A1N@0/0, B2E@1/1]
      hands: {A: [gardener]}
      state: {asks_for_last_turn: yes, A1N@0/0: {walked: 2}}
      made: {Moss: {old: {lies_on: 0/0, begun_by: B}}}
    when:
      - {option: play, card: gardener, then: {numbers: {moss(0/0): 1}}}
      - {power: gardener, minion: A1N@0/0}
    then: {numbers: {THEN}}
"""
HOLDS = (
    "moss(0/0): 2",
    "moss(1/0): 0",
    "asks_for_last_turn: yes",
    "old: {begun_by: B, lies_on: 0/0}",
    "A1N@0/0: {walked: 3, pips: 1, move_reach: 1}",
    "B2E@1/1: {walked: 0}",
    "space_room(0/0): 5",
)
FAILS = {
    "moss(0/0): 1": "moss(0/0): wanted 1, found",
    "asks_for_last_turn: no": "asks_for_last_turn: wanted no, found true",
    "A1N@0/0: {walked: 2}": "A1N@0/0: walked: wanted 2, found 3",
}
WRONG = {
    "mos(0/0): 1": "there is no stat, measure or field `mos`",
    "A1N@0/0: {walkd: 1}": "there is no stat, measure or field `walkd`",
    "Q1N@0/0: {walked: 1}": "there is no thing or player `Q1N@0/0`",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> CompileResult:
    """Gnostica with a pack whose moss lasts and whose pieces count."""
    files = {"pack.yaml": manifest("garden", game="gnostica"), "garden.yaml": PACK}
    folder = tmp_path_factory.mktemp("garden")
    write(folder, files)
    result = compile_paths((folder,))
    assert [str(one) for one in result.diagnostics] == []
    return result


def messages(made: CompileResult, then: str, given: str = GIVEN) -> str:
    """What is said of the case with these numbers, by its check or its run."""
    assert made.content is not None
    assert made.program is not None
    (case,) = checked_cases(made.content, given.replace("THEN", then))
    (result,) = run_cases(made.program, [case], content=made.content).results
    return result.message


@pytest.mark.parametrize("then", HOLDS)
def test_it_holds(made: CompileResult, then: str):
    assert messages(made, then) == ""


@pytest.mark.parametrize("then", FAILS)
def test_it_does_not_hold(made: CompileResult, then: str):
    assert FAILS[then] in messages(made, then)


@pytest.mark.parametrize("then", WRONG)
def test_the_check_says_so(made: CompileResult, then: str):
    assert WRONG[then] in messages(made, then)


def test_pieces_are_given_by_their_tokens(made: CompileResult):
    given = GIVEN.replace("made: {Moss: {old:", "made: {Piece: {old:")
    assert "nothing makes a `Piece` in play" in messages(made, "me: A", given)
