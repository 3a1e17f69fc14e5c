"""A recorded game held against other rules: its answers are given again, and the first question, answer or
log line that differs is the parting.
"""

from __future__ import annotations

from typing import NamedTuple

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import (
    Game,
    JournalEntry,
    again,
    beginning,
    begun_at,
    moments,
    new_game,
)
from ruleloom.runtime.play.seam import join
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.program import Modal
from ruleloom.runtime.program.texts import slug


class Parting(NamedTuple):
    """The first departure from a recording: answer number (0: before any), text and reason."""

    number: int
    answer: str
    why: str


def parting(recorded: Game, linked: Linked) -> Parting | None:
    """The first difference of a recorded game under these rules; None if there is none."""
    before = beginning(recorded)
    now = _begun(recorded, linked)
    if why := _apart(before, now):
        return Parting(0, "", why)
    for number, moment in enumerate(moments(recorded), 1):
        answer = _answer(recorded, moment.entry)
        try:
            now = again(now, moment.entry)
        except (Refused, RuntimeFault) as error:
            reason = error.reason if isinstance(error, Refused) else error.told
            return Parting(number, answer, f"this cannot be answered any more: {reason}")
        if why := _apart(moment.after, now):
            return Parting(number, answer, why)
    return None


def _begun(recorded: Game, linked: Linked) -> Game:
    """The same beginning under other rules: an empty table, a position, or a seam."""
    seam = recorded.seam
    if seam is None:
        return new_game(linked, world=recorded.started)
    again_joined = join(seam.before, seam.text, linked, seam.renames, seam.agreed or "as before")
    return begun_at(again_joined, linked, None, None)


def _answer(game: Game, entry: JournalEntry) -> str:
    if entry.back is not None:
        return f"back to before answer {entry.back + 1}"
    if entry.correction is not None:
        return f"correction of {entry.correction.field}"
    by = "chance" if entry.player is None else game.players[entry.player]
    return f"{by}: {', '.join(entry.keys) or 'none'}"


def _apart(then: Game, now: Game) -> str:
    """The first difference between two positions, in log or question; empty for none."""
    said, says = (log(game.linked, game.events) for game in (then, now))
    for was, is_now in zip(said, says, strict=False):
        if was != is_now:
            return f"`{was}` was told, and now `{is_now}`"
    if len(said) != len(says):
        more, told = (said, "is not told any more") if len(said) > len(says) else (says, "is new")
        return f"`{more[min(len(said), len(says))]}` {told}"
    if _question(then) != _question(now):
        return f"{_question(then)}, and now {_question(now)}"
    return ""


def _question(game: Game) -> str:
    """The open question, named as in cases."""
    if game.over:
        return "the game was over"
    node = game.node
    if isinstance(node.row, Modal):
        ways = (
            slug(mode.label) if isinstance(mode.label, str) else "..." for mode in node.row.modes
        )
        name = f"one of {', '.join(ways)}"
    else:
        name = getattr(node.row, "name", "") or type(node.row).__name__
    if node.chance:
        return f"chance was asked for `{name}`"
    who = " and ".join(game.players[one] for one in node.stop.who)
    return f"{who} was asked for `{name}`"
