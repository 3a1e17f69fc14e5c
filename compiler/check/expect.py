"""Checks of expressions and texts against an expected type, and of who may see the zones they read.

A `where` or `when` is split at its `and`s: each part can be the reason for a refusal. Every expression
notes the zones it reads. Where it decides something, `judge` reports those hidden from the chooser;
where it is only stored, `kept` hands them on to the variable. The number of things in a zone is public.
A text without holes stays a string; one with holes becomes a template.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from ruleloom.compiler.bounds.intervals import bounds, clash, comparisons, verdict
from ruleloom.compiler.flow.context import BAD, BROKEN, MISMATCHED, Context, Typed
from ruleloom.compiler.flow.flow import NO_FACTS, Facts, Local, ZoneRead, unnamed
from ruleloom.compiler.flow.in_reach import help_for
from ruleloom.compiler.resolve.symbols import Signature
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import conjuncts, holes, nodes_of, odd_holes, parts
from ruleloom.compiler.types import UNKNOWN, fits, is_number, is_unknown, list_of
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import ME, mentions
from ruleloom.runtime.program.interval import NEGATED
from ruleloom.runtime.program.program import Condition, Expr, Template, Words
from ruleloom.runtime.program.values import BOOL, FRACTION, INT, NONE, PLAYER, Type

# Forms whose length follows from the lengths of the lists in them.
_SIZED = ("slot", "zone", "list", "join", "without", "value", "players", "records")
# The result types of operators.
BY_OPERATORS = frozenset({BOOL, INT, FRACTION})
COMPARING = ("=", "!=", "<", "<=", ">", ">=")
# The result of a condition that was reported.
BAD_CONDITION = replace(BAD, type=BOOL)


def judge(ctx: Context, mark: int, chooser: Expr | None, thing: bool = True) -> None:
    """Report zones read since `mark` that `chooser` (None: me) cannot see.

    `thing` is False for a hole, in a text read by `chooser`, that shows no thing out of a zone.
    """
    eyes = ME if chooser is None else chooser
    who = "the player who chooses" if chooser is not None else "me"
    for read in ctx.reads[mark:]:
        # Another player's choice is as hidden as the zone it was made from, but whether the chooser
        # may see a thing is decided when its text is shown.
        if (read.chosen and thing and not read.told) or _sees(ctx, read, eyes):
            continue
        if read.told:
            message = f"`{read.zone}` is known only to a player other than {who}"
            help = "let that player choose: `choose ... by` them"
        elif sight(ctx, read) == "nobody":
            message = f"nobody can see what lies in `{read.zone}`, so nothing may depend on it"
            help = f"`count({read.zone})` is known to all"
        else:
            message = f"this reads `{read.zone}` of a player other than {who}, who cannot see it"
            help = "let its owner choose: `choose ... by` that player"
        ctx.report.error("hidden-information", read.place, message, help)
    del ctx.reads[mark:]


def judge_shown(ctx: Context, mark: int, thing: bool = False, reader: Expr | None = None) -> None:
    """Report zones read since `mark` that `reader` (None: some player) cannot see."""
    for read in ctx.reads[mark:]:
        if _sees(ctx, read, reader) or (read.chosen and thing):
            continue
        what = f"can see what lies in `{read.zone}`"
        help = f"leave it out; `count({read.zone})` is known to all"
        if read.told:
            what = f"can know `{read.zone}`"
            help = "leave it out, or tell it to those who know it: `say to player ...`"
        message = f"everybody is shown this, and not everybody {what}"
        if reader is not None:
            message = f"the reader of this {what.replace(' ', 'not ', 1)}"
        ctx.report.error("hidden-information", read.place, message, help)
    del ctx.reads[mark:]


def refuse_given(
    ctx: Context, reads: Iterable[ZoneRead], escapes: bool, things: bool = True
) -> None:
    """Report a value known to some players only where it `escapes` from this text.

    There its audience would be lost. `things` is False where things of a zone may go.
    """
    for read in reads if escapes else ():
        if not read.told or read.chosen or (read.zone in ctx.symbols.zones and not things):
            continue
        message = f"`{read.zone}` is known to some players only, and this would reveal it"
        help = "tell them with `say to`, ask them with `choose ... by`, or decide with `if`"
        ctx.report.error("hidden-information", read.place, message, help)


def sight(ctx: Context, read: ZoneRead) -> str:
    """Who can see a zone that was read: `all`, `owner` or `nobody`."""
    return "owner" if read.told else ctx.symbols.zones[read.zone].seen_by


def _sees(ctx: Context, read: ZoneRead, eyes: Expr | None) -> bool:
    """Whether `eyes` (None: everybody), one player or several, surely see the zone read.

    A name that was reported may be any player.
    """
    if any(one is not None and mentions(one, BROKEN) for one in (eyes, read.owner)):
        return True
    seen_by = sight(ctx, read)
    if seen_by != "owner" or eyes is None or read.owner is None:
        return seen_by == "all"
    return eyes == read.owner or _is_among(eyes, read.owner)


def _is_among(one: Expr, several: Expr) -> bool:
    """Whether a player is surely in a list that is written out."""
    if several[0] == "join":
        return any(_is_among(one, part) for part in several[1:])
    return several[0] == "list" and one in several[1:]


def picked(ctx: Context, mark: int) -> tuple[ZoneRead, ...]:
    """The closed zones read since `mark`, for the variable of the choice."""
    closed = (read for read in ctx.reads[mark:] if sight(ctx, read) != "all")
    return tuple(dict.fromkeys(replace(read, chosen=True, counted=True) for read in closed))


def kept(ctx: Context, mark: int, expr: Expr) -> tuple[ZoneRead, ...]:
    """The closed zones read since `mark`, for the variable that stores the value."""
    closed = [read for read in ctx.reads[mark:] if sight(ctx, read) != "all"]
    del ctx.reads[mark:]
    counted = is_sized(expr)
    return tuple(dict.fromkeys(replace(one, counted=one.counted and counted) for one in closed))


def is_sized(expr: Expr) -> bool:
    """Whether the length of a list follows from the lengths of the lists it is made from."""
    if expr[0] in ("join", "without"):
        return all(map(is_sized, expr[1:]))
    return expr[0] in _SIZED


def asked(ctx: Context, text: ast.TextLiteral | None, chooser: Expr | None) -> Words:
    """The words of a prompt, read by `chooser` (None: me)."""
    return "" if text is None else _words(ctx, text, partial(judge, ctx, chooser=chooser))


def told(ctx: Context, text: ast.TextLiteral, reader: Expr | None = None) -> Words:
    """The words of a text read by `reader` (None: everybody)."""
    return _words(ctx, text, partial(judge_shown, ctx, reader=reader))


def plain(ctx: Context, text: ast.TextLiteral) -> str:
    """The words of a label, which must have no holes."""
    _look_at(ctx, text)
    for hole in holes(text):
        message = f"the label of a way cannot change, and `{{{hole.id}}}` would"
        ctx.error("hole-in-label", hole, message, "ask it in the question behind `choose one`")
    return text.value


def _words(ctx: Context, text: ast.TextLiteral, refuse_hidden: Callable[..., None]) -> Words:
    _look_at(ctx, text)
    found: list[str | tuple[Expr, str]] = []
    for part in parts(text):
        if isinstance(part, str):
            found.append(part)
            continue
        mark = len(ctx.reads)
        typed = ctx.check(part)
        if typed.known:
            _check_hole(ctx, part, typed)
        thing = any(zone.of == typed.type.name for zone in ctx.symbols.zones.values())
        refuse_hidden(mark, thing=thing)
        found.append((typed.expr, str(typed.type)))
    if all(isinstance(part, str) for part in found):
        return text.value
    return tuple(found)


def _check_hole(ctx: Context, part: ast.Name | ast.Binary, typed: Typed) -> None:
    """Report a sum of what is no number, and a name whose value cannot be written out."""
    if isinstance(part, ast.Binary):
        if not is_number(typed.type):
            mismatch(ctx, part, typed.type, INT)
    elif typed.type.by_player:
        message = f"`{part.id}` is {ctx.say(typed.type)}, which cannot be written out"
        ctx.error("type-mismatch", part, message, f"`let` a name be `{part.id}(...)` first")


def _look_at(ctx: Context, text: ast.TextLiteral) -> None:
    if not text.value.strip():
        ctx.error("empty-text", text, "this text is empty", "write what players are to read")
    for braces in odd_holes(text):
        printed = f"`{ctx.passage.words(braces)}` is printed as it is"
        message = f"{printed}: only a name, or a sum of names, is filled in"
        help = "`let` a name be that, and write the name in the braces"
        ctx.warn("odd-hole", braces, message, help)


def wanted(ctx: Context, node: ast.Expr, type_: Type, place: str = "here") -> Typed:
    """Check an expression where a value of `type_` is expected."""
    return held_to(ctx, node, ctx.check(node, type_), type_, place)


def held_to(ctx: Context, node: ast.Expr, typed: Typed, type_: Type, place: str = "here") -> Typed:
    """The expression; BAD after an error if its type does not fit."""
    if not fits(typed.type, type_):
        if not typed.sound and fits(typed.type, replace(type_, optional=True)):
            return BAD
        return mismatch(ctx, node, typed.type, type_, place)
    return typed


def _tells_again(ctx: Context, node: ast.SyntaxNode) -> bool:
    """Whether the type of a local was reported before; notes it."""
    if not isinstance(node, ast.Name) or node.id not in ctx.flow.visible:
        return False
    told = was_told(ctx, node.id)
    ctx.told.add(MISMATCHED + node.id)
    return told


def mismatch(
    ctx: Context, node: ast.SyntaxNode, given: Type, asked: Type, place: str = "here"
) -> Typed:
    """Report a value of the wrong type, or one that may be none."""
    words = ctx.words(node)
    if given.optional and given != NONE and fits(given.present, asked):
        if ctx.unsure:
            return BAD
        message = f"`{words}` may be none, but {ctx.say(asked)} is wanted {place}"
        return ctx.error("may-be-none", node, message, _asked_first(ctx, node))
    if given == NONE:
        message = f"{ctx.say(asked)} is wanted {place}, and `none` is nothing"
        return ctx.error("type-mismatch", node, message, help_for(ctx, words, given, asked))
    if (given, asked) == (FRACTION, INT):
        message = f"`{words}` may be a fraction, but a whole number is wanted {place}"
        return ctx.error("type-mismatch", node, message, rounded_down(ctx, node))
    message = f"`{words}` is {ctx.say(given)}, but {ctx.say(asked)} is wanted {place}"
    if {given, asked} <= BY_OPERATORS and _tells_again(ctx, node):
        return BAD
    help = _list_or_one(words, given, asked) or help_for(ctx, words, given, asked)
    return ctx.error("type-mismatch", node, message, help)


def _asked_first(ctx: Context, node: ast.SyntaxNode) -> str:
    """The help for a value that may be none: an `if` around the statement, where one can stand."""
    asked = f"{ctx.words(node)} is not none"
    names = {one.id for one in nodes_of((node,), ast.Name)} & ctx.flow.visible.keys()
    if ctx.before is None or not names <= ctx.before:
        return f"ask `{asked}` before it, with `and` or with `if ... else`"
    return f"`if {asked}:`"


def rounded_down(ctx: Context, node: ast.SyntaxNode) -> str | None:
    """The help that rounds a fraction down; None for a literal, which lacks its context."""
    if isinstance(node, ast.NumberLiteral):
        return None
    loose = isinstance(node, ast.IfElse) and not ctx.words(node).startswith("(")
    words = f"({ctx.words(node)})" if loose else ctx.words(node)
    return f"`{words} rounded down`"


def was_told(ctx: Context, name: str) -> bool:
    """Whether a local was reported as being of the wrong type.

    The operator in its assignment may be the mistake, wherever it is read.
    """
    return MISMATCHED + name in ctx.told


def _list_or_one(words: str, given: Type, asked: Type) -> str | None:
    """The help for a list in place of one thing, or one thing in place of a list."""
    if given.many and fits(given.item, asked):
        return f"`for each x in {words}:` goes through the list one by one"
    if asked.many and fits(given, asked.item):
        return f"`[{words}]` is a list of one"
    return None


def condition(ctx: Context, node: ast.Expr) -> Typed:
    """Check a condition."""
    typed = wanted(ctx, node, BOOL)
    ctx.unsure |= not typed.sound
    return typed


def number(ctx: Context, node: ast.Expr) -> Typed:
    """Check a number, whole or fraction."""
    return as_number(ctx, node, ctx.check(node, FRACTION))


def as_number(ctx: Context, node: ast.Expr, typed: Typed, place: str = "here") -> Typed:
    """The expression; BAD after an error if it is no number."""
    return typed if is_number(typed.type) else held_to(ctx, node, typed, INT, place)


def both(ctx: Context, node: ast.Binary, left: Typed, right: Typed, type_: Type) -> bool:
    """Whether both sides of an operator fit a type (FRACTION: any number); False after an error."""
    place = f"beside `{node.op}`"

    def is_held(side: ast.Expr, typed: Typed) -> bool:
        if type_ == FRACTION:
            return as_number(ctx, side, typed, place) is typed
        return held_to(ctx, side, typed, type_, place) is typed

    # One mistake may break both sides: one report is enough.
    sound = left.sound and right.sound
    return sound and is_held(node.left, left) and is_held(node.right, right)


def listed(ctx: Context, node: ast.Expr, expected: Type | None = None) -> Typed:
    """Check a list to choose from or to iterate over."""
    typed = ctx.check(node, expected)
    if typed.known and not typed.type.many:
        words = ctx.words(node)
        if typed.type.by_player:
            help = f"`{words}(player)` is what one player chose"
        else:
            help = f"`[{words}]` is a list of one"
        message = f"`{words}` is {ctx.say(typed.type)}, but a list is wanted here"
        return ctx.error("type-mismatch", node, message, help)
    if typed.known and typed.type.optional:
        return mismatch(ctx, node, typed.type, typed.type.present)
    return typed


def item_type(typed: Typed) -> Type:
    """The type of one element of a checked list."""
    return typed.type if is_unknown(typed.type) else typed.type.item


def _last_comparison(node: ast.Expr) -> ast.Binary | None:
    """The last comparison of a chain of `and` and `or`."""
    while isinstance(node, ast.Binary) and node.op in ("and", "or"):
        node = node.right if isinstance(node.right, ast.Binary) else node.left
    return node if isinstance(node, ast.Binary) and node.op in COMPARING else None


def asks_again(ctx: Context, op: str, behind: ast.Expr, node: ast.Expr) -> bool:
    """Report `x = 1 or 2`, which lacks its second comparison; whether it did."""
    before = _last_comparison(behind)
    if before is None or not isinstance(node, ast.Name | ast.NumberLiteral):
        return False
    alone = ctx.rehearsal().check(node, BOOL)
    meant = ctx.rehearsal().check(replace(before, right=node), BOOL)
    if (alone.sound and fits(alone.type, BOOL)) or not meant.sound:
        return False
    asked, one, other = map(ctx.words, (before.left, before.right, node))
    joined = {"=": "or", "!=": "and"}.get(before.op, op)
    help = f"`{asked} {before.op} {one} {joined} {asked} {before.op} {other}`"
    message = f"`{asked} {before.op}` applies to `{one}` only, not to what follows `{op}`"
    ctx.error("type-mismatch", node, message, help)
    return True


def conditions(
    ctx: Context, node: ast.Expr | None, chooser: Expr | None
) -> tuple[tuple[Condition, ...], Facts]:
    """The conditions joined by `and`, each checked under those before; and their facts."""
    if node is None:
        return (), NO_FACTS
    found: list[Condition] = []
    tests: list[Expr] = []
    facts = NO_FACTS
    refused = False
    parts = conjuncts(node)
    for before, part in zip((parts[0], *parts), parts, strict=False):
        mark = len(ctx.reads)
        with ctx.knowing(facts):
            is_told = asks_again(ctx, "and", before, part)
            typed = BAD if is_told else ctx.check(part, BOOL)
            is_other = typed.sound and not fits(typed.type, BOOL)
            # If neither side is a condition, the `and` between them is the mistake.
            typed = BAD if is_other and refused else held_to(ctx, part, typed, BOOL)
        refused = is_other
        ctx.unsure |= not typed.sound
        judge(ctx, mark, chooser)
        facts |= typed.yes
        warn_if_constant(ctx, part, typed.expr)
        tests.append(typed.expr)
        english: Template = ()
        if ctx.reason is not None and typed.sound:
            english = ctx.reason(ctx, typed.expr, chooser, True)
        found.append(Condition(typed.expr, english))
    warn_if_clashing(ctx, node, tests)
    warn_if_ruled_out(ctx, node, tests)
    return tuple(found), facts


def shown(
    ctx: Context, nodes: Sequence[ast.Expr], reader: Expr | None
) -> tuple[program.Shown, ...]:
    """The values shown beside a question, of what its reader (None: me) may know."""
    found = []
    for node in nodes:
        mark = len(ctx.reads)
        typed = ctx.check(node)
        judge(ctx, mark, reader, thing=False)
        english: Template = ()
        if ctx.reason is not None and typed.sound:
            english = ctx.reason(ctx, typed.expr, reader, typed.type == BOOL)
        found.append(program.Shown(typed.expr, str(typed.type), english))
    return tuple(found)


def filtering(ctx: Context, node: ast.Expr, slot: int, name: str) -> Typed:
    """Check the `where` of a list; `name`, in `slot`, is bound to each member."""
    typed = condition(ctx, node)
    if typed.sound:
        warn_if_constant(ctx, node, typed.expr)
        warn_if_blind(ctx, node, [typed.expr], slot, name)
    return typed


def deciding(ctx: Context, node: ast.Expr) -> tuple[Expr, Facts, Facts]:
    """Check the condition of an `if`: its expression, and the facts where it holds and where not."""
    mark = len(ctx.reads)
    typed = condition(ctx, node)
    judge(ctx, mark, None)
    warn_if_constant(ctx, node, typed.expr)
    if not typed.sound:
        return typed.expr, typed.yes, typed.no
    warn_if_ruled_out(ctx, node, [typed.expr])
    held, denied = comparisons([typed.expr]), comparisons([("not", typed.expr)])
    return typed.expr, typed.yes | held, typed.no | denied


def warn_if_constant(ctx: Context, node: ast.Expr, expr: Expr) -> None:
    """Warn about a condition with a constant value."""
    value = verdict(ctx, expr) if not mentions(expr, BROKEN) else None
    if value is not None:
        always = "true" if value else "false"
        message = f"`{ctx.words(node)}` is always {always}{_because(ctx, node, expr)}"
        ctx.warn("constant-condition", node, message)


def warn_if_clashing(ctx: Context, node: ast.SyntaxNode, parts: list[Expr]) -> None:
    """Warn about conditions that can each hold but never together."""
    sound = [part for part in parts if not mentions(part, BROKEN)]
    if all(verdict(ctx, part) is None for part in sound) and clash(ctx, sound):
        ctx.warn("constant-condition", node, "these conditions never hold together")


def warn_if_ruled_out(ctx: Context, node: ast.SyntaxNode, parts: list[Expr]) -> None:
    """Warn about conditions that earlier ones rule out."""
    sound = [part for part in parts if not mentions(part, BROKEN)]
    known = list(comparisons(ctx.flow.facts))
    # Constant and clashing conditions have a warning of their own.
    told = any(verdict(ctx, part) is not None for part in sound) or clash(ctx, sound)
    if known and not told and not clash(ctx, known) and clash(ctx, [*known, *comparisons(sound)]):
        message = f"`{ctx.words(node)}` never holds here: an earlier condition rules it out"
        ctx.warn("constant-condition", node, message)


def warn_if_blind(ctx: Context, node: ast.Expr, parts: list[Expr], slot: int, name: str) -> None:
    """Warn about the condition of a list that does not depend on its members."""
    # The broken part may be the one that reads the member, and a constant has been reported.
    settled = any(mentions(part, BROKEN) or verdict(ctx, part) is not None for part in parts)
    if not settled and not any(mentions(part, ("slot", slot)) for part in parts):
        message = f"`{ctx.words(node)}` does not depend on `{name}`: all of them pass, or none"
        ctx.warn("same-for-all", node, message)


def _because(ctx: Context, node: ast.Expr, expr: Expr) -> str:
    """The reason for a constant comparison: the bounds of its sides."""
    if isinstance(node, ast.Unary) and expr[0] == "not":
        return _because(ctx, node.value, expr[1])
    if expr[0] == "not":
        expr = expr[1]
    if not isinstance(node, ast.Binary) or expr[0] not in (*NEGATED, "in"):
        return ""
    if expr[1] == expr[2]:
        return ""
    sides = ((node.left, expr[1]), (node.right, expr[2]))
    spans = [_span(ctx, *side) for side in sides if side[1][0] != "value"]
    return f": {' and '.join(filter(None, spans))}" if any(spans) else ""


def _span(ctx: Context, node: ast.Expr, expr: Expr) -> str:
    low, high = bounds(ctx, expr)
    words = f"`{ctx.words(node)}`"
    if low is not None and high is not None:
        return f"{words} is from {low} to {high}"
    if low is None and high is None:
        return ""
    return f"{words} is at least {low}" if low is not None else f"{words} is at most {high}"


def given_slot(ctx: Context, giving: ast.Name | None, callee: Signature) -> int:
    """The slot of a result; -1 for none."""
    if giving is None or (callee.result is None and not callee.broken):
        return -1
    return ctx.slot(giving.id)


def give(ctx: Context, giving: ast.Name | None, callee: Signature | None) -> None:
    """Assign the variable after `giving`; one that exists is assigned again, as with `set x = ...`."""
    if giving is None:
        return
    result = callee.result if callee is not None else UNKNOWN
    if callee is not None and callee.result is None and not callee.broken:
        help = f"leave out `giving`, and do without `{giving.id}`"
        ctx.error("gives-nothing", giving, f"`{callee.name}` gives nothing", help)
    local = ctx.flow.visible.get(giving.id) if giving.id in ctx.flow.certain else None
    if local is not None and result is not None:
        if not fits(result, local.type):
            mismatch(ctx, giving, result, local.type, f"for `{giving.id}`")
        ctx.set_open(giving, local, None)
        local.low = local.high = None
    else:
        local = ctx.fresh_local(giving, result or UNKNOWN, "given")
        local.used |= callee is None or result is None
    ctx.set_local(local)


def several_players(ctx: Context, node: ast.Expr) -> Typed:
    """Check a player or a list of players."""
    typed = ctx.check(node, list_of(PLAYER))
    if typed.known and typed.type != list_of(PLAYER) and not fits(typed.type, PLAYER):
        return mismatch(ctx, node, typed.type, PLAYER)
    if typed.type.optional:
        return mismatch(ctx, node, typed.type, PLAYER)
    return typed


def player_asked(ctx: Context, by: ast.Expr | None) -> Expr | None:
    """The player who answers or acts; None for me."""
    if by is None:
        return ctx.asker
    mark = len(ctx.reads)
    typed = wanted(ctx, by, PLAYER)
    judge(ctx, mark, None)
    return None if typed.expr == ME else typed.expr


def is_told(local: Local, player: Expr) -> bool:
    """Whether a player surely learns the value of a variable that only some learn."""
    return any(
        read.owner is not None and (read.owner == player or _is_among(player, read.owner))
        for read in local.hidden
    )


def told_to(ctx: Context, node: ast.Expr, local: Local) -> Expr:
    """Store who learns the value of a variable; the expression that reads them."""
    mark = len(ctx.reads)
    typed = several_players(ctx, node)
    judge_shown(ctx, mark)
    slot = ctx.hidden_slot(unnamed(f"{local.name}s"), typed.type)
    ctx.rows.add(program.Let(ctx.origin(node), slot, typed.expr))
    local.hidden = (ZoneRead(local.name, typed.expr, local.place, told=True, counted=True),)
    local.used = True
    refuse_given(ctx, local.hidden, ctx.result is not None and ctx.result.name == local.name)
    return ("slot", slot)


def is_strange_name(ctx: Context, node: ast.Expr) -> bool:
    """Whether this is an undeclared bare name."""
    if not isinstance(node, ast.Name) or any(local.name == node.id for local in ctx.locals):
        return False
    symbols = ctx.symbols
    known = symbols.is_value_name(node.id) or symbols.is_callable_name(node.id)
    return not known and node.id not in ctx.flow.visible


def entity_of(ctx: Context, nodes: Sequence[ast.Expr]) -> Type | None:
    """The only entity with things of all these bare names; else None."""
    names = (one.id for one in nodes if isinstance(one, ast.Name) and is_strange_name(ctx, one))
    found = [{entity for entity, _ in ctx.symbols.named.get(name, ())} for name in names]
    common = set.intersection(*found) if found else set()
    return Type(min(common)) if len(common) == 1 else None


def look_into(ctx: Context, args: Sequence[ast.Arg]) -> None:
    """Check the arguments of an unknown callee, whose parameter types are unknown.

    The zones they read are dropped, as their use is unknown, too.
    """
    look_at(ctx, [arg.value for arg in args])


def look_at(ctx: Context, values: Iterable[ast.Expr | None]) -> None:
    """Check the arguments of something unknown, skipping None."""
    mark = len(ctx.reads)
    for value in values:
        # The name of an option or record has a meaning only where its type is expected.
        means_itself = not isinstance(value, ast.Name) or not ctx.symbols.is_told_by_type(value.id)
        if value is not None and means_itself:
            ctx.check(value)
    del ctx.reads[mark:]
