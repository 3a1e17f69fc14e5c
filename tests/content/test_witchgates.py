"""Witchgates: its page, and sessions that nobody attends."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from ruleloom.bots.bot import Bot, RandomBot, SteadyBot
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.play.journal import loaded, saved_lines
from tests.conftest import ROOT
from tests.support.command import call

PACK = ROOT / "rulesets" / "witchgates"
PAGE = ROOT / "docs" / "games" / "witchgates.md"


@cache
def compiled() -> CompileResult:
    result = compile_paths([PACK], scenarios=False)
    assert result.program is not None, [str(found) for found in result.diagnostics]
    return result


def test_the_page_lists_every_file():
    text = PAGE.read_text(encoding="utf-8")
    files = {path.name for path in PACK.glob("*.yaml")} - {"pack.yaml"}
    assert {name for name in files if f"`{name}`" not in text} == set()


# --------------------------------------------------------------------- sessions that nobody attends


def begun(seed: int, rolls: int) -> Game:
    result = compiled()
    assert result.program is not None
    names = ("Gus", "Tea", "Uli")
    linked = link_game(result.program, driver_of("witchgates"), names, {"session_rolls": rolls})
    return new_game(linked, seed)


def table(game: Game, entity: str) -> list[dict[str, Any]]:
    """The things of a kind that are there, with what the table says of each."""
    layout, world = game.linked.layout, game.state.world
    fields = [one.name for one in layout.columns if one.name.startswith(f"{entity}.")]
    columns = {name.partition(".")[2]: world[layout.index[name]] for name in fields}
    return [
        {name: column[i] for name, column in columns.items()} for i in range(layout.sizes[entity])
    ]


def lawful(game: Game) -> None:
    """What is so of every table, whatever anybody does."""
    for aspect in table(game, "Aspect"):
        assert aspect["maker"] is None or 1 <= aspect["dice"] <= 3
    for clock in table(game, "Clock"):
        assert clock["goes"] is None or 0 <= clock["filled"] <= clock["segments"]
    owners = [one["maker"] for one in table(game, "Aspect") if one["maker"] not in (None, 0)]
    assert len(owners) == len(set(owners)), "a player has one aspect at a time"
    for who in table(game, "Character"):
        assert 0 <= who["stress"] <= 18
        assert 0 <= who["fortune_spent"] <= 2


@pytest.mark.parametrize("seed", range(3))
def test_a_session_plays_itself(seed: int):
    """Three bots, the first of them the GM: nothing goes wrong, and a save leads to the same
    table."""
    game = begun(seed, 6)
    bots: tuple[Bot, ...] = (
        RandomBot(seed, 0),
        SteadyBot() if seed else RandomBot(seed, 1),
        RandomBot(seed, 2),
    )
    steps = 0
    while not game.over and steps < 2_000:
        player = game.node.stop.who[0]
        before = game
        game = game.choose(bots[player].answer(game.node, player))
        if game.past and game.past[-1] is before:
            assert game.undo().state == before.state
        lawful(game)
        steps += 1
    assert game.over
    again = loaded("\n".join(saved_lines(game)) + "\n", driver_of).game
    assert again.state == game.state
    assert game.state.scope[game.linked.scope_index["rolls_made"]] >= 6


A_GUARD = """\
- {kind: measure, id: in_sample, gives: Bool, is: "playing is not none and sample(playing)", english: "the scene is a sample"}
- kind: trigger
  id: who-is-away
  event: "scene_ends()"
  timing: immediately
  effect: |
    choose away from Npc where there(away) is none and (not sample(away) or in_sample) by gm or none "Who?"
    if away is not none: say "{away} is away"
"""
ITS_CASE = """\
kind: scenarios
cases:
  - id: nothing-is-played
    given: {things: {mia: {kind: character, vocation: clerk}}, state: {mia: {here: yes}}}
    when: [{do: scene_ends(), answers: {away: none}}]
    then: {numbers: {mia: {full_armor: 0}}}
"""
ITS_PACK = """\
kind: pack
id: guard
title: Guard
about: "A condition that asks about a scene only where there is one."
version: 1.0.0
game: witchgates
edition: 1
requires: {witchgates: ">=0.1"}
"""


def test_what_stands_behind_a_guard_that_fails_is_not_asked_for_a_reason(tmp_path):
    for name, text in (("pack", ITS_PACK), ("rules", A_GUARD), ("cases", ITS_CASE)):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    done = call("test", tmp_path)
    assert "1 passed, 0 failed" in done.out
