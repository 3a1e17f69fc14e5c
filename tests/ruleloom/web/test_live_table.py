"""A table in play: answers of people and bots, undo that asks the others, corrections, real dice."""

from __future__ import annotations

import pytest

from ruleloom.runtime.program.faults import Refused, StaleAnswer
from ruleloom.table.privacy import NOBODY
from ruleloom.web.hall import load_table
from ruleloom.web.seat_view import seat_view
from tests.support.web_tables import live_table

ANN, BEN = 0, 1


def prompt_of(table, seat):
    """The question that a seat is asked."""
    found = table.prompt_for(seat)
    assert found is not None
    return found


def asked_of(table, seat):
    """The same, as its page is sent it."""
    found = seat_view(table, seat)["prompt"]
    assert found is not None
    return found


def first_key(table, seat):
    return prompt_of(table, seat).options[0].key


def play_to(table, question):
    """Give the first answer to every question, until somebody is asked this one; return who."""
    for _ in range(60):
        who = table.game.node.stop.who[0]
        prompt = prompt_of(table, who)
        if prompt.text.startswith(question):
            return who
        table.answer(who, prompt.id, [one.key for one in prompt.options][: max(1, prompt.least)])
    raise AssertionError(f"nobody is asked `{question}`")


def test_a_secret_answer_counts_although_the_other_has_answered_meanwhile():
    table = live_table("Ann=human,Ben=human")
    ids = {seat: prompt_of(table, seat).id for seat in (ANN, BEN)}
    table.answer(ANN, ids[ANN], [first_key(table, ANN)])
    assert table.prompt_for(ANN) is None
    assert prompt_of(table, BEN).id != ids[BEN]  # and Ben's page does not know yet
    table.answer(BEN, ids[BEN], [first_key(table, BEN)])
    assert not table.game.node.secret


def test_the_question_of_another_is_refused_without_a_look_at_it():
    table = live_table("Ann=human,Ben=human")
    who = play_to(table, "Where do you place")
    prompt = prompt_of(table, who)
    for id, key in ((prompt.id, prompt.options[0].key), ("12345", "nonsense")):
        with pytest.raises(Refused, match="you are not asked anything now"):
            table.answer(1 - who, id, [key])


def test_an_answer_to_an_earlier_question_is_refused():
    table = live_table("Ann=human,Ben=human")
    who = play_to(table, "Where do you place")
    old = prompt_of(table, who)
    table.answer(who, old.id, [old.options[0].key])
    with pytest.raises(StaleAnswer):
        table.answer(who, old.id, [old.options[0].key])


def test_an_answer_is_taken_back_on_the_table_and_in_the_file():
    table = live_table("Ann=human,Ben=human")
    who = play_to(table, "Which way does")
    before = table.game.serial
    assert table.undo(who) is True  # where the piece goes is nothing that others have seen
    assert table.game.serial == before - 1
    assert prompt_of(table, who).text == "Where do you place your piece?"
    assert load_table(table.store, table.id).game.serial == before - 1


def test_undo_goes_back_over_questions_that_had_one_answer():
    table = live_table("Ann=human,Ben=random")
    who = play_to(table, "What do you do this turn?")
    before = table.game.serial
    table.answer(who, prompt_of(table, who).id, [first_key(table, who)])
    assert table.game.serial == before + 2  # with a question that had one answer
    table.undo(who)
    assert table.game.serial == before


def test_what_only_one_person_holds_is_not_told_by_a_question_that_is_passed_over():
    table = live_table("Ann=human,Ben=human")
    who = play_to(table, "Create?")
    before = table.game.serial
    table.answer(who, prompt_of(table, who).id, ["do"])
    assert table.game.serial == before + 1
    assert len(prompt_of(table, who).options) == 1


def test_what_others_have_seen_is_taken_back_when_they_agree():
    table = live_table("Ann=human,Ben=human")
    play_to(table, "Which way does")  # Ann's piece
    table.answer(ANN, prompt_of(table, ANN).id, ["N"])
    play_to(table, "Where do you place")
    assert play_to(table, "Which way does") == BEN
    table.answer(BEN, prompt_of(table, BEN).id, ["N"])
    after = table.game.serial
    assert table.undo(BEN) is False
    assert seat_view(table, ANN)["wish"] == {"by": "Ben", "asked": True}
    assert seat_view(table, BEN)["wish"] == {"by": "Ben", "asked": False}
    table.agree(ANN, False)
    assert seat_view(table, ANN)["wish"] is None
    assert table.game.serial == after
    table.undo(BEN)
    table.agree(ANN, True)
    assert table.game.serial == after - 1


def test_nobody_but_the_others_is_asked_whether_something_may_be_taken_back():
    table = live_table("Ann=human,Ben=human")
    with pytest.raises(Refused, match="you are not asked whether"):
        table.agree(ANN, True)
    with pytest.raises(Refused, match="nothing that you could take back"):
        table.undo(BEN)


def test_whoever_leads_sets_things_right_and_everybody_is_told_why():
    table = live_table("Ann=human,Ben=human")
    with pytest.raises(Refused, match="only whoever leads"):
        table.correct(BEN, "me", "Ben", "it is my turn")
    table.correct(ANN, "me", "Ben", "Ben goes first")
    assert any("Ben goes first" in one for one in seat_view(table, BEN)["log"][-1]["told"])
    assert load_table(table.store, table.id).game.state.scope == table.game.state.scope


def test_bots_answer_when_they_are_asked():
    table = live_table("Ann=human,greedy")
    assert table.bots_are_asked()
    for _ in range(3):
        if table.bots_are_asked():
            table.bot_answers()
    assert table.prompt_for(ANN) is not None
    table.change_seat(ANN, "steady")
    for _ in range(2_000):
        if not table.bot_answers():
            break
    assert table.game.over
    assert load_table(table.store, table.id).game.over


def test_whoever_rolls_says_what_real_cards_show_and_learns_nothing_from_the_list():
    table = live_table("Ann=human,Ben=human", seed=None)
    for _ in range(6):
        who = table.throwers()[0]
        asked = asked_of(table, who)
        assert asked["kind"] == "draw"
        offered = {option["text"] for option in asked["options"]}
        table.answer(who, asked["id"], asked["options"][0]["keys"])
        assert asked["options"][0]["text"] in offered
    hands = [set(hand) for hand in table.game.state.world[table.game.linked.layout.index["hand"]]]
    titles = table.game.linked.layout.titles["Card"]
    for _ in range(3):
        who = table.throwers()[0]
        asked = asked_of(table, who)
        offered = {option["text"] for option in asked["options"]}
        others = {titles[card] for seat, hand in enumerate(hands) if seat != who for card in hand}
        assert others <= offered  # they are not in the deck, and the list does not tell
        break


def test_whoever_looks_on_is_asked_nothing():
    table = live_table("Ann=human,Ben=human")
    view = seat_view(table, NOBODY)
    assert view["prompt"] is None
    assert view["board"]["hand"] is None
    assert not view["undo"]
    assert [seat["to_act"] for seat in view["seats"]] == [True, True]
