"""`say to`: a line that one player reads, and nobody else."""

from __future__ import annotations

import pytest

from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.play.view import view
from ruleloom.runtime.program.faults import Refused
from tests.runtime.test_dice import begun, complaints

ANN, BOB = 0, 1
TOLD = 'choose friend from players where friend != me\nsay to friend "it is day {day}, {friend}"\nchoose n from 1 .. 2\n'


@pytest.fixture
def game() -> Game:
    started = begun(TOLD)
    return started.answer(started.prompt.id, "bob")


def test_only_the_one_who_is_told_reads_it(game: Game):
    assert log(game.linked, game.events, BOB) == ["it is day 1, bob"]
    assert log(game.linked, game.events, ANN) == []
    assert log(game.linked, game.events) == ["to bob: it is day 1, bob"]
    assert view(game, BOB)["log"] == ["it is day 1, bob"]
    assert view(game, ANN)["log"] == []


def test_what_somebody_was_told_cannot_be_taken_back(game: Game):
    with pytest.raises(Refused, match="what has been seen stays seen"):
        game.undo()


def test_nobody_is_told_what_they_cannot_see():
    friend = "choose friend from players\nlet held = hand\n"
    assert complaints(friend + 'say to me "you hold {held}"\n') == []
    (found,) = complaints(friend + 'say to friend "{me} holds {held}"\n')
    assert "the reader of this cannot see what lies in `hand`" in found


def test_a_text_needs_somebody_to_read_it():
    (found,) = complaints('say to day "it is late"\n')
    assert "player" in found
