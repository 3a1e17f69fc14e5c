"""Constant folding for rules texts: what constants and the settings in force decide falls away."""

from __future__ import annotations

from collections.abc import Mapping

from ruleloom.runtime.program.interval import Interval, arithmetic, compare_values
from ruleloom.runtime.program.program import Expr

YES: Expr = ("value", True)
NO: Expr = ("value", False)


def folded(expr: Expr, settings: Mapping[str, object]) -> Expr:
    """The same expression, with its outermost operation folded if constants or switches decide."""
    return _decided(expr) or _computed(expr, settings) or expr


def _computed(expr: Expr, settings: Mapping[str, object]) -> Expr | None:
    """The constant that a comparison, sum, setting or choice among one comes to."""
    match expr:
        case (("=" | "!=") as op, left, right):
            return _compared(op, left, right, settings)
        case (("+" | "-" | "*") as op, left, right):
            return _worked_out(op, _value(left, settings), _value(right, settings))
        case ("is_none", ("value", value)):
            return YES if value is None else NO
        case ("setting", name) if isinstance(settings.get(name), bool):
            return ("value", settings[name])
        case ("each", ("highest" | "lowest"), None, _, ("value", (only,)), None):
            return ("value", only)
    return None


def _decided(expr: Expr) -> Expr | None:
    """What is left of a condition, or of a choice by one, once its parts are decided."""
    match expr:
        case ("and", left, right):
            return _joined(left, right, YES, NO)
        case ("or", left, right):
            return _joined(left, right, NO, YES)
        case ("not", inner):
            return NO if inner == YES else YES if inner == NO else None
        case ("if", test, then, otherwise):
            return then if test == YES else otherwise if test == NO else None
    return None


def _value(expr: Expr, settings: Mapping[str, object]) -> object:
    if expr[0] == "setting":
        return settings.get(expr[1])
    return expr[1] if expr[0] == "value" else None


def _worked_out(op: str, left: object, right: object) -> Expr | None:
    if type(left) is not int or type(right) is not int:
        return None
    return ("value", arithmetic(op, Interval(left, left), Interval(right, right)).exact)


def _joined(left: Expr, right: Expr, neutral: Expr, wins: Expr) -> Expr | None:
    if wins in (left, right):
        return wins
    return right if left == neutral else left if right == neutral else None


def _compared(op: str, left: Expr, right: Expr, settings: Mapping[str, object]) -> Expr | None:
    one, other = _value(left, settings), _value(right, settings)
    switch = isinstance(one if left[0] == "setting" else other, str)
    if {left[0], right[0]} == {"value"} or (switch and {left[0], right[0]} == {"value", "setting"}):
        return YES if compare_values(op, one, other) else NO
    return None
