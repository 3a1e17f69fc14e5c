"""What is to be simulated: a program, who plays it, and within which limits. Plain data, which any
process can be sent.
"""

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
    """Where things of one kind are when the first turn begins: in `zone` of one player (`held`), or
    with nobody (`withheld`).

    The player is that of bot 0. Each changes places with another of its kind, drawn by lot.
    """

    entity: str
    zone: str
    held: tuple[int, ...]
    withheld: tuple[int, ...]


class RunPlan(Frozen):
    """One run of games between bots.

    `bots` are kinds, seat by seat in game 0; with `rotates` they move on by one seat from game to
    game. `settings` are switches and numbers that differ from the packs'. A `placement` puts
    things where they are to be when the first turn begins. With `in_step` what falls in a turn follows
    from the turn and from who is asked what, so that two games that have gone apart still share their
    luck. With `judges` a game without a winner keeps how everybody stands in the end.
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
        """The bots of game `number`, seat by seat."""
        if not self.rotates:
            return self.bots
        first = number % len(self.bots)
        return self.bots[-first:] + self.bots[:-first] if first else self.bots

    def game_seed(self, number: int) -> int:
        """The seed of game `number`: the same in any process, and in any order."""
        return derived_seed(self.seed, number)

    def as_data(self) -> dict[str, Any]:
        """The plan as plain data for JSON."""
        return asdict(self)


def derived_seed(seed: int, *parts: int | str) -> int:
    """A seed that follows from another and from what it is for."""
    text = "/".join(map(str, (seed, *parts)))
    return int.from_bytes(blake2b(text.encode(), digest_size=6).digest(), "big")


class SentProgram(Frozen):
    """A program as text, with the hash that workers know it by."""

    key: str
    text: str

    @classmethod
    def of(cls, program: Program) -> SentProgram:
        """The text of a program."""
        return cls(program_hash(program), program_text(program))


def plan_key(sent: SentProgram, plan: RunPlan) -> str:
    """The key of a run: runs of one key have the same games."""
    text = json.dumps({"program": sent.key, **plan.as_data()}, sort_keys=True)
    return blake2b(text.encode(), digest_size=16).hexdigest()


Counts = Mapping[str, tuple[int, ...]]


class GameRecord(Frozen):
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
