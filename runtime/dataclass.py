"""The `dataclass` of the standard library, with fewer generated methods for each class.

The original compiles up to seven sources per class at import: with 300 classes, a third of a command's
start-up time. This one compiles `__init__` alone, and only once it is called; equality and hash read the
fields through one `attrgetter`. Only the type checker enforces `frozen`: a frozen object takes three
times as long to create, and a thousand cards are a hundred thousand nodes.
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
        """Make a dataclass of a class; options as in the standard library."""
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
    # With a docstring set, the standard library need not generate one, which takes half of its
    # time.
    cls.__doc__ = docstring or cls.__name__
    made: Any = dataclasses.dataclass(init=False, eq=order, order=order, repr=False, slots=slots)(
        cls
    )
    made.__doc__ = docstring
    parts: dict[str, Any] = {"__init__": _late_init(made)}
    if repr:
        parts["__repr__"] = _repr
    if eq:
        key = _key([one.name for one in dataclasses.fields(made) if one.compare])
        parts |= {"__eq__": _equality(key), "__hash__": _hash(key) if frozen else None}
    for name, part in parts.items():
        if name not in written:
            setattr(made, name, part)
    return made


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
class FrozenClass(type):
    """Makes each subclass of `Frozen` a frozen dataclass with slots."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> Any:
        """Make a class; the standard library then makes it again, with slots."""
        made = super().__new__(cls, name, bases, namespace)
        return made if "__slots__" in namespace else _made(made, frozen=True, slots=True)


class Frozen(metaclass=FrozenClass):
    """The base of immutable classes with annotated fields."""

    __slots__ = ()


def field_types(cls: type) -> dict[str, Any]:
    """The types of the fields of a class, resolved in its module, with what `Annotated` adds."""
    return {one.name: _annotated(str(one.type), cls.__module__) for one in dataclasses.fields(cls)}


@cache
def _annotated(written: str, module: str) -> Any:
    # `typing.get_type_hints` compiles every annotation, and most are the same.
    return eval(written, vars(sys.modules[module]))


def _key(names: Sequence[str]) -> Key:
    """A getter of these fields as a tuple."""
    if not names:
        return lambda _: ()
    if len(names) == 1:
        only = attrgetter(*names)
        return lambda one: (only(one),)
    return attrgetter(*names)


def _late_init(cls: type) -> Callable[..., None]:
    """An `__init__` that compiles the one of the fields when first called, and makes way for it."""

    def __init__(self: Any, *args: Any, **named: Any) -> None:
        made: Any = _init(cls)
        if vars(cls)["__init__"] is __init__:
            cls.__init__ = made  # type: ignore[misc]
        made(self, *args, **named)

    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    return __init__


def _init(cls: type) -> Callable[..., None]:
    """The `__init__` of a class of fields."""
    known: dict[str, Any] = {"MISSING": dataclasses.MISSING}
    params, lines = ["self"], []
    for one in dataclasses.fields(cls):
        name, value, default = one.name, one.name, f"default_{one.name}"
        if one.default_factory is not dataclasses.MISSING:
            known[default] = one.default_factory
            value = f"{default}() if {name} is MISSING else {name}" if one.init else f"{default}()"
            default = "MISSING"
        elif one.default is not dataclasses.MISSING:
            known[default] = one.default
            value = name if one.init else default
        elif not one.init:
            continue
        else:
            default = ""
        if one.init:
            params.append(f"{name}={default}" if default else name)
        lines.append(f"    self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("    self.__post_init__()")
    exec(f"def __init__({', '.join(params)}):\n" + "\n".join(lines or ["    pass"]), known)
    made: Callable[..., None] = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


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
