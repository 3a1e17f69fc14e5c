"""What uses what, and what answers what: circles are refused, bounds are added up.

Powers may not use themselves by any way. Triggers may answer one another in a circle only if one of
them acts once per turn. `use power of` is left out of the first (it takes fuel) and counts, in the second, as
the use of any record's power.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from compiler.bodies import Checked
from compiler.circles import find_circle
from compiler.content import Item
from compiler.costs import LIMIT, Costs
from compiler.diagnostics import Report
from compiler.symbols import Symbols
from runtime import program
from runtime.program import Routine, Row, Trigger

ME = ("scope", "me")
MOST_ROWS, MOST_SLOTS, MOST_DEPTH = 10_000, 1_000, 48


def uses_of(rows: Collection[Row]) -> set[str]:
    """The routines that rows use."""
    return {row.routine for row in rows if isinstance(row, program.Use)}


def circle(graph: Mapping[str, Collection[str]]) -> list[str] | None:
    """A circle of a graph, its first step repeated at the end, or None."""
    left = {key: {other for other in others if other in graph} for key, others in graph.items()}
    while True:
        ends = {key for key, others in left.items() if not others & left.keys()}
        if not ends:
            return (
                find_circle({key: sorted(others & left.keys()) for key, others in left.items()})
                if left
                else None
            )
        left = {key: others for key, others in left.items() if key not in ends}


def check_uses(checked: Mapping[str, Checked], items: Mapping[str, Item], report: Report) -> bool:
    """Refuse powers that use themselves; False if there are any."""
    graph = {id: uses_of(one.routine.rows) for id, one in checked.items()}
    fine = True
    while (path := circle(graph)) is not None:
        fine = False
        names = " -> ".join(f"`{items[id].name}`" for id in path)
        last, first = path[-2], path[0]
        place = checked[last].use_place(first) or items[last].place
        message = f"`{items[first].name}` uses itself: {names}"
        report.error("recursive-power", place, message, "a `repeat` does something several times")
        graph[last] = graph[last] - {first}
    return fine


# ---------------------------------------------------------------------------------- triggers


def reached(checked: Mapping[str, Checked], start: str, powers: Collection[str]) -> set[str]:
    """The routines that run when `start` does, itself included."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        id = waiting.pop()
        if id in found or id not in checked:
            continue
        found.add(id)
        rows = checked[id].routine.rows
        waiting.extend(uses_of(rows))
        if any(isinstance(row, program.UsePower) for row in rows):
            waiting.extend(powers)
    return found


def events_of(symbols: Symbols, rows: Collection[Row]) -> set[str]:
    """The events that rows can raise."""
    events: set[str] = set()
    for row in rows:
        if isinstance(row, program.Operate):
            events.add(row.operation)
            if symbols.operations[row.operation].touches:
                events.add("touched")
        elif isinstance(row, program.Draw):
            events.add("drawn")
    return events


def check_triggers(
    symbols: Symbols,
    checked: Mapping[str, Checked],
    triggers: Collection[Trigger],
    powers: Collection[str],
    items: Mapping[str, Item],
    report: Report,
) -> None:
    """Refuse triggers that set one another off without end."""
    graph: dict[str, set[str]] = {}
    for trigger in triggers:
        if trigger.once_per_turn:
            continue
        rows = [row for id in reached(checked, trigger.routine, powers) for row in checked[id].routine.rows]
        raised = events_of(symbols, rows)
        graph[trigger.id] = {other.id for other in triggers if other.event in raised}
    while (path := circle(graph)) is not None:
        names = " -> ".join(f"`{items[id].name}`" for id in path)
        message = (
            f"these set each other off without end: {names}"
            if len(path) > 2
            else f"this sets itself off: {names}"
        )
        report.error("endless-trigger", items[path[0]].place, message, "`once_per: turn`")
        del graph[path[0]]


def triggers_by_operation(symbols: Symbols, triggers: Collection[Trigger]) -> dict[str, tuple[str, ...]]:
    """For each operation (and `drawn`) the routines of the triggers that answer it."""
    found: dict[str, tuple[str, ...]] = {}
    for name, operation in symbols.operations.items():
        found[name] = tuple(
            trigger.routine
            for trigger in triggers
            for event in (name, *("touched" for _ in operation.touches))
            if trigger.event == event
        )
    found["drawn"] = tuple(trigger.routine for trigger in triggers if trigger.event == "drawn")
    return found


# ---------------------------------------------------------------------------------- barriers and bounds


def has_barrier(symbols: Symbols, row: Row) -> bool:
    """Can nobody foresee how things stand after this row?"""
    match row:
        case program.Roll() | program.Draw() | program.Secret() | program.UsePower():
            return True
        case program.Choose(by=by) | program.Modal(by=by):
            return by is not None and by != ME
        case program.Operate(operation=operation):
            return symbols.operations[operation].reveals
        case _:
            return False


def check_late_ensures(symbols: Symbols, checked: Mapping[str, Checked], report: Report) -> None:
    """Refuse `ensure` behind the use of a power that holds a barrier."""
    blind = {id for id, one in checked.items() if any(has_barrier(symbols, row) for row in one.routine.rows)}
    for one in checked.values():
        for ensure in one.late:
            found = [id for id in ensure.powers if reached(checked, id, ()) & blind]
            if found:
                name = found[0].rpartition("/")[2]
                message = (
                    f"this cannot be looked ahead to: `{name}` is used before it, and may bring something new"
                )
                help = "ensure it before, or ask with `if`"
                report.error("ensure-after-barrier", ensure.place, message, help)


def with_bounds(
    checked: Mapping[str, Checked],
    answers: Mapping[str, tuple[str, ...]],
    items: Mapping[str, Item],
    report: Report,
) -> list[Routine]:
    """The routines with what one use of each can take; too much is refused where it begins."""
    costs = Costs({id: one.cost for id, one in checked.items()}, answers)
    too_much: set[str] = set()
    routines: list[Routine] = []
    for id, one in checked.items():
        bounds = costs.bounds(id)
        if max(bounds.prompts, bounds.operations) > LIMIT:
            too_much.add(id)
        routines.append(replace(one.routine, bounds=bounds))
        _refuse_long(one.routine, items, report)
    for routine in routines:
        if routine.id in too_much and not uses_of(routine.rows) & too_much:
            bounds = routine.bounds
            what = (
                f"{bounds.prompts:,} prompts"
                if bounds.prompts > LIMIT
                else f"{bounds.operations:,} operations"
            )
            message = f"`{items[routine.id].name}` may take {what}, and {LIMIT:,} is the most"
            report.error("too-much-work", items[routine.id].place, message, "repeat it fewer times")
    return routines


def _refuse_long(routine: Routine, items: Mapping[str, Item], report: Report) -> None:
    name, place = items[routine.id].name, items[routine.id].place
    if len(routine.rows) > MOST_ROWS or len(routine.slots) > MOST_SLOTS:
        report.error("too-much-work", place, f"`{name}` is too long", "split it into several powers")


def refuse_deep(checked: Mapping[str, Checked], items: Mapping[str, Item], report: Report) -> None:
    """Refuse powers that use one another through too many steps."""
    depths: dict[str, int] = {}
    for start in checked:
        waiting = [start]
        while waiting:
            id = waiting[-1]
            deeper = uses_of(checked[id].routine.rows) & checked.keys()
            missing = sorted(deeper - depths.keys())
            if missing:
                waiting.extend(missing)
                continue
            waiting.pop()
            depths[id] = 1 + max((depths[other] for other in deeper), default=0)
    for id, depth in depths.items():
        if depth == MOST_DEPTH + 1:
            message = f"`{items[id].name}` uses powers that use powers, more than {MOST_DEPTH} steps deep"
            report.error("too-much-work", items[id].place, message)
