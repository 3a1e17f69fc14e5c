"""What stands ready in a program and answers what happens: triggers, replacements, rules that
always hold."""

from __future__ import annotations

from dataclasses import dataclass

from ruleloom.runtime.program.ir import Expr

# How many replacements may run within one another; then what is done is done as it is.
MOST_REPLACED = 12


@dataclass(frozen=True, slots=True)
class Trigger:
    """When an event matches, `routine` runs with the event's values in its first slots."""

    id: str
    event: str
    where: Expr | None
    timing: str
    once_per_turn: bool
    routine: str


@dataclass(frozen=True, slots=True)
class Replacement:
    """When `operation` is about to be carried out by a routine and `where` holds of its arguments,
    `routine` runs in its place, with these in its first slots. Within it the same replacement does
    not apply again.

    The `id` is that of no rule: it goes with the rules that are lifted.
    """

    id: str
    operation: str
    where: Expr | None
    routine: str


@dataclass(frozen=True, slots=True)
class Always:
    """After each operation that changed a column in `reads`: for each of `domain` (standing in slot
    0) that meets `when`, `operation` runs, unless the rule `name` is being ignored."""

    name: str
    domain: Expr
    when: Expr
    operation: str
    args: tuple[Expr, ...]
    reads: tuple[str, ...]
    english: str
