"""A bounded memory of what was made of texts.

Only for functions whose result depends on the key alone and is never changed afterwards: whoever
asks gets the very object that was made the first time. The bound counts characters of text, as the
trees of a text grow with it; what was asked for longest ago goes first.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

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
                oldest = next(iter(self._kept))
                self._size -= self._kept.pop(oldest)[0]
        return made

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self._size = 0
