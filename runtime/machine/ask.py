"""Questions to players: the options, who is asked, and what is a dead end.

A question suspends the run; None means that nothing had to be asked. A use that cannot be carried
out fizzles: it comes to nothing, with all that waits for its result.
"""

from __future__ import annotations

from collections.abc import Iterable

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.steps import AskStep, ChooseSetStep, ChooseStep, ModalStep, SecretStep
from ruleloom.runtime.machine.free_text import some_text
from ruleloom.runtime.machine.registers import (
    ASK,
    DEAD,
    Run,
    Suspension,
    player_asked,
    readers,
    stopped,
)
from ruleloom.runtime.program import values as v
from ruleloom.runtime.program.state import Frame, frames
from ruleloom.runtime.program.values import Column, Compiled, Rules, Scope, Slots, Value, World


def response_of(linked: Linked, frame: Frame | None) -> Frame | None:
    """The innermost response to an event that runs here, if any does."""
    responses = linked.response_routines
    return next((one for one in frames(frame) if one.routine in responses), None)


def stands_apart(linked: Linked, frame: Frame | None, asked: Frame | None, replied: bool) -> bool:
    """Does something run here that the answer to a question is not to blame for?

    So it is with a response that was not running yet where something was asked: nobody has chosen
    what it does. If another player than the one who acts has `replied` in a response, all behind
    that is the affair of others.
    """
    here, there = response_of(linked, frame), response_of(linked, asked)
    if here is None:
        return replied and there is not None
    if there is None:
        return True
    return here.routine != there.routine or here.parent is not there.parent


def foresees(r: Run, ensured: bool = False) -> bool:
    """Does this run look ahead to what the answer that it follows must not lead to?

    What a text has `ensured` is no affair of the player who has replied in another that it uses.
    """
    if r.live or (ensured and _is_past_reply(r)):
        return False
    return not stands_apart(r.linked, r.frame, r.asked, r.reply is not None)


def _is_past_reply(r: Run) -> bool:
    reply = r.reply
    if reply is None:
        return False
    return all(
        one.parent is not reply.parent or one.routine != reply.routine for one in frames(r.frame)
    )


def fizzle(r: Run, reason: str) -> None:
    """End the running use, and every caller that waits for its result: nothing of them stands.

    A flow is no use. Of what dice, decks and other players have had a say in, all up to there stands.
    """
    name, depth = r.routine.id, _outermost_ended(r)
    if depth is not None:
        r.restore(depth)
    r.tell("fizzled", name, (reason,), r.world)
    while r.frame is not None:
        waiting = r.frame.slot >= 0
        r.leave(None)
        if not waiting:
            return


def _outermost_ended(r: Run) -> int | None:
    """The depth of the outermost use that ends with the running one; None where none does."""
    ended = None
    for frame in frames(r.frame):
        if frame.parent is None and frame.routine in (r.linked.turn, r.linked.set_up):
            return ended
        ended = frame.depth
        if frame.slot < 0:
            return ended
    return ended


def dead_end(r: Run, reason: str, ensured: bool = False) -> Suspension | None:
    """A compulsory thing cannot be done: a dead end in look-ahead, else the use it stands in ends.

    A response is nobody's choice: it fizzles alone, and what set it off can still be done.
    """
    if foresees(r, ensured):
        return stopped(r, DEAD, reason=reason)
    fizzle(r, reason)
    return None


def reply(r: Run, by: Compiled[int | None] | None) -> None:
    """Note that another player than the one who acts has answered.

    What comes of that stands, whatever becomes of the text that was responded to, or that uses this.
    """
    if by is not None and player_asked(r, by)[0] != r.me:
        r.reply = response_of(r.linked, r.frame) or r.frame


def choose(r: Run, step: ChooseStep) -> Suspension | None:
    """A choice of one thing."""
    found = step.options(r.world, r.slots, r.scope, r.rules)
    if found:
        several = without_likes(r.linked, r.world, step.type, found)
        return stopped(r, ASK, several, player_asked(r, step.by))
    if step.unseen:
        return stopped(r, ASK, (), player_asked(r, step.by))
    if not step.or_none:
        return dead_end(r, "")
    r.slots[step.slot] = None
    r.pc += 1
    return None


def choose_set(r: Run, step: ChooseSetStep) -> Suspension | None:
    """A choice of several things."""
    found = step.options(r.world, r.slots, r.scope, r.rules)
    if step.count == "order":
        return _in_order(r, step, tuple(dict.fromkeys(found)))
    if found or step.count == "exactly":
        least, most = set_limits(step, len(found), r.world, r.slots, r.scope, r.rules)
        if len(found) < least and not step.unseen:
            return dead_end(r, "there are too few to choose from")
        found = found if most and len(found) >= least else []
    if found or step.unseen:
        return stopped(r, ASK, tuple(dict.fromkeys(found)), player_asked(r, step.by))
    r.slots[step.slot] = ()
    r.pc += 1
    return None


def _in_order(r: Run, step: ChooseStep, found: tuple[Value, ...]) -> Suspension | None:
    """All of them in an order; nobody is asked for that of one."""
    if len(found) > 1:
        return stopped(r, ASK, found, player_asked(r, step.by))
    r.slots[step.slot] = found
    r.pc += 1
    return None


def without_likes(
    linked: Linked, world: World, type_name: str, found: Iterable[Value]
) -> tuple[Value, ...]:
    """The candidates without repeats, and of copies that are alike the first.

    Copies differ in what can be seen on the table: their item, their fields, and where they lie.
    """
    several = tuple(dict.fromkeys(found))
    copies = linked.copies.get(type_name) if len(several) > 1 else None
    if copies is None:
        return several
    things = [thing for thing in several if isinstance(thing, int)]
    items = [copies.items[thing] for thing in things]
    if len(set(items)) == len(items):
        return several  # each is of an item of its own, and no two can be alike
    where = [map(_places(kind, world[column]).get, things) for column, kind in copies.zones]
    fields = [map(world[column].__getitem__, things) for column in copies.fields]
    first: dict[tuple[Value, ...], int] = {}
    for seen, thing in zip(zip(items, *where, *fields, strict=True), things, strict=True):
        first.setdefault(seen, thing)
    kept = {*first.values(), None}
    return tuple([one for one in several if one in kept])


def _places(kind: str, column: Column) -> dict[int, Value]:
    """Where in a zone each thing lies: in whose part of it, at which point."""
    if kind == "each":
        return {thing: player for player, held in enumerate(column) for thing in held}
    if kind == "map":
        return {held: point for point, held in column.items()}
    return dict.fromkeys(column, True)


def set_limits(
    step: ChooseStep, size: int, w: World, e: Slots, s: Scope, g: Rules
) -> tuple[int, int]:
    """The least and the most that a set choice from `size` options may take."""
    if step.limit is None:
        return (size, size) if step.count == "order" else (0, size)
    limit = max(0, step.limit(w, e, s, g))
    return (limit, limit) if step.count == "exactly" else (0, min(limit, size))


def chosen(r: Run, step: ChooseStep, value: Value) -> Suspension | None:
    """Take what somebody has chosen, or has said that nothing fits."""
    reply(r, step.by)
    if value in (None, ()) and is_compulsory(step, r.world, r.slots, r.scope, r.rules):
        return dead_end(r, "")
    r.slots[step.slot] = value
    r.pc += 1
    return None


def is_compulsory(step: ChooseStep, w: World, e: Slots, s: Scope, g: Rules) -> bool:
    """Must something be chosen?"""
    return not step.or_none and (step.count == "one" or set_limits(step, 0, w, e, s, g)[0] > 0)


def modal(r: Run, step: ModalStep) -> Suspension | None:
    """A choice of ways to go on."""
    found = [
        number
        for number, mode in enumerate(step.modes)
        if mode.test is None or mode.test(r.world, r.slots, r.scope, r.rules)
    ]
    if not found:
        return dead_end(r, "")
    return stopped(r, ASK, tuple(found), player_asked(r, step.by))


def ask(r: Run, step: AskStep) -> Suspension | None:
    """Somebody is asked for a text; one that nobody has written stands for all of them."""
    return stopped(r, ASK, (some_text(r.linked, r.state()),), player_asked(r, step.by))


def heard(r: Run, step: AskStep, text: Value) -> None:
    """Take a text that somebody has written, for everybody to read."""
    reply(r, step.by)
    if text is not None:
        r.tell("written", step.name, (text, player_asked(r, step.by)[0]), r.world)
    r.slots[step.slot] = text
    r.pc += 1
    r.seal()


def secret(r: Run, step: SecretStep) -> Suspension | None:
    """A choice that several players make at the same time, each without seeing the others'."""
    r.slots[step.slot] = v.FrozenMap()
    for player in step.players(r.world, r.slots, r.scope, r.rules):
        if not secret_options(step, player, r.world, r.slots, r.scope, r.rules):
            return dead_end(r, "not everybody has something to choose")
    return _still_secret(r, step)


def answered_secretly(r: Run, step: SecretStep, player: int, value: Value) -> Suspension | None:
    """Take the answer of one of them."""
    r.slots[step.slot] = r.slots[step.slot].with_item(player, value)
    return _still_secret(r, step)


def secret_options(
    step: SecretStep, player: int, w: World, e: Slots, s: Scope, g: Rules
) -> tuple[Value, ...]:
    """The options of one player in a simultaneous secret choice."""
    own = list(e)
    own[step.player_slot] = player
    return tuple(step.options(w, own, s, g))


def _still_secret(r: Run, step: SecretStep) -> Suspension | None:
    """Wait for those who still owe an answer; when nobody does, everything is shown."""
    table: v.FrozenMap = r.slots[step.slot]
    players = step.players(r.world, r.slots, r.scope, r.rules)
    waiting = tuple(player for player in players if player not in table)
    if waiting:
        return stopped(r, ASK, (), waiting)
    r.tell("revealed", step.name, (table, step.type), r.world, readers(r, step.seen_by))
    r.pc += 1
    r.seal()
    return None
