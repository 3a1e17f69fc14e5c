"""Who does an operation, for the log: whoever gave the last of the answers that it comes of.

In go rows; in the rows that come out an operation whose words name who acts knows that player, if
it need not be `me`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from operator import itemgetter
from typing import TypeAlias

from ruleloom.runtime.program.expr import slots_read, walk
from ruleloom.runtime.program.program import (
    Ask,
    Choose,
    Expr,
    Jump,
    Let,
    Modal,
    Operate,
    Routine,
    Row,
    Secret,
)

Answer: TypeAlias = tuple[int, Expr | None]
"""The row that asked, and who answered: None for me."""
EACH: Expr = ("players",)
"""Who answered, where a table has an answer of each player."""


def with_doers(routine: Routine, named: Collection[str]) -> Routine:
    """The same routine; the operations `named` say who does them."""
    if not any(isinstance(row, Operate) and row.operation in named for row in routine.rows):
        return routine
    answers, rows = _Answers(routine.rows), list(routine.rows)
    for pc, row in enumerate(routine.rows):
        if isinstance(row, Operate) and row.operation in named:
            by = answers.doer(pc, row)
            rows[pc] = row if by is None else replace(row, by=by)
        answers.note(pc, row)
    told = tuple(rows)
    return routine if told == routine.rows else replace(routine, rows=told)


class _Answers:
    """The answers so far: those that stand in the slots, and those that led to the ways around."""

    def __init__(self, rows: tuple[Row, ...]) -> None:
        self.rows = rows
        self.changing = {getattr(row, "slot", -1) for row in rows}
        self.given: dict[int, Answer] = {}
        self.ways: list[tuple[int, Answer]] = []

    def doer(self, pc: int, row: Operate) -> Expr | None:
        """Who gave the last answer that an operation comes of."""
        answers = [one for arg in row.args for one in self._within(arg)]
        answers += [answer for end, answer in self.ways if end > pc]
        return max(answers, key=itemgetter(0), default=(pc, None))[1]

    def note(self, pc: int, row: Row) -> None:
        """Go past a row."""
        if isinstance(row, Modal):
            self.ways.append((self._end(row), (pc, row.by)))
        slot = getattr(row, "slot", -1)
        answer = self._put(pc, row)
        self.given.pop(slot, None)
        if answer is not None:
            self.given[slot] = answer

    def _end(self, row: Modal) -> int:
        """The row behind all ways of a prompt."""
        first = row.modes[0]
        jumps = (one for one in self.rows[first.to :] if isinstance(one, Jump))
        return next(one.to for one in jumps if one.origin == first.origin)

    def _put(self, pc: int, row: Row) -> Answer | None:
        """The answer that a row puts into its slot, if it does."""
        match row:
            case Choose() | Ask():
                return pc, row.by
            case Secret():
                return pc, EACH
            case Let():
                last = max(self._within(row.value), key=itemgetter(0), default=None)
                by = last[1] if last is not None else None
                # What is gathered over several rounds is nobody's in particular.
                gathered = row.value[0] not in ("slot", "lookup")
                if by is None or not (gathered and slots_read(by) & self.changing):
                    return last
        return None

    def _within(self, expr: Expr) -> Iterator[Answer]:
        """The answers that an expression comes of."""
        for one in walk(expr):
            match one:
                case ("lookup", ("slot", slot), key) if self._is_table(slot):
                    yield self.given[slot][0], key
                case ("slot", slot) if slot in self.given and not self._is_table(slot):
                    yield self.given[slot]

    def _is_table(self, slot: int) -> bool:
        return slot in self.given and self.given[slot][1] == EACH
