"""Rules and measures, checked when something first speaks of them.

They may speak of one another but not in a circle. `Functions` keeps what each turned out to be and hands
out the circle where there is one; how a body is checked is given to it, since that needs everything else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from compiler.scopes import ZoneRead
from runtime.program import Expr


@dataclass(frozen=True, slots=True)
class Body:
    """A lowered rule or measure: slots 0, 1, ... are its parameters. `zones` are the zones it looks into."""

    expr: Expr
    zones: tuple[ZoneRead, ...]


class Circle(Exception):
    """A rule or measure needs itself; `names` go once round."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(names)
        self.names = names


class Functions:
    """The bodies of rules and measures by name; None for one that is broken."""

    def __init__(self, check: Callable[[str], Body | None]) -> None:
        self._check = check
        self._known: dict[str, Body | None] = {}
        self._open: list[str] = []

    def body(self, name: str) -> Body | None:
        """The body of a rule or measure; raises Circle if it is being checked right now."""
        if name in self._known:
            return self._known[name]
        if name in self._open:
            raise Circle((*self._open[self._open.index(name) :], name))
        self._open.append(name)
        try:
            self._known[name] = self._check(name)
        finally:
            self._open.pop()
        return self._known[name]
