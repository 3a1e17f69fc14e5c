"""Safe points: the rows from which a routine can be left whatever the board looks like.

A row is *calm* if nothing compulsory that could turn out impossible lies between it and the end of
its routine, or the next roll, which look-ahead never goes past. A row is *barred* if every way from
it comes to a roll before the routine ends: what waits for the routine does not matter there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property, partial
from typing import NamedTuple

from ruleloom.runtime.analysis.facts import NOTHING, Facts, facts_of, normal
from ruleloom.runtime.analysis.liveness import settle, successors
from ruleloom.runtime.analysis.ranges import Foresight, Known
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.expr import conjuncts, substitute
from ruleloom.runtime.program.program import Expr, Program

Flags = list[bool]
"""For each row of a routine, and for its end."""


class Calm(NamedTuple):
    """For each row of a routine and its end: can it be left from here, and does a roll come first?"""

    calm: tuple[bool, ...]
    barred: tuple[bool, ...]


class SafePoints(dict[int, Calm]):
    """What is calm and what is barred in each routine, by its number; computed on demand.

    A dynamic use is calm if every power of the entity begins calmly without dynamic uses: with fuel,
    one such use ends well. `dynamic` says so beforehand.
    """

    def __init__(self, program: Program, dynamic: bool | None = None) -> None:
        super().__init__()
        self._program = program
        self._index = {routine.id: number for number, routine in enumerate(program.routines)}
        self._foresight = Foresight(program)
        self._dynamic = dynamic
        self._present = {e.name: f"{e.name}.{e.present}" for e in program.entities if e.present}

    def __missing__(self, routine: int) -> Calm:
        for number in self._callees_first(routine):
            rows = self._program.routines[number].rows
            barred, calm = [False] * (len(rows) + 1), [True] * (len(rows) + 1)
            settle(barred, partial(self._is_barred, rows, barred))
            settle(calm, partial(self._is_calm, rows, self._doubtful(rows), calm))
            self[number] = Calm(tuple(calm), tuple(barred))
        return self[routine]

    def _callees_first(self, routine: int) -> list[int]:
        """A routine after all that it uses; a circle is left to the machine to refuse."""
        order: list[int] = []
        seen = set(self)
        waiting = [(routine, False)]
        while waiting:
            number, done = waiting.pop()
            if done:
                order.append(number)
            elif number not in seen:
                seen.add(number)
                rows = self._program.routines[number].rows
                used = [self._index[row.routine] for row in rows if isinstance(row, p.Use)]
                waiting += [(number, True), *((callee, False) for callee in used)]
        return order

    def _start_of(self, routine: str) -> tuple[bool, bool]:
        """Whether the first row is calm, and barred; in a circle nothing is known yet."""
        known = self.get(self._index[routine])
        return (True, False) if known is None else (known.calm[0], known.barred[0])

    def _is_barred(self, rows: Sequence[p.Row], barred: Flags, pc: int) -> bool:
        row = rows[pc]
        match row:
            case p.Roll():
                return True
            case p.Return() | p.Finish() | p.Rank():
                return False
            case p.Use() if self._start_of(row.routine)[1]:
                return True
        return all(barred[to] for to in successors(row, pc))

    def _is_calm(
        self, rows: Sequence[p.Row], doubtful: Collection[int], flags: Flags, pc: int
    ) -> bool:
        row = rows[pc]
        match row:
            case p.Secret() | p.Roll() | p.Return() | p.Finish() | p.Rank():
                return True
            case p.Ensure():
                return False
            case p.Choose() if pc in doubtful:
                return False
            case p.UsePower() if not self._is_calm_use(row):
                return False
            case p.Modal():
                return any(not mode.conditions and flags[mode.to] for mode in row.modes)
            case p.Use():
                calm, barred = self._start_of(row.routine)
                return calm and (barred or flags[pc + 1])
        return all(flags[to] for to in successors(row, pc))

    def _doubtful(self, rows: Sequence[p.Row]) -> frozenset[int]:
        """The choices for which there may be nothing."""
        open_ = {
            pc: row
            for pc, row in enumerate(rows)
            if isinstance(row, p.Choose) and not self._always_has_options(row, NOTHING)
        }
        facts = facts_of(rows, self._foresight) if open_ else []
        return frozenset(
            pc for pc, row in open_.items() if not self._always_has_options(row, facts[pc])
        )

    def _always_has_options(self, row: p.Choose, facts: Facts) -> bool:
        """Is some value, surely in the domain, sure to pass every condition, or none needed?"""
        if row.count in ("any", "up_to", "order") or row.or_none:
            return True
        if row.count != "one":
            return False
        options = self._foresight.options(row.domain, facts.slots)
        refused = sum(self._foresight.refused(c.test, row.slot) for c in row.conditions)
        return (
            len({*options}) > refused
            or self._exists(row, facts.conditions)
            or any(
                all(self._passes(row, c.test, one, facts) for c in row.conditions)
                for one in options
            )
        )

    def _passes(self, row: p.Choose, test: Expr, value: Known, facts: Facts) -> bool:
        """Does a value surely pass a condition?"""
        if self._foresight.known(test, {**facts.slots, row.slot: value}) is True:
            return True
        return normal(substitute(test, {row.slot: ("value", value)})) in facts.conditions

    def _exists(self, row: p.Choose, conditions: Iterable[Expr]) -> bool:
        """Does a condition say that there is such a thing as is asked for?"""
        wanted = {part for one in row.conditions for part in conjuncts(one.test)}
        present = self._present.get(row.type)
        if present is not None:
            wanted.add(("not", ("is_none", ("field", present, ("slot", row.slot)))))
        for one in conditions:
            match one:
                case ("each", "exists", None, slot, domain, test) if domain == row.domain:
                    known = () if test is None else conjuncts(test)
                    its_own = {slot: ("slot", row.slot)}
                    if wanted <= {substitute(part, its_own) for part in known}:
                        return True
        return False

    @cached_property
    def _calm_entities(self) -> frozenset[str]:
        """The entities whose every power begins calmly without dynamic uses of its own."""
        without = SafePoints(self._program, dynamic=False)
        return frozenset(
            entity.name
            for entity in self._program.entities
            if all(
                name in self._index and without[self._index[name]].calm[0] for name in entity.powers
            )
        )

    def _is_calm_use(self, row: p.UsePower) -> bool:
        """Does the power of whatever it is end well, with fuel?"""
        return row.entity in self._calm_entities if self._dynamic is None else self._dynamic
