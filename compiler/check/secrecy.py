"""Hidden information: the options of a prompt may not depend on what the chooser cannot see.

Every expression notes the zones it reads. Where it decides something, `judge` reports those hidden
from the chooser; where it is only stored, `kept` hands them on to the variable. The number of
things in a zone is public.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ruleloom.compiler.flow.context import BROKEN, Context
from ruleloom.compiler.flow.flow import ZoneRead
from ruleloom.runtime.program.expr import ME, mentions
from ruleloom.runtime.program.program import Expr

# Forms whose length follows from the lengths of the lists in them.
_SIZED = ("slot", "zone", "list", "join", "without", "value", "players", "records")


def judge(ctx: Context, mark: int, chooser: Expr | None, thing: bool = True) -> None:
    """Complain about zones looked into since `mark` that `chooser` (None: me) cannot see.

    `thing` is False for a hole that shows no thing out of a zone, in a text that `chooser` reads.
    """
    eyes = ME if chooser is None else chooser
    who = "the player who chooses" if chooser is not None else "me"
    for read in ctx.reads[mark:]:
        # Somebody else's choice is as hidden as what it was made from, but whether the chooser may
        # see a thing is decided when its text is shown.
        if (read.chosen and thing and not read.told) or _sees(ctx, read, eyes):
            continue
        if read.told:
            message = f"`{read.zone}` is known to a player other than {who}, and to nobody else"
            help = "let that player choose: `choose ... by` them"
        elif sight(ctx, read) == "nobody":
            message = f"nobody can see what lies in `{read.zone}`, so nothing may depend on it"
            help = f"`count({read.zone})` is known to all"
        else:
            message = (
                f"this looks into `{read.zone}` of a player other than {who}, who cannot see it"
            )
            help = "let its owner choose: `choose ... by` that player"
        ctx.report.error("hidden-information", read.place, message, help)
    del ctx.reads[mark:]


def judge_shown(ctx: Context, mark: int, thing: bool = False, reader: Expr | None = None) -> None:
    """Complain about zones that `reader` cannot see, or (None) not everybody can."""
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
            message = f"whoever is told this {what.replace(' ', 'not ', 1)}"
        ctx.report.error("hidden-information", read.place, message, help)
    del ctx.reads[mark:]


def judge_number(ctx: Context, mark: int, expr: Expr, done: str) -> None:
    """Complain about a list of hidden things if how many there are tells what they are."""
    for read in ctx.reads[mark:]:
        if sight(ctx, read) == "all" or (read.counted and is_sized(expr)):
            continue
        message = f"everybody sees how many are {done}, which tells what is hidden in `{read.zone}`"
        help = "let a player choose them, or take a whole zone or all that was looked at"
        ctx.report.error("hidden-information", read.place, message, help)
    del ctx.reads[mark:]


def judge_whether(ctx: Context, mark: int) -> None:
    """Complain where others would learn from a choice that there is nothing to choose from."""
    for read in ctx.reads[mark:]:
        if read.told and not read.counted:
            message = f"if nothing in `{read.zone}` fits, the others learn that from what follows"
            help = "add `or none`, or take `up to`: then they cannot tell"
            ctx.report.error("hidden-information", read.place, message, help)


def refuse_given(
    ctx: Context, reads: Iterable[ZoneRead], escapes: bool, things: bool = True
) -> None:
    """Complain about what only some players were told where it `escapes` from this text.

    There nobody would know whom it is hidden from. `things` is False where things may go.
    """
    for read in reads if escapes else ():
        if not read.told or read.chosen or (read.zone in ctx.symbols.zones and not things):
            continue
        message = f"`{read.zone}` is known to some players only, and here it would get out"
        help = "tell them with `say to`, ask them with `choose ... by`, or decide with `if`"
        ctx.report.error("hidden-information", read.place, message, help)


def sight(ctx: Context, read: ZoneRead) -> str:
    """The players who can see a zone that was read: all, its owner, or nobody."""
    return "owner" if read.told else ctx.symbols.zones[read.zone].seen_by


def _sees(ctx: Context, read: ZoneRead, eyes: Expr | None) -> bool:
    """Does this player, or each of these, surely see what was read? None stands for everybody.

    A name that was reported may mean anybody.
    """
    if any(one is not None and mentions(one, BROKEN) for one in (eyes, read.owner)):
        return True
    seen_by = sight(ctx, read)
    if seen_by != "owner" or eyes is None or read.owner is None:
        return seen_by == "all"
    return eyes == read.owner or _is_among(eyes, read.owner)


def _is_among(one: Expr, several: Expr) -> bool:
    """Is this surely one of the players of a list that is written out?"""
    if several[0] == "join":
        return any(_is_among(one, part) for part in several[1:])
    return several[0] == "list" and one in several[1:]


def picked(ctx: Context, mark: int) -> tuple[ZoneRead, ...]:
    """The closed zones looked into since `mark`, for the variable of what is chosen from there."""
    closed = (read for read in ctx.reads[mark:] if sight(ctx, read) != "all")
    return tuple(dict.fromkeys(replace(read, chosen=True, counted=True) for read in closed))


def kept(ctx: Context, mark: int, expr: Expr) -> tuple[ZoneRead, ...]:
    """The closed zones looked into since `mark`, for the variable that keeps the value."""
    closed = [read for read in ctx.reads[mark:] if sight(ctx, read) != "all"]
    del ctx.reads[mark:]
    counted = is_sized(expr)
    return tuple(dict.fromkeys(replace(one, counted=one.counted and counted) for one in closed))


def is_sized(expr: Expr) -> bool:
    """Does everybody know the length of a list who knows those of the lists it is made from?"""
    if expr[0] in ("join", "without"):
        return all(map(is_sized, expr[1:]))
    return expr[0] in _SIZED
