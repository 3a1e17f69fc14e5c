"""`dataclass` as the standard library has it, in a form that is quick to load and to make.

Python's writes up to seven methods for each class, and compiles their text when the class is loaded:
with 300 classes that is a quarter of the time that a command needs to start. Here no class has a
text of its own. `__init__` is compiled once for all classes of a shape, and each is given it with
the names of its fields; equality, hash and order read the fields through one `attrgetter`. And only
the type checker keeps frozen what is frozen: such an object is three times as slow to make, and a
thousand cards are a hundred thousand nodes.

A class says of its fields what it would say there, so `replace`, `fields` and the like are those of
the standard library.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, field
from functools import cache, partial
from operator import attrgetter, ge, gt, le, lt
from types import FunctionType, MemberDescriptorType
from typing import TYPE_CHECKING, Any

Fields = Mapping[str, Field[Any]]
Key = Callable[[Any], Any]
ORDERS = {"__lt__": lt, "__le__": le, "__gt__": gt, "__ge__": ge}

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, **options):
        """Make a class of annotated fields; options as of the standard library."""
        return partial(_made, **options) if cls is None else _made(cls, **options)


@dataclasses.dataclass(eq=False, repr=False)
class _Model:
    """A class of the standard library, to take from it by what that knows its own."""

    part: int


FIELDS = "__dataclass_fields__"
SORT_OF_FIELD: Any = vars(_Model)[FIELDS]["part"]._field_type
# What the standard library looks for besides; the second name is new in Python 3.13.
MARKS = {
    name: part
    for name, part in vars(_Model).items()
    if name in ("__dataclass_params__", "__replace__")
}
# Annotations of what is no field, and of what is not to be had here.
CLASS_VARIABLES = ("ClassVar", "typing.ClassVar")
NOT_HERE = ("InitVar", "KW_ONLY", "dataclasses.InitVar", "dataclasses.KW_ONLY")


def _made(
    cls: type,
    *,
    frozen: bool = False,
    slots: bool = False,
    eq: bool = True,
    order: bool = False,
    repr: bool = True,
) -> Any:
    own = _own_fields(cls)
    fields = {**_inherited_fields(cls), **own}
    names = [name for name, one in fields.items() if one.init]
    parts: dict[str, Any] = {"__init__": _init(cls, fields), "__match_args__": tuple(names)}
    if repr:
        parts["__repr__"] = _repr
    if eq:
        key = _key([name for name, one in fields.items() if one.compare])
        parts |= {"__eq__": _equality(key), "__hash__": _hash(key) if frozen else None}
        if order:
            parts |= {name: _order(key, compare) for name, compare in ORDERS.items()}
    written = vars(cls)
    parts = {name: part for name, part in parts.items() if name not in written}
    parts |= {FIELDS: fields, **MARKS}
    return _slotted(cls, fields, parts) if slots else _completed(cls, own, parts)


def field_types(cls: type) -> dict[str, Any]:
    """The types of the fields of a class, as annotated in its module; what `Annotated` adds is in them."""
    return {one.name: _annotated(str(one.type), cls.__module__) for one in dataclasses.fields(cls)}


@cache
def _annotated(written: str, module: str) -> Any:
    # `typing.get_type_hints` compiles every annotation, most of which say the same.
    return eval(written, vars(sys.modules[module]))


def _own_fields(cls: type) -> Fields:
    """The fields that a class annotates; TypeError or ValueError where one cannot be made."""
    annotated = cls.__annotations__
    for name, value in vars(cls).items():
        if isinstance(value, Field) and name not in annotated:
            raise TypeError(f"{name!r} is a field but has no type annotation")
    return {
        name: _field(name, kind, getattr(cls, name, MISSING))
        for name, kind in annotated.items()
        if not str(kind).startswith(CLASS_VARIABLES)
    }


def _field(name: str, kind: object, value: Any) -> Field[Any]:
    """The field of this name and annotation, to which the class gives a value."""
    if isinstance(value, MemberDescriptorType):  # the slot of a class below
        value = MISSING
    made: Any = value if isinstance(value, Field) else field(default=value)
    if made.default.__class__.__hash__ is None:
        raise ValueError(f"the default of {name!r} can change: use `default_factory`")
    if made.kw_only is True or made.hash is not None or str(kind).startswith(NOT_HERE):
        raise TypeError(f"{name!r} needs what only the dataclass of the standard library has")
    made.name, made.type, made.kw_only, made._field_type = name, kind, False, SORT_OF_FIELD
    known: Field[Any] = made
    return known


def _inherited_fields(cls: type) -> Fields:
    found: dict[str, Field[Any]] = {}
    for base in reversed(cls.__mro__[1:]):
        found |= vars(base).get(FIELDS, {})
    return found


def _completed(cls: type, own: Fields, parts: Mapping[str, Any]) -> type:
    for name, one in own.items():
        if one.default is not MISSING:
            setattr(cls, name, one.default)
        elif name in vars(cls):
            delattr(cls, name)
    for name, part in parts.items():
        setattr(cls, name, part)
    return cls


def _slotted(cls: type, fields: Fields, parts: Mapping[str, Any]) -> type:
    """The class once more, as only a new one can be given slots."""
    if "__slots__" in vars(cls):
        raise TypeError(f"{cls.__name__} already specifies __slots__")
    gone = {*fields, "__dict__", "__weakref__"}
    inside = {name: part for name, part in vars(cls).items() if name not in gone}
    below = {name for base in cls.__mro__[1:] for name in vars(base).get("__slots__", ())}
    inside["__slots__"] = tuple([name for name in fields if name not in below])
    inside["__qualname__"] = cls.__qualname__
    return type(cls)(cls.__name__, cls.__bases__, {**inside, **parts})


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
    shape = tuple([_sort(one) for one in fields.values()])
    values = [_value(one) for one in fields.values()]
    init: FunctionType = _closure(shape, hasattr(cls, "__post_init__"))(values, ABSENT)
    names = {f"_{n}": name for n, name in enumerate(fields)}
    code = init.__code__
    init.__code__ = code.replace(
        co_names=tuple([names.get(name, name) for name in code.co_names]),
        co_varnames=tuple([names.get(name, name) for name in code.co_varnames]),
    )
    init.__defaults__ = _defaults(fields)
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__annotations__ = {name: one.type for name, one in fields.items() if one.init}
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
    for name, one in fields.items():
        if one.init and _value(one) is not MISSING:
            found.append(one.default if one.default_factory is MISSING else ABSENT)
        elif one.init and found:
            raise TypeError(f"non-default argument {name!r} follows default argument")
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
