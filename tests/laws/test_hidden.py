"""Nobody learns from what is shown, looked at, taken, rolled and answered more than they may."""

from __future__ import annotations

import random

import pytest

from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.ops import NO_ENDS
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import Game, moments, new_game
from ruleloom.runtime.play.journal import loaded, saved_lines
from ruleloom.runtime.program.values import ends_name
from tests.support.cellar_game import linked, played, step, twins

ANSWERS = 70


@pytest.mark.parametrize("games", [15, pytest.param(200, marks=pytest.mark.slow)])
def test_what_is_hidden_makes_no_difference(games: int):
    source, compared, apart = random.Random(5), 0, 0
    wrong: list[str] = []
    for seed in range(games):
        for _ in range(3):
            faults, more, different = twins(seed, ANSWERS, source)
            wrong, compared, apart = wrong + faults, compared + more, apart + different
    print(f"{compared:,} moments compared, {apart:,} of them with worlds that differ")
    assert not wrong, "\n".join(wrong)
    assert apart > 30 * games


def ends_of(game: Game) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What is known of the rack."""
    found = game.state.world[linked().layout.index[ends_name("rack")]]
    return found[0], found[1]


@pytest.mark.parametrize("seed", range(12))
def test_what_is_known_of_a_pile_lies_in_it(seed):
    source, game, known = random.Random(seed), played(seed, 0, seed), 0
    while not game.over:
        top, bottom = ends_of(game)
        rack = game.state.world[linked().layout.index["rack"]]
        assert len({*top, *bottom}) == len(top) + len(bottom)
        assert {*top, *bottom} <= set(rack)
        known += ends_of(game) != NO_ENDS
        before, game = game, step(game, source)
        for event in game.events:
            if event.kind == "drawn" and top and event.before is before.state.world:
                drawn = event.args[0]
                came_from = drawn in rack
                assert not came_from or drawn == top[0]
    assert known > 5


@pytest.mark.parametrize("seed", range(6))
def test_a_save_is_the_same_game(seed):
    """The save for the table keeps what is known of the pile; undo stops where somebody learnt."""
    for by_chance in (None, seed):
        game = played(seed, 40, by_chance)
        again = loaded("\n".join(saved_lines(game)) + "\n", driver_of).game
        assert again.state == game.state
        assert ends_of(again) == ends_of(game)
        for moment in moments(game):
            learnt = {"looked", "shown", "picked", "drawn", "revealed", "told"}
            if learnt & {event.kind for event in moment.after.events}:
                assert not moment.after.past


def test_answers_that_one_reads_are_told_to_all_in_the_log():
    game = new_game(linked(), 3)
    game = game.answer(game.prompts[0].id, "gossip")
    for _ in range(3):
        prompt = game.prompts[0]
        game = game.answer(prompt.id, prompt.options[0].key)
    assert [len(log(linked(), game.events, player)) for player in range(3)] == [3, 3, 3]


def test_a_roll_behind_the_screen_stays_out_of_the_logs_of_the_others():
    game = new_game(linked())
    while game.node.chance:
        game = game.answer(game.prompts[0].id, game.prompts[0].options[0].key)
    game = game.answer(game.prompts[0].id, "hide-a-roll")
    game = game.answer(game.prompts[0].id, "B")
    assert (game.prompt.kind, game.node.stop.who, game.node.confided) == ("roll", (1,), True)
    game = game.answer(game.prompts[0].id, "4")
    told = [log(linked(), game.events, player)[0] for player in range(3)]
    assert told == [
        "A rolls in secret for luck",
        "A rolls 4 for luck",
        "A rolls in secret for luck",
    ]


def test_a_choice_among_the_unseen_is_asked_even_where_nothing_fits():
    """Were it not, everybody else would know that no bottle is old enough."""
    game = new_game(linked())
    while game.node.chance:
        game = game.answer(game.prompts[0].id, game.prompts[0].options[0].key)
    for key in ("arrange", "1", "b20"):  # the rack's b20 is of year 1
        game = game.answer(game.prompts[0].id, key)
    game = game.answer(game.prompts[0].id, "one-to-the-shelf")
    assert [option.key for option in game.prompt.options] == ["none"]
    assert game.prompt.text == "Which of Wine 20?"
