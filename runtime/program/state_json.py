"""A state as canonical plain data, and its hash.

A save rebuilds its states by answering again and compares the hash; only the world that a game
started from, and the values that the host set, are read back.
"""

from __future__ import annotations

import hashlib
from fractions import Fraction
from typing import Any

from ruleloom.runtime.program.canonical_json import SaveError, canonical, ratio_data, ratio_of
from ruleloom.runtime.program.state import Outcome, State, frames
from ruleloom.runtime.program.values import LARGEST, Dynamic, FrozenMap

MOST_DEPTH = 20
# Most parts of a state are of these types, and stand as they are.
PLAIN = frozenset((int, bool, str, type(None)))


def value_data(value: Dynamic) -> Dynamic:
    """One value: lists and points as lists, tables and sets as tagged, sorted lists."""
    if isinstance(value, tuple):
        return [item if type(item) in PLAIN else value_data(item) for item in value]
    if isinstance(value, FrozenMap):
        pairs = [[value_data(key), value_data(item)] for key, item in value.items()]
        return {"table": sorted(pairs, key=canonical)}
    if isinstance(value, frozenset):
        return {"set": sorted((value_data(item) for item in value), key=canonical)}
    return ratio_data(value) if isinstance(value, Fraction) else value


def value_of(data: object, depth: int = 0) -> Dynamic:
    """The value that `value_data` wrote; SaveError if it is none."""
    if depth > MOST_DEPTH:
        raise SaveError("values are nested too deep")
    if isinstance(data, list):
        return tuple([value_of(item, depth + 1) for item in data])
    if isinstance(data, dict):
        return _ratio_of(data) if "ratio" in data else _table_of(data, depth + 1)
    if data is None or type(data) in (str, bool) or (type(data) is int and abs(data) <= LARGEST):
        return data
    raise SaveError("a value was expected")


def _ratio_of(data: dict[str, Any]) -> Fraction:
    try:
        return ratio_of(data)
    except ValueError:
        raise SaveError("a fraction was expected") from None


def _table_of(data: dict[str, Any], depth: int) -> FrozenMap:
    pairs = data.get("table")
    if data.keys() != {"table"} or type(pairs) is not list:
        raise SaveError("a table of values was expected")
    if not all(type(pair) is list and len(pair) == 2 for pair in pairs):
        raise SaveError("a table of values is a list of pairs")
    return FrozenMap((value_of(key, depth), value_of(item, depth)) for key, item in pairs)


def state_data(state: State) -> dict[str, Any]:
    """A whole state; the frames stand in order of depth, the running one first."""
    waiting = [frame._replace(parent=None) for frame in frames(state.frame)]
    outcome = state.outcome
    return {
        "world": value_data(state.world),
        "scope": value_data(state.scope),
        "frames": [[value_data(part) for part in frame] for frame in waiting],
        "queue": [value_data(one if one.depth else one[:2]) for one in state.queue],
        "begun": state.begun,
        "outcome": None if outcome is None else _outcome_data(outcome),
    }


def _outcome_data(outcome: Outcome) -> list[Any]:
    plain: list[Any] = [outcome.winner, outcome.reason]
    return [*plain, [list(rank) for rank in outcome.ranking]] if outcome.ranking else plain


def state_text(state: State) -> str:
    """The state as canonical JSON, on one line."""
    return canonical(state_data(state))


def state_hash(state: State) -> str:
    """SHA-256 of the canonical JSON: 64 hexadecimal digits."""
    return hashlib.sha256(state_text(state).encode("utf-8")).hexdigest()
