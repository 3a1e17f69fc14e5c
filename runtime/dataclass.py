"""`dataclass` of the standard library, without the methods that it writes for each class.

Python's compiles up to seven texts for each class when the class is loaded: with 300 classes that is
a third of the time that a command needs to start. Here `__init__` is compiled once for all classes
of a shape, and each is given it with the names of its fields; equality, hash and order read the
fields through one `attrgetter`. And only the type checker keeps frozen what is frozen: such an
object is three times as slow to make, and a thousand cards are a hundred thousand nodes.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, Field
from functools import cache, partial
from operator import attrgetter, ge, gt, le, lt
from types import FunctionType
from typing import TYPE_CHECKING, Any, dataclass_transform

Fields = Sequence[Field[Any]]
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
    written, docstring = vars(cls), cls.__doc__
    # A docstring spares the standard library the making of one, which takes half of its time.
    cls.__doc__ = docstring or cls.__name__
    made: Any = dataclasses.dataclass(init=False, eq=False, repr=False, slots=slots)(cls)
    made.__doc__ = docstring
    _check(made.__dataclass_fields__.values())
    fields = dataclasses.fields(made)
    parts: dict[str, Any] = {"__init__": _init(made, fields)}
    if repr:
        parts["__repr__"] = _repr
    if eq:
        parts |= _comparisons(fields, frozen, order)
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


def _comparisons(fields: Fields, frozen: bool, order: bool) -> dict[str, Any]:
    key = _key([one.name for one in fields if one.compare])
    orders = ORDERS if order else {}
    parts = {name: _order(key, compare) for name, compare in orders.items()}
    return parts | {"__eq__": _equality(key), "__hash__": _hash(key) if frozen else None}


def _check(fields: Iterable[Field[Any]]) -> None:
    for one in fields:
        if one.kw_only is True or one.hash is not None or "InitVar" in str(one.type):
            raise TypeError(f"{one.name!r} needs what only the standard library's dataclass has")


def field_types(cls: type) -> dict[str, Any]:
    """The types of the fields of a class, as annotated in its module; what `Annotated` adds is in them."""
    return {one.name: _annotated(str(one.type), cls.__module__) for one in dataclasses.fields(cls)}


@cache
def _annotated(written: str, module: str) -> Any:
    # `typing.get_type_hints` compiles every annotation, most of which say the same.
    return eval(written, vars(sys.modules[module]))


class _Absent:
    """The default of an argument for which a new value is made."""

    def __repr__(self) -> str:
        return "<factory>"


ABSENT = _Absent()
# How a field gets its value, by the sorts of `_sort`; `_0`, `_1` and so on are names and values.
SETTERS = {
    "given": "self._{n} = _{n}",
    "given or made": "self._{n} = VALUES[{n}]() if _{n} is ABSENT else _{n}",
    "made": "self._{n} = VALUES[{n}]()",
    "fixed": "self._{n} = VALUES[{n}]",
}
TEMPLATE = """\
def closure(VALUES, ABSENT):
    def __init__({parameters}):
        {body}
    return __init__
"""


def _init(cls: type, fields: Fields) -> FunctionType:
    """`__init__` for a class: that of its shape, under the names of its fields."""
    shape = tuple([_sort(one) for one in fields])
    values = [_value(one) for one in fields]
    init: FunctionType = _closure(shape, hasattr(cls, "__post_init__"))(values, ABSENT)
    names = {f"_{n}": one.name for n, one in enumerate(fields)}
    code = init.__code__
    init.__code__ = code.replace(
        co_names=tuple([names.get(name, name) for name in code.co_names]),
        co_varnames=tuple([names.get(name, name) for name in code.co_varnames]),
    )
    init.__defaults__ = _defaults(fields)
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__annotations__ = {one.name: one.type for one in fields if one.init}
    init.__annotations__["return"] = None
    return init


def _sort(one: Field[Any]) -> str:
    """How a field gets its value; "" if `__post_init__` gives it one."""
    if one.default_factory is not MISSING:
        return "given or made" if one.init else "made"
    if one.init:
        return "given"
    return "" if one.default is MISSING else "fixed"


def _value(one: Field[Any]) -> Any:
    return one.default if one.default_factory is MISSING else one.default_factory


def _defaults(fields: Fields) -> tuple[Any, ...]:
    """The defaults of the last parameters; TypeError if one before them has some, too."""
    found = []
    for one in fields:
        if one.init and _value(one) is not MISSING:
            found.append(one.default if one.default_factory is MISSING else ABSENT)
        elif one.init and found:
            raise TypeError(f"non-default argument {one.name!r} follows default argument")
    return tuple(found)


@cache
def _closure(shape: Sequence[str], then: bool) -> Callable[..., Any]:
    """What makes the `__init__` of a shape out of the defaults and factories of a class."""
    given = [f"_{n}" for n, sort in enumerate(shape) if sort.startswith("given")]
    body = [SETTERS[sort].format(n=n) for n, sort in enumerate(shape) if sort]
    body += ["self.__post_init__()"] if then else []
    text = TEMPLATE.format(
        parameters=", ".join(["self", *given]), body="\n        ".join(body or ["pass"])
    )
    made: dict[str, Any] = {}
    exec(compile(text, "<dataclass>", "exec"), made)
    closure: Callable[..., Any] = made["closure"]
    return closure


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


def _order(key: Key, compare: Callable[[Any, Any], bool]) -> Callable[[Any, object], object]:
    def method(self: Any, other: object) -> object:
        if other.__class__ is self.__class__:
            return compare(key(self), key(other))
        return NotImplemented

    return method


def _repr(self: Any) -> str:
    # A plain loop: a generator would double the frames of a deep tree, up to Python's limit.
    text = f"{type(self).__qualname__}("
    for one in dataclasses.fields(self):
        if one.repr:
            text += f"{one.name}={getattr(self, one.name)!r}, "
    return text.removesuffix(", ") + ")"
