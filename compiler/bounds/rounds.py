"""The most rounds of a loop, and the packs that set them.

The count is that of the table: a setting counts as the game or a pack sets it, even if its `max`
would let it go further; fuel is there for tables that do. What a pack raises, or brings more things
for, is its share of the count.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from copy import copy
from dataclasses import replace
from functools import partial

from ruleloom.compiler.bounds.intervals import length, numbers, things
from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.flow.cost import Factor, Opened, Share
from ruleloom.compiler.flow.flow import Local
from ruleloom.compiler.flow.functions import Functions
from ruleloom.compiler.query.lookups import NEVER_SAME, Remembered, Table
from ruleloom.compiler.resolve.symbols import SettingSymbol, Symbols
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.runtime.program.expr import slots_read, walk
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import Type

ROUNDS = "round", "rounds"
Find = Callable[[Context], int | None]


def longest(ctx: Context, expr: Expr, type_: Type) -> int | None:
    """The greatest length of a list, if need be that of all things of its type."""
    found = length(ctx, expr)
    return things(ctx, type_.name) if found is None else found


def largest(ctx: Context, expr: Expr) -> int | None:
    """The greatest value of a number."""
    return numbers(ctx, expr).high


def as_opened(
    ctx: Context, node: ast.Expr, expr: Expr, find: Find
) -> tuple[Opened, Context] | None:
    """What a count follows that would have a bound if nobody answered a moment, and the context
    without answers; None if it has none even then.

    Whether the answers keep to a bound is known when all of them have been checked.
    """
    slots = slots_read(expr)
    for local in ctx.flow.visible.values():
        if local.slot in slots and local.opened and local.begun and local.begun.high is not None:
            begun, rounds = local.begun.high, partial(_with_high, ctx, local, find)
            for moment in local.opened:
                ctx.symbols.open_loops.setdefault(moment, []).append(ctx.place(node))
                ctx.symbols.lookups.note(NEVER_SAME)
            return Opened(local.opened, rounds), _known_high(ctx, local, begun)
    return None


def _with_high(ctx: Context, local: Local, find: Find, high: int) -> int:
    return _at_least_none(find(_known_high(ctx, local, high)))


def _known_high(ctx: Context, local: Local, high: int) -> Context:
    known = replace(local, high=high)
    return replace(ctx, flow=replace(ctx.flow, visible={**ctx.flow.visible, local.name: known}))


def counted(
    ctx: Context,
    node: ast.Expr,
    expr: Expr,
    find: Find,
    words: tuple[str, str] = ROUNDS,
    begun: Context | None = None,
) -> tuple[int, Factor]:
    """The rounds that the table is to expect of a loop over `expr`, and their factor."""
    ctx = begun or ctx
    count = _at_least_none(find(_at_table(ctx, frozenset())))
    shares = (*_of_settings(ctx, find, count), *_of_records(ctx, expr, count))
    return count, Factor(words, ctx.place(node), shares)


def words_for(ctx: Context, type_: Type) -> tuple[str, str]:
    """The words of the game for the things that a loop goes through."""
    return ctx.symbols.nouns.get(type_.name, ROUNDS)


def _at_least_none(count: int | None) -> int:
    return max(count or 0, 0)


def _at_table(ctx: Context, without: frozenset[str]) -> Context:
    """The context with the settings as they are set, but not by the packs in `without`."""
    known = ctx.functions.views
    if without not in known:
        known[without] = _symbols_at_table(ctx.symbols, without), _apart(ctx.functions)
    symbols, functions = known[without]
    return replace(ctx, symbols=symbols, functions=functions)


def _symbols_at_table(symbols: Symbols, without: Collection[str]) -> Symbols:
    # A lookup in this view notes the setting; copying all of them into it is no lookup.
    with symbols.lookups.apart():
        settings = {name: _held(one, one.value) for name, one in symbols.settings.items()}
        for name, found in symbols.set_by.items():
            for one in found:
                if one.pack in without:
                    settings[name] = _held(settings[name], one.before)
                    break
    return replace(symbols, settings=Table(settings))


def _held(setting: SettingSymbol, high: object) -> SettingSymbol:
    return replace(setting, high=high) if type(high) is int else setting


def _apart(functions: Functions) -> Functions:
    """The same functions, whose results are bounded anew."""
    apart = copy(functions)
    apart.spans, apart.lengths = Remembered(functions.lookups), Remembered(functions.lookups)
    return apart


def _of_settings(ctx: Context, find: Find, count: int) -> Iterator[Share]:
    """The shares of the packs that set settings."""
    places: dict[str, Place] = {}
    for found in ctx.symbols.set_by.values():
        for one in found:
            places.setdefault(one.pack, one.place)
    for pack, place in places.items():
        fewer = _at_least_none(find(_at_table(ctx, frozenset([pack]))))
        if fewer < count:
            yield Share(pack, fewer, place)


def _of_records(ctx: Context, expr: Expr, count: int) -> Iterator[Share]:
    """The shares of the packs that bring more of the things gone through."""
    content = ctx.passage.content
    for name in {one[1] for one in walk(expr) if one[0] == "records"}:
        if len(ctx.symbols.made[name].names) != count or len(content.packs) == 1:
            continue
        first: dict[str, Place] = {}
        brought: dict[str, int] = {}
        for kind in ctx.symbols.entities[name].records:
            for item in content.by_kind(kind):
                first.setdefault(item.pack, item.place)
                brought[item.pack] = brought.get(item.pack, 0) + 1
        for pack, many in brought.items():
            if pack != content.game:
                ctx.symbols.lookups.note(NEVER_SAME)
                yield Share(pack, max(count - many, 0), first[pack])
