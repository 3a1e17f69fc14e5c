"""A program's own measures (a score, a card's value) as functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ruleloom.bots.lookahead import Judge, outcome_worth
from ruleloom.compiler.cases.case_words import slug_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.program import Function
from ruleloom.runtime.program.state import NO_RULES, State
from ruleloom.runtime.search.node import PlayNode

Measured = Callable[..., Any]


def function_called(linked: Linked, name: str) -> Function | None:
    """The function of this name; None if there is none."""
    return next((one for one in linked.program.functions if slug_of(one.id) == name), None)


def measure(linked: Linked, name: str) -> Measured | None:
    """`f(state, *arguments)` for the measure or rule called `name`; None if there is none."""
    function = function_called(linked, name)
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


class MeasuredJudge(Judge):
    """The judge by the ruleset's own measure; it sees only what the measure reads."""

    def __init__(self, prospects: Measured) -> None:
        self._prospects = prospects

    def worth(self, node: PlayNode, player: int) -> int:
        """The worth of a position to `player`."""
        over = outcome_worth(node, player)
        return int(self._prospects(node.stop.state, player)) if over is None else over
