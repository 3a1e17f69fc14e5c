"""Call graphs of programs, the search through them, and what functions read with all their callees.

An event is an operation, a moment or a phase of a power, with all that answers or replaces it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from typing import Literal, NamedTuple, TypeVar

from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.expr import ASKS, OfPart, Reads, reads_in

N = TypeVar("N", bound=Hashable)
DRAWN, TOUCHED = "drawn", "touched"


class Callee(NamedTuple):
    """A callee of a text: a node of the call graphs.

    A routine goes by its id, a record by its entity, a power or flow by the name in texts. Without
    a name it is any one of its kind.
    """

    kind: Literal["event", "flow", "fusion", "menu", "power", "record", "routine", "trigger"]
    name: str = ""


Graph = Mapping[N, Collection[N]]


def called(row: object) -> Callee | None:
    """The callee of a row, if it has one."""
    match row:
        case p.Use(routine=id):
            return Callee("routine", id)
        case p.UsePower(entity=entity):
            return Callee("record", entity)
        case p.Operate(operation=name) | p.Announce(event=name) | p.Replaceable(event=name):
            return Callee("event", name)
        case p.Draw():
            return Callee("event", DRAWN)
    return None


def called_by(rows: Iterable[object]) -> tuple[Callee, ...]:
    """The callees of some rows, in their order."""
    return tuple(dict.fromkeys(filter(None, map(called, rows))))


callees_of = OfPart[p.Routine, tuple[Callee, ...]](lambda routine: called_by(routine.rows))


def call_graph(
    routines: Iterable[p.Routine],
    entities: Iterable[p.Entity],
    triggers: Iterable[p.Trigger],
    replacements: Iterable[p.Replacement],
    touching: Iterable[str],
) -> dict[Callee, tuple[Callee, ...]]:
    """The graph of these routines, records and answers; `touching` operations touch things."""
    graph: dict[Callee, tuple[Callee, ...]] = {}
    for one in entities:
        graph[Callee("record", one.name)] = tuple(Callee("routine", id) for id in one.powers if id)
    for name in touching:
        graph[Callee("event", name)] = (Callee("event", TOUCHED),)
    answers = [(one.event, one.routine) for one in triggers]
    answers += [(one.operation, one.routine) for one in replacements]
    for name, answer in answers:
        event = Callee("event", name)
        graph[event] = (*graph.get(event, ()), Callee("routine", answer))
    for routine in routines:
        graph[Callee("routine", routine.id)] = callees_of(routine)
    return graph


def graph_of(program: p.Program) -> dict[Callee, tuple[Callee, ...]]:
    """The call graph of a program."""
    touching = (one.name for one in program.operations if one.touches)
    return call_graph(
        program.routines, program.entities, program.triggers, program.replacements, touching
    )


class FunctionReads(dict[str, Reads]):
    """What each function reads, with all that it calls, by id; worked out on demand."""

    __slots__ = ("_bodies",)

    def __init__(self, functions: Iterable[p.Function]) -> None:
        super().__init__()
        self._bodies = {one.id: one.body for one in functions}

    def __missing__(self, id: str) -> Reads:
        self[id] = ASKS  # nothing is kept of one that calls itself; no checked program has one
        self[id] = found = self.within(self._bodies[id])
        return found

    def within(self, expr: p.Expr) -> Reads:
        """What an expression reads, with all that it calls."""
        return reads_in(expr, self.__getitem__)


def reached(starts: Iterable[N], ways: Callable[[N], Iterable[N]]) -> dict[N, None]:
    """The nodes reached from these, themselves included, breadth first."""
    found = dict.fromkeys(starts)
    waiting = list(found)
    for one in waiting:
        for other in ways(one):
            if other not in found:
                found[other] = None
                waiting.append(other)
    return found


def leading_to(goals: Iterable[N], graph: Graph[N]) -> dict[N, None]:
    """The goals, and the nodes from which one of them is reached."""
    users: dict[N, list[N]] = {}
    for one, others in graph.items():
        for other in others:
            users.setdefault(other, []).append(one)
    return reached(goals, lambda one: users.get(one, ()))
