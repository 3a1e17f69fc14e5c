"""Cases give the fields of what play would have made: texts, tables, and what is wrong with
them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.compiler.cases.case_file import read_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.source.file import Source
from ruleloom.runtime.program.program import Program
from ruleloom.scenarios.results import Result
from tests.support.check_layer import NOTHING, schemas
from tests.support.pack_examples import manifest, write
from tests.support.scenario_runs import checked_cases, run_cases

GAME = """\
- kind: vocabulary
  game: orchard
  enums: {Colour: [red, green]}
  entities:
    Player: {noun: [player, players], max: 2}
    Basket:
      noun: [basket, baskets]
      max: 2
      present: owner
      named_by: name
      fields:
        owner: {type: Player?}
        name: {type: Text, initial: ""}
        smell: {type: Text, initial: ""}
        holds: {type: Int, by: Colour, initial: 0, min: 0, max: 9}
  scope: {me: {type: Player, life: game, english: you}}
  queries: {baskets: {result: List of Basket, max: 2, of: Basket.owner, english: "all baskets"}}
  operations:
    weave:
      params: {called: Text, smelling: Text}
      makes: Basket
      sets: {owner(result): me, name(result): called, smell(result): smelling}
      english: "weave {called}"
      log: "{me} weaves {called}"
    pick:
      params: {into: Basket, sort: Colour}
      sets: {"holds(into, sort)": "holds(into, sort) + 1"}
      english: "pick {sort}"
      log: "{sort} is picked"
    burn:
      params: {what: Basket}
      sets: {owner(what): none}
      english: "burn {what}"
      log: "{what} burns"
    call:
      params: {what: Basket, so: Text}
      sets: {name(what): so}
      english: "call {what} {so}"
      log: "{what} is called {so}"
- kind: flow
  id: set_up
  effect: |
    weave("hers", "of hay")
- kind: flow
  id: turn
  effect: |
    for each basket in baskets: pick(basket, red)
    finish drawn "it is late"
"""
CASE = """\
kind: scenarios
cases:
  - id: full-baskets
    given: {made: {Basket: {mine: {owner: A, smell: of apples, FIELD: 2}}}}
    when: [{do: turn}]
    then: {numbers: {mine: {smell: of apples, holds(red): 3, holds(green): 0}}}
"""


def played(tmp_path: Path, field: str) -> Result:
    return ran(tmp_path, CASE.replace("FIELD", field))


def ran(tmp_path: Path, text: str) -> Result:
    program, content = made(tmp_path)
    cases = read_cases(Source.from_text(text, "cases.yaml"), Report()) or ()
    (done,) = run_cases(program, cases, content=content).results
    return done


def made(tmp_path: Path) -> tuple[Program, Content]:
    write(
        tmp_path,
        {"orchard/pack.yaml": manifest("orchard", game="orchard"), "orchard/game.yaml": GAME},
    )
    result = compile_paths(tmp_path / "orchard", builtin=NOTHING, schemas=schemas())
    assert result.program is not None, [one.message for one in result.diagnostics]
    assert result.content is not None
    return result.program, result.content


def test_texts_and_tables_can_be_given(tmp_path: Path):
    done = played(tmp_path, "holds(red)")
    assert (done.status, done.message) == ("passed", "")


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ("holds", "`holds` has a colour in parentheses"),
        ("holds(blue)", "there is no colour `blue` here"),
        ("smell(red)", "`smell` has nothing in parentheses"),
        ("weight", "a basket has no `weight`"),
    ],
)
def test_slips_are_told(tmp_path: Path, field: str, told: str):
    [case] = checked_cases(made(tmp_path)[1], CASE.replace("FIELD", field))
    assert told in case.fault


LATER = """\
kind: scenarios
cases:
  - id: two-baskets
    given: {made: {Basket: {mine: {owner: A}, yours: {owner: A}}}}
    when:
      - do: |
          for each basket in first(1, baskets):
              CHANGE
          choose any number of held from baskets "Which?"
        answers: {held: [mine]}
    then: {THEN}
"""


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("burn(basket)", "`mine` is not there any more"),
        ('call(basket, "ours")', "`mine` is called `ours` by now"),
    ],
)
def test_what_has_become_of_a_thing_that_an_answer_names_is_told(
    tmp_path: Path, change: str, says: str
):
    text = LATER.replace("CHANGE", change).replace("THEN", "unlogged: [hums]")
    found = ran(tmp_path, text)
    assert found.status == "failed"
    assert says in found.message


@pytest.mark.parametrize(
    ("change", "claim", "says"),
    [
        ("burn(basket)", "smell", "mine: `mine` is not there any more"),
        ('call(basket, "ours")', "smell", "mine: `mine` is called `ours` by now"),
        ("burn(basket)", "holds(red)", "mine: `mine` is not there any more"),
    ],
)
def test_what_has_become_of_a_thing_whose_number_is_claimed_is_told(
    tmp_path: Path, change: str, claim: str, says: str
):
    text = LATER.replace("CHANGE", change).replace("held: [mine]", "held: []")
    found = ran(tmp_path, text.replace("THEN", f"numbers: {{mine: {{{claim}: 0}}}}"))
    assert (found.status, found.message) == ("failed", says)


def test_a_new_thing_may_have_the_name_of_one_that_is_gone(tmp_path: Path):
    """What is claimed is claimed of the thing that has the name then."""
    text = LATER.replace("CHANGE", 'burn(basket)\n              weave("mine", "of hay")')
    text = text.replace("held: [mine]", "held: [mine]")
    found = ran(tmp_path, text.replace("THEN", "numbers: {mine: {smell: of hay}}"))
    assert (found.status, found.message) == ("passed", "")


NAMED = """\
kind: scenarios
cases:
  - id: named-in-texts
    given: {made: {Basket: {mine: {owner: A}, yours-and ours: {owner: A}}}}
    when:
      - do: 'call(mine, "ours")'
      - do: |
          TEXT
    then: {numbers: {ours: {holds(red): 1}}}
"""


def test_texts_name_what_was_made_as_the_case_calls_it(tmp_path: Path):
    text = NAMED.replace("TEXT", "pick(mine, red)\n          burn(yours_and_ours)")
    assert (done := ran(tmp_path, text)).status == "passed", done.message


def test_a_misspelt_name_of_what_was_made_is_told(tmp_path: Path):
    [case] = checked_cases(made(tmp_path)[1], NAMED.replace("TEXT", "pick(mien, red)"))
    assert case.fault.endswith("there is no `mien` here: did you mean `mine`?")


def test_a_name_that_two_things_have_names_neither(tmp_path: Path):
    text = NAMED.replace("mine:", "a b:").replace("yours-and ours", "a-b").replace("mine", "me")
    [case] = checked_cases(made(tmp_path)[1], text.replace("call(me,", "call(a_b,"))
    assert "there is no `a_b` here" in case.fault
