"""What a routine does in outline: what it uses, asks, offers and sets off. Read off its rows
once."""

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
    """The routines it uses (`dynamic`: also that of any record), the names of what it asks for, the
    labels of its modes, the operations it does, whether it draws, and whether somebody else or
    chance decides."""

    uses: frozenset[str]
    dynamic: bool
    asks: frozenset[str]
    modes: frozenset[str]
    operations: frozenset[str]
    draws: bool
    blind: bool


def outline(rows: Iterable[object]) -> Outline:
    """The outline of some rows; other parts of a program among them do nothing by themselves."""
    uses: set[str] = set()
    asks: set[str] = set()
    modes: set[str] = set()
    operations: set[str] = set()
    dynamic = draws = blind = False
    for row in rows:
        if isinstance(row, Operate):
            operations.add(row.operation)
        elif isinstance(row, Use):
            uses.add(row.routine)
        elif isinstance(row, Choose | Ask):
            asks.add(row.name)
            blind = blind or _another(row.by)
        elif isinstance(row, Modal):
            modes.update(mode.label for mode in row.modes if isinstance(mode.label, str))
            blind = blind or _another(row.by)
        elif isinstance(row, UsePower):
            dynamic = blind = True
        elif isinstance(row, CHANCE):
            asks.add(row.name)
            draws = draws or isinstance(row, Draw)
            blind = True
    return Outline(
        frozenset(uses),
        dynamic,
        frozenset(asks),
        frozenset(modes),
        frozenset(operations),
        draws,
        blind,
    )


def _another(by: Expr | None) -> bool:
    return by is not None and by != ME
