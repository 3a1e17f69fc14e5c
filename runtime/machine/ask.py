"""Rows that ask one person: the options, who is asked, and what is a dead end.

In goes a run that stands at such a row; out comes the suspension at which somebody answers, or nothing
where there was nothing to ask and the run goes on. A use that cannot be carried out fizzles: it comes
to nothing, with all that waits for what it would give.
"""

from __future__ import annotations

from typing import Any

from ruleloom.runtime.link.link import Step
from ruleloom.runtime.machine.free_text import some_text
from ruleloom.runtime.machine.registers import Run, new
from ruleloom.runtime.machine.suspension import ASK, DEAD, Suspension
from ruleloom.runtime.machine.symmetry import without_likes
from ruleloom.runtime.program.faults import RuntimeFault


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


def row_now(r: Run) -> Any:
    """The row at which the run stands."""
    return r.routine.rows[r.pc]


def stopped(
    r: Run, kind: str, found: tuple[Any, ...] = (), who: tuple[int, ...] = (), reason: str = ""
) -> Suspension:
    """The stop of a run where it stands now."""
    return new(
        Suspension, (kind, r.state(), found, who, reason, tuple(r.events), r.dice, tuple(r.cast))
    )


def dead_end(r: Run, reason: str) -> Suspension | None:
    """A compulsory thing cannot be done: a dead end in look-ahead, else the use it stands in ends.

    A trigger is nobody's choice: it comes to nothing by itself, and what set it off can be done all
    the same.
    """
    if not r.live and not in_trigger(r):
        return stopped(r, DEAD, reason=reason)
    fizzle(r, reason)
    return None


def player_asked(r: Run, by: Any) -> tuple[int, ...]:
    """Who answers: the player that an expression gives, or who acts."""
    player = by(r.world, r.slots, r.scope, r.rules) if by is not None else r.me
    if player is None:
        raise RuntimeFault("nobody is there to answer", row_now(r).origin)
    return (player,)


def choose(r: Run, step: Step) -> Suspension | None:
    """A choice of one thing or of several."""
    found = step[1](r.world, r.slots, r.scope, r.rules)
    if not found or (step[2] != "one" and not _limits(r, step, len(found))[1]):
        return _nothing_to_choose(r, step)
    if step[2] == "exactly" and len(found) < _limits(r, step, len(found))[0]:
        return dead_end(r, "there are too few to choose from")
    if step[2] == "one":
        found = without_likes(r.linked, r.world, row_now(r).type, found)
    return stopped(r, ASK, tuple(dict.fromkeys(found)), player_asked(r, step[5]))


def _nothing_to_choose(r: Run, step: Step) -> Suspension | None:
    if step[2] == "one" and not step[4]:
        return dead_end(r, "")
    if step[2] == "exactly" and _limits(r, step, 0)[0]:
        return dead_end(r, "there are too few to choose from")
    r.slots[row_now(r).slot] = None if step[2] == "one" else ()
    r.pc += 1
    return None


def _limits(r: Run, step: Step, size: int) -> tuple[int, int]:
    """The least and the most that a set choice may take."""
    if step[2] == "any":
        return 0, size
    limit = max(0, step[3](r.world, r.slots, r.scope, r.rules))
    return (limit, limit) if step[2] == "exactly" else (0, min(limit, size))


def modal(r: Run, step: Step) -> Suspension | None:
    """A choice of ways to go on."""
    found = [
        number
        for number, (test, _) in enumerate(step[1])
        if test is None or test(r.world, r.slots, r.scope, r.rules)
    ]
    if not found:
        return dead_end(r, "")
    return stopped(r, ASK, tuple(found), player_asked(r, step[2]))


def ask(r: Run, step: Step) -> Suspension | None:
    """Somebody is asked for a text; one that nobody has written stands for all of them."""
    return stopped(r, ASK, (some_text(r.linked, r.state()),), player_asked(r, step[5]))


def heard(r: Run, text: str | None) -> None:
    """Take a text that somebody has written, for everybody to read."""
    asked = row_now(r)
    if text is not None:
        r.tell("written", asked.name, (text, player_asked(r, r.routine.steps[r.pc][5])[0]), r.world)
    r.slots[asked.slot] = text
    r.pc += 1
