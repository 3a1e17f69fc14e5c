"""The conditions of `where` and `when`, split where `and` joins them: each can be a reason for a refusal."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.context import BROKEN, Context, Typed
from compiler.effect import tree
from compiler.holding import TURNED, bounds, clash, verdict
from compiler.scopes import NO_FACTS, Facts, mentions
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
    tests: list[Expr] = []
    facts = NO_FACTS
    for part in conjuncts(node):
        mark = len(ctx.reads)
        with ctx.knowing(facts):
            typed = condition(ctx, part)
        judge(ctx, mark, chooser)
        facts |= typed.yes
        warn_if_constant(ctx, part, typed.expr)
        tests.append(typed.expr)
        english = ctx.reason(ctx, typed.expr, chooser) if ctx.reason is not None and typed.sound else ()
        found.append(Condition(typed.expr, english))
    warn_if_clashing(ctx, node, tests)
    return tuple(found), facts


def filtering(ctx: Context, node: tree.Expr, slot: int, name: str) -> Typed:
    """Check the `where` of a list that is looked through; `name`, in a slot, is each thing in it."""
    typed = condition(ctx, node)
    if typed.sound:
        warn_if_constant(ctx, node, typed.expr)
        warn_if_blind(ctx, node, [typed.expr], slot, name)
    return typed


def deciding(ctx: Context, node: tree.Expr) -> tuple[Expr, Facts, Facts]:
    """Check the condition of an `if`: its form, and what is known where it holds and where not."""
    mark = len(ctx.reads)
    typed = condition(ctx, node)
    judge(ctx, mark, None)
    warn_if_constant(ctx, node, typed.expr)
    return typed.expr, typed.yes, typed.no


def warn_if_constant(ctx: Context, node: tree.Expr, expr: Expr) -> None:
    """Warn about a condition that no play can change."""
    value = verdict(ctx, expr) if not mentions(expr, BROKEN) else None
    if value is not None:
        always = "true" if value else "false"
        ctx.warn(
            "constant-condition", node, f"`{ctx.words(node)}` is always {always}{_because(ctx, node, expr)}"
        )


def warn_if_clashing(ctx: Context, node: tree.Node, parts: Sequence[Expr]) -> None:
    """Warn about conditions that each can hold, and never do so together."""
    sound = [part for part in parts if not mentions(part, BROKEN)]
    if all(verdict(ctx, part) is None for part in sound) and clash(ctx, sound):
        ctx.warn("constant-condition", node, "these conditions never hold together")


def warn_if_blind(ctx: Context, node: tree.Expr, parts: Sequence[Expr], slot: int, name: str) -> None:
    """Warn about the condition of a list that asks nothing of the things in it."""
    # What was complained about may be just what speaks of it, and what is constant is told already.
    settled = any(mentions(part, BROKEN) or verdict(ctx, part) is not None for part in parts)
    if not settled and not any(mentions(part, ("slot", slot)) for part in parts):
        message = f"`{ctx.words(node)}` asks nothing of `{name}`: it lets all pass, or nobody"
        ctx.warn("same-for-all", node, message)


def _because(ctx: Context, node: tree.Expr, expr: Expr) -> str:
    """Why it is so, where a number cannot be what it is held against."""
    if isinstance(node, tree.Unary) and expr[0] == "not":
        return _because(ctx, node.value, expr[1])
    if expr[0] == "not":
        expr = expr[1]
    if not isinstance(node, tree.Binary) or expr[0] not in (*TURNED, "in"):
        return ""
    said = [
        _span(ctx, *side) for side in ((node.left, expr[1]), (node.right, expr[2])) if side[1][0] != "value"
    ]
    return ": " + " and ".join(filter(None, said)) if any(said) and expr[1] != expr[2] else ""


def _span(ctx: Context, node: tree.Expr, expr: Expr) -> str:
    low, high = bounds(ctx, expr)
    words = f"`{ctx.words(node)}`"
    if low is not None and high is not None:
        return f"{words} is from {low} to {high}"
    if low is None and high is None:
        return ""
    return f"{words} is at least {low}" if low is not None else f"{words} is at most {high}"
