"""What a roll takes, and what chance does, once it is known how it fell."""

from __future__ import annotations

from typing import Any

from runtime import link as op
from runtime.faults import RuntimeFault
from runtime.link import Step
from runtime.program import MOST_DICE, MOST_SIDES, Pick, Roll
from runtime.run import Run, settle
from runtime.secrecy import secrecy_of
from runtime.values import World


def dice_of(step: Step, world: World, slots: Any, scope: Any, rules: frozenset[str]) -> tuple[int, int]:
    """How many dice a roll takes now, and of how many sides. RuntimeFault for what no table has."""
    count, sides = step[2](world, slots, scope, rules), step[3](world, slots, scope, rules)
    for number, least, most, what in ((count, 0, MOST_DICE, "dice"), (sides, 1, MOST_SIDES, "sides")):
        if type(number) is not int or not least <= number <= most:
            asked = f"a roll of dice with {number} sides" if what == "sides" else f"a roll of {number} dice"
            raise RuntimeFault(f"{asked} is asked for, and it takes {least} to {most:,} {what}")
    return count, sides


def totals(count: int, sides: int) -> range:
    """Every sum that so many dice can show."""
    return range(count, count * sides + 1)


def rolled(r: Run, step: Step, value: int, player: int) -> None:
    """Take the sum of a roll."""
    row = r.routine.rows[r.pc]
    assert isinstance(row, Roll)
    r.slots[step[1]] = value
    r.tell("rolled", row.name, (value, player), r.world)
    r.pc += 1


def picked(r: Run, step: Step, value: Any) -> None:
    """Take what chance has picked from a list, for everybody to see."""
    row = r.routine.rows[r.pc]
    assert isinstance(row, Pick)
    derived = secrecy_of(r.linked).derived.of(r.routine.id, row.domain)
    r.slots[step[1]] = value
    r.tell("picked", row.name, (value, row.type, derived), r.world)
    r.pc += 1


def drawn(r: Run, step: Step, card: int) -> None:
    """Move a card that chance has picked from its pile to where it is going."""
    before = r.world
    columns = list(before)
    columns[step[2]] = tuple([c for c in before[step[2]] if c != card])
    zone, column = r.linked.zones[step[3]], r.linked.layout.index[step[3]]
    owner = step[4](before, r.slots, r.scope, r.rules) if step[4] is not None else None
    if owner is None:
        columns[column] = tuple(sorted((*columns[column], card)))
    else:
        held = list(columns[column])
        held[owner] = tuple(sorted((*held[owner], card)))
        columns[column] = tuple(held)
    r.world = tuple(columns)
    mine = (owner,) if zone.seen_by == "owner" and owner is not None else None
    seen_by = () if zone.seen_by == "nobody" else mine
    r.slots[step[1]] = card
    r.tell("drawn", step[3], (card, owner), before, seen_by)
    r.pc += 1
    settle(r, before)
    r.happen("drawn", (card,))
    r.interrupt()


# What takes in the one of several things that has fallen, by the row that asked for it.
TAKEN = {op.DRAW: drawn, op.PICK: picked}
