"""Bare names: locals, variables of the game, settings, values of enums, zones, lists of values.

Locals come first; the others cannot clash, since every global name of a value is unique.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ruleloom.compiler.check.arguments import call_signature
from ruleloom.compiler.diagnostics.suggest import (
    Suggestion,
    choices_text,
    did_you_mean,
    edit_distance,
    nearest,
)
from ruleloom.compiler.flow.context import BAD, ME, Context, Typed
from ruleloom.compiler.flow.flow import Local, ZoneRead, is_unnamed, unnamed
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.types import PLAIN, is_unknown, list_of
from ruleloom.runtime.program.values import PLAYER, Type


def check_name(ctx: Context, node: ast.Name, expected: Type | None) -> Typed:
    """Check a bare name."""
    local = ctx.flow.visible.get(node.id)
    if local is not None:
        return _local(ctx, node, local)
    if expected is not None and node.id in ctx.symbols.options_of(expected):
        return Typed(("value", node.id), Type(expected.name))
    return _record(ctx, node, expected) or _global(ctx, node) or _unknown(ctx, node, expected)


def _record(ctx: Context, node: ast.Name, expected: Type | None) -> Typed | None:
    """A thing that an item makes, by its name, where such a thing is wanted."""
    thing = ctx.symbols.thing_of(node.id, expected)
    return Typed(thing, Type(thing[1])) if thing is not None else None


def is_option_name(ctx: Context, node: ast.Expr) -> bool:
    """Is this a bare name that means nothing but, perhaps, one value of an enum or a switch?"""
    return (
        isinstance(node, ast.Name) and node.id not in ctx.flow.visible and _is_option(ctx, node.id)
    )


def is_strange_name(ctx: Context, node: ast.Expr) -> bool:
    """Is this a bare name that nothing declares?"""
    if not isinstance(node, ast.Name) or any(local.name == node.id for local in ctx.locals):
        return False
    symbols = ctx.symbols
    known = symbols.is_value_name(node.id) or symbols.is_callable_name(node.id)
    return not known and node.id not in ctx.flow.visible


def _is_option(ctx: Context, name: str) -> bool:
    symbols = ctx.symbols
    if name in symbols.values:
        return True
    return name not in symbols.value_names() and any(
        name in one.options for one in symbols.settings.values()
    )


def _local(ctx: Context, node: ast.Name, local: Local) -> Typed:
    local.use()
    if node.id not in ctx.flow.certain and not ctx.flow.ended:
        if node.id in ctx.told:
            return BAD
        ctx.told.add(node.id)
        message = f"`{node.id}` is set only on some of the ways that lead here"
        help = "set it on every way, or use it where it is set"
        return ctx.error("used-before-set", node, message, help)
    place = ctx.passage.place(node.span)
    ctx.reads.extend(ZoneRead(read.zone, read.owner, place, read.chosen) for read in local.hidden)
    if local.broken or is_unknown(local.type):
        return replace(BAD, type=local.type)
    return Typed(("slot", local.slot), local.type)


def _global(ctx: Context, node: ast.Name) -> Typed | None:
    symbols, name = ctx.symbols, node.id
    if name in symbols.scope:
        symbols.used.add(name)
        return Typed(("scope", name), symbols.scope[name].type)
    if name in symbols.settings:
        symbols.used.add(name)
        return Typed(("setting", name), symbols.settings[name].type)
    if name in symbols.values:
        return Typed(("value", name), Type(symbols.values[name]))
    if name == "players":
        return Typed(("players",), list_of(PLAYER))
    if name in symbols.enums:
        return Typed(("value", symbols.enums[name]), Type(name, many=True))
    if symbols.is_recorded(name):
        return Typed(("records", name), Type(name, many=True))
    if name in symbols.zones:
        return _zone(ctx, node)
    signature = symbols.callables.get(name)
    if signature is not None and all(param.default for param in signature.params):
        return call_signature(ctx, node, signature, ())
    return BAD if symbols.poisoned.may_declare(name) else None


def _zone(ctx: Context, node: ast.Name) -> Typed:
    zone = ctx.symbols.zones[node.id]
    owner = ME if zone.per_player else None
    ctx.reads.append(ZoneRead(zone.name, owner, ctx.passage.place(node.span)))
    return Typed(("zone", zone.name, owner), Type(zone.of, many=True))


def _unknown(ctx: Context, node: ast.Name, expected: Type | None) -> Typed:
    symbols, name = ctx.symbols, node.id
    if name in ctx.told:
        return BAD
    ctx.told.add(name)
    if any(local.name == name for local in ctx.locals):
        message = f"`{name}` is not set yet, or only in a part of the text that has ended"
        return ctx.error("used-before-set", node, message)
    if unnamed(name) in ctx.flow.visible:
        message = f"the event tells `{name}` only where it is named between its parentheses"
        return ctx.error("unknown-name", node, message)
    if expected is not None and expected.many and _is_one_of(ctx, name, expected.item):
        message = f"`{name}` is {ctx.say(expected.item)}, but {ctx.say(expected)} is wanted here"
        return ctx.error("type-mismatch", node, message, f"`[{name}]` is a list of one")
    if name in symbols.callable_names():
        return ctx.error(
            "unknown-name", node, f"`{name}` needs something in parentheses", f"`{name}(...)`"
        )
    if name in symbols.operations:
        message = f"`{name}` is something to do, not a value"
        return ctx.error("unknown-name", node, message, f"`{name}(...)` on a line of its own")
    if name in symbols.types or name in PLAIN:
        return ctx.error("unknown-name", node, f"`{name}` is a type, not a value")
    if any(name in one.options for one in symbols.settings.values()):
        message = f"`{name}` is an option of a switch; it can only be compared with that switch"
        return ctx.error("unknown-name", node, message)
    if name in symbols.powers:
        return ctx.error("unknown-name", node, f"`{name}` is a power, not a value", f"`use {name}`")
    return ctx.error(
        "unknown-name", node, f"there is no `{name}` here", _what_fits(ctx, name, expected)
    )


def _is_one_of(ctx: Context, name: str, type_: Type) -> bool:
    """Is this the name of a thing, or a value, of that type?"""
    return name in ctx.symbols.options_of(type_) or ctx.symbols.thing_of(name, type_) is not None


def _what_fits(ctx: Context, name: str, expected: Type | None) -> str | None:
    """The help for an unknown name: the nearest one, or else the few values that would fit."""
    options = ctx.symbols.options_of(expected) if expected is not None and not expected.many else ()
    if expected is not None and not expected.many and expected.name in ctx.symbols.made:
        options = tuple(one.replace("-", "_") for one in ctx.symbols.made[expected.name].names)
    close = did_you_mean(name, options) or _near_by(ctx, name)
    return close or (choices_text(name, options) if options else None)


def _near_by(ctx: Context, name: str) -> str | None:
    """The nearest name; of two equally near, a local rather than one of the game."""
    renamed = ctx.symbols.old_words.get(name)
    if renamed is not None:
        # In a text of statements an old name is the new one already: this one stands in a hole.
        return Suggestion(name, renamed.slug)
    certain = [one for one in ctx.flow.certain if not is_unnamed(one)]
    choices = [*certain, *ctx.symbols.value_names()]
    for own in nearest(name, certain, 1):
        if edit_distance(name, own) <= min(
            edit_distance(name, one) for one in nearest(name, choices, 1)
        ):
            return did_you_mean(name, [own])
    return suggestion(name, choices, ctx.symbols.callable_names())


def suggestion(name: str, choices: Sequence[str], callables: Sequence[str] = ()) -> str | None:
    """The help for a misspelt name: the nearest valid one."""
    if not nearest(name, choices, 1) and (close := nearest(name, callables, 1)):
        return Suggestion(name, f"{close[0]}(...)")
    return did_you_mean(name, choices)
