"""Cases say what lies in zones, in the names of the game's things and of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.compiler.cases.case_file import read_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.source.file import Source
from ruleloom.scenarios.results import Result
from tests.support.check_layer import NOTHING, schemas
from tests.support.pack_examples import manifest, write
from tests.support.scenario_runs import run_cases

GAME = """\
- kind: vocabulary
  game: orchard
  enums: {Colour: [red, green]}
  entities:
    Player: {noun: [player, players], max: 2}
    Fruit: {noun: [fruit, fruits], alike: true, max: 20, records: [fruit], static: {weight: Int, tint: Colour}}
  kinds: {fruit: {makes: Fruit}}
  zones:
    meadow: {of: Fruit, seen_by: all, english: the meadow}
    hand: {of: Fruit, per: Player, seen_by: owner, english: the hand}
  scope: {me: {type: Player, life: game, english: you}}
  operations:
    drop: {params: {what: Fruit}, sets: {}, moves: {what: meadow}, english: "drop {what}", log: "{me} drops {what}"}
- {kind: fruit, id: plum, weight: 1, tint: red, copies: 2}
- {kind: flow, id: set_up, effect: finish drawn "no"}
- {kind: flow, id: turn, effect: finish drawn "no"}
"""
CASES = """\
kind: scenarios
cases:
  - id: somebody-else-has-a-fig-too
    given: {players: [A, B], things: {fig: {kind: fruit, weight: 5, tint: red}}, zones: {hand: {A: [fig]}}}
    when: [{do: "choose what from hand(me)\\ndrop(what)"}]
    then: {zones: {meadow: [fig], hand: {A: []}}}
  - id: figs
    given:
      players: [A, B]
      things: {fig: {kind: fruit, weight: 2, tint: red, copies: 2}}
      zones: {hand: {A: [plum, GIVEN]}}
    when: [{do: "choose what from hand(me) where weight(what) = 2\\ndrop(what)", answers: {what: fig}}]
    then: {zones: {meadow: [fig], hand: {A: [plum, THEN]}}, sees: {A: {hand: {A: [plum, THEN]}}, B: {hand: {A: 2}}}}
"""


def played(tmp_path: Path, given: str, then: str) -> list[Result]:
    write(
        tmp_path,
        {"orchard/pack.yaml": manifest("orchard", game="orchard"), "orchard/game.yaml": GAME},
    )
    compiled = compile_paths(tmp_path / "orchard", builtin=NOTHING, schemas=schemas())
    assert compiled.program is not None, [one.message for one in compiled.diagnostics]
    text = CASES.replace("GIVEN", given).replace("THEN", then)
    cases = read_cases(Source.from_text(text, "cases.yaml"), Report()) or ()
    return list(run_cases(compiled.program, cases, content=compiled.content).results)


@pytest.mark.parametrize(
    ("given", "then"), [("fig, fig", "fig"), ("fig, fig#2", "fig"), ("plum, fig", "plum")]
)
def test_the_things_of_a_case_lie_in_zones(tmp_path: Path, given: str, then: str):
    assert [(one.status, one.message) for one in played(tmp_path, given, then)] == [
        ("passed", "")
    ] * 2


@pytest.mark.parametrize(
    ("given", "then", "told"),
    [
        ("fig, fig", "plum", "hand of A: wanted plum, plum, found fig, plum"),
        ("fig, fig, fig", "fig", "there is no other `fig` that could lie there"),
    ],
)
def test_what_does_not_lie_there(tmp_path: Path, given: str, then: str, told: str):
    other, own = played(tmp_path, given, then)
    assert (other.status, own.status) == ("passed", "failed")
    assert told in own.message
