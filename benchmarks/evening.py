"""An evening of each game at one terminal: what people are asked, how often the keyboard changes
hands, and how many lines they read.

    python -m benchmarks.evening                    # the table of docs/lab-book.md
    python -m benchmarks.evening --show monotheism  # the evening itself

People are scripted, and seeded: each time one of them takes what is usual as often as anything on
offer. Once they have read that a question that goes round the table can be answered in advance, they
do so. They sit at the real table, so what is counted is what would stand on the screen.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from ruleloom.bots.bot import Luck, RandomBot, SteadyBot, keys_for
from ruleloom.cli.play.start import ready_game
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.table.canvas import Look, seen_width
from ruleloom.table.line_screen import Leave
from ruleloom.table.loop import play
from ruleloom.table.seats import parse_seats
from ruleloom.table.session import Session

EXAMPLES = Path(__file__).parent.parent / "rulesets" / "examples"
MOST_QUESTIONS, SEED, WIDTH = 200, 1, 80


@dataclass(frozen=True, slots=True)
class Evening:
    """What is played, with which packs and scene, by whom."""

    game: str
    people: tuple[str, ...]
    packs: tuple[str, ...] = ()
    scene: str | None = None


EVENINGS = (
    Evening("gnostica", ("Ann", "Ben")),
    Evening("monotheism", ("Ann", "Ben", "Cem")),
    Evening("moonstone", ("Ann", "Ben"), ("salt-and-lanterns",), "the-causeway"),
    Evening("witchgates", ("Ann", "Ben"), ("wet-ink",), "the-reading-room"),
)


@dataclass
class Person:
    """Takes what is usual, or anything: as the coin falls."""

    luck: Luck
    anything: RandomBot
    usual: SteadyBot = field(default_factory=SteadyBot)

    def typed(self, game: Game, player: int) -> str:
        """The line of an answer: the keys of what is taken."""
        bot = self.usual if self.luck.below(2) else self.anything
        return ", ".join(keys_for(game.node, bot.answer(game.node, player), player)) or "none"

    def typed_in_advance(self, game: Game, player: int) -> str:
        """What to take now, and at all further turns at this question."""
        options = [option.key for option in game.prompt.options]
        further = (options[self.luck.below(len(options))] for _ in options)
        return "; ".join([self.typed(game, player), *further])


@dataclass(slots=True)
class CountedSession(Session):
    """A table at which the keyboard is typed on by scripted people, and what is asked is counted."""

    script: Sequence[Person] = ()
    left: int = MOST_QUESTIONS
    questions: int = 0
    handovers: int = 0

    def read(self, invitation: str) -> str:
        """What the person at the keyboard types; they leave after so many questions."""
        print(invitation)
        if "nobody else looks" in invitation:
            self.handovers += 1
            return ""
        if self.questions == self.left:
            raise Leave
        self.questions += 1
        game = self.game
        who = game.node.stop.who
        player = self.viewer if self.viewer in who else who[0]
        assert player is not None
        if self.goes_round:
            return self.script[player].typed_in_advance(game, player)
        return self.script[player].typed(game, player)

    @property
    def goes_round(self) -> bool:
        """Has the table said that the question can be answered in advance?"""
        return self.told_of_round is self.game.node.row


@dataclass(frozen=True, slots=True)
class Count:
    """What an evening came to."""

    evening: Evening
    questions: int
    handovers: int
    lines: int
    widest: int
    shown: str


def counted(evening: Evening, width: int = WIDTH, most: int = MOST_QUESTIONS) -> Count:
    """Play games of an evening, one after the other, until enough has been asked; and count."""
    seats = parse_seats(",".join(f"{name}=human" for name in evening.people))
    packs = [str(EXAMPLES / pack) for pack in evening.packs]
    linked, given = ready_game(evening.game, packs, {}, seats, evening.scene)
    questions = handovers = 0
    out = io.StringIO()
    for seed in count(SEED):
        people = [Person(Luck(seed, place + 100), RandomBot(seed, place)) for place in range(9)]
        game, left = new_game(linked, seed), most - questions
        with redirect_stdout(out):
            session = CountedSession(
                game, seats, Look(width=width), None, _keep, _save_as, given, people, left
            )
            play(session, {})
        questions += session.questions
        handovers += session.handovers
        if questions == most:
            break
    shown = out.getvalue()
    lines = shown.splitlines()
    return Count(evening, questions, handovers, len(lines), max(map(seen_width, lines)), shown)


def _keep(_: Game) -> None:
    """Nothing is kept of an evening."""


def _save_as(_: Game, __: str) -> str:
    return "nothing is saved"


def table(counts: Sequence[Count]) -> str:
    """The counts as a Markdown table."""
    lines = [
        "| evening | questions | handovers | lines | lines a question | widest line |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for one in counts:
        evening = f"{one.evening.game}, {len(one.evening.people)} people"
        each = one.lines / one.questions
        lines.append(
            f"| {evening} | {one.questions} | {one.handovers} | {one.lines:,} | {each:.1f} "
            f"| {one.widest} |"
        )
    return "\n".join(lines)


def main() -> int:
    """Play the evenings, and print the table or one of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evening", description=__doc__)
    parser.add_argument("--show", metavar="GAME", help="print the evening of this game instead")
    parser.add_argument("--width", type=int, default=WIDTH, help="the columns of the terminal")
    options = parser.parse_args()
    wanted = [one for one in EVENINGS if options.show in (None, one.game)]
    counts = [counted(one, options.width) for one in wanted]
    print(table(counts) if options.show is None else "".join(one.shown for one in counts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
