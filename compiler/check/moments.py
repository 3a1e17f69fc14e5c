"""The effects of statements on the context: locals set, facts dropped, moments raised.

Moments are events to hook into, as are those before, after or instead of a power or flow. One without
answers has no rows.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ruleloom.compiler.bounds.intervals import length, numbers
from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.flow.flow import Local, ZoneRead, reads_world, scope_read, unnamed
from ruleloom.compiler.query.lookups import NEVER_SAME
from ruleloom.compiler.resolve.mod_sets import ANY_TRIGGER, changed_names, set_going
from ruleloom.compiler.resolve.symbols import ParamSymbol, Signature
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import walk
from ruleloom.compiler.types import is_unknown, join
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import Callee, slots_read
from ruleloom.runtime.program.interval import Interval
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import DICE, INT, Type

# The verb for each way to set a local; a text asked for is read by players, so it is never unused.
WORDS = {word: word for word in ("set", "rolled", "given", "chosen", "drawn")}
WORDS["the number of the round"] = "counted"
INSTEAD = "instead of "
"""The prefix of the event, about a power or flow, that its replacements answer."""
NO_VALUE = (None, ())
"""The result of a power before one is given: for a single value, for a list."""


def slot_types(ctx: Context) -> tuple[str, ...]:
    """The type of each slot as stored in a program; empty if it is unknown or not single."""
    found: list[Type | None] = list(ctx.slot_types)
    for local in ctx.held:
        before = found[local.slot]
        if before is not None and is_unknown(before):
            found[local.slot] = local.type
        elif before is not None and not is_unknown(local.type):
            found[local.slot] = join(before, local.type)
    return tuple(
        "" if type_ is None or is_unknown(type_) else ctx.symbols.kept_type(type_)
        for type_ in found
    )


def unused_locals(ctx: Context) -> None:
    """Warn about locals of a text that are set but never read."""
    text, report = ctx.passage, ctx.report
    if report.has_errors_in(text.path) and report.errors_within(text.place((0, len(text.text)))):
        ctx.symbols.lookups.note(NEVER_SAME)
        return  # the error may hide their use
    for local in ctx.locals:
        word = WORDS.get(local.word)
        if word is not None and not local.used and not report.errors_within(local.place):
            message = f"`{local.name}` is {word} and never used"
            report.warning("unused-name", local.place, message)


def check_moment(
    ctx: Context, node: ast.OperateStmt, moment: Signature, args: tuple[Expr, ...], slot: int
) -> None:
    """`blow_falls(whom, hard) giving hard`: a moment of the vocabulary."""
    if moment.open and slot < 0:
        message = f"answers may change the `{moment.open}` of `{moment.name}`, which is then lost"
        ctx.error("result-not-set", node, message, f"`giving {moment.open}`")
    elif moment.name in ctx.symbols.answered:
        come_to(ctx, ctx.origin(node), moment, args, slot)
    elif moment.open and args[moment.open_place] != ("slot", slot):
        ctx.rows.add(program.Let(ctx.origin(node), slot, args[moment.open_place]))


def come_to(
    ctx: Context,
    origin: program.Origin,
    moment: Signature,
    args: tuple[Expr, ...],
    slot: int,
    seen_by: Expr | None = None,
) -> None:
    """Raise a moment, and read its open value, held by a variable meanwhile, back into a slot.

    The variable is then restored, as an answer may raise the same moment again. Only `seen_by` learn
    the value; None is everybody.
    """
    announced = program.Announce(origin, moment.name, args)
    if not moment.open:
        ctx.rows.add(announced)
        return
    variable, told = moment.open_variable, within(ctx, moment, args[moment.open_place])
    outer = ctx.hidden_slot(unnamed(variable), ctx.symbols.scope[variable].type)
    ctx.rows.add(program.Let(origin, outer, ("scope", variable)))
    ctx.rows.add(program.SetScope(origin, variable, told))
    ctx.rows.add(announced)
    ctx.rows.add(let_told(origin, slot, ("scope", variable), seen_by))
    ctx.rows.add(program.SetScope(origin, variable, ("slot", outer)))


def let_told(origin: program.Origin, slot: int, value: Expr, seen_by: Expr | None) -> program.Let:
    """A variable that is set to what everybody learns, or only some players."""
    if seen_by is None:
        return program.Let(origin, slot, value)
    return program.LetTold(origin, slot, value, seen_by)


def local_of(param: ParamSymbol, slot: int, place: Place, word: str, who: int = 0) -> Local:
    """The local of a parameter; that of an event may be known only to the player in the slot `who`."""
    told = (ZoneRead(param.name, ("slot", who), place, told=True, counted=True),)
    return Local(param.name, slot, param.type, place, word, told if param.told else (), used=True)


def answered_throws(ctx: Context, name: str, any_of: str) -> list[Signature]:
    """The answered moments before the dice of a roll are read: that of its name, and that of any such."""
    found = (f"thrown {one}" for one in (name, any_of))
    return [ctx.symbols.operations[one] for one in found if one in ctx.symbols.answered]


def come_to_throw(
    ctx: Context,
    node: ast.RollStmt,
    moment: Signature,
    local: Local,
    args: tuple[Expr, ...],
    seen_by: Expr | None = None,
) -> None:
    """Raise a moment before the dice of a roll are read, the answers to which may change them."""
    come_to(ctx, ctx.origin(node), moment, args, args[1][1], seen_by)
    ctx.calls(node, Callee("event", moment.name))
    if node.each:
        _note_opened(local, moment)
    local.low, local.high = None, None
    after_change(ctx)


def come_to_roll(ctx: Context, node: ast.RollStmt, local: Local, args: tuple[Expr, ...]) -> None:
    """Raise the moments after a roll, the answers to which may change its variable."""
    for moment in answered_rolls(ctx, local):
        come_to(ctx, ctx.origin(node), moment, args, local.slot)
        ctx.calls(node, Callee("event", moment.name))
        _note_opened(local, moment)
        local.low, local.high = None, None
        after_change(ctx)


def _note_opened(local: Local, moment: Signature) -> None:
    """Note a moment whose answers may change the variable of a roll, and its bounds before."""
    if not local.opened:
        local.begun = Interval(local.low, local.high)
    local.opened = (*local.opened, moment.name)


def answered_rolls(ctx: Context, local: Local) -> list[Signature]:
    """The answered moments after a roll: that of its name, and that of any roll."""
    rolled = "rolled each" if local.type == DICE else "rolled any"
    names = [name for name in (f"rolled {local.name}", rolled) if name in ctx.symbols.answered]
    found = (ctx.symbols.operations.get(name) for name in names)
    return [moment for moment in found if moment is not None and moment.result == local.type]


def within(ctx: Context, moment: Signature, expr: Expr) -> Expr:
    """The open value of a moment, clamped to the bounds of the moment."""
    least, most = moment.open_least, moment.open_most
    if moment.result is not None and moment.result.many:
        fits = most is None or _is_within(ctx, length(ctx, expr), most)
        return expr if fits else ("first", most, expr)
    low, high = numbers(ctx, expr)
    if most is not None and not _is_within(ctx, high, most):
        expr = _one_of(ctx, "lowest", expr, most)
    if least is not None and not _is_within(
        ctx, None if low is None else -low, ("negative", least)
    ):
        expr = _one_of(ctx, "highest", expr, least)
    return expr


def _is_within(ctx: Context, number: int | None, most: Expr) -> bool:
    """Whether a number is within a bound under all settings."""
    low = numbers(ctx, most).low
    return number is not None and low is not None and number <= low


def _one_of(ctx: Context, kind: str, expr: Expr, bound: Expr) -> Expr:
    slot = ctx.hidden_slot(unnamed("bound"), INT)
    return ("each", kind, None, slot, ("list", expr, bound), None)


def _bounded(ctx: Context, name: str, moment: Signature) -> None:
    """Bound a local by the bounds of a moment's open value."""
    local = ctx.flow.visible[name]
    least, most = moment.open_least, moment.open_most
    low = numbers(ctx, least).low if least is not None else None
    high = numbers(ctx, most).high if most is not None else None
    bounded = replace(local, low=low, high=high, parts=(local,), opened=())
    ctx.flow = replace(ctx.flow, visible={**ctx.flow.visible, name: bounded})


def given_back(ctx: Context, name: str, moment: Signature) -> None:
    """Note the bounds of a variable that a moment has given back, or the moment that lacks them."""
    if not moment.open:
        return
    before = ctx.flow.visible[name].opened
    _bounded(ctx, name, moment)
    if moment.open_most is None:
        ctx.flow.visible[name].opened = (*before, moment.name)


def announce(ctx: Context, event: str, origin: program.Origin) -> None:
    """Raise the event before or after this text, with its arguments."""
    ctx.rows.add(program.Announce(origin, event, _told(ctx, event)))


def give_way(ctx: Context, event: str, origin: program.Origin) -> None:
    """Add the row that lets replacements run instead of this text."""
    ctx.skipped_to = ctx.rows.label()
    if ctx.result is not None:
        given = program.SetScope(
            origin, given_variable(event), ("value", NO_VALUE[ctx.result.type.many])
        )
        ctx.rows.add(given)
    ctx.rows.add(program.Replaceable(origin, event, _told(ctx, event), ctx.skipped_to))


def take_given(ctx: Context, origin: program.Origin) -> None:
    """After a replacement of this text has run: read its result, unless that is missing."""
    assert ctx.skipped_to is not None, "it may be replaced"
    ctx.rows.put(ctx.skipped_to)
    if ctx.result is None:
        return
    name = ctx.routine.rpartition("/")[2].replace("-", "_")
    given: Expr = ("scope", given_variable(f"{INSTEAD}{name}"))
    if not (ctx.result.type.many or ctx.result.type.optional):
        there = ("not", ("is_none", given))
        ctx.rows.add(program.Ensure(origin, there, "what replaces it comes to nothing"))
    ctx.rows.add(program.Let(origin, ctx.by_name[ctx.result.name], given))


def give_in_place(ctx: Context, event: str, param: ParamSymbol, place: Place) -> None:
    """Let this text, a replacement, set the result of the replaced power under the name of `param`."""
    slot = ctx.by_name[param.name]
    ctx.result = Local(param.name, slot, param.type, place, "promised", used=True)
    if param.type.optional:
        ctx.enter(ctx.result)
    ctx.given = given_variable(event), slot


def given_variable(event: str) -> str:
    """The variable that passes the result from a replacement; no author can write its name."""
    return f"{event} gives"


def _told(ctx: Context, event: str) -> tuple[Expr, ...]:
    """The arguments of an event about this text, which costs as much as its answers."""
    ctx.runs(ctx.passage.place((0, 0)), Callee("event", event))
    return tuple(("slot", ctx.by_name[param.name]) for param in ctx.symbols.events[event])


def answer_moment(
    ctx: Context, moment: Signature, name: str, origin: program.Origin, late: bool
) -> None:
    """Let this text, an answer to a moment, change the open value under `name`, unless `late`."""
    ctx.fixed -= {name}
    variable, slot = moment.open_variable, ctx.by_name[name]
    who: Expr | None = ("slot", 0) if moment.params[moment.open_place].told else None
    if late:
        ctx.settled = name
        _bounded(ctx, name, moment)
        if who is not None:
            ctx.rows.add(let_told(origin, slot, ("slot", slot), who))
        return
    ctx.rows.add(let_told(origin, slot, ("scope", variable), who))
    if name in ctx.reassigned:
        ctx.open_value = moment, slot
    else:
        _bounded(ctx, name, moment)


def close(ctx: Context, origin: program.Origin) -> None:
    """At an end of the text: write back an open value, and raise the event after it."""
    if ctx.flow.ended:
        return
    if ctx.open_value is not None:
        moment, slot = ctx.open_value
        kept = within(ctx, moment, ("slot", slot))
        ctx.rows.add(program.SetScope(origin, moment.open_variable, kept))
    if ctx.given is not None:
        variable, slot = ctx.given
        ctx.rows.add(program.SetScope(origin, variable, ("slot", slot)))
    if ctx.ending:
        announce(ctx, ctx.ending, origin)


def after_change(ctx: Context, by: Callee | None = None) -> None:
    """Drop facts about the table, and about variables that triggers or the callee `by` may change."""

    def changes(callee: Callee, expr: Expr) -> bool:
        return any(ctx.symbols.may_change(callee, one) for one in sorted(scope_read(expr)))

    if by is not None:
        ctx.flow = ctx.flow.owned_anew(partial(changes, by))
    callees = [one for one in (by, ANY_TRIGGER) if one is not None]
    ctx.flow = ctx.flow.forgetting(
        lambda fact: reads_world(fact) or any(changes(one, fact) for one in callees)
    )


def forget_changed(ctx: Context, body: tuple[ast.Stmt, ...]) -> None:
    """At the head of a loop: drop the facts and bounds that its body may change."""
    names = changed_names(body)
    slots = {ctx.by_name[name] for name in names if name in ctx.by_name}

    def is_changed(expr: Expr) -> bool:
        return bool(scope_read(expr) & names or slots_read(expr) & slots)

    ctx.flow = ctx.flow.forgetting(is_changed).owned_anew(is_changed)
    for one in walk(body):
        called = set_going(one)
        if called is not None:
            after_change(ctx, called)
        elif isinstance(one, ast.RollStmt):
            after_change(ctx)
    visible = {
        name: replace(local, low=None, high=None, parts=(local,)) if name in names else local
        for name, local in ctx.flow.visible.items()
    }
    ctx.flow = replace(ctx.flow, visible=visible)
