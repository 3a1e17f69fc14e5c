"""A game that tells which rows it runs, and which conditions of numbers and rules hold.

A row tells of itself by an event of the kind RAN, so that what leads to a node stands among the
events of that node, whatever look-ahead has tried besides. The log has no words for such events.
What functions find out goes to the `Found` that is handed in: they leave no events.

The machine itself knows nothing of this: the blocks of a watched routine are made anew, one a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import partial
from typing import Any

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.codegen import BasicBlock, BasicBlocks, Codegen
from ruleloom.runtime.link.link import Linked, LinkedRoutine, LinkedRoutines
from ruleloom.runtime.program.expr import walk
from ruleloom.runtime.program.program import Expr, Jump, Program, Routine, Row
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

    made = Linked(linked.program, linked.layout, linked.driver, linked.settings, codegen)
    made.routines = WatchedRoutines(made.program, made.codegen)
    return made


class WatchedCodegen(Codegen):
    """Expressions in which functions, and the tests of modifiers, tell what they come to."""

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

    def _source(self, expr: Expr, names: Mapping[int, str]) -> str:
        source = super()._source(expr, names)
        what = self._told.get(id(expr))
        return source if what is None else f"_tell({what}, {source})"


class WatchedRoutines(LinkedRoutines):
    """Routines whose rows tell when they are run."""

    def __missing__(self, number: int) -> LinkedRoutine:
        plain = super().__missing__(number)
        routine = self.program.routines[number]
        found = replace(plain, blocks=WatchedBlocks(routine, self.codegen))
        self[number] = found
        return found


class WatchedBlocks(BasicBlocks):
    """A block for every row: one that is not plain is told, and then run as ever.

    Nothing is kept as an entry, so that each time a row is about to run it is looked up here.
    """

    __slots__ = ("_about", "_rows", "_singles")

    def __init__(self, routine: Routine, codegen: Codegen) -> None:
        super().__init__(routine, codegen)
        self._singles = _SingleRows(routine, codegen)
        self._rows: dict[int, BasicBlock] = {}
        self._about = -1  # the row that has been told, and runs next

    def __missing__(self, start: int) -> BasicBlock | None:
        if self._about == start:
            self._about = -1
            return None
        if start not in self._rows:
            self._rows[start] = self._telling(start)
        return self._rows[start]

    def row_of(self, start: int, error: BaseException) -> int:
        """The row at which the block that begins with row `start` failed."""
        return self._singles.row_of(start, error)

    def _telling(self, start: int) -> BasicBlock:
        routine, row = self._routine, self._routine.rows[start]
        block = self._singles[start]
        if isinstance(row, Jump):  # which is no line of a block, and would bring the next one along
            block = partial(_to, row.to)

        def run(r: Any, w: Any, e: Any, s: Any, g: Any) -> int:
            r.events.append(ran(routine.id, start, row, r))
            if block is None:
                self._about = start
                r.steps -= 1  # it counts when it runs
                return start
            to = block(r, w, e, s, g)
            r.steps -= to > start  # as if it stood in a longer block
            return to

        return run


class _SingleRows(BasicBlocks):
    """Blocks of a single row each."""

    __slots__ = ()

    def __init__(self, routine: Routine, codegen: Codegen) -> None:
        super().__init__(routine, codegen)
        self._joins = frozenset(range(len(routine.rows)))


def _to(number: int, *_registers: Any) -> int:
    return number


def ran(routine: str, number: int, row: Row, r: Any) -> Event:
    """The event of a row that is about to run."""
    return Event(RAN, routine, (number, row), r.world, r.world, None, None, row.origin)
