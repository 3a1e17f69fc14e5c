"""The outline of a routine: what it uses, asks, offers and sets off, read off its rows once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program import program
from ruleloom.runtime.program.program import Expr

T = TypeVar("T")
ME: Expr = ("scope", "me")
CHANCE = (program.Roll, program.Secret, program.Draw, program.Peek, program.Pick)
ASKING = (program.Choose, program.Ask, *CHANCE)
Part = tuple[object, ...] | program.Row | program.Condition
WITH_PARTS = (tuple, program.Row, program.Condition)


@dataclass(frozen=True, slots=True)
class Outline:
    """What a routine does, in outline."""

    uses: frozenset[str]
    dynamic: bool
    """Does it also use the power of any record?"""
    asks: frozenset[str]
    modes: frozenset[str]
    """The labels of its modes."""
    operations: frozenset[str]
    """The events that it raises: operations and moments."""
    draws: bool
    blind: bool
    """Does chance decide in it, or somebody else?"""
    texts: frozenset[str]
    """The texts that stand in it as values."""


def outline(rows: Sequence[object]) -> Outline:
    """The outline of some rows; other parts of a program among them do nothing by themselves."""
    labels = [mode.label for row in _only(program.Modal, rows) for mode in row.modes]
    return Outline(
        uses=frozenset(row.routine for row in _only(program.Use, rows)),
        dynamic=bool(_only(program.UsePower, rows)),
        asks=frozenset(row.name for row in rows if isinstance(row, ASKING)),
        modes=frozenset(label for label in labels if isinstance(label, str)),
        operations=frozenset(filter(None, map(_raised, rows))),
        draws=bool(_only(program.Draw, rows)),
        blind=any(map(_is_blind, rows)),
        texts=frozenset(texts_in(tuple(rows))),
    )


def texts_in(part: Part) -> set[str]:
    """Every text that stands as a value in a part of a program."""
    found: set[str] = set()
    _take_texts(part, found)
    return found


def _take_texts(part: Part, found: set[str]) -> None:
    if isinstance(part, tuple):
        if len(part) == 2 and part[0] == "value" and isinstance(part[1], str):
            found.add(part[1])
        parts = part
    else:
        parts = tuple([getattr(part, name) for name in type(part).__match_args__])
    for one in parts:
        if isinstance(one, WITH_PARTS):
            _take_texts(one, found)


def _only(form: type[T], rows: Sequence[object]) -> list[T]:
    return [row for row in rows if isinstance(row, form)]


def _raised(row: object) -> str:
    """The event that a row raises, if any."""
    if isinstance(row, program.Operate):
        return row.operation
    return row.event if isinstance(row, program.Announce | program.Replaceable) else ""


def _is_blind(row: object) -> bool:
    """Does chance decide here, or another player, is something shown, or is the power not known
    beforehand?"""
    if isinstance(row, program.Choose | program.Ask | program.Modal):
        return row.by is not None and row.by != ME
    return isinstance(row, (program.UsePower, program.Show, *CHANCE))
