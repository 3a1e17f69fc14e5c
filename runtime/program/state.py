"""The machine's state: immutable, hashable, and nothing but data.

A suspended effect is a chain of frames; a fork costs a reference. Equal states play on equally.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ruleloom.runtime.program.ir import Origin
from ruleloom.runtime.program.values import Dynamic, Scope, Value, World

NO_RULES: frozenset[str] = frozenset()


class Frame(NamedTuple):
    """One routine in the middle of its rows.

    `slots` are the local variables; `slot` is where the caller keeps the result (-1: nowhere).
    `inherited` are the rules ignored by callers, `relaxed` those ignored by this routine itself
    just now. `restore` holds scope variables to put back when the routine ends. `fuel` counts
    dynamic uses on the way here, `depth` the frames below.
    """

    routine: int
    pc: int
    slots: tuple[Dynamic, ...]
    parent: Frame | None
    slot: int
    inherited: frozenset[str]
    relaxed: frozenset[str]
    restore: tuple[tuple[int, Value], ...]
    fuel: int
    depth: int

    @property
    def ignored(self) -> frozenset[str]:
        """Every rule that is being ignored here."""
        return self.inherited | self.relaxed if self.relaxed else self.inherited


def frames(frame: Frame | None) -> Iterator[Frame]:
    """A frame and those that wait for it, the innermost first."""
    while frame is not None:
        yield frame
        frame = frame.parent


class Outcome(NamedTuple):
    """How the game ended: `winner` is None for a draw."""

    winner: int | None
    reason: str


class State(NamedTuple):
    """Everything that decides how play goes on.

    `frame` is None between flows. `queue` holds triggers that wait until the outermost use is over,
    `fired` the once-a-turn triggers already used. `begun` is false until set-up has started.
    """

    world: World
    scope: Scope
    frame: Frame | None
    queue: tuple[tuple[int, tuple[Value, ...]], ...]
    fired: frozenset[int]
    begun: bool
    outcome: Outcome | None


class Event(NamedTuple):
    """Something that happened: an operation, a roll, a draw, a remark, a fizzled use, a correction.

    `before` and `after` are the worlds around it, so that it can be told in words later. `actor` is
    the player whose turn of acting it was; `seen_by` is None if all may read it, else the players
    who may. `origin` is the line of effect text that asked for an operation; None where a rule that
    always holds did.
    """

    kind: str
    name: str
    args: tuple[Dynamic, ...]
    before: World
    after: World
    actor: int | None
    seen_by: tuple[int, ...] | None
    origin: Origin | None = None
