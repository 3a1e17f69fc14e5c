"""Cases of one run share a program, and none finds the things of another in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.compiler.cases.case_file import read_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.source.file import Source
from tests.support.check_layer import NOTHING, schemas
from tests.support.pack_examples import manifest, write
from tests.support.scenario_runs import run_cases

GAME = """\
- kind: vocabulary
  game: orchard
  entities:
    Player: {noun: [player, players], max: 2}
    Nut: {noun: [nut, nuts], max: 40, records: [nut], static: {weight: Int}}
    Seed:
      {noun: [seed, seeds], max: 40, part_of: Nut, under: seeds, owner: whole, short: size, static: {whole: Nut, size: Int}}
  kinds: {nut: {makes: Nut}}
  zones:
    heap: {of: Nut, seen_by: nobody, order: lazy, english: the heap}
    meadow: {of: Nut, seen_by: all, english: the meadow}
  scope: {me: {type: Player, life: game, english: you}}
  operations:
    drop: {params: {what: Nut}, sets: {}, moves: {what: meadow}, english: "drop {what}", log: "{me} drops {what}"}
- {kind: nut, id: plum, title: Plum, weight: 1}
- {kind: measure, id: load, gives: Int, is: "sum(weight(f) for f: Nut)", english: the load}
- {kind: measure, id: sown, gives: Int, is: "sum(size(s) for s: Seed)", english: what is sown}
- kind: stat
  id: rank
  takes: "who: Nut"
  is: "count(f: Nut where weight(f) >= weight(who))"
  english: "the rank of {who}"
- kind: requirement
  id: few
  of: "one: Nut"
  holds: count(Nut) <= 3
  english: "with {one}, there are more than three"
- {kind: flow, id: set_up, effect: finish drawn "no"}
- {kind: flow, id: turn, effect: finish drawn "no"}
"""
CASES = """\
kind: scenarios
cases:
  - id: another
    given: {things: {fig: {kind: nut, weight: 50}, date: {kind: nut, weight: 60}}}
    when: [{do: drop(fig)}]
    then: {zones: {meadow: [fig]}}
  - id: its-name-is-the-same
    given: {things: {fig: {kind: nut, weight: 70}}}
    when: [{do: drop(fig)}]
    then: {numbers: {fig: {rank: 1}}}
  - id: mine
    given: {things: {fig: {kind: nut, weight: 2}, lime: {kind: nut, weight: 3}}}
"""
MINE = {
    "what there is to choose from": """\
    when: [{do: "choose what from Nut\\ndrop(what)", answers: {what: lime}}]
    then: {offers: {what: [plum, fig, lime]}}
""",
    "a measure of all": """\
    when: [{do: drop(fig)}]
    then: {numbers: {load: 6}}
""",
    "a stat that looks through all": """\
    when: [{do: drop(fig)}]
    then: {numbers: {fig: {rank: 2}, lime: {rank: 1}}}
""",
    "what is drawn": """\
    when: [{do: "let many = count(heap)\\nsay \\"{many} in the heap\\""}]
    then: {log: [3 in the heap]}
""",
    "a number without play": """\
    then: {numbers: {load: 6}, unmet: []}
""",
    "a chance": """\
    when: [{do: "let n = load"}]
    then: {odds: {n = 6: 1}}
""",
}


def results(tmp_path: Path, text: str) -> dict[str, tuple[str, str]]:
    head = manifest("orchard", game="orchard")
    write(tmp_path, {"orchard/pack.yaml": head, "orchard/game.yaml": GAME})
    compiled = compile_paths(tmp_path / "orchard", builtin=NOTHING, schemas=schemas())
    assert compiled.program is not None, [one.message for one in compiled.diagnostics]
    cases = read_cases(Source.from_text(text, "cases.yaml"), Report()) or ()
    found = run_cases(compiled.program, cases, content=compiled.content).results
    return {one.case.id: (one.status, one.message) for one in found}


@pytest.mark.parametrize("mine", MINE.values(), ids=MINE)
def test_a_case_finds_the_things_of_the_game_and_its_own(tmp_path: Path, mine: str):
    found = results(tmp_path, CASES + mine)
    assert found == dict.fromkeys(("another", "its-name-is-the-same", "mine"), ("passed", ""))


def test_the_parts_of_things_are_those_of_their_case(tmp_path: Path):
    mine = "    when: [{do: drop(fig)}]\n    then: {numbers: {sown: 9}}\n"
    text = CASES.replace("weight: 50}", "weight: 50, seeds: [7, 7]}")
    text = text.replace("weight: 2}", "weight: 2, seeds: [4, 5]}")
    assert results(tmp_path, text + mine)["mine"] == ("passed", "")


def test_what_is_not_there_is_no_answer(tmp_path: Path):
    mine = '    when: [{do: "choose what from Nut\\ndrop(what)", answers: {what: date}}]\n'
    found = results(tmp_path, CASES + mine + "    then: {zones: {meadow: []}}\n")
    assert found["mine"][0] == "failed"
    assert "`date` is no answer to `what`: plum, fig, lime" in found["mine"][1]
