"""A program that runs effect texts one after the other, outside a game.

Each text, compiled as a power, ends at a prompt that is never answered, so that its variables can be
read; triggers waiting for its end have run by then. Turns and set-up never begin by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from string import ascii_uppercase
from typing import Any

from ruleloom.compiler.cases.case_file import chosen_in
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game, settings_of
from ruleloom.runtime.machine.registers import Run
from ruleloom.runtime.machine.step import go_on
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.state import NO_RULES, State
from ruleloom.runtime.program.values import Bind
from ruleloom.runtime.search.node import PlayNode, settled
from ruleloom.scenarios.setup.things import SOUGHT

# The type of the choice at the end of a text; no program has a type of this name.
ENDED = "the end"
BY_ITSELF = "/by itself"
NOTHING, NO_FLOW = "nothing", "no flow"


def program_to_try(program: p.Program, texts: Iterable[str]) -> p.Program:
    """The program with stops at the ends of these routines, and without set-up and turn."""
    wanted = set(texts)
    nowhere = p.Origin(program.game, "", 1, 1)
    none = p.Bounds(0, 0, 0, False)
    empty = p.Routine(NOTHING, (), (), (), -1, (p.Return(nowhere),), nowhere, none)
    end = (_stop(nowhere, 0, ()), p.Return(nowhere))
    no_flow = p.Routine(NO_FLOW, (), ("",), ("",), -1, end, nowhere, none)
    # Using the empty routine fires the triggers that wait for a use to end.
    is_waited_for = any(one.timing != "immediately" for one in program.triggers)
    uses = (p.Use(nowhere, NOTHING, (), -1),) if is_waited_for else ()
    # The flow itself is unchanged; a copy of it gets the stop.
    flows = (replace(one, id=trial_of(one.id)) for one in program.routines if ":flow/" in one.id)
    # Numbers of routines do not depend on the texts tried, so that compiled code is shared.
    all_there = (_ending(one, uses) if one.id in wanted else one for one in program.routines)
    tried = (_ending(one, uses) for one in flows)
    routines = (*all_there, *tried, empty, no_flow)
    return replace(program, routines=routines, set_up=no_flow.id, turn=no_flow.id)


def linked_to_try(
    program: p.Program,
    texts: Iterable[str],
    given: Mapping[str, Any],
    drivers: Callable[[str], Bind] = driver_of,
) -> Linked:
    """A program linked to try these texts, with the fewest players if `given` names none; Refused for
    settings that it does not have."""
    players, chosen = tuple(map(str, given.get("players") or ())), chosen_in(given)
    tried = program_to_try(program, texts)
    least = int(settings_of(tried, chosen).get("least_players", 1))
    return link_game(tried, drivers(tried.game), players or tuple(ascii_uppercase[:least]), chosen)


def trial_of(flow: str) -> str:
    """The id of the routine that runs a flow by itself."""
    return flow + BY_ITSELF


def _ending(routine: p.Routine, uses: Sequence[p.Use]) -> p.Routine:
    """The routine with a stop at its end, after these uses and the values sought."""
    origin, slot, end = routine.origin, len(routine.slots), len(routine.rows)
    rows: list[p.Row] = []
    sought: list[p.Let] = []
    for number, row in enumerate(routine.rows, 1):
        if isinstance(row, p.Return):
            rows.append(p.Jump(row.origin, end))
        elif isinstance(row, p.Let) and routine.slots[row.slot].startswith(SOUGHT):
            sought.append(row)
            rows.append(p.Jump(row.origin, number))
        else:
            rows.append(row)
    rows += [*(replace(one, origin=origin) for one in uses), *sought]
    rows += [_stop(origin, slot, [row.slot for row in sought]), p.Return(origin)]
    slots, types = (*routine.slots, ""), (*routine.slot_types, "")
    return replace(routine, rows=tuple(rows), slots=slots, slot_types=types, result=-1)


def _stop(origin: p.Origin, slot: int, kept: Sequence[int]) -> p.Row:
    """The prompt at which a run stops; `none` is an answer too, so that look-ahead passes."""
    # It reads the kept slots, as unread ones are cleared where equal states merge, but shows them
    # to no player: odds distinguish dice that someone looks at.
    kept_list: p.Expr = ("list", *(("slot", one) for one in kept))
    there = p.Condition(("not", ("is_none", kept_list)), ())
    options: p.Expr = ("list", ("value", 0))
    return p.Choose(origin, slot, "", ENDED, "one", None, options, (there,), None, True, None, "")


def begin(linked: Linked, state: State, routine: str, args: tuple[Any, ...] = ()) -> PlayNode:
    """The first prompt of a routine run by itself in this state, or its end."""
    run = Run(linked, state._replace(frame=None, begun=False), True)
    run.push(linked.routine_index[routine], args, None, -1, NO_RULES, (), 0)
    return settled(linked, go_on(run))


def has_ended(node: PlayNode) -> bool:
    """Whether the text or the whole game has ended at this node."""
    return (isinstance(node.row, p.Choose) and node.row.type == ENDED) or node.over


def values_sought(state: State, linked: Linked, numbers: Iterable[int]) -> tuple[Any, ...]:
    """The values sought under these numbers at the end of a text; empty if it was called off."""
    frame = state.frame
    routine = linked.routines[frame.routine] if frame is not None else None
    if frame is None or routine is None or routine.id == NO_FLOW:
        return ()
    slots = dict(zip(routine.names, frame.slots, strict=True))
    return tuple(slots.get(f"{SOUGHT}{one}") for one in numbers)
