"""What a case lays out: its own things in zones, names that mean nothing, and options called as
people call them."""

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
  entities:
    Player: {noun: [player, players], max: 2}
    Fruit: {noun: [fruit, fruits], alike: true, max: 9, records: [fruit], static: {number: {type: Int, default: 7}}}
    Basket:
      noun: [basket, baskets]
      max: 3
      present: owner
      named_by: name
      fields: {owner: {type: Player?}, name: {type: Text, initial: ""}}
    Tag:
      noun: [tag, tags]
      max: 8
      present: hangs_on
      named_by: words
      fields: {hangs_on: {type: Basket?}, words: {type: Text, initial: ""}}
  kinds: {fruit: {makes: Fruit}}
  scope: {me: {type: Player, life: game, english: you}}
  zones: {table: {of: Fruit, seen_by: all, english: the table}}
  queries:
    baskets_of: {params: {who: Player}, result: List of Basket, max: 3, of: Basket.owner, english: "baskets of {who}"}
    tags_on: {params: {on: Basket}, result: List of Tag, max: 8, of: Tag.hangs_on, english: "tags on {on}"}
  operations:
    pick: {params: {fruit: Fruit}, sets: {}, moves: {fruit: table}, english: "pick {fruit}", log: "{fruit} is picked"}
    burn: {params: {basket: Basket}, sets: {owner(basket): none}, english: "burn {basket}", log: "{basket} burns"}
- {kind: fruit, id: plum, copies: 2}
- kind: power
  id: burn_two
  gloss: two baskets burn
  effect: |
    repeat 2 times:
        choose old from baskets_of(me) "Which?"
        burn(old)
- kind: flow
  id: set_up
  effect: |
    for each fruit in Fruit: pick(fruit)
- kind: flow
  id: turn
  effect: |
    use burn_two
    finish drawn "it is late"
"""
BURN = "made: {Basket: {Bea: {owner: A}, Cyd: {owner: A}, Dot: {owner: B}}}"


def played(tmp_path: Path, given: str, answers: str, then: str) -> Result:
    write(
        tmp_path,
        {"orchard/pack.yaml": manifest("orchard", game="orchard"), "orchard/game.yaml": GAME},
    )
    result = compile_paths(tmp_path / "orchard", builtin=NOTHING, schemas=schemas())
    assert result.program is not None, [one.message for one in result.diagnostics]
    text = (
        f"kind: scenarios\ncases:\n  - id: one\n    given: {{players: [A, B], {given}}}\n"
        f"    when: [{{do: use burn_two, answers: {{{answers}}}}}]\n    then: {{{then}}}\n"
    )
    cases = read_cases(Source.from_text(text, "cases.yaml"), Report()) or ()
    (done,) = run_cases(result.program, cases, content=result.content).results
    return done


@pytest.mark.parametrize(
    "then",
    [
        "zones: {table: [quince, plum]}, there: {Basket: [Dot]}",
        "whom: {old: [A, A]}, offers: {old: [[Bea, Cyd], [Cyd]]}",
    ],
)
def test_own_things_lie_in_zones_and_questions_are_told_apart(tmp_path: Path, then: str):
    given = f"{BURN}, things: {{quince: {{kind: fruit}}}}, zones: {{table: [plum, quince]}}"
    done = played(tmp_path, given, "old: [Bea, Cyd]", then)
    assert (done.status, done.message) == ("passed", "")


@pytest.mark.parametrize(
    ("given", "answers", "then", "told"),
    [
        (
            "zones: {table: [plum-2]}",
            "",
            "zones: {table: []}",
            "there is no other `plum-2` that could lie there",
        ),
        (
            "zones: {table: [plam]}",
            "",
            "zones: {table: []}",
            "there is no other `plam` that could lie there",
        ),
        (
            "zones: {table: [plum, plum, plum]}",
            "",
            "zones: {table: []}",
            "there is no other `plum`",
        ),
        (BURN, "old: [Bea, Cyd]", "whom: {old: [A, B]}", "whom: old: wanted A, B, found A, A"),
        (BURN, "old: [Bea, Cyd]", "whom: {old: [A]}", "whom: old: wanted A, found A, A"),
        (
            BURN,
            "old: [Bea, Cyd]",
            "offers: {old: [[Bea, Cyd]]}",
            "offers: old: how often it is asked: wanted 1, found 2",
        ),
        (
            BURN,
            "old: [Bea, Cyd]",
            "offers: {old: [[Bea, Cyd], [Bea]]}",
            "offers: old: wanted Bea, found Cyd",
        ),
        (
            BURN,
            "old: [Bea, Cyd, Dot]",
            "there: {Basket: [Dot]}",
            "asked for twice only, and not for `Dot`",
        ),
    ],
)
def test_slips_are_told(tmp_path: Path, given: str, answers: str, then: str, told: str):
    done = played(tmp_path, given, answers, then)
    assert done.status == "failed"
    assert told in done.message


def test_what_is_refused_is_called_as_the_case_calls_it(tmp_path: Path):
    done = played(tmp_path, BURN, "old: Dot", "legal: false")
    assert (done.status, done.message) == ("passed", "refused: `Dot` is not one of the options")
