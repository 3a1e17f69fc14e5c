"""Keys of states: equal for those that go on alike.

Dead local variables are left out, and those of the game where the outcome reads none. A thing shared
by two states, as most columns are, is compared by identity alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from ruleloom.runtime.analysis.live_variables import LiveVariables
from ruleloom.runtime.analysis.liveness import LiveSlots, still_read
from ruleloom.runtime.link.symbolic_pools import named
from ruleloom.runtime.program.state import Frame, State
from ruleloom.runtime.program.values import Scope, World


class _Numbers:
    """A number for each thing, the same for equals; nothing is compared before there are two."""

    def __init__(self) -> None:
        # What has a number is kept, so that nothing else comes to lie in its place.
        self._kept: list[Any] = []
        self._by_place: dict[int, int] = {}
        self._by_value: dict[Hashable, int] = {}

    def of(self, thing: Any) -> int:
        """The number of a thing."""
        number = self._by_place.get(id(thing))
        if number is None:
            number = self._by_place[id(thing)] = self._looked_up(thing)
        return number

    def _looked_up(self, thing: Any) -> int:
        self._kept.append(thing)
        if len(self._kept) == 1:
            return 0
        if not self._by_value:
            self._by_value[self._key(self._kept[0])] = 0
        return self._by_value.setdefault(self._key(thing), len(self._by_value))

    def _key(self, thing: Any) -> Hashable:
        return thing  # type: ignore[no-any-return]


class _Worlds(_Numbers):
    """Numbers of worlds, by those of their columns: an operation changes few of them."""

    def __init__(self) -> None:
        super().__init__()
        self._columns: list[_Numbers] = []

    def _key(self, world: World) -> Hashable:
        if not self._columns:
            self._columns = [_Numbers() for _ in world]
        return tuple(
            [numbers.of(column) for numbers, column in zip(self._columns, world, strict=True)]
        )


class StateKeys:
    """The keys of the states of one layer.

    Open dice lie in variables of the game at `places`, or in local variables; nowhere if that is
    None. `variables` says which variables of the game are live; None if all are.
    """

    def __init__(
        self,
        live: LiveSlots,
        places: Sequence[int] | None,
        variables: LiveVariables | None = None,
    ) -> None:
        self._live = live
        self._places = places
        self._variables = variables
        self._worlds = _Worlds()

    def of(self, state: State) -> Hashable:
        """The key of a state."""
        world, scope, frame, *rest = state
        number = self._worlds.of(world)
        if self._places is None:
            return (number, self._known(scope, frame), self._frame(frame), *rest)
        variables = [*scope]
        for place in self._places:
            if variables[place].__class__ is not int:
                variables[place] = named(variables[place])
        return (number, self._known(tuple(variables), frame), self._named_frame(frame), *rest)

    def _known(self, scope: Scope, frame: Frame | None) -> Scope:
        """The variables of the game, those left out that cannot be read any more."""
        return scope if self._variables is None else self._variables.still_read(scope, frame)

    def _frame(self, frame: Frame | None) -> Hashable:
        if frame is None:
            return None
        routine, pc, _, parent, *others = frame
        return (routine, pc, still_read(frame, self._live), self._frame(parent), *others)

    def _named_frame(self, frame: Frame | None) -> Hashable:
        if frame is None:
            return None
        routine, pc, _, parent, slot, inherited, relaxed, restore, *others = frame
        slots, waiting = named(still_read(frame, self._live)), self._named_frame(parent)
        back = restore and named(restore)
        return (routine, pc, slots, waiting, slot, inherited, relaxed, back, *others)
