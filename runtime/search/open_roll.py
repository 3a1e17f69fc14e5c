"""The open roll that an answer leads to, so that its odds can be told before it is made.

Nothing is told that hangs on something hidden: no row that may have run between the question and the
roll reads what not everybody sees, and the look-ahead stops before it sees a card or reveals one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from ruleloom.runtime.analysis.liveness import successors
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.registers import ASK, BARRIER
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.calls import Callee, called, graph_of, leading_to, reached
from ruleloom.runtime.program.expr import expressions_of
from ruleloom.runtime.program.state import Frame, frames
from ruleloom.runtime.program.values import Dynamic
from ruleloom.runtime.search.node import PlayNode


def open_roll(node: PlayNode, value: Dynamic) -> PlayNode | None:
    """Where answering `value` leads, if everybody may know that it is a roll, and of which dice.

    RuntimeFault if the rules fail on the way there.
    """
    row = node.row
    start = successors(row, node.frame.pc)
    if isinstance(row, p.Modal):
        start = (row.modes[value].to,)
    after = node.child(value)
    frame = after.stop.state.frame
    if frame is None or after.stop.kind not in (ASK, BARRIER):
        return None
    row = after.row
    if not isinstance(row, p.Roll) or isinstance(row, p.SecretRoll | p.SecretRollEach):
        return None
    hidden = _hidden_rows(after.linked)
    if hidden.stand_before(frame) or hidden.decide(node.frame, start, frame):
        return None
    return after


@lru_cache(maxsize=64)
def _hidden_rows(linked: Linked) -> HiddenRows:
    return HiddenRows(linked)


class HiddenRows:
    """The rows of a game that read what not everybody sees, also in what they call."""

    def __init__(self, linked: Linked) -> None:
        program = linked.program
        self._routines = program.routines
        self._reveals = {one.name for one in program.operations if one.reveals}
        derived = secrecy_of(linked).derived
        self._own = [
            [any(derived.of(one.id, expr) for expr in expressions_of(row)) for row in one.rows]
            for one in program.routines
        ]
        owners = zip(program.routines, self._own, strict=True)
        hiding = (Callee("routine", one.id) for one, rows in owners if any(rows))
        self._hiding = leading_to(hiding, graph_of(program))

    def has(self, routine: int, pc: int) -> bool:
        """Does this row, or what it calls, read something hidden?"""
        return self._own[routine][pc] or called(self._routines[routine].rows[pc]) in self._hiding

    def stand_before(self, frame: Frame) -> bool:
        """Has the row before this place just revealed something?"""
        row = self._routines[frame.routine].rows[max(0, frame.pc - 1)]
        return isinstance(row, p.Operate) and row.operation in self._reveals

    def decide(self, asked: Frame, start: tuple[int, ...], after: Frame) -> bool:
        """May something hidden have decided on the way from a question to another point?

        `start` are the rows to which the answers lead.
        """
        return any(self.has(routine, pc) for routine, pc in self._between(asked, start, after))

    def _between(
        self, asked: Frame, start: tuple[int, ...], after: Frame
    ) -> Iterator[tuple[int, int]]:
        """The rows that may have run since a question was answered."""

        def begin(frame: Frame) -> tuple[int, ...]:
            return start if frame is asked else (frame.pc,)

        old, new = [*frames(asked)], [*frames(after)]
        while old and new and old[-1] == new[-1]:  # these only wait
            old.pop()
            new.pop()
        goes_on = bool(old and new) and old[-1].routine == new[-1].routine
        for frame in old[:-1] if goes_on else old:
            yield from self._rows(frame.routine, begin(frame), None)
        for at, frame in enumerate(new):
            is_same = goes_on and at == len(new) - 1
            first = begin(old[-1]) if is_same else (0,)
            yield from self._rows(frame.routine, first, frame.pc, waits=at > 0)

    def _rows(
        self, routine: int, start: tuple[int, ...], end: int | None, waits: bool = False
    ) -> Iterator[tuple[int, int]]:
        """The rows of a routine between these, both included; to its end for None.

        One that waits stands behind its call: what that has run is told by the frame of the call.
        """
        ways = self._ahead(routine)
        ahead = {*_behind(ways, start)}
        if end is not None:
            ahead &= leading_to((end,), ways).keys()
        if end is not None and waits:
            ahead.discard(end)
            if end - 1 not in _behind(ways, ways[end - 1]):
                ahead.discard(end - 1)
        return ((routine, pc) for pc in ahead)

    def _ahead(self, routine: int) -> Mapping[int, tuple[int, ...]]:
        rows = self._routines[routine].rows
        return {
            pc: tuple(to for to in successors(row, pc) if to < len(rows))
            for pc, row in enumerate(rows)
        }


def _behind(ways: Mapping[int, tuple[int, ...]], start: Iterable[int]) -> Mapping[int, None]:
    return reached(start, lambda pc: ways.get(pc, ()))
