"""A game that records the rows it runs, and the results of conditions of numbers and rules.

A row emits an event of kind RAN, so that the events of a node show all that led to it, whatever else
look-ahead has tried. The log has no words for such events. Results of functions go to the given `Found`:
they emit no events.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.codegen import Codegen, Names
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.expr import walk
from ruleloom.runtime.program.program import Expr, Program
from ruleloom.runtime.program.state import Event

RAN = "ran"


@dataclass(eq=False)
class Found:
    """The functions evaluated, and their truth values.

    A function is identified by its id, a modifier by its stat and the texts it passed through; the
    result is None unless yes or no.
    """

    seen: set[tuple[object, bool | None]] = field(default_factory=set)

    def tell(self, what: object, value: Any) -> Any:
        """Record a result, and return it."""
        self.seen.add((what, value if isinstance(value, bool) else None))
        return value


def watched(linked: Linked, found: Found) -> Linked:
    """The same game, linked again with recording."""

    def codegen(*made_of: Any) -> Codegen:
        return WatchedCodegen(found, *made_of)

    return Linked(linked.program, linked.layout, linked.driver, linked.settings, codegen)


def ran(r: Any, number: int) -> None:
    """Emit an event for a row about to run."""
    row, world = r.routine.rows[number], r.world
    r.events.append(Event(RAN, r.routine.id, (number, row), world, world, None, None, row.origin))


class WatchedCodegen(Codegen):
    """Code generator in which functions and tests of modifiers record their results."""

    ran = staticmethod(ran)

    def __init__(self, found: Found, program: Program, *rest: Any) -> None:
        super().__init__(program, *rest)
        self._space["_tell"] = found.tell
        self._told: dict[int, str] = {}  # by the identity of an expression
        for function in program.functions:
            self._told[id(function.body)] = self._name(("function", function.id))
        bodies = {function.id: function.body for function in program.functions}
        for stat in program.stats:
            parts = list(walk(bodies[stat.id]))
            for one in stat.modifiers:
                if one.test is not None:
                    name = self._name(("modifier", stat.id, one.via))
                    # In a program read from a save, the body does not share the test by identity.
                    self._told.update((id(part), name) for part in parts if part == one.test)

    def _name(self, what: object) -> str:
        """The source name of a recorded item."""
        return self._bind("told", repr(what), what)

    def _fixed(self, expr: Expr) -> None:
        """Nothing is fixed, so that each evaluation is recorded."""

    def _source(self, expr: Expr, names: Names) -> str:
        source = super()._source(expr, names)
        what = self._told.get(id(expr))
        return source if what is None else f"_tell({what}, {source})"
