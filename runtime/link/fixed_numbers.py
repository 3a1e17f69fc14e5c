"""Numbers that the settings of a game fix, such as those of stats that nothing modifies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ruleloom.runtime.program.program import Expr, Function


def fixed_number(
    expr: Expr, functions: Mapping[str, Function], settings: Mapping[str, Any]
) -> int | None:
    """The number of an expression if the settings fix it; None for all others."""
    match expr:
        case ("value", int(number)):
            return number
        case ("setting", name):
            value = settings[name]
            return value if isinstance(value, int) else None
        case ("function", id, *_):
            return fixed_number(functions[id].body, functions, settings)
        case ("each", "highest" | "lowest" as kind, None, _, ("list", *parts), None):
            found = (fixed_number(one, functions, settings) for one in parts)
            numbers = [one for one in found if one is not None]
            extreme = max if kind == "highest" else min
            return extreme(numbers) if parts and len(numbers) == len(parts) else None
    return None
