"""A game that tells which rows it runs, and which conditions of numbers and rules hold.

A row tells of itself by an event of the kind RAN, so that what leads to a node stands among the
events of that node, whatever look-ahead has tried besides. The log has no words for such events.
What functions find out goes to the `Found` that is handed in: they leave no events.
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
    """What functions were worked out, and which came to yes or no.

    A function goes by its id, a modifier by its stat and the texts that it came by; each with what
    it came to, or None where that is neither yes nor no.
    """

    seen: set[tuple[object, bool | None]] = field(default_factory=set)

    def tell(self, what: object, value: Any) -> Any:
        """Note a value that something came to, and hand it on."""
        self.seen.add((what, value if isinstance(value, bool) else None))
        return value


def watched(linked: Linked, found: Found) -> Linked:
    """The same game, made ready anew so that it tells what it does."""

    def codegen(*made_of: Any) -> Codegen:
        return WatchedCodegen(found, *made_of)

    return Linked(linked.program, linked.layout, linked.driver, linked.settings, codegen)


def ran(r: Any, number: int) -> None:
    """Tell of a row that is about to run."""
    row, world = r.routine.rows[number], r.world
    r.events.append(Event(RAN, r.routine.id, (number, row), world, world, None, None, row.origin))


class WatchedCodegen(Codegen):
    """Expressions in which functions, and the tests of modifiers, tell what they come to."""

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
                    # In a program that was read, the body does not hold the test itself.
                    self._told.update((id(part), name) for part in parts if part == one.test)

    def _name(self, what: object) -> str:
        """The name of something in the source of an expression."""
        return self._bind("told", repr(what), what)

    def _source(self, expr: Expr, names: Names) -> str:
        source = super()._source(expr, names)
        what = self._told.get(id(expr))
        return source if what is None else f"_tell({what}, {source})"
