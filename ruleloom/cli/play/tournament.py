"""A tournament: many games between bots, and their tally."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ruleloom.bots.arena import Played, make_bot, play_out
from ruleloom.bots.bot import Bot, NotOnOffer, PresetAnswer
from ruleloom.cli.faults import WrongUse
from ruleloom.output.terminal import count_of, progress
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.table.seats import Seat


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
    winners: Counter[int | None] = Counter()  # of the finished games; None is a draw
    turns = decisions = finished = 0
    start = time.perf_counter()
    seeds = range(seed, seed + games)
    for number, played in enumerate(_played(linked, seats, seeds, turn_limit, given), 1):
        turns += played.turns
        decisions += played.decisions
        if played.outcome is not None:
            finished += 1
            winners.update(played.outcome.winners or (None,))
        if summary or form == "json":
            progress(f"{number} of {games} games")
        else:
            print(safe_text(game_line(played, linked)))
    progress("")
    seconds = time.perf_counter() - start
    drawn = winners[None]
    if form == "json":
        wins = {name: winners[seat] for seat, name in enumerate(linked.layout.players)}
        counts = {"games": games, "finished": finished, "draws": drawn, "wins": wins}
        print(json.dumps({**counts, "decisions": decisions, "seconds": round(seconds, 3)}))
        return
    seeds_text = f"seed {seed}" if games == 1 else f"seeds {seed} to {seeds[-1]}"
    print(f"{count_of(games, 'game')}, {seeds_text}: {finished} finished, {drawn} drawn")
    for place, seat in enumerate(seats):
        print(safe_text(f"  {seat.name} ({seat.kind}): {count_of(winners[place], 'win')}"))
    length = f"{count_of(turns, 'turn')}, {count_of(decisions, 'decision')}"
    print(f"{length}, {seconds:.1f} seconds")


def _played(
    linked: Linked,
    seats: Sequence[Seat],
    seeds: Iterable[int],
    turn_limit: int | None,
    given: PresetAnswer | None,
) -> Iterator[Played]:
    """One game after another. Raises WrongUse."""
    if any(seat.is_human for seat in seats):
        raise WrongUse("many games are played between bots", "--players greedy,random")
    for seed in seeds:
        bots = list(bots_of(seats, linked, seed).values())
        try:
            yield play_out(linked, bots, seed, turn_limit, given)
        except NotOnOffer as refused:
            raise WrongUse(refused.reason) from None


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
    result = played.outcome.result(linked.layout.players) or "drawn"
    return f"{head}: {result}, {played.outcome.reason}"
