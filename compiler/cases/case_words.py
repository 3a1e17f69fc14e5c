"""Words, numbers, points and tokens of cases, for their checks and their runner."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol

from ruleloom.runtime.program.interval import lies_within
from ruleloom.runtime.program.texts import read_call
from ruleloom.runtime.program.values import exact, parse_point

SPAN = re.compile(r"(-?\d{1,9}) *\.\. *(-?\d{1,9})")
HOLE = re.compile(r"\{([a-z_]+)\}")
WHOLE_AND_PART = re.compile(r"(-?)(\d{1,15}) (\d{1,15}/[1-9]\d{0,14})")
NONE = "none"


def word(said: Any) -> str:
    """A plain value as a word."""
    if isinstance(said, bool):
        return "yes" if said else "no"
    return NONE if said is None else str(said)


def folded(name: Any) -> str:
    """A name with `-` and `_` alike; yes and no as words."""
    return word(name).replace("-", "_")


def slug_of(routine: str) -> str:
    """`orchard:power/pick_fruit` as `pick_fruit`; a routine of an ability by its item's name."""
    return folded(routine.partition("#")[0].rsplit("/", 1)[-1].rsplit(":", 1)[-1])


@lru_cache(maxsize=4_000)
def number_in(text: str) -> int | Fraction | None:
    """A number as people write it, `3`, `1/2` or `40 9/10`; None for anything else."""
    mixed = WHOLE_AND_PART.fullmatch(text)
    try:
        if mixed is None:
            return exact(text)
        size = int(mixed[2]) + Fraction(mixed[3])
    except ValueError:
        return None
    return -size if mixed[1] else size


class Bounded(Protocol):
    """What holds numbers, perhaps within bounds."""

    @property
    def name(self) -> str: ...

    @property
    def low(self) -> int | Fraction | None: ...

    @property
    def high(self) -> int | Fraction | None: ...


def within(bounded: Bounded, value: int | Fraction) -> bool:
    """Whether a number lies within the bounds of a field, variable or setting."""
    return lies_within(value, bounded.low, bounded.high)


def reach_of(bounded: Bounded) -> str:
    """What numbers one holds, in words: `lies between 1 and 3`, `is at most 9`."""
    low, high = bounded.low, bounded.high
    if low is None or high is None:
        return f"is at least {low}" if high is None else f"is at most {high}"
    return f"lies between {low} and {high}"


@lru_cache(maxsize=2_000)
def name_and_words(asked: str) -> tuple[str, tuple[str, ...]]:
    """`ends(bleeding)` as a name and what stands in parentheses; of anything else no name."""
    call = read_call(asked)
    return (call.name, call.words) if call is not None else ("", ())


def is_point(text: str) -> bool:
    """Is it a point of a map, such as `2/-1`?"""
    try:
        parse_point(text)
    except ValueError:
        return False
    return True


def token_parts(
    pattern: str,
    types: tuple[tuple[str, str], ...],
    words: Mapping[str, Iterable[str]],
    token: str,
) -> Mapping[str, str] | None:
    """The texts of the fields of a token such as `A2E@0/1`, by name; None if it has another form.

    `types` are those of the fields, and `words` the values of a type.
    """
    own = tuple((of, tuple(words[of])) for _, of in types if of in words)
    found = _token_regex(pattern, types, own).fullmatch(token)
    return found.groupdict() if found is not None else None


@lru_cache(maxsize=256)
def _token_regex(
    pattern: str, types: tuple[tuple[str, str], ...], words: tuple[tuple[str, tuple[str, ...]], ...]
) -> re.Pattern[str]:
    types_of, words_of = dict(types), dict(words)
    parts = HOLE.split(pattern)  # text and names of fields in turn
    written = (
        f"(?P<{part}>{_written(types_of[part], words_of)})" if number % 2 else re.escape(part)
        for number, part in enumerate(parts)
    )
    return re.compile("".join(written))


def _written(type_: str, words: Mapping[str, Iterable[str]]) -> str:
    """The texts that a field of a type can have, as a pattern."""
    if type_ in words:
        return "|".join(map(re.escape, words[type_]))
    return "-?[0-9]+" if type_ == "Int" else ".+?"
