"""Memoised functions: a result is kept until something that the function reads changes.

What a function can read is known from its expression. Nothing that asks a query is kept, since a
driver may read anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ruleloom.runtime.program.values import Dynamic, Rules, Scope, Value, World

# A function of the program: `f(w, s, g, *args)`.
FunctionCode: TypeAlias = Callable[..., Dynamic]
# So many answers are kept of one function at a time.
MOST_KEPT = 20_000
UNKNOWN = object()

# All that such a function reads.
StateCode: TypeAlias = Callable[[World, Scope, Rules], tuple[Dynamic, ...]]
# The cached results, behind the world, scope, rules and state that they hold for.
_Held: TypeAlias = tuple[
    World | None, Scope | None, Rules | None, tuple[Dynamic, ...], dict[tuple[Value, ...], Dynamic]
]


def remembering(function: FunctionCode, state: StateCode) -> FunctionCode:
    """The same function `f(w, s, g, *args)` with a cache, valid as long as `state(w, s, g)`.

    The cache and its state are one tuple, so that threads never mix two.
    """
    held: _Held = (None, None, None, (), {})

    def call(w: World, s: Scope, g: Rules, *args: Value) -> Dynamic:
        nonlocal held
        world, scope, rules, then, kept = held
        if w is not world or s is not scope or g is not rules:
            now = state(w, s, g)
            if now != then:
                kept = {}
            held = (w, s, g, now, kept)
        value = kept.get(args, UNKNOWN)
        if value is UNKNOWN:
            value = function(w, s, g, *args)
            if len(kept) < MOST_KEPT:
                kept[args] = value
        return value

    return call
