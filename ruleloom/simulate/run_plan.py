"""The plan of a simulation: a program, its players, and the limits. Plain data that can be sent to any
process."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, field
from hashlib import blake2b
from typing import Any

from ruleloom.bots.bot import PresetAnswer
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_hash, program_text

TURN_LIMIT = 500
ANSWER_LIMIT = 20_000


class Placement(Frozen):
    """The place of things of one kind at the start of the first turn: in `zone` of one player (`held`), or
    with nobody (`withheld`).

    The player is bot 0. Each thing is swapped with a random other of its kind.
    """

    entity: str
    zone: str
    held: tuple[int, ...]
    withheld: tuple[int, ...]


class RunPlan(Frozen):
    """One run of games between bots.

    `bots` are the kinds by seat in game 0; with `rotates` they move by one seat from game to game. `settings`
    are switches and numbers that differ from the packs'. A `placement` moves things before the first turn
    begins. With `in_step` the chance in a turn depends only on the turn and on who is asked what, so that two
    diverging games still share their luck. With `judges` a game without a winner records each seat's standing
    at the end.
    """

    players: tuple[str, ...]
    bots: tuple[str, ...]
    seed: int
    settings: tuple[tuple[str, Any], ...] = ()
    given: PresetAnswer | None = None
    turn_limit: int = TURN_LIMIT
    answer_limit: int = ANSWER_LIMIT
    rotates: bool = True
    placement: Placement | None = None
    in_step: bool = False
    judges: bool = False

    def seating(self, number: int) -> tuple[str, ...]:
        """The bots of game `number`, by seat."""
        if not self.rotates:
            return self.bots
        first = number % len(self.bots)
        return self.bots[-first:] + self.bots[:-first] if first else self.bots

    def game_seed(self, number: int) -> int:
        """The seed of game `number`, independent of process and order."""
        return derived_seed(self.seed, number)

    def as_data(self) -> dict[str, Any]:
        """The plan as JSON data."""
        return asdict(self)


def derived_seed(seed: int, *parts: int | str) -> int:
    """A seed derived from another seed and its purpose."""
    text = "/".join(map(str, (seed, *parts)))
    return int.from_bytes(blake2b(text.encode(), digest_size=6).digest(), "big")


class SentProgram(Frozen):
    """A program as text, with the hash that identifies it."""

    key: str
    text: str

    @classmethod
    def of(cls, program: Program) -> SentProgram:
        """The text of a program."""
        return cls(program_hash(program), program_text(program))


def plan_key(sent: SentProgram, plan: RunPlan) -> str:
    """The key of a run; equal keys mean equal games."""
    text = json.dumps({"program": sent.key, **plan.as_data()}, sort_keys=True)
    return blake2b(text.encode(), digest_size=16).hexdigest()


Counts = Mapping[str, tuple[int, ...]]


class GameRecord(Frozen):
    """One game. `limit` is the limit that ended it, if any; `fault` the error in its rules.

    `seats` are the bots by seat. `offers` counts how often each was on offer, taken and refused; `held` and
    `used` list the seats. `reached` are the numbers of the routines that ran, in watched games; `read` are
    the items whose routines ran or whose modifiers applied, in the same games. `standings` are the judge's
    worths of the end by seat, if nobody has won.
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
        """Did the game reach its own end?"""
        return not self.limit and not self.fault

    def won(self, seat: int) -> float:
        """The share of the win of a seat: 1, a fraction if several win, or 0."""
        return 1 / len(self.winners) if seat in self.winners else 0.0

    def ahead(self, seat: int) -> float:
        """The lead of a seat over the mean of the others at the end, as rated by the judge."""
        others = sum(self.standings) - self.standings[seat]
        return self.standings[seat] - others / max(1, len(self.standings) - 1)

    def line(self) -> str:
        """The record as a line of JSON, deterministic."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def record_of(line: str) -> GameRecord:
    """The record of a line."""
    data: dict[str, Any] = json.loads(line)
    for name in ("seats", "winners", "reached", "read", "standings"):
        data[name] = tuple(data[name])
    for name in ("offers", "held", "used"):
        data[name] = {key: tuple(counts) for key, counts in data[name].items()}
    return GameRecord(**data)


def results_hash(records: Iterable[GameRecord]) -> str:
    """The hash of the records of a run, in order."""
    digest = blake2b(digest_size=16)
    for record in records:
        digest.update(record.line().encode())
    return digest.hexdigest()
