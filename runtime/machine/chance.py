"""Chance and piles: rolls, draws, picks, and looking at the top of a pile or putting things on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, islice, pairwise
from math import comb
from typing import Any

from ruleloom.runtime.link.ops import (
    between,
    kept_ends,
    known_next,
    several,
    with_member,
    without,
    without_member,
)
from ruleloom.runtime.link.steps import DrawStep, LookStep, PickStep, PutStep, RollStep, ShowStep
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.registers import (
    ASK,
    BARRIER,
    Run,
    Suspension,
    player_asked,
    readers,
    settle,
    stopped,
)
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import DICE_A_STEP, MOST_DICE, MOST_SIDES
from ruleloom.runtime.program.values import (
    Column,
    Ends,
    Rules,
    Scope,
    Slots,
    Value,
    World,
    with_entry,
)


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


def dice_of(step: RollStep, w: World, e: Slots, s: Scope, g: Rules) -> tuple[int, int]:
    """The dice of a roll and their sides. RuntimeFault for dice that no table has."""
    count, sides = step.count(w, e, s, g), step.sides(w, e, s, g)
    if type(count) is not int or not 0 <= count <= MOST_DICE:
        takes = f"it takes 0 to {MOST_DICE:,} dice"
        raise RuntimeFault(f"a roll of {count} dice is asked for, and {takes}")
    if type(sides) is not int or not 1 <= sides <= MOST_SIDES:
        takes = f"it takes 1 to {MOST_SIDES:,} sides"
        raise RuntimeFault(f"a roll of dice with {sides} sides is asked for, and {takes}")
    return count, sides


class Falls(Sequence[tuple[int, ...]]):
    """Every fall of dice as faces, the highest first, not listed until asked for.

    `ways` says in how many orders each can come about.
    """

    MOST = 1 << 62

    def __init__(self, number: int, sides: int) -> None:
        self.number = number
        self.sides = sides

    def __len__(self) -> int:
        return min(comb(self.number + self.sides - 1, self.number), self.MOST)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return iter(combinations_with_replacement(range(self.sides, 0, -1), self.number))

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, tuple) or len(value) != self.number:
            return False
        fits = all(type(face) is int and 1 <= face <= self.sides for face in value)
        return fits and all(one >= other for one, other in pairwise(value))

    def __getitem__(self, place: Any) -> Any:
        places = range(len(self))[place]  # one number, or those of a slice
        if isinstance(places, range):
            return tuple(islice(self, places.start, places.stop, places.step))
        return next(islice(self, places, None))

    def ways(self) -> tuple[int, ...]:
        """For each of them, in how many orders the dice can show these faces."""
        return _orders(self.number, self.sides)


@lru_cache(maxsize=64)
def _orders(number: int, sides: int) -> tuple[int, ...]:
    """The number of orders of each fall, as `Falls` lists them: most of the highest face first."""
    if sides == 1:
        return (1,)
    return tuple(
        comb(number, highest) * ways
        for highest in range(number, -1, -1)
        for ways in _orders(number - highest, sides - 1)
    )


def roll(r: Run, step: RollStep) -> Suspension | None:
    """A roll; look-ahead never goes past one."""
    who = player_asked(r, step.by)
    if not r.live:
        return stopped(r, BARRIER)
    count, sides = dice_of(step, r.world, r.slots, r.scope, r.rules)
    value: Value = () if step.each else 0
    if count:
        if r.dice is None:
            hidden = readers(r, step.seen_by)
            return stopped(r, ASK, (), who if hidden is None else hidden)
        value, r.dice = r.dice.roll_each(count, sides) if step.each else r.dice.roll(count, sides)
        r.cast.append(("Dice" if step.each else "Int", value))
        r.steps += count // DICE_A_STEP
    rolled(r, step, value, who[0])
    return None


def rolled(r: Run, step: RollStep, value: Value, player: int) -> None:
    """Take the sum of a roll, or the faces of its dice."""
    seen_by = readers(r, step.seen_by)
    r.slots[step.slot] = value
    r.tell("rolled", step.name, (value, player), r.world, seen_by)
    r.pc += 1
    r.seal()


def draw(r: Run, step: DrawStep) -> Suspension | None:
    """One of a pile, or of somebody's zone; look-ahead never goes past one that is known."""
    if step.holder is not None:
        (holder,) = player_asked(r, step.holder)
        return _by_chance(r, step, r.world[step.pile][holder], (holder,))
    pile = r.world[step.pile]
    if step.ends is None:
        return _by_chance(r, step, pile)
    ends = r.world[step.ends]
    known = known_next(ends, pile)
    if known is None:
        return _by_chance(r, step, between(pile, ends))
    if not r.live:
        return stopped(r, BARRIER)
    taken(r, step, known)
    return None


def pick(r: Run, step: PickStep) -> Suspension | None:
    """One of a list."""
    found = step.options(r.world, r.slots, r.scope, r.rules)
    return _by_chance(r, step, tuple(dict.fromkeys(found)), holder_of(r, step))


def holder_of(r: Run, step: PickStep) -> tuple[int, ...]:
    """Whose zone chance takes something out of, if not everybody sees what lies there."""
    form, *parts = step.domain
    if form != "zone" or parts[1] is None or r.linked.zones[parts[0]].seen_by != "owner":
        return ()
    holder = r.linked.test(-1, parts[1])(r.world, r.slots, r.scope, r.rules)
    return () if holder is None else (int(holder),)


def _by_chance(
    r: Run, step: DrawStep | PickStep, things: tuple[Value, ...], who: tuple[int, ...] = ()
) -> Suspension | None:
    """Chance takes one of these things, each as likely; none if there are none.

    `who` may see them all, or what is drawn, and tells which it was where nobody throws for chance.
    """
    if not things:
        r.slots[step.slot] = None
        r.pc += 1
        return None
    if r.dice is None:
        who = who or (_receiver(r, step) if isinstance(step, DrawStep) else ())
        return stopped(r, ASK, tuple(dict.fromkeys(things)), who)
    place, r.dice = r.dice.below(len(things))
    r.cast.append((step.type, things[place]))
    taken(r, step, things[place])
    return None


def _receiver(r: Run, step: DrawStep) -> tuple[int, ...]:
    """The player who alone sees a card drawn to their part of a zone; nobody for other zones."""
    if step.owner is None or r.linked.zones[step.zone].seen_by != "owner":
        return ()
    owner = step.owner(r.world, r.slots, r.scope, r.rules)
    return () if owner is None else (owner,)


def taken(r: Run, step: DrawStep | PickStep, value: Value) -> None:
    """Take the one of several things that chance has picked."""
    if isinstance(step, DrawStep):
        _draw_card(r, step, value)
        return
    derived = secrecy_of(r.linked).derived.of(r.routine.id, step.domain, r.pc)
    r.slots[step.slot] = value
    r.tell("picked", step.name, (value, step.type, derived), r.world)
    r.pc += 1
    r.seal()


def _draw_card(r: Run, step: DrawStep, card: Value) -> None:
    before = r.world
    columns = list(before)
    columns[step.pile] = without_member(before[step.pile], step.kind, card)
    zone, column = r.linked.zones[step.zone], r.linked.layout.index[step.zone]
    owner = step.owner(before, r.slots, r.scope, r.rules) if step.owner is not None else None
    columns[column] = with_member(columns[column], card, owner)
    r.world = tuple(columns)
    if r.linked.ends:
        r.world = kept_ends(r.linked.ends, before, r.world)
    mine = (owner,) if zone.seen_by == "owner" and owner is not None else None
    seen_by = () if zone.seen_by == "nobody" else mine
    r.slots[step.slot] = card
    r.tell("drawn", step.zone, (card, owner), before, seen_by)
    r.pc += 1
    settle(r, before)
    r.seal()
    r.happen("drawn", (card,))
    r.interrupt()
