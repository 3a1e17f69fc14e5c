"""A program's own measures (a score, a card's value) as functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ruleloom.bots.lookahead import LOSS, WIN
from ruleloom.compiler.cases.case_words import slug_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.state import NO_RULES, State
from ruleloom.runtime.search.node import PlayNode

Measured = Callable[..., Any]


def measure(linked: Linked, name: str) -> Measured | None:
    """`f(state, *arguments)` for the measure or rule called `name`; None if there is none."""
    function = next((f for f in linked.program.functions if slug_of(f.id) == name), None)
    if function is None:
        return None
    slots = (("slot", number) for number in range(len(function.params)))
    compiled = linked.codegen.value(("function", function.id, *slots))
    return lambda state, *values: compiled(state.world, values, state.scope, NO_RULES)


def constants(linked: Linked, name: str, size: int) -> tuple[int, ...]:
    """The values of a measure for `size` entities; zeros where it is missing or reads the board."""
    found = measure(linked, name)
    world = (None,) * len(linked.layout.columns)
    state = State(world, linked.initial_scope, None, (), True, None)
    unknown = (0,) * size
    if found is None:
        return unknown
    try:
        return tuple(found(state, number) for number in range(size))
    except TypeError:  # a house rule made it depend on the board, and here is none
        return unknown


class MeasuredJudge:
    """The judge by the ruleset's own measure; it sees only what the measure reads."""

    def __init__(self, prospects: Measured) -> None:
        self._prospects = prospects

    def worth(self, node: PlayNode, player: int) -> int:
        """How good it is for `player` that play stands at `node`."""
        state = node.stop.state
        if state.outcome is not None:
            winners = state.outcome.winners
            return 0 if not winners else WIN if player in winners else LOSS
        return int(self._prospects(state, player))

    def secret(self, node: PlayNode, options: tuple[Any, ...], player: int) -> Any:
        """The first of what is on offer: what others choose is not known."""
        return options[0]

    def remember(self, node: PlayNode) -> None:
        """Nothing: what was reached before is judged like anything else."""
