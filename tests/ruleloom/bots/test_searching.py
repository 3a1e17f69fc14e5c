"""The searching bot: it plays all games, the same for a seed, and knows no more than its player."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from ruleloom.api.linking import driver_of
from ruleloom.bots.arena import Onlooker, make_bot, play_out
from ruleloom.bots.bot import Luck, PresetAnswer
from ruleloom.bots.information_set import exchanged, hidden_things, imagined
from ruleloom.bots.lookahead import Judge, LookAhead, PlannedAnswers, judge_of
from ruleloom.bots.searching import SearchingBot, read_budget
from ruleloom.bots.tree_search import (
    PlayoutExperience,
    Reached,
    SearchBudget,
    TreeSearch,
    answers_of,
    are_tied,
    scale_of,
    usual_first,
)
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import new_game
from ruleloom.runtime.play.view import view
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.search.node import PlayNode
from ruleloom.scenarios.setup.position import game_at
from tests.conftest import ROOT
from tests.runtime.program.test_answer_order import for_all, played
from tests.support.command import call
from tests.support.known_games import linked as known

DUELS = ROOT / "tests" / "support" / "duels"
GAMES = {
    "gnostica": ("A", "B"),
    "moonstone": ("A", "B"),
    "monotheism": ("A", "B", "C"),
    "witchgates": ("A", "B"),
}


def linked(game: str) -> Linked:
    """A shipped game for as many as play it here."""
    program = compile_paths([game], texts=True, scenarios=False).program
    assert program is not None
    return link_game(program, driver_of(program), GAMES[game])


@pytest.mark.parametrize("game", GAMES)
def test_it_plays_every_game_and_the_same_for_a_seed(game):
    ready = linked(game)

    def played():
        bots = [make_bot("searching:1", ready, 5, 0)]
        bots += [make_bot("random", ready, 5, seat) for seat in range(1, len(GAMES[game]))]
        return play_out(ready, bots, 5, turn_limit=2, answer_limit=5)

    assert played() == played()


def test_a_budget_is_playouts_or_seconds():
    assert read_budget("greedy") is None
    found = read_budget("searching:40")
    assert found is not None
    assert (found.playouts, found.seconds) == (40, None)
    found = read_budget("searching:0.5s")
    assert found is not None
    assert (found.playouts, found.seconds) == (None, 0.5)
    with pytest.raises(Refused, match="has no budget that fits"):
        read_budget("searching:soon")


def test_what_is_imagined_looks_the_same_to_the_player_and_differs_beyond():
    ready = linked("gnostica")
    node = new_game(ready, 3).node
    player, hands = node.stop.who[0], ready.layout.index["hand"]
    luck, others = Luck(1), set()
    for _ in range(5):
        other = imagined(node, player, luck)
        assert view(game_at(other), player) == view(game_at(node), player)
        others.add(other.state.world[hands])
    assert len(others) == 5


def test_a_roll_that_others_saw_is_imagined_with_its_dice_and_their_sum():
    """Also where something responds to the dice before they are added up."""
    turn = """\
let other = seat_after(me)
roll luck = 2d6 by me seen by me
choose guess from 2 .. 12 by other
say to me "{luck}, not {guess}"
hurt(me, guess)
"""
    peep = for_all("peep", 'when thrown unseen(self, dice, sides): say to self "{dice}"')
    game = played(peep, turn=turn)
    node = game.answer(game.prompt.id, ["5", "2"]).node
    routine = next(one for one in node.linked.program.routines if one.id == node.routine.id)
    dice, luck = map(routine.slots.index, ("$thrown", "luck"))
    assert node.stop.who == (1,)
    frames = [imagined(node, 1, Luck(seed)).state.frame for seed in range(20)]
    found = [one.slots for one in frames if one is not None]
    assert [sum(slots[dice]) for slots in found] == [slots[luck] for slots in found]
    assert len({slots[luck] for slots in found}) > 3
    assert imagined(node, 0, Luck(1)) is node


def test_all_that_is_hidden_is_in_hands_and_piles():
    ready = linked("gnostica")
    world = new_game(ready, 3).node.state.world
    index = ready.layout.index
    (things,) = hidden_things(ready, world, 0).values()
    assert set(things) == {*world[index["hand"]][1], *world[index["draw_pile"]]}


def test_an_exchange_there_and_back_changes_nothing():
    ready = linked("gnostica")
    state = new_game(ready, 3).node.state
    held = state.world[ready.layout.index["hand"]]
    one, two = held[0][0], held[1][0]
    there = exchanged(ready, state, "Card", {one: two, two: one})
    assert two in there.world[ready.layout.index["hand"]][0]
    assert exchanged(ready, there, "Card", {one: two, two: one}) == state


def test_it_says_what_it_looked_at_in_the_words_of_the_game():
    ready = known("nim", at_first=3)
    node = new_game(ready, 1).node
    bot = make_bot("searching:30", ready, 1, 0)
    assert isinstance(bot, SearchingBot)
    assert bot.answer(node, 0) == 3  # all that is left
    assert bot.considered()[0].startswith("    looked at: 3 (worth 100 of 100, ")


def test_thoughts_are_shown_where_no_people_play():
    words = ("play", "gnostica", "--seed", "1", "--turn-limit", "1", "--thoughts")
    done = call(*words, "--players", "searching:2,steady")
    assert done.code == 0
    assert "looked at: " in done.out
    refused = call(*words, "--players", "human,searching:2")
    assert refused.code == 2
    assert "--thoughts would show people what bots know" in refused.err


def ways_through_nim(heap: int) -> list[PlannedAnswers]:
    """Ways of one answer each, all worth the same."""
    node = new_game(known("nim", at_first=heap), 1).node
    return [PlannedAnswers(0, [(node, answer)], node) for answer in node.found]


def test_ways_that_nobody_tells_apart_begin_with_the_usual_one_and_differ_early():
    (one, *_) = ways_through_nim(9)
    at = one.end

    def way(*answers: int) -> PlannedAnswers:
        return PlannedAnswers(0, [(at, answer) for answer in answers], at)

    found = [way(1, 1), way(1, 2), way(1, 3), way(2, 1), way(3)]
    assert are_tied(found)
    ordered = [answers_of(one) for one in usual_first(found, way(1, 3))]
    assert ordered == [(1, 3), (1, 1), (2, 1), (3,), (1, 2)]


def test_a_way_that_wins_at_once_comes_before_the_usual_one():
    low, high = ways_through_nim(9)[:2]
    wins = replace(high, worth=1)
    assert not are_tied([wins, low])
    assert usual_first([wins, low], low)[0] == wins


def test_a_side_in_a_fight_plays_for_its_fitness_and_against_the_others():
    program = compile_paths(["moonstone", str(DUELS)], texts=True, scenarios=False).program
    assert program is not None
    ready = link_game(program, driver_of(program), ("A", "B"))
    judge = judge_of(ready)
    assert judge is not None
    scene = next(one.names for one in program.entities if one.name == "Scene").index("swords")
    node = new_game(ready, 1).node.child(scene)
    assert judge.worth(node, 0) == judge.worth(node, 1) == 0


@pytest.mark.slow
def test_it_wins_most_of_four_duels_against_the_greedy_bot():
    program = compile_paths(["moonstone", str(DUELS)], texts=True, scenarios=False).program
    assert program is not None
    ready, won = link_game(program, driver_of(program), ("A", "B")), 0
    scene = next(one.names for one in program.entities if one.name == "Scene").index("swords")
    for seed in range(4):
        kinds = ["greedy", "greedy"]
        kinds[seed % 2] = "searching:30"
        bots = [make_bot(kind, ready, seed, seat) for seat, kind in enumerate(kinds)]
        outcome = play_out(ready, bots, seed, given=PresetAnswer("scene", scene, "swords")).outcome
        won += outcome is not None and seed % 2 in outcome.winners
    assert won >= 3  # the same four on every machine


@pytest.mark.slow
def test_it_wins_half_of_the_games_of_monotheism_against_two_that_are_greedy():
    words = ("--players", "searching:24,greedy,greedy", "--switch", "victory=last_deity")
    limits = ("--games", "20", "--turn-limit", "30", "--workers", "1", "--format", "json")
    done = call("simulate", "monotheism", *words, *limits)
    assert json.loads(done.out)["wins"]["by_bot"]["searching:24"]["value"] >= 0.5


@pytest.mark.slow
def test_it_beats_the_greedy_bot_at_gnostica():
    ready, won = linked("gnostica"), 0
    for seed in range(20):
        seat = seed % 2
        kinds = ("searching:60", "greedy") if seat == 0 else ("greedy", "searching:60")
        bots = [make_bot(kind, ready, seed, place) for place, kind in enumerate(kinds)]
        outcome = play_out(ready, bots, seed, turn_limit=500).outcome
        won += outcome is not None and seat in outcome.winners
    assert won >= 12  # 75 % is the aim: fewer than 12 of 20 is less likely than 1 in 20 then


def test_ends_are_told_apart_however_much_everybody_has_gained():
    scale = scale_of([1000, 1004, 1008, 1012, 1016])
    assert scale.reward(1008) == 0.5
    assert scale.reward(1004) < 0.4 < 0.6 < scale.reward(1012)


def test_a_question_is_quiet_once_looks_at_it_have_told_no_answers_apart():
    (one, *_) = ways_through_nim(9)
    node, quiet = one.end, PlayoutExperience()
    for _ in range(3):
        assert not quiet.is_quiet(node)
        quiet.note(node, [one, one])
    assert quiet.is_quiet(node)
    quiet.note(node, [one, replace(one, worth=1)])
    assert not quiet.is_quiet(node)  # one look in four has found a difference


def test_a_quiet_question_gets_its_usual_answer_and_any_where_there_is_none():
    (one, *_) = ways_through_nim(9)
    given = {PlayoutExperience().answer(one.end, Luck(seed)) for seed in range(20)}
    assert given == {1, 2, 3}


def test_what_was_best_is_tried_again_however_few_walks_there_are():
    def looking(heap: int) -> LookAhead:
        node = new_game(known("nim", at_first=heap), 1).node
        return LookAhead(node, 0, Judge(None), Luck(1), 0)

    best, kept = ways_through_nim(9)[-1], PlayoutExperience()
    assert answers_of(best) != (1,)
    kept.with_remembered(looking(9), [best])
    (again,) = kept.with_remembered(looking(9), [])
    assert answers_of(again) == answers_of(best)
    (usual,) = kept.with_remembered(looking(1), [])
    assert answers_of(usual) == (1,)  # of a heap of one, as much cannot be taken


def middle_of_monotheism() -> PlayNode:
    """A question of the first miracle between greedy bots, three seats."""
    ready, seen = linked("monotheism"), list[PlayNode]()

    class Watcher(Onlooker):
        def asked(self, node: PlayNode, value: object) -> None:
            if ready.program.routines[node.frame.routine].id.endswith("/chance"):
                seen.append(node)

    bots = [make_bot("greedy", ready, 1, seat) for seat in range(3)]
    play_out(ready, bots, 1, turn_limit=5, onlooker=Watcher())
    return seen[0]


def test_playouts_reach_the_end_of_a_turn_in_which_everybody_is_asked_much(monkeypatch):
    node, turns = middle_of_monotheism(), list[int]()
    play_on = TreeSearch._play_on

    def watched(search: TreeSearch, at: Reached) -> None:
        play_on(search, at)
        turns.append(at.turns)

    monkeypatch.setattr(TreeSearch, "_play_on", watched)
    search = TreeSearch(node, node.stop.who[0], judge_of(node.linked), Luck(1))
    assert search.run(SearchBudget(playouts=4)) is not None
    assert len(turns) == 4
    assert min(turns) >= 1


def test_ways_that_come_to_the_same_end_a_search_early():
    class Content(Judge):
        def __init__(self) -> None:
            super().__init__(lambda state, player: 5)

    node = new_game(known("nim", at_first=40), 1).node
    search = TreeSearch(node, 0, Content(), Luck(1))
    assert search.run(SearchBudget(playouts=90)) is not None
    assert search.playouts == 9  # three ways, three imagined states
