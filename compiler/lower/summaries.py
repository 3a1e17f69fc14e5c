"""The outline of a routine: what it uses, asks, offers and sets off, read off its rows once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ruleloom.runtime.program.program import (
    Ask,
    Choose,
    Draw,
    Expr,
    Modal,
    Operate,
    Pick,
    Roll,
    Secret,
    Use,
    UsePower,
)

ME: Expr = ("scope", "me")
CHANCE = (Roll, Secret, Draw, Pick)


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
    draws: bool
    blind: bool
    """Does chance decide in it, or somebody else?"""


def outline(rows: Iterable[object]) -> Outline:
    """The outline of some rows; other parts of a program among them do nothing by themselves."""
    uses: set[str] = set()
    asks: set[str] = set()
    modes: set[str] = set()
    operations: set[str] = set()
    dynamic = draws = blind = False
    for row in rows:
        blind = blind or _is_blind(row)
        match row:
            case Operate():
                operations.add(row.operation)
            case Use():
                uses.add(row.routine)
            case UsePower():
                dynamic = True
            case Draw():
                asks.add(row.name)
                draws = True
            case Choose() | Ask() | Roll() | Secret() | Pick():
                asks.add(row.name)
            case Modal():
                modes |= _labels(row)
    return Outline(
        frozenset(uses),
        dynamic,
        frozenset(asks),
        frozenset(modes),
        frozenset(operations),
        draws,
        blind,
    )


def _labels(row: Modal) -> set[str]:
    return {mode.label for mode in row.modes if isinstance(mode.label, str)}


def _is_blind(row: object) -> bool:
    """Does chance decide here, or another player, or a power that is not known beforehand?"""
    if isinstance(row, Choose | Ask | Modal):
        return row.by is not None and row.by != ME
    return isinstance(row, (UsePower, *CHANCE))
