"""The conditions of `where` and `when`, split where `and` joins them: each can be a reason for a refusal."""

from __future__ import annotations

from compiler.context import Context
from compiler.effect import tree
from compiler.scopes import NO_FACTS, Facts
from compiler.visibility import judge
from compiler.wanted import condition
from runtime.program import Condition, Expr


def conjuncts(node: tree.Expr) -> list[tree.Expr]:
    """The parts of a condition that all have to hold."""
    if isinstance(node, tree.Binary) and node.op == "and":
        return [*conjuncts(node.left), *conjuncts(node.right)]
    return [node]


def conditions(
    ctx: Context, node: tree.Expr | None, chooser: Expr | None
) -> tuple[tuple[Condition, ...], Facts]:
    """Check each condition, knowing that those before it hold; also what is known where all hold."""
    if node is None:
        return (), NO_FACTS
    found: list[Condition] = []
    facts = NO_FACTS
    for part in conjuncts(node):
        mark = len(ctx.reads)
        with ctx.knowing(facts):
            typed = condition(ctx, part)
        judge(ctx, mark, chooser)
        facts |= typed.yes
        warn_if_constant(ctx, part, typed.expr)
        english = ctx.reason(ctx, typed.expr, chooser) if ctx.reason is not None and typed.sound else ()
        found.append(Condition(typed.expr, english))
    return tuple(found), facts


def deciding(ctx: Context, node: tree.Expr) -> tuple[Expr, Facts, Facts]:
    """Check the condition of an `if`: its form, and what is known where it holds and where not."""
    mark = len(ctx.reads)
    typed = condition(ctx, node)
    judge(ctx, mark, None)
    warn_if_constant(ctx, node, typed.expr)
    return typed.expr, typed.yes, typed.no


def warn_if_constant(ctx: Context, node: tree.Expr, expr: Expr) -> None:
    """Warn about a condition that no play can change."""
    value = folded(expr)
    if isinstance(value, bool):
        ctx.warn("constant-condition", node, f"`{ctx.words(node)}` is always {'true' if value else 'false'}")


def folded(expr: Expr) -> object:
    """The value of an expression made of constants alone; None where it is not."""
    match expr:
        case ("value", value):
            return value
        case ("not", part):
            inner = folded(part)
            return not inner if isinstance(inner, bool) else None
        case ((("=" | "!=" | "<" | "<=" | ">" | ">=") as op), left, right):
            return _compared(op, folded(left), folded(right), left == right)
        case ("and", left, right):
            return _both(folded(left), folded(right), False)
        case ("or", left, right):
            return _both(folded(left), folded(right), True)
        case _:
            return None


def _compared(op: str, left: object, right: object, same: bool) -> bool | None:
    if same:
        return op in ("=", "<=", ">=")
    if left is None or right is None:
        return None
    if op in ("=", "!="):
        return (left == right) == (op == "=")
    if not (isinstance(left, int) and isinstance(right, int)):
        return None
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[op]


def _both(left: object, right: object, wins: bool) -> bool | None:
    if left is wins or right is wins:
        return wins
    return (not wins) if left is (not wins) and right is (not wins) else None
