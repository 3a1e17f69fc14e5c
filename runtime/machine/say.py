"""What rows say while the machine runs: remarks, the reasons of refusals, and how a game ends.

Holes are filled only where somebody will read the text: a remark keeps what it is filled with, and
the reason of a dead end is filled by whoever asks for it.
"""

from __future__ import annotations

from ruleloom.runtime.machine.registers import Run
from ruleloom.runtime.machine.templates import TemplateScope, worded
from ruleloom.runtime.program.program import Words
from ruleloom.runtime.program.state import Outcome


def moment(r: Run) -> TemplateScope:
    """What the running routine can read now."""
    return TemplateScope(r.routine.id, r.world, tuple(r.slots), r.scope, r.rules)


def remark(r: Run, words: Words) -> None:
    """Put a line into the log."""
    if isinstance(words, str):
        r.tell("said", words, (), r.world)
    else:
        r.tell("said", "", (words, moment(r)), r.world)


def refusal(r: Run, words: Words, ahead: bool) -> str:
    """Why the running use cannot go on; empty in look-ahead where the reason has holes."""
    if isinstance(words, str):
        return words
    return "" if ahead else worded(r.linked, words, moment(r), () if r.me is None else (r.me,))


def conclude(r: Run, winner: int | None, words: Words) -> None:
    """End the game, for a reason that everybody reads."""
    everybody = tuple(range(len(r.linked.layout.players)))
    reason = words if isinstance(words, str) else worded(r.linked, words, moment(r), everybody)
    r.outcome = Outcome(winner, reason)
    r.tell("finished", reason, (winner,), r.world)
    r.frame = None
