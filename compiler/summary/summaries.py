"""Summaries of the routines of a game: a table of their effects, and its call graphs.

A new analysis of routines is a column of the table: a set for each routine, propagated along a graph.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from ruleloom.compiler.graph import gathered
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import (
    ME,
    Callee,
    OfPart,
    call_graph,
    called_by,
    constants_of,
    expressions_of,
    reached,
    walk,
)
from ruleloom.runtime.program.program import Expr

CHANCE = (program.Roll, program.Secret, program.Draw, program.Peek, program.Pick)
ASKING = (program.Choose, program.Ask, *CHANCE)
NAMED = frozenset({"scope", "static", "function", "allowed"})
Answer = program.Trigger | program.Replacement
Names = frozenset[tuple[str, str]]


class Outline(Frozen):
    """The effects of a routine's own rows."""

    calls: tuple[Callee, ...]
    asks: frozenset[str]
    """The names of the choices and random results in it."""
    modes: frozenset[str]
    """The labels of its modes."""
    blind: bool
    """Whether it depends on chance or another player."""

    @property
    def uses(self) -> Iterator[str]:
        """The routines used by name."""
        return (one.name for one in self.calls if one.kind == "routine")

    @property
    def dynamic(self) -> bool:
        """Whether it uses the power of a record that is known only in play."""
        return any(one.kind == "record" for one in self.calls)

    @property
    def events(self) -> Iterator[str]:
        """The events that it raises: operations, moments, draws."""
        return (one.name for one in self.calls if one.kind == "event")


def outline(rows: Sequence[object]) -> Outline:
    """The outline of some rows; other parts of a program have no effects."""
    asked = (row.modes for row in rows if isinstance(row, program.Modal))
    labels = [mode.label for modes in asked for mode in modes]
    return Outline(
        called_by(rows),
        asks=frozenset(row.name for row in rows if isinstance(row, ASKING)),
        modes=frozenset(label for label in labels if isinstance(label, str)),
        blind=any(map(_is_blind, rows)),
    )


def _is_blind(row: object) -> bool:
    """Whether a row depends on chance, another player or an unknown power, or shows something."""
    if isinstance(row, program.Choose | program.Ask | program.Modal):
        return row.by is not None and row.by != ME
    return isinstance(row, (program.UsePower, program.Show, *CHANCE))


outline_of = OfPart[program.Routine, Outline](lambda routine: outline(routine.rows))


def names_read(exprs: Iterable[Expr]) -> frozenset[tuple[str, str]]:
    """The names that some expressions read, each with its form: `scope`, `static`, `function`."""
    parts = (part for expr in exprs for part in walk(expr))
    return frozenset((one[0], one[1]) for one in parts if one[0] in NAMED)


names_read_in = OfPart[program.Routine, frozenset[tuple[str, str]]](
    lambda routine: names_read(expr for row in routine.rows for expr in expressions_of(row))
)


def texts_in(parts: Iterable[object]) -> frozenset[str]:
    """Every text constant in some parts of a program."""
    found = (value for part in parts for value in constants_of(part))
    return frozenset(value for value in found if isinstance(value, str))


texts_of = OfPart[program.Routine, frozenset[str]](lambda routine: texts_in(routine.rows))


@dataclass(frozen=True, eq=False)
class Summaries:
    """The summaries of all routines at one point of the build."""

    symbols: Symbols
    routines: Mapping[str, program.Routine]
    once: Collection[str]
    """The once-per-turn routines."""
    entities: Sequence[program.Entity]
    functions: Sequence[program.Function]
    assignments: Mapping[str, tuple[program.Assignment, ...]]
    moves: Mapping[str, tuple[program.Move, ...]]
    triggers: Sequence[program.Trigger]
    replacements: Sequence[program.Replacement]

    def outline(self, id: str) -> Outline:
        """The outline of one routine."""
        return outline_of(self.routines[id])

    @cached_property
    def uses(self) -> dict[str, tuple[str, ...]]:
        """The graph of uses by name."""
        return {id: tuple(outline_of(one).uses) for id, one in self.routines.items()}

    @cached_property
    def repeating(self) -> Mapping[Callee, tuple[Callee, ...]]:
        """The call graph without once-per-turn answers."""
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

    @cached_property
    def blind(self) -> set[Callee]:
        """The routines whose own rows cannot be foreseen."""
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
        """The names that the rows of a routine read, directly or by functions."""
        return self.through(names_read_in(self.routines[routine]))

    def through(self, names: Names) -> Names:
        """The closure of names under the reads of functions."""
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
        """The names read by a routine, or by an event and its answers."""
        if callee.kind == "routine":
            return self.names(callee.name) if callee.name in self.routines else frozenset()
        done = (*self.assignments.get(callee.name, ()), *self.moves.get(callee.name, ()))
        parts = (*done, *self.answers.get(callee.name, ()))
        return self.through(names_read(expr for part in parts for expr in expressions_of(part)))
