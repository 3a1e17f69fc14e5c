"""Plain data as canonical JSON, read without trust.

Reading refuses fractions, repeated keys, huge numbers and endless nesting; only `SaveError`s leave this
module.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import gcd
from typing import NoReturn, TypeAlias

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.faults import RuleloomError
from ruleloom.runtime.program.values import LARGEST

MOST_DIGITS = 100

Json: TypeAlias = "str | int | bool | Sequence[Json] | Mapping[str, Json] | None"


@dataclass(eq=False, repr=False)
class SaveError(RuleloomError):
    """A save, or a program in one, that cannot be used; the message is for people.

    `intact` counts the answers that can be recovered. With `by_rules` the save is sound, but its rules
    fail.
    """

    message: str
    path: str | None = None
    line: int | None = None
    intact: int | None = None
    by_rules: bool = False

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line) if part is not None)
        return f"{place}: {self.message}" if place else self.message

    def at(self, path: str | None, line: int | None) -> SaveError:
        """The same error, with missing path or line added."""
        return replace(self, path=self.path or path, line=self.line or line)


# Created once: creating an encoder takes longer than encoding a line of a save.
_encoder = partial(json.JSONEncoder, sort_keys=True, separators=(",", ":"), allow_nan=False)
_ENCODER, _SPELLING = _encoder(ensure_ascii=False), _encoder()


def canonical(data: Json) -> str:
    """The canonical JSON of plain data: sorted keys, no spaces, characters unescaped."""
    text = _ENCODER.encode(data)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        # A lone surrogate, from a file name or a terminal: escaped, not lost.
        return _SPELLING.encode(data)
    return text


def ratio_data(value: Fraction) -> Json:
    """A fraction as plain data; a whole one as an integer, so that equal numbers look equal."""
    whole, parts = value.numerator, [value.numerator, value.denominator]
    return whole if value.denominator == 1 else {"ratio": parts}


def ratio_of(data: Mapping[str, Json]) -> Fraction:
    """The fraction in lowest terms that `ratio_data` wrote; ValueError for anything else."""
    match data:
        case {"ratio": [top, bottom]} if len(data) == 1 and type(top) is int is type(bottom):
            if 1 < bottom <= LARGEST and abs(top) <= LARGEST and gcd(top, bottom) == 1:
                return Fraction(top, bottom)
    raise ValueError


def read_json(text: str) -> Json:
    """The data of one JSON text; SaveError if it is invalid."""
    try:
        data: Json = _DECODER.decode(text)
        return data
    except json.JSONDecodeError as error:
        raise SaveError(f"not JSON at character {error.pos + 1}") from None
    except RecursionError:
        raise SaveError("brackets are nested too deep") from None


def _table(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    table = dict(pairs)
    if len(table) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise SaveError(f"{quoted(twice)} stands there twice")
    return table


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise SaveError(f"a number of {len(digits):,} digits")
    return int(digits)


def _no_fraction(digits: str) -> NoReturn:
    raise SaveError(f"{quoted(digits)} is not a whole number")


def quoted(text: object, most: int = 60) -> str:
    """A quoted excerpt of an untrusted file: short, on one line, escaped where it could deceive."""
    shown = str(text) if isinstance(text, str) else type(text).__name__
    shown = shown if len(shown) <= most else shown[: most - 3] + "..."
    return f"`{shown}`" if shown.isprintable() else ascii(shown)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_table,
    parse_int=_whole,
    parse_float=_no_fraction,
    parse_constant=_no_fraction,
)
