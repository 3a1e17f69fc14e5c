"""The work of a process of its own: some games of a plan, as lines.

A program is sent only to a process that does not know it yet: a batch without its program comes
back as None, and is sent again with it. This way needs nothing of a pool but `submit`.
"""

from __future__ import annotations

import time
from collections import OrderedDict

from ruleloom.runtime.dataclass import dataclass
from ruleloom.simulate.one_game import play_one, ready
from ruleloom.simulate.run_plan import RunPlan, SentProgram

MOST_KNOWN = 4
_PROGRAMS: OrderedDict[str, SentProgram] = OrderedDict()


@dataclass(frozen=True, slots=True)
class GameBatch:
    """The numbers of some games of one plan, and the key of its program."""

    numbers: tuple[int, ...]
    plan: RunPlan
    key: str


@dataclass(frozen=True, slots=True)
class PlayedBatch:
    """The records of some games as lines, and the processor time that they took."""

    lines: tuple[str, ...]
    seconds: float


def play_batch(batch: GameBatch, sent: SentProgram | None = None) -> PlayedBatch | None:
    """Play the games of a batch; None if the program has to be sent along."""
    if sent is not None:
        _PROGRAMS[sent.key] = sent
        while len(_PROGRAMS) > MOST_KNOWN:
            _PROGRAMS.popitem(last=False)
    known = _PROGRAMS.get(batch.key)
    if known is None:
        return None
    game, begun = ready(known, batch.plan), time.process_time()
    lines = tuple(play_one(game, batch.plan, number).line() for number in batch.numbers)
    return PlayedBatch(lines, time.process_time() - begun)
