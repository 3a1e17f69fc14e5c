"""What nobody ever met: never seen in so many games, or out of reach whatever is answered.

By play: what was never on offer and never ran in N games is rarer than a bound that follows from N.
By analysis: powers that nothing in the program leads to, from set-up, a turn, triggers and
replacements on; and ways whose condition never holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.program import Modal, Origin, Program, Routine, Use, UsePower
from ruleloom.simulate.sightings import way_name
from ruleloom.simulate.tally import Tally

NEVER = ("value", False)


@dataclass(frozen=True, slots=True)
class Unreached:
    """Something that was not met: its name, where it stands, and how that is known."""

    name: str
    origin: Origin | None
    proven: bool

    @property
    def place(self) -> str:
        """`path:line` of it; empty where it stands nowhere."""
        return f"{self.origin.path}:{self.origin.line}" if self.origin is not None else ""


def unreached(linked: Linked, found: Tally) -> list[Unreached]:
    """All that was never met, what is proven to be out of reach first."""
    program = linked.program
    within = reachable(program)
    missed: list[Unreached] = []
    for number, routine in enumerate(program.routines):
        if number not in found.reached and not routine.id.partition("#")[2]:
            missed.append(Unreached(routine.id, _origin(routine), routine.id not in within))
        for name, place, never in _ways(routine):
            offer = found.offers.get(name)
            if number in found.reached and (offer is None or not offer.offered):
                missed.append(Unreached(name, place, never))
    return sorted(missed, key=lambda one: (not one.proven, one.name))


def reachable(program: Program) -> set[str]:
    """The routines that play can come to, from set-up and a turn on."""
    routines = {routine.id: routine for routine in program.routines}
    powers = {one.name: [id for id in one.powers if id] for one in program.entities}
    waiting = [program.set_up, program.turn]
    waiting += [one.routine for one in program.triggers]
    waiting += [one.routine for one in program.replacements]
    seen = set(waiting)
    while waiting:
        for row in routines[waiting.pop()].rows:
            leads_to: list[str] = []
            if isinstance(row, Use):
                leads_to = [row.routine]
            elif isinstance(row, UsePower):
                leads_to = powers[row.entity]
            waiting += [one for one in leads_to if one not in seen]
            seen.update(leads_to)
    return seen


def _origin(routine: Routine) -> Origin | None:
    return routine.rows[0].origin if routine.rows else None


def _ways(routine: Routine) -> Iterator[tuple[str, Origin, bool]]:
    """The ways of the menus of a routine: name, place, and whether a condition never holds."""
    for row in routine.rows:
        if isinstance(row, Modal):
            for mode, way in enumerate(row.modes):
                never = any(condition.test == NEVER for condition in way.conditions)
                yield way_name(routine.id, row, mode), row.origin, never
