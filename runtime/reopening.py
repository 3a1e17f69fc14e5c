"""Goes on from a state that somebody has set right by hand: the open question is asked anew, from its own row."""

from __future__ import annotations

from typing import Any

from runtime.dice import Xoshiro
from runtime.faults import RuntimeFault, asks_too_much
from runtime.link import Linked
from runtime.machine import go_on
from runtime.run import Run, settle
from runtime.state import State
from runtime.stops import Stop


def reopened(
    linked: Linked, before: State, after: State, name: str, args: tuple[Any, ...], dice: Xoshiro | None
) -> Stop:
    """Tell what was set right (`name`, with its `args`), keep the rules that always hold, and ask again.

    `before` stands at a prompt, and `after` is the same but for the value. Raises RuntimeFault if nothing
    can follow.
    """
    r = Run(linked, after, True, dice)
    r.tell("corrected", name, args, before.world)
    try:
        settle(r)
        r.interrupt()
    except RuntimeFault:
        raise
    except Exception as error:  # a driver may not be able to live with the value
        raise asks_too_much(r.routine.id, error, None) from error
    return go_on(r)
