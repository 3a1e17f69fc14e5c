"""The log of a game, turn by turn, in words for one reader."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ruleloom.bots.arena import TurnCounter
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.play.replay import beginning, moments

WIDTH = 79


class NarrationPage:
    """One turn of the log, or the set-up."""

    def __init__(self, heading: str) -> None:
        self.heading = heading
        self.lines: list[str] = []
        self._told = 0

    def text(self, first: int = 0) -> list[str]:
        """The turn in as few lines as fit, from sentence number `first` on."""
        return wrapped(f"{self.heading}: ", gathered(self.lines[first:]))

    def news(self) -> list[str]:
        """The lines not shown yet; they count as shown from now on."""
        first, self._told = self._told, len(self.lines)
        return self.text(first) if self.lines[first:] else []


class Notes:
    """The log of a game for one reader (None: the host, who may know everything)."""

    def __init__(self, linked: Linked, reader: int | None) -> None:
        self._linked = linked
        self._reader = reader
        self.turns = TurnCounter()
        self.pages = [NarrationPage("set-up")]

    @property
    def page(self) -> NarrationPage:
        """The present turn."""
        return self.pages[-1]

    def see(self, game: Game) -> bool:
        """Log the events of the latest answer; return whether a turn has begun with it."""
        # Before the new page, because these events belong to the turn that they end.
        self.page.lines += log(self._linked, game.events, self._reader)
        if game.over or not self.turns.see(game.events):
            return False
        me = game.state.scope[self._linked.me]
        who = self._linked.layout.players[me] if me is not None else "nobody"
        self.pages.append(NarrationPage(f"turn {self.turns.begun}, {who}"))
        return True

    def catch_up(self, game: Game) -> None:
        """Log all that happened before this moment as if it had been shown."""
        self.see(beginning(game))
        for moment in moments(game):
            self.see(moment.after)
        for page in self.pages:
            page.news()

    def last(self, pages: int) -> list[str]:
        """The lines of the latest turns."""
        return [line for page in self.pages[-pages:] if page.lines for line in page.text()]


def gathered(sentences: Sequence[str]) -> list[str]:
    """The sentences, with repeated ones in a row counted."""
    return [
        sentence if (times := len(list(same))) == 1 else f"{sentence} ({times} times)"
        for sentence, same in groupby(sentences)
    ]


def wrapped(heading: str, sentences: Sequence[str]) -> list[str]:
    """Sentences behind a heading, broken at words, later lines indented."""
    lines = [heading.rstrip()]
    for word in "; ".join(sentences).split(" "):
        if len(lines[-1]) + 1 + len(word) > WIDTH and lines[-1].strip():
            lines.append("   ")
        lines[-1] += f" {word}"
    return lines
