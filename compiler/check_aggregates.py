"""`count`, `exists`, `every`, `those`, `sum`, `highest` and `lowest`.

The short form asks about a list as it is, `count(hand)`; the long form looks at each thing in it,
`count(card: hand where suit(card) = cups)`. The name before the colon is known inside only.
"""

from __future__ import annotations

from compiler.conditions import filtering
from compiler.context import BAD, Context, Typed
from compiler.effect import tree
from compiler.locals import fresh_local
from compiler.types import fits, list_of
from compiler.wanted import item_type, listed, mismatch
from compiler.workload import check_work
from runtime.values import BOOL, DICE, FRACTION, INT, Type

RESULTS = {"count": INT, "exists": BOOL, "every": BOOL, "sum": INT, "highest": INT, "lowest": INT}


def check_aggregate(ctx: Context, node: tree.Aggregate) -> Typed:
    """Check one aggregate in either form."""
    if node.binder is None:
        return _short(ctx, node)
    with ctx.costing():  # counted with the whole
        domain = listed(ctx, node.domain)
        binder = fresh_local(
            ctx, node.binder, item_type(domain), "looked at", slot=ctx.hidden_slot(node.binder.id)
        )
        with ctx.binding(binder):
            where = filtering(ctx, node.where, binder.slot, binder.name) if node.where is not None else None
            with ctx.knowing(where.yes if where else frozenset()):
                value = ctx.check(node.value) if node.value is not None else None
    result = _result(ctx, node, item_type(domain), value, domain.type.repeats)
    if not domain.known:
        return Typed(BAD.expr, result)
    tail = (binder.slot, domain.expr, where.expr if where else None)
    found = Typed(("each", node.kind, value.expr if value else None, *tail), result)
    return found if check_work(ctx, node, found.expr) else BAD


def _result(ctx: Context, node: tree.Aggregate, item: Type, value: Typed | None, dice: bool) -> Type:
    shown = value.type if value else item
    if node.kind == "those":
        return DICE if dice and value is None else list_of(shown)
    if node.kind == "every" and node.where is None:
        ctx.error(
            "incomplete-aggregate",
            node,
            "`every` needs a condition",
            f"`every({_binder(node)}: ... where ...)`",
        )
    elif node.kind in ("sum", "highest", "lowest") and not fits(shown, FRACTION):
        if value is None:
            example = f"`{node.kind}(... for {_binder(node)}: {ctx.words(node.domain)})`"
            ctx.error("incomplete-aggregate", node, f"`{node.kind}` needs a number for each of them", example)
        elif node.value is not None:
            mismatch(ctx, node.value, shown, INT)
    return _number_of(node.kind, shown)


def _number_of(kind: str, shown: Type) -> Type:
    """The result: of numbers that need not be whole, the sum or one of them need not be either."""
    return FRACTION if kind in ("sum", "highest", "lowest") and shown == FRACTION else RESULTS[kind]


def _binder(node: tree.Aggregate) -> str:
    return node.binder.id if node.binder else "x"


def _short(ctx: Context, node: tree.Aggregate) -> Typed:
    mark = len(ctx.reads)
    domain = listed(ctx, node.domain)
    if node.kind in ("every", "those"):
        words = ctx.words(node.domain)
        return ctx.error(
            "incomplete-aggregate",
            node,
            f"`{node.kind}` needs a condition",
            f"`{node.kind}(x: {words} where ...)`",
        )
    if node.kind in ("count", "exists"):
        if domain.expr[0] == "zone":
            # How many there are is open to all, whatever they are.
            del ctx.reads[mark:]
        if node.kind == "count":
            return Typed(("count", domain.expr), INT)
    elif domain.known and not fits(list_of(item_type(domain)), list_of(FRACTION)):
        example = f"`{node.kind}(... for x: {ctx.words(node.domain)})`"
        return ctx.error(
            "incomplete-aggregate", node, f"`{node.kind}` needs a number for each of them", example
        )
    slot = ctx.hidden_slot("$each")
    result = _number_of(node.kind, item_type(domain))
    return Typed(("each", node.kind, None, slot, domain.expr, None), result)
