"""A program as plain data and back, exactly.

A class becomes a table of its fields, a row also has its class (`"row": "Choose"`), an origin is the
list `[pack, path, line, column]`. Reading checks every part against the type of its field; names, jumps
and depth are checked by `ruleloom.runtime.program.verify`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from itertools import repeat
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from ruleloom.runtime.dataclass import field_types
from ruleloom.runtime.program import canonical_json
from ruleloom.runtime.program.canonical_json import SaveError, canonical, quoted
from ruleloom.runtime.program.program import FORMAT, ROWS, Origin, Program, Row
from ruleloom.runtime.program.values import LARGEST, FrozenMap

MOST_DEPTH = 100
LONGEST_TEXT = 100_000

# The fields that are left out where they say nothing, as in programs from before they were added.
SPARED = frozenset(
    (
        "usual",
        "showing",
        "patched",
        "described",
        "called",
        "spots",
        "directions",
        "beside",
        "under",
        "naming",
        "known_as",
    )
)

Reader = Callable[[object], Any]
_ATOMS = frozenset((str, int, bool, NoneType))
_ROWS: Mapping[str, type[Row]] = {row.__name__: row for row in ROWS}


class _Wrong(Exception):
    """A value of the wrong type, with the path to it, built from the inside out."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.way: list[str] = []

    def __str__(self) -> str:
        return f"{''.join(reversed(self.way)).lstrip('.')}: {self.message}"


def program_data(program: Program) -> dict[str, Any]:
    """The program as plain data, ready for JSON."""
    return _fields_data(program)


def program_text(program: Program) -> str:
    """The program as canonical JSON, on one line."""
    return canonical(program_data(program))


def program_hash(program: Program) -> str:
    """The identity of a program: SHA-256 of its canonical JSON, 64 hexadecimal digits."""
    return hashlib.sha256(program_text(program).encode("utf-8")).hexdigest()


@cache
def _names(cls: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(cls))


def _data(value: Any) -> Any:
    if isinstance(value, tuple | list):
        # Most of a program is expressions, and most of an expression is plain.
        return [item if type(item) in _ATOMS else _data(item) for item in value]
    if isinstance(value, Origin):
        return [value.pack, value.path, value.line, value.column]
    if is_dataclass(value):
        return _fields_data(value)
    if isinstance(value, Fraction):
        return canonical_json.ratio_data(value)
    if isinstance(value, FrozenMap):
        pairs = [[_data(key), _data(item)] for key, item in value.items()]
        return {"map": sorted(pairs, key=lambda pair: canonical(pair[0]))}
    if isinstance(value, Mapping):
        return {str(key): _data(item) for key, item in value.items()}
    return value


def _fields_data(value: Any) -> dict[str, Any]:
    found = ((name, getattr(value, name)) for name in _names(value.__class__))
    table = {
        name: item if type(item) in _ATOMS else _data(item)
        for name, item in found
        if item or name not in SPARED
    }
    if type(value) in ROWS:
        table["row"] = type(value).__name__
    return table


def program_of(data: object) -> Program:
    """The program in data from `program_data`, unverified; SaveError for anything else."""
    if not isinstance(data, dict):
        raise SaveError("the program is not a table")
    found = data.get("format")
    if type(found) is not int:
        raise SaveError("the program does not say its format")
    if found != FORMAT:
        only = f"this version of Ruleloom reads format {FORMAT} only"
        raise SaveError(f"the program is of format {found}; {only}")
    try:
        program: Program = _reader(Program)(data)
    except _Wrong as wrong:
        raise SaveError(f"the program is damaged at {wrong}") from None
    return program


@cache
def _reader(kind: Any) -> Reader:
    """The reader of values of a field's type."""
    if kind in _PLAIN:
        return _PLAIN[kind]
    if isinstance(kind, type) and is_dataclass(kind):
        return _class(kind)
    if get_origin(kind) is Annotated:
        return _reader(get_args(kind)[0])
    if get_origin(kind) is tuple:
        return _tuple(get_args(kind))
    assert get_origin(kind) in (UnionType, Union), kind
    return _union(get_args(kind))


def _int(data: object) -> int:
    if type(data) is not int:
        raise _unexpected("a whole number", data)
    if not -LARGEST <= data <= LARGEST:
        raise _Wrong("a number beyond 2^53")
    return data


def _str(data: object) -> str:
    if type(data) is not str:
        raise _unexpected("a text", data)
    if len(data) > LONGEST_TEXT:
        raise _Wrong(f"a text of {len(data):,} characters; {LONGEST_TEXT:,} are allowed")
    return data


def _bool(data: object) -> bool:
    if type(data) is not bool:
        raise _unexpected("true or false", data)
    return data


def _unexpected(wanted: str, data: object) -> _Wrong:
    names = {dict: "a table", list: "a list", str: "a text", bool: "true or false", int: "a number"}
    return _Wrong(f"{wanted} was expected, not {names.get(type(data), 'nothing')}")


def frozen(data: object, depth: int = 0) -> Any:
    """A constant or an expression, with lists as tuples and tables as `FrozenMap`."""
    if depth > MOST_DEPTH:
        raise _Wrong("lists are nested too deep")
    if isinstance(data, list):
        deeper = depth + 1
        # Most parts of an expression are short texts and lists: at most one call for each.
        return tuple(
            [
                item
                if item.__class__ is str and len(item) <= LONGEST_TEXT
                else frozen(item, deeper)
                for item in data
            ]
        )
    if isinstance(data, dict):
        return _tagged(data, depth)
    return data if data is None or isinstance(data, bool) else _text_or_number(data)


def _tagged(data: dict[str, Any], depth: int) -> Fraction | FrozenMap:
    """A fraction, or a table of constants."""
    if "ratio" in data:
        try:
            return canonical_json.ratio_of(data)
        except ValueError:
            raise _unexpected("a fraction", data) from None
    if "map" in data:
        return _map(data, depth)
    raise _unexpected("a whole number", data)


def _text_or_number(data: object) -> str | int:
    return _str(data) if isinstance(data, str) else _int(data)


def _map(data: dict[str, Any], depth: int) -> FrozenMap:
    """A table of constants, written as a list of pairs in the order of their text."""
    pairs = data["map"]
    if len(data) != 1 or not isinstance(pairs, list):
        raise _Wrong("a table of constants is `map` with a list of pairs, and nothing else")
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise _Wrong("a table of constants is a list of pairs")
    keys = [_text_or_number(key) for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise _Wrong("a table of constants has a key twice")
    if sorted(pairs, key=lambda pair: canonical(pair[0])) != pairs:
        raise _Wrong("a table of constants is not in order")
    return FrozenMap(
        (key, frozen(item, depth + 1)) for key, (_, item) in zip(keys, pairs, strict=True)
    )


def _opaque(data: object, depth: int = 0) -> Any:
    """Data that the machine never reads: unchanged, within bounds."""
    if depth > MOST_DEPTH:
        raise _Wrong("lists are nested too deep")
    if isinstance(data, dict):
        return {_str(key): _opaque(item, depth + 1) for key, item in data.items()}
    if isinstance(data, list):
        return [_opaque(item, depth + 1) for item in data]
    return frozen(data)


def _origin(data: object) -> Origin:
    if not isinstance(data, list) or len(data) != 4:
        raise _Wrong("a place is a list of pack, path, line and column")
    return Origin(_str(data[0]), _str(data[1]), _int(data[2]), _int(data[3]))


def _row(data: object) -> Row:
    table = data if isinstance(data, dict) else {}
    name = table.get("row")
    kind: Any = _ROWS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise _Wrong(f"{quoted(name)} is no kind of row")
    row: Row = _reader(kind)(data)
    return row


_PLAIN: Mapping[object, Reader] = {
    int: _int, str: _str, bool: _bool, Any: frozen, Origin: _origin, Row: _row,
}  # fmt: skip


def _class(cls: Any) -> Reader:
    readers = {name: _reader(kind) for name, kind in field_types(cls).items()}
    if cls is Program:
        readers["notation"] = _opaque
    keys = (readers | {"row": _str} if cls in ROWS else readers).keys()
    spared = keys & SPARED

    def read(data: object) -> Any:
        if not isinstance(data, dict):
            raise _unexpected("a table", data)
        if data.keys() | spared != keys:
            raise _other_keys(data, [name for name in keys if name in data or name not in spared])
        parts = {}
        try:
            for name, reader in readers.items():
                if name in data or name not in spared:
                    parts[name] = reader(data[name])
        except _Wrong as wrong:
            wrong.way.append(f".{name}")
            raise
        return cls(**parts)

    return read


def _other_keys(data: Mapping[str, object], wanted: Collection[str]) -> _Wrong:
    for name in wanted:
        if name not in data:
            return _Wrong(f"`{name}` is missing")
    other = next(key for key in data if key not in wanted)
    return _Wrong(f"{quoted(other)} does not belong there")


def _tuple(kinds: tuple[Any, ...]) -> Reader:
    same = _reader(kinds[0]) if kinds[1:] == (Ellipsis,) else None
    readers = [] if same else [_reader(kind) for kind in kinds]

    def read(data: object) -> Any:
        if not isinstance(data, list):
            raise _unexpected("a list", data)
        if same is frozen:  # an expression, or the values of a field
            return frozen(data)
        if same is None and len(data) != len(readers):
            raise _Wrong(f"a list of {len(readers)} was expected, not of {len(data)}")
        parts = []
        try:
            for one, item in zip(repeat(same) if same else readers, data, strict=False):
                parts.append(one(item))
        except _Wrong as wrong:
            wrong.way.append(f"[{len(parts)}]")
            raise
        return tuple(parts)

    return read


def _union(kinds: tuple[Any, ...]) -> Reader:
    """The reader of `T | None` or `str | T`."""
    optional = NoneType in kinds
    (other,) = (_reader(kind) for kind in kinds if kind is not (NoneType if optional else str))
    if optional:
        return lambda data: None if data is None else other(data)
    return lambda data: other(data) if isinstance(data, list) else _str(data)
