"""The tally of a run: wins, endings and lengths of games, offers and uses.

Every share has an interval. Shares of wins count only finished games; a shared win counts as fractions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, field
from typing import Any

from ruleloom.runtime.analysis.rows import successors
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.expr import called_by, children, reached
from ruleloom.runtime.program.program import (
    Expr,
    Finish,
    JumpUnless,
    Modal,
    Origin,
    Rank,
    Return,
    Routine,
)
from ruleloom.runtime.program.state import NO_RULES
from ruleloom.simulate.intervals import Estimate, data_of, mean, rarest_seen, share
from ruleloom.simulate.one_game import OFFERED, REFUSED, TAKEN, is_watched, way_name
from ruleloom.simulate.run_plan import Counts, GameRecord

Shares = dict[str, Estimate]


class OfferCount(Frozen):
    """The counts of an option: on offer, taken, refused, and fizzled."""

    offered: int
    taken: int
    refused: int
    nothing: int


class Tally(Frozen):
    """The figures of some games, ordered by number."""

    games: int
    finished: int
    drawn: int
    limits: Counter[str]
    faults: tuple[str, ...]
    endings: dict[str, Estimate]
    by_seat: Shares
    by_bot: Shares
    by_held: Shares
    by_used: Shares
    turns: Estimate
    decisions: Estimate
    offers: dict[str, OfferCount]
    reached: frozenset[int] = field(repr=False)
    one_share: float = 0.5
    """The share of each seat if all were equal."""

    @property
    def watched(self) -> int:
        """The number of games that were watched."""
        return sum(map(is_watched, range(self.games)))

    @property
    def rarest(self) -> float:
        """The upper bound on the chance per game of what never ran in those, at 95 %."""
        return rarest_seen(self.watched)


def tally(records: Sequence[GameRecord], players: Sequence[str]) -> Tally:
    """Count the games of a run."""
    ended = [one for one in records if one.finished]
    endings = Counter(one.ended for one in ended)
    return Tally(
        len(records),
        len(ended),
        sum(not one.winners for one in ended),
        Counter(one.limit for one in records if one.limit),
        tuple(dict.fromkeys(one.fault for one in records if one.fault)),
        {why: share(count, len(records)) for why, count in endings.most_common()},
        _by(ended, lambda one, seat: [players[seat]]),
        _by(ended, lambda one, seat: [one.seats[seat]]),
        _by(ended, lambda one, seat: _names_of(one.held, seat)),
        _by(ended, lambda one, seat: _names_of(one.used, seat)),
        mean([one.turns for one in records]),
        mean([one.decisions for one in records]),
        _offers(records),
        frozenset(number for one in records for number in one.reached),
        1 / len(players),
    )


def _names_of(seats: Counts, seat: int) -> list[str]:
    return [name for name, who in seats.items() if seat in who]


def _offers(records: Sequence[GameRecord]) -> dict[str, OfferCount]:
    offers: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    nothing: Counter[str] = Counter()
    for record in records:
        nothing.update(record.nothing)
        for name, counts in record.offers.items():
            offers[name] = [a + b for a, b in zip(offers[name], counts, strict=True)]
    return {
        name: OfferCount(
            offers[name][OFFERED], offers[name][TAKEN], offers[name][REFUSED], nothing[name]
        )
        for name in sorted({*offers, *nothing})
    }


def _by(records: Sequence[GameRecord], names_of: Callable[[GameRecord, int], list[str]]) -> Shares:
    """The share of wins of seats, grouped by the names of a seat in a game."""
    won: defaultdict[str, float] = defaultdict(float)
    played: Counter[str] = Counter()
    for record in records:
        for seat in range(len(record.seats)):
            for name in names_of(record, seat):
                played[name] += 1
                won[name] += record.won(seat)
    return {name: share(won[name], played[name]) for name in sorted(played)}


def widest(records: Sequence[GameRecord], players: Sequence[str]) -> float:
    """The half-width of the widest interval among the shares of seats, or of bots if they differ."""
    ended = [one for one in records if one.finished]
    by_bot = len({kind for one in records for kind in one.seats}) > 1
    found = _by(ended, lambda one, seat: [one.seats[seat] if by_bot else players[seat]])
    return max((one.half_width for one in found.values()), default=1.0)


def tally_data(found: Tally) -> dict[str, Any]:
    """All figures as JSON data."""
    return {
        **data_of(found, "games finished drawn limits faults endings"),
        "wins": data_of(found, "by_seat by_bot by_held by_used"),
        **data_of(found, "turns decisions"),
        "offers": {name: asdict(one) for name, one in found.offers.items()},
    }


DECIDED = {"value", "setting", "not", "and", "or", "=", "!=", "<", "<=", ">", ">=", "in", "list"}
"""Operators that settings alone decide."""


class Unreached(Frozen):
    """Something never met: its name, its origin, and whether that is proven."""

    name: str
    origin: Origin | None
    proven: bool

    @property
    def place(self) -> str:
        """The origin as `path:line`; empty without one."""
        return f"{self.origin.path}:{self.origin.line}" if self.origin is not None else ""


def unreached(linked: Linked, found: Tally) -> list[Unreached]:
    """All that was never met, what is proven unreachable first."""
    rows = reachable(linked)
    missed: list[Unreached] = []
    for number, routine in enumerate(linked.program.routines):
        if number not in found.reached:
            if not routine.id.partition("#")[2]:
                origin = routine.rows[0].origin if routine.rows else None
                missed.append(Unreached(routine.id, origin, routine.id not in rows))
            continue
        for pc, row in enumerate(routine.rows):
            if isinstance(row, Modal):
                is_out = pc not in rows.get(routine.id, ())
                names = _never_offered(routine.id, row, found)
                missed += [Unreached(name, row.origin, is_out) for name in names]
    return sorted(missed, key=lambda one: (not one.proven, one.name))


def _never_offered(routine: str, row: Modal, found: Tally) -> Iterator[str]:
    """The names of the ways of a menu that nobody was ever offered."""
    for mode in range(len(row.modes)):
        name = way_name(routine, row, mode)
        offer = found.offers.get(name)
        if offer is None or not offer.offered:
            yield name


def reachable(linked: Linked) -> dict[str, set[int]]:
    """The reachable rows of routines, from set-up, turns and triggers."""
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
    """The reachable rows of a routine, whatever undecided conditions evaluate to."""

    def following(pc: int) -> Iterable[int]:
        row, found = routine.rows[pc], successors(routine.rows[pc], pc)
        if isinstance(row, Finish | Rank | Return):
            return ()
        if isinstance(row, JumpUnless) and _is_decided(row.condition):
            holds = linked.codegen.value(row.condition)((), (), linked.initial_scope, NO_RULES)
            found = (pc + 1 if holds else row.to,)
        return (to for to in found if to < len(routine.rows))

    return {*reached([0] if routine.rows else [], following)}


def _is_decided(expr: Expr) -> bool:
    return expr[0] in DECIDED and all(_is_decided(part) for part in children(expr))
