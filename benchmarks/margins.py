"""By how much the bots beat each other in the four games, with exact intervals.

    python -m benchmarks.margins --games 20 --into margins.json            # all lines of the table
    python -m benchmarks.margins --games 20 --into margins.json --only moonstone
    python -m benchmarks.margins --table --into margins.json               # what has been played so far

The bots change seats from game to game. Nobody wins a session of Witchgates: it is played twice from
the same seed, with either bot for the character and a greedy one that leads, and whoever has the better
`prospects` at the end has won. A run that was broken off goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from pathlib import Path
from typing import Any

from ruleloom.bots.arena import Onlooker, make_bot, play_out
from ruleloom.bots.bot import PresetAnswer
from ruleloom.bots.lookahead import measure
from ruleloom.cli.play.start import ready_game, seats_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.search.node import PlayNode

DUELS = Path(__file__).parent.parent / "tests" / "support" / "duels"
LEADER, CHARACTER = 0, 1
HALVINGS, ERROR = 50, 0.025


@dataclass(frozen=True, slots=True)
class Match:
    """One line of the table: a bot against others that are all of one kind."""

    game: str
    bot: str
    rival: str
    seats: int = 2
    packs: tuple[str, ...] = ()
    scene: str | None = None
    switches: Mapping[str, Any] = field(default_factory=dict)
    turn_limit: int = 200

    @property
    def key(self) -> str:
        """What it goes by in the table."""
        return " ".join(filter(None, (self.game, self.scene, self.bot, "against", self.rival)))


def matches() -> list[Match]:
    """All lines of the table."""
    found = []
    for bot, rival in (("greedy", "random"), ("searching:30", "greedy")):
        for scene in ("swords", "fire"):
            found.append(Match("moonstone", bot, rival, packs=(str(DUELS),), scene=scene))
        found.append(Match("gnostica", bot, rival))
        last = {"victory": "last_deity"}
        found.append(Match("monotheism", bot, rival, seats=3, switches=last, turn_limit=40))
        short = {"session_rolls": 4}
        found.append(Match("witchgates", bot, rival, switches=short, turn_limit=30))
    return found


class LastNode(Onlooker):
    """An onlooker who remembers where play has come to."""

    node: PlayNode | None = None

    def came_to(self, node: PlayNode) -> None:
        """Remember the node."""
        self.node = node


def ready(match: Match) -> tuple[Linked, PresetAnswer | None]:
    """The game of a match, linked."""
    seats = seats_of(",".join(["random"] * match.seats))
    return ready_game(match.game, match.packs, match.switches, seats, match.scene)


def played(
    match: Match, linked: Linked, given: PresetAnswer | None, kinds: Sequence[str], seed: int
) -> PlayNode:
    """The last node of one game between bots of these kinds."""
    bots = [make_bot(kind, linked, seed, seat) for seat, kind in enumerate(kinds)]
    last = LastNode()
    play_out(linked, bots, seed, match.turn_limit, given, onlooker=last)
    assert last.node is not None
    return last.node


def result(match: Match, linked: Linked, given: PresetAnswer | None, number: int) -> str:
    """Whether the bot has won, lost or neither in one game."""
    if match.game == "witchgates":
        return _of_session(match, linked, given, number)
    seat = number % match.seats
    kinds = [match.bot if one == seat else match.rival for one in range(match.seats)]
    outcome = played(match, linked, given, kinds, number).state.outcome
    if outcome is None or not outcome.winners:
        return "neither"
    return "won" if seat in outcome.winners else "lost"


def _of_session(match: Match, linked: Linked, given: PresetAnswer | None, number: int) -> str:
    prospects = measure(linked, "prospects")
    assert prospects is not None
    with_bot, with_rival = (
        int(prospects(played(match, linked, given, ("greedy", kind), number).state, CHARACTER))
        for kind in (match.bot, match.rival)
    )
    return "won" if with_bot > with_rival else "lost" if with_bot < with_rival else "neither"


def interval(won: int, of: int) -> tuple[float, float]:
    """The exact interval of a share, at 95 % (Clopper and Pearson)."""

    def at_least(share: float, wins: int) -> float:
        return sum(comb(of, n) * share**n * (1 - share) ** (of - n) for n in range(wins, of + 1))

    low = _where(lambda share: at_least(share, won) >= ERROR) if won else 0.0
    high = _where(lambda share: 1 - at_least(share, won + 1) <= ERROR) if won < of else 1.0
    return low, high


def _where(is_above: Any) -> float:
    """Where from 0 to 1 something begins to hold."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if is_above(middle) else (middle, high)
    return high


def table(known: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """The lines of the table, of the games that have a winner."""
    lines = []
    for key, games in known.items():
        won, lost = (sum(one["result"] == what for one in games) for what in ("won", "lost"))
        low, high = interval(won, won + lost) if won + lost else (0.0, 1.0)
        each = sum(one["seconds"] for one in games) / len(games)
        lines.append(
            f"{key:45} {won:3} of {won + lost:3} ({100 * low:.1f}% to {100 * high:.1f}%), "
            f"{len(games) - won - lost} without a winner, {each:.1f} s a game"
        )
    return "\n".join(lines)


def main(words: Sequence[str] | None = None) -> int:
    """Play what has not been played yet, and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.margins",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--games", type=int, default=20, metavar="N", help="games for each line")
    parser.add_argument("--only", default="", metavar="WORDS", help="lines that begin so")
    parser.add_argument("--table", action="store_true", help="play nothing")
    parser.add_argument("--into", type=Path, required=True, metavar="FILE")
    options = parser.parse_args(words)
    known = json.loads(options.into.read_text()) if options.into.exists() else {}
    for match in [] if options.table else matches():
        if not match.key.startswith(options.only):
            continue
        games, (linked, given) = known.setdefault(match.key, []), ready(match)
        while len(games) < options.games:
            begun = time.process_time()
            found = result(match, linked, given, len(games))
            games.append({"result": found, "seconds": round(time.process_time() - begun, 2)})
            options.into.write_text(json.dumps(known, indent=1) + "\n")
    print(table({key: games for key, games in known.items() if games}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
