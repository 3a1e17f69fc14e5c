"""A program's own measures (a score, a card's value) as functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.state import State

Measured = Callable[..., Any]


def measure(linked: Linked, name: str) -> Measured | None:
    """`f(state, *arguments)` for the measure or rule called `name`; None if there is none."""
    function = next(
        (f for f in linked.program.functions if f.id.rpartition("/")[2].replace("-", "_") == name),
        None,
    )
    if function is None:
        return None
    arguments = tuple(("slot", number) for number in range(len(function.params)))
    compiled = linked.codegen.value(("function", function.id, *arguments))

    def measured(state: State, *values: Any) -> Any:
        return compiled(state.world, values, state.scope, frozenset())

    return measured


def constants(linked: Linked, name: str, size: int) -> tuple[int, ...]:
    """The values of a measure for `size` entities; zeros where it is missing or reads the board."""
    found = measure(linked, name)
    world = (None,) * len(linked.layout.columns)
    state = State(world, linked.initial_scope, None, (), frozenset(), True, None)
    try:
        return (
            tuple(found(state, number) for number in range(size))
            if found is not None
            else (0,) * size
        )
    except TypeError:  # a house rule made it depend on the board, and here is none
        return (0,) * size
