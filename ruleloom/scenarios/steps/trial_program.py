"""Prepares effect texts to be run one after the other, without a game around them.

Each text, compiled as a power, ends at a prompt that nobody answers, with its variables still
there; triggers that wait for the text to be done have run by then. Turns and set-up never begin by
themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.registers import Run
from ruleloom.runtime.machine.step import go_on
from ruleloom.runtime.program.program import (
    Bounds,
    Choose,
    Expr,
    Jump,
    Let,
    Origin,
    Program,
    Return,
    Routine,
    Row,
    Use,
)
from ruleloom.runtime.program.state import NO_RULES, State
from ruleloom.runtime.search.node import PlayNode, settled
from ruleloom.scenarios.setup.things import SOUGHT

# The type of what is chosen where a text has ended: no program has one of that name.
ENDED = "the end"
BY_ITSELF = "/by itself"
NOTHING, NO_FLOW = "nothing", "no flow"


def program_to_try(program: Program, texts: Iterable[str]) -> Program:
    """The program in which these routines stop at their ends, and no flow begins by itself.

    A flow among them stays in place; a copy of it, named by `trial_of`, stops.
    """
    wanted = set(texts)
    nowhere = Origin(program.game, "", 1, 1)
    none = Bounds(0, 0, 0, False)
    empty = Routine(NOTHING, (), (), (), -1, (Return(nowhere),), nowhere, none)
    no_flow = Routine(
        NO_FLOW, (), ("",), ("",), -1, (_stop(nowhere, 0, ()), Return(nowhere)), nowhere, none
    )
    flows = tuple(
        _ending(replace(one, id=trial_of(one.id))) for one in program.routines if _is_flow(one.id)
    )
    tried = tuple(_ending(one) for one in program.routines if one.id in wanted)
    rest = tuple(one for one in program.routines if one.id not in wanted)
    return replace(
        program,
        routines=(*rest, *flows, *tried, empty, no_flow),
        set_up=no_flow.id,
        turn=no_flow.id,
    )


def trial_of(flow: str) -> str:
    """The routine that runs a flow by itself."""
    return flow + BY_ITSELF


def tried(routine: str) -> str:
    """The routine that is tried where this one runs."""
    return routine.removesuffix(BY_ITSELF)


def _is_flow(id: str) -> bool:
    return ":flow/" in id


def _ending(routine: Routine) -> Routine:
    """The routine that stops at its end, once what is sought has been worked out."""
    origin, slot, end = routine.origin, len(routine.slots), len(routine.rows)
    sought = [row for row in routine.rows if _is_sought(row, routine)]
    rows = [_row(row, number, end, sought) for number, row in enumerate(routine.rows)]
    # To use nothing is to let those triggers run that wait until something has been used.
    tail = (
        Use(origin, NOTHING, (), -1),
        *sought,
        _stop(origin, slot, _slots(sought)),
        Return(origin),
    )
    slots, types = (*routine.slots, ""), (*routine.slot_types, "")
    return replace(routine, rows=(*rows, *tail), slots=slots, slot_types=types, result=-1)


def _row(row: Row, number: int, end: int, sought: Sequence[Row]) -> Row:
    if isinstance(row, Return):
        return Jump(row.origin, end)
    return Jump(row.origin, number + 1) if any(row is one for one in sought) else row


def _is_sought(row: Row, routine: Routine) -> bool:
    return isinstance(row, Let) and routine.slots[row.slot].startswith(SOUGHT)


def _slots(rows: Sequence[Row]) -> tuple[int, ...]:
    return tuple(row.slot for row in rows if isinstance(row, Let))


def _stop(origin: Origin, slot: int, kept: Sequence[int]) -> Row:
    """The prompt at which a run stops.

    It reads the `kept` slots, as unread ones are forgotten where equal states merge; `none` is an
    answer too, so that look-ahead passes.
    """
    options: Expr = ("list", *(("slot", one) for one in kept)) if kept else ("list", ("value", 0))
    return Choose(origin, slot, "", ENDED, "one", None, options, (), None, True, None, "")


# ---------------------------------------------------------------------------------- running


def begin(linked: Linked, state: State, routine: str) -> PlayNode:
    """The first prompt of a routine that runs by itself in this state, or its end."""
    run = Run(linked, state._replace(frame=None, begun=False), True)
    run.push(linked.routine_index[routine], (), None, -1, NO_RULES, (), 0)
    return settled(linked, go_on(run))


def has_ended(node: PlayNode) -> bool:
    """Has the text ended here, or the whole game?"""
    return node.over or (isinstance(node.row, Choose) and node.row.type == ENDED)


def values_sought(state: State, linked: Linked) -> Mapping[int, Any] | None:
    """The values sought, by number, where a text has ended; None if it was called off."""
    if state.frame is None or linked.routines[state.frame.routine].id == NO_FLOW:
        return None
    names = linked.routines[state.frame.routine].names
    return {
        int(name.removeprefix(SOUGHT)): value
        for name, value in zip(names, state.frame.slots, strict=True)
        if name.startswith(SOUGHT)
    }
