"""Rules and measures, checked when something first refers to them.

They may refer to one another but not in a circle. `Functions` keeps the checked bodies and raises
the circle where there is one; how to check a body is passed in, since that needs everything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ruleloom.compiler.flow.flow import ZoneRead
from ruleloom.compiler.packs.poison import slug_of
from ruleloom.compiler.query.lookups import BODY, Lookups, Remembered, Table
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.calls import reached
from ruleloom.runtime.program.expr import Reads, calls
from ruleloom.runtime.program.interval import ANY_NUMBER, Interval
from ruleloom.runtime.program.program import Expr

MOST_NESTED = 24
Facts = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Body:
    """A lowered rule or measure: slots 0, 1, ... are its parameters.

    `zones` are the zones it looks into. It is not `sound` if something in it was complained about.
    """

    expr: Expr
    zones: tuple[ZoneRead, ...]
    sound: bool = True


class Circle(Exception):
    """A rule or measure needs itself; `names` go once round."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(names)
        self.names = names


class TooDeep(Exception):
    """Rules and measures need one another more than `MOST_NESTED` deep."""


class Functions:
    """The bodies of rules and measures by name; None for one that is broken.

    By id: `work` is how many evaluations each may take, beside those `once` of measures without
    parameters that the machine remembers, of which it needs `asked`; `nesting` is how deep it needs
    others, `spans` and `lengths` how large its result can be, `lasting` how large whatever packs
    bring along, `limits` within what a stat says that it stays, `reads` what it reads. `views` are
    the same at other settings.
    """

    def __init__(self, check: Callable[[str], Body | None], lookups: Lookups) -> None:
        self.work = Table[str, int]()
        self.once = Table[str, int]()
        self.asked = Table[str, frozenset[str]]()
        self.reads = Table[str, Reads]()
        self.nesting = Table[str, int]()
        self.limits = Table[str, Interval]()
        self.lasting = Remembered[str, Interval](lookups)
        self.spans = Remembered[str, Interval | None](lookups)
        self.lengths = Remembered[str, int | None](lookups)
        self.views: dict[frozenset[str], tuple[Symbols, Functions]] = {}
        self.lookups = lookups
        for name, table in self.tables().items():
            table.watched(name, lookups)
        self._check = check
        self._known: dict[str, Body | None] = {}
        self._open: list[str] = []

    def body(self, name: str) -> Body | None:
        """The body of a rule or measure. Raises Circle if it is being checked already, TooDeep."""
        self.lookups.note((BODY, name))
        if name in self._known:
            return self._known[name]
        if name in self._open:
            raise Circle((*self._open[self._open.index(name) :], name))
        if len(self._open) >= MOST_NESTED:
            raise TooDeep
        self._open.append(name)
        try:
            with self.lookups.apart():
                self._known[name] = self._check(name)
        finally:
            self._open.pop()
        return self._known[name]

    def of(self, id: str) -> Body | None:
        """The body of the rule or measure with this id."""
        return self.body(slug_of(id.rpartition("/")[2]))

    def called(self, exprs: Iterable[Expr]) -> list[Expr]:
        """The bodies of all that some expressions call, and of what those call."""

        def within(id: str) -> Iterable[str]:
            body = self.of(id)
            return calls(body.expr) if body is not None else ()

        ids = reached((id for expr in exprs for id in calls(expr)), within)
        return [body.expr for body in map(self.of, ids) if body is not None]

    def settle(self) -> None:
        """Drop the references back to this: the checker of bodies, and the views. A body that is not
        known by now never will be."""
        self._check = _unknown
        self.views.clear()

    def tables(self) -> dict[str, Table[str, Any]]:
        """The tables of facts by id, each under its name."""
        names = ("work", "once", "asked", "reads", "nesting", "limits")
        return {f"function {name}": getattr(self, name) for name in names}

    def own_limits(self, id: str) -> Interval:
        """The bounds of a stat that is being checked: those that it has set itself, it does not look up."""
        with self.lookups.apart():
            return self.limits.get(id, ANY_NUMBER)

    def facts(self, id: str) -> Facts:
        """The facts of one rule or measure in `tables`."""
        return tuple((name, table.peek(id)) for name, table in self.tables().items())

    def restore(self, id: str, facts: Facts) -> None:
        """Enter its facts again, from when it was checked."""
        tables = self.tables()
        for name, fact in facts:
            if fact is not None:
                tables[name][id] = fact


def _unknown(name: str) -> Body | None:
    """The body of a function that was never asked for in time."""
    return None


def body_under(symbols: Symbols, functions: Functions, name: str) -> object:
    """The body under a name and its facts, for a later build to compare."""
    with symbols.lookups.apart():
        body = functions.body(name)
    callee = symbols.callables.peek(name)
    return body, functions.facts(getattr(callee, "id", ""))
