"""One screen for all, in two worlds that one of those who sit there, the spy, cannot tell apart: what
stands there whenever the spy may look, and what is typed by the spy comes to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.search.options import Prompt
from ruleloom.table.canvas import Look
from ruleloom.table.line_screen import Leave
from ruleloom.table.loop import play
from ruleloom.table.seats import HUMAN, Seat
from ruleloom.table.session import Session
from tests.laws.apart.routes import some
from tests.laws.apart.twins import Pair

# So many answers are played on, and so many keys of others are typed.
BEFORE, ON, KEYS, VALUES = 2, 12, 4, 2
TYPED = (
    "why not",
    "?",
    "? 1",
    "? 2",
    "hand",
    "look",
    "log",
    "go back",
    "correct nothing = 1 because",
)


@dataclass(slots=True)
class SpiedScreen(Session):
    """A screen at which the others answer as they did, and the spy tries out all there is."""

    spy: int = 0
    journal: Sequence[Game] = ()
    until: int = 0
    others: Sequence[str] = ()
    # What the spy could read, and what is still typed at this question.
    read_by_spy: list[str] = field(default_factory=list)
    left: list[str] | None = None
    asked_at: int = -1

    def take(self, game: Game) -> None:
        """Go on, but not to where the worlds may no longer be alike for the spy."""
        if game.serial > self.until:
            raise Leave
        Session.take(self, game)

    def say_forced(self, prompt: Prompt, only: Sequence[str], player: int) -> None:
        """What is answered without a question."""
        if self.game.serial >= self.until:
            raise Leave
        Session.say_forced(self, prompt, only, player)

    def show(self, lines: Iterable[str]) -> None:
        """Keep what the spy may look at."""
        shown = list(lines)
        if self._secrets_of in (None, self.spy):
            self.read_by_spy += shown

    def read(self, invitation: str) -> str:
        """Type on behalf of whoever sits there."""
        name = self.seats[self.spy].name
        if self._secrets_of in (None, self.spy) or invitation.startswith(f"{name},"):
            self.read_by_spy.append(invitation)
        if "keyboard goes to" in invitation:
            return ""
        if "(yes or no)" in invitation:
            return "no"
        serial = self.game.serial
        if serial >= self.until or self.game.over:
            raise Leave
        if self.asked_at != serial:
            self.asked_at, self.left = serial, self._tried(invitation)
        if self.left is None:  # the answer does not fit here: something else is asked
            raise Leave
        if self.left:
            return self.left.pop(0)
        self.left = None
        return self._answer(serial)

    def _tried(self, invitation: str) -> list[str]:
        """What is typed before the answer."""
        if self.game.node.writes:
            return []
        if self.viewer != self.spy:
            return ["go back"]
        prompt = None if self.game.node.chance else self.authorised(self.spy).prompt
        own = () if prompt is None else [one.key for one in prompt.options]
        names = some([*self.game.linked.scope_index], self.game.serial, VALUES)
        values = [f"why {name}" for name in names]
        others = [key for key in self.others if key not in own and not key.isdecimal()]
        return [*TYPED, *values, *(others if prompt is not None else ())]

    def _answer(self, serial: int) -> str:
        after = self.journal[serial + 1]
        assert after.journal is not None
        entry = after.journal.last
        if entry.player not in (None, self.viewer):
            raise Leave  # another has answered before, of several who thought in secret
        keys = entry.keys
        return keys[0] if self.game.node.writes else ", ".join(keys) or "none"


def screens(pair: Pair, counts: Counter[str]) -> list[str]:
    """What differs on the screens of two worlds, from a little before something else is answered."""
    number = _first_other(pair)
    until = min(number + ON, len(pair.here) - 1)
    if len(pair.here[0].players) < 2 or number >= until:
        return []
    others = sorted({key for games in pair[1:] for key in _keys(games[number], pair.spy)})[:KEYS]
    one, other = (_seen(pair.spy, games, number, until, others) for games in pair[1:])
    counts["screens"] += 1
    counts["screens apart"] += number in pair.apart
    if one == other:
        return []
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), -1)
    return [f"screen from answer {number}: {one[at - 3 : at + 2]} / {other[at - 3 : at + 2]}"]


def _first_other(pair: Pair) -> int:
    """Where the game goes on at the screens."""
    for number, games in enumerate(zip(pair.here, pair.there, strict=True)):
        entries = [game.journal.last for game in games if game.journal is not None]
        if len({one.keys for one in entries}) > 1 and entries[0].player is not None:
            return max(0, number - BEFORE)
    return min(pair.apart or [0])


def _seen(
    spy: int, games: Sequence[Game], number: int, until: int, others: Sequence[str]
) -> list[str]:
    """What the spy reads while the game goes on."""
    seats = tuple(Seat(name, HUMAN) for name in games[0].players)
    nothing = (lambda game: None, lambda game, name: "")
    screen = SpiedScreen(games[number], seats, Look(plain=True), None, *nothing)
    screen.spy, screen.journal, screen.until, screen.others = spy, games, until, others
    try:
        play(screen, {})
    except RuntimeFault as fault:
        screen.read_by_spy.append(str(fault))
    return screen.read_by_spy


def _keys(game: Game, spy: int) -> Iterator[str]:
    if not game.over:
        yield from (
            o.key for one in game.prompts if one.player not in (spy, None) for o in one.options
        )
