"""What is typed: several answers on a line, alike options, card texts, why not at menus; and how it is
shown at any width."""

from __future__ import annotations

import re

import pytest

from benchmarks.evening import EVENINGS, Evening, counted
from ruleloom.runtime.play.game import standing
from ruleloom.table.canvas import counted as times
from ruleloom.table.canvas import seen_width, wrapped
from ruleloom.table.loop import play as table_play
from ruleloom.table.narration import Sentence, gathered
from ruleloom.table.questions import AnswerNotUnderstood, Choice, parse_answer
from tests.ruleloom.table.test_play import FIRST, play, prompt
from tests.ruleloom.table.test_shared_screen import seated
from tests.runtime.test_dice import begun

ALONE = ("--players", "A=human,steady", "--seed", "11", *FIRST)


def told(out: str) -> str:
    return " ".join(out.split())


@pytest.mark.parametrize("line", ["1/1 N", "1/1, n", "1/1; N", "1/1;N;"])
def test_one_line_answers_what_is_asked_now_and_next(line: str):
    done = play(*ALONE, typed=f"1\n{line}\n")
    assert "A puts a small piece, facing north, on Move 9" in told(done.out)
    assert done.out.count("Which way does the piece you place on Move 9 face?") == 0


def test_if_one_answer_does_not_fit_none_is_taken():
    done = play(*ALONE, typed="1\n1/1 X\n1/1 N\n")
    assert (
        "`X`, answer 2 of 2, does not fit: Which way does the piece you place on Move 9 face? `X` is no "
        "option here; `help` says what can be typed; none of these answers was taken"
        in told(done.out)
    )
    assert "A puts a small piece, facing north, on Move 9" in told(done.out)


def test_a_sentence_is_no_row_of_answers():
    done = play(*ALONE, typed="1\nlet me think\n")
    assert "`let me think` is no option here" in told(done.out)
    assert "answer 1 of 3" not in done.out


def test_enter_leaves_out_what_may_be_left_out(monkeypatch: pytest.MonkeyPatch):
    effect = 'choose friend from players by me or none "Who helps? None if nobody."\nset day = 2\n'
    screen = seated(begun(effect, 1), monkeypatch, "")
    table_play(screen, {})
    assert screen.game.over
    assert "   3  none   (usual: Enter)" in screen.screen


def test_answers_stop_where_something_is_shown(monkeypatch: pytest.MonkeyPatch):
    """What comes after an answer that cannot be taken back is not told before."""
    effect = (
        "choose first from 1 .. 3 by me\nroll x = 1 d 6 by me\n"
        "choose second from 1 .. 3 by me\nset day = second\n"
    )
    screen = seated(begun(effect, 1), monkeypatch, "2 9", "3")
    table_play(screen, {})
    assert [entry.keys[0] for entry in screen.game.entries if entry.player == 0] == ["2", "3"]
    assert "`9` is left out, because something else has come first" in told(
        "\n".join(screen.screen)
    )


def test_a_number_means_any_of_those_that_are_alike():
    dice = prompt("red", "red#2", "red#3", "blue", kind="subset", least=0, most=4)
    choices = [Choice("red x3", ("red", "red#2", "red#3")), Choice("blue", ("blue",))]
    assert parse_answer("1 1", dice, choices) == ("red", "red#2")
    assert parse_answer("1, 2, 1", dice, choices) == ("red", "blue", "red#2")
    assert parse_answer("red#3", dice, choices) == ("red#3",)
    assert parse_answer("b", dice, choices) == ("blue",)
    with pytest.raises(AnswerNotUnderstood, match="numbered 1 to 2"):
        parse_answer("3", dice, choices)


def test_one_question_mark_is_the_card_and_two_are_all():
    done = play(*ALONE, typed="1\n? sun\n?? sun\n? lay grid\n")
    card, full = told(done.out).split("A> Sun ")[1:3]
    assert card.startswith("Number: 34. You may use this card as a Create, then as a Grow.")
    assert "1. " not in card.partition("A>")[0]
    assert "A Create: " in full
    assert "power/lay_grid" in done.out


def test_why_not_speaks_at_menus(monkeypatch: pytest.MonkeyPatch):
    effect = (
        'choose one "Which way?":\n    "left":\n        set day = 1\n'
        '    "right" when count(heap) > 90:\n        set day = 2\n    "on":\n        set day = 3\n'
    )
    screen = seated(begun(effect, 1), monkeypatch, "why not", "1")
    table_play(screen, {})
    assert "  right: needs: " in "\n".join(screen.screen)


def test_why_not_speaks_of_what_there_was_no_choice_about(monkeypatch: pytest.MonkeyPatch):
    effect = (
        'choose one "Which way?":\n    "left":\n        set day = 1\n'
        '    "right" when count(heap) > 90:\n        set day = 2\n'
        "choose last from 1 .. 3 by me\nset day = last\n"
    )
    screen = seated(begun(effect, 1), monkeypatch, "why not", "1")
    screen.viewer = 0
    table_play(screen, {})
    assert "Which way? left (there is no other way)" in told("\n".join(screen.screen))
    assert "Which way? right: needs: " in told("\n".join(screen.screen))


def test_equal_things_are_counted():
    assert times(["d4", "d4", "d6", "d4"]) == ["d4 x2", "d6", "d4"]


@pytest.mark.parametrize("width", [12, 20, 60])
def test_text_wraps_at_words_and_nowhere_else(width: int):
    text = "Which of them, 塔 or a-very-long-name-indeed, is it? " * 3
    lines = wrapped(text, width, "  ", "    ")
    assert max(map(seen_width, lines)) <= width
    assert "".join("".join(lines).split()) == "".join(text.split())


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda one: one.game)
@pytest.mark.parametrize("width", [60, 120])
def test_everything_fits_the_screen(evening: Evening, width: int):
    assert counted(evening, width, most=30).widest <= width


def test_what_is_drawn_and_laid_at_once_is_told_once():
    done = play(*ALONE, typed="log\n")
    first = told(done.out).partition("set-up: ")[0]
    assert "0/0" in first, "it is drawn"
    assert " puts " not in first, "and not told"
    assert re.search(r"A puts \w+( \d+)? on 0/0", told(done.out))
    assert " is drawn" not in done.out


def test_numbers_to_choose_from_stand_on_one_line(monkeypatch: pytest.MonkeyPatch):
    screen = seated(
        begun("choose n from 1 .. 3 by me default 2\nset day = n\n", 1), monkeypatch, "3"
    )
    table_play(screen, {})
    assert "      1, 2, 3   (usual: 2, with Enter)" in screen.screen


def test_a_way_that_was_taken_is_logged_once():
    told_ways = gathered(
        [
            Sentence("play a card", "Ann"),
            Sentence("Ann plays the Sun"),
            Sentence("wait", "Ann"),
            Sentence("Ben plays the Moon"),
        ]
    )
    assert told_ways == ["Ann plays the Sun", "Ann: wait", "Ben plays the Moon"]
    done = gathered(
        [
            Sentence("somebody leaves", "Gwen"),
            Sentence("Kindle", "Gwen"),
            Sentence("Anna leaves"),
            Sentence("Ebb uses Kindle"),
        ]
    )
    assert done == ["Anna leaves", "Ebb uses Kindle"]


ROUND = (
    "let free = [1, 2, 3, 4, 5, 6]\nrepeat 3 times:\n    for each other in players:\n"
    '        choose number from free by other "Which do you take?"\n'
    "        remove number from free\n        set day = number\n"
)


def test_what_goes_round_the_table_is_answered_in_advance(monkeypatch: pytest.MonkeyPatch):
    screen = seated(begun(ROUND, 1), monkeypatch, "2 3 5", "1", "4")
    table_play(screen, {})
    taken = [(entry.player, entry.keys[0]) for entry in screen.game.entries]
    assert taken == [(0, "2"), (1, "1"), (0, "3"), (1, "4"), (0, "5"), (1, "6")]
    assert "`3 5` is kept for your next turns at this question" in told("\n".join(screen.screen))
    assert screen.asked == ["ann", "bob", "bob"]


def test_what_was_answered_in_advance_may_be_gone(monkeypatch: pytest.MonkeyPatch):
    screen = seated(begun(ROUND, 1), monkeypatch, "2 3 5", "3", "1", "4")
    table_play(screen, {})
    taken = [(entry.player, entry.keys[0]) for entry in screen.game.entries]
    assert taken == [(0, "2"), (1, "3"), (0, "5"), (1, "1"), (0, "4"), (1, "6")]
    assert "ann: `3` is not on offer any more" in told("\n".join(screen.screen))


def test_what_was_answered_in_advance_can_be_forgotten(monkeypatch: pytest.MonkeyPatch):
    screen = seated(begun(ROUND, 1), monkeypatch, "2 3 5", "undo", "1", "6", "4", "3")
    table_play(screen, {})
    taken = [entry.keys[0] for entry in screen.game.entries if entry.player == 0]
    assert taken[:2] == ["2", "6"]


@pytest.mark.parametrize(("word", "stands"), [("yes", "6"), ("no", "2")])
def test_everybody_may_agree_to_go_back(monkeypatch: pytest.MonkeyPatch, word: str, stands: str):
    screen = seated(begun(ROUND, 1), monkeypatch, "2", "3", "go back", word, "6", "1", "4", "5")
    table_play(screen, {})
    taken = [(one.player, one.keys[0]) for one in standing(screen.game.entries)]
    assert taken[0] == (0, stands)
    assert any(one.back == 0 for one in screen.game.entries) is (word == "yes")


def test_nobody_goes_back_behind_nothing(monkeypatch: pytest.MonkeyPatch):
    screen = seated(begun(ROUND, 1), monkeypatch, "go back", "2", "3", "4", "1", "5", "6")
    table_play(screen, {})
    assert "there is no choice of yours to go back to" in told("\n".join(screen.screen))


def test_what_is_answered_in_advance_has_to_be_an_option(monkeypatch: pytest.MonkeyPatch):
    screen = seated(begun(ROUND, 1), monkeypatch, "2 nine", "2", "1", "6", "4", "3", "5")
    table_play(screen, {})
    assert screen.game.entries[0].keys == ("2",)
    assert screen.asked[:2] == ["ann", "ann"]


def test_what_is_left_out_is_not_offered_again_before_something_changes(
    monkeypatch: pytest.MonkeyPatch,
):
    effect = 'repeat 3 times:\n    optional "wait":\n        set day = day + 1\n'
    screen = seated(begun(effect, 1), monkeypatch, "1", "2")
    table_play(screen, {})
    assert screen.game.over
    assert [entry.keys[0] for entry in screen.game.entries] == ["do", "skip", "skip"]
    assert len([line for line in screen.screen if line.endswith("Wait?")]) == 2


def test_what_is_left_out_is_offered_again_where_the_round_matters(
    monkeypatch: pytest.MonkeyPatch,
):
    effect = 'repeat 2 times as i:\n    optional "wait":\n        set day = i\n'
    screen = seated(begun(effect, 1), monkeypatch, "2", "1")
    table_play(screen, {})
    assert [entry.keys[0] for entry in screen.game.entries] == ["skip", "do"]


def test_once_a_question_has_gone_round_it_says_that_it_can_be_answered_in_advance(
    monkeypatch: pytest.MonkeyPatch,
):
    screen = seated(begun(ROUND, 1), monkeypatch, "1", "2", "3", "4", "5")
    table_play(screen, {})
    hints = [n for n, line in enumerate(screen.screen) if "kept for your next turns" in line]
    asked = [n for n, line in enumerate(screen.screen) if "Which do you take?" in line]
    assert len(hints) == 1
    assert asked[1] < hints[0] < asked[2]
