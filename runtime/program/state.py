"""The machine's state: immutable, hashable, and nothing but data.

A suspended effect is a chain of frames; a fork costs a reference. Equal states continue equally.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from ruleloom.runtime.program.canonical_json import SaveError, canonical, ratio_data, ratio_of
from ruleloom.runtime.program.faults import Origin
from ruleloom.runtime.program.values import LARGEST, Dynamic, FrozenMap, Scope, Value, World

NO_RULES: frozenset[str] = frozenset()


class Frame(NamedTuple):
    """One suspended or running routine.

    `slots` are the local variables; `slot` is the caller's slot for the result (-1: none). `inherited`
    are the rules ignored by callers, `relaxed` those that this routine ignores now. `restore` holds
    scope variables to reset when the routine ends. `fuel` counts the enclosing dynamic uses, `depth` the
    frames below.
    """

    routine: int
    pc: int
    slots: tuple[Dynamic, ...]
    parent: Frame | None
    slot: int
    inherited: frozenset[str]
    relaxed: frozenset[str]
    restore: tuple[tuple[int, Value], ...]
    fuel: int
    depth: int

    @property
    def ignored(self) -> frozenset[str]:
        """Every rule ignored here."""
        return self.inherited | self.relaxed if self.relaxed else self.inherited


def frames(frame: Frame | None) -> Iterator[Frame]:
    """A frame and its callers, innermost first."""
    while frame is not None:
        yield frame
        frame = frame.parent


class Queued(NamedTuple):
    """A waiting response: a routine with its arguments.

    In a simultaneous group it waits for the frame below `depth`, ignores `rules` and looks back to
    `past`; others wait for the end of the outermost use. `by` is the doer of the replaced operation:
    None for me.
    """

    routine: int
    args: tuple[Value, ...]
    depth: int = 0
    rules: frozenset[str] = NO_RULES
    past: Value = None
    by: int | None = None


Queue = tuple[Queued, ...]


class Mark(NamedTuple):
    """The state at the start of a use, restored if the use cannot be done.

    `depth` is that of its frame, `told` the number of events by then.
    """

    depth: int
    world: World
    scope: tuple[Value, ...]
    queue: Queue
    told: int


class Outcome(NamedTuple):
    """The result of the game. `winner` is None for a draw, and if several have won.

    `ranking` groups the players by rank; it is empty for a plain end.
    """

    winner: int | None
    reason: str
    ranking: tuple[tuple[int, ...], ...] = ()

    @property
    def winners(self) -> tuple[int, ...]:
        """All winners."""
        if self.ranking:
            return self.ranking[0]
        return () if self.winner is None else (self.winner,)

    @property
    def told(self) -> tuple[int | tuple[tuple[int, ...], ...] | None, ...]:
        """The outcome for the log: the winner, and the ranking if there is one."""
        return (self.winner, self.ranking) if self.ranking else (self.winner,)

    def result(self, players: Sequence[str]) -> str:
        """The result in words: `Ann wins (1. Ann, 2. Bo and Cy)`; empty for a draw."""
        return result_text(self.told, players)


def result_text(told: Sequence[Any], players: Sequence[str]) -> str:
    """The result in words, from the arguments of its log event; empty for a draw."""
    winner, ranking = told[0], told[1] if len(told) > 1 else ()
    ranks = [" and ".join(players[one] for one in rank) for rank in ranking]
    if not ranks:
        return "" if winner is None else f"{players[winner]} wins"
    said = f"{ranks[0]} {'wins' if winner is not None else 'win'}"
    listed = ", ".join(f"{place}. {names}" for place, names in enumerate(ranks, 1))
    return f"{said} ({listed})" if len(ranks) > 1 else said


class State(NamedTuple):
    """Everything that determines further play.

    `frame` is None between flows. `queue` holds waiting responses. `begun` is false until set-up has
    started.
    """

    world: World
    scope: Scope
    frame: Frame | None
    queue: Queue
    begun: bool
    outcome: Outcome | None


class Event(NamedTuple):
    """An operation, a roll, a draw, a remark, a fizzled use, a correction or another event.

    `before` and `after` are the worlds around it, so that it can be worded later. `actor` is the player
    who did it, usually the acting one; `seen_by` the players who may read it, None for all. `origin` is
    the line of effect text that called an operation; None for an always-rule.
    """

    kind: str
    name: str
    args: tuple[Dynamic, ...]
    before: World
    after: World
    actor: int | None
    seen_by: tuple[int, ...] | None
    origin: Origin | None = None


class TemplateScope(NamedTuple):
    """A snapshot of a routine's inputs, to fill the holes of a text later."""

    routine: str
    world: World
    slots: tuple[Dynamic, ...]
    scope: Scope
    rules: frozenset[str]
    pc: int = -1
    """The row, if things shown before it are to count."""
    caller: Frame | None = None


MOST_DEPTH = 20
# Most parts of a state are of these types, and need no conversion.
PLAIN = frozenset((int, bool, str, type(None)))


def value_data(value: Dynamic) -> Dynamic:
    """Plain data: lists and points as lists, tables and sets as tagged, sorted lists."""
    if isinstance(value, tuple):
        return [item if type(item) in PLAIN else value_data(item) for item in value]
    if isinstance(value, FrozenMap):
        pairs = [[value_data(key), value_data(item)] for key, item in value.items()]
        return {"table": sorted(pairs, key=canonical)}
    if isinstance(value, frozenset):
        return {"set": sorted((value_data(item) for item in value), key=canonical)}
    return ratio_data(value) if isinstance(value, Fraction) else value


def value_of(data: object, depth: int = 0) -> Dynamic:
    """The value of `value_data` output; SaveError if it is invalid."""
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
    """A state as data; frames are in order of depth, the running one first."""
    waiting = [frame._replace(parent=None) for frame in frames(state.frame)]
    outcome = state.outcome
    return {
        "world": value_data(state.world),
        "scope": value_data(state.scope),
        "frames": [[value_data(part) for part in frame] for frame in waiting],
        "queue": [value_data(_told_of(one)) for one in state.queue],
        "begun": state.begun,
        "outcome": outcome and value_data(outcome if outcome.ranking else outcome[:2]),
    }


def _told_of(one: Queued) -> tuple[Dynamic, ...]:
    """A waiting response, without trailing default values."""
    if not one.depth:
        return one[:2]
    return one[:-1] if one.by is None else one


def state_text(state: State) -> str:
    """The state as canonical JSON, on one line."""
    return canonical(state_data(state))


def state_hash(state: State) -> str:
    """SHA-256 of the canonical JSON: 64 hexadecimal digits."""
    return hashlib.sha256(state_text(state).encode("utf-8")).hexdigest()
