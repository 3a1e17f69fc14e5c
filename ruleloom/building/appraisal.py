"""What a record is worth: its price in each budget, and the requirements that it does not meet."""

from __future__ import annotations

from fractions import Fraction

from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.machine.labels import number_text

Number = int | Fraction
FIELDS = "fields"
"""The requirement of mistakes in fields, which nobody can allow."""


def counted(number: Number, unit: str) -> str:
    """A number with its unit: `36 Ad`."""
    return f"{number_text(number)} {unit}".rstrip()


def signed(number: Number) -> str:
    """A difference: `+2`."""
    return f"+{number_text(number)}" if number > 0 else number_text(number)


class BudgetState(Frozen):
    """What a thing costs in one measure, and what is allowed and left; None without an allowance."""

    name: str
    label: str
    spent: Number
    allowed: Number | None
    unit: str

    @property
    def left(self) -> Number | None:
        """What may still be spent; below 0 if too much is."""
        return None if self.allowed is None else self.allowed - self.spent

    @property
    def over(self) -> bool:
        """Is more spent than is allowed?"""
        return self.left is not None and self.left < 0


class Unmet(Frozen):
    """A requirement that a record or a part of it, which stands `at` a choice, does not meet.

    `allowed` is the note of the GM who allows it, or None. With `unknown` it cannot be known before play.
    What is merely not filled in yet has names of fields that are `open`: those still to say.
    """

    requirement: str
    level: str
    text: str
    help: str = ""
    clauses: tuple[str, ...] = ()
    at: str = ""
    allowed: str | None = None
    unknown: bool = False
    open: tuple[str, ...] = ()

    @property
    def forbids(self) -> bool:
        """Is the record illegal by this?"""
        return self.level == "error" and self.allowed is None and not self.unknown


class Appraisal(Frozen):
    """What a record is: its price in each budget, and what is wrong with it."""

    budgets: tuple[BudgetState, ...]
    findings: tuple[Unmet, ...]

    @property
    def legal(self) -> bool:
        """Does `check` accept it?"""
        return not any(one.forbids for one in self.findings)

    @property
    def unfinished(self) -> bool:
        """Is it not legal only for what is still to say?"""
        return not self.legal and all(one.open for one in self.findings if one.forbids)
