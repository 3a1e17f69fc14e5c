"""Expressions without calls, each with its type: names, literals, lists, operators.

An expression that was reported has the type unknown. A local shadows other names; those cannot clash,
since every global name of a value is unique.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from functools import reduce

from ruleloom.compiler import types
from ruleloom.compiler.bounds.intervals import numbers
from ruleloom.compiler.check import expect
from ruleloom.compiler.check.expect import entity_of, is_strange_name
from ruleloom.compiler.diagnostics import suggest
from ruleloom.compiler.flow.context import BAD, BROKEN, Context, Typed
from ruleloom.compiler.flow.flow import NO_FACTS, Local, ZoneRead, is_unnamed, unnamed
from ruleloom.compiler.flow.in_reach import EXAMPLES, names_of, values_of
from ruleloom.compiler.packs.lasting_parts import GeneratedSource
from ruleloom.compiler.resolve.embedded import ITEM, SETTING, THING
from ruleloom.compiler.resolve.symbols import TAG_TYPE, Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.lexer import DASHED
from ruleloom.runtime.program.expr import ME, mentions, rounded
from ruleloom.runtime.program.interval import lies_within
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import BOOL, FRACTION, INT, LARGEST, NONE, PLAYER, TEXT, Type


def check_list(ctx: Context, node: ast.ListExpr, expected: Type | None) -> Typed:
    """`[a, b]`."""
    found: Type | None = None
    parts: list[Expr] = []
    sought = expected.item if expected and expected.many and expected.name != "?" else None
    sound, sought = True, sought or entity_of(ctx, node.items)
    for one in node.items:
        typed = ctx.check(one, sought)
        parts.append(typed.expr)
        sound &= typed.sound
        together = _with_item(ctx, one, typed.type, found)
        if isinstance(together, Typed):
            return together
        found = together
    if found is None:
        return Typed(("list",), types.EMPTY)
    if not sound:
        return BAD
    if found.optional:
        return expect.mismatch(ctx, node.items[0], found, found.present, "in a list")
    if expected is not None and expected.repeats and found == INT:
        return Typed((types.dice_form(True), ("value", ()), ("list", *parts)), expected.present)
    repeats = found in (INT, FRACTION, TEXT)
    expr = _list_form(parts if repeats else _once_each(ctx, node, parts), repeats)
    return Typed(expr, types.list_of(found))


def _with_item(ctx: Context, one: ast.Expr, type_: Type, found: Type | None) -> Type | Typed:
    """The joined type of the items so far and one more; the error if they do not fit together."""
    given = f"`{ctx.words(one)}` is {ctx.say(type_)}"
    if type_.many or type_.by_player:
        return ctx.error("type-mismatch", one, f"{given}, and a list holds single things")
    if found is None:
        return type_
    message = f"{given}, but the list began with {ctx.say(found)}"
    return types.join(found, type_) or ctx.error("type-mismatch", one, message)


def _list_form(parts: list[Expr], repeats: bool) -> Expr:
    if all(part[0] == "value" and not isinstance(part[1], tuple) for part in parts):
        return ("value", tuple(part[1] for part in parts))
    if repeats:
        return ("list", *parts)
    # Two names may refer to one thing, and a list holds a thing once.
    lists: list[Expr] = [("list", part) for part in parts]
    return reduce(lambda left, right: ("join", left, right), lists)


def _once_each(ctx: Context, node: ast.ListExpr, parts: list[Expr]) -> list[Expr]:
    """The distinct things of a list, with a warning for a repeated one."""
    for place, (one, part) in enumerate(zip(node.items, parts, strict=True)):
        if part in parts[:place] and not mentions(part, BROKEN):
            message = f"`{ctx.words(one)}` is in this list already, and counts once"
            ctx.warn("listed-twice", one, message)
    return list(dict.fromkeys(parts))


def check_is_none(ctx: Context, node: ast.IsNone) -> Typed:
    """`x is none`."""
    mark = len(ctx.reads)
    typed = ctx.check(node.value)
    if not typed.sound:
        return expect.BAD_CONDITION
    if typed.expr[0] == "slot":  # whoever knows the size of the pile knows the result
        ctx.reads[mark:] = [read for read in ctx.reads[mark:] if not read.counted]
    if not typed.type.optional and not isinstance(ctx.passage.written.source, GeneratedSource):
        ctx.warn("constant-condition", node, _never_none(ctx, node, typed.expr))
    known = frozenset({typed.expr})
    if node.negated:
        return Typed(("not", ("is_none", typed.expr)), BOOL, yes=known)
    return Typed(("is_none", typed.expr), BOOL, no=known)


def _never_none(ctx: Context, node: ast.IsNone, expr: Expr) -> str:
    """The message for a constant `is none`; a text may outlast a thing that has left."""
    asked, always = ctx.words(node.value), "always" if node.negated else "never"
    if expr[0] == "field":
        entity, _, field = expr[1].partition(".")
        if field == ctx.symbols.entities.part(entity, "present"):
            which = f"`{asked}` is none only of {ctx.say(Type(entity))} that has left"
            return f"{which}; of one that is there this is {always} true"
    return f"`{asked}` is never none, so this is {always} true"


def check_if_else(ctx: Context, node: ast.IfElse, expected: Type | None) -> Typed:
    """`a if c else b`."""
    test = expect.condition(ctx, node.condition)
    if test.sound:
        expect.warn_if_constant(ctx, node.condition, test.expr)
    with ctx.knowing(test.yes):
        then = ctx.check(node.then, expected)
    with ctx.knowing(test.no):
        otherwise = ctx.check(node.otherwise, expected)
    type_ = types.join(then.type, otherwise.type)
    if type_ is None:
        message = f"this is {ctx.say(then.type)} or {ctx.say(otherwise.type)}, and must be one kind of thing"
        return ctx.error("type-mismatch", node, message)
    return Typed(("if", test.expr, then.expr, otherwise.expr), type_)


def check_unary(ctx: Context, node: ast.Unary) -> Typed:
    """`not`, a minus, or a rounding."""
    if node.op == "not":
        typed = expect.condition(ctx, node.value)
        return Typed(("not", typed.expr), BOOL, yes=typed.no, no=typed.yes)
    if node.op in ast.ROUNDINGS:
        return _rounded(ctx, node)
    typed = expect.number(ctx, node.value)
    type_ = typed.type if typed.known else INT
    if typed.expr[0] == "value" and isinstance(typed.expr[1], int | Fraction):
        return Typed(("value", -typed.expr[1]), type_)
    return Typed(("negative", typed.expr), type_)


def _rounded(ctx: Context, node: ast.Unary) -> Typed:
    """`E rounded up`: a possible fraction, or a division, which rounds down by default."""
    how, value = node.op.removeprefix("rounded "), node.value
    if isinstance(value, ast.Binary) and value.op == "div":
        typed = _division(ctx, value)
        return Typed(rounded(typed.expr[1], how, typed.expr[2]), INT) if typed.sound else BAD
    typed = expect.number(ctx, value)
    if typed.known and typed.type == INT:
        words = ctx.words(value)
        message = f"`{words}` is a whole number, and `{node.op}` changes nothing of it"
        return ctx.error("type-mismatch", node, message, f"`{words}`")
    return Typed(rounded(typed.expr, how), INT) if typed.sound else BAD


def check_binary(ctx: Context, node: ast.Binary, expected: Type | None) -> Typed:
    """Check a binary operator."""
    match node.op:
        case "and" | "or":
            return _logic(ctx, node)
        case "=" | "!=":
            return _equal(ctx, node)
        case "<" | "<=" | ">" | ">=":
            return _sides(ctx, node, BOOL, FRACTION)
        case "in" | "not in":
            return _member(ctx, node)
        case "..":
            return _sides(ctx, node, types.list_of(INT), INT)
        case "div" | "mod":
            return _division(ctx, node)
        case _:
            return _arithmetic(ctx, node, expected)


def _sides(ctx: Context, node: ast.Binary, made: Type, type_: Type) -> Typed:
    """Check an operator on two operands of one type: a wrong operator is one mistake, not three."""
    left, right = ctx.check(node.left), ctx.check(node.right)
    fine = expect.both(ctx, node, left, right, type_)
    return Typed((node.op, left.expr, right.expr), made) if fine else BAD


def _logic(ctx: Context, node: ast.Binary) -> Typed:
    left = ctx.check(node.left, BOOL)
    with ctx.knowing(left.yes if node.op == "and" else left.no):
        is_told = expect.asks_again(ctx, node.op, node.left, node.right)
        right = BAD if is_told else ctx.check(node.right, BOOL)
    fine = expect.both(ctx, node, left, right, BOOL)
    ctx.unsure |= not (left.sound and right.sound)
    if not fine:
        return BAD
    expr = (node.op, left.expr, right.expr)
    if node.op == "and":
        return Typed(expr, BOOL, left.yes | right.yes, left.no & right.no)
    return Typed(expr, BOOL, left.yes & right.yes, left.no | right.no)


def _equal(ctx: Context, node: ast.Binary) -> Typed:
    if is_option_name(ctx, node.left) and not is_option_name(ctx, node.right):
        right = ctx.check(node.right)
        left = _other_side(ctx, node.left, right)
    else:
        left = ctx.check(node.left)
        right = _other_side(ctx, node.right, left)
    if not (left.known and right.known):
        return expect.BAD_CONDITION
    if NONE in (left.type, right.type):
        return _equal_to_none(ctx, node, left, right)
    if not types.comparable(left.type, right.type):
        return _incomparable(ctx, node, left.type, right.type)
    known = NO_FACTS
    if left.type.optional != right.type.optional:
        known = frozenset({left.expr if left.type.optional else right.expr})
    expr = (node.op, left.expr, right.expr)
    return Typed(expr, BOOL, yes=known) if node.op == "=" else Typed(expr, BOOL, no=known)


def _equal_to_none(ctx: Context, node: ast.Binary, left: Typed, right: Typed) -> Typed:
    """Report `x = none`; the facts are still those of `is none`."""
    other, asked = (node.left, left) if right.type == NONE else (node.right, right)
    words = f"{ctx.words(other)} is {'' if node.op == '=' else 'not '}none"
    ctx.error("compare-with-none", node, "none is not compared but asked for", f"`{words}`")
    known = frozenset({asked.expr})
    if node.op == "=":
        return replace(expect.BAD_CONDITION, no=known)
    return replace(expect.BAD_CONDITION, yes=known)


def _other_side(ctx: Context, node: ast.Expr, first: Typed) -> Typed:
    # An option has a meaning only in a comparison with its switch, which may be the broken side.
    if not first.known and (is_option_name(ctx, node) or is_strange_name(ctx, node)):
        return BAD
    return ctx.check(node, first.type)


def _incomparable(ctx: Context, node: ast.Binary, left: Type, right: Type) -> Typed:
    one, other = ctx.words(node.left), ctx.words(node.right)
    message = f"`{one}` is {ctx.say(left)} and `{other}` is {ctx.say(right)}; they are never equal"
    help = f"`{one} in {other}`" if right.many and not left.many else None
    # The culprit is a value of another enum, a text or `yes`; else the whole comparison.
    enums = bool(ctx.symbols.options_of(left)) and bool(ctx.symbols.options_of(right))
    to_blame: ast.SyntaxNode = node
    for side in (node.right, node.left):
        is_literal = isinstance(side, ast.TextLiteral | ast.BoolLiteral)
        if is_literal or (enums and is_option_name(ctx, side)):
            to_blame = side
    ctx.error("type-mismatch", to_blame, message, help)
    return expect.BAD_CONDITION


def _member(ctx: Context, node: ast.Binary) -> Typed:
    left = None
    if isinstance(node.right, ast.ListExpr) and not is_strange_name(ctx, node.left):
        left = None if is_option_name(ctx, node.left) else ctx.check(node.left)
    wanted = types.list_of(left.type.present) if left is not None and left.known else None
    right = expect.listed(ctx, node.right, wanted)
    if not right.known and is_strange_name(ctx, node.left):
        return expect.BAD_CONDITION
    left = left or ctx.check(node.left, right.type.item if right.known else None)
    if left.known and right.known and not types.comparable(left.type.present, right.type.item):
        one, whole = ctx.say(left.type), ctx.say(right.type)
        message = f"`{ctx.words(node.left)}` is {one}, and `{ctx.words(node.right)}` is {whole}"
        return ctx.error("type-mismatch", node, message)
    expr: Expr = ("in", left.expr, right.expr)
    return Typed(("not", expr) if node.op == "not in" else expr, BOOL)


def _division(ctx: Context, node: ast.Binary) -> Typed:
    # `div` rounds down, also fractions; `mod` takes whole numbers.
    left = expect.number(ctx, node.left) if node.op == "div" else expect.wanted(ctx, node.left, INT)
    right = expect.wanted(ctx, node.right, INT)
    if right.known and right.expr[0] not in ("value", "setting"):
        message = f"`{node.op}` divides by a plain number or a setting only"
        return ctx.error("division", node.right, message)
    low, _ = numbers(ctx, right.expr)
    if right.sound and (low is None or low < 1):
        help = "give it a `min: 1`" if right.expr[0] == "setting" else None
        message = f"`{ctx.words(node.right)}` may be less than one, and cannot divide"
        return ctx.error("division", node.right, message, help)
    return Typed((node.op, left.expr, right.expr), INT)


def _arithmetic(ctx: Context, node: ast.Binary, expected: Type | None) -> Typed:
    if node.op == "-" and refuse_dashes(ctx, node):
        return BAD
    left = ctx.check(node.left, expected)
    if node.op in ("+", "-"):
        if not left.known:
            # It may be a list or a number.
            ctx.check(node.right, expected)
            return BAD
        if left.type.many:
            return _changed_list(ctx, node, left)
    if not types.is_number(left.type) and is_option_name(ctx, node.right):
        # The right operand is an option of the left one: another operator was meant.
        if left.sound:
            expect.as_number(ctx, node.left, left, f"beside `{node.op}`")
        return BAD
    right = ctx.check(node.right, FRACTION)
    if not expect.both(ctx, node, left, right, FRACTION):
        return BAD
    return _reckoned(ctx, node, left, right)


def _reckoned(ctx: Context, node: ast.Binary, left: Typed, right: Typed) -> Typed:
    type_ = FRACTION if FRACTION in (left.type, right.type) else INT
    expr: Expr = (node.op, left.expr, right.expr)
    low, high = numbers(ctx, expr)
    if lies_within(low, None, LARGEST) and lies_within(high, -LARGEST, None):
        return Typed(expr, type_)
    return ctx.error("number-too-large", node, "this is always a number beyond 2^53")


def _changed_list(ctx: Context, node: ast.Binary, left: Typed) -> Typed:
    right = expect.listed(ctx, node.right, types.list_of(INT) if left.type.repeats else left.type)
    if right.known and types.is_faces(left.type, right.type):
        return Typed((types.dice_form(node.op == "+"), left.expr, right.expr), left.type)
    type_ = types.join(left.type, right.type)
    if type_ is None:
        return expect.mismatch(ctx, node.right, right.type, left.type)
    return Typed(("join" if node.op == "+" else "without", left.expr, right.expr), type_)


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
    """Whether this is a bare name that can only be a value of an enum or an option of a switch."""
    if not isinstance(node, ast.Name) or node.id in ctx.flow.visible:
        return False
    symbols, name = ctx.symbols, node.id
    if name in symbols.values:
        return True
    return not symbols.stands_for_value(name) and name in symbols.options


def refuse_dashes(ctx: Context, node: ast.Binary) -> bool:
    """Report a name written with dashes, the parts of which have no meaning."""
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


def _local(ctx: Context, node: ast.Name, local: Local) -> Typed:
    local.use()
    ctx.symbols.uses.note_local(ctx.passage, node)
    if node.id not in ctx.flow.certain and not ctx.flow.ended:
        if node.id in ctx.told:
            return BAD
        ctx.told.add(node.id)
        message = f"`{node.id}` is not set on every path to here"
        help = "set it on every way, or use it where it is set"
        return ctx.error("used-before-set", node, message, help)
    if local.hidden:
        place = ctx.passage.place(node.span)
        ctx.reads.extend(replace(read, place=place) for read in local.hidden)
    if local.broken or types.is_unknown(local.type):
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
        return ctx.check(ast.CallExpr(node.span, node, ()))
    return BAD if symbols.poisoned.may_declare(name) else None


def _whole_list(ctx: Context, node: ast.Name) -> Typed | None:
    """The list under a name: players, an enum's values, an entity's records, a zone's things."""
    symbols, name = ctx.symbols, node.id
    if name == "players":
        return Typed(("players",), types.list_of(PLAYER))
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
    if zone.under:
        noun = types.with_article(symbols.noun(Type(zone.under)))
        message = f"`{name}` needs {noun} in parentheses"
        ctx.error("missing-argument", node, message, f"`{name}(...)`")
        return BAD
    owner = ME if zone.per_player else None
    ctx.reads.append(ZoneRead(name, owner, ctx.passage.place(node.span), counted=True))
    return Typed(("zone", name, owner), Type(zone.of, many=True))


def _unknown(ctx: Context, node: ast.Name, expected: Type | None) -> Typed:
    name = node.id
    if name in ctx.told:
        return BAD
    ctx.told.add(name)
    if (unset := _set_elsewhere(ctx, node)) is not None:
        return ctx.error("used-before-set", node, *unset)
    if unnamed(name) in ctx.flow.visible:
        message = f"`{name}` is known only if the event names it between its parentheses"
        return ctx.error("unknown-name", node, message)
    if expected is not None and expected.many and ctx.symbols.is_one_of(name, expected.item):
        message = f"`{name}` is {ctx.say(expected.item)}, but {ctx.say(expected)} is wanted here"
        return ctx.error("type-mismatch", node, message, f"`[{name}]` is a list of one")
    is_open = expected is not None and types.is_unknown(expected)
    if is_open and ctx.symbols.is_told_by_type(name):
        return BAD  # the meaning depends on a type that was reported
    if (is_other := _of_another_kind(ctx, name, expected)) is not None:
        return ctx.error("type-mismatch", node, is_other, _what_fits(ctx, name, expected))
    other = _other_meaning(ctx.symbols, name, expected)
    message, help = other or (f"there is no `{name}` here", _what_fits(ctx, name, expected))
    return ctx.error("unknown-name", node, message, help)


def _of_another_kind(ctx: Context, name: str, expected: Type | None) -> str | None:
    """The message for the name of a thing where a value of another type is wanted."""
    if expected is None or expected.present in (BOOL, TEXT) or name not in ctx.symbols.named:
        return None
    is_one = ctx.say(Type(ctx.symbols.named[name][0][0]))
    wanted = ctx.say(INT if expected == FRACTION else expected)
    return f"`{name}` is {is_one}, but {wanted} is wanted here"


def _set_elsewhere(ctx: Context, node: ast.Name) -> tuple[str, str | None] | None:
    """The message and help for a name that is set elsewhere in the text."""
    if any(local.name == node.id for local in ctx.locals):
        return f"`{node.id}` is not set yet, or only in a part of the text that has ended", None
    # The line further down that sets a variable of this name.
    setting = re.compile(rf"\b(?:let|roll|draw|choose|number of|giving)\s+({node.id})\b")
    found = setting.search(ctx.passage.text, node.span[1])
    below = None if found is None else ctx.passage.place(found.span(1)).line
    if below is not None:
        return f"`{node.id}` is set only below, in line {below}", "set it before it is used"
    return None


def _other_meaning(
    symbols: Symbols, name: str, expected: Type | None
) -> tuple[str, str | None] | None:
    """The message and help for a name with another meaning than a value."""
    if symbols.is_callable_name(name):
        return f"`{name}` needs something in parentheses", f"`{name}(...)`"
    if name in symbols.operations:
        return f"`{name}` is something to do, not a value", f"`{name}(...)` on a line of its own"
    if name in symbols.types or name in types.PLAIN:
        return f"`{name}` is a type, not a value", None
    if name in symbols.options:
        return f"`{name}` is an option of a switch; it can only be compared with that switch", None
    if name in symbols.powers:
        return f"`{name}` is a power, not a value", f"`use {name}` on a line of its own"
    if expected is None and name in symbols.named:
        entity = symbols.named[name][0][0]
        noun = types.with_article(symbols.noun(Type(entity)))
        message = f"`{name}` is {noun}, and nothing here says that one is wanted"
        return message, f"`those(x: {entity} where x = {name})`"
    return None


def _what_fits(ctx: Context, name: str, expected: Type | None) -> str | None:
    """The help for an unknown name: the nearest name, or the few values that would fit."""
    options = () if expected is None else values_of(ctx, expected)
    if not options:
        return _near_by(ctx, name, expected) or _sort(ctx, name, expected)
    variables = [one for one in (*ctx.flow.certain, *ctx.symbols.scope) if not is_unnamed(one)]
    close = suggest.did_you_mean(name, options) or suggest.did_you_mean(name, variables)
    return close or suggest.offer(name, options)


def _sort(ctx: Context, name: str, expected: Type | None) -> str | None:
    """The help for a name without near matches: the expected type, with an example."""
    if expected is None:
        return None
    if expected.present == BOOL and (
        name in ctx.symbols.named or any(name in values for values in ctx.symbols.enums.values())
    ):
        return f"a condition is wanted, such as `x = {name}`"
    if expected.present in EXAMPLES:
        return EXAMPLES[expected.present].format(name)
    known = names_of(ctx, expected.present)
    if not known:
        return None
    is_are = "is" if len(known) == 1 else "are"
    return f"{ctx.say(expected.present)} is wanted; there {is_are} {suggest.quoted_list(known)}"


def _near_by(ctx: Context, name: str, expected: Type | None) -> str | None:
    """The help with the nearest name; of two equally near, the local."""
    certain = [one for one in ctx.flow.certain if not is_unnamed(one)]
    choices = [*certain, *ctx.symbols.value_names()]
    if expected is not None and not expected.many:
        # The name of a type is the list of all its things.
        choices = [one for one in choices if one not in ctx.symbols.types]
    for own in suggest.nearest(name, certain, 1):
        (closest,) = suggest.nearest(name, choices, 1)
        if suggest.edit_distance(name, own) <= suggest.edit_distance(name, closest):
            return suggest.did_you_mean(name, [own])
    called = suggest.nearest(name, ctx.symbols.callable_names(), 1)
    if called and not suggest.nearest(name, choices, 1):
        return suggest.Suggestion(name, f"{called[0]}(...)")
    close = suggest.did_you_mean(name, choices)
    return close or suggest.did_you_mean(name, ctx.symbols.named if expected is None else ())
