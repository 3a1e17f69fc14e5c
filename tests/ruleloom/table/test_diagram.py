"""Diagrams: what stands behind the ways of a menu, laid out in tracks."""

from __future__ import annotations

import pytest

from ruleloom.runtime.play.game import Game
from ruleloom.runtime.search.options import Keys
from ruleloom.table.authorised_view import AuthorisedView
from ruleloom.table.diagram import Diagram, TrackStep, diagram, diagram_of
from ruleloom.table.loop import play
from ruleloom.table.panels import answer_panel, panel
from ruleloom.table.questions import forced
from tests.ruleloom.table.test_shared_screen import seated
from tests.runtime.test_dice import begun

LEVER = """\
set day = 0
let done = no
repeat until done at most 9 times:
    choose one by me showing day, 6 - day "How is it set?":
        "set it":
            choose a from 1 .. 4 where a != day by me showing me if a < 3 else none, 2 * a "To what?"
            set day = a
        "take it back" when day > 0:
            choose b from [day] by me showing me if b < 3 else none, 2 * b, b = day "What comes back?"
            set day = 0
        "go" when day > 2 usual:
            set done = yes
        "give up":
            set done = yes
"""
NO_TRACKS = LEVER.replace(" showing day, 6 - day", "")


def seen(game: Game) -> AuthorisedView:
    return AuthorisedView(game, 0, range(len(game.players)))


def drawn(game: Game) -> Diagram:
    found = diagram_of(seen(game), ())
    assert found is not None
    return found[1]


def steps(game: Game) -> list[tuple[str, list[str], bool]]:
    return [
        (one.label, [n.text for n in one.figures if n.is_number], one.take_back is not None)
        for one in numbered(game)
    ]


def numbered(game: Game) -> list[TrackStep]:
    return [one for track in drawn(game).tracks.values() for one in track]


def pressed(game: Game, answers: list[Keys] | None) -> Game:
    """The game after a step, and after what has one answer only."""
    assert answers is not None
    game = answer_panel(seen(game), answers)[-1]
    while (only := forced(game.prompt)) is not None:
        game = seen(game).answer(only)
    return game


def test_the_choices_behind_a_menu_are_tracks_with_what_they_cost():
    game = begun(LEVER, 1)
    assert list(drawn(game).tracks) == ["ann", ""]
    assert steps(game) == [
        ("1", ["2"], False),
        ("2", ["4"], False),
        ("3", ["6"], False),
        ("4", ["8"], False),
    ]
    assert [(one.words, one.text) for one in drawn(game).shown] == [
        ("day", "0"),
        ("6 minus the day", "6"),
    ]


def test_what_is_taken_stands_on_its_track_and_can_be_taken_back():
    game = begun(LEVER, 1)
    assert numbered(game)[2].take == [("set-it",), ("3",)]
    game = pressed(game, numbered(game)[2].take)
    assert steps(game)[2] == ("3", ["6"], True)
    # The only one that can be taken back is not asked for.
    assert numbered(game)[2].take_back == [("take-it-back",)]
    game = pressed(game, numbered(game)[2].take_back)
    assert steps(game)[2] == ("3", ["6"], False)


def test_the_usual_way_is_shown_while_it_is_not_on_offer():
    game = begun(LEVER, 1)
    assert [one.label for one in drawn(game).shut] == ["go"]
    assert drawn(game).ways == {"set-it"}
    assert panel(seen(game))[0].keys is None


TWICE = """\
set day = 0
choose one by me showing day "What now?":
    "sow":
        choose a from 1 .. 2 or none showing 3 * a "How many?"
        if a is not none: set day = a
    "reap":
        choose b from 1 .. 2 showing 5 * b "How many?"
        set day = day + b + 3
    "wait" usual:
        set day = 9
"""


def test_what_two_ways_take_are_two_steps_and_nothing_is_one_too():
    game = begun(TWICE, 1)
    assert list(drawn(game).tracks) == ["sow", "reap"]
    assert [(one.label, one.take) for one in numbered(game)] == [
        ("none", [("sow",), ("none",)]),
        ("1", [("sow",), ("1",)]),
        ("2", [("sow",), ("2",)]),
        ("1", [("reap",), ("1",)]),
        ("2", [("reap",), ("2",)]),
    ]


def test_a_menu_that_shows_nothing_is_no_diagram():
    [field] = panel(seen(begun(NO_TRACKS, 1)))
    assert diagram(field) is None


def test_steps_are_numbered_in_the_terminal_after_the_ways(monkeypatch: pytest.MonkeyPatch):
    screen = seated(begun(LEVER, 1), monkeypatch, "5", "7", "undo", "go")
    play(screen, {})
    shown = [one.strip() for one in screen.screen]
    assert {"ann: 3 1 (2); 4 2 (4)", "besides: 5 3 (6); 6 4 (8)"} <= {*shown}
    assert {"ann: 5 1 (2); 6 2 (4)", "besides: 7 [3 (6)]; 8 4 (8)"} <= {*shown}
    assert [one.keys for one in screen.game.entries] == [("set-it",), ("3",), ("go",)]
