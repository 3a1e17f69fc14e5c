"""Calls in expressions: queries, measures, rules, fields, zones, tables by player, and aggregates.

Arguments are put into the order of the callee's parameters, and the zones that a call reads are noted.
An aggregate is short, `count(hand)`, or long, `count(card: hand where colour(card) = red)`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from ruleloom.compiler.bounds.work import check_work, count_call
from ruleloom.compiler.check import expect
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean, quoted_list
from ruleloom.compiler.flow.context import (
    BAD,
    BROKEN,
    DEEPEST_CALLS,
    Circle,
    Context,
    TooDeep,
    Typed,
)
from ruleloom.compiler.flow.flow import NO_FACTS, ZoneRead, unnamed
from ruleloom.compiler.packs.settings import TAGS
from ruleloom.compiler.resolve.embedded import GIVEN, ITEM, LABEL, Meaning
from ruleloom.compiler.resolve.symbols import (
    PART_OF,
    TAG_TYPE,
    TAGS_IN,
    FieldSymbol,
    ParamSymbol,
    Signature,
)
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.types import fits, is_unknown, list_of, with_article
from ruleloom.runtime.program.expr import slots_read, substitute
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import BOOL, FRACTION, INT, PLAYER, TEXT, Type
from ruleloom.runtime.program.verify_expr import aggregate_type

Exprs = tuple[Expr, ...]
Nodes = tuple[ast.Expr, ...]
Args = Sequence[ast.Arg]


def arguments(ctx: Context, at: ast.SyntaxNode, callee: Signature, args: Args) -> Exprs | None:
    """The lowered arguments in parameter order; None after an error."""
    if callee.broken:
        expect.look_into(ctx, args)
        return None
    placed = _placed(ctx, callee, args)
    if placed is None:
        return None
    if _refuse_missing(ctx, at, callee, placed):
        # The given arguments may be in the places of missing ones.
        expect.look_into(ctx, args)
        return None
    types = [one.type for one in callee.params if one.name in placed]
    typed = {
        one.name: _given(ctx, placed[one.name], one.type, types)
        for one in callee.params
        if one.name in placed
    }
    if _turned_round(ctx, callee, args, typed):
        return None
    lowered: list[Expr] = []
    for param in callee.params:
        if param.name in placed:
            value, found = placed[param.name], typed[param.name]
            if found.expr == BROKEN and isinstance(value, ast.Name):
                found = ctx.check(value, param.type)
            role = f"as `{param.name}` of `{callee.name}`"
            lowered.append(expect.held_to(ctx, value, found, param.type, role).expr)
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


def _given(ctx: Context, node: ast.Expr, type_: Type, types: Sequence[Type]) -> Typed:
    """The checked argument; a name that is a value of another parameter's type gets that type."""
    if isinstance(node, ast.Name) and node.id not in ctx.flow.visible:
        found = [one for one in (type_, *types) if ctx.symbols.is_one_of(node.id, one.present)]
        if found and found[0] != type_:
            return Typed(BROKEN, found[0])
    return ctx.check(node, type_)


def _turned_round(ctx: Context, callee: Signature, args: Args, typed: Mapping[str, Typed]) -> bool:
    """Report two arguments that each fit only the other's parameter."""

    def fits_in(first: ParamSymbol, second: ParamSymbol) -> bool:
        given = typed[first.name]
        return given.known and fits(given.type.present, second.type.present)

    plain = [arg for arg in args if arg.label is None]
    places = enumerate(callee.params[: len(plain)])
    for (at, one), (to, other) in combinations(places, 2):
        if fits_in(one, other) and fits_in(other, one):
            if fits_in(one, one) or fits_in(other, other):
                continue
            words = [ctx.words(arg) for arg in args]
            message = f"`{words[at]}` and `{words[to]}` are swapped"
            words[at], words[to] = words[to], words[at]
            ctx.error(
                "type-mismatch", plain[at].value, message, f"`{callee.name}({', '.join(words)})`"
            )
            return True
    return False


def shape(callee: Signature) -> str:
    """The form of a call: `shift(piece, to)`."""
    return f"{callee.name}({', '.join(param.name for param in callee.params)})"


def _placed(ctx: Context, callee: Signature, args: Args) -> dict[str, ast.Expr] | None:
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
            _note_label(ctx, callee, arg, name)
    if not fine:
        expect.look_into(ctx, args)
    return placed if fine else None


def _note_label(ctx: Context, callee: Signature, arg: ast.Arg, name: str) -> None:
    given = Meaning(GIVEN, f"{callee.kind} {callee.name} {name}")
    ctx.symbols.uses.note(ctx.passage, arg.span, given)
    if arg.label is not None and ":" in callee.id:
        meaning = Meaning(LABEL, f"{callee.id} {arg.label}")
        span = (arg.span[0], arg.span[0] + len(arg.label))
        ctx.symbols.uses.note(ctx.passage, span, meaning, "parameter")


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


def call_signature(ctx: Context, node: ast.SyntaxNode, callee: Signature, args: Args) -> Typed:
    """Check a call of a query, measure, stat, rule or table."""
    ctx.symbols.used.add(callee.id)
    named = node.name if isinstance(node, ast.CallExpr) else node
    if isinstance(named, ast.Name) and callee.kind != "part":
        ctx.means_callee(named, callee)
    lowered = arguments(ctx, node, callee, args)
    if callee.result is None:
        return BAD
    failed = replace(BAD, type=callee.result)
    if lowered is None or is_unknown(callee.result):
        return BAD if callee.broken else failed
    if callee.kind == "query":
        _query_reads(ctx, node, callee, lowered)
        return Typed(("query", callee.name, *lowered), callee.result)
    if not function_reads(ctx, node, callee, lowered):
        return failed
    return Typed(("function", callee.id, *lowered), callee.result)


def _query_reads(ctx: Context, node: ast.SyntaxNode, query: Signature, args: Exprs) -> None:
    place = ctx.passage.place(node.span)
    for column in query.reads:
        zone = ctx.symbols.zones.get(column)
        if zone is None or zone.seen_by == "all" or column == query.of:
            continue  # where something lies is no secret
        players = [arg for one, arg in zip(query.params, args, strict=True) if one.type == PLAYER]
        owners: list[Expr | None] = [*players] or [None]
        ctx.reads.extend(ZoneRead(column, owner, place) for owner in owners)


def function_reads(ctx: Context, node: ast.SyntaxNode, callee: Signature, args: Exprs) -> bool:
    """Note the zones that a measure or rule reads; False if it is broken or recursive."""
    try:
        body = ctx.functions.body(callee.name)
        if ctx.functions.nesting.get(callee.id, 0) > DEEPEST_CALLS:
            raise TooDeep
    except Circle as circle:
        way = " -> ".join(f"`{name}`" for name in circle.names)
        ctx.error("recursive-rule", node, f"`{callee.name}` needs itself to be worked out: {way}")
        return False
    except TooDeep:
        deep = f"rules and measures that need one another more than {DEEPEST_CALLS} deep"
        ctx.error("too-much-work", node, f"`{callee.name}` is one too many: {deep}")
        return False
    if body is None:
        return False
    count_call(ctx, node, callee.id)
    place = ctx.passage.place(node.span)
    for read in body.zones:
        owner = read.owner
        if owner is not None:
            # In the caller's slots, where the callee's own binders mean nothing.
            binders = dict.fromkeys(slots_read(owner), BROKEN)
            owner = substitute(owner, binders | dict(enumerate(args)))
        ctx.reads.append(ZoneRead(read.zone, owner, place))
    return body.sound


def check_call(ctx: Context, node: ast.CallExpr) -> Typed:
    """Check `name(...)` in an expression."""
    symbols, name = ctx.symbols, node.name.id
    local = ctx.flow.visible.get(name)
    if local is not None and (local.type.by_player or not symbols.is_callable_name(name)):
        return _table(ctx, node)
    if name in symbols.callables:
        return call_signature(ctx, node, symbols.callables[name], node.args)
    if name in symbols.fields:
        return _field(ctx, node, symbols.fields[name])
    if symbols.is_callable_name(name):
        return _zone(ctx, node)
    if name in BUILT_IN:
        return BUILT_IN[name](ctx, node)
    expect.look_into(ctx, node.args)
    return BAD if symbols.poisoned.may_declare(name) else _unknown(ctx, node)


def _first(ctx: Context, node: ast.CallExpr) -> Typed:
    """`first(3, list)`: that many entries from the start of a list, or all of a shorter one."""
    args = _plain_args(ctx, node, 2)
    if args is None:
        return BAD
    if len(args) < 2:
        return ctx.error(
            "missing-argument", node, "`first` also needs a list", "as in `first(3, hand)`"
        )
    number, of = expect.wanted(ctx, args[0], INT), expect.listed(ctx, args[1])
    return Typed(("first", number.expr, of.expr), of.type) if of.known else BAD


def _part(ctx: Context, node: ast.CallExpr) -> Typed:
    """`part_of(reach(who), pocket)`: the share of a sort of bonus, or of a tag, in a stat."""
    symbols, args = ctx.symbols, _plain_args(ctx, node, 2)
    if args is None:
        return BAD
    asked = args[0].name if isinstance(args[0], ast.CallExpr) else args[0]
    stat = symbols.callables.get(asked.id) if isinstance(asked, ast.Name) else None
    if stat is None or stat.kind != "stat" or len(args) < 2:
        example = f"as in `{PART_OF}(reach(me), pocket)`"
        message = f"`{PART_OF}` takes a stat, with what it is of, and a sort of bonus or a tag"
        return ctx.error("unknown-stat", args[0], message, example)
    sort = _sort_of_part(ctx, args[1])
    if not sort:
        return BAD
    symbols.used.update((stat.id, symbols.tags.get(sort, stat.id)))
    if isinstance(asked, ast.Name):
        ctx.means_callee(asked, stat)
    given = args[0].args if isinstance(args[0], ast.CallExpr) else ()
    return call_signature(ctx, args[0], symbols.part(stat, sort), given)


def _sort_of_part(ctx: Context, node: ast.Expr) -> str:
    """The sort of bonus or the tag named by a node; empty after an error."""
    symbols, sort = ctx.symbols, node.id if isinstance(node, ast.Name) else ""
    known = [*symbols.bonuses, *symbols.tags]
    if sort in known and isinstance(node, ast.Name):
        if sort in symbols.tags:
            ctx.means(node, ITEM, symbols.tags[sort], "tag")
        else:
            ctx.means(node, "bonus", sort, "sort of bonus")
        return sort
    if not symbols.poisoned.may_declare(sort):
        message = f"`{ctx.words(node)}` is neither a sort of bonus nor a tag"
        ctx.error("unknown-bonus", node, message, did_you_mean(sort, known))
    return ""


def _tags_in(ctx: Context, node: ast.CallExpr) -> Typed:
    """`tags_in(story, [healer, warrior])`: those of the tags that a text names."""
    args = _plain_args(ctx, node, 2)
    if args is None:
        return BAD
    if len(args) < 2:
        example = f"as in `{TAGS_IN}(story, [healer, warrior])`"
        return ctx.error("missing-argument", node, f"`{TAGS_IN}` also needs tags", example)
    tags = list_of(Type(TAG_TYPE))
    text, of = expect.wanted(ctx, args[0], TEXT), expect.wanted(ctx, args[1], tags)
    return Typed((TAGS_IN, text.expr, of.expr), tags)


BUILT_IN: Mapping[str, Callable[[Context, ast.CallExpr], Typed]] = {
    "first": _first,
    PART_OF: _part,
    TAGS_IN: _tags_in,
}


def check_allowed(ctx: Context, node: ast.Allowed) -> Typed:
    """Check `allowed crowding(space)`."""
    symbols, name = ctx.symbols, node.rule.id
    callee = symbols.callables.get(name)
    if callee is None or callee.kind != "rule":
        expect.look_into(ctx, node.args)
        if not symbols.poisoned.may_declare(name):
            is_other = callee and f"`{name}` is a {callee.kind}, not a rule"
            message = is_other or f"there is no rule `{name}`"
            ctx.error(
                "unknown-rule", node.rule, message, did_you_mean(name, symbols.of_kind("rule"))
            )
        return expect.BAD_CONDITION
    symbols.used.add(callee.id)
    ctx.means_callee(node.rule, callee)
    lowered = arguments(ctx, node.rule, callee, node.args)
    if lowered is None or not function_reads(ctx, node, callee, lowered):
        return expect.BAD_CONDITION
    return Typed(("allowed", callee.id, *lowered), BOOL)


def _table(ctx: Context, node: ast.CallExpr) -> Typed:
    table = ctx.check(node.name)
    if not table.known:
        return BAD
    if not table.type.by_player:
        message = f"`{node.name.id}` is {ctx.say(table.type)}, and is written without parentheses"
        return ctx.error("not-a-table", node, message, f"`{node.name.id}`")
    args = _plain_args(ctx, node)
    if args is None:
        return BAD
    who = expect.wanted(ctx, args[0], PLAYER)
    return Typed(("lookup", table.expr, who.expr), replace(table.type, by_player=False))


def _plain_args(ctx: Context, node: ast.CallExpr, most: int = 1) -> Nodes | None:
    name, takes = node.name.id, "one argument" if most == 1 else "two arguments"
    labelled = [arg for arg in node.args if arg.label is not None]
    if len(node.args) > most:
        message = f"`{name}` takes {takes}, but {len(node.args)} are given"
        ctx.error("too-many-arguments", node.args[most], message)
    elif not node.args:
        ctx.error("missing-argument", node, f"`{name}` needs something in parentheses")
    elif labelled:
        ctx.error("unknown-argument", labelled[0], f"`{name}` takes {takes}, without a name")
    else:
        return tuple(arg.value for arg in node.args)
    return None


def _zone(ctx: Context, node: ast.CallExpr) -> Typed:
    zone = ctx.symbols.zones[node.name.id]
    ctx.means(node.name, "zone", zone.name)
    args = _plain_args(ctx, node)
    if args is None:
        return BAD
    place = ctx.passage.place(node.span)
    if zone.at:
        where = expect.wanted(ctx, args[0], Type(zone.at))
        ctx.reads.append(ZoneRead(zone.name, None, place))
        return Typed(("at", zone.name, where.expr), Type(zone.of, optional=True))
    owner = expect.wanted(ctx, args[0], Type(zone.parted_by))
    if owner.sound:
        whose = None if zone.under else owner.expr
        ctx.reads.append(ZoneRead(zone.name, whose, place, counted=True))
    return Typed(("zone", zone.name, owner.expr), Type(zone.of, many=True))


def _field(ctx: Context, node: ast.CallExpr, owners: dict[str, FieldSymbol]) -> Typed:
    ctx.means(node.name, "field", node.name.id)
    args = _plain_args(ctx, node, 1 + any(field.by for field in owners.values()))
    if args is None:
        return BAD
    only = next(iter(owners.values())) if len(owners) == 1 else None
    of = ctx.check(args[0], Type(only.entity) if only else None)
    field = owners.get(of.type.name) if of.known else only
    if field is not None:
        return _read_field(ctx, node, field, of, args)
    return _no_field(ctx, node, args[0], of.type, owners) if of.known else BAD


def _read_field(
    ctx: Context, node: ast.CallExpr, field: FieldSymbol, of: Typed, args: Nodes
) -> Typed:
    # An entity in a variable is present; if it vanishes in play, the option or operation lapses.
    is_there = field.name == ctx.symbols.entities.part(field.entity, "present")
    type_ = field.type.present if is_there else field.type
    if of.type != Type(field.entity):
        if of.known and (of.sound or of.type.present != Type(field.entity)):
            expect.mismatch(ctx, args[0], of.type, Type(field.entity))
        return replace(BAD, type=type_)
    column = f"{field.entity}.{field.name}"
    ctx.symbols.read.add(column)
    read = Typed(("static" if field.static else "field", column, of.expr), type_)
    if field.by:
        return _entry(ctx, node, field, read, args)
    if len(args) > 1:
        noun = ctx.say(Type(field.entity))
        message = f"`{field.name}` of {noun} takes one argument, but 2 are given"
        return ctx.error("too-many-arguments", args[1], message)
    return read


def _entry(
    ctx: Context, node: ast.CallExpr, field: FieldSymbol, table: Typed, args: Nodes
) -> Typed:
    """One entry of a field that is a table: `start(who, Str)`."""
    if len(args) < 2:
        message = f"`{field.name}` also needs {ctx.say(Type(field.by))}"
        ctx.error("missing-argument", node, message, f"`{field.name}({ctx.words(args[0])}, ...)`")
        return replace(BAD, type=table.type)
    key = expect.wanted(ctx, args[1], Type(field.by), f"as the second argument of `{field.name}`")
    return Typed(("lookup", table.expr, key.expr), table.type)


def _no_field(
    ctx: Context, node: ast.CallExpr, of: ast.Expr, type_: Type, owners: dict[str, FieldSymbol]
) -> Typed:
    nouns = [with_article(ctx.symbols.entities[name].singular) for name in owners]
    given = f"`{ctx.words(of)}` is {ctx.say(type_)}"
    message = f"`{node.name.id}` is a field of {' or '.join(nouns)}, but {given}"
    entity = ctx.symbols.entities.get(type_.name)
    fields = [] if entity is None or type_.many else list(entity.fields)
    help = f"{ctx.say(type_)} has {quoted_list(fields)}" if fields else None
    return ctx.error("type-mismatch", of, message, help)


def _unknown(ctx: Context, node: ast.CallExpr) -> Typed:
    symbols, name = ctx.symbols, node.name.id
    help: str | None
    if name in symbols.operations:
        message = f"`{name}` changes the table and has no value"
        giving = " with `giving x`" if symbols.operations[name].result else ""
        help = f"`{name}(...)` on a line of its own{giving}"
    elif name in symbols.powers:
        message, help = (
            f"`{name}` is a power, not a value",
            f"`use {name}(...)` on a line of its own",
        )
    elif symbols.stands_for_value(name):
        message, help = f"`{name}` takes nothing in parentheses", f"`{name}`"
    elif name == TAGS:
        message, help = "no pack declares a tag, so nothing has any", "`kind: tag` declares one"
    else:
        tables = [one for one, local in ctx.flow.visible.items() if local.type.by_player]
        message = f"there is no `{name}(...)`"
        help = did_you_mean(name, [*tables, *symbols.callable_names()])
    marked = node if symbols.stands_for_value(name) else node.name
    return ctx.error("unknown-name", marked, message, help)


def check_aggregate(ctx: Context, node: ast.Aggregate) -> Typed:
    """Check an aggregate, short or long."""
    if node.binder is None:
        return _short(ctx, node)
    with ctx.costing():  # counted with the whole
        domain = expect.listed(ctx, node.domain)
        slot = ctx.hidden_slot(node.binder.id)
        binder = ctx.fresh_local(node.binder, expect.item_type(domain), "looked at", slot)
        where = value = None
        with ctx.binding(binder):
            if node.where is not None:
                where = expect.filtering(ctx, node.where, slot, binder.name)
            with ctx.knowing(where.yes if where else NO_FACTS):
                if node.value is not None:
                    value = ctx.check(node.value)
    result = _result(ctx, node, expect.item_type(domain), value, domain.type.repeats)
    if not domain.known:
        return Typed(BAD.expr, result)
    wanted_of_each, test = value.expr if value else None, where.expr if where else None
    found = Typed(("each", node.kind, wanted_of_each, slot, domain.expr, test), result)
    return found if check_work(ctx, node, found.expr) else BAD


def _result(ctx: Context, node: ast.Aggregate, item: Type, value: Typed | None, dice: bool) -> Type:
    shown, binder = value.type if value else item, node.binder.id if node.binder else "x"
    if node.kind == "those":
        return aggregate_type(node.kind, shown, dice and value is None)
    if node.kind == "every" and node.where is None:
        message = "`every` needs a condition"
        ctx.error("incomplete-aggregate", node, message, f"`every({binder}: ... where ...)`")
    elif node.kind in ("sum", "highest", "lowest") and not fits(shown, FRACTION):
        if node.value is not None:
            expect.mismatch(ctx, node.value, shown, INT)
        else:
            example = f"`{node.kind}(... for {binder}: {ctx.words(node.domain)})`"
            message = f"`{node.kind}` needs a number for each of them"
            ctx.error("incomplete-aggregate", node, message, example)
    return aggregate_type(node.kind, shown)


def _short(ctx: Context, node: ast.Aggregate) -> Typed:
    mark = len(ctx.reads)
    domain = expect.listed(ctx, node.domain)
    if node.kind in ("every", "those"):
        words = ctx.words(node.domain)
        help = f"`{node.kind}(x: {words} where ...)`"
        return ctx.error("incomplete-aggregate", node, f"`{node.kind}` needs a condition", help)
    if node.kind in ("count", "exists"):
        if expect.is_sized(domain.expr):
            # The length is public, whatever the things are.
            ctx.reads[mark:] = [read for read in ctx.reads[mark:] if not read.counted]
        if node.kind == "count":
            return Typed(("count", domain.expr), INT)
    elif domain.known and not fits(list_of(expect.item_type(domain)), list_of(FRACTION)):
        example = f"`{node.kind}(... for x: {ctx.words(node.domain)})`"
        message = f"`{node.kind}` needs a number for each of them"
        return ctx.error("incomplete-aggregate", node, message, example)
    slot = ctx.hidden_slot(unnamed("each"), expect.item_type(domain))
    result = aggregate_type(node.kind, expect.item_type(domain))
    return Typed(("each", node.kind, None, slot, domain.expr, None), result)
