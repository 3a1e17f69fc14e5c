"""Basic blocks as Python functions: runs of rows that only set variables, spend fuel and branch.

A block ends before a row of another kind, where two ways come together, where a way leads back, and
where conditions are nested too deep. It gives the number of the row to go on with. Most rows are of
these kinds, and a block is much faster than its rows one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from ruleloom.runtime.link.codegen import Codegen
from ruleloom.runtime.program.program import (
    EVALUATIONS_A_STEP,
    Jump,
    JumpUnless,
    Let,
    Routine,
    Row,
    SetScope,
    Spend,
)

BasicBlock = Callable[..., int]
PLAIN = (Let, SetScope, Jump, JumpUnless, Spend)
MOST_NESTED = 8


class BasicBlocks(dict[int, BasicBlock | None]):
    """The blocks of a routine by first row, compiled on demand; None for a row of another kind.

    A block is `f(r, w, e, s, g)` for a run `r` and gives the next row.
    """

    __slots__ = ("_codegen", "_joins", "_made", "_plain", "_routine")

    def __init__(self, routine: Routine, codegen: Codegen) -> None:
        super().__init__()
        self._routine = routine
        self._codegen = codegen
        self._plain = {pc for pc, row in enumerate(routine.rows) if row.__class__ in PLAIN}
        self._joins = joins_of(routine.rows)
        self._made: dict[int, tuple[int, ...]] = {}

    def __missing__(self, start: int) -> BasicBlock | None:
        block = None
        if start in self._plain:
            lines: list[tuple[int, str]] = []
            self._write(start, 1, lines)
            self._made[start] = tuple(row for row, _ in lines)
            source = "\n".join(["def block(r, w, e, s, g):", *(line for _, line in lines)])
            block = self._codegen.define("block", source, self._routine.id)
        self[start] = block
        return block

    def row_of(self, start: int, error: BaseException) -> int:
        """The row at which the block that begins with row `start` failed."""
        block = self.get(start)  # none if it could not even be made
        trace = error.__traceback__
        while block is not None and trace is not None:
            if trace.tb_frame.f_code is block.__code__:
                return self._made[start][trace.tb_lineno - 2]
            trace = trace.tb_next
        return start

    def _write(self, pc: int, depth: int, lines: list[tuple[int, str]]) -> None:
        """Write a line for each row of the block from `pc` on, with the row's number."""
        rows, codegen, indent = self._routine.rows, self._codegen, " " * depth
        while pc in self._plain and depth <= MOST_NESTED:
            if lines and pc in self._joins:
                break
            row, to = rows[pc], pc + 1
            match row:
                case Let():
                    lines.append((pc, f"{indent}e[{row.slot}] = {codegen.stored(row.value)}"))
                case SetScope():
                    lines.append((pc, f"{indent}s = {codegen.setting_scope(row.name, row.value)}"))
                case JumpUnless():
                    lines.append((pc, f"{indent}if {codegen.source(row.condition)}:"))
                    self._write(pc + 1, depth + 1, lines)
                    to = row.to
                case Jump():
                    to = row.to
                case Spend():
                    spent = row.evaluations // EVALUATIONS_A_STEP
                    lines.append((pc, f"{indent}r.steps += {spent}"))
            if to <= pc:
                lines.append((pc, f"{indent}return {to}"))
                return
            pc = to
        lines.append((pc, f"{indent}return {pc}"))


def joins_of(rows: tuple[Row, ...]) -> frozenset[int]:
    """The rows to which more than one plain row leads."""
    before: Counter[int] = Counter()
    for pc, row in enumerate(rows):
        match row:
            case Jump():
                before[row.to] += 1
            case JumpUnless():
                before.update((pc + 1, row.to))
            case Let() | SetScope() | Spend():
                before[pc + 1] += 1
    return frozenset(pc for pc, many in before.items() if many > 1)
