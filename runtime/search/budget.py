"""How far look-ahead goes: what it may still visit, and where it need not look at all."""

from __future__ import annotations

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.step import MOST_FUEL
from ruleloom.runtime.program.state import Frame

LOOK_AHEAD = 2_000
FARTHEST = 100
MOST_SUBSETS = 200
MOST_ROUNDS = 1_000


class Budget:
    """The number of nodes that look-ahead may still visit, and its depth.

    Beyond them an option is offered and may fizzle: `unsure` decisions are not cached.
    """

    __slots__ = ("depth", "left", "unsure")

    def __init__(self, left: int = LOOK_AHEAD) -> None:
        self.left = left
        self.depth = 0
        self.unsure = False

    def spend(self) -> bool:
        """True while there is something left."""
        self.left -= 1
        self.unsure = self.unsure or self.left < 0 or self.depth >= FARTHEST
        return self.left >= 0 and self.depth < FARTHEST


def calm_from(linked: Linked, frame: Frame, pc: int) -> bool:
    """Is this row a safe point, up to a sure roll or the end of all that waits? Needs fuel."""
    if frame.fuel >= MOST_FUEL:
        return False
    running: Frame | None = frame
    while running is not None:
        routine = linked.routines[running.routine]
        if not routine.calm[pc]:
            return False
        if routine.barred[pc]:
            return True
        running = running.parent
        pc = running.pc if running is not None else 0
    return True
