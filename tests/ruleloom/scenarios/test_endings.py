"""Games that several win, and games that end with a ranking."""

from __future__ import annotations

from functools import cache

import pytest

from ruleloom.compiler.cases.case_file import read_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.compiler.source.file import Source
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.play.journal import loaded, saved_lines
from ruleloom.runtime.play.view import view
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_data, program_of
from ruleloom.runtime.program.state import state_hash
from ruleloom.scenarios.results import PASSED
from tests.support.check_layer import NOTHING
from tests.support.pack_examples import manifest, write
from tests.support.scenario_runs import run_cases
from tests.support.scratch import scratch

GAME = """\
- kind: vocabulary
  game: race
  entities: {Player: {noun: [player, players], max: 3, fields: {luck: {type: Int, initial: 1}}}}
  scope:
    me: {type: Player, life: game, english: you}
  operations:
    gain: {params: {who: Player, much: Int}, sets: {luck(who): luck(who) + much}, english: "{who} gains {much}", log: "{who} gains {much}"}
- {kind: flow, id: set_up, effect: "gain(me, 1)"}
- kind: flow
  id: turn
  effect: |
    choose one "How does it end?":
        "ranked":
            finish ranked who in players by luck(who) * 1/2 "counted"
        "all":
            finish won by those(who: players where luck(who) = 1) "modest"
        "one":
            finish won by me "alone"
        "nobody":
            finish won by those(who: players where luck(who) > 5) "rich"
        "on":
            choose whom from players
            gain(whom, 2)
"""
CASES = """\
kind: scenarios
cases:
  - id: ranked
    given: {players: [A, B, C], state: {A: {luck: 2}}}
    when: [{do: turn, answers: {"How does it end?": ranked}}]
    then: {over: {won: [A], ranking: [A, [B, C]], winner: A, drawn: false}}
  - id: tied
    given: {players: [A, B, C], state: {B: {luck: 3}, C: {luck: 3}}}
    when: [{do: turn, answers: {"How does it end?": ranked}}]
    then: {over: {won: [C, B], ranking: [[B, C], A], drawn: false}}
  - id: all
    given: {players: [A, B, C]}
    when: [{do: turn, answers: {"How does it end?": all}}]
    then: {over: {won: [A, B, C], ranking: [[A, B, C]]}}
  - id: nobody
    given: {players: [A, B, C]}
    when: [{do: turn, answers: {"How does it end?": nobody}}]
    then: {over: {won: [], ranking: [], drawn: true}}
  - id: alone
    given: {players: [A, B, C]}
    when: [{do: turn, answers: {"How does it end?": one}}]
    then: {over: {won: [A], ranking: [A], winner: A}}
"""
NAMES = ("Ann", "Bo", "Cy")


@cache
def compiled() -> CompileResult:
    folder = scratch("race-") / "race"
    folder.mkdir()
    write(folder, {"pack.yaml": manifest("race", game="race"), "game.yaml": GAME})
    result = compile_paths([folder], builtin=NOTHING)
    assert [str(found) for found in result.diagnostics] == []
    return result


def program() -> Program:
    made = compiled().program
    assert made is not None
    return program_of(program_data(made))


def ended(how: str) -> Game:
    game = new_game(link_game(program(), driver_of("race"), NAMES), 1)
    return game.answer(game.prompt.id, how)


def test_ends_are_claimed():
    cases = read_cases(Source("cases.yaml", CASES), Report())
    assert cases is not None
    done = run_cases(program(), cases, content=compiled().content).results
    assert [(one.case.id, one.message) for one in done if one.status != PASSED] == []


@pytest.mark.parametrize(
    ("how", "said", "winner", "ranking"),
    [
        ("ranked", "Ann wins (1. Ann, 2. Bo and Cy): counted", "Ann", [["Ann"], ["Bo", "Cy"]]),
        ("all", "Bo and Cy win: modest", None, [["Bo", "Cy"]]),
        ("one", "Ann wins: alone", "Ann", None),
        ("nobody", "the game is drawn: rich", None, None),
    ],
)
def test_an_end_is_told(how: str, said: str, winner: str | None, ranking: list[list[str]] | None):
    game = ended(how)
    assert log(game.linked, game.events, 1)[-1] == said
    over = view(game, 1)["over"]
    assert over is not None
    assert (over["winner"], over.get("ranking")) == (winner, ranking)


def test_a_ranking_is_kept():
    game = ended("ranked")
    again = loaded("\n".join(saved_lines(game)) + "\n", driver_of).game
    assert again.ranking == (("Ann",), ("Bo", "Cy"))
    assert state_hash(again.state) == state_hash(game.state)
    assert state_hash(again.state) != state_hash(ended("one").state)
