"""Rules and measures, checked when something first refers to them.

They may refer to one another but not in a circle. `Functions` keeps the checked bodies and raises
the circle where there is one; how to check a body is passed in, since that needs everything else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ruleloom.compiler.flow.flow import ZoneRead
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.runtime.program.expr import Reads
from ruleloom.runtime.program.interval import Interval
from ruleloom.runtime.program.program import Expr

MOST_NESTED = 24


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
    others, `spans` and `lengths` how large its result can be, `limits` how large whatever packs
    bring along, `reads` what it reads. `views` are the same at other settings.
    """

    def __init__(self, check: Callable[[str], Body | None]) -> None:
        self.work: dict[str, int] = {}
        self.once: dict[str, int] = {}
        self.asked: dict[str, frozenset[str]] = {}
        self.reads: dict[str, Reads] = {}
        self.nesting: dict[str, int] = {}
        self.spans: dict[str, Interval | None] = {}
        self.limits: dict[str, Interval] = {}
        self.lengths: dict[str, int | None] = {}
        self.views: dict[frozenset[str], tuple[Symbols, Functions]] = {}
        self._check = check
        self._known: dict[str, Body | None] = {}
        self._open: list[str] = []

    def body(self, name: str) -> Body | None:
        """The body of a rule or measure. Raises Circle if it is being checked already, TooDeep."""
        if name in self._known:
            return self._known[name]
        if name in self._open:
            raise Circle((*self._open[self._open.index(name) :], name))
        if len(self._open) >= MOST_NESTED:
            raise TooDeep
        self._open.append(name)
        try:
            self._known[name] = self._check(name)
        finally:
            self._open.pop()
        return self._known[name]
