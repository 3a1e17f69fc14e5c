"""Statements with chance or hidden information: `roll`, `draw`, `look`, `put`, `show`."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from ruleloom.compiler.bounds import intervals
from ruleloom.compiler.bounds.work import check_work
from ruleloom.compiler.check import expect
from ruleloom.compiler.check.moments import (
    after_change,
    answered_rolls,
    answered_throws,
    come_to_roll,
    come_to_throw,
    let_told,
)
from ruleloom.compiler.diagnostics.suggest import did_you_mean, quoted_list
from ruleloom.compiler.flow.context import BAD, Context, Typed
from ruleloom.compiler.flow.flow import Local, ZoneRead, unnamed
from ruleloom.compiler.resolve.symbols import Signature
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.types import is_unknown, list_of, maybe
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import ME, Callee
from ruleloom.runtime.program.interval import Interval, first_known
from ruleloom.runtime.program.program import Expr, Zone
from ruleloom.runtime.program.values import DICE, INT, PLAYER, Type

MOST_TOTAL = 1_000_000


RollParts: TypeAlias = tuple[program.Origin, int, str, Expr, Expr, Expr | None, Expr | None]


class Throw(NamedTuple):
    """The dice of a roll, the player who rolls, and the person that they roll for."""

    number: Expr
    sides: Expr
    by: Expr | None
    whom: Expr | None


def check_roll(ctx: Context, node: ast.RollStmt) -> None:
    """`roll x = 3d6`, `roll x = E d E`: the sum of the dice; `roll each x = ...`: their faces."""
    by = expect.player_asked(ctx, node.by)
    dice = node.dice
    if isinstance(dice.count, int) or isinstance(dice.sides, int):
        assert isinstance(dice.count, int)
        assert isinstance(dice.sides, int)
        if dice.count * dice.sides > MOST_TOTAL:
            message = f"`{ctx.words(dice)}` can show more than {MOST_TOTAL:,}"
            ctx.error("out-of-bounds", dice, message)
        count: Expr = ("value", dice.count)
        sides: Expr = ("value", dice.sides)
    else:
        mark = len(ctx.reads)
        count = _so_many(ctx, dice.count, 0, program.MOST_DICE, "dice")
        sides = _so_many(ctx, dice.sides, 1, program.MOST_SIDES, "sides")
        check_work(ctx, dice, count, sides)
        expect.judge(ctx, mark, by)
    whom = _person(ctx, node)
    local = ctx.fresh_local(node.name, DICE if node.each else INT, "rolled")
    least, most = _between(intervals.numbers(ctx, count), 0, program.MOST_DICE)
    if node.name.id not in ctx.reassigned:
        top = most * _between(intervals.numbers(ctx, sides), 1, program.MOST_SIDES)[1]
        local.low, local.high = (None, most) if node.each else (least, top)
    ctx.spends(node, dice=most)
    ctx.barrier = "the dice are rolled"
    _add_roll(ctx, node, local, Throw(count, sides, by, whom))
    ctx.set_local(local)


def _person(ctx: Context, node: ast.RollStmt) -> Expr | None:
    """The person that dice are rolled for, whom everybody may know."""
    if node.whom is None:
        return None
    type_, mark = ctx.symbols.rolls_for.get("person"), len(ctx.reads)
    if type_ is None:
        message = "this game does not say what dice are rolled for"
        ctx.error(
            "type-mismatch", node.whom, message, "`rolls_for:` in its vocabulary, with a type"
        )
        return None
    typed = expect.wanted(ctx, node.whom, type_)
    expect.judge_shown(ctx, mark)
    return typed.expr


def _add_roll(ctx: Context, node: ast.RollStmt, local: Local, thrown: Throw) -> None:
    """Add the rows of a roll, with its moments; a roll of no dice raises none."""
    origin, by, seen_by = ctx.origin(node), thrown.by, _readers(ctx, node, local)
    throws = _throws(ctx, node, local, by or ME)
    may_be_none = _is_answered(ctx, node, local, throws) and _may_be_none(ctx, thrown.number)
    # The roll may assign the variable that its number of dice is computed from.
    count = _held(ctx, origin, "dice", thrown.number) if may_be_none else thrown.number
    sides = _held(ctx, origin, "sides", thrown.sides) if throws else thrown.sides
    is_summed, end = bool(throws) and not node.each, ctx.rows.label()
    slot = ctx.hidden_slot(unnamed("thrown"), DICE) if is_summed else local.slot
    parts = (origin, slot, node.name.id, count, sides, by, thrown.whom)
    ctx.rows.add(_row(node.each, is_summed, seen_by, parts))
    if may_be_none:
        if is_summed:
            ctx.rows.add(let_told(origin, local.slot, ("value", 0), seen_by))
        ctx.rows.add(program.JumpUnless(origin, (">", count, ("value", 0)), end))
    who, told = by or ME, _told(ctx, thrown)
    for moment in throws:
        come_to_throw(ctx, node, moment, local, (who, ("slot", slot), sides, *told), seen_by)
    if is_summed:
        _add_sum(ctx, node, local, slot, seen_by)
    if seen_by is None:
        come_to_roll(ctx, node, local, (who, ("slot", local.slot), *told))
    ctx.rows.put(end)


def _is_answered(ctx: Context, node: ast.RollStmt, local: Local, throws: list[Signature]) -> bool:
    """Whether something responds to a roll."""
    return bool(throws or (node.seen_by is None and answered_rolls(ctx, local)))


def _may_be_none(ctx: Context, count: Expr) -> bool:
    """Whether there may be no dice."""
    return (intervals.numbers(ctx, count).low or 0) <= 0


def _add_sum(
    ctx: Context, node: ast.RollStmt, local: Local, dice: int, seen_by: Expr | None
) -> None:
    """Add up the dice in a slot."""
    die = ctx.hidden_slot(unnamed("die"), INT)
    summed: Expr = ("each", "sum", None, die, ("slot", dice), None)
    ctx.rows.add(let_told(ctx.origin(node), local.slot, summed, seen_by))


def _readers(ctx: Context, node: ast.RollStmt, local: Local) -> Expr | None:
    """The players who read what is rolled; None if all do."""
    return None if node.seen_by is None else expect.told_to(ctx, node.seen_by, local)


def _throws(ctx: Context, node: ast.RollStmt, local: Local, roller: Expr) -> list[Signature]:
    """The answered moments before the dice are read; none if whoever rolls does not see them.

    Under a name that open rolls have, too, the moment of that name is theirs.
    """
    if node.seen_by is None:
        return answered_throws(ctx, node.name.id, "any")
    throws = answered_throws(ctx, node.name.id, "unseen") if expect.is_told(local, roller) else []
    return [one for one in throws if one.params[one.open_place].told]


def _row(each: bool, is_summed: bool, seen_by: Expr | None, parts: RollParts) -> program.Roll:
    """The row of a roll of its kind."""
    if seen_by is None:
        whole = program.RollSummed if is_summed else program.Roll
        return program.RollEach(*parts) if each else whole(*parts)
    if each:
        return program.SecretRollEach(*parts, seen_by)
    if is_summed:
        return program.SecretRollSummed(*parts, seen_by)
    return program.SecretRoll(*parts, seen_by)


def _told(ctx: Context, thrown: Throw) -> tuple[Expr, ...]:
    """The person of a roll, as its events tell: whoever rolls where persons are players."""
    type_ = ctx.symbols.rolls_for.get("person")
    otherwise = thrown.by or ME if type_ == PLAYER else ("value", None)
    return () if type_ is None else (thrown.whom or otherwise,)


def _held(ctx: Context, origin: program.Origin, name: str, number: Expr) -> Expr:
    """A number as it is before a roll, kept in a slot of its own if it may change."""
    if number[0] == "value":
        return number
    slot = ctx.hidden_slot(unnamed(name), INT)
    ctx.rows.add(program.Let(origin, slot, number))
    return ("slot", slot)


def _so_many(ctx: Context, node: ast.Expr, least: int, most: int, what: str) -> Expr:
    """Check a number of dice or sides; report one that is always out of bounds."""
    typed = expect.wanted(ctx, node, INT)
    low, high = intervals.numbers(ctx, typed.expr) if typed.known else (None, None)
    wrong = ""
    if high is not None and high < least:
        wrong = f"more than {high:,}"
    elif low is not None and low > most:
        wrong = f"less than {low:,}"
    if wrong:
        takes = f"a roll takes {least} to {most:,} {what}"
        message = f"`{ctx.words(node)}` is never {wrong}, and {takes}"
        ctx.error("out-of-bounds", node, message)
    return typed.expr


def _between(span: Interval, least: int, most: int) -> tuple[int, int]:
    """The bounds of a number, clamped to `least` and `most`."""
    low, high = span
    return max(least, low or least), max(least, min(most, most if high is None else high))


def check_draw(ctx: Context, node: ast.DrawStmt) -> None:
    """`draw fruit from heap to basket_of(p)`: none from an empty pile."""
    if node.to is None:
        _pick(ctx, node)
        return
    pile, holder = _source(ctx, node)
    zone, owner = _goal(ctx, node.to, pile)
    item = Type(pile.of) if pile else BAD.type
    local = ctx.fresh_local(node.name, maybe(item), "drawn")
    local.used = True
    if zone and ctx.symbols.zones[zone].seen_by != "all":
        place = ctx.passage.place(node.name.span)
        local.hidden = (ZoneRead(zone, owner, place, counted=True),)
    name = pile.name if pile else ""
    drawn = (ctx.origin(node), local.slot, node.name.id, str(item), name, zone, owner)
    lazy = pile is None or pile.lazy
    ctx.rows.add(program.Draw(*drawn) if lazy else program.Take(*drawn, holder))
    ctx.calls(node, Callee("event", "drawn"))
    ctx.barrier = "a card is drawn"
    after_change(ctx)
    ctx.set_local(local)


def _source(ctx: Context, node: ast.DrawStmt) -> tuple[Zone | None, Expr | None]:
    """The zone of a random draw and its owner."""
    pile = _named_zone(ctx, node.pile)
    if pile is not None and pile.lazy:
        return pile, None
    if pile is None and isinstance(node.pile, ast.Name):
        _no_pile(ctx, node)
        return None, None
    mark = len(ctx.reads)
    of = ctx.check(node.pile)
    zone = ctx.symbols.zones[of.expr[1]] if of.expr[0] == "zone" else None
    if zone is not None and zone.seen_by != "all":
        _judge_owner(ctx, mark)
        return zone, of.expr[2]
    del ctx.reads[mark:]
    if of.known:
        _no_pile(ctx, node)
    return None, None


def _named_zone(ctx: Context, node: ast.Expr) -> Zone | None:
    return ctx.symbols.zones.get(node.id) if isinstance(node, ast.Name) else None


def _judge_owner(ctx: Context, mark: int) -> None:
    """Judge the owner of the zone drawn from, which is public, unlike its contents."""
    ctx.reads.pop()
    expect.judge_shown(ctx, mark)


def _pick(ctx: Context, node: ast.DrawStmt) -> None:
    """`draw lucky from players`, or from a zone: optional where the list may be empty."""
    mark = len(ctx.reads)
    domain = expect.listed(ctx, node.pile)
    pile = ctx.symbols.zones[domain.expr[1]] if domain.expr[0] == "zone" else None
    if domain.known and domain.type.repeats:
        words = ctx.words(node.pile)
        message = f"`{words}` are dice, and chance takes one of a list that holds a thing once"
        ctx.error("type-mismatch", node.pile, message, "`draw x from 1 .. 6`")
    hidden: tuple[ZoneRead, ...] = ()
    if pile is not None and pile.lazy:
        message = f"nobody sees `{pile.name}`, so what is drawn has to go where it can be seen"
        help = f"`draw {node.name.id} from {pile.name} to ...`, and the zone it goes to"
        ctx.error("hidden-information", node.pile, message, help)
        del ctx.reads[mark:]
    elif pile is not None:
        last = ctx.reads[-1]
        hidden = (last,) if expect.sight(ctx, last) != "all" else ()
        _judge_owner(ctx, mark)
    expect.judge_shown(ctx, mark)
    item = expect.item_type(domain)
    check_work(ctx, node.pile, times=domain.expr)
    local = ctx.fresh_local(node.name, _picked_type(ctx, item, domain.expr), "drawn")
    local.hidden = hidden
    if item == INT and node.name.id not in ctx.reassigned:
        local.low, local.high = intervals.members(ctx, domain.expr)
    ctx.rows.add(program.Pick(ctx.origin(node), local.slot, node.name.id, str(item), domain.expr))
    ctx.spends(node, dice=1)
    ctx.barrier = "chance takes one of a list"
    ctx.set_local(local)


def _picked_type(ctx: Context, item: Type, domain: Expr) -> Type:
    """The type of a random member of a list: optional where the list may be empty."""
    entity = ctx.symbols.entities.get(item.name)
    lasts = entity is None or not entity.present
    return (
        item if is_unknown(item) or (lasts and intervals.never_empty(ctx, domain)) else maybe(item)
    )


def check_look(ctx: Context, node: ast.LookStmt) -> None:
    """`look at 3 of heap by p as seen`: the look is public, the contents are for `p` alone."""
    by = expect.player_asked(ctx, node.by)
    mark = len(ctx.reads)
    number = expect.wanted(ctx, node.number, INT)
    expect.judge_shown(ctx, mark)
    pile = _lazy(ctx, node.pile, "looks at the top of one")
    item = BAD.type if pile is None else Type(pile.of)
    most = _most_seen(ctx, node.number, number, pile)
    local = ctx.fresh_local(node.name, item if is_unknown(item) else list_of(item), "looked at")
    local.high = None if node.name.id in ctx.reassigned else most
    who: Expr = ("slot", ctx.hidden_slot(unnamed(f"{local.name}s"), PLAYER))
    origin, name = ctx.origin(node), pile.name if pile else ""
    ctx.rows.add(program.Let(origin, who[1], by or ME))
    row = program.Peek(origin, local.slot, node.name.id, str(item), number.expr, name, who)
    ctx.rows.add(row)
    local.hidden = (ZoneRead(name, by or ME, local.place, told=True, counted=True),)
    ctx.spends(node, dice=max(0, most or 0))
    ctx.barrier = "somebody looks at what is hidden"
    expect.refuse_given(ctx, local.hidden, ctx.result is not None and ctx.result.name == local.name)
    ctx.set_local(local)


def _most_seen(ctx: Context, node: ast.Expr, number: Typed, pile: Zone | None) -> int | None:
    """The upper bound of the things that a look at a pile shows; warns if it is 0."""
    most = intervals.numbers(ctx, number.expr).high if number.known else None
    if most is not None and most <= 0:
        message = f"nothing can be looked at here: the limit is {most}"
        ctx.warn("constant-condition", node, message)
    return first_known(min, (most, intervals.things(ctx, pile.of) if pile else None))


def check_put(ctx: Context, node: ast.PutStmt) -> None:
    """`put fruits on top of heap`: wherever they lay, they are drawn next, in list order."""
    typed = _handled(ctx, node.things, "put there")
    pile = _lazy(ctx, node.pile, "has things put on it")
    if typed.known and pile is not None and typed.type.name != pile.of:
        expect.mismatch(ctx, node.things, typed.type, list_of(Type(pile.of)))
    row = program.Put(
        ctx.origin(node), typed.expr, str(typed.type), node.end, pile.name if pile else ""
    )
    ctx.rows.add(row)
    ctx.spends(node, operations=1)
    after_change(ctx)


def check_show(ctx: Context, node: ast.ShowStmt) -> None:
    """`show fruit to p`: the showing is public, the thing is revealed to `p` alone."""
    mark = len(ctx.reads)
    to = expect.several_players(ctx, node.to)
    expect.judge_shown(ctx, mark)
    typed = _handled(ctx, node.things, "shown")
    lies = {zone.of for zone in ctx.symbols.zones.values()}
    if typed.known and typed.type.name not in lies:
        message = f"`{ctx.words(node.things)}` is {ctx.say(typed.type)}, which lies in no zone"
        ctx.error("type-mismatch", node.things, message, 'tell it: `say to player "..."`')
    ctx.rows.add(program.Show(ctx.origin(node), typed.expr, str(typed.type), to.expr))
    ctx.spends(node, operations=1)
    ctx.barrier = "something hidden is shown"


def _handled(ctx: Context, node: ast.Expr, done: str) -> Typed:
    """Check the things of a `put` or `show`, whose public number must reveal nothing."""
    mark = len(ctx.reads)
    typed = ctx.check(node)
    if typed.known and typed.type.optional:
        typed = expect.mismatch(ctx, node, typed.type, typed.type.present)
    elif typed.known and typed.type.by_player:
        typed = expect.mismatch(ctx, node, typed.type, list_of(Type(typed.type.name)))
    for read in ctx.reads[mark:] if typed.type.many else ():
        if expect.sight(ctx, read) != "all" and not (read.counted and expect.is_sized(typed.expr)):
            tells = f"which tells what is hidden in `{read.zone}`"
            message = f"everybody sees how many are {done}, {tells}"
            help = "let a player choose them, or take a whole zone or all that was looked at"
            ctx.report.error("hidden-information", read.place, message, help)
    del ctx.reads[mark:]
    return typed


def _lazy(ctx: Context, node: ast.Expr, done: str) -> Zone | None:
    """The lazy pile that a node names; None after an error."""
    pile = _named_zone(ctx, node)
    if pile is not None and pile.lazy:
        return pile
    message = f"`{ctx.words(node)}` is not a pile of unknown order, and only such a pile {done}"
    _refuse_pile(ctx, node, message, "")
    return None


def _no_pile(ctx: Context, node: ast.DrawStmt) -> None:
    words = ctx.words(node.pile)
    message = f"`{words}` is not a pile to draw from"
    if words in ctx.symbols.zones:
        nothing = f"`{words}` has no unknown order, so nothing is drawn from it"
        message = f"{nothing}; choose from it instead"
    _refuse_pile(ctx, node.pile, message, "draw from ")


def _refuse_pile(ctx: Context, node: ast.Expr, message: str, to: str) -> None:
    """Report a node that is not a pile, with the known piles as help."""
    if not (isinstance(node, ast.Name) and ctx.symbols.poisoned.may_declare(node.id)):
        piles = [name for name, zone in ctx.symbols.zones.items() if zone.lazy]
        known = f"{to}{quoted_list(piles, 'or')}" if piles else None
        help = did_you_mean(ctx.words(node), piles) or known
        ctx.error("not-a-pile", node, message, help)


def _goal(ctx: Context, node: ast.Expr, pile: Zone | None) -> tuple[str, Expr | None]:
    """The zone that a draw moves to, and its owner."""
    mark = len(ctx.reads)
    to = ctx.check(node)
    del ctx.reads[mark:]
    if not to.known:
        return "", None
    zone_to = ctx.symbols.zones[to.expr[1]] if to.expr[0] == "zone" else None
    if zone_to is None or zone_to.at or zone_to.under:
        ctx.error("type-mismatch", node, f"`{ctx.words(node)}` is not a zone to draw to")
        return "", None
    zone, owner = to.expr[1], to.expr[2]
    if pile is not None and ctx.symbols.zones[zone].of != pile.of:
        ctx.error("type-mismatch", node, f"`{zone}` does not hold what lies in `{pile.name}`")
    return zone, owner
