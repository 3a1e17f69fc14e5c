"""Arguments put into the order of a callee's parameters, and the zones a call reads."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from ruleloom.compiler.bounds.evaluation_cost import count_call
from ruleloom.compiler.check.expect import wanted
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.compiler.flow.context import BAD, BROKEN, Context, Typed
from ruleloom.compiler.flow.flow import ZoneRead
from ruleloom.compiler.flow.functions import MOST_NESTED, Circle, TooDeep
from ruleloom.compiler.resolve.name_uses import LABEL, Meaning
from ruleloom.compiler.resolve.symbols import Signature
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.types import EMPTY, fits, is_unknown, list_of
from ruleloom.runtime.program.expr import slots_read, substitute
from ruleloom.runtime.program.expr_types import aggregate_type
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
    if _refuse_missing(ctx, at, callee, placed):
        # Those that are there may have slipped into the place of what is missing.
        look_into(ctx, args)
        return None
    lowered: list[Expr] = []
    for param in callee.params:
        if param.name in placed:
            role = f"as `{param.name}` of `{callee.name}`"
            lowered.append(wanted(ctx, placed[param.name], param.type, role).expr)
        elif param.name in callee.defaults:
            lowered.append(callee.defaults[param.name])
    return None if len(lowered) < len(callee.params) else tuple(lowered)


def _refuse_missing(
    ctx: Context, at: ast.SyntaxNode, callee: Signature, placed: Collection[str]
) -> bool:
    missing = [one.name for one in callee.params if one.name not in placed and one.default is None]
    if missing:
        # Brackets around a call belong to its span.
        inside = at.name if isinstance(at, ast.CallExpr) and at.name.span[0] > at.span[0] else at
        needed = " and ".join(f"`{name}`" for name in missing)
        message = f"`{callee.name}` also needs {needed}"
        ctx.error("missing-argument", inside, message, f"its form is `{shape(callee)}`")
    return bool(missing)


def _turned_round(ctx: Context, callee: Signature, args: Sequence[ast.Arg]) -> bool:
    """Report two arguments that fit in each other's place and not in their own."""
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
    """Is the expression surely of that type, judged by its outermost form alone?"""
    type_ = type_.present
    match node:
        case ast.Name(id=name) if name not in ctx.flow.visible and is_one_of(ctx, name, type_):
            return True
    known = [given.present for given in _at_a_glance(ctx, node) if not is_unknown(given)]
    return not is_unknown(type_) and any(fits(given, type_) for given in known)


def is_one_of(ctx: Context, name: str, type_: Type) -> bool:
    """Is this the name of a thing, or a value, of that type?"""
    return name in ctx.symbols.options_of(type_) or ctx.symbols.thing_of(name, type_) is not None


def _at_a_glance(ctx: Context, node: ast.Expr) -> Iterable[Type]:
    match node:
        case ast.NumberLiteral(value=value):
            return (INT if isinstance(value, int) else FRACTION,)
        case ast.Binary(op=op) | ast.Unary(op=op):
            return (_OPERATORS.get(op, BOOL),)
        case ast.Aggregate(kind="count" | "exists" | "every" as kind):
            return (aggregate_type(kind, INT),)
        case ast.Name(id=name):
            return _of_name(ctx, name)
        case ast.CallExpr(name=called) if called.id in ctx.symbols.callables:
            return filter(None, (ctx.symbols.callables[called.id].result,))
        case ast.CallExpr(name=called):
            return [one.type for one in ctx.symbols.fields.get(called.id, {}).values()]
    return _LITERALS.get(type(node), ())


_OPERATORS = dict.fromkeys(("+", "-", "*", "div", "mod"), INT) | {"..": list_of(INT)}
_LITERALS: Mapping[type[ast.Expr], tuple[Type, ...]] = {
    ast.TextLiteral: (TEXT,),
    ast.BoolLiteral: (BOOL,),
    ast.ListExpr: (EMPTY,),
}


def _of_name(ctx: Context, name: str) -> Iterable[Type]:
    symbols = ctx.symbols
    variable = ctx.flow.visible.get(name) or symbols.scope.get(name) or symbols.settings.get(name)
    if variable is not None:
        return (variable.type,)
    if name in symbols.zones:
        return (Type(symbols.zones[name].of, many=True),)
    callee = symbols.callables.get(name)
    if callee is not None and not callee.params:
        return filter(None, (callee.result,))
    if name == "players":
        return (list_of(PLAYER),)
    return (list_of(Type(name)),) if name in symbols.enums or symbols.is_recorded(name) else ()


def look_into(ctx: Context, args: Sequence[ast.Arg]) -> None:
    """Check the arguments of an unknown callee, whose parameters have no known types.

    What it does with them is unknown, too: nothing they look at is told of here.
    """
    look_at(ctx, [arg.value for arg in args])


def look_at(ctx: Context, values: Iterable[ast.Expr | None]) -> None:
    """Check the values that something unknown is told, of which None are left out."""
    mark = len(ctx.reads)
    for value in values:
        # The name of an option or a record means something only where its type is wanted.
        means_itself = not isinstance(value, ast.Name) or not ctx.symbols.is_told_by_type(value.id)
        if value is not None and means_itself:
            ctx.check(value)
    del ctx.reads[mark:]


def shape(callee: Signature) -> str:
    """The form of a call: `shift(piece, to)`."""
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
            if arg.label is not None and ":" in callee.id:
                span = (arg.span[0], arg.span[0] + len(name))
                meaning = Meaning(LABEL, f"{callee.id} {name}")
                ctx.symbols.uses.note(ctx.passage, span, meaning, "parameter")
    if not fine:
        look_into(ctx, args)
    return placed if fine else None


def _too_many(ctx: Context, callee: Signature, arg: ast.Arg, given: int) -> bool:
    count = len(callee.params)
    takes = "nothing" if count == 0 else f"{count} {'argument' if count == 1 else 'arguments'}"
    message = f"`{callee.name}` takes {takes}, but {given} are given"
    ctx.error("too-many-arguments", arg, message, f"its form is `{shape(callee)}`")
    return False


def _unknown_label(
    ctx: Context, callee: Signature, arg: ast.Arg, name: str, names: list[str]
) -> bool:
    help = did_you_mean(name, names) or (
        None if names else f"`{callee.name}`, and nothing behind it"
    )
    known = choices_text(name, names) if names else "it takes nothing"
    label = (arg.span[0], arg.span[0] + len(name))
    ctx.error("unknown-argument", label, f"`{callee.name}` has no `{name}`; {known}", help)
    return False


def call_signature(
    ctx: Context, node: ast.SyntaxNode, callee: Signature, args: Sequence[ast.Arg]
) -> Typed:
    """Check a call of a query, a measure or a rule."""
    ctx.symbols.used.add(callee.id)
    named = node.name if isinstance(node, ast.CallExpr) else node
    if isinstance(named, ast.Name) and callee.kind != "part":
        ctx.means_callee(named, callee)
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
        players = [arg for one, arg in zip(query.params, args, strict=True) if one.type == PLAYER]
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
    count_call(ctx, node, callee.id)
    place = ctx.passage.place(node.span)
    for read in body.zones:
        owner = read.owner
        if owner is not None:
            # In the caller's terms, in which the callee's own binders mean nothing.
            binders = dict.fromkeys(slots_read(owner), BROKEN)
            owner = substitute(owner, binders | dict(enumerate(args)))
        ctx.reads.append(ZoneRead(read.zone, owner, place))
    return body.sound
