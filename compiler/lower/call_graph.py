"""Call graphs of powers and triggers: circles are refused, bounds are added up.

Powers may not use themselves, not even indirectly; triggers may form a circle only if one of them
acts once per turn. `use power of` is left out of the first (it takes fuel) and counts, in the
second, as the use of the power of any record of that entity.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.flow.context import LateEnsure, with_fuel
from ruleloom.compiler.flow.cost import NOBODY, Costs, heavy_rows, with_answers
from ruleloom.compiler.graph import (
    Graph,
    components,
    find_circle,
    is_circle,
    path_text,
    shortest_circle,
)
from ruleloom.compiler.lower.budget import Uses, tell_budget
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.summary.summaries import Summaries
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import nodes_of
from ruleloom.runtime.program.calls import DRAWN, TOUCHED, Callee, leading_to, reached
from ruleloom.runtime.program.program import Operate, Replacement, Trigger

MOST_ROWS, MOST_SLOTS, MOST_DEPTH = 10_000, 1_000, 48
# So many of each the machine reads back from a save; None: whatever has an effect.
MOST_ITEMS = 5_000
COUNTED = (None, "setting switch", "rule measure table", "trigger", "requirement", "sheet")


def check_uses(build: Build) -> None:
    """Refuse powers that use themselves, or one another through too many steps."""
    graph = build.summaries.uses
    parts = components(graph)
    circles = [part for part in parts if is_circle(part, graph)]
    items = build.items_by_routine()
    for part in circles:
        path = find_circle({id: set(part).intersection(graph[id]) for id in part})
        names = path_text([f"`{items[id].name}`" for id in path])
        last, first = path[-2], path[0]
        place = _place_of_use(build, last, first) or items[last].place
        message = f"`{items[first].name}` uses itself: {names}"
        help = "a `repeat` does something several times"
        build.report.error("recursive-power", place, message, help)
    if not circles:
        _refuse_deep(chain.from_iterable(parts), graph, items, build.report)


def _place_of_use(build: Build, user: str, used: str) -> Place | None:
    passage, block = build.bodies.blocks.get(user) or (None, ())
    names = (one.power for one in nodes_of(block, ast.UseStmt))
    powers = build.symbols.powers
    spans = (name.span for name in names if name.id in powers and powers[name.id].id == used)
    return next((passage.place(span) for span in spans if passage is not None), None)


def _refuse_deep(
    order: Iterable[str], graph: Graph[str], items: Mapping[str, Item], report: Report
) -> None:
    depths: dict[str, int] = {}
    too_deep = f"uses powers that use powers, more than {MOST_DEPTH} steps deep"
    for id in order:
        depths[id] = 1 + max((depths[other] for other in graph[id] if other in depths), default=0)
        if depths[id] == MOST_DEPTH + 1:
            report.error("too-much-work", items[id].place, f"`{items[id].name}` {too_deep}")


def check_triggers(build: Build) -> None:
    """Refuse endless circles of triggers; replacements end, since none runs within itself."""
    if not build.triggers:
        return
    graph, items = build.summaries.repeating, build.items_by_routine()
    routines = {Callee("routine", trigger.routine) for trigger in build.triggers}
    for part in components(graph):
        caught = routines.intersection(part)
        if caught and is_circle(part, graph):
            circle = shortest_circle(min(caught), part, graph)
            _refuse_circle([one.name for one in circle if one in routines], items, build.report)


def _refuse_circle(path: list[str], items: Mapping[str, Item], report: Report) -> None:
    names, first = path_text([f"`{items[id].name}`" for id in path]), items[path[0]]
    what = "these set each other off without end" if len(path) > 2 else "this sets itself off"
    help = "`once_per: turn`" if path[0] == first.id else "`once per turn`"
    report.error("endless-trigger", first.place, f"{what}: {names}", help)


def triggers_by_event(build: Build) -> dict[str, tuple[str, ...]]:
    """For each event, answered or not, the routines of the triggers that answer it or what it touches."""
    found, operations = defaultdict[str, tuple[str, ...]](tuple), build.symbols.operations
    for trigger in build.triggers:
        found[trigger.event] += (trigger.routine,)
    touched = found[TOUCHED]
    rest = (name for name in (*build.symbols.events, DRAWN) if name not in operations)
    done = {name: found[name] + len(one.touches) * touched for name, one in operations.items()}
    return {**{name: found[name] for name in rest}, **done}


def replacements_by_event(build: Build) -> dict[str, tuple[str, ...]]:
    """For each event that may be replaced the routines that run in its place."""
    found = defaultdict[str, tuple[str, ...]](tuple)
    for one in build.replacements:
        found[one.operation] += (one.routine,)
    return dict(found)


def check_late_ensures(build: Build) -> None:
    """Refuse `ensure` behind a barrier: behind what uses, or is answered at once by, a blind routine.

    Where only other packs bring the barrier, they are warned.
    """
    late = [ensure for one in build.checked.values() for ensure in one.late]
    if not late:
        return
    own = build.summaries.blind
    blind = leading_to(own, build.summaries.at_once)
    for ensure in late:
        found = next((callee for callee in ensure.behind if callee in blind), None)
        if found is not None:
            _tell_barrier(build, ensure, found, own)


def _tell_barrier(build: Build, ensure: LateEnsure, found: Callee, own: set[Callee]) -> None:
    """Report the barrier that is `found` before an `ensure`, where it is brought in."""
    graph = build.summaries.at_once
    items, name = build.items_by_routine(), found.name.rpartition("/")[2]
    pack = build.content.files[ensure.place.path][0]
    others = {one for one in own if items[one.name].pack != pack}
    if found not in leading_to(own - others, graph):
        within = reached([found], lambda one: graph.get(one, ()))
        brought = others & within.keys()
        guilty = dict.fromkeys((items[one.name] for one in brought), False)
        _warn_who_brings(
            build, ensure, pack, _responding(build, found, brought, graph) or guilty, name
        )
        return
    why = f"`{name}` is used before it, and may bring something new"
    message = f"this cannot be looked ahead to: {why}"
    help = "ensure it before, or ask with `if`"
    build.report.error("ensure-after-barrier", ensure.place, message, help)


def _responding(
    build: Build, found: Callee, brought: set[Callee], graph: Graph[Callee]
) -> dict[Item, bool]:
    """The items whose responses bring a barrier, and whether these could come afterwards as well."""
    items, leading = build.items_by_routine(), leading_to(brought, graph)
    within = reached([found], lambda one: graph.get(one, ())).keys() & leading
    packs, can_wait = {items[one.name].pack for one in brought}, dict[Item, bool]()
    answers: list[Trigger | Replacement] = [*build.triggers, *build.replacements]
    for one in answers:
        item = items[one.routine]
        if item.pack in packs and Callee("routine", one.routine) in within:
            event = one.event if isinstance(one, Trigger) else ""
            moment = build.symbols.operations.get(event)
            is_open = moment is not None and bool(moment.open)
            waits = bool(event) and not event.startswith("before ") and not is_open
            can_wait[item] = can_wait.get(item, True) and waits
    return can_wait


def _warn_who_brings(
    build: Build, ensure: LateEnsure, pack: str, guilty: Mapping[Item, bool], name: str
) -> None:
    """Warn at the items above a pack that bring the barrier; if there are none, at the `ensure`."""
    needed = {id for one in build.content.packs if one.id == pack for id in one.needs}
    above = {item: waits for item, waits in guilty.items() if item.pack not in needed}
    if above:
        _warn_of_barrier(build.report, above, name, ensure.place)
    else:
        _warn_of_lateness(build.report, name, ensure.place)


def _warn_of_barrier(report: Report, items: Mapping[Item, bool], name: str, place: Place) -> None:
    """Warn those whose answers put an end to looking ahead to an `ensure` of another pack."""
    for item, waits in items.items():
        message = (
            f"`{item.name}` happens within `{name}`, and nobody can foresee what it brings: where a "
            "condition behind that fails then, the text ends there"
        )
        help = "`afterwards` before the `:` responds when that text is done" if waits else None
        notes = (Note(place, "the condition"),)
        report.warning("ensure-after-barrier", item.place, message, help, notes)


def _warn_of_lateness(report: Report, name: str, place: Place) -> None:
    """Warn of an `ensure` that a pack has put behind a barrier of a text that it builds upon."""
    message = (
        f"`{name}` may come before this, and nobody can foresee what it brings: where this fails "
        "then, the text ends there"
    )
    help = "ensure it before, or ask with `if`"
    report.warning("ensure-after-barrier", place, message, help)


def ensured_behind(build: Build, summaries: Summaries, event: str) -> Place | None:
    """Where something is ensured behind an event, so that its answers must be foreseen; if anywhere."""
    late = [ensure for one in build.checked.values() for ensure in one.late]
    start = Callee("event", event)
    leading = leading_to([start], summaries.at_once) if late else ()
    return next((one.place for one in late if any(c in leading for c in one.behind)), None)


def add_bounds(build: Build) -> None:
    """Enter the routines with what one use of each can take, and tell of those over the budget."""
    checked, items = build.checked, build.items_by_routine()
    answers, replaced = triggers_by_event(build), replacements_by_event(build)
    once = frozenset(id for id, one in checked.items() if one.once)
    highs = _open_highs(build)
    amounts = {
        id: with_answers(one.cost, highs) if highs else one.cost for id, one in checked.items()
    }
    counting = partial(Costs, amounts, answers, replaced)
    costs = counting(once, NOBODY)
    heavy = _heavy(build, answers, replaced) if costs.is_heavy else {}
    for id, one in checked.items():
        rows = with_fuel(one.routine.rows, heavy[id]) if heavy else one.routine.rows
        routine = replace(one.routine, rows=rows, bounds=costs.bounds(id))
        build.routines.append(routine)
        if len(routine.rows) > MOST_ROWS or len(routine.slots) > MOST_SLOTS:
            message, help = f"`{items[id].name}` is too long", "split it into several powers"
            build.report.error("too-much-work", items[id].place, message, help)
    build.uses = Uses(build.content, checked, items, once, counting, costs)
    tell_budget(build.uses, build.report)


def _open_highs(build: Build) -> dict[str, int]:
    """How large answers may make the open value of each moment on which a loop depends.

    A line that sets no bound to it is told, and not the loop, whose author could not know of it.
    """
    highs: dict[str, int] = {}
    for moment, loops in build.symbols.open_loops.items():
        for line in build.symbols.open_sets.get(moment, ()):
            highs[moment] = max(highs.get(moment, 0), line.high or 0)
            if line.high is None:
                message = f"nothing says how large `{line.name}` can be after this"
                help = f"`set {line.name} = lowest([..., 12])`, or `most:` where `{moment}` is declared"
                notes = [Note(at, "this goes on so often") for at in dict.fromkeys(loops)]
                build.report.error("unbounded", line.place, message, help, notes)
    return highs


def _heavy(build: Build, answers: Graph[str], replaced: Graph[str]) -> dict[str, Mapping[int, int]]:
    """For each routine the rows that may take many evaluations, those of whoever answers among
    them, with how many."""
    found: dict[str, Mapping[int, int]] = {}
    asking = {id: one.asking for id, one in build.checked.items()}
    for id, one in build.checked.items():
        heavy = heavy_rows(one.cost)
        for pc, row in enumerate(one.routine.rows):
            name = row.operation if isinstance(row, Operate) else getattr(row, "event", "")
            heavy[pc] += sum(
                asking[answer] for by in (answers, replaced) for answer in by.get(name, ())
            )
        found[id] = +heavy
    return found


def refuse_many(build: Build) -> None:
    """Refuse more items of a kind than a game can hold."""
    items = build.content.items
    for words in COUNTED:
        kinds = words.split() if words is not None else []
        found = [
            one for one in items if one.kind in kinds or (not kinds and "effect" in one.fields)
        ]
        if len(found) > MOST_ITEMS:
            what = f"items of the kind `{kinds[0]}`" if kinds else "items with an effect"
            message = f"a game holds at most {MOST_ITEMS:,} {what}, and here are {len(found):,}"
            build.report.error("too-much-work", found[MOST_ITEMS].place, message)
