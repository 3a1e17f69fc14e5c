"""What uses what, and what answers what: circles are refused, bounds are added up.

Powers may not use themselves by any way. Triggers may answer one another in a circle only if one of
them acts once per turn. `use power of` is left out of the first (it takes fuel) and counts, in the
second, as the use of any record's power.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import chain

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.flow.cost import DICE_LIMIT, LIMIT, NO_REPLACEMENTS, USE_WORK_LIMIT, Costs
from ruleloom.compiler.graph import components, find_circle, is_circle, path_text, shortest_circle
from ruleloom.compiler.lower.routines import Checked
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.source.file import Place
from ruleloom.runtime.program.program import Bounds, Replacement, Routine, Trigger

MOST_ROWS, MOST_SLOTS, MOST_DEPTH = 10_000, 1_000, 48
# So many of each the machine reads back from a save; None: whatever has an effect.
MOST_ITEMS = 5_000
COUNTED = (
    None,
    ("setting", "switch"),
    ("rule", "measure", "table"),
    ("trigger",),
    ("requirement",),
    ("sheet",),
)

# Names in the graph of events beside those of routines, which have no space.
ANY_RECORD = " any record"


def check_uses(checked: Mapping[str, Checked], items: Mapping[str, Item], report: Report) -> bool:
    """Refuse powers that use themselves, or one another through too many steps; False if there are
    any."""
    graph = {id: one.outline.uses for id, one in checked.items()}
    parts = components(graph)
    circles = [part for part in parts if is_circle(part, graph)]
    for part in circles:
        path = find_circle({id: graph[id].intersection(part) for id in part})
        names = path_text([f"`{items[id].name}`" for id in path])
        last, first = path[-2], path[0]
        place = checked[last].use_place(first) or items[last].place
        message = f"`{items[first].name}` uses itself: {names}"
        report.error("recursive-power", place, message, "a `repeat` does something several times")
    if not circles:
        _refuse_deep([id for part in parts for id in part], graph, items, report)
    return not circles


def _refuse_deep(
    order: Collection[str],
    graph: Mapping[str, Collection[str]],
    items: Mapping[str, Item],
    report: Report,
) -> None:
    depths: dict[str, int] = {}
    for id in order:
        depths[id] = 1 + max((depths[other] for other in graph[id] if other in depths), default=0)
        if depths[id] == MOST_DEPTH + 1:
            message = (
                f"`{items[id].name}` uses powers that use powers, more than {MOST_DEPTH} steps deep"
            )
            report.error("too-much-work", items[id].place, message)


# ---------------------------------------------------------------------------------- triggers


def _event(name: str) -> str:
    return f" {name}"


def _setting_off(
    symbols: Symbols,
    checked: Mapping[str, Checked],
    triggers: Collection[Trigger],
    powers: Collection[str],
    replacements: Collection[Replacement],
) -> dict[str, set[str]]:
    """What sets off what: routines use routines and raise events, and events set triggers off; an
    operation may also be what it is replaced by."""
    graph: dict[str, set[str]] = {ANY_RECORD: set(powers)}
    for name in (*symbols.operations, "touched", "drawn"):
        graph[_event(name)] = set()
    for trigger in triggers:
        if not trigger.once_per_turn:
            graph[_event(trigger.event)].add(trigger.routine)
    for other in replacements:
        graph[_event(other.operation)].add(other.routine)
    for id, one in checked.items():
        made = one.outline
        events = {_event(name) for name in made.operations}
        if any(symbols.operations[name].touches for name in made.operations):
            events.add(_event("touched"))
        if made.draws:
            events.add(_event("drawn"))
        if made.dynamic:
            events.add(ANY_RECORD)
        graph[id] = {*made.uses, *events}
    return graph


def check_triggers(
    symbols: Symbols,
    checked: Mapping[str, Checked],
    triggers: Collection[Trigger],
    powers: Collection[str],
    items: Mapping[str, Item],
    report: Report,
    replacements: Collection[Replacement] = (),
) -> None:
    """Refuse triggers that set one another off without end. Replacements alone come to an end,
    since none runs within itself."""
    if not triggers:
        return
    graph = _setting_off(symbols, checked, triggers, powers, replacements)
    routines = {trigger.routine for trigger in triggers}
    for part in components(graph):
        caught = routines.intersection(part)
        if not caught or not is_circle(part, graph):
            continue
        path = [id for id in shortest_circle(min(caught), part, graph) if id in routines]
        names = path_text([f"`{items[id].name}`" for id in path])
        message = (
            f"these set each other off without end: {names}"
            if len(path) > 2
            else f"this sets itself off: {names}"
        )
        help = "`once_per: turn`" if path[0] == items[path[0]].id else "`once per turn`"
        report.error("endless-trigger", items[path[0]].place, message, help)


def triggers_by_operation(
    symbols: Symbols, triggers: Collection[Trigger]
) -> dict[str, tuple[str, ...]]:
    """For each operation (and `drawn`) the routines of the triggers that answer it."""
    by_event: dict[str, list[str]] = {}
    for trigger in triggers:
        by_event.setdefault(trigger.event, []).append(trigger.routine)
    found = {
        name: (*by_event.get(name, ()), *(len(operation.touches) * by_event.get("touched", [])))
        for name, operation in symbols.operations.items()
    }
    return {**found, "drawn": tuple(by_event.get("drawn", ()))}


def replacements_by_operation(replacements: Collection[Replacement]) -> dict[str, tuple[str, ...]]:
    """For each operation that may be replaced the routines that run in its place."""
    found: dict[str, tuple[str, ...]] = {}
    for one in replacements:
        found[one.operation] = (*found.get(one.operation, ()), one.routine)
    return found


# ------------------------------------------------------------------------------ barriers and bounds


def check_late_ensures(
    symbols: Symbols,
    checked: Mapping[str, Checked],
    report: Report,
    answers: Collection[Mapping[str, tuple[str, ...]]],
) -> None:
    """Refuse `ensure` behind the use of a power that holds a barrier, or behind an operation that
    may be replaced or answered at once by one: `answers` are such routines by operation."""
    if not any(one.late for one in checked.values()):
        return
    graph: dict[str, set[str]] = {}
    for name, routines in chain.from_iterable(one.items() for one in answers):
        graph.setdefault(_event(name), set()).update(routines)
    for id, one in checked.items():
        graph[id] = {*one.outline.uses, *map(_event, one.outline.operations)}
    blind: set[str] = set()
    for part in components(graph):
        if any(
            (id in checked and _is_blind(symbols, checked[id])) or graph[id] & blind for id in part
        ):
            blind.update(part)
    for one in checked.values():
        for ensure in one.late:
            found = next((id for id in ensure.powers if id in blind), None)
            if found is not None:
                name = found.rpartition("/")[2].strip()
                message = f"this cannot be looked ahead to: `{name}` is used before it, and may bring something new"
                help = "ensure it before, or ask with `if`"
                report.error("ensure-after-barrier", ensure.place, message, help)


def _is_blind(symbols: Symbols, one: Checked) -> bool:
    """Can nobody foresee how things stand after this routine, those it uses left aside?"""
    return one.outline.blind or any(
        symbols.operations[name].reveals for name in one.outline.operations
    )


def with_bounds(
    checked: Mapping[str, Checked],
    answers: Mapping[str, tuple[str, ...]],
    items: Mapping[str, Item],
    report: Report,
    replaced: Mapping[str, tuple[str, ...]] = NO_REPLACEMENTS,
) -> list[Routine]:
    """The routines with what one use of each can take; too much is refused where it begins."""
    costs = Costs({id: one.cost for id, one in checked.items()}, answers, replaced)
    too_much: set[str] = set()
    routines: list[Routine] = []
    for id, one in checked.items():
        bounds = costs.bounds(id)
        if max(bounds.prompts, bounds.operations) > LIMIT or bounds.dice > DICE_LIMIT:
            too_much.add(id)
        if costs.work(id) > USE_WORK_LIMIT:
            too_much.add(id)
        routines.append(replace(one.routine, bounds=bounds))
        _refuse_long(one.routine, items, report)
    for routine in routines:
        if routine.id in too_much and not checked[routine.id].outline.uses & too_much:
            what = _too_much(routine.bounds, costs.work(routine.id))
            message = f"`{items[routine.id].name}` may take {what} is the most"
            report.error(
                "too-much-work", _written(items[routine.id]), message, "repeat it fewer times"
            )
    return routines


def _written(item: Item) -> Place:
    """Where to complain about an effect: at its item, or in the patch that gave it another
    effect."""
    effect = item.fields.get("effect")
    return (
        effect.place if effect is not None and effect.place.path != item.place.path else item.place
    )


def _too_much(bounds: Bounds, work: int) -> str:
    if bounds.prompts > LIMIT:
        return f"{bounds.prompts:,} prompts, and {LIMIT:,}"
    if bounds.operations > LIMIT:
        return f"{bounds.operations:,} operations, and {LIMIT:,}"
    if bounds.dice > DICE_LIMIT:
        return f"{bounds.dice:,} dice, and {DICE_LIMIT:,}"
    return f"{work:,} evaluations of long expressions, and {USE_WORK_LIMIT:,}"


def refuse_many(content: Content, report: Report) -> None:
    """Refuse more items of a kind than a game can hold."""
    for kinds in COUNTED:
        found = [
            item
            for item in content.items
            if ("effect" in item.fields if kinds is None else item.kind in kinds)
        ]
        if len(found) > MOST_ITEMS:
            what = "items with an effect" if kinds is None else f"items of the kind `{kinds[0]}`"
            message = f"a game holds at most {MOST_ITEMS:,} {what}, and here are {len(found):,}"
            report.error("too-much-work", found[MOST_ITEMS].place, message)


def _refuse_long(routine: Routine, items: Mapping[str, Item], report: Report) -> None:
    if len(routine.rows) > MOST_ROWS or len(routine.slots) > MOST_SLOTS:
        name, place = items[routine.id].name, items[routine.id].place
        report.error(
            "too-much-work", place, f"`{name}` is too long", "split it into several powers"
        )
