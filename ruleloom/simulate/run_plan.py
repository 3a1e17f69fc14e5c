"""What is to be simulated: a program, who plays it, and within which limits. Plain data, which any
process can be sent.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from hashlib import blake2b
from typing import Any

from ruleloom.bots.bot import PresetAnswer
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_hash, program_text

TURN_LIMIT = 500
ANSWER_LIMIT = 20_000


@dataclass(frozen=True, slots=True)
class Placement:
    """Where things of one kind are when the first turn begins: in `zone` of one player (`held`), or
    with nobody (`withheld`).

    The player is that of bot 0. Each changes places with another of its kind, drawn by lot.
    """

    entity: str
    zone: str
    held: tuple[int, ...]
    withheld: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RunPlan:
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


@dataclass(frozen=True, slots=True)
class SentProgram:
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
