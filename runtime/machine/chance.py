"""Chance and piles: rolls, draws, picks, peeks at the top of a pile, and putting things on its ends."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, islice, pairwise
from math import comb
from typing import Any

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.ops import (
    between,
    kept_ends,
    known_next,
    several,
    with_member,
    without,
    without_member,
)
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
from ruleloom.runtime.program.program import (
    DICE_A_STEP,
    MOST_DICE,
    MOST_SIDES,
    SECRET_ROLLS,
    Draw,
    Peek,
    Pick,
    Put,
    Roll,
    RollEach,
    Show,
    Take,
)
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


def _ends_of(r: Run, pile: str) -> int | None:
    """The column of the ends of a pile; None if nobody can learn them."""
    return r.linked.ends.get(r.linked.layout.index[pile])


def look(r: Run, row: Peek) -> Suspension | None:
    """A player looks at the top of a pile; a barrier in look-ahead."""
    who = player_asked(r, row.by)
    if not r.live:
        return stopped(r, BARRIER)
    place_of_ends = _ends_of(r, row.pile)
    assert place_of_ends is not None
    pile: Column = r.world[r.linked.layout.index[row.pile]]
    number = min(len(pile), max(0, r.value(row.number)))
    top, bottom = r.world[place_of_ends]
    while len(top) < number:
        left = between(pile, (top, bottom))
        if not left:  # only the bottom is there
            missing = number - len(top)
            top, bottom = top + bottom[:missing], bottom[missing:]
        elif r.dice is None:
            _set_ends(r, place_of_ends, (top, bottom))
            return stopped(r, ASK, left, who)
        else:
            place, r.dice = r.dice.below(len(left))
            r.cast.append((row.type, left[place]))
            top = (*top, left[place])
    _set_ends(r, place_of_ends, (top, bottom))
    if number:
        r.tell("looked", row.pile, (top[:number], who[0]), r.world, who)
    r.take(row.slot, top[:number])
    r.seal()
    return None


def turned_up(r: Run, row: Peek, thing: Value) -> Suspension | None:
    """Take the thing reported next on top of the pile, and continue the look."""
    number = _ends_of(r, row.pile)
    assert number is not None
    top, bottom = r.world[number]
    _set_ends(r, number, ((*top, thing), bottom))
    return look(r, row)


def put(r: Run, row: Put) -> None:
    """Put things on an end of a pile, from anywhere."""
    things, before = several(r.value(row.things)), r.world
    pile, number = r.linked.layout.index[row.pile], _ends_of(r, row.pile)
    assert number is not None
    columns, on_top = list(before), row.end == "top"
    top, bottom = (without(end, things) for end in before[number])
    for at, kind in r.linked.zones_of[r.linked.zones[row.pile].of]:
        for thing in things:
            columns[at] = without_member(columns[at], kind, thing)
    columns[pile] = tuple(sorted({*columns[pile], *things}))
    columns[number] = ((*things, *top), bottom) if on_top else (top, (*bottom, *things))
    r.world = tuple(columns)
    if things:
        r.tell("put", row.pile, (things, on_top), before)
    r.pc += 1
    settle(r, before)
    r.interrupt()


def show(r: Run, row: Show) -> Suspension | None:
    """Show things to some players; a barrier in look-ahead."""
    if not r.live:
        return stopped(r, BARRIER)
    things, to = several(r.value(row.things)), several(r.value(row.to))
    if things and to:
        everybody = len({*to}) == len(r.linked.layout.players)
        r.tell("shown", row.type, (things, to), r.world, None if everybody else to)
        r.seal()
    r.pc += 1
    return None


def _set_ends(r: Run, number: int, ends: Ends) -> None:
    if r.world[number] != ends:
        r.world = with_entry(r.world, number, ends)


def dice_of(linked: Linked, row: Roll, w: World, e: Slots, s: Scope, g: Rules) -> tuple[int, int]:
    """The number of dice and of sides of a roll; RuntimeFault beyond the limits."""
    # Nearly all rolls are of a written number of dice.
    of, by = row.count, row.sides
    count = of[1] if of[0] == "value" else linked.compiled(of)(w, e, s, g)
    sides = by[1] if by[0] == "value" else linked.compiled(by)(w, e, s, g)
    if type(count) is not int or not 0 <= count <= MOST_DICE:
        takes = f"it takes 0 to {MOST_DICE:,} dice"
        raise RuntimeFault(f"a roll of {count} dice is asked for, and {takes}")
    if type(sides) is not int or not 1 <= sides <= MOST_SIDES:
        takes = f"it takes 1 to {MOST_SIDES:,} sides"
        raise RuntimeFault(f"a roll of dice with {sides} sides is asked for, and {takes}")
    return count, sides


class Falls(Sequence[tuple[int, ...]]):
    """Every fall of dice as faces, the highest first, enumerated lazily.

    `ways` gives the number of orders of each.
    """

    MOST = min(1 << 62, sys.maxsize)  # in a browser, lengths have 32 bits

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
        """For each fall, the number of orders of its faces."""
        return _orders(self.number, self.sides)


@lru_cache(maxsize=64)
def _orders(number: int, sides: int) -> tuple[int, ...]:
    """The number of orders of each fall, in the order of `Falls`: most of the highest face first."""
    if sides == 1:
        return (1,)
    return tuple(
        comb(number, highest) * ways
        for highest in range(number, -1, -1)
        for ways in _orders(number - highest, sides - 1)
    )


def roll(r: Run, row: Roll) -> Suspension | None:
    """A roll; a barrier in look-ahead."""
    who = player_asked(r, row.by)
    if not r.live:
        return stopped(r, BARRIER)
    count, sides = dice_of(r.linked, row, r.world, r.slots, r.scope, r.rules)
    each = isinstance(row, RollEach)
    value: Value = () if each else 0
    if count:
        if r.dice is None:
            hidden = _read_by(r, row)
            return stopped(r, ASK, (), who if hidden is None else hidden)
        value, r.dice = r.dice.roll_each(count, sides) if each else r.dice.roll(count, sides)
        r.cast.append(("Dice" if each else "Int", value))
        r.steps += count // DICE_A_STEP
    rolled(r, row, value, who[0])
    return None


def _read_by(r: Run, row: Roll) -> tuple[int, ...] | None:
    """The only players who may read a roll; None for all."""
    return readers(r, row.seen_by) if isinstance(row, SECRET_ROLLS) else None


def rolled(r: Run, row: Roll, value: Value, player: int) -> None:
    """Take the sum of a roll, or the faces of its dice."""
    seen_by = _read_by(r, row)
    person = None if row.whom is None else r.value(row.whom)
    r.tell("rolled", row.name, (value, player, person), r.world, seen_by)
    r.slots[row.slot] = value
    r.pc += 1
    r.seal()


def draw(r: Run, row: Draw) -> Suspension | None:
    """A draw from a pile or a player's zone; a barrier in look-ahead if known."""
    pile, number = r.world[r.linked.layout.index[row.pile]], _ends_of(r, row.pile)
    if isinstance(row, Take) and row.holder is not None:
        (holder,) = player_asked(r, row.holder)
        return _by_chance(r, row, pile[holder], (holder,))
    if number is None:
        return _by_chance(r, row, pile)
    ends = r.world[number]
    known = known_next(ends, pile)
    if known is None:
        return _by_chance(r, row, between(pile, ends))
    if not r.live:
        return stopped(r, BARRIER)
    taken(r, row, known)
    return None


def pick(r: Run, row: Pick) -> Suspension | None:
    """Pick one of a list; the owner of a zone hidden from others sees all candidates."""
    who: tuple[int, ...] = ()
    match row.domain:
        case ("zone", name, owner) if owner is not None:
            if r.linked.zones[name].seen_by == "owner":
                holder = r.linked.test(-1, owner)(*r.reading)
                who = () if holder is None else (int(holder),)
    return _by_chance(r, row, tuple(dict.fromkeys(r.options(row))), who)


def _by_chance(
    r: Run, row: Draw | Pick, things: tuple[Value, ...], who: tuple[int, ...] = ()
) -> Suspension | None:
    """Take one of these things at random, uniformly; none if there are none.

    `who` may see them all, or the result, and reports it where no dice source answers.
    """
    if not things:
        return r.take(row.slot, None)
    if r.dice is None:
        if not who and isinstance(row, Draw) and r.linked.zones[row.zone].seen_by == "owner":
            owner = r.value(row.owner)  # only the owner sees a card drawn to their zone
            who = () if owner is None else (owner,)
        return stopped(r, ASK, tuple(dict.fromkeys(things)), who)
    place, r.dice = r.dice.below(len(things))
    r.cast.append((row.type, things[place]))
    taken(r, row, things[place])
    return None


def taken(r: Run, row: Draw | Pick, value: Value) -> None:
    """Take the thing that chance has picked."""
    if isinstance(row, Draw):
        _draw_card(r, row, value)
        return
    derived = r.linked.derived.of(r.routine.id, row.domain, r.pc)
    r.tell("picked", row.name, (value, row.type, derived), r.world)
    r.take(row.slot, value)
    r.seal()


def _draw_card(r: Run, row: Draw, card: Value) -> None:
    before, index = r.world, r.linked.layout.index
    columns, pile = list(before), index[row.pile]
    columns[pile] = without_member(before[pile], r.linked.layout.columns[pile].kind, card)
    zone, column, owner = r.linked.zones[row.zone], index[row.zone], r.value(row.owner)
    columns[column] = with_member(columns[column], card, owner)
    r.world = tuple(columns)
    if r.linked.ends:
        r.world = kept_ends(r.linked.ends, before, r.world)
    mine = (owner,) if zone.seen_by == "owner" and owner is not None else None
    r.tell("drawn", row.zone, (card, owner), before, () if zone.seen_by == "nobody" else mine)
    r.take(row.slot, card)
    settle(r, before)
    r.seal()
    r.happen("drawn", (card,))
    r.interrupt()
