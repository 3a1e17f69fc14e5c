"""Answers given before the game, to a choice of that name in set-up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.calls import callees_of, reached
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Choose, Program
from ruleloom.runtime.program.state import frames
from ruleloom.runtime.search.node import PlayNode


class NotOnOffer(Refused):
    """A preset answer that is not on offer when it is asked for."""


@dataclass(frozen=True, slots=True)
class PresetAnswer:
    """One answer, to be given once in a game; `called` is its name for people."""

    variable: str
    value: Any
    called: str

    def answers(self, node: PlayNode) -> bool:
        """Is this the prompt of the answer? NotOnOffer if the answer cannot be given."""
        if not _asks(node, self.variable):
            return False
        if not node.allows(self.value):
            reason = node.why_not(self.value)
            told = f"`{self.called}` is not on offer as {self.variable}"
            raise NotOnOffer(f"{told}: {reason}" if reason else told)
        return True


def _asks(node: PlayNode, variable: str) -> bool:
    if node.over or node.chance or node.secret or node.takes_sets:
        return False
    row, (*_, outermost) = node.row, frames(node.stop.state.frame)
    in_set_up = outermost.routine == node.linked.set_up
    return isinstance(row, Choose) and row.name == variable and in_set_up


def asked_in_set_up(program: Program, variable: str) -> Choose | None:
    """The row of set-up, or of what it uses, that asks for a variable of this name."""
    routines = {routine.id: routine for routine in program.routines}

    def used(id: str) -> Iterator[str]:
        return (one.name for one in callees_of(routines[id]) if one.kind == "routine")

    rows = (row for id in reached([program.set_up], used) for row in routines[id].rows)
    asking = (row for row in rows if isinstance(row, Choose) and row.count == "one")
    return next((row for row in asking if row.name == variable), None)
