"""`dataclass` as the standard library has it, in a form that is quick to load and to make.

Python writes up to seven methods for each dataclass, and compiles their text when the class is
loaded: with 350 classes that is half of the time that a command needs to start. A frozen one is
three times as slow to make, and a thousand cards are a hundred thousand nodes. Here only `__init__`
is written; equality, hash and order read the fields through one `attrgetter`, and only the type
checker keeps frozen what is frozen.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from operator import attrgetter, ge, gt, le, lt
from typing import TYPE_CHECKING, Any

Key = Callable[[Any], Any]
ORDERS = {"__lt__": lt, "__le__": le, "__gt__": gt, "__ge__": ge}

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, **options):
        """Make a class of annotated fields; options as of the standard library."""
        return partial(_made, **options) if cls is None else _made(cls, **options)


def _made(
    cls: type,
    *,
    frozen: bool = False,
    slots: bool = False,
    eq: bool = True,
    order: bool = False,
    repr: bool = True,
) -> Any:
    own = vars(cls)
    said = cls.__doc__
    # A docstring spares the standard library the making of one, which takes half of its time.
    cls.__doc__ = said or cls.__name__
    made: Any = dataclasses.dataclass(eq=False, repr=False, slots=slots)(cls)
    made.__doc__ = said
    if repr and "__repr__" not in own:
        made.__repr__ = _repr
    if not eq:
        return made
    key = _key(one.name for one in dataclasses.fields(made) if one.compare)
    if "__eq__" not in own:
        made.__eq__ = _equality(key)
    if "__hash__" not in own:
        made.__hash__ = _hash(key) if frozen else None
    if order:
        for name, compare in ORDERS.items():
            setattr(made, name, _order(key, compare))
    return made


def _key(names: Any) -> Key:
    """What reads all these fields at once."""
    names = tuple(names)
    if not names:
        return lambda _: ()
    if len(names) == 1:
        only = attrgetter(*names)
        return lambda one: (only(one),)
    return attrgetter(*names)


def _equality(key: Key) -> Callable[[Any, object], bool]:
    def __eq__(self: Any, other: object) -> bool:
        if other.__class__ is self.__class__:
            found: bool = key(self) == key(other)
            return found
        return NotImplemented

    return __eq__


def _hash(key: Key) -> Callable[[Any], int]:
    def __hash__(self: Any) -> int:
        return hash(key(self))

    return __hash__


def _order(key: Key, compare: Callable[[Any, Any], bool]) -> Callable[[Any, object], object]:
    def method(self: Any, other: object) -> object:
        if other.__class__ is self.__class__:
            return compare(key(self), key(other))
        return NotImplemented

    return method


def _repr(self: Any) -> str:
    # A plain loop: a generator would double the frames of a deep tree, up to Python's limit.
    text = f"{type(self).__name__}("
    for one in dataclasses.fields(self):
        if one.repr:
            text += f"{one.name}={getattr(self, one.name)!r}, "
    return text.removesuffix(", ") + ")"
