"""Expressions bound to one world, so that only the slots are left to be given.

Words and derivations of an expression are bound like its value: what is the same for all slots is
worked out once, and a thousand characters are told of by the same functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias, TypeVar

from ruleloom.runtime.program import values as v
from ruleloom.runtime.program.program import Origin
from ruleloom.runtime.program.values import Dynamic, Type

T = TypeVar("T")
Slots: TypeAlias = tuple[Dynamic, ...]
# The value, the words or the parts of an expression, for the values of the slots.
Bound: TypeAlias = Callable[[Slots], T]


class SlotView(NamedTuple):
    """The types and names of the slots; `place` is where the text that reads them stands."""

    types: tuple[Type, ...] = ()
    names: tuple[str, ...] = ()
    place: tuple[Origin, ...] = ()

    def with_slot(self, slot: int, type_: Type) -> SlotView:
        """The same with one more slot."""
        types = (*self.types, *[v.UNKNOWN] * (slot + 1 - len(self.types)))
        names = (*self.names, *[""] * (slot + 1 - len(self.names)))
        return SlotView(v.with_entry(types, slot, type_), v.with_entry(names, slot, ""), self.place)


def with_value(slots: Slots, slot: int, value: Dynamic) -> Slots:
    """The values of the slots with one more, or another."""
    missing = slot - len(slots)
    return (*slots, *[None] * missing, value) if missing >= 0 else v.with_entry(slots, slot, value)


def later(make: Callable[[], Bound[T]]) -> Bound[T]:
    """A lazy `make`: most explanations are never shown."""
    made: Bound[T] | None = None

    def bound(slots: Slots) -> T:
        nonlocal made
        if made is None:
            made = make()
        return made(slots)

    return bound


class Words(dict[Dynamic, str]):
    """The words for values, made by `say` on first use."""

    __slots__ = ("_say",)

    def __init__(self, say: Callable[[Dynamic], str]) -> None:
        super().__init__()
        self._say = say

    def __missing__(self, value: Dynamic) -> str:
        self[value] = words = self._say(value)
        return words
