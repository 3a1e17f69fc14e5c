"""What nobody ever met: never seen in so many games, or out of reach whatever is answered.

By play: what was never on offer and never ran in N games is rarer than a bound that follows from N.
By analysis: what nothing leads to, from set-up, a turn, triggers and replacements on. Conditions that
only speak of settings are decided, so what stands behind another reading of a rule is out of reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.calls import called_by, reached
from ruleloom.runtime.program.expr import children
from ruleloom.runtime.program.program import (
    Expr,
    Finish,
    Jump,
    JumpUnless,
    Modal,
    Origin,
    Rank,
    Return,
    Routine,
)
from ruleloom.runtime.program.state import NO_RULES
from ruleloom.simulate.sightings import way_name
from ruleloom.simulate.tally import Tally

DECIDED = {"value", "setting", "not", "and", "or", "=", "!=", "<", "<=", ">", ">=", "in", "list"}
"""Forms of expressions that settings alone decide."""


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
    rows = reachable(linked)
    missed: list[Unreached] = []
    for number, routine in enumerate(linked.program.routines):
        if number not in found.reached:
            if not routine.id.partition("#")[2]:
                missed.append(Unreached(routine.id, _origin(routine), routine.id not in rows))
            continue
        for pc, name, place in _ways(routine):
            offer = found.offers.get(name)
            if offer is None or not offer.offered:
                missed.append(Unreached(name, place, pc not in rows.get(routine.id, ())))
    return sorted(missed, key=lambda one: (not one.proven, one.name))


def reachable(linked: Linked) -> dict[str, set[int]]:
    """The rows of routines that play can come to, from set-up and a turn on."""
    program = linked.program
    routines = {routine.id: routine for routine in program.routines}
    powers = {one.name: [id for id in one.powers if id] for one in program.entities}
    found: dict[str, set[int]] = {}

    def used(id: str) -> Iterator[str]:
        found[id] = _rows_of(linked, routines[id])
        for one in called_by(routines[id].rows[pc] for pc in found[id]):
            yield from powers[one.name] if one.kind == "record" else ()
            yield from (one.name,) if one.kind == "routine" else ()

    answers = [one.routine for one in program.triggers]
    answers += [one.routine for one in program.replacements]
    reached((program.set_up, program.turn, *answers), used)
    return found


def _rows_of(linked: Linked, routine: Routine) -> set[int]:
    """The rows of a routine that can run, however conditions of more than settings come out."""

    def following(pc: int) -> Iterable[int]:
        return (to for to in _next(linked, routine, pc) if to < len(routine.rows))

    return {*reached([0] if routine.rows else [], following)}


def _next(linked: Linked, routine: Routine, pc: int) -> list[int]:
    match routine.rows[pc]:
        case Jump(to=to):
            return [to]
        case JumpUnless(condition=condition, to=to):
            if not _is_decided(condition):
                return [pc + 1, to]
            holds = linked.codegen.value(condition)((), (), linked.initial_scope, NO_RULES)
            return [pc + 1] if holds else [to]
        case Modal(modes=modes):
            return [mode.to for mode in modes]
        case Finish() | Rank() | Return():
            return []
    return [pc + 1]


def _is_decided(expr: Expr) -> bool:
    return expr[0] in DECIDED and all(_is_decided(part) for part in children(expr))


def _origin(routine: Routine) -> Origin | None:
    return routine.rows[0].origin if routine.rows else None


def _ways(routine: Routine) -> Iterator[tuple[int, str, Origin]]:
    """The ways of the menus of a routine: the row, the name, and the place of each."""
    for pc, row in enumerate(routine.rows):
        if isinstance(row, Modal):
            for mode in range(len(row.modes)):
                yield pc, way_name(routine.id, row, mode), row.origin
