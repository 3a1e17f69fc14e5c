"""The record of one game: plain data, one JSON line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, field
from hashlib import blake2b
from typing import Any

from ruleloom.runtime.dataclass import dataclass

Counts = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game. `limit` says which limit ended it, if one did; `fault` what went wrong in its rules.

    `seats` are the bots by seat. Of `offers`, each is how often it was on offer, taken, and refused;
    `held` and `used` say by which seats. `reached` are the numbers of the routines that ran, of games
    that tell it; `read` are the items of which something ran or changed a number, of the same games.
    `standings` say what the judge thinks of the end for each seat, where nobody has won.
    """

    number: int
    seed: int
    seats: tuple[str, ...]
    winners: tuple[int, ...]
    ended: str
    limit: str
    turns: int
    decisions: int
    offers: Counts = field(default_factory=dict)
    nothing: Mapping[str, int] = field(default_factory=dict)
    held: Counts = field(default_factory=dict)
    used: Counts = field(default_factory=dict)
    reached: tuple[int, ...] = ()
    read: tuple[str, ...] = ()
    standings: tuple[int, ...] = ()
    fault: str = ""

    @property
    def finished(self) -> bool:
        """Did the game come to its own end?"""
        return not self.limit and not self.fault

    def won(self, seat: int) -> float:
        """The share of the win that a seat has: 1, a part where several win, 0."""
        return 1 / len(self.winners) if seat in self.winners else 0.0

    def ahead(self, seat: int) -> float:
        """How far a seat stands ahead of the mean of the others in the end, as the judge has it."""
        others = sum(self.standings) - self.standings[seat]
        return self.standings[seat] - others / max(1, len(self.standings) - 1)

    def line(self) -> str:
        """The record as a line of JSON, always the same for the same game."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def record_of(line: str) -> GameRecord:
    """The record that a line holds."""
    data: dict[str, Any] = json.loads(line)
    for name in ("seats", "winners", "reached", "read", "standings"):
        data[name] = tuple(data[name])
    for name in ("offers", "held", "used"):
        data[name] = {key: tuple(counts) for key, counts in data[name].items()}
    return GameRecord(**data)


def results_hash(records: Iterable[GameRecord]) -> str:
    """The hash of the records of a run, game by game."""
    digest = blake2b(digest_size=16)
    for record in records:
        digest.update(record.line().encode())
    return digest.hexdigest()
