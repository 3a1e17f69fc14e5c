"""A program made ready to run: expressions as functions, names as numbers, rows as steps.

Linking fixes the players and the settings of one game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, TypeVar

from ruleloom.runtime.analysis.live_variables import LiveVariables
from ruleloom.runtime.analysis.liveness import LiveSlots
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link import steps as s
from ruleloom.runtime.link.codegen import Codegen
from ruleloom.runtime.link.link_operations import LinkedOperation, ProgramIndex, link_operations
from ruleloom.runtime.link.operation_code import OperationCode
from ruleloom.runtime.link.routine_code import Calls
from ruleloom.runtime.link.routines import LinkedRoutines
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.program import Expr, Program
from ruleloom.runtime.program.values import (
    CandidateTest,
    Compiled,
    Driver,
    Dynamic,
    Layout,
    Value,
    ends_name,
)

T = TypeVar("T")


@dataclass(frozen=True)
class LinkedTrigger:
    """`immediately` before anything else; otherwise it waits in the queue."""

    where: Compiled[bool] | None
    immediately: bool
    routine: int


@dataclass(frozen=True)
class LinkedAlways:
    """A rule that always holds: `operation` runs for each of `offenders`."""

    name: str
    offenders: Compiled[list[Value]]
    operation: LinkedOperation
    args: Compiled[tuple[Value, ...]]
    reads: tuple[int, ...]


@dataclass(frozen=True)
class Copies:
    """What tells copies apart: the item of each, and the columns (of zones with their kinds)."""

    items: tuple[str, ...]
    fields: tuple[int, ...]
    zones: tuple[tuple[int, str], ...]


class Linked(ProgramIndex):
    """A program, its driver, the players and the settings of one game."""

    def __init__(
        self,
        program: Program,
        layout: Layout,
        driver: Driver,
        settings: Mapping[str, Dynamic],
        codegen: Callable[..., Codegen] = Codegen,
        by_row: bool = False,
    ) -> None:
        super().__init__(program, layout, driver)
        # Functions of whole routines take no open dice and tell nobody which rows they run.
        self.by_row = by_row or codegen is not Codegen
        self.live = LiveSlots(program)
        self.settings = dict(settings)
        ends = ((z, layout.index.get(ends_name(z))) for z in self.zones)
        self.ends = {layout.index[zone]: at for zone, at in ends if at is not None}
        self.codegen = codegen(program, layout, driver, settings)
        self.initial_scope = tuple(_frozen(v.initial) for v in program.scope)
        self.me = self.scope_index["me"]
        self.together = self.scope_index.get(p.TOGETHER)
        self.doer = self.scope_index.get(p.DOER)
        self.operations = link_operations(self, self.codegen)
        self.triggers = _by_name((t.event, self._trigger(t)) for t in program.triggers)
        self.replacements = _by_name(
            (r.operation, self._replacement(r)) for r in program.replacements
        )
        self.always = tuple(map(self._always, program.always))
        self.routines = LinkedRoutines(
            self, self.codegen, self.operations, self.replacements, self._calls()
        )
        self.set_up = self.routine_index[program.set_up]
        self.turn = self.routine_index[program.turn]
        self._tests: dict[tuple[int, Expr], CandidateTest] = {}

    @cached_property
    def live_variables(self) -> LiveVariables:
        """Which variables of the game can still be read."""
        return LiveVariables(self.program)

    @cached_property
    def turn_scope(self) -> tuple[tuple[int, Value], ...]:
        """The variables of a turn, with what they begin it with."""
        scope = enumerate(self.program.scope)
        return tuple((i, self.initial_scope[i]) for i, v in scope if v.life == "turn")

    @cached_property
    def powers(self) -> Mapping[str, tuple[int, ...]]:
        """The routine of the power of each thing, by entity; -1 of one that has none."""
        number = self.routine_index
        return {e.name: tuple(number.get(id, -1) for id in e.powers) for e in self.program.entities}

    @cached_property
    def copies(self) -> Mapping[str, Copies]:
        """By entity, what tells things apart of which items make several."""
        columns, found = self.layout.columns, {}
        for e in self.program.entities:
            if e.alike:
                items = tuple(name.partition("#")[0] for name in e.names)
                fields = (i for i, c in enumerate(columns) if c.name.startswith(f"{e.name}."))
                of = {zone.name for zone in self.program.zones if zone.of == e.name}
                zones = ((i, c.kind) for i, c in enumerate(columns) if c.name in of)
                found[e.name] = Copies(items, tuple(fields), tuple(zones))
        return found

    @cached_property
    def replaced(self) -> dict[int, tuple[LinkedOperation, s.LinkedReplacement]]:
        """The operation that each routine of a replacement runs in place of."""
        return {
            one.routine: (self.operations[name], one)
            for name, found in self.replacements.items()
            if name in self.operations
            for one in found
        }

    @cached_property
    def marks(self) -> frozenset[str]:
        """The marks of all replacements."""
        return frozenset(one.mark for found in self.replacements.values() for one in found)

    @cached_property
    def response_routines(self) -> frozenset[int]:
        """What responds to events: routines of triggers and of replacements, and the block of an
        ability that its routine runs for each bearer."""
        triggers = (one.routine for found in self.triggers.values() for one in found)
        instead = (one.routine for found in self.replacements.values() for one in found)
        ids = {one.id for one in self.program.triggers}
        blocks = (number for number, one in enumerate(self.program.routines) if one.id in ids)
        return frozenset((*triggers, *instead, *blocks))

    @cached_property
    def presence(self) -> tuple[int, ...]:
        """The columns that are none for a thing that is not there."""
        numbers = map(self.column_of, self.entities)
        return tuple(number for number in numbers if number is not None)

    @cached_property
    def watched(self) -> frozenset[int]:
        """The variables that rules read which always hold."""
        rules = (expr for rule in self.program.always for expr in (rule.domain, rule.when))
        names = (name for expr in rules for name in self.codegen.reads(expr).scope)
        return frozenset(self.scope_index[name] for name in names)

    @cached_property
    def unseen(self) -> frozenset[int]:
        """The columns of what not everybody sees: nothing looks back to them."""
        names = [one.name for one in self.program.zones if one.seen_by != "all"]
        index = self.layout.index
        return frozenset(index[n] for one in names for n in (one, ends_name(one)) if n in index)

    @cached_property
    def bodies(self) -> Mapping[str, Expr]:
        """The expression of each function, by its id."""
        return {f.id: f.body for f in self.program.functions}

    @cached_property
    def restricted(self) -> Mapping[str, tuple[Expr, tuple[p.Modifier, ...]]]:
        """The rules that abilities restrict: what each holds without them, and they."""
        return {
            stat.id: (stat.base, stat.modifiers)
            for stat in self.program.stats
            if any(one.change == "not" for one in stat.modifiers)
        }

    def test(self, slot: int, expr: Expr) -> CandidateTest:
        """An expression as a function of a candidate in `slot` too; compiled on demand."""
        key = (slot, expr)
        if key not in self._tests:
            self._tests[key] = self.codegen.test(slot, expr)
        return self._tests[key]

    def _calls(self) -> Calls:
        """What functions of routines need to know."""
        answered, always = frozenset(self.triggers), [one.reads for one in self.always]
        operations = OperationCode(
            self.codegen, self.operations, answered, always, bool(self.ends), self.me
        )
        replaced = frozenset(self.replacements)
        columns = self.layout.index
        return Calls(self.program, self.codegen, operations, answered, replaced, columns, self.me)

    def _trigger(self, one: p.Trigger) -> LinkedTrigger:
        where, at_once = self._maybe(one.where), one.timing == "immediately"
        routine = self.routine_index[one.routine]
        return LinkedTrigger(where, at_once, routine)

    def _replacement(self, one: p.Replacement) -> s.LinkedReplacement:
        routine = self.routine_index[one.routine]
        return s.LinkedReplacement(one.id, self._maybe(one.where), routine)

    def _always(self, rule: p.Always) -> LinkedAlways:
        offenders = self.codegen.options(0, rule.domain, (rule.when,))
        operation, args = self.operations[rule.operation], self.codegen.values(rule.args)
        reads = tuple(self.layout.index[name] for name in rule.reads)
        return LinkedAlways(rule.name, offenders, operation, args, reads)

    def _maybe(self, expr: Expr | None) -> Compiled[Any] | None:
        return None if expr is None else self.codegen.value(expr)


def _by_name(pairs: Iterable[tuple[str, T]]) -> dict[str, tuple[T, ...]]:
    found: dict[str, tuple[T, ...]] = {}
    for name, one in pairs:
        found[name] = (*found.get(name, ()), one)
    return found


def _frozen(value: Value | list[Value]) -> Value:
    return tuple(_frozen(v) for v in value) if isinstance(value, list | tuple) else value
