"""One game on a table: its position, seats, log and drawing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ruleloom.bots.preset_answers import PresetAnswer
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.table.canvas import Look
from ruleloom.table.narration import Notes
from ruleloom.table.plain_board import Drawing, table_for
from ruleloom.table.seats import Seat

# A reader of the log who may know only what everybody may.
ANYBODY = -1


class Leave(Exception):
    """Somebody leaves the table, or there is no more input."""


@dataclass(slots=True)
class Session:
    """A game in progress, with its seats, look, turn limit, and what saves it.

    `keep` saves it automatically; `save_as` saves it under a name (empty: the usual one) and says
    what it did. `given` is an answer from before the game.
    """

    game: Game
    seats: tuple[Seat, ...]
    look: Look
    turn_limit: int | None
    keep: Callable[[Game], None]
    save_as: Callable[[Game, str], str]
    given: PresetAnswer | None = None
    drawing: Drawing = field(init=False)
    people: list[int] = field(init=False)
    viewer: int | None = field(init=False)
    notes: Notes = field(init=False)
    _drawn: tuple[int, int | None, str] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.drawing = table_for(self.game.linked, self.look)
        self.people = [place for place, seat in enumerate(self.seats) if seat.is_human]
        self.viewer = self.people[0] if len(self.people) == 1 else None
        # The log is for the only person; for several, what anybody may know; else for the host.
        self.notes = Notes(self.game.linked, ANYBODY if len(self.people) > 1 else self.viewer)
        entries = self.game.entries
        if any(entry.player is not None or self.game.random is None for entry in entries):
            self.notes.catch_up(self.game)
        else:
            self.take(self.game)

    def take(self, game: Game) -> None:
        """Go on to the next moment; at the end of a turn show its log, and save the game."""
        self.game = game
        page = self.notes.page
        if self.notes.see(game) or game.over:
            self.say(page.news())
            self.keep(game)

    def go_back(self, game: Game) -> None:
        """Go back to an earlier moment; the log goes on from there."""
        self.game = game
        self._drawn = None

    def sit_down(self, player: int) -> None:
        """Show a person the table and the news, after handing over the keyboard if needed."""
        if len(self.people) > 1 and self.viewer != player:
            if sys.stdout.isatty():
                print("\x1b[2J\x1b[3J\x1b[H", end="")
            self.viewer = player
            name = self.look.paint(self.seats[player].name)
            self.read(f"The keyboard goes to {name}. Enter when nobody else looks: ")
        self.say(self.notes.page.news())
        if self._drawn != self._sight():
            self.draw()
        self.keep(self.game)

    def _sight(self) -> tuple[int, int | None, str]:
        """The content of a drawing; once it changes, the table is drawn again."""
        return self.notes.turns.begun, self.viewer, self.drawing.sight(self.game.state)

    def draw(self) -> None:
        """Draw the board, the status of every player, and the hand of the viewer."""
        self._drawn = self._sight()
        kinds = [seat.kind for seat in self.seats]
        self.show(["", *self.drawing.board(self.game.state)])
        self.show(self.drawing.status(self.game.state, kinds, self.viewer))

    def say(self, lines: Sequence[str]) -> None:
        """Print lines of words, made safe."""
        self.show(map(safe_text, lines))

    def show(self, lines: Iterable[str]) -> None:
        """Print lines that are safe already, and perhaps coloured."""
        for line in lines:
            print(line)

    def read(self, invitation: str) -> str:
        """A typed line; raises Leave at the end of the input."""
        print(invitation, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            print()
            raise Leave
        if not sys.stdin.isatty():
            print()
        return line.strip()
