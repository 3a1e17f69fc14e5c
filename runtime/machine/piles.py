"""Somebody looks at the top of a lazy pile, puts things on it, or shows things to some."""

from __future__ import annotations

from ruleloom.runtime.link.ops import without, without_member
from ruleloom.runtime.link.steps import LookStep, PutStep, ShowStep
from ruleloom.runtime.machine.ends import between, several
from ruleloom.runtime.machine.registers import (
    ASK,
    BARRIER,
    Run,
    Suspension,
    player_asked,
    settle,
    stopped,
)
from ruleloom.runtime.program.values import Column, Ends, Value, with_entry


def look(r: Run, step: LookStep) -> Suspension | None:
    """Somebody looks at the top of a pile; look-ahead never goes past it."""
    who = player_asked(r, step.by)
    if not r.live:
        return stopped(r, BARRIER)
    pile: Column = r.world[step.pile]
    number = min(len(pile), max(0, step.number(r.world, r.slots, r.scope, r.rules)))
    top, bottom = r.world[step.ends]
    while len(top) < number:
        left = between(pile, (top, bottom))
        if not left:  # only the bottom is there
            missing = number - len(top)
            top, bottom = top + bottom[:missing], bottom[missing:]
        elif r.dice is None:
            _set_ends(r, step.ends, (top, bottom))
            return stopped(r, ASK, left, who)
        else:
            place, r.dice = r.dice.below(len(left))
            r.cast.append((step.type, left[place]))
            top = (*top, left[place])
    _set_ends(r, step.ends, (top, bottom))
    r.slots[step.slot] = top[:number]
    if number:
        r.tell("looked", step.zone, (top[:number], who[0]), r.world, who)
    r.pc += 1
    r.seal()
    return None


def turned_up(r: Run, step: LookStep, thing: Value) -> Suspension | None:
    """Take what people say lies next on top of the pile, and look on."""
    top, bottom = r.world[step.ends]
    _set_ends(r, step.ends, ((*top, thing), bottom))
    return look(r, step)


def put(r: Run, step: PutStep) -> None:
    """Put things on an end of a pile, wherever they lay."""
    things, before = several(step.things(r.world, r.slots, r.scope, r.rules)), r.world
    columns = list(before)
    top, bottom = (without(end, things) for end in before[step.ends])
    for number, kind in step.sources:
        for thing in things:
            columns[number] = without_member(columns[number], kind, thing)
    columns[step.pile] = tuple(sorted({*columns[step.pile], *things}))
    columns[step.ends] = ((*things, *top), bottom) if step.on_top else (top, (*bottom, *things))
    r.world = tuple(columns)
    if things:
        r.tell("put", step.zone, (things, step.on_top), before)
    r.pc += 1
    settle(r, before)
    r.interrupt()


def show(r: Run, step: ShowStep) -> Suspension | None:
    """Show things to some; look-ahead never goes past it."""
    if not r.live:
        return stopped(r, BARRIER)
    things = several(step.things(r.world, r.slots, r.scope, r.rules))
    to = several(step.to(r.world, r.slots, r.scope, r.rules))
    if things and to:
        everybody = len({*to}) == len(r.linked.layout.players)
        r.tell("shown", step.type, (things, to), r.world, None if everybody else to)
        r.seal()
    r.pc += 1
    return None


def _set_ends(r: Run, number: int, ends: Ends) -> None:
    if r.world[number] != ends:
        r.world = with_entry(r.world, number, ends)
