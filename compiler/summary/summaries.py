"""Summaries of the routines of a game: a table of their effects, and its call graphs.

A new analysis of routines is a column of the table: a set for each, gathered along a graph.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property

from ruleloom.compiler.graph import gathered
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.summary.outline import Outline, names_read, names_read_in, outline_of
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program import program
from ruleloom.runtime.program.calls import Callee, call_graph, reached
from ruleloom.runtime.program.expr import expressions_of

Answer = program.Trigger | program.Replacement
Names = frozenset[tuple[str, str]]


@dataclass(frozen=True, eq=False)
class Summaries:
    """The summaries of all routines, as their rows are at one point of the build."""

    symbols: Symbols
    routines: Mapping[str, program.Routine]
    once: Collection[str]
    """The routines that run once a turn."""
    entities: Sequence[program.Entity]
    functions: Sequence[program.Function]
    assignments: Mapping[str, tuple[program.Assignment, ...]]
    moves: Mapping[str, tuple[program.Move, ...]]
    triggers: Sequence[program.Trigger]
    replacements: Sequence[program.Replacement]

    def outline(self, id: str) -> Outline:
        """The outline of one routine."""
        return outline_of(self.routines[id])

    # ------------------------------------------------------------------ graphs

    @cached_property
    def uses(self) -> dict[str, tuple[str, ...]]:
        """The graph of uses by name."""
        return {id: tuple(outline_of(one).uses) for id, one in self.routines.items()}

    @cached_property
    def repeating(self) -> Mapping[Callee, tuple[Callee, ...]]:
        """The call graph without answers that come once a turn."""
        triggers = (one for one in self.triggers if one.routine not in self.once)
        return self._graph(triggers)

    @cached_property
    def at_once(self) -> Mapping[Callee, tuple[Callee, ...]]:
        """The graph of calls that return before the next row."""
        return self._graph(one for one in self.triggers if one.timing == "immediately")

    @cached_property
    def all(self) -> Mapping[Callee, tuple[Callee, ...]]:
        """The whole call graph."""
        return self._graph(self.triggers)

    def _graph(self, triggers: Iterable[program.Trigger]) -> dict[Callee, tuple[Callee, ...]]:
        touching = (name for name, one in self.symbols.operations.items() if one.touches)
        return call_graph(
            self.routines.values(), self.entities, triggers, self.replacements, touching
        )

    # ------------------------------------------------------------------ columns

    @cached_property
    def blind(self) -> set[Callee]:
        """The routines whose own rows nobody can foresee."""
        reveals = {name for name, one in self.symbols.operations.items() if one.reveals}
        return {
            Callee("routine", id)
            for id in self.routines
            if self.outline(id).blind or not reveals.isdisjoint(self.outline(id).events)
        }

    def within(self, id: str) -> Iterable[str]:
        """The closure of a routine under uses by name."""
        return reached([id], lambda one: self.uses.get(one, ()))

    def names(self, routine: str) -> Names:
        """The names that the rows of a routine read, themselves or by functions."""
        return self.through(names_read_in(self.routines[routine]))

    def through(self, names: Names) -> Names:
        """The closure of names under what functions read."""
        return names.union(*(self._functions.get(one, ()) for one in names))

    @cached_property
    def _functions(self) -> Mapping[tuple[str, str], Names]:
        own = {("function", one.id): names_read([one.body]) for one in self.functions}
        own |= {("allowed", id): names for (_, id), names in own.items()}
        return gathered(own, own)

    @cached_property
    def answers(self) -> Mapping[str, list[Answer]]:
        """The answers and replacements of each event."""
        found: dict[str, list[Answer]] = {}
        for trigger in self.triggers:
            found.setdefault(trigger.event, []).append(trigger)
        for one in self.replacements:
            found.setdefault(one.operation, []).append(one)
        return found

    def names_at(self, callee: Callee) -> Names:
        """The names that a routine reads, or that carrying out and answering an event reads."""
        if callee.kind == "routine":
            return self.names(callee.name) if callee.name in self.routines else frozenset()
        done = (*self.assignments.get(callee.name, ()), *self.moves.get(callee.name, ()))
        parts = (*done, *self.answers.get(callee.name, ()))
        return self.through(names_read(expr for part in parts for expr in expressions_of(part)))
