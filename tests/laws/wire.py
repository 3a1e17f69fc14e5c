"""What a seat is sent over the wire, in pairs of games that differ only in what the seat cannot see.

The pairs are those of `tests.laws.gnostica.spying`: two cards that the spy does not see are exchanged
wherever they come up. Both games are played at tables of the server, and as long as neither card has
come to light every byte that would be sent to the spy has to be the same, also what they look up.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from ruleloom.runtime.play.game import new_game, prompt_id
from ruleloom.runtime.program.faults import Refused
from ruleloom.table.seats import HUMAN, Seat
from ruleloom.web.hall import encoded
from ruleloom.web.live_table import LiveTable
from ruleloom.web.seat_view import reasons, seat_view, whole_log
from ruleloom.web.table_store import TableStore
from tests.laws.gnostica.spying import Pair, Record, pairs, record
from tests.laws.gnostica.strategies import table as seeded_table

# The game is played again for whoever looks something up: only at every so many moments.
ASKS = 12


class Nowhere(TableStore):
    """A store that keeps nothing: these tables are looked at, not found again."""

    def __init__(self) -> None:
        pass

    def write(self, *_args: object, **_more: object) -> None:
        """Keep nothing."""


@dataclass
class Seen:
    """What came of many pairs."""

    wrong: list[str] = field(default_factory=list)
    moments: int = 0
    apart: int = 0
    sent: int = 0


def wire_table(found: Record) -> LiveTable:
    """A table at the beginning of a recorded game, whose draws are answered as they were."""
    game = new_game(found.linked)
    seats = [Seat(name, HUMAN, n == 0) for n, name in enumerate(game.players)]
    return LiveTable("pair", game, seats, Nowhere())


def sent_to(table: LiveTable, seat: int, asks: bool) -> bytes:
    """All that the server would send to this seat now, and answer if it asks."""
    looked_up: list[object] = []
    if asks:
        score = f"score({table.game.players[0]})"
        looked_up = [whole_log(table, seat), reasons(table, seat, score)]
    return encoded([seat_view(table, seat), looked_up])


def follow(found: Record, pair: Pair, seen: Seen) -> None:
    """Play a pair side by side, and compare what the spy is sent after each answer."""
    names = found.linked.layout.names["Card"]
    swapped = {names[pair.one]: names[pair.other], names[pair.other]: names[pair.one]}
    here, there = wire_table(found), wire_table(found)
    for entry in found.entries[: max(0, pair.hidden - 1)]:
        if entry.serial < here.game.serial:
            continue  # it had one answer, and the table has given it
        keys = tuple(swapped.get(key, key) for key in entry.keys)
        try:
            here.take(here.game.answer(prompt_id(here.game, entry.player), entry.keys))
            there.take(there.game.answer(prompt_id(there.game, entry.player), keys))
        except Refused as refused:
            seen.wrong.append(f"answer {entry.serial} is not on offer in both games: {refused}")
            return
        if here.game.serial >= pair.hidden:
            return  # by an answer that was the only one, a card has come to light
        seen.moments += 1
        seen.apart += here.game.state.world != there.game.state.world
        asks = seen.moments % ASKS == 0
        one, other = sent_to(here, pair.spy, asks), sent_to(there, pair.spy, asks)
        seen.sent += len(one)
        if one != other:
            at = next(i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
            told = f"{one[max(0, at - 90) : at + 60]!r} / {other[max(0, at - 90) : at + 60]!r}"
            seen.wrong.append(f"after answer {entry.serial}, to player {pair.spy}: {told}")
            return


def recorded(seeds: range, answers: int) -> Iterator[tuple[int, Record]]:
    """Random games, one for each seed."""
    for seed in seeds:
        yield seed, record(seeded_table(seed), answers)


def compare(seeds: range, answers: int, each: int) -> Seen:
    """Compare pairs in a game for each seed."""
    seen = Seen()
    for seed, found in recorded(seeds, answers):
        before = len(seen.wrong)
        for pair in pairs(found, random.Random(seed), each):
            follow(found, pair, seen)
        seen.wrong[before:] = [f"seed {seed}: {one}" for one in seen.wrong[before:]]
    print(f"seeds {seeds}: {seen.moments:,} moments, {seen.apart:,} of them with worlds that differ; "
          f"{seen.sent:,} bytes compared")  # fmt: skip
    return seen
