"""What functions read, and functions that remember what they came to until something they read changes.

A measure is asked again and again between two changes of what it is about: who is there, what somebody's score is.
Everything that it can read is known from its expression, so that what it came to can be kept exactly as long as it
holds. What asks a query is not kept, for a driver may read anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from runtime.program import Expr, Function

Compiled = Callable[..., Any]
# So many answers are kept of one function at a time.
MOST_KEPT = 20_000


@dataclass(frozen=True, slots=True)
class Reads:
    """What an expression reads: columns and variables of the game by name, and perhaps which rules are ignored.

    `known` is false of what asks a query, `loops` true of what goes through a list.
    """

    columns: frozenset[str] = frozenset()
    scope: frozenset[str] = frozenset()
    rules: bool = False
    known: bool = True
    loops: bool = False

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


def reads_of(functions: Mapping[str, Function]) -> dict[str, Reads]:
    """What each function reads, with all that it calls."""
    found: dict[str, Reads] = {}
    for id in functions:
        _settle(id, functions, found)
    return found


def _settle(id: str, functions: Mapping[str, Function], found: dict[str, Reads]) -> Reads:
    if id not in found:
        found[id] = ASKS  # of one that calls itself, which no checked program has, nothing is kept
        total = Reads()
        for form in _forms(functions[id].body):
            total |= _read(form)
            if form[0] in ("function", "allowed"):
                total |= _settle(form[1], functions, found)
        found[id] = total
    return found[id]


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


def remembering(function: Compiled, state: Compiled) -> Compiled:
    """The same function `f(w, s, g, *args)`, which works out again only what it has not kept.

    `state(w, s, g)` is all that it reads. What is kept goes with the state it was worked out for, in one pair, so
    that whoever uses it at the same time never mixes two.
    """
    held: tuple[Any, dict[tuple[Any, ...], Any]] = (None, {})

    def call(w: Any, s: Any, g: Any, *args: Any) -> Any:
        nonlocal held
        now = state(w, s, g)
        then, kept = held
        if now != then:
            kept = {}
            held = (now, kept)
        if args in kept:
            return kept[args]
        value = function(w, s, g, *args)
        if len(kept) < MOST_KEPT:
            kept[args] = value
        return value

    return call
