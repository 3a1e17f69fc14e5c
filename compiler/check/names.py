"""Bare names: locals, variables of the game, settings, values of enums, zones, lists of values.

Locals come first; the others cannot clash, since every global name of a value is unique.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ruleloom.compiler.check.calls import call_signature, is_one_of
from ruleloom.compiler.diagnostics import suggest
from ruleloom.compiler.flow.context import BAD, Context, Typed
from ruleloom.compiler.flow.flow import Local, ZoneRead, is_unnamed, unnamed
from ruleloom.compiler.flow.in_reach import EXAMPLES
from ruleloom.compiler.resolve.embedded import ITEM, SETTING, THING
from ruleloom.compiler.resolve.symbols import TAG_TYPE, Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.lexer import DASHED
from ruleloom.compiler.types import PLAIN, is_unknown, list_of, with_article
from ruleloom.runtime.program.expr import ME
from ruleloom.runtime.program.values import BOOL, PLAYER, Type


def check_name(ctx: Context, node: ast.Name, expected: Type | None) -> Typed:
    """Check a bare name."""
    local = ctx.flow.visible.get(node.id)
    if local is not None:
        return _local(ctx, node, local)
    if expected is not None and node.id in ctx.symbols.options_of(expected):
        if expected.name == TAG_TYPE:
            ctx.symbols.used.add(ctx.symbols.tags[node.id])
            ctx.means(node, ITEM, ctx.symbols.tags[node.id], "tag")
        else:
            table = "value" if expected.name in ctx.symbols.enums else "option"
            ctx.means(node, table, f"{expected.name}.{node.id}")
        return Typed(("value", node.id), Type(expected.name))
    thing = ctx.symbols.thing_of(node.id, expected)
    if thing is not None:
        ctx.means(node, THING, f"{thing[1]}.{thing[2][1]}", thing[1])
        return Typed(thing, Type(thing[1]))
    return _global(ctx, node) or _unknown(ctx, node, expected)


def is_option_name(ctx: Context, node: ast.Expr) -> bool:
    """Is this a bare name that means nothing but, perhaps, one value of an enum or a switch?"""
    if not isinstance(node, ast.Name) or node.id in ctx.flow.visible:
        return False
    symbols, name = ctx.symbols, node.id
    if name in symbols.values:
        return True
    return not symbols.stands_for_value(name) and name in symbols.options


def is_strange_name(ctx: Context, node: ast.Expr) -> bool:
    """Is this a bare name that nothing declares?"""
    if not isinstance(node, ast.Name) or any(local.name == node.id for local in ctx.locals):
        return False
    symbols = ctx.symbols
    known = symbols.is_value_name(node.id) or symbols.is_callable_name(node.id)
    return not known and node.id not in ctx.flow.visible


def refuse_dashes(ctx: Context, node: ast.Binary) -> bool:
    """Complain about a name written with dashes, whose parts mean nothing."""
    found = DASHED.match(ctx.passage.text, node.left.span[0])
    right = found[0].replace("-", "_") if found is not None else ""
    if found is None or found.end() < node.right.span[0] or not _means_something(ctx, right):
        return False
    if all(_means_something(ctx, part) for part in found[0].split("-")):
        return False
    at = ast.Name((node.left.span[0], found.end()), right)
    help = suggest.Suggestion(found[0], right)
    ctx.error("unknown-name", at, f"there is no `{found[0]}` here: texts write `_` for `-`", help)
    return True


def _means_something(ctx: Context, name: str) -> bool:
    symbols = ctx.symbols
    return (
        name in ctx.flow.visible
        or symbols.is_value_name(name)
        or symbols.is_callable_name(name)
        or symbols.is_told_by_type(name)
    )


def entity_of(ctx: Context, nodes: Sequence[ast.Expr]) -> Type | None:
    """The one entity that all bare names among some expressions can be things of."""
    names = (one.id for one in nodes if isinstance(one, ast.Name) and is_strange_name(ctx, one))
    found = [{entity for entity, _ in ctx.symbols.named.get(name, ())} for name in names]
    common = set.intersection(*found) if found else set()
    return Type(min(common)) if len(common) == 1 else None


def _local(ctx: Context, node: ast.Name, local: Local) -> Typed:
    local.use()
    ctx.symbols.uses.note_local(ctx.passage, node)
    if node.id not in ctx.flow.certain and not ctx.flow.ended:
        if node.id in ctx.told:
            return BAD
        ctx.told.add(node.id)
        message = f"`{node.id}` is set only on some of the ways that lead here"
        help = "set it on every way, or use it where it is set"
        return ctx.error("used-before-set", node, message, help)
    if local.hidden:
        place = ctx.passage.place(node.span)
        ctx.reads.extend(replace(read, place=place) for read in local.hidden)
    if local.broken or is_unknown(local.type):
        return replace(BAD, type=local.type)
    return Typed(("slot", local.slot), local.type)


def _global(ctx: Context, node: ast.Name) -> Typed | None:
    symbols, name = ctx.symbols, node.id
    if name in symbols.scope:
        symbols.used.add(name)
        ctx.means(node, "variable", name)
        return Typed(("scope", name), symbols.scope[name].type)
    if name in symbols.settings:
        symbols.used.add(name)
        ctx.means(node, SETTING, name)
        return Typed(("setting", name), symbols.settings[name].type)
    if name in symbols.values:
        ctx.means(node, "value", f"{symbols.values[name]}.{name}")
        return Typed(("value", name), Type(symbols.values[name]))
    found = _whole_list(ctx, node)
    if found is not None:
        return found
    signature = symbols.callables.get(name)
    if signature is not None and all(param.default for param in signature.params):
        return call_signature(ctx, node, signature, ())
    return BAD if symbols.poisoned.may_declare(name) else None


def _whole_list(ctx: Context, node: ast.Name) -> Typed | None:
    """The players, the values of an enum, all records of an entity, or what lies in a zone."""
    symbols, name = ctx.symbols, node.id
    if name == "players":
        return Typed(("players",), list_of(PLAYER))
    if name in symbols.enums:
        ctx.means(node, "enum", name)
        return Typed(("value", symbols.enums[name]), Type(name, many=True))
    if symbols.is_recorded(name):
        ctx.means(node, "type", name)
        return Typed(("records", name), Type(name, many=True))
    zone = symbols.zones.get(name)
    if zone is None:
        return None
    ctx.means(node, "zone", name)
    owner = ME if zone.per_player else None
    ctx.reads.append(ZoneRead(name, owner, ctx.passage.place(node.span), counted=True))
    return Typed(("zone", name, owner), Type(zone.of, many=True))


def _unknown(ctx: Context, node: ast.Name, expected: Type | None) -> Typed:
    name = node.id
    if name in ctx.told:
        return BAD
    ctx.told.add(name)
    if any(local.name == name for local in ctx.locals):
        message = f"`{name}` is not set yet, or only in a part of the text that has ended"
        return ctx.error("used-before-set", node, message)
    below = _line_below(ctx, node)
    if below is not None:
        message = f"`{name}` is set only below, in line {below}"
        return ctx.error("used-before-set", node, message, "set it before it is used")
    if unnamed(name) in ctx.flow.visible:
        message = f"the event tells `{name}` only where it is named between its parentheses"
        return ctx.error("unknown-name", node, message)
    if expected is not None and expected.many and is_one_of(ctx, name, expected.item):
        message = f"`{name}` is {ctx.say(expected.item)}, but {ctx.say(expected)} is wanted here"
        return ctx.error("type-mismatch", node, message, f"`[{name}]` is a list of one")
    if _means_nothing_yet(ctx, name, expected):
        return BAD
    other = _other_meaning(ctx.symbols, name)
    if other is None and expected is None and name in ctx.symbols.named:
        entity = ctx.symbols.named[name][0][0]
        noun = with_article(ctx.symbols.noun(Type(entity)))
        message = f"`{name}` is {noun}, and nothing here says that one is wanted"
        other = message, f"`those(x: {entity} where x = {name})`"
    message, help = other or (f"there is no `{name}` here", _what_fits(ctx, name, expected))
    return ctx.error("unknown-name", node, message, help)


def _line_below(ctx: Context, node: ast.Name) -> int | None:
    """The line further down in the text that sets a variable of this name, if there is one."""
    setting = re.compile(rf"\b(?:let|roll|draw|choose|number of|giving)\s+({node.id})\b")
    found = setting.search(ctx.passage.text, node.span[1])
    return None if found is None else ctx.passage.place(found.span(1)).line


def _means_nothing_yet(ctx: Context, name: str, expected: Type | None) -> bool:
    """Does what is meant depend on a type that was complained about?"""
    is_open = expected is not None and is_unknown(expected)
    return is_open and ctx.symbols.is_told_by_type(name)


def _other_meaning(symbols: Symbols, name: str) -> tuple[str, str | None] | None:
    """The message and help for a name that is no value by itself."""
    if symbols.is_callable_name(name):
        return f"`{name}` needs something in parentheses", f"`{name}(...)`"
    if name in symbols.operations:
        return f"`{name}` is something to do, not a value", f"`{name}(...)` on a line of its own"
    if name in symbols.types or name in PLAIN:
        return f"`{name}` is a type, not a value", None
    if name in symbols.options:
        return f"`{name}` is an option of a switch; it can only be compared with that switch", None
    if name in symbols.powers:
        return f"`{name}` is a power, not a value", f"`use {name}` on a line of its own"
    return None


def _what_fits(ctx: Context, name: str, expected: Type | None) -> str | None:
    """The help for an unknown name: the nearest one, or else the few values that would fit."""
    options = _values_of(ctx.symbols, expected)
    if not options:
        return _near_by(ctx, name, expected) or _sort(ctx, name, expected)
    variables = [one for one in (*ctx.flow.certain, *ctx.symbols.scope) if not is_unnamed(one)]
    close = suggest.did_you_mean(name, options) or suggest.did_you_mean(name, variables)
    return close or suggest.offer(name, options)


def _values_of(symbols: Symbols, type_: Type | None) -> Sequence[str]:
    """The names of all values of a type, where they have names."""
    if type_ is None or type_.many:
        return ()
    if type_.name in symbols.made:
        return [one.replace("-", "_") for one in symbols.made[type_.name].names]
    return symbols.options_of(type_)


def _is_value(symbols: Symbols, name: str) -> bool:
    """Is something called so that is not worked out: a thing of an item, or a value of an enum?"""
    return name in symbols.named or any(name in values for values in symbols.enums.values())


def _sort(ctx: Context, name: str, expected: Type | None) -> str | None:
    """The help for a name that is like no other: what is wanted, with an example."""
    if expected is None:
        return None
    if expected.present == BOOL and _is_value(ctx.symbols, name):
        return f"a condition is wanted, such as `x = {name}`"
    if expected.present in EXAMPLES:
        return EXAMPLES[expected.present].format(name)
    fitting = [*ctx.flow.certain, *ctx.symbols.scope]
    types = {one: ctx.symbols.scope[one].type for one in ctx.symbols.scope}
    types |= {one: ctx.flow.visible[one].type for one in ctx.flow.certain}
    known = [one for one in fitting if not is_unnamed(one) and types[one] == expected.present]
    if not known:
        return None
    is_are = "is" if len(known) == 1 else "are"
    return f"{ctx.say(expected.present)} is wanted; there {is_are} {suggest.quoted_list(known)}"


def _near_by(ctx: Context, name: str, expected: Type | None) -> str | None:
    """The nearest name; of two equally near, a local rather than one of the game."""
    certain = [one for one in ctx.flow.certain if not is_unnamed(one)]
    choices = [*certain, *ctx.symbols.value_names()]
    if expected is not None and not expected.many:
        # The name of a type stands for the list of all there are.
        choices = [one for one in choices if one not in ctx.symbols.types]
    for own in suggest.nearest(name, certain, 1):
        (closest,) = suggest.nearest(name, choices, 1)
        if suggest.edit_distance(name, own) <= suggest.edit_distance(name, closest):
            return suggest.did_you_mean(name, [own])
    close = suggestion(name, choices, ctx.symbols.callable_names())
    return close or suggest.did_you_mean(name, ctx.symbols.named if expected is None else ())


def suggestion(name: str, choices: Sequence[str], callables: Sequence[str] = ()) -> str | None:
    """The help for a misspelt name: the nearest valid one."""
    if not suggest.nearest(name, choices, 1) and (close := suggest.nearest(name, callables, 1)):
        return suggest.Suggestion(name, f"{close[0]}(...)")
    return suggest.did_you_mean(name, choices)
