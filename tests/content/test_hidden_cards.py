"""Cards that look, show, take and ask where not everybody sees, and a roll behind the GM's screen: who
reads what of it, and who may not."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.games import DRIVERS
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.play.view import view
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.odds import distribution
from tests.laws.gnostica.oracle import Man
from tests.laws.gnostica.positions import turn_of, world_of
from tests.laws.gnostica.strategies import ASKED_EVERY_TURN
from tests.support.command import call

HIDDEN = Path(__file__).resolve().parent / "hidden"
A, B, C = 0, 1, 2
PILE = ["move1", "move2", "move3", "move4"]


@pytest.mark.parametrize("pack", ["gnostica", "moonstone"])
def test_the_cases_of_the_packs(pack: str):
    done = call("test", str(HIDDEN / pack))
    assert (done.code, done.out.strip().splitlines()[-1].split(",")[1]) == (0, " 0 failed")


@pytest.fixture(scope="module")
def linked() -> Linked:
    program = compile_paths([str(HIDDEN / "gnostica")], scenarios=False).program
    assert program is not None
    return link_game(program, DRIVERS["gnostica"], ("A", "B", "C"), ASKED_EVERY_TURN)


def begun(linked: Linked, card: str, draw: list[str] | None = None, held: str = "grow3") -> Game:
    """A turn of A, who has this card alone; B holds two cards, C one."""
    men = [Man("A", 1, "N", (0, 0)), Man("B", 1, "N", (0, 1)), Man("C", 1, "N", (1, 1))]
    board = {(0, 0): "move5", (0, 1): "move6", (1, 1): "move7"}
    hands = {"A": [card], "B": ["grow2", held], "C": ["attack2"]}
    world = world_of(linked, board, men, hands, (), PILE if draw is None else draw)
    game = Game(linked, turn_of(linked, world), 0, None, (), None, None, (), world)
    return taken(game, "play-a-card", card)


def taken(game: Game, *keys: str | list[str]) -> Game:
    """The game after these answers."""
    for one in keys:
        game = game.answer(game.prompts[0].id, one)
    return game


def lines(game: Game) -> list[list[str]]:
    """The latest lines of the log, for each player."""
    return [log(game.linked, game.events, player) for player in (A, B, C)]


def test_only_the_one_who_looks_reads_what_lies_there(linked: Linked):
    game = taken(begun(linked, "astrologer"), "move3", "move1", "move4")
    assert game.prompt.kind == "order"
    assert [option.key for option in game.prompt.options] == ["move3", "move1", "move4"]
    mine, *others = lines(game)
    assert mine[0].startswith("A looks at 3 cards (")
    assert mine[0].endswith(") on top of the draw pile")
    assert others == [["A looks at 3 cards on top of the draw pile"]] * 2
    for player in (B, C):
        text = json.dumps(view(game, player))
        assert not any(name in text for name in PILE)
    assert "move3" in json.dumps(view(game, A))
    game = taken(game, ["move4", "move3", "move1"])
    assert lines(game)[1][0] == "3 cards are put on top of the draw pile"
    assert lines(game)[0][0] == lines(game)[1][0]


def test_what_somebody_has_looked_at_is_not_taken_back(linked: Linked):
    game = taken(begun(linked, "astrologer"), "move3", "move1", "move4")
    with pytest.raises(Refused, match="what has been seen stays seen"):
        game.undo()
    again = taken(game, ["move4", "move3", "move1"])
    assert again.undo().state == game.state or not again.past


@pytest.mark.parametrize("keys", [["move4"], ["move4", "move3"], ["move4", "move4", "move3"]])
def test_an_order_has_everything_once(linked: Linked, keys: list[str]):
    game = taken(begun(linked, "astrologer"), "move3", "move1", "move4")
    with pytest.raises(Refused):
        taken(game, keys)


def test_odds_know_what_lies_on_top(linked: Linked):
    """Of four cards three are looked at; whoever puts the wanted one first is sure to draw it."""
    start = begun(linked, "dredger").node
    at = linked.layout.index["hand"]
    wanted = linked.layout.names["Card"].index("move2")

    def policy(node: PlayNode) -> list[tuple[object, int]]:
        name = getattr(node.row, "name", "")
        if name == "prize":
            return [(wanted if wanted in node.found else node.found[0], 1)]
        return [(next(iter(node.answers())), 1)]

    def ended(node: PlayNode) -> bool:
        return getattr(node.row, "name", "") == "rest"

    found = distribution(start, lambda s: wanted in s.world[at][A], policy, ended)
    assert found == {True: Fraction(3, 4), False: Fraction(1, 4)}


def test_a_card_out_of_a_hand_is_known_to_two(linked: Linked):
    game = taken(begun(linked, "cutpurse"), "B")
    assert game.prompt.kind == "draw"
    assert game.node.stop.who == (B,)
    assert game.node.confided
    assert game.prompt.weights == (1, 1)
    assert all(view(game, player)["prompts"] == [] for player in (A, B, C))
    game = taken(game, "grow2")
    for player in (A, B):
        assert lines(game)[player][0] == "A takes Grow 2 from B"
    assert lines(game)[C][0] == "A takes a card from B"


def test_whoever_sees_neither_hand_cannot_tell_two_cards_apart(linked: Linked):
    """The same play with another card in the hand: for C all is the same, byte for byte."""
    for card, answers in (
        ("cutpurse", [["B"], ["B"]]),
        ("confessor", [["B"], ["B"]]),
        ("undertow", [["B"], ["B"]]),
    ):
        one, other = (begun(linked, card, held=held) for held in ("grow3", "grow9"))
        for keys in answers[0]:
            one, other = taken(one, keys), taken(other, keys)
        assert view(one, C) == view(other, C)
        if one.node.chance:  # the card that is the same in both
            one, other = taken(one, "grow2"), taken(other, "grow2")
        assert view(one, C) == view(other, C)
        assert view(one, B) != view(other, B)


def test_a_hand_that_is_shown_is_read_once(linked: Linked):
    game = taken(begun(linked, "confessor"), "B")
    told = lines(game)
    assert told[C][0] == "2 cards are shown to A"
    assert told[B][0] == told[C][0]
    assert told[A][0] != told[C][0]
    assert told[A][0].endswith("are shown to A")
    assert view(game, A)["zones"]["hand"]["B"] == 2
    assert not game.past


def test_two_answer_in_secret_and_one_reads_it(linked: Linked):
    game = begun(linked, "oracle")
    assert {prompt.player for prompt in game.prompts} == {B, C}
    for player, key in ((B, "5"), (C, "2")):
        prompt = next(one for one in game.prompts if one.player == player)
        game = game.answer(prompt.id, key)
    assert lines(game)[A][:2] == ["answer: B 5, C 2", "B says 5"]
    for player in (B, C):
        assert lines(game)[player][0] == "answer: something hidden"
        assert "says" not in "".join(lines(game)[player])


@pytest.mark.parametrize("card", ["tithe", "collection"])
def test_a_secret_choice_is_asked_whatever_the_others_hold(linked: Linked, card: str):
    """B has no card above 3, then one: A is offered the same, and B is asked in both cases."""
    for held in ("grow3", "grow4"):
        game = begun(linked, card, held=held)
        assert {prompt.player for prompt in game.prompts} == {A, B, C}
        options = {p.player: [one.key for one in p.options] for p in game.prompts}
        assert (
            options[B]
            == {
                ("tithe", "grow3"): ["none"],
                ("tithe", "grow4"): ["grow4"],
                ("collection", "grow3"): ["none"],
                ("collection", "grow4"): ["grow4", "none"],
            }[card, held]
        )


def test_a_hidden_roll_is_read_by_the_gm_alone():
    program = compile_paths([str(HIDDEN / "moonstone")], scenarios=False).program
    assert program is not None
    rows = [row for routine in program.routines for row in routine.rows]
    assert "SecretRoll" in {type(row).__name__ for row in rows}


@pytest.mark.parametrize(
    ("item", "said"),
    [
        (
            "astrologer",
            "Look at the top three cards of the draw pile (the seen). Put the seen into an order of your choice",
        ),
        ("cutpurse", "Let chance take a card from the victim's hand, and put it into your hand."),
        ("confessor", "Show the sinner's hand to you, and to nobody else."),
        ("oracle", "then they show you, and nobody else, what they chose."),
        (
            "tithe",
            "Every player secretly chooses a card from the player's hand whose number is more than 3",
        ),
        ("collection", "Every player may secretly choose a card from the player's hand"),
        ("dredger", "Put the rest at the bottom of the draw pile, in that order."),
    ],
)
def test_how_they_read(item: str, said: str):
    assert said in call("explain", item, "--pack", str(HIDDEN / "gnostica")).out
