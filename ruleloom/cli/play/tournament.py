"""A tournament: many games between bots, and their tally."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from ruleloom.bots.arena import Played, make_bot, play_out
from ruleloom.bots.bot import Bot
from ruleloom.bots.preset_answers import NotOnOffer, PresetAnswer
from ruleloom.cli.faults import WrongUse
from ruleloom.output.terminal import count_of, progress, progress_done
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.table.seats import Seat


@dataclass(slots=True)
class Tally:
    """The counts of a series of games so far."""

    names: Sequence[str]
    games: int = 0
    finished: int = 0
    draws: int = 0
    turns: int = 0
    decisions: int = 0
    wins: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.wins = [0] * len(self.names)

    def add(self, played: Played) -> None:
        """Count one game; without an outcome it ran out of turns, and nobody has won."""
        self.games += 1
        self.turns += played.turns
        self.decisions += played.decisions
        outcome = played.outcome
        self.finished += outcome is not None
        self.draws += outcome is not None and outcome.winner is None
        if outcome is not None and outcome.winner is not None:
            self.wins[outcome.winner] += 1

    def to_json(self, seconds: float) -> dict[str, object]:
        """The object of `--format json`."""
        return {
            "games": self.games,
            "finished": self.finished,
            "draws": self.draws,
            "wins": dict(zip(self.names, self.wins, strict=True)),
            "decisions": self.decisions,
            "seconds": round(seconds, 3),
        }


def play_series(
    linked: Linked,
    seats: Sequence[Seat],
    seed: int,
    games: int,
    turn_limit: int | None,
    form: str,
    summary: bool,
    given: PresetAnswer | None = None,
) -> None:
    """Play the games with consecutive seeds, and print their results."""
    if any(seat.is_human for seat in seats):
        raise WrongUse("many games are played between bots", "--players greedy,random")
    tally = Tally(linked.layout.players)
    start = time.perf_counter()
    for number in range(seed, seed + games):
        bots = list(bots_of(seats, linked, number).values())
        preset = given and PresetAnswer(given.variable, given.value, given.called)
        try:
            played = play_out(linked, bots, number, turn_limit, preset)
        except NotOnOffer as refused:
            raise WrongUse(refused.reason) from None
        tally.add(played)
        if summary or form == "json":
            progress(f"{tally.games} of {games} games")
        else:
            print(safe_text(game_line(played, linked)))
    progress_done()
    seconds = time.perf_counter() - start
    if form == "json":
        print(json.dumps(tally.to_json(seconds)))
    else:
        print("\n".join(safe_text(line) for line in closing_lines(tally, seats, seed, seconds)))


def bots_of(seats: Sequence[Seat], linked: Linked, seed: int) -> dict[int, Bot]:
    """The bots by seat. Raises WrongUse."""
    try:
        return {
            place: make_bot(seat.kind, linked, seed, place)
            for place, seat in enumerate(seats)
            if not seat.is_human
        }
    except Refused as refused:
        raise WrongUse(refused.reason) from None


def game_line(played: Played, linked: Linked) -> str:
    """The result of one game on a line."""
    head = f"seed {played.seed}, {count_of(played.turns, 'turn')}"
    if played.outcome is None:
        return f"{head}: unfinished, nobody has won"
    if played.outcome.winner is None:
        return f"{head}: drawn, {played.outcome.reason}"
    return f"{head}: {linked.layout.players[played.outcome.winner]} wins, {played.outcome.reason}"


def closing_lines(tally: Tally, seats: Sequence[Seat], seed: int, seconds: float) -> list[str]:
    """The results of the whole series."""
    seeds = f"seed {seed}" if tally.games == 1 else f"seeds {seed} to {seed + tally.games - 1}"
    games, turns = count_of(tally.games, "game"), count_of(tally.turns, "turn")
    lines = [f"{games}, {seeds}: {tally.finished} finished, {tally.draws} drawn"]
    for seat, wins in zip(seats, tally.wins, strict=True):
        lines.append(f"  {seat.name} ({seat.kind}): {count_of(wins, 'win')}")
    return [*lines, f"{turns}, {count_of(tally.decisions, 'decision')}, {seconds:.1f} seconds"]
