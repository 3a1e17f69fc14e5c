"""A table in play: answers of people and bots, undo that asks the others, corrections, real dice."""

from __future__ import annotations

import pytest

from ruleloom.api.facade import program_of
from ruleloom.runtime.program.faults import Refused
from ruleloom.scenes.scene import NOBODY
from ruleloom.table.authorised_view import NOT_ASKED, NOT_DRAWN, throwers
from ruleloom.table.seats import parse_seats
from ruleloom.web.live_table import load_table
from ruleloom.web.lobby import Shelf, open_table
from ruleloom.web.packs_here import language_here
from ruleloom.web.seat_view import rules_text, seat_view
from ruleloom.web.table_store import TableStore
from tests.support.german_cards import CARDS, brewed, brewed_in_german
from tests.support.pack_examples import manifest
from tests.support.web_tables import live_table

ANN, BEN = 0, 1


def prompt_of(table, seat):
    """The question that a seat is asked."""
    found = table.authorised(seat).prompt
    assert found is not None
    return found


def asked_of(table, seat):
    """The same, as its page is sent it."""
    found = seat_view(table, seat)["panel"]
    assert found is not None
    return {"id": found["id"], **found["fields"][0]}


def first_key(table, seat):
    return prompt_of(table, seat).options[0].key


def names_of(table):
    return table.game.linked.layout.names["Card"]


def play_to(table, question):
    """Give the first answer to every question, until somebody is asked this one; return who."""
    for _ in range(60):
        who = table.game.node.stop.who[0]
        prompt = prompt_of(table, who)
        if prompt.text.startswith(question):
            return who
        table.answer(
            who,
            table.question_id(who),
            [[one.key for one in prompt.options][: max(1, prompt.least)]],
        )
    raise AssertionError(f"nobody is asked `{question}`")


def test_a_secret_answer_can_be_taken_back_until_the_last_has_been_given():
    table = live_table("Ann=human,Ben=human,Cid=human")
    first, other = (one.key for one in prompt_of(table, ANN).options[:2])
    ids = {seat: asked_of(table, seat)["id"] for seat in (ANN, BEN, 2)}
    table.answer(ANN, ids[ANN], [[first]])
    table.answer(BEN, ids[BEN], [[first_key(table, BEN)]])
    assert seat_view(table, ANN)["undo"]
    assert table.undo(ANN) is True
    assert table.game.node.stop.who == (ANN, 2)
    assert asked_of(table, 2)["id"] == ids[2]  # who thinks goes on thinking
    assert not seat_view(table, 2)["undo"]
    assert load_table(table.store, table.id).game.entries == table.game.entries
    table.answer(ANN, table.question_id(ANN), [[other]])
    table.answer(2, ids[2], [[first_key(table, 2)]])
    assert not table.game.node.secret
    assert not table.may_undo(ANN)
    [bid] = [one.keys for one in table.game.entries if one.player == ANN]
    assert bid == (other,)


def test_a_secret_answer_is_taken_back_from_where_all_were_asked_last():
    """A correction asks everybody anew: it stays when an answer after it is taken back."""
    table = live_table("Ann=human,Ben=human,Cid=human")
    table.correct(ANN, "me", "Ben", "it was miscounted")
    table.answer(BEN, table.question_id(BEN), [[first_key(table, BEN)]])
    table.correct(ANN, "me", "Cid", "it was miscounted")
    entries = table.game.entries
    table.answer(BEN, table.question_id(BEN), [[first_key(table, BEN)]])
    assert table.undo(BEN) is True
    assert table.game.entries == entries


def test_a_secret_answer_counts_although_the_other_has_answered_meanwhile():
    table = live_table("Ann=human,Ben=human")
    ids = {seat: asked_of(table, seat)["id"] for seat in (ANN, BEN)}
    table.answer(ANN, ids[ANN], [[first_key(table, ANN)]])
    assert table.authorised(ANN).prompt is None
    assert prompt_of(table, BEN).id.startswith(f"{table.game.serial}.")  # it is asked anew
    assert asked_of(table, BEN)["id"] == ids[BEN]
    table.answer(BEN, ids[BEN], [[first_key(table, BEN)]])
    assert not table.game.node.secret


def test_the_question_of_another_is_refused_without_a_look_at_it():
    table = live_table("Ann=human,Ben=human")
    who = play_to(table, "Where do you place")
    key = prompt_of(table, who).options[0].key
    for seat in (ANN, BEN):
        id = table.question_id(seat)
        for one, word in ((id, key), (id, "nonsense"), ("12345", "nonsense"), ("", "")):
            with pytest.raises(Refused, match=NOT_ASKED):
                table.answer(1 - who, one, [[word]])


def test_an_answer_to_an_earlier_question_is_refused():
    table = live_table("Ann=human,Ben=human")
    who = play_to(table, "Where do you place")
    old, key = table.question_id(who), first_key(table, who)
    table.answer(who, old, [[key]])
    with pytest.raises(Refused, match=NOT_ASKED):
        table.answer(who, old, [[key]])


def test_an_answer_is_taken_back_on_the_table_and_in_the_file():
    table = live_table("Ann=human,Ben=human")
    who = play_to(table, "Which way does")
    before = table.game.serial
    assert table.undo(who) is True  # where the piece goes is nothing that others have seen
    assert table.game.serial == before - 1
    assert prompt_of(table, who).text == "Where do you place your piece?"
    assert load_table(table.store, table.id).game.serial == before - 1


def test_undo_goes_back_over_questions_that_had_one_answer():
    table = live_table("Ann=human,Ben=human")
    who = play_to(table, "What do you do this turn?")
    table.change_seat(1 - who, "random")
    before = table.game.serial
    table.answer(who, table.question_id(who), [[first_key(table, who)]])
    assert table.game.serial == before + 2  # with a question that had one answer
    table.undo(who)
    assert table.game.serial == before


def test_what_only_one_person_holds_is_not_told_by_a_question_that_is_passed_over():
    table = live_table("Ann=human,Ben=human")
    who = play_to(table, "Create?")
    before = table.game.serial
    table.answer(who, table.question_id(who), [["do"]])
    assert table.game.serial == before + 1
    assert len(prompt_of(table, who).options) == 1


def test_what_others_have_seen_is_taken_back_when_they_agree():
    table = live_table("Ann=human,Ben=human")
    play_to(table, "Which way does")  # Ann's piece
    table.answer(ANN, table.question_id(ANN), [["N"]])
    play_to(table, "Where do you place")
    assert play_to(table, "Which way does") == BEN
    table.answer(BEN, table.question_id(BEN), [["N"]])
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
    with pytest.raises(Refused, match="nobody is waiting for your consent"):
        table.agree(ANN, True)
    with pytest.raises(Refused, match="nothing to take back"):
        table.undo(BEN)


def test_whoever_leads_sets_things_right_and_everybody_is_told_why():
    table = live_table("Ann=human,Ben=human")
    with pytest.raises(Refused, match="only a leader of the table"):
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
    assert table.authorised(ANN).prompt is not None
    table.change_seat(ANN, "steady")
    for _ in range(2_000):
        if not table.bot_answers():
            break
    assert table.game.over
    assert load_table(table.store, table.id).game.over


def test_whoever_rolls_says_what_real_cards_show_and_learns_nothing_from_the_list():
    table = live_table("Ann=human,Ben=human", seed=None)
    for _ in range(6):
        who = throwers(table.game, table.people)[0]
        asked = asked_of(table, who)
        assert asked["kind"] == "draw"
        offered = {option["text"] for option in asked["options"]}
        table.answer(who, asked["id"], [asked["options"][0]["keys"]])
        assert asked["options"][0]["text"] in offered
    hands = [set(hand) for hand in table.game.state.world[table.game.linked.layout.index["hand"]]]
    names = names_of(table)
    who = throwers(table.game, table.people)[0]
    asked = asked_of(table, who)
    offered = {key for option in asked["options"] for key in option["keys"]}
    others = {names[card] for seat, hand in enumerate(hands) if seat != who for card in hand}
    assert others <= offered  # they are not in the deck, and the list does not tell
    # One refusal for a card that another holds, for one that is no card, and for several at once.
    free = next(iter(offered - others - {names[card] for hand in hands for card in hand}))
    held, before = sorted(others), table.game
    for keys in ([held[0]], [held[1]], ["nonsense"], [], [free, held[0]], [held[0], free]):
        with pytest.raises(Refused, match=NOT_DRAWN):
            table.answer(who, table.question_id(who), [keys])
    assert table.game is before
    said = "named something that cannot have been drawn"
    for seat in (ANN, BEN):  # and everybody sees that somebody tries cards
        assert any(said in one for one in seat_view(table, seat)["log"][-1]["told"])


def test_a_real_card_for_a_hand_is_told_by_nobody_but_its_owner():
    table = live_table("Ann=human,Ben=human,steady", seed=None)
    for _ in range(18):
        owner = table.game.node.stop.who[0]
        types = owner if owner != 2 else ANN  # the bot's hand is dealt by whoever leads
        name = ("Ann", "Ben", table.game.players[2])[owner]
        assert prompt_of(table, types).text == f"draw from the draw pile for {name}"
        for seat in {NOBODY, ANN, BEN, 2} - {types}:
            assert table.authorised(seat).prompt is None
            with pytest.raises(Refused, match=NOT_ASKED):
                table.answer(seat, table.question_id(types), [[first_key(table, types)]])
        asked = asked_of(table, types)
        offered = {key for option in asked["options"] for key in option["keys"]}
        left = {names_of(table)[card] for card in table.game.node.options}
        table.answer(types, asked["id"], [[min(offered & left)]])
    assert table.game.node.stop.who == ()  # the grid is laid out by anybody
    assert prompt_of(table, ANN).text == prompt_of(table, BEN).text == "draw from the draw pile"


def test_whoever_looks_on_is_asked_nothing():
    table = live_table("Ann=human,Ben=human")
    view = seat_view(table, NOBODY)
    assert view["panel"] is None
    assert view["board"]["hand"] is None
    assert not view["undo"]
    assert [seat["to_act"] for seat in view["seats"]] == [True, True]


def test_each_seat_reads_its_own_language_at_one_table():
    table = live_table("Ann=human,Ben=human")
    table.read_by(BEN, "de")
    assert asked_of(table, ANN)["text"] == "Which card do you bid for the first turn?"
    assert asked_of(table, BEN)["text"] == "Welche Karte bietest du für den ersten Zug?"
    for seat in (BEN, ANN):
        table.answer(seat, table.question_id(seat), [[first_key(table, seat)]])
    mine, theirs = (seat_view(table, one)["log"][0]["told"] for one in (ANN, BEN))
    assert [line for line in mine if line.startswith("bid: ")]
    assert [line for line in theirs if line.startswith("Gebot: ")]
    assert load_table(table.store, table.id).game.entries == table.game.entries
    with pytest.raises(Refused, match="there is no language `xx`"):
        table.read_by(ANN, "xx")


def table_with(packs, seed):
    """A table at which cards of one's own are played, as a server with these packs loads it."""
    shelf, store = Shelf([tuple(map(str, packs))]), TableStore(":memory:")
    kept = open_table(store, program_of(*packs), parse_seats("Ann=human,Ben=human"), seed)
    return load_table(store, kept.id, lambda of, code: language_here(of, code, shelf))


def played_by_keys(table, answers, *wanted):
    """Answer so many questions, by the first of these keys that is on offer, else as usual; what the second seat
    has been asked, with the answers that it had."""
    asked = []
    for _ in range(answers):
        who = table.game.node.stop.who[0]
        prompt = prompt_of(table, who)
        labels = {one.key: one.label for one in prompt.options}
        key = next((one for one in wanted if one in labels), None)
        keys = [key] if key else [*labels][: max(1, prompt.least)]
        if who == BEN:
            asked.append((prompt.text, labels[keys[0]]))
        table.answer(who, table.question_id(who), [keys])
    return asked


def test_cards_of_one_s_own_are_read_in_german_at_a_table(tmp_path):
    table = table_with([brewed(tmp_path / "brew"), brewed_in_german(tmp_path / "brew-de")], 36)
    table.read_by(BEN, "de")
    played_by_keys(table, 6)
    asked = played_by_keys(table, 9, "play-a-card", "thief")
    assert ("Welche Karte spielst du?", "Der Dieb") in asked
    assert asked[-1][0] == "Welcher Diener stiehlt?"
    mine, theirs = (seat_view(table, one)["log"][-1]["told"] for one in (ANN, BEN))
    assert mine[:2] == ["Ben discards Thief", "Ben plays Thief"]
    assert theirs[:2] == ["Ben legt den Dieb ab", "Ben spielt den Dieb"]
    for name, beginning in (
        ("thief", "Wähle einen"),
        ("gardener", "Du darfst"),
        ("bridge", "Wähle"),
    ):
        german, english = (" ".join(rules_text(table, one, name, False)) for one in (BEN, ANN))
        assert f" {beginning} " in german
        assert "[en]" not in german
        assert "Number: 3" in english


def test_a_table_reads_its_packs_as_they_are_now(tmp_path):
    """What has been read in a language is known by its texts, not by the path of its pack."""
    pack = brewed(tmp_path / "brew")
    old = table_with([pack], 36)
    old.read_by(BEN, "de")
    assert "zweimal" in "".join(rules_text(old, BEN, "gardener", False))
    cards = pack / "cards.yaml"
    cards.write_text(CARDS.replace("repeat 2 times", "repeat 3 times"), encoding="utf-8")
    new = table_with([pack], 36)
    new.read_by(BEN, "de")
    assert "dreimal" in "".join(rules_text(new, BEN, "gardener", False))


def test_a_table_whose_packs_have_mistakes_by_now_is_read_as_shipped(tmp_path):
    pack = brewed(tmp_path / "brew")
    table = table_with([pack], 36)
    (pack / "cards.yaml").write_text(CARDS.replace("use grow", "use grwo"), encoding="utf-8")
    table.read_by(BEN, "de")
    assert asked_of(table, BEN)["text"] == "Welche Karte bietest du für den ersten Zug?"
    assert "[en]" in "".join(rules_text(table, BEN, "gardener", False))


def test_a_secret_choice_with_one_answer_is_not_passed_over(tmp_path, write_files):
    """Nobody holds a card above 90: that each can only say so is not told by skipping the question."""
    bidding = """\
kind: patch
id: high-bids
target: gnostica:power/bid_once
replace-effect: |
  optional "look at the sky" by seat(1): say "It is clear."
  each player in players secretly choose bid from hand(player) where number(bid) > 90 or none "Which card?"
  for each player in players:
      let card = bid(player)
      if card is not none: set_aside(card)
  let leaders = players
"""
    pack = write_files({"pack.yaml": manifest("high-bids", game="gnostica"), "bids.yaml": bidding})
    table = table_with([pack], 3)
    table.answer(ANN, table.question_id(ANN), [["skip"]])
    for seat in (ANN, BEN):
        assert [one.key for one in prompt_of(table, seat).options] == ["none"]
    table.answer(ANN, table.question_id(ANN), [["none"]])
    assert prompt_of(table, BEN).kind == "secret"
