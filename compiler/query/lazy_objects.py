"""Serializes a graph of objects; each object is restored lazily, when one of its fields is read.

`written` returns the bytes of all objects reachable from a root, by `marshal`; `read` returns the root.
Each object is a row of its fields, and rows lie in blocks that are decoded on demand. Until then an object
is a ghost: of its class, without fields. An object referred to twice is restored once.
Never pass bytes that anybody else may have written.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import MISSING, fields, is_dataclass
from fractions import Fraction
from functools import partial
from importlib import import_module
from pathlib import Path, PosixPath
from types import EllipsisType, FunctionType, MethodType, NoneType
from typing import Any

from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.values import FrozenMap

BLOCK = 32  # rows
ATOMS = frozenset((NoneType, bool, int, str, bytes, EllipsisType))
OWN = "ruleloom."
"""The prefix of modules whose classes and functions may be written."""
UNSET: tuple[()] = ()
_Put = Callable[[Any, Any], None]
"""Sets a field of an object to a value."""
Row = tuple[Any, ...]
"""Fields, each an atom, `(number, class)` of an object, `(plain data,)` or UNSET."""


def written(root: object, outside: Callable[[object], Any]) -> bytes:
    """The bytes of a graph. `outside` returns plain data that names an object the reader already has,
    and None for all others. TypeError if an object cannot be written."""
    writer = _Writer(outside)
    first = writer.coded(root)
    rows = list(writer.rows())
    blocks = [marshal.dumps(rows[at : at + BLOCK]) for at in range(0, len(rows), BLOCK)]
    return marshal.dumps((first, [*writer.classes], blocks))


def read(data: bytes, outside: Callable[[Any], object]) -> Any:
    """The root of a graph; `outside` returns an object left out, by its name."""
    first, classes, blocks = marshal.loads(data)
    return _Reader(classes, blocks, outside).value(first)


# ------------------------------------------------------------------------------------- writing

OUTSIDE = ("", "outside")


class _Writer:
    """Numbers objects in the order they are met, and makes their rows."""

    def __init__(self, outside: Callable[[object], Any]) -> None:
        self.classes: dict[tuple[str, str], int] = {}
        self._outside = outside
        self._refs: dict[int, tuple[int, int]] = {}
        self._leaves: dict[Hashable, tuple[int, int]] = {}
        """Equal objects without parts are one."""
        self._met: list[object] = []  # alive, so that no other object gets the id of one
        self._rows: dict[int, Row] = {}
        self._waiting: list[int] = []

    def rows(self) -> Iterator[Row]:
        """The rows of all objects by number. Depth first, so that related objects get near numbers."""
        while self._waiting:
            number = self._waiting.pop()
            self._rows[number] = self._row(self._met[number])
        return (self._rows.get(number, ()) for number in range(len(self._met)))

    def coded(self, value: object) -> Any:
        """The encoding of a value in a row."""
        if type(value) in ATOMS:
            return value
        ref = self._refs.get(id(value))
        if ref is None:
            if _is_plain(value):
                return (value,)
            new = len(self._met), self._code(value)
            ref = self._refs[id(value)] = self._leaves.setdefault(_leaf(value), new)
            self._met.append(value)
            if ref is new:
                self._waiting.append(new[0])
        return ref

    def _code(self, value: object) -> int:
        cls = type(value)
        name = OUTSIDE if self._outside(value) is not None else (cls.__module__, cls.__qualname__)
        return self.classes.setdefault(name, len(self.classes))

    def _row(self, value: Any) -> Row:
        named = self._outside(value)
        if named is not None:
            return ((named,),)
        match value:
            case Path():
                return (str(value),)
            case Fraction():
                return value.as_integer_ratio()
            case FrozenMap():
                return tuple(map(self.coded, (*value, *value.values())))
            case partial():
                return tuple(map(self.coded, (value.func, value.args, value.keywords)))
            case MethodType():
                return tuple(map(self.coded, (value.__self__, value.__name__)))
            case type() | FunctionType() if value.__module__.startswith(OWN):
                return value.__module__, value.__qualname__
            case tuple() | list():
                return tuple(map(self.coded, value))
        return tuple(map(self.coded, (*_state(value), *_held(value))))


def _state(value: object) -> list[Any]:
    """The fields of an object. TypeError if its class is not ours."""
    cls = type(value)
    if cls not in (dict, set, frozenset) and not cls.__module__.startswith(OWN):
        raise TypeError(f"{cls.__qualname__} is nothing that can be written")
    return [getattr(value, name, UNSET) for name in _fields(cls)]


def _held(value: object) -> list[Any]:
    """The entries of a dict or set."""
    if isinstance(value, dict):
        return [*dict.keys(value), *dict.values(value)]
    return [*value] if isinstance(value, set | frozenset) else []


def _leaf(value: object) -> Hashable:
    """What makes an immutable object without parts the same as another; else its identity."""
    if isinstance(value, Frozen) and type(value).__hash__ is not object.__hash__:
        state = _state(value)
        if all(type(one) in ATOMS for one in state):
            return (type(value), *state, *map(type, state))
    return id(value)


def _is_plain(value: object) -> bool:
    if type(value) is tuple or type(value) is frozenset:
        return all(type(one) in ATOMS or _is_plain(one) for one in value)
    return False


def _fields(cls: type) -> Sequence[str]:
    """The fields of a class, except those that always begin as their empty default."""
    if is_dataclass(cls):
        made = fields(cls)
        return [one.name for one in made if one.init or one.default_factory is MISSING]
    slots = (vars(one).get("__slots__", ()) for one in cls.__mro__)
    names = [name for some in slots for name in ((some,) if isinstance(some, str) else some)]
    return [*names, "__dict__"] if cls.__dictoffset__ else names


# ------------------------------------------------------------------------------------- reading


class _Reader:
    """Restores objects from rows on demand, each once."""

    def __init__(
        self,
        classes: Sequence[tuple[str, str]],
        blocks: list[Any],
        outside: Callable[[Any], object],
    ) -> None:
        self.classes = [_Class(module, name) for module, name in classes]
        self.outside = outside
        self._blocks = blocks
        self.known: dict[int, Any] = {}
        """The objects made so far by number, ghosts included."""

    def value(self, coded: Any) -> Any:
        """The decoded value, perhaps a ghost."""
        if type(coded) is not tuple:
            return coded
        if len(coded) != 2:
            return coded[0] if coded else UNSET
        number, code = coded
        found = self.known.get(number)
        if found is None:
            cls = self.classes[code]
            if cls.ghostly:
                return self.ghost(number, cls)
            values = self.values(self.row(number))
            made = self.outside(values[0]) if cls.is_outside else cls.make(values)
            found = self.known[number] = made
        return found

    def ghost(self, number: int, cls: _Class) -> Any:
        """A new object without fields."""
        found = self.known[number] = _new(cls.cls)
        _GHOSTS[id(found)] = self, number, cls
        return found

    def values(self, row: Iterable[Any]) -> list[Any]:
        """The values of a row."""
        value = self.value
        return [value(coded) if type(coded) is tuple else coded for coded in row]

    def row(self, number: int) -> Row:
        """The row of an object."""
        block = self._blocks[number // BLOCK]
        if type(block) is bytes:
            block = self._blocks[number // BLOCK] = marshal.loads(block)
        row: Row = block[number % BLOCK]
        return row


_new = object.__new__
_GHOSTS: dict[int, tuple[_Reader, int, _Class]] = {}
"""The ghosts by `id`, which stays unique: their readers hold them."""
_LATE: dict[int, tuple[_Reader, list[tuple[_Put, Any]]]] = {}
"""The objects that lack only containers, with their setters."""


def _wake(self: Any, name: str) -> Any:
    """`__getattr__` of classes with ghosts: Python calls it for a missing field."""
    ghost = _GHOSTS.pop(id(self), None)
    if ghost is not None:
        _fill(self, name, *ghost)
    elif id(self) in _LATE:
        reader, late = _LATE.pop(id(self))
        for put, coded in late:
            put(self, reader.value(coded))
    else:
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
    return getattr(self, name)


def _fill(self: Any, name: str, reader: _Reader, number: int, cls: _Class) -> None:
    """Set the fields of a ghost; containers only if already made, or if `name` is their field."""
    known, classes, late = reader.known, reader.classes, []
    for (field, put), coded in zip(cls.setters, reader.row(number), strict=True):
        if type(coded) is not tuple:
            put(self, coded)
        elif len(coded) != 2:
            put(self, coded[0])
        elif (found := known.get(coded[0])) is not None:
            put(self, found)
        elif (of := classes[coded[1]]).ghostly:
            put(self, reader.ghost(coded[0], of))
        elif of.is_outside or field == name:
            put(self, reader.value(coded))
        else:  # a container, which few read
            late.append((put, coded))
    for put, made in cls.empty:
        put(self, made())
    if late:
        _LATE[id(self)] = reader, late


class _Class:
    """A class whose objects are in a graph, and how to make them from rows."""

    def __init__(self, module: str, name: str) -> None:
        self.cls: Any = None
        self.is_outside = (module, name) == OUTSIDE
        self.ghostly = False
        self.setters: list[tuple[str, _Put]] = []
        self.empty: list[tuple[_Put, Callable[[], Any]]] = []
        """The fields with an empty default."""
        self.make = _MADE.get((module, name), tuple)
        if module.startswith(OWN):
            self._of_ours(_named(module, name))
        elif not self.is_outside and (module, name) not in _MADE:
            raise ValueError(f"{module}.{name} is none of ours")

    def _of_ours(self, cls: Any) -> None:
        self.cls, names = cls, _fields(cls)
        if issubclass(cls, tuple):
            self.make = partial(tuple.__new__, cls)
        elif issubclass(cls, FrozenMap):
            self.make = _frozen_map
        elif issubclass(cls, dict | set):
            self.make = partial(_container, cls, names)
        else:
            self.ghostly = True
            self.setters = [(field, _setter(cls, field)) for field in names]
            for one in fields(cls) if is_dataclass(cls) else ():
                if one.name not in names and callable(one.default_factory):
                    self.empty.append((_setter(cls, one.name), one.default_factory))
            cls.__getattr__ = _wake


def _setter(cls: type, name: str) -> _Put:
    if name == "__dict__":
        return lambda one, state: one.__dict__.update(state)
    found: _Put = getattr(cls, name).__set__
    return found


def _named(module: str, name: str) -> Any:
    """The class or function of this name. ValueError if its module is not ours."""
    if not module.startswith(OWN):
        raise ValueError(f"{module}.{name} is none of ours")
    found: Any = import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _pairs(values: list[Any]) -> Iterator[tuple[Any, Any]]:
    half = len(values) // 2
    return zip(values[:half], values[half:], strict=True)


def _frozen_map(values: list[Any]) -> FrozenMap:
    return FrozenMap(_pairs(values))


def _container(cls: Any, names: Sequence[str], values: list[Any]) -> Any:
    head, held = values[: len(names)], values[len(names) :]
    made: Any = cls()
    if issubclass(cls, dict):
        dict.update(made, _pairs(held))
    else:
        set.update(made, held)
    for name, value in zip(names, head, strict=True):
        if value is not UNSET:
            setattr(made, name, value)
    return made


_MADE: dict[tuple[str, str], Callable[[list[Any]], Any]] = {
    ("builtins", "tuple"): tuple,
    ("builtins", "list"): list,
    ("builtins", "set"): set,
    ("builtins", "frozenset"): frozenset,
    ("builtins", "dict"): lambda values: dict(_pairs(values)),
    ("builtins", "type"): lambda values: _named(*values),
    ("builtins", "function"): lambda values: _named(*values),
    ("builtins", "method"): lambda values: getattr(*values),
    ("functools", "partial"): lambda values: partial(values[0], *values[1], **values[2]),
    ("fractions", "Fraction"): lambda values: Fraction(*values),
    ("pathlib", "PosixPath"): lambda values: PosixPath(*values),
    ("pathlib", "WindowsPath"): lambda values: Path(*values),
}
