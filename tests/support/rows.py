"""Writes the rows of routines by hand, without a compiler, for programs that no text would give."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ruleloom.runtime.program.program import (
    Bounds,
    Choose,
    Condition,
    Expr,
    Jump,
    JumpUnless,
    Modal,
    Mode,
    Origin,
    Return,
    Routine,
    Row,
)

ME: Expr = ("scope", "me")


def const(value: Any) -> Expr:
    """A constant expression."""
    return ("value", value)


@dataclass
class Text:
    """Writes the rows of one routine; jumps go to labels that may come later."""

    id: str
    params: tuple[str, ...] = ()
    result: str = ""
    types: dict[str, str] = field(default_factory=dict)
    slots: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.slots.extend(self.params)

    def slot(self, name: str) -> int:
        """The slot of a variable."""
        if name not in self.slots:
            self.slots.append(name)
        return self.slots.index(name)

    def get(self, name: str) -> Expr:
        """Read a variable."""
        return ("slot", self.slot(name))

    def origin(self) -> Origin:
        """A place in an invented file."""
        return Origin("orchard", f"{self.id}.yaml", len(self.rows) + 1, 5)

    def add(self, cls: type[Row], **parts: Any) -> None:
        """Write a row."""
        self.rows.append(cls(origin=self.origin(), **parts))

    def label(self, name: str) -> None:
        """The next row can be jumped to."""
        self.labels[name] = len(self.rows)

    def choose(self, name: str, type_: str, domain: Expr, **parts: Any) -> None:
        """Write a choice; what is not said has its plain value."""
        plain: dict[str, Any] = dict(
            count="one", limit=None, conditions=(), by=None, or_none=False, default=None, prompt=""
        )
        self.add(
            Choose, slot=self.slot(name), name=name, type=type_, domain=domain, **{**plain, **parts}
        )

    def done(self) -> Routine:
        """The routine, with its labels resolved."""
        self.add(Return)
        rows = tuple(self._resolved(row) for row in self.rows)
        result = self.slot(self.result) if self.result else -1
        return Routine(
            self.id,
            self.params,
            tuple(self.slots),
            tuple(self.types.get(name, "") for name in self.slots),
            result,
            rows,
            self.origin(),
            Bounds(9, 9, 9, True),
        )

    def _resolved(self, row: Row) -> Row:
        labels: Any = self.labels
        match row:
            case Jump(to=to):
                return Jump(row.origin, labels.get(to, to))
            case JumpUnless(condition=condition, to=to):
                return JumpUnless(row.origin, condition, labels.get(to, to))
            case Modal(kind=kind, by=by, prompt=prompt, modes=modes):
                found = tuple(
                    Mode(m.origin, m.label, m.conditions, labels.get(m.to, m.to)) for m in modes
                )
                return Modal(row.origin, kind, by, prompt, found)
        return row

    def mode(self, label: str, to: Any, *conditions: Condition) -> Mode:
        """One way of a modal prompt."""
        return Mode(self.origin(), label, conditions, to)


def own_baskets(slot: int) -> Expr:
    """The baskets of the acting player."""
    mine = ("=", ("field", "Basket.owner", ("slot", slot)), ME)
    return ("each", "those", None, slot, ("query", "all_baskets"), mine)
