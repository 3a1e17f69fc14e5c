"""Why a run of the machine stopped, and with what."""

from __future__ import annotations

from typing import Any, NamedTuple

from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.program.state import Event, State

ASK, BARRIER, DEAD, OVER = "ask", "barrier", "dead", "over"


class Suspension(NamedTuple):
    """Why a run stopped. `found` are the raw options of an ASK, `reason` explains a DEAD end.

    `dice` is the source as the run left it (None: it had none), `cast` what it answered, each with
    its type.
    """

    kind: str
    state: State
    found: tuple[Any, ...]
    who: tuple[int, ...]
    reason: str
    events: tuple[Event, ...]
    dice: Xoshiro | None = None
    cast: tuple[tuple[str, Any], ...] = ()
