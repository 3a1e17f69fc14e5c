"""Goes on from a state that somebody has set right by hand: the open question is asked anew, from
its own row."""

from __future__ import annotations

from typing import Any

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.machine.registers import Run, settle
from ruleloom.runtime.machine.step import go_on
from ruleloom.runtime.machine.suspension import Suspension
from ruleloom.runtime.program.faults import RuntimeFault, asks_too_much
from ruleloom.runtime.program.state import State


def reopened(
    linked: Linked,
    before: State,
    after: State,
    name: str,
    args: tuple[Any, ...],
    dice: Xoshiro | None,
) -> Suspension:
    """Tell what was set right (`name`, with its `args`), keep the rules that always hold, and ask
    again.

    `before` stands at a prompt, and `after` is the same but for the value. Raises RuntimeFault if
    nothing can follow.
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
