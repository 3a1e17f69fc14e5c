"""What scenarios cannot see, and a change of which is a mutant that they let live.

A scenario looks at the table between the steps of a turn. It sees neither what may be taken back,
nor the table while a step is only half answered. benchmarks/mutants/survivors.yaml speaks of these
tests.
"""

from __future__ import annotations

import pytest

from ruleloom.runtime.games import DRIVERS
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import Game
from tests.laws.gnostica.oracle import Man
from tests.laws.gnostica.positions import answered, turn_of, world_of
from tests.laws.gnostica.strategies import program


@pytest.fixture(scope="module")
def linked() -> Linked:
    return link_game(program(), DRIVERS["gnostica"], ("A", "B"))


def taken(game: Game, *keys: str) -> Game:
    """The game after these answers."""
    for key in keys:
        game = game.answer(game.prompt.id, key)
    return game


def test_hands_that_were_traded_are_not_traded_back(linked: Linked):
    men = [Man("A", 1, "N", (0, 0)), Man("B", 1, "N", (0, 1))]
    world = world_of(
        linked, {(0, 0): "move5", (0, 1): "move6"}, men, {"A": ["justice", "grow1"], "B": ["grow2"]}
    )
    start = Game(linked, turn_of(linked, world), 0, None, (), None, None, ())
    targeted = taken(start, "play-a-card", "justice", "do", "A1N@0/0")
    assert targeted.undo().undo().undo().undo() is start
    assert targeted.prompt.options[-1].key == "B1N@0/1"
    assert not taken(targeted, "B1N@0/1").past


@pytest.mark.parametrize(("discard", "shuffled"), [([], 0), (["grow4"], 1)])
def test_a_pile_is_reshuffled_only_if_there_are_cards_for_it(
    linked: Linked, discard: list[str], shuffled: int
):
    """The Wheel lays the last card of the pile, while it lies among the discards itself and is held
    out."""
    world = world_of(
        linked,
        {(0, 0): "move5"},
        [Man("A", 1, "N", (0, 0))],
        {"A": ["wheel"]},
        discard,
        draw=["grow7"],
    )
    node = answered(turn_of(linked, world), "play-a-card", "wheel", "do", "A1N@0/0")
    node = answered(node, "a-territory-from-the-draw-pile")
    assert node.chance
    laid = answered(node, "grow7")
    events = [event.name for event in laid.events]
    assert "lay" in events
    assert events.count("recycle") == shuffled


def test_a_piece_that_grows_is_a_minion_before_it_is_turned(linked: Linked):
    men = [Man("A", 1, "E", (0, 0)), Man("A", 2, "S", (1, 0)), Man("A", 1, "S", (1, 1))]
    world = world_of(linked, {(0, 0): "grow5", (1, 0): "move6"}, men, {})
    node = answered(
        turn_of(linked, world), "activate-a-territory", "0/0", "do", "A1E@0/0", "a-piece"
    )
    minions = linked.scope_index["minions"]
    assert node.state.scope[minions] == (0,)
    grown = answered(node, "A2S@1/0")
    assert getattr(grown.row, "name", "") == "orient", "it has grown, and is not turned yet"
    assert grown.state.scope[minions] == (0, 1)
