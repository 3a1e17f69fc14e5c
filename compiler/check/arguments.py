"""Arguments put into the order of a callee's parameters, and what a call reads.

Positional arguments come first, named ones anywhere after; a parameter with a default may be left
out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from ruleloom.compiler.bounds.evaluation_cost import count_call
from ruleloom.compiler.check.expect import wanted
from ruleloom.compiler.diagnostics.suggest import choices_text, nearest
from ruleloom.compiler.flow.context import BAD, BROKEN, Context, Typed
from ruleloom.compiler.flow.flow import ZoneRead
from ruleloom.compiler.flow.functions import MOST_NESTED, Circle, TooDeep
from ruleloom.compiler.resolve.symbols import Signature
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.types import fits, is_unknown, list_of
from ruleloom.runtime.program.expr import slots_read, substitute
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import BOOL, FRACTION, INT, PLAYER, TEXT, Type


def arguments(
    ctx: Context, at: ast.SyntaxNode, callee: Signature, args: Sequence[ast.Arg]
) -> tuple[Expr, ...] | None:
    """The lowered arguments in the order of the parameters, or None after a complaint."""
    if callee.broken:
        look_into(ctx, args)
        return None
    placed = _placed(ctx, callee, args)
    if placed is None or _turned_round(ctx, callee, args):
        return None
    lowered: list[Expr] = []
    missing = [
        param.name for param in callee.params if param.name not in placed and param.default is None
    ]
    if missing:
        # Brackets around a call belong to its span.
        inside = at.name if isinstance(at, ast.CallExpr) and at.name.span[0] > at.span[0] else at
        ctx.error(
            "missing-argument",
            inside,
            f"`{callee.name}` also needs {' and '.join(f'`{name}`' for name in missing)}",
            f"`{shape(callee)}`",
        )
    for param in callee.params:
        if param.name in placed:
            lowered.append(
                wanted(
                    ctx, placed[param.name], param.type, f"as `{param.name}` of `{callee.name}`"
                ).expr
            )
        elif param.name in callee.defaults:
            lowered.append(callee.defaults[param.name])
    return None if missing or len(lowered) < len(callee.params) else tuple(lowered)


def _turned_round(ctx: Context, callee: Signature, args: Sequence[ast.Arg]) -> bool:
    """Complain if two arguments would be right in each other's place, and the first is wrong where
    it stands."""
    plain = [arg.value for arg in args if arg.label is None]
    types = [param.type for param in callee.params[: len(plain)]]
    for first, second in combinations(range(len(types)), 2):
        one, other = plain[first], plain[second]
        if _is_plainly(ctx, one, types[second]) and _is_plainly(ctx, other, types[first]):
            if _is_plainly(ctx, one, types[first]) or _is_plainly(ctx, other, types[second]):
                continue
            words = [ctx.words(arg) for arg in args]
            words[first], words[second] = words[second], words[first]
            message = f"`{ctx.words(one)}` and `{ctx.words(other)}` stand the wrong way round"
            ctx.error("type-mismatch", one, message, f"`{callee.name}({', '.join(words)})`")
            return True
    return False


def _is_plainly(ctx: Context, node: ast.Expr, type_: Type) -> bool:
    """Can it be seen at a glance that this is of that type? Nothing is said of what lies inside."""
    type_ = type_.present
    match node:
        case ast.NumberLiteral():
            return type_ == FRACTION or (type_ == INT and isinstance(node.value, int))
        case ast.TextLiteral():
            return type_ == TEXT
        case ast.BoolLiteral():
            return type_ == BOOL
        case ast.Binary(op="+" | "-" | "*" | "div" | "mod") | ast.Unary(op="-"):
            return type_ in (INT, FRACTION)
        case ast.Binary(op=".."):
            return type_ == list_of(INT)
        case ast.Binary() | ast.Unary():
            return type_ == BOOL
        case ast.Aggregate(kind="count"):
            return type_ in (INT, FRACTION)
        case ast.Aggregate(kind="exists" | "every"):
            return type_ == BOOL
        case ast.ListExpr():
            return type_.many
        case ast.Name(id=name) if name in ctx.flow.visible:
            return _is_of(ctx.flow.visible[name].type, type_)
        case ast.Name(id=name) if name in ctx.symbols.scope:
            return _is_of(ctx.symbols.scope[name].type, type_)
        case ast.Name(id=name) if name in ctx.symbols.zones:
            return _is_of(Type(ctx.symbols.zones[name].of, many=True), type_)
        case ast.Name(id=name) if name in ctx.symbols.settings:
            return _is_of(ctx.symbols.settings[name].type, type_)
        case ast.CallExpr(name=called) if called.id in ctx.symbols.callables:
            given = ctx.symbols.callables[called.id].result
            return given is not None and _is_of(given, type_)
        case ast.CallExpr(name=called) if called.id in ctx.symbols.fields:
            return any(_is_of(one.type, type_) for one in ctx.symbols.fields[called.id].values())
        case ast.Name(id=name) if name in ctx.symbols.options_of(type_):
            return True
        case ast.Name(id=name) if (
            name in ctx.symbols.callables and not ctx.symbols.callables[name].params
        ):
            given = ctx.symbols.callables[name].result
            return given is not None and _is_of(given, type_)
        case ast.Name(id="players"):
            return type_ == list_of(PLAYER)
        case ast.Name(id=name) if name in ctx.symbols.enums or ctx.symbols.is_recorded(name):
            return type_ == list_of(Type(name))
        case ast.Name(id=name):
            return ctx.symbols.thing_of(name, type_) is not None
    return False


def _is_of(given: Type, type_: Type) -> bool:
    return not is_unknown(given) and not is_unknown(type_) and fits(given.present, type_)


def look_into(ctx: Context, args: Sequence[ast.Arg]) -> None:
    """Check arguments of which nobody can tell what is wanted, as what they are given to is not
    known.

    A bare name that only means something where a thing or an option of its sort is wanted is passed
    over.
    """
    for arg in args:
        if not (isinstance(arg.value, ast.Name) and ctx.symbols.is_told_by_type(arg.value.id)):
            ctx.check(arg.value)


def shape(callee: Signature) -> str:
    """How a call looks: `shift(piece, to)`."""
    return f"{callee.name}({', '.join(param.name for param in callee.params)})"


def _placed(ctx: Context, callee: Signature, args: Sequence[ast.Arg]) -> dict[str, ast.Expr] | None:
    placed: dict[str, ast.Expr] = {}
    names = [param.name for param in callee.params]
    fine = True
    for number, arg in enumerate(args):
        if arg.label is None and number >= len(names):
            fine = _too_many(ctx, callee, arg, len(args))
            break
        name = arg.label if arg.label is not None else names[number]
        if name not in names:
            fine = _unknown_label(ctx, callee, arg, name, names)
        elif name in placed:
            fine = False
            ctx.error("repeated-argument", arg, f"`{name}` of `{callee.name}` is given twice")
        else:
            placed[name] = arg.value
    if not fine:
        look_into(ctx, args)
    return placed if fine else None


def _too_many(ctx: Context, callee: Signature, arg: ast.Arg, given: int) -> bool:
    count = len(callee.params)
    takes = "nothing" if count == 0 else f"{count} {'argument' if count == 1 else 'arguments'}"
    ctx.error(
        "too-many-arguments",
        arg,
        f"`{callee.name}` takes {takes}, but {given} are given",
        f"`{shape(callee)}`",
    )
    return False


def _unknown_label(
    ctx: Context, callee: Signature, arg: ast.Arg, name: str, names: list[str]
) -> bool:
    close = nearest(name, names, 1)
    help = f"did you mean `{close[0]}`?" if close else None
    known = choices_text(name, names) if names else "it takes nothing"
    label = (arg.span[0], arg.span[0] + len(name))
    ctx.error("unknown-argument", label, f"`{callee.name}` has no `{name}`; {known}", help)
    return False


def call_signature(
    ctx: Context, node: ast.SyntaxNode, callee: Signature, args: Sequence[ast.Arg]
) -> Typed:
    """Check a call of a query, a measure or a rule."""
    ctx.symbols.used.add(callee.id)
    lowered = arguments(ctx, node, callee, args)
    if lowered is None or callee.result is None or is_unknown(callee.result):
        return BAD if callee.broken or callee.result is None else replace(BAD, type=callee.result)
    if callee.kind == "query":
        _query_reads(ctx, node, callee, lowered)
        return Typed(("query", callee.name, *lowered), callee.result)
    if not function_reads(ctx, node, callee, lowered):
        return replace(BAD, type=callee.result)
    return Typed(("function", callee.id, *lowered), callee.result)


def _query_reads(
    ctx: Context, node: ast.SyntaxNode, query: Signature, args: tuple[Expr, ...]
) -> None:
    place = ctx.passage.place(node.span)
    for column in query.reads:
        zone = ctx.symbols.zones.get(column)
        if zone is None or zone.seen_by == "all":
            continue
        players = [
            arg for param, arg in zip(query.params, args, strict=True) if param.type == PLAYER
        ]
        owners: list[Expr | None] = [*players] or [None]
        ctx.reads.extend(ZoneRead(column, owner, place) for owner in owners)


def function_reads(
    ctx: Context, node: ast.SyntaxNode, callee: Signature, args: tuple[Expr, ...]
) -> bool:
    """Note what a measure or rule looks at; False if it is broken or needs itself."""
    try:
        body = ctx.functions.body(callee.name)
        if ctx.functions.nesting.get(callee.id, 0) > MOST_NESTED:
            raise TooDeep
    except Circle as circle:
        way = " -> ".join(f"`{name}`" for name in circle.names)
        ctx.error("recursive-rule", node, f"`{callee.name}` needs itself to be worked out: {way}")
        return False
    except TooDeep:
        deep = f"rules and measures that need one another more than {MOST_NESTED} deep"
        ctx.error("too-much-work", node, f"`{callee.name}` is one too many: {deep}")
        return False
    if body is None:
        return False
    count_call(ctx, callee.id)
    place = ctx.passage.place(node.span)
    for read in body.zones:
        owner = None if read.owner is None else _as_called(read.owner, args)
        ctx.reads.append(ZoneRead(read.zone, owner, place))
    return body.sound


def _as_called(expr: Expr, args: tuple[Expr, ...]) -> Expr:
    """A lowered expression over a callee's parameters, as the caller sees it: the candidates that
    the callee goes through are nobody to the caller."""
    slots = dict.fromkeys(slots_read(expr), BROKEN)
    return substitute(expr, slots | dict(enumerate(args)))
