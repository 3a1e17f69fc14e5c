"""Odds questions that are ready to be worked out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import number_text, value_text
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import Type
from ruleloom.runtime.search.node import PlayNode
from ruleloom.scenarios.claims.case_names import CaseNames
from ruleloom.scenarios.setup.made import unmarked
from ruleloom.scenarios.steps.trial_program import value_sought

# Instead of a value, where the text has come to nothing.
NOTHING = "(it comes to nothing)"


@dataclass(frozen=True, slots=True)
class OddsQuestion:
    """What is asked."""

    # The text begins at a node of its own for each expression to be told: what only the others need
    # is forgotten on its way, so that more states are equal.
    nodes: tuple[PlayNode, ...]
    words: CaseNames
    asked: tuple[str, ...]  # expressions
    types: tuple[str, ...]  # the type of each, "" where it is not known

    @property
    def linked(self) -> Linked:
        """The game, as it is given."""
        return self.words.linked

    def value(self, state: State, number: int) -> tuple[Any, ...]:
        """The value of an expression where the text has ended; empty where it was called off."""
        return value_sought(state, self.linked, number + 1)

    def text(self, number: int, value: Any) -> str:
        """A value of one expression, in words."""
        type_ = Type.parse(self.types[number])
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int | Fraction) and type_.name in ("?", "Int", "Fraction"):
            return number_text(value)
        return unmarked(value_text(self.linked, self.nodes[0].state.world, type_, value))
