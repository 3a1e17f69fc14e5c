"""Several people at one screen: what is handed over, what is wiped, and that no secret stays there."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ruleloom.api.linking import driver_of
from ruleloom.bots.bot import RandomBot, keys_for
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.games import DRIVERS
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.play.view import view
from ruleloom.table import session as sessions
from ruleloom.table.canvas import Look
from ruleloom.table.line_screen import Leave
from ruleloom.table.loop import play
from ruleloom.table.seats import Seat
from ruleloom.table.session import Session
from tests.content.test_hidden_cards import HIDDEN
from tests.runtime.test_dice import begun

EXAMPLES = Path(__file__).resolve().parents[3] / "rulesets" / "examples"
NAMES = ("ann", "bob", "cem")


@dataclass(slots=True)
class Screen(Session):
    """A table whose screen is looked at each time somebody is to type; random people sit there."""

    screen: list[str] = field(default_factory=list)
    handed_over: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    typed: list[str] = field(default_factory=list)
    most: int = 60
    seed: int = 1
    # Who has been given the keyboard and was not asked yet, and where their part of the screen begins.
    given_to: str = ""
    theirs: int = 0
    # Whose secrets may stand on the screen.
    holder: str = ""

    def show(self, lines):
        """Keep what stands on the screen."""
        self.screen += lines

    def read(self, invitation: str) -> str:
        """Check the screen, and type something at random, or what was to be typed."""
        if "keyboard goes to" in invitation:
            self.hand_over(invitation.split()[4].rstrip("."))
            return ""
        self.asked.append(invitation.rstrip("> "))
        self.check(self.viewer)
        if self.given_to:
            assert self.asked[-1] == self.given_to, "somebody else has been given the keyboard"
            assert self.shows_what_is_hidden(), f"{self.given_to} sees nothing that not all may see"
            self.given_to = ""
        if self.typed:
            return self.typed.pop(0)
        if len(self.asked) > self.most:
            raise Leave
        node = self.game.node
        player = self.viewer if self.viewer in node.stop.who else node.stop.who[0]
        bot = RandomBot(self.seed + len(self.asked), player)
        return "; ".join([", ".join(keys_for(node, bot.answer(node, player), player)) or "none"])

    def hand_over(self, name: str) -> None:
        """Check that it is time to: nobody else was to be asked, and it is not theirs already."""
        assert not self.given_to, f"{self.given_to} was given the keyboard for nothing"
        assert self.holder != name, f"{name} has had it since the screen was last wiped"
        self.check(None)
        self.handed_over.append(name)
        self.given_to = self.holder = name
        self.theirs = len(self.screen)

    def shows_what_is_hidden(self) -> bool:
        """Does the screen, since it was handed over, say or ask what not everybody may see?"""
        text, node = "\n".join(self.screen[self.theirs :]), self.game.node
        named = any(re.search(rf"\b{name}\b", text) for name in hidden_titles(self.game, None))
        return named or node.secret or node.confided or " alone: " in text

    def wiped(self) -> None:
        """Nothing stands on the screen any more."""
        self.screen.clear()
        self.holder, self.theirs = "", 0

    def check(self, viewer: int | None) -> None:
        """Nothing on the screen names a card that `viewer` may not see (None: that not all may)."""
        text = "\n".join(self.screen)
        # What everybody has seen go into a hand is no secret.
        public = "; ".join(one.text for page in self.notes.pages for one in page.lines)
        for name in hidden_titles(self.game, viewer):
            if re.search(rf"\b{name}\b", public):
                continue
            assert not re.search(rf"\b{name}\b", text), f"{name} is on the screen of {viewer}"


def hidden_titles(game: Game, viewer: int | None) -> set[str]:
    """The titles of the cards in hands that this player does not see."""
    linked = game.linked
    if "hand" not in linked.layout.index:
        return set()
    (kind,) = (zone.of for zone in linked.program.zones if zone.name == "hand")
    hands = game.state.world[linked.layout.index["hand"]]
    held = {card for owner, hand in enumerate(hands) if owner != viewer for card in hand}
    return {linked.layout.titles[kind][card] for card in held}


def seated(game: Game, monkeypatch: pytest.MonkeyPatch, *typed: str, seed: int = 1) -> Screen:
    seats = tuple(Seat(name, "human") for name in game.players)
    nothing = (lambda game: None, lambda game, name: "")
    screen = Screen(game, seats, Look(plain=True), None, *nothing, seed=seed, typed=list(typed))
    monkeypatch.setattr(sessions, "wipe", screen.wiped)
    return screen


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nobody_sees_the_cards_of_others(seed: int, monkeypatch: pytest.MonkeyPatch):
    """Cards that look into hands and at piles are in the game; those named on the board are not
    in a hand."""
    program = compile_paths([str(HIDDEN / "gnostica")], scenarios=False).program
    assert program is not None
    game = new_game(link_game(program, DRIVERS["gnostica"], NAMES), seed)
    screen = seated(game, monkeypatch, seed=seed)
    play(screen, {})
    assert len(screen.handed_over) > 5
    assert not screen.given_to


@pytest.mark.parametrize("game", ["monotheism", "moonstone", "witchgates"])
def test_games_are_handed_over_only_for_secrets(game: str, monkeypatch: pytest.MonkeyPatch):
    packs = {"moonstone": ["salt-and-lanterns"], "witchgates": ["wet-ink"]}.get(game, [])
    program = compile_paths(
        [game, *(str(EXAMPLES / pack) for pack in packs)], scenarios=False
    ).program
    assert program is not None
    screen = seated(new_game(link_game(program, driver_of(program), NAMES), 4), monkeypatch, seed=4)
    screen.most = 150
    play(screen, {})
    assert not screen.given_to
    assert bool(screen.handed_over) == (game == "monotheism")


def test_what_everybody_may_see_needs_no_handing_over(monkeypatch: pytest.MonkeyPatch):
    effect = (
        "choose first from 1 .. 3 by me\nchoose friend from players where friend != me\n"
        "choose second from 1 .. 3 by friend\nset day = first + second\n"
    )
    screen = seated(begun(effect, 1), monkeypatch, "why not", "2", "3")
    play(screen, {})
    asked = (screen.game.over, screen.handed_over, screen.asked)
    assert asked == (True, [], ["ann", "ann", "bob"])
    assert [line for line in screen.screen if ": Choose" in line] == [
        "ann: Choose first",
        "bob: Choose second",
    ]


def test_secret_answers_are_handed_over_and_wiped(monkeypatch: pytest.MonkeyPatch):
    effect = (
        'each player in players secretly choose thought from 1 .. 3 "How many?"\n'
        "choose last from 1 .. 3 by me\nset day = last\n"
    )
    screen = seated(begun(effect, 1), monkeypatch, "2", "3", "1")
    seen: list[list[str]] = []

    def wipe() -> None:
        seen.append(list(screen.screen))
        screen.wiped()

    monkeypatch.setattr(sessions, "wipe", wipe)
    play(screen, {})
    assert screen.game.over
    assert screen.handed_over == ["ann", "bob"]
    # What Ann was asked is gone before Bob is, and his before the public question.
    assert len(seen) == 2
    assert any("ann: How many?" in line for line in seen[0])
    assert not any("ann: How many?" in line for line in seen[1])


def test_what_ends_the_game_is_not_wiped(monkeypatch: pytest.MonkeyPatch):
    effect = 'each player in players secretly choose thought from 1 .. 3 "How many?"\nset day = 2\n'
    screen = seated(begun(effect, 1), monkeypatch, "2", "3")
    play(screen, {})
    screen.rise()
    assert screen.game.over
    assert any("thought: ann 2, bob 3" in line for line in screen.screen)
    assert not any("How many?" in line for line in screen.screen)


def test_who_alone_was_told_reads_it_alone(monkeypatch: pytest.MonkeyPatch):
    effect = (
        "choose friend from players where friend != me\n"
        "roll luck = 1d6 by me seen by friend\n"
        "choose own from 1 .. 3 by me\n"
        "choose theirs from 1 .. 3 by friend\nset day = own\n"
    )
    screen = seated(begun(effect, 1), monkeypatch, "2", "1")
    told: dict[str, str] = {}
    original = Screen.read

    def read(self: Screen, invitation: str) -> str:
        told[invitation.rstrip("> ")] = "\n".join(self.screen)
        return original(self, invitation)

    monkeypatch.setattr(Screen, "read", read)
    play(screen, {})
    assert screen.game.over
    assert screen.handed_over == ["bob"]
    assert "rolls in secret" in told["ann"]
    assert "alone" not in told["ann"]
    assert "for bob alone: ann rolls " in told["bob"]
    rolled = screen.game.entries[1].keys[0]
    assert f"rolls {rolled} for luck" in told["bob"]


def test_the_mark_is_at_who_is_asked(monkeypatch: pytest.MonkeyPatch):
    effect = "choose friend from players where friend != me\nchoose n from 1 .. 3 by friend\nset day = n\n"
    screen = seated(begun(effect, 1), monkeypatch, "look", "1")
    play(screen, {})
    assert view(screen.game, 0)["scope"]["me"] == "ann"
    assert "    bob (human)  <- to act" in screen.screen
    assert "    ann (human)" in screen.screen


@pytest.mark.parametrize(
    ("drawn", "least", "asked"), [(1, 0, ["bob"]), (1, 99, ["bob"]), (0, 0, [])]
)
def test_what_others_cannot_see_is_asked_for_whether_or_not_something_fits(
    drawn: int, least: int, asked: list[str], monkeypatch: pytest.MonkeyPatch
):
    """Of two people at one screen, neither can tell whether the other had anything to give; that a
    hand is empty, everybody sees."""
    effect = (
        "for each other in players:\n    if other != me:\n"
        f"        repeat {drawn} times:\n            draw card from heap to hand(other)\n"
        f"        choose given from hand(other) where weight(given) >= {least} by other or none "
        '"What do you give?"\n        if given is not none: say "given"\nset day = 2\n'
    )
    screen = seated(begun(effect, 1), monkeypatch, "none")
    play(screen, {})
    assert screen.asked == asked
    assert screen.game.entries[-1].keys == ("none",)
