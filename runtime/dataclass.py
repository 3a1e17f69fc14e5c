"""`dataclass` of the standard library, with fewer methods that it writes for each class.

It compiles up to seven texts for a class when that is loaded: with 300 classes that is a third of the
time that a command needs to start. Here it writes `__init__` alone, and equality and hash read the
fields through one `attrgetter`. Only the type checker keeps frozen what is frozen: such an object is
three times as slow to make, and a thousand cards are a hundred thousand nodes.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, dataclass_transform

Key = Callable[[Any], Any]

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
    written, docstring = {*vars(cls)}, cls.__doc__
    # A docstring spares the standard library the making of one, which takes half of its time.
    cls.__doc__ = docstring or cls.__name__
    made: Any = dataclasses.dataclass(
        init="__init__" not in written, eq=order, order=order, repr=False, slots=slots
    )(cls)
    made.__doc__ = docstring
    parts: dict[str, Any] = {"__repr__": _repr} if repr else {}
    if eq:
        key = _key([one.name for one in dataclasses.fields(made) if one.compare])
        parts |= {"__eq__": _equality(key), "__hash__": _hash(key) if frozen else None}
    for name, part in parts.items():
        if name not in written:
            setattr(made, name, part)
    return made


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
class FrozenClass(type):
    """Makes a frozen dataclass with slots of each class below `Frozen`."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> Any:
        """Make a class; the standard library makes it once more, with slots."""
        made = super().__new__(cls, name, bases, namespace)
        return made if "__slots__" in namespace else _made(made, frozen=True, slots=True)


class Frozen(metaclass=FrozenClass):
    """The base of classes whose annotated fields stay as they are given."""

    __slots__ = ()


def field_types(cls: type) -> dict[str, Any]:
    """The types of the fields of a class, as annotated in its module; what `Annotated` adds is in them."""
    return {one.name: _annotated(str(one.type), cls.__module__) for one in dataclasses.fields(cls)}


@cache
def _annotated(written: str, module: str) -> Any:
    # `typing.get_type_hints` compiles every annotation, most of which say the same.
    return eval(written, vars(sys.modules[module]))


def _key(names: Sequence[str]) -> Key:
    """What reads all these fields at once."""
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


def _repr(self: Any) -> str:
    # A plain loop: a generator would double the frames of a deep tree, up to Python's limit.
    text = f"{type(self).__qualname__}("
    for one in dataclasses.fields(self):
        if one.repr:
            text += f"{one.name}={getattr(self, one.name)!r}, "
    return text.removesuffix(", ") + ")"
