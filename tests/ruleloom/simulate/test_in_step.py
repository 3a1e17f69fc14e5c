"""Luck in step: what falls after a question follows from the turn and the question, not from what came before."""

from __future__ import annotations

from dataclasses import replace

from ruleloom.bots.arena import make_bot
from ruleloom.runtime.play.game import new_game
from ruleloom.simulate.one_game import LuckInStep
from tests.support.known_games import linked, plan_for, played


def test_the_first_question_of_a_turn_has_the_same_luck_whatever_was_asked_before():
    game = linked("noughts")
    node = new_game(game, 1).node

    def asked_in(turns: list[int]) -> list[object]:
        fate = LuckInStep(7, [make_bot("random", game, 7, seat) for seat in (0, 1)])
        return [fate.dice_at(node, turn) for turn in turns]

    once, again = asked_in([1, 2]), asked_in([1, 1, 1, 2])
    assert once[0] == again[0]
    assert once[1] == again[3]
    assert len(set(again)) == 4  # another question, and another turn, have luck of their own


def test_bots_leave_to_chance_what_they_would_have_at_the_same_question():
    game = linked("noughts")
    node = new_game(game, 1).node
    drawn = []
    for before in (0, 5):
        bot = make_bot("random", game, 1, 0)
        for _ in range(before):
            bot.answer(node, 0)
        LuckInStep(7, [bot, bot]).dice_at(node, 1)
        drawn.append([bot.answer(node, 0) for _ in range(5)])
    assert drawn[0] == drawn[1]


def test_games_in_step_are_played_to_their_end_and_are_the_same_again():
    plan = replace(plan_for(), in_step=True)
    records = played("noughts", 6, plan)
    assert records == played("noughts", 6, plan)
    assert all(one.finished for one in records)
    assert records != played("noughts", 6)
