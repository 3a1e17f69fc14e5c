"""Stands for the compiled library `rpds` in plain Python: persistent maps, sets and lists for jsonschema."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any


class HashTrieMap(dict[Any, Any]):
    """A map that is never changed: what changes it gives another."""

    @classmethod
    def convert(cls, value: Any) -> HashTrieMap:
        """The map of a mapping."""
        return value if isinstance(value, cls) else cls(value)

    def insert(self, key: Hashable, value: Any) -> HashTrieMap:
        """The map with one entry more."""
        return HashTrieMap({**self, key: value})

    def remove(self, key: Hashable) -> HashTrieMap:
        """The map without an entry; KeyError if there is none."""
        if key not in self:
            raise KeyError(key)
        return self.discard(key)

    def discard(self, key: Hashable) -> HashTrieMap:
        """The map without an entry, if there is one."""
        return HashTrieMap((one, value) for one, value in self.items() if one != key)

    def update(self, *others: Any, **named: Any) -> HashTrieMap:  # type: ignore[override]
        """The map with all entries of others."""
        merged = dict(self)
        merged.update(*others, **named)
        return HashTrieMap(merged)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


class HashTrieSet(frozenset[Any]):
    """A set that is never changed."""

    def insert(self, value: Hashable) -> HashTrieSet:
        """The set with one more."""
        return HashTrieSet((*self, value))

    def remove(self, value: Hashable) -> HashTrieSet:
        """The set without one; KeyError if it is not there."""
        if value not in self:
            raise KeyError(value)
        return HashTrieSet(self - {value})

    def update(self, *others: Iterable[Any]) -> HashTrieSet:
        """The set with all of others."""
        return HashTrieSet(self.union(*others))


class List(tuple[Any, ...]):
    """A list that is never changed, taken from its front."""

    __slots__ = ()

    def __new__(cls, *values: Any) -> List:
        """The list of an iterable, or of several values."""
        found = values[0] if len(values) == 1 else values
        return super().__new__(cls, found)

    def push_front(self, value: Any) -> List:
        """The list with one more at its front."""
        return List((value, *self))

    def drop_first(self) -> List:
        """The list without its first."""
        return List(self[1:])

    @property
    def first(self) -> Any:
        """The first; IndexError if it is empty."""
        return self[0]

    @property
    def rest(self) -> List:
        """All but the first."""
        return List(self[1:])
