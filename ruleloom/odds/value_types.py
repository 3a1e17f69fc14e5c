"""Tells the types of what an effect text sets, so that a thing can be called by its name.

In go a program and one of its routines; out comes the type of each name, empty where nothing in the
text says it: such a value is shown as it is.
"""

from __future__ import annotations

from collections.abc import Mapping

from ruleloom.runtime.program.program import (
    Ask,
    Choose,
    Draw,
    Expr,
    Let,
    Operate,
    Program,
    Roll,
    RollEach,
    Routine,
    Row,
)


def types_set(program: Program, routine: Routine) -> dict[str, str]:
    """The type of each name that a routine sets."""
    written = _Written(program)
    types: dict[int, str] = {}
    for row in routine.rows:
        slot = getattr(row, "slot", -1)
        if slot >= 0:
            types[slot] = written.of_row(row, types)
    return {routine.slots[slot]: type_ for slot, type_ in types.items()}


class _Written:
    """The types that a program has written down."""

    def __init__(self, program: Program) -> None:
        self.fields = {
            f"{entity.name}.{field.name}": field.type
            for entity in program.entities
            for field in entity.fields
        }
        self.results = {one.id: one.result for one in program.functions}
        self.results |= {one.name: one.result for one in program.queries}
        self.variables = {one.name: one.type for one in program.scope}
        self.variables |= {one.name: one.type for one in program.settings}
        self.given = {one.name: one.result for one in program.operations}

    def of_row(self, row: Row, types: Mapping[int, str]) -> str:
        """The type of what a row sets."""
        match row:
            case Choose():
                return row.type if row.count == "one" else f"List of {row.type}"
            case Draw() | Ask():
                return row.type
            case RollEach():
                return "Dice"
            case Roll():
                return "Int"
            case Operate():
                return self.given[row.operation]
            case Let():
                return self.of(row.value, types)
            case _:
                return ""

    def of(self, expr: Expr, types: Mapping[int, str]) -> str:
        """The type of an expression."""
        match expr[0]:
            case "field" | "static":
                return self.fields.get(str(expr[1]), "")
            case "lookup":
                return self.of(expr[1], types)
            case "function" | "query":
                return self.results.get(str(expr[1]), "")
            case "scope" | "setting":
                return self.variables.get(str(expr[1]), "")
            case "record":
                return str(expr[1])
            case "slot":
                return types.get(expr[1], "")
            case "if":
                return self.of(expr[2], types) or self.of(expr[3], types)
            case _:
                return ""
