"""Panels and standing answers: what one player is asked in one go, and what is not asked again."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ruleloom.bots.information_set import exchanged, hidden_things, in_canonical_order
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.search.node import PlayNode
from ruleloom.table.authorised_view import AuthorisedView
from ruleloom.table.loop import play
from ruleloom.table.panels import answer_panel, panel, rows_of, within_reach
from ruleloom.table.standing import StandingAnswers
from tests.ruleloom.table.test_shared_screen import seated
from tests.runtime.test_dice import begun
from tests.support.web_tables import live_table

IN_ONE_GO = """\
choose much from 1 .. 3 by me default 2 "How much?"
choose late from [no, yes] by me default no "Is it late?"
if late = yes:
    choose many from 1 .. 4 by me default 3 "How many?"
    set day = many
choose other from players where other != me
choose last from 1 .. 3 by other default 1 "And you?"
set day = much + last
"""


def seen(game: Game, seat: int = 0) -> AuthorisedView:
    return AuthorisedView(game, seat, range(len(game.players)))


def filled(game: Game, *given: str) -> list[tuple[str, tuple[str, ...] | None]]:
    fields = panel(seen(game), [(one,) for one in given])
    return [(one.prompt.text, one.keys) for one in fields]


def test_a_panel_is_filled_in_with_the_usual_answers_up_to_the_question_of_another():
    assert filled(begun(IN_ONE_GO, 1)) == [("How much?", ("2",)), ("Is it late?", ("no",))]


def test_what_follows_a_changed_answer_is_worked_out_anew():
    game = begun(IN_ONE_GO, 1)
    assert filled(game, "3", "yes") == [
        ("How much?", ("3",)),
        ("Is it late?", ("yes",)),
        ("How many?", ("3",)),
    ]


ONE_BY_ONE = """\
for each one in players:
    choose gift from 1 .. 4 by me default 2 "How many nuts does {one} get today?"
    set day = gift
choose late from [no, yes] by me default no "Is it late?"
if late = yes: set day = 0
choose last from 1 .. 3 by me "And you?"
set day = last
"""


def test_the_same_question_of_several_things_is_a_table_with_a_row_for_each():
    game = begun(ONE_BY_ONE, 1)
    rows = rows_of(panel(seen(game)))
    heading = "How many nuts does … get today?"
    assert rows == [(heading, "ann"), (heading, "bob"), None, None]


def test_an_answer_that_is_not_on_offer_leaves_its_field_empty():
    game = begun(IN_ONE_GO, 1)
    assert filled(game, "9") == [("How much?", None)]
    with pytest.raises(Refused):
        answer_panel(seen(game), [("9",)])


def test_a_question_without_a_usual_answer_is_the_last_field():
    game = begun(
        "choose a from 1 .. 3 by me\nchoose b from 1 .. 3 by me default 1\nset day = a + b\n"
    )
    assert filled(game) == [("choose a", None)]
    assert filled(game, "2") == [("choose a", ("2",)), ("choose b", ("1",))]


def test_a_panel_ends_before_what_cannot_be_taken_back():
    rolled = "choose a from 1 .. 3 by me default 1\nroll x = 1 d 6 by me\n"
    asked = "choose b from 1 .. 3 by me default 1\nset day = a + b + x\n"
    assert filled(begun(rolled + asked, 1)) == [("choose a", ("1",))]


def test_nobody_else_has_a_panel():
    assert panel(seen(begun(IN_ONE_GO, 1), 1)) == []


def test_the_answers_are_given_one_by_one():
    game = begun(IN_ONE_GO, 1)
    games = answer_panel(seen(game), [("2",), ("yes",), ("4",)])
    assert [one.entries[-1].keys for one in games] == [("2",), ("yes",), ("4",)]
    assert games[1].past[-1] is games[0]


def test_answers_stop_where_the_question_is_another_one_than_foreseen():
    game = begun(IN_ONE_GO, 1)
    games = answer_panel(seen(game), [("2",), ("no",), ("4",)])
    assert [one.entries[-1].keys for one in games] == [("2",), ("no",)]


def test_places_are_within_reach_of_the_answers_that_lead_there():
    text = (
        'choose one by me:\n    "go":\n        choose a from 1 .. 3 by me\n        set day = a\n'
        '    "stay":\n        set day = 9\n'
    )
    [field] = panel(seen(begun(text, 1)))
    [(given, view)] = within_reach(field)
    assert given == [("go",)]
    assert view.prompt is not None
    assert view.prompt.text == "choose a"


def test_games_that_a_player_cannot_tell_apart_have_one_canonical_order():
    """The law of seats exchanges hidden cards; here each pair of hidden cards once."""
    game = live_table("Ann=human,Ben=human").game
    node = game.node
    [(kind, hidden)] = hidden_things(game.linked, game.state.world, 0).items()
    order = in_canonical_order(node, 0).state.world
    for one, other in pairwise(hidden):
        swapped = exchanged(game.linked, game.state, kind, {one: other, other: one})
        twin = PlayNode(game.linked, node.stop._replace(state=swapped))
        assert in_canonical_order(twin, 0).state.world == order


# ---------------------------------------------------------------------------------- in the terminal


def test_enter_takes_all_that_is_filled_in(monkeypatch: pytest.MonkeyPatch):
    screen = seated(begun(IN_ONE_GO, 1), monkeypatch, "", "2")
    play(screen, {})
    shown = "\n".join(screen.screen)
    assert "   1  How much? [2]" in shown
    assert "   2  Is it late? [no]" in shown
    assert "Enter takes these answers; a number changes one." in shown
    assert [one.keys for one in screen.game.entries[:2]] == [("2",), ("no",)]


def test_a_table_is_typed_by_its_rows(monkeypatch: pytest.MonkeyPatch):
    screen = seated(begun(ONE_BY_ONE, 1), monkeypatch, "2", "4", "", "1")
    play(screen, {})
    shown = "\n".join(screen.screen)
    assert "How many nuts does … get today?\n   1    ann [2]\n   2    bob [2]" in shown
    assert "   2    bob [4]" in shown


def test_a_number_changes_one_and_what_follows_is_asked(monkeypatch: pytest.MonkeyPatch):
    screen = seated(begun(IN_ONE_GO, 1), monkeypatch, "2", "yes", "3", "4", "", "1")
    play(screen, {})
    assert [one.keys for one in screen.game.entries[:3]] == [("2",), ("yes",), ("4",)]


def test_a_command_is_understood_while_one_answer_is_changed(monkeypatch: pytest.MonkeyPatch):
    screen = seated(begun(IN_ONE_GO, 1), monkeypatch, "2", "help", "yes", "3", "4", "", "1")
    play(screen, {})
    assert any("take your last answer back" in one for one in screen.screen)
    assert [one.keys for one in screen.game.entries[:3]] == [("2",), ("yes",), ("4",)]


def test_undo_while_one_answer_is_changed_leaves_the_panel(monkeypatch: pytest.MonkeyPatch):
    text = f'choose first from 1 .. 2 by me "First?"\nset day = first\n{IN_ONE_GO}'
    screen = seated(begun(text, 1), monkeypatch, "1", "2", "undo", "2", "", "2")
    play(screen, {})
    assert [one.keys for one in screen.game.entries[:3]] == [("2",), ("2",), ("no",)]


def test_what_was_answered_one_by_one_is_taken_back_one_by_one(monkeypatch: pytest.MonkeyPatch):
    """Although it was taken in one go before, and taken back."""
    text = (
        'choose much from 1 .. 3 by me default 2 "How much?"\n'
        'choose late from [no, yes] by me default no "Is it late?"\n'
        'choose last from 1 .. 3 by me "And last?"\n'
        "if late = yes: set day = much\nset day = last\n"
    )
    screen = seated(begun(text, 1), monkeypatch, "", "undo", "3 no", "undo", "yes", "1")
    play(screen, {})
    assert [one.keys for one in screen.game.entries] == [("3",), ("yes",), ("1",)]


def test_a_standing_answer_is_typed_listed_and_taken_back(monkeypatch: pytest.MonkeyPatch):
    text = (
        ROUNDS.replace("players:", "[me]:")
        + 'choose last from 1 .. 3 by me "And last?"\nset day = last\n'
    )
    typed = ("always 4", "standing", "ask again 1", "standing", "2")
    screen = seated(begun(text, 1), monkeypatch, *typed)
    play(screen, {})
    assert [one.keys[0] for one in screen.game.entries] == ["4", "4", "4", "2"]
    shown = [one.strip() for one in screen.screen]
    assert shown.count("1  How much now? 4") == 1
    assert "there is no standing answer of yours" in shown


# ---------------------------------------------------------------------------------- standing answers

ROUNDS = """\
for each time in 1 .. 3:
    for each who in players:
        choose what from 1 .. 5 by who default 1 "How much now?"
        set day = what
"""


def test_a_standing_answer_is_given_whenever_the_question_comes_again():
    game = begun(ROUNDS, 1)
    standing = StandingAnswers()
    assert standing.game_after(seen(game)) is None
    standing.give(0, game.prompt, ("4",))
    after = standing.game_after(seen(game))
    assert after is not None
    assert after.entries[-1].keys == ("4",)
    assert standing.game_after(seen(after, 1)) is None  # it is another seat's
    again = after.answer(after.prompt.id, "1")
    assert standing.game_after(seen(again)) is not None
    standing.revoke(0, 0)
    assert standing.game_after(seen(again)) is None


def test_answers_in_order_are_given_once_each():
    game = begun(ROUNDS, 1)
    standing = StandingAnswers()
    standing.give(0, game.prompt, ("4", "2"), in_order=True)
    keys = []
    while (after := standing.game_after(seen(game))) is not None:
        keys.append(after.entries[-1].keys)
        game = after.answer(after.prompt.id, "1")
    assert keys == [("4",), ("2",)]


def test_what_reveals_something_is_always_asked():
    game = begun("choose a from 1 .. 3 by me\nroll x = 1 d 6 by me\nset day = a + x\n", 1)
    standing = StandingAnswers()
    standing.give(0, game.prompt, ("2",))
    assert standing.game_after(seen(game)) is None


def test_only_what_is_on_offer_can_stand():
    game = begun(ROUNDS, 1)
    with pytest.raises(Refused):
        StandingAnswers().give(0, game.prompt, ("7",))
