"""Expressions of which something is asked: a type, a condition, a number, a list.

Each function checks an expression and complains, in the author's words, if it is not what the place needs.
"""

from __future__ import annotations

from dataclasses import replace

from compiler.context import BAD, Context, Typed
from compiler.effect import tree
from compiler.types import fits, is_number, is_unknown
from runtime.values import BOOL, FRACTION, INT, NONE, PLAYER, Type


def wanted(ctx: Context, node: tree.Expr, type_: Type, place: str = "here") -> Typed:
    """Check an expression where a value of `type_` is asked for."""
    return wanted_as(ctx, node, ctx.check(node, type_), type_, place)


def wanted_as(ctx: Context, node: tree.Expr, typed: Typed, type_: Type, place: str = "here") -> Typed:
    """Hold what was checked against the type that is asked for."""
    if not fits(typed.type, type_):
        if not typed.sound and fits(typed.type, replace(type_, optional=True)):
            return BAD
        return mismatch(ctx, node, typed.type, type_, place)
    return typed


def mismatch(ctx: Context, node: tree.Node, given: Type, asked: Type, place: str = "here") -> Typed:
    """Complain that one type stands where another is asked for, or that something may be none."""
    words = ctx.words(node)
    if given.optional and given != NONE and fits(given.present, asked):
        if ctx.unsure:
            return BAD
        return ctx.error(
            "may-be-none",
            node,
            f"`{words}` may be none, but {ctx.say(asked)} is wanted {place}",
            f"`if {words} is not none:`",
        )
    if given == NONE:
        return ctx.error("type-mismatch", node, f"{ctx.say(asked)} is wanted {place}, and `none` is nothing")
    help = None
    if (given, asked) == (FRACTION, INT):
        message = f"`{words}` may be a fraction, but a whole number is wanted {place}"
        return ctx.error("type-mismatch", node, message, f"`{words} div 1` rounds it down")
    if given.many and fits(given.item, asked):
        help = f"`for each x in {words}:` goes through the list one by one"
    elif asked.many and fits(given, asked.item):
        help = f"`[{words}]` is a list of one"
    return ctx.error(
        "type-mismatch", node, f"`{words}` is {ctx.say(given)}, but {ctx.say(asked)} is wanted {place}", help
    )


def condition(ctx: Context, node: tree.Expr) -> Typed:
    """Check a condition."""
    typed = wanted(ctx, node, BOOL)
    ctx.unsure |= not typed.sound
    return typed


def whole(ctx: Context, node: tree.Expr) -> Typed:
    """Check a whole number."""
    return wanted(ctx, node, INT)


def number(ctx: Context, node: tree.Expr) -> Typed:
    """Check a number, whole or not."""
    typed = ctx.check(node, FRACTION)
    return typed if is_number(typed.type) else wanted_as(ctx, node, typed, INT)


def player(ctx: Context, node: tree.Expr) -> Typed:
    """Check an expression that names a player."""
    return wanted(ctx, node, PLAYER)


def listed(ctx: Context, node: tree.Expr, expected: Type | None = None) -> Typed:
    """Check a list to choose from or to go through."""
    typed = ctx.check(node, expected)
    if typed.known and not typed.type.many:
        words = ctx.words(node)
        if typed.type.by_player:
            help = f"`{words}(player)` is what one player chose"
        else:
            help = f"`[{words}]` is a list of one"
        return ctx.error(
            "type-mismatch", node, f"`{words}` is {ctx.say(typed.type)}, but a list is wanted here", help
        )
    if typed.known and typed.type.optional:
        return mismatch(ctx, node, typed.type, typed.type.present)
    return typed


def item_type(typed: Typed) -> Type:
    """The type of one element of a checked list."""
    return typed.type if is_unknown(typed.type) else typed.type.item
