"""What is found out about a part of a program, once for all programs that share the part.

Cases, and games with other players or settings, are linked with programs of their own, and nearly
all routines and functions of these are the very same objects.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Part = TypeVar("Part")
Found = TypeVar("Found")

MOST_KEPT = 20_000


class OfPart(Generic[Part, Found]):
    """What a function finds in a part of a program, by the identity of the part.

    The part is kept beside it, so that no other one can get the same id. Threads may share it.
    """

    __slots__ = ("_find", "_kept")

    def __init__(self, find: Callable[[Part], Found]) -> None:
        self._find = find
        self._kept: dict[int, tuple[Part, Found]] = {}

    def __call__(self, part: Part) -> Found:
        """What there is in this part."""
        kept = self._kept.get(id(part))
        if kept is not None:
            return kept[1]
        found = self._find(part)
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
        self._kept[id(part)] = part, found
        return found
