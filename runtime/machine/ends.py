"""The known order of lazy piles, and its changes when things come and go.

A column beside such a pile holds its ends: the things on top and at the bottom, each in the order
in which they will be drawn. What lies between has no order until chance makes one.
"""

from __future__ import annotations

from collections.abc import Mapping

from ruleloom.runtime.link.ops import without
from ruleloom.runtime.program.values import Column, Dynamic, Ends, Value, World

NO_ENDS: Ends = ((), ())


def several(value: Dynamic) -> tuple[Dynamic, ...]:
    """One or several as several, each once; none is nothing."""
    if value is None:
        return ()
    return tuple(dict.fromkeys(value)) if isinstance(value, tuple) else (value,)


def between(pile: Column, ends: Ends) -> tuple[Value, ...]:
    """The things in a pile that have no order yet."""
    known = {*ends[0], *ends[1]}
    return tuple([thing for thing in pile if thing not in known]) if known else tuple(pile)


def known_next(ends: Ends, pile: Column) -> Value:
    """The thing surely drawn next; None if chance decides, or nothing is there."""
    top, bottom = ends
    if top:
        return top[0]
    return bottom[0] if bottom and len(bottom) == len(pile) else None


def kept_ends(piles: Mapping[int, int], before: World, after: World) -> World:
    """A world whose piles are still known as far as they can be: what came into one is shuffled in."""
    columns = list(after)
    for pile, at in piles.items():
        if after[pile] is not before[pile] and after[at] != NO_ENDS:
            columns[at] = _kept(after[at], set(before[pile]), set(after[pile]))
    return tuple(columns)


def _kept(ends: Ends, before: set[Value], after: set[Value]) -> Ends:
    if not after <= before:
        return NO_ENDS
    gone = before - after
    return without(ends[0], gone), without(ends[1], gone)
