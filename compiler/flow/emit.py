"""The rows of one routine while they are being written: jumps go to labels until all rows stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import accumulate

from ruleloom.runtime.program.program import (
    Expr,
    Jump,
    JumpUnless,
    Modal,
    Origin,
    Replaceable,
    Row,
    Spend,
)


class Rows:
    """Collects rows. A label is made with `label`, put before the next row with `put`."""

    def __init__(self) -> None:
        self._rows: list[Row] = []
        self._labels: list[int | None] = []

    @property
    def count(self) -> int:
        """The number of rows so far."""
        return len(self._rows)

    def add(self, row: Row) -> None:
        """Append a row; where it jumps, it names labels."""
        self._rows.append(row)

    def label(self) -> int:
        """Make a label that stands nowhere yet."""
        self._labels.append(None)
        return len(self._labels) - 1

    def put(self, label: int) -> None:
        """Let a label stand for the next row."""
        self._labels[label] = len(self._rows)

    @contextmanager
    def looping(self, origin: Origin, goes_on: Expr) -> Iterator[None]:
        """The rows added meanwhile are done again and again, as long as `goes_on` holds before them."""
        head, end = self.label(), self.label()
        self.put(head)
        self.add(JumpUnless(origin, goes_on, end))
        yield
        self.add(Jump(origin, head))
        self.put(end)

    def finish(self) -> tuple[Row, ...]:
        """All rows, with the labels replaced by the numbers of rows."""
        return tuple(_led(row, self._target) for row in self._rows)

    def _target(self, label: int) -> int:
        target = self._labels[label]
        assert target is not None, f"label {label} was never put"
        return target


def with_fuel(rows: tuple[Row, ...], heavy: Mapping[int, int]) -> tuple[Row, ...]:
    """The same rows, each heavy one behind a row that takes its evaluations from the fuel."""
    starts = list(accumulate((1 + (pc in heavy) for pc in range(len(rows))), initial=0))
    found: list[Row] = []
    for pc, row in enumerate(rows):
        if pc in heavy:
            found.append(Spend(row.origin, heavy[pc]))
        found.append(_led(row, starts.__getitem__))
    return tuple(found)


def _led(row: Row, target: Callable[[int], int]) -> Row:
    """A row that leads to other targets."""
    if isinstance(row, Jump | JumpUnless | Replaceable):
        return replace(row, to=target(row.to))
    if isinstance(row, Modal):
        return replace(row, modes=tuple(replace(mode, to=target(mode.to)) for mode in row.modes))
    return row
