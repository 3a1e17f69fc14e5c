"""Who does an operation, for the log: whoever gave the last of the answers that it comes of.

In go rows; in the rows that come out an operation whose words name who acts knows that player, if
it need not be `me`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
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
    rows = routine.rows
    asks = any(isinstance(row, Secret) or getattr(row, "by", None) is not None for row in rows)
    if not asks or not any(isinstance(row, Operate) and row.operation in named for row in rows):
        return routine
    changing = {getattr(row, "slot", -1) for row in rows}
    given: dict[int, Answer] = {}
    ways: list[tuple[int, Answer]] = []
    found: list[Row] = []
    for pc, row in enumerate(rows):
        ways = [one for one in ways if one[0] > pc]
        if isinstance(row, Modal):
            ways.append((_end(rows, row), (pc, row.by)))
        elif isinstance(row, Operate) and row.operation in named:
            answers = [one for arg in row.args for one in _answers(arg, given)]
            answers += [answer for _, answer in ways]
            row = replace(row, by=max(answers, key=itemgetter(0), default=(pc, None))[1])
        slot = getattr(row, "slot", -1)
        given.pop(slot, None)
        given.update((slot, one) for one in _put_in(pc, row, given, changing))
        found.append(row)
    return replace(routine, rows=tuple(found))


def _end(rows: tuple[Row, ...], row: Modal) -> int:
    """The row behind all ways of a prompt."""
    first = row.modes[0]
    jumps = (one for one in rows[first.to :] if isinstance(one, Jump))
    return next(one.to for one in jumps if one.origin == first.origin)


def _put_in(
    pc: int, row: Row, given: Mapping[int, Answer], changing: Collection[int]
) -> Iterator[Answer]:
    """The answer that a row puts into its slot, if it does."""
    match row:
        case Choose() | Ask():
            yield pc, row.by
        case Secret():
            yield pc, EACH
        case Let():
            last = max(_answers(row.value, given), key=itemgetter(0), default=None)
            # What is gathered over several rounds is nobody's in particular.
            alone = row.value[0] in ("slot", "lookup")
            if last is not None and (alone or not (slots_read(last[1] or ()) & set(changing))):
                yield last


def _answers(expr: Expr, given: Mapping[int, Answer]) -> Iterator[Answer]:
    """The answers that an expression comes of."""
    for one in walk(expr):
        match one:
            case ("lookup", ("slot", slot), key) if given.get(slot, (0, None))[1] == EACH:
                yield given[slot][0], key
            case ("slot", slot) if slot in given and given[slot][1] != EACH:
                yield given[slot]
