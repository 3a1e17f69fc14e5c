"""`frozen`: a decorator for frozen classes of fields that are quick to make.

A thousand cards are a hundred thousand nodes, and a dataclass frozen by Python takes three times as
long to make, and its class five times as long to load. So only the type checker keeps these frozen.
Those compared and hashed by their fields inherit that from `Frozen`. What differs from its like of
an earlier compilation only by having been made anew is `Remade`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


class Frozen:
    """Equality, hash and text of the classes made with `frozen`: by all fields but `span`."""

    __slots__ = ()
    __match_args__: tuple[str, ...] = ()

    def _values(self) -> Iterator[Any]:
        return (getattr(self, name) for name in self.__match_args__ if name != "span")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return tuple(self._values()) == tuple(other._values())

    def __hash__(self) -> int:
        return hash((type(self), *self._values()))

    def __repr__(self) -> str:
        # A plain loop: a generator would double the frames of a deep tree, up to Python's limit.
        text = f"{type(self).__name__}("
        for name in self.__match_args__:
            if name != "span":
                text += f"{name}={getattr(self, name)!r}, "
        return text.removesuffix(", ") + ")"


class Remade:
    """What each compilation makes anew, of the same texts: it is compared by its parts."""

    __slots__ = ()
    __match_args__: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[object, ...]:
        """All that makes it what it is to whoever is checked against it."""
        return tuple(getattr(self, name) for name in self.__match_args__)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """Make a class of annotated fields into one with slots, to be made with their values."""
    # The docstring spares dataclass the making of one, which takes half of its time.
    cls.__doc__ = cls.__doc__ or cls.__name__
    return dataclass(eq=False, repr=False, slots=True)(cls)
