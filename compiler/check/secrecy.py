"""Hidden information: the options of a prompt may not depend on what the chooser cannot see.

Every expression notes the zones it reads. Where it decides something, `judge` reports those hidden
from the chooser; where it is only stored, `kept` hands them on to the variable. The number of
things in a zone is public.
"""

from __future__ import annotations

from dataclasses import replace

from ruleloom.compiler.flow.context import ME, Context
from ruleloom.compiler.flow.flow import ZoneRead
from ruleloom.runtime.program.program import Expr


def judge(ctx: Context, mark: int, chooser: Expr | None, thing: bool = True) -> None:
    """Complain about zones looked into since `mark` that `chooser` (None: me) cannot see.

    `thing` is False for a hole that shows no thing out of a zone, in a text that `chooser` reads.
    """
    eyes = ME if chooser is None else chooser
    for read in ctx.reads[mark:]:
        zone = ctx.symbols.zones[read.zone]
        # Somebody else's choice is as hidden as what it was made from, but whether the chooser may
        # see a thing is decided when its text is shown.
        if read.chosen and thing:
            continue
        if zone.seen_by == "nobody":
            message = f"nobody can see what lies in `{read.zone}`, so nothing may depend on it"
            help = f"`count({read.zone})` is known to all"
            ctx.report.error("hidden-information", read.place, message, help)
        elif zone.seen_by == "owner" and read.owner != eyes:
            who = "the player who chooses" if chooser is not None else "me"
            message = (
                f"this looks into `{read.zone}` of a player other than {who}, who cannot see it"
            )
            help = "let its owner choose: `choose ... by` that player"
            ctx.report.error("hidden-information", read.place, message, help)
    del ctx.reads[mark:]


def judge_shown(ctx: Context, mark: int, thing: bool = False, reader: Expr | None = None) -> None:
    """Complain about zones that `reader` cannot see, or (None) not everybody can."""
    for read in ctx.reads[mark:]:
        sight = ctx.symbols.zones[read.zone].seen_by
        to_owner = sight == "owner" and reader is not None and read.owner == reader
        if sight == "all" or to_owner or (read.chosen and thing):
            continue
        message = f"everybody is shown this, and not everybody can see what lies in `{read.zone}`"
        if reader is not None:
            message = f"whoever is told this cannot see what lies in `{read.zone}`"
        help = f"leave it out; `count({read.zone})` is known to all"
        ctx.report.error("hidden-information", read.place, message, help)
    del ctx.reads[mark:]


def picked(ctx: Context, mark: int) -> tuple[ZoneRead, ...]:
    """The closed zones looked into since `mark`, for the variable of what is chosen from there."""
    closed = (read for read in ctx.reads[mark:] if ctx.symbols.zones[read.zone].seen_by != "all")
    return tuple(dict.fromkeys(replace(read, chosen=True) for read in closed))


def kept(ctx: Context, mark: int) -> tuple[ZoneRead, ...]:
    """The closed zones looked into since `mark`, for the variable that keeps the value."""
    closed = [read for read in ctx.reads[mark:] if ctx.symbols.zones[read.zone].seen_by != "all"]
    del ctx.reads[mark:]
    return tuple(dict.fromkeys(closed))
