"""How a use that cannot be carried out ends: it comes to nothing, with all that waits for what it would give."""

from __future__ import annotations

from runtime.run import Run


def in_trigger(r: Run) -> bool:
    """Does a trigger run now? It is nobody's choice."""
    frame = r.frame
    while frame is not None and frame.routine not in r.linked.trigger_routines:
        frame = frame.parent
    return frame is not None


def fizzle(r: Run, reason: str) -> None:
    """End the running use, and every caller that waits for its result."""
    r.tell("fizzled", r.routine.id, (reason,), r.world)
    while r.frame is not None:
        waiting = r.frame.slot >= 0
        r.leave(None)
        if not waiting:
            return
