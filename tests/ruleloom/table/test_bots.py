"""Bots answer only what is on offer, play the same way from the same seed, and greedy beats
random."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

import pytest

import ruleloom
from ruleloom.bots.arena import make_bot, play_out
from ruleloom.bots.bot import Luck, RandomBot, keys_for
from ruleloom.bots.lookahead import Judge, LookAhead, judge_of, measure
from ruleloom.runtime.games import DRIVERS
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.machine.registers import BARRIER
from ruleloom.runtime.play.game import new_game, prompt_id
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.search.node import PlayNode


@pytest.fixture(scope="module")
def gnostica() -> Program:
    result = ruleloom.compile("gnostica")
    assert result.program is not None, result.diagnostics
    return result.program


@pytest.fixture(scope="module")
def linked(gnostica: Program) -> Callable[[int], Linked]:
    made: dict[int, Linked] = {}

    def link(players: int) -> Linked:
        if players not in made:
            made[players] = link_game(gnostica, DRIVERS["gnostica"], "ABCDEF"[:players])
        return made[players]

    return link


class PatientBot(RandomBot):
    """Random, but announces only with enough points: it has to be beaten on the board."""

    def answer(self, node: PlayNode, player: int) -> Any:
        if not node.secret and getattr(node.row, "name", "") == "announce":
            score = measure(node.linked, "score")
            assert score is not None
            return (
                True in node.options
                and score(node.state, player) >= node.linked.settings["target_score"]
            )
        return super().answer(node, player)


def wilson_lower(wins: int, games: int) -> float:
    """The lower end of Wilson's 95 % interval."""
    z, share = 1.959963985, wins / games
    middle = share + z * z / (2 * games)
    return (middle - z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))) / (
        1 + z * z / games
    )


def games_of(linked: Linked, kinds: list[str], seeds: range, limit: int = 300) -> list[Any]:
    played = []
    for seed in seeds:
        bots = [
            PatientBot(seed, seat) if kind == "patient" else make_bot(kind, linked, seed, seat)
            for seat, kind in enumerate(kinds)
        ]
        played.append(play_out(linked, bots, seed, limit))
    return played


def assert_strong(played: list[Any], seat: int) -> None:
    finished = [game for game in played if game.outcome is not None]
    wins = sum(game.outcome.winner == seat for game in finished)
    assert len(finished) >= 0.95 * len(played)
    assert wilson_lower(wins, len(played)) >= 0.8, f"{wins} of {len(played)}"


@pytest.mark.parametrize("seat", [0, 1])
def test_greedy_beats_random(linked: Callable[[int], Linked], seat: int):
    kinds = ["random", "random"]
    kinds[seat] = "greedy"
    assert_strong(games_of(linked(2), kinds, range(1, 41)), seat)


@pytest.mark.slow
def test_greedy_beats_random_over_200_seeds(linked: Callable[[int], Linked]):
    assert_strong(games_of(linked(2), ["greedy", "random"], range(1, 201)), 0)
    assert_strong(games_of(linked(2), ["greedy", "patient"], range(1, 201)), 0)


@pytest.mark.parametrize("kinds", [["random"] * 4, ["greedy", "random", "greedy"]])
def test_bots_answer_only_what_is_on_offer(linked: Callable[[int], Linked], kinds: list[str]):
    table = linked(len(kinds))
    for seed in range(1, 9 if "greedy" not in kinds else 3):
        bots = [make_bot(kind, table, seed, seat) for seat, kind in enumerate(kinds)]
        node = new_game(table, seed).node
        luck = Luck(seed)
        for _ in range(150):
            if node.over:
                break
            if node.chance:
                node = node.after(luck.pick(node.options))
                continue
            player = node.stop.who[0]
            value = bots[player].answer(node, player)
            assert value in node.secret_options(player) if node.secret else node.allows(value)
            node = node.after(value, player if node.secret else None)
            assert not any(event.kind == "fizzled" and "greedy" in kinds for event in node.events)


def test_the_same_seed_is_the_same_game(linked: Callable[[int], Linked]):
    for kinds in (["random", "random"], ["greedy", "random"]):
        assert games_of(linked(2), kinds, range(5, 8)) == games_of(linked(2), kinds, range(5, 8))


def test_the_arena_plays_the_game_of_the_table(linked: Callable[[int], Linked]):
    table = linked(2)
    for seed in (3, 4):
        quick = play_out(table, [make_bot("random", table, seed, seat) for seat in (0, 1)], seed)
        bots = [make_bot("random", table, seed, seat) for seat in (0, 1)]
        game, decisions = new_game(table, seed), 0
        while not game.over:
            player = game.node.stop.who[0]
            value = bots[player].answer(game.node, player)
            game = game.answer(prompt_id(game, player), keys_for(game.node, value, player))
            decisions += 1
        assert (quick.outcome, quick.decisions) == (game.outcome, decisions)


def test_a_game_that_runs_out_of_turns_is_won_by_nobody(linked: Callable[[int], Linked]):
    played = games_of(linked(2), ["random", "random"], range(1, 4), limit=1)
    assert [game.outcome for game in played] == [None] * 3
    assert {game.turns for game in played} == {1}


def test_greedy_does_not_look_at_what_it_cannot_see(linked: Callable[[int], Linked]):
    """Another hand for the rival, or another order of things in the draw pile, changes no
    judgement."""
    table = linked(2)
    judge = judge_of(table)
    assert judge is not None
    game = new_game(table, 11)
    hand, pile = table.layout.index["hand"], table.layout.index["draw_pile"]
    world = list(game.state.world)
    hands, rest = world[hand], world[pile]
    world[hand] = (hands[0], rest[:6])
    world[pile] = tuple(sorted((*hands[1], *rest[6:])))
    swapped = game.node.stop._replace(state=game.state._replace(world=tuple(world)))
    assert judge.worth(game.node, 0) == judge.worth(PlayNode(table, swapped), 0)


def test_greedy_does_not_know_a_hand_before_the_trade(linked: Callable[[int], Linked]):
    """Look-ahead stops where hands are traded; the hand it would get may not be read there."""
    table = linked(2)
    judge = judge_of(table)
    assert judge is not None
    game = new_game(table, 11)
    hand = table.layout.index["hand"]
    worths = set()
    for trade in (False, True):
        world = list(game.state.world)
        world[hand] = world[hand][::-1] if trade else world[hand]
        stop = game.node.stop._replace(kind=BARRIER, state=game.state._replace(world=tuple(world)))
        worths.add(judge.worth(PlayNode(table, stop), 0))
    assert len(worths) == 1


def test_a_search_keeps_to_its_budget(linked: Callable[[int], Linked]):
    table = linked(2)
    game = new_game(table, 5)
    while game.node.secret:
        for prompt in game.prompts[:1]:
            game = game.answer(prompt.id, prompt.options[0].key)
    player = game.node.stop.who[0]
    search = LookAhead(game.node, player, Judge(measure(table, "prospects")), Luck(1), budget=25)
    way = search.run()
    assert way is not None
    assert search.left >= 0
    assert way.steps[0][0] is game.node


def test_luck_is_fair_and_its_own():
    luck = Luck(1)
    counts = [0] * 6
    for _ in range(6_000):
        counts[luck.below(6)] += 1
    assert min(counts) > 850
    things = list(range(10))
    Luck(2).shuffle(things)
    assert sorted(things) == list(range(10))
    assert Luck(2, 0).sample(range(50), 5) != Luck(2, 1).sample(range(50), 5)
    sample = luck.sample("abcdef", 3)
    assert len(set(sample)) == 3
    assert list(sample) == sorted(sample)
