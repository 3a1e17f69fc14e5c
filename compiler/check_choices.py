"""Statements that ask: `choose`, `ask ... for text`, `each ... secretly choose`, `roll` and `draw`.

While `where` is checked, the chosen name stands for one candidate; afterwards for the answer: one thing, or
with `up to`, `exactly` and `any number of` a list.
"""

from __future__ import annotations

from dataclasses import replace

from compiler.changes import after_change
from compiler.conditions import conditions, warn_if_blind
from compiler.context import BAD, BROKEN, ME, Context, Typed
from compiler.costs import Doing, Flat
from compiler.diagnostics import did_you_mean, quoted_list
from compiler.effect import tree
from compiler.functions import Span
from compiler.intervals import length, members, never_empty, numbers, things
from compiler.locals import fresh_local, set_local
from compiler.scopes import Local, ZoneRead, mentions
from compiler.spoken import asked
from compiler.types import is_unknown, list_of, maybe
from compiler.visibility import judge, judge_shown, picked
from compiler.wanted import item_type, listed, player, wanted, whole
from compiler.workload import check_work
from runtime import program
from runtime.program import Condition, Expr
from runtime.values import DICE, INT, PLAYER, TEXT, Type

MOST_TOTAL = 1_000_000


def chooser(ctx: Context, by: tree.Expr | None) -> Expr | None:
    """Who is asked: None for me. Somebody else's answer cannot be foreseen."""
    if by is None:
        return None
    mark = len(ctx.reads)
    typed = player(ctx, by)
    judge(ctx, mark, None)
    return None if typed.expr == ME else typed.expr


def asks_another(ctx: Context, by: Expr | None) -> None:
    """Remember the barrier that another player's answer is."""
    if by is not None:
        ctx.barrier = "another player answers"


def check_choose(ctx: Context, node: tree.Choose) -> None:
    """`choose x from xs where ...`."""
    by = chooser(ctx, node.by)
    mark = len(ctx.reads)
    domain = listed(ctx, node.domain)
    hidden = picked(ctx, mark)
    item = item_type(domain)
    limit = whole(ctx, node.limit).expr if node.limit is not None else None
    most = numbers(ctx, limit)[1] if limit is not None else None
    if node.limit is not None and most is not None and most <= 0:
        ctx.warn("constant-condition", node.limit, f"nothing is ever chosen here, as {most} is the most")
    default = _default(ctx, node, item)
    judge(ctx, mark, by)
    prompt = asked(ctx, node.prompt, by)
    candidate = fresh_local(ctx, node.name, item, "chosen")
    tests = _candidates(ctx, node, candidate, by)
    check_work(ctx, node.domain, *(one.test for one in tests), times=domain.expr)
    # What has a default may be chosen for its own sake: there has to be such a thing, and any will do.
    candidate.used |= node.default is not None
    answer = _answer(ctx, node, candidate, domain, limit)
    answer.hidden = hidden
    ctx.rows.add(
        program.Choose(
            ctx.origin(node),
            candidate.slot,
            node.name.id,
            str(item),
            node.count,
            limit,
            domain.expr,
            tests,
            by,
            node.or_none,
            default,
            prompt,
        )
    )
    ctx.costs.append(Flat(prompts=1))
    asks_another(ctx, by)
    set_local(ctx, answer)


def _candidates(
    ctx: Context, node: tree.Choose | tree.Secretly, candidate: Local, by: Expr | None
) -> tuple[Condition, ...]:
    used = candidate.used
    with ctx.binding(candidate):
        tests, _ = conditions(ctx, node.where, by)
        if node.where is not None:
            warn_if_blind(ctx, node.where, [one.test for one in tests], candidate.slot, candidate.name)
    # A condition looks at every candidate: that alone does not make use of the answer.
    candidate.used = used
    return tests


def _answer(ctx: Context, node: tree.Choose, candidate: Local, domain: Typed, limit: Expr | None) -> Local:
    type_ = candidate.type
    candidate.broken = mentions((domain.expr, limit), BROKEN)
    if node.count != "one":
        candidate.type = type_ if is_unknown(type_) else list_of(type_)
        most = length(ctx, domain.expr) if domain.known else None
        cap = numbers(ctx, limit)[1] if limit is not None else None
        bounds = [bound for bound in (most, cap) if bound is not None]
        candidate.high = min(bounds) if bounds and node.name.id not in ctx.reassigned else None
        return candidate
    if node.or_none:
        candidate.type = maybe(type_)
    elif type_ == INT and node.name.id not in ctx.reassigned:
        candidate.low, candidate.high = members(ctx, domain.expr)
    return candidate


def _default(ctx: Context, node: tree.Choose, item: Type) -> Expr | None:
    if node.default is None:
        return None
    if node.or_none and isinstance(node.default, tree.Nothing):
        return ("value", None)
    asked = item if node.count == "one" or is_unknown(item) else list_of(item)
    return wanted(ctx, node.default, asked, f"as the default of `{node.name.id}`").expr


def check_ask(ctx: Context, node: tree.Ask) -> None:
    """`ask p for text story "How does it go?"`: what a person writes, for everybody to see.

    A text of one's own is no barrier: any text that is not known yet stands for all others in look-ahead.
    """
    by = chooser(ctx, node.who)
    mark = len(ctx.reads)
    default = None
    if node.default is not None:
        default = wanted(ctx, node.default, TEXT, f"as the default of `{node.name.id}`").expr
    judge_shown(ctx, mark)
    prompt = asked(ctx, node.prompt, by)
    answer = fresh_local(ctx, node.name, maybe(TEXT) if node.or_none else TEXT, "asked for")
    row = program.Ask(ctx.origin(node), answer.slot, node.name.id, by, node.or_none, default, prompt)
    ctx.rows.add(row)
    ctx.costs.append(Flat(prompts=1))
    asks_another(ctx, by)
    set_local(ctx, answer)


def check_secretly(ctx: Context, node: tree.Secretly) -> None:
    """`each p in players secretly choose bid from hand(p)`: afterwards `bid(p)` is what `p` chose."""
    mark = len(ctx.reads)
    players = wanted(ctx, node.players, list_of(PLAYER))
    judge(ctx, mark, None)
    who = fresh_local(ctx, node.player, PLAYER, "one of the players", slot=ctx.hidden_slot(node.player.id))
    who.used = True
    _table_clash(ctx, node.name)
    eyes: Expr = ("slot", who.slot)
    before = ctx.flow
    ctx.flow = before.with_local(who)
    mark = len(ctx.reads)
    domain = listed(ctx, node.domain)
    judge(ctx, mark, eyes)
    prompt = asked(ctx, node.prompt, eyes)
    item = item_type(domain)
    candidate = fresh_local(ctx, node.name, item, "chosen", slot=ctx.hidden_slot(f"${node.name.id}"))
    tests = _candidates(ctx, node, candidate, eyes)
    candidate.used = True
    ctx.flow = before
    everyone = players.expr == ("players",)
    table = replace(item if everyone else maybe(item), by_player=True) if domain.known else BAD.type
    place = ctx.passage.place(node.name.span)
    answer = Local(node.name.id, ctx.slot(node.name.id), table, place, "chosen")
    ctx.locals.append(answer)
    ctx.rows.add(
        program.Secret(
            ctx.origin(node),
            answer.slot,
            node.name.id,
            str(item),
            players.expr,
            who.slot,
            candidate.slot,
            domain.expr,
            tests,
            prompt,
        )
    )
    ctx.costs.append(Flat(prompts=length(ctx, players.expr) or things(ctx, "Player") or 1))
    ctx.barrier = "the secret answers are shown"
    set_local(ctx, answer)


def _table_clash(ctx: Context, name: tree.Name) -> None:
    if name.id in ctx.symbols.callable_names() and not ctx.symbols.is_value_name(name.id):
        message = f"`{name.id}(...)` already means something everywhere"
        ctx.error("name-clash", name, message, "another name")


def check_roll(ctx: Context, node: tree.Roll) -> None:
    """`roll x = 3d6`, `roll x = E d E`: the sum of the dice; `roll each x = ...`: their faces."""
    by = chooser(ctx, node.by)
    dice = node.dice
    if isinstance(dice.count, int) or isinstance(dice.sides, int):
        assert isinstance(dice.count, int)
        assert isinstance(dice.sides, int)
        if dice.count * dice.sides > MOST_TOTAL:
            ctx.error("out-of-bounds", dice, f"`{ctx.words(dice)}` can show more than {MOST_TOTAL:,}")
        count: Expr = ("value", dice.count)
        sides: Expr = ("value", dice.sides)
    else:
        mark = len(ctx.reads)
        count = _so_many(ctx, dice.count, 0, program.MOST_DICE, "dice")
        sides = _so_many(ctx, dice.sides, 1, program.MOST_SIDES, "sides")
        check_work(ctx, dice, count, sides)
        judge(ctx, mark, by)
    local = fresh_local(ctx, node.name, DICE if node.each else INT, "rolled")
    least, most = _between(numbers(ctx, count), 0, program.MOST_DICE)
    if node.name.id not in ctx.reassigned:
        top = most * _between(numbers(ctx, sides), 1, program.MOST_SIDES)[1]
        local.low, local.high = (None, most) if node.each else (least, top)
    row = program.RollEach if node.each else program.Roll
    ctx.rows.add(row(ctx.origin(node), local.slot, node.name.id, count, sides, by))
    ctx.costs.append(Flat(dice=most))
    ctx.barrier = "the dice are rolled"
    set_local(ctx, local)


def _so_many(ctx: Context, node: tree.Expr, least: int, most: int, what: str) -> Expr:
    """Check how many dice a roll takes, or of how many sides; complain of what surely is too few or too many."""
    typed = whole(ctx, node)
    low, high = numbers(ctx, typed.expr) if typed.known else (None, None)
    takes = f"a roll takes {least} to {most:,} {what}"
    if high is not None and high < least:
        ctx.error("out-of-bounds", node, f"`{ctx.words(node)}` is never more than {high:,}, and {takes}")
    elif low is not None and low > most:
        ctx.error("out-of-bounds", node, f"`{ctx.words(node)}` is never less than {low:,}, and {takes}")
    return typed.expr


def _between(span: Span, least: int, most: int) -> tuple[int, int]:
    """The bounds of a number that is held between two others when it is used."""
    low, high = span
    return max(least, low or least), max(least, min(most, most if high is None else high))


def check_draw(ctx: Context, node: tree.Draw) -> None:
    """`draw fruit from heap to basket_of(p)`: none if the pile is empty."""
    if node.to is None:
        _pick(ctx, node)
        return
    pile = ctx.symbols.zones.get(node.pile.id) if isinstance(node.pile, tree.Name) else None
    if pile is None or not pile.lazy:
        _no_pile(ctx, node)
    mark = len(ctx.reads)
    to = ctx.check(node.to)
    del ctx.reads[mark:]
    zone, owner = _goal(ctx, node.to, to)
    item = Type(pile.of) if pile else BAD.type
    if pile is not None and zone and ctx.symbols.zones[zone].of != pile.of:
        ctx.error("type-mismatch", node.to, f"`{zone}` does not hold what lies in `{pile.name}`")
    local = fresh_local(ctx, node.name, maybe(item), "drawn")
    local.used = True
    if zone and ctx.symbols.zones[zone].seen_by != "all":
        place = ctx.passage.place(node.name.span)
        local.hidden = (ZoneRead(zone, owner, place),)
    name = pile.name if pile else ""
    ctx.rows.add(program.Draw(ctx.origin(node), local.slot, node.name.id, str(item), name, zone, owner))
    ctx.costs.append(Doing("drawn"))
    ctx.barrier = "a card is drawn"
    after_change(ctx)
    set_local(ctx, local)


def _pick(ctx: Context, node: tree.Draw) -> None:
    """`draw lucky from players`: none if there may be nothing to take one of. Everybody sees what it is."""
    mark = len(ctx.reads)
    domain = listed(ctx, node.pile)
    pile = ctx.symbols.zones[domain.expr[1]] if domain.expr[0] == "zone" else None
    if pile is not None and pile.lazy:
        message = (
            f"nobody can see what lies in `{pile.name}`, so what comes next has to go where it can be seen"
        )
        help = f"`draw {node.name.id} from {pile.name} to ...`, and the zone it goes to"
        ctx.error("hidden-information", node.pile, message, help)
        del ctx.reads[mark:]
    if domain.known and domain.type.repeats:
        words = ctx.words(node.pile)
        message = f"`{words}` are dice, and chance takes one of a list that holds a thing once"
        ctx.error("type-mismatch", node.pile, message, "`draw x from 1 .. 6`")
    judge_shown(ctx, mark)
    item = item_type(domain)
    check_work(ctx, node.pile, times=domain.expr)
    entity = ctx.symbols.entities.get(item.name)
    lasts = entity is None or not entity.present
    type_ = item if is_unknown(item) or (lasts and never_empty(ctx, domain.expr)) else maybe(item)
    local = fresh_local(ctx, node.name, type_, "drawn")
    if item == INT and node.name.id not in ctx.reassigned:
        local.low, local.high = members(ctx, domain.expr)
    ctx.rows.add(program.Pick(ctx.origin(node), local.slot, node.name.id, str(item), domain.expr))
    ctx.costs.append(Flat(dice=1))
    ctx.barrier = "chance takes one of a list"
    set_local(ctx, local)


def _no_pile(ctx: Context, node: tree.Draw) -> None:
    symbols = ctx.symbols
    piles = [name for name, zone in symbols.zones.items() if zone.lazy]
    if isinstance(node.pile, tree.Name) and node.pile.id in symbols.poisoned:
        return
    words = ctx.words(node.pile)
    help = did_you_mean(words, piles) or (f"draw from {quoted_list(piles, 'or')}" if piles else None)
    if words in symbols.zones:
        message = f"`{words}` has no unknown order, so nothing is drawn from it; choose from it instead"
        ctx.error("not-a-pile", node.pile, message, help)
    else:
        ctx.error("not-a-pile", node.pile, f"`{words}` is not a pile to draw from", help)


def _goal(ctx: Context, node: tree.Expr, to: Typed) -> tuple[str, Expr | None]:
    """The zone a drawn thing goes to, and whose it is."""
    if not to.known:
        return "", None
    if to.expr[0] != "zone" or ctx.symbols.zones[to.expr[1]].at:
        ctx.error("type-mismatch", node, f"`{ctx.words(node)}` is not a zone to draw to")
        return "", None
    return to.expr[1], to.expr[2]
