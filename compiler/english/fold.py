"""What the settings in force decide: parts of an expression that are always so, or never, fall
away."""

from __future__ import annotations

from collections.abc import Mapping

from ruleloom.runtime.program.program import Expr

YES: Expr = ("value", True)
NO: Expr = ("value", False)


def folded(expr: Expr, settings: Mapping[str, object]) -> Expr:
    """The same expression, with the parts decided that constants and switches decide."""
    match expr:
        case ("not", inner):
            return NO if inner == YES else YES if inner == NO else expr
        case ("and", left, right):
            return _joined(left, right, YES, NO) or expr
        case ("or", left, right):
            return _joined(left, right, NO, YES) or expr
        case ("if", test, then, otherwise):
            return then if test == YES else otherwise if test == NO else expr
        case (("=" | "!=") as op, left, right):
            return _compared(op, left, right, settings) or expr
        case (("+" | "-" | "*") as op, left, right):
            return _worked_out(op, _number(left, settings), _number(right, settings)) or expr
        case ("is_none", ("value", value)):
            return YES if value is None else NO
        case ("setting", name) if isinstance(settings.get(name), bool):
            return ("value", settings[name])
        case ("each", ("highest" | "lowest"), None, _, ("value", (only,)), None):
            return ("value", only)
    return expr


def _number(expr: Expr, settings: Mapping[str, object]) -> int | None:
    value = (
        settings.get(expr[1]) if expr[0] == "setting" else expr[1] if expr[0] == "value" else None
    )
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _worked_out(op: str, left: int | None, right: int | None) -> Expr | None:
    if left is None or right is None:
        return None
    return ("value", {"+": left + right, "-": left - right, "*": left * right}[op])


def _joined(left: Expr, right: Expr, neutral: Expr, wins: Expr) -> Expr | None:
    if wins in (left, right):
        return wins
    return right if left == neutral else left if right == neutral else None


def _compared(op: str, left: Expr, right: Expr, settings: Mapping[str, object]) -> Expr | None:
    for switch, option in ((left, right), (right, left)):
        if (
            switch[0] == "setting"
            and option[0] == "value"
            and isinstance(settings.get(switch[1]), str)
        ):
            return YES if (settings[switch[1]] == option[1]) == (op == "=") else NO
    if left[0] == right[0] == "value":
        return YES if (left == right) == (op == "=") else NO
    return None
