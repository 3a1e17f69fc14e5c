"""What an expression reads, and whether a function of it is worth remembering.

In goes an expression, out come the columns and the variables of the game that decide what it comes
to. The machine remembers by this; the compiler reckons with it that it does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ruleloom.runtime.program.ir import Expr


@dataclass(frozen=True, slots=True)
class Reads:
    """What an expression reads: columns and variables of the game by name, and perhaps which rules
    are ignored.

    `known` is false of what asks a query, `loops` true of what goes through a list.
    """

    columns: frozenset[str] = frozenset()
    scope: frozenset[str] = frozenset()
    rules: bool = False
    known: bool = True
    loops: bool = False

    @property
    def remembered(self) -> bool:
        """Is what this comes to worth keeping, and can it be kept?"""
        return self.known and self.loops

    def __or__(self, other: Reads) -> Reads:
        return Reads(
            self.columns | other.columns,
            self.scope | other.scope,
            self.rules or other.rules,
            self.known and other.known,
            self.loops or other.loops,
        )


ASKS = Reads(known=False)
LOOPS = Reads(loops=True)
RULES = Reads(rules=True)


def reads_in(body: Expr, reads: Callable[[str], Reads]) -> Reads:
    """What an expression reads, given what each function that it calls reads."""
    total = Reads()
    for form in _forms(body):
        total |= _read(form)
        if form[0] in ("function", "allowed"):
            total |= reads(form[1])
    return total


def _forms(expr: Any) -> Iterator[Expr]:
    """The expression and every one within it; constants are not looked into."""
    if isinstance(expr, tuple) and expr and isinstance(expr[0], str) and expr[0] != "value":
        yield expr
        for part in expr[1:]:
            yield from _forms(part)


def _read(form: Expr) -> Reads:
    match form[0]:
        case "field" | "zone" | "at":
            return Reads(columns=frozenset({form[1]}))
        case "scope":
            return Reads(scope=frozenset({form[1]}))
        case "allowed":
            return RULES
        case "query":
            return ASKS
        case "each" if form[4][0] != "list":  # a sum of a few that are written out is no loop
            return LOOPS
    return Reads()
