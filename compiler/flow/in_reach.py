"""The help of a type mismatch: what an author can write instead.

First a conversion of the given value to the expected type, `space(piece)`, or `size > 0` where a
condition is expected; then the names in scope of the type; then a list to choose one from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleloom.compiler.diagnostics.suggest import CHOICES_SHOWN, all_of, choices_text, quoted_list
from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.flow.flow import is_unnamed
from ruleloom.compiler.resolve.symbols import Signature
from ruleloom.compiler.types import PLAIN, fits, is_unknown
from ruleloom.runtime.program.program import Zone
from ruleloom.runtime.program.values import BOOL, FRACTION, INT, TEXT, Type

# What to write for a plain type without a name in scope.
EXAMPLES = {
    TEXT: 'a text stands in quotes: `"{}"`',
    INT: "a number is wanted, such as `2`",
    FRACTION: "a number is wanted, such as `2` or `1/2`",
    BOOL: "a condition is wanted, such as `{} > 0`",
}
MOST_WAYS = 3
LONGEST = 30  # characters of an argument in a help line


def help_for(ctx: Context, words: str, given: Type, asked: Type) -> str | None:
    """The help for `words` of type `given` in place of a value of type `asked`."""
    asked = asked.present
    if asked == BOOL and given in (INT, FRACTION) and len(words) <= LONGEST:
        return EXAMPLES[BOOL].format(words)
    made = list(_made_of(ctx, words, given, asked))[:MOST_WAYS]
    names = names_of(ctx, asked)
    fitting = made or (names if len(names) <= CHOICES_SHOWN else [])
    if fitting:
        return f"{quoted_list(fitting, 'or')} is {ctx.say(asked)}"
    values = values_of(ctx, asked)
    if values and (len(values) <= CHOICES_SHOWN or ctx.symbols.options_of(asked)):
        return all_of(values) or choices_text(words, values)
    lists = next(_lists(ctx, asked), None)
    if lists is not None:
        return f"`choose x from {lists}` makes `x` {ctx.say(asked)}"
    return _example(words, asked)


def _example(words: str, asked: Type) -> str | None:
    """The written form of a value of a plain type."""
    if asked not in EXAMPLES or asked == BOOL or len(words) > LONGEST:
        return None
    is_name = asked == TEXT and words.isidentifier()
    return EXAMPLES[asked].format(f"{{{words}}}" if is_name else words)


def _made_of(ctx: Context, words: str, given: Type, asked: Type) -> Iterator[str]:
    """Yield the fields of the given value, and the queries and measures of it, with the expected type."""
    if is_unknown(given) or given.optional or len(words) > LONGEST:
        return
    if given.many:
        yield from [f"count({words})"] if asked == INT else []
        return
    for name, of in ctx.symbols.fields.items():
        field = of.get(given.name)
        if field is not None and not field.by and _is_the_same(field.type, asked):
            yield f"{name}({words})"
    for callee in ctx.symbols.callables.values() if asked.name not in PLAIN else ():
        if _takes_only(callee, given) and callee.result and _is_the_same(callee.result, asked):
            yield f"{callee.name}({words})"


def _takes_only(callee: Signature, given: Type) -> bool:
    needed = [one for one in callee.params if one.default is None]
    return len(needed) == 1 and needed[0] is callee.params[0] and fits(given, needed[0].type)


def _is_the_same(type_: Type, asked: Type) -> bool:
    return not is_unknown(type_) and type_.name == asked.name and fits(type_, asked)


def names_of(ctx: Context, asked: Type) -> list[str]:
    """The names of values of a type, without names of single things: locals, then the game's."""
    local = {name: ctx.flow.visible[name].type for name in ctx.flow.certain}
    zones = {name: Type(one.of, many=True) for name, one in _open_zones(ctx)}
    scope = {name: one.type for name, one in ctx.symbols.scope.items()}
    found = local | {name: of for name, of in (zones | scope).items() if name not in local}
    return [
        name for name, type_ in found.items() if not is_unnamed(name) and _is_the_same(type_, asked)
    ]


def values_of(ctx: Context, asked: Type) -> Sequence[str]:
    """The values of an enum, or the named things of an entity."""
    if asked.many:
        return ()
    options = ctx.symbols.options_of(asked)
    if options or asked.name not in ctx.symbols.made:
        return options
    return [one.replace("-", "_") for one in ctx.symbols.made[asked.name].names]


def _lists(ctx: Context, asked: Type) -> Iterator[str]:
    """Yield the lists of the expected things, to choose from."""
    if asked.many or asked.name in PLAIN:
        return
    wanted = Type(asked.name, many=True)
    yield from names_of(ctx, wanted)
    for callee in ctx.symbols.callables.values():
        if not callee.params and callee.result == wanted:
            yield callee.name
    if asked.name == "Player":
        yield "players"
    elif ctx.symbols.is_recorded(asked.name):
        yield asked.name


def _open_zones(ctx: Context) -> Iterator[tuple[str, Zone]]:
    """The zones, except boards, that at least their owner can see."""
    return (
        (name, one)
        for name, one in ctx.symbols.zones.items()
        if one.seen_by != "nobody" and not one.at and not one.under
    )
