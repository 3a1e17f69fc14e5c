"""A bounded cache, least recently used first out, for results that depend on their key alone.

Results are shared, so nobody may change them. The bound counts characters of source text, as the
trees made of a text grow with it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Generic, TypeVar

Made = TypeVar("Made")

OVERHEAD = 100  # characters that even the shortest text counts for


class Memo(Generic[Made]):
    """The results of the latest calls, by key. Threads may share it."""

    __slots__ = ("_kept", "_lock", "_most", "_size")

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._kept: dict[Hashable, tuple[int, Made]] = {}
        self._lock = Lock()

    def get(self, key: Hashable, size: int, make: Callable[[], Made]) -> Made:
        """Return what `make` gave for this key, or call it; `size` is that of the text it reads."""
        with self._lock:
            found = self._kept.pop(key, None)
            if found is not None:
                self._kept[key] = found  # behind all others: it is the latest now
                return found[1]
        made = make()
        weight = size + OVERHEAD
        if weight > self._most:
            return made
        with self._lock:
            if key not in self._kept:
                self._kept[key] = (weight, made)
                self._size += weight
            while self._size > self._most:
                self._size -= self._kept.pop(next(iter(self._kept)))[0]
        return made

    def items(self) -> dict[Any, Made]:
        """The results that are kept, by key."""
        with self._lock:
            return {key: made for key, (_, made) in self._kept.items()}

    def enter(self, key: Hashable, size: int, made: Made) -> None:
        """Keep a result that is known already."""
        self.get(key, size, lambda: made)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self._size = 0


class Remade:
    """A result that each compilation makes anew of the same texts: it differs from its like of an
    earlier one only by that, and is compared by its parts."""

    __slots__ = ()
    __match_args__: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[object, ...]:
        """All that a text which is checked against it can depend on."""
        return tuple(getattr(self, name) for name in self.__match_args__)
