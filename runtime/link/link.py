"""A program made ready to run: expressions as functions, names as numbers, rows as steps.

Linking fixes the players and the settings of one game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, TypeVar

from ruleloom.runtime.analysis.derived_variables import DerivedVariables
from ruleloom.runtime.analysis.liveness import LiveSlots, LiveVariables
from ruleloom.runtime.analysis.safe_points import SafePoints
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link import steps as s
from ruleloom.runtime.link.codegen import BasicBlocks, Codegen
from ruleloom.runtime.link.link_operations import ProgramIndex, link_operations, zones_of
from ruleloom.runtime.link.steps import LinkedOperation
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.expr import conjunction
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
    """The marks of copies: the item of each, and the columns (of zones with their kinds)."""

    items: tuple[str, ...]
    fields: tuple[int, ...]
    zones: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class LinkedRoutine:
    """One routine: `blocks` and `steps` run, `rows` explain; `blank` are the initial slots."""

    id: str
    steps: tuple[s.LinkedStep, ...]
    blocks: BasicBlocks
    rows: tuple[p.Row, ...]
    calm: tuple[bool, ...]
    barred: tuple[bool, ...]
    blank: tuple[None, ...]
    result: int
    names: tuple[str, ...]


class LinkedRoutines(dict[int, LinkedRoutine]):
    """The routines by number, linked on demand: most games use few of them."""

    def __init__(
        self,
        index: ProgramIndex,
        codegen: Codegen,
        operations: Mapping[str, LinkedOperation],
        replacements: Mapping[str, tuple[s.LinkedReplacement, ...]],
    ) -> None:
        super().__init__()
        self.index = index
        self.codegen = codegen
        self.operations = operations
        self.replacements = replacements
        self.safe_points = SafePoints(index.program)

    @cached_property
    def derived(self) -> DerivedVariables:
        """The variables worked out from things that not all can see."""
        return DerivedVariables(self.index.program)

    def __missing__(self, number: int) -> LinkedRoutine:
        one = self.index.program.routines[number]
        steps = tuple([self._step(one.id, row) for row in one.rows])
        blocks, calm = BasicBlocks(one, self.codegen), self.safe_points[number]
        blank = (None,) * len(one.slots)
        found = LinkedRoutine(one.id, steps, blocks, one.rows, *calm, blank, one.result, one.slots)
        self[number] = found
        return found

    def _step(self, routine: str, row: p.Row) -> s.LinkedStep:
        match row:
            case p.SetWatched():
                variable = self.index.scope_index[row.name]
                return s.WatchedStep(variable, self.codegen.for_scope(row.name, row.value))
            case p.Let() | p.SetScope() | p.Jump() | p.JumpUnless() | p.Spend():
                return s.PLAIN
            case p.Choose() | p.Ask() | p.Modal() | p.Secret():
                return self._question(routine, row)
            case p.Roll() | p.Draw() | p.Peek() | p.Pick():
                return self._chance(row)
            case p.Put() | p.Show():
                return self._handling(row)
            case p.AtOnce() | p.Simultaneous() | p.Apart():
                return self._together(row)
            case p.Operate() | p.Announce() | p.Replaceable() | p.Use() | p.UsePower():
                return self._call(row)
            case p.Ensure():
                return s.EnsureStep(self.codegen.value(row.condition), row.reason)
            case p.Say() | p.Tell():
                return s.SayStep(row.text, self._maybe(row.to if isinstance(row, p.Tell) else None))
            case p.Relax():
                return s.RelaxStep(frozenset(row.rules))
            case p.Finish() | p.Rank():
                return self._end(row)
            case p.Return():
                return s.RETURN
        raise TypeError(f"no step for {row}")

    def _end(self, row: p.Finish | p.Rank) -> s.LinkedStep:
        if isinstance(row, p.Finish):
            return s.FinishStep(self._maybe(row.winner), row.reason)
        who, number = map(self.codegen.value, (row.who, row.number))
        return s.RankStep(who, row.slot, number, row.reason)

    def _question(self, routine: str, row: p.Choose | p.Ask | p.Modal | p.Secret) -> s.LinkedStep:
        match row:
            case p.Choose():
                options = self._options(row.slot, row.type, row.domain, row.conditions)
                limit, by, default = map(self._maybe, (row.limit, row.by, row.default))
                step = s.ChooseStep if row.count == "one" else s.ChooseSetStep
                unseen = self.derived.asks_regardless(routine, row)
                return step(
                    row.slot, by, row.or_none, default, row.type, options, row.count, limit, unseen
                )
            case p.Ask():
                by, default = map(self._maybe, (row.by, row.default))
                return s.AskStep(row.slot, by, row.or_none, default, row.name)
            case p.Modal():
                tests = (conjunction([one.test for one in mode.conditions]) for mode in row.modes)
                ways = map(s.LinkedMode, map(self._maybe, tests), (mode.to for mode in row.modes))
                return s.ModalStep(tuple(ways), self._maybe(row.by))
            case p.Secret():
                options = self._options(row.candidate_slot, row.type, row.domain, row.conditions)
                players = self.codegen.value(row.players)
                seen_by = self._maybe(getattr(row, "seen_by", None))
                return s.SecretStep(
                    row.slot, row.name, row.type, players, row.player_slot, options, seen_by
                )

    def _pile(self, name: str) -> tuple[int, int | None]:
        """The column of a pile, and that of its ends if anybody may come to know them."""
        index = self.index.layout.index
        return index[name], index.get(ends_name(name))

    def _handling(self, row: p.Put | p.Show) -> s.LinkedStep:
        if isinstance(row, p.Show):
            things, to = self.codegen.value(row.things), self.codegen.value(row.to)
            return s.ShowStep(things, row.type, to)
        pile, ends = self._pile(row.pile)
        assert ends is not None
        kind = self.index.zones[row.pile].of
        sources = zones_of(self.index, kind)
        things = self.codegen.value(row.things)
        return s.PutStep(things, row.type, row.pile, pile, ends, sources, row.end == "top")

    def _chance(self, row: p.Roll | p.Draw | p.Peek | p.Pick) -> s.LinkedStep:
        match row:
            case p.Roll():
                count, sides = self.codegen.value(row.count), self.codegen.value(row.sides)
                by, each = self._maybe(row.by), isinstance(row, p.RollEach)
                seen_by = self._maybe(getattr(row, "seen_by", None))
                return s.RollStep(row.slot, row.name, count, sides, by, each, seen_by)
            case p.Draw():
                pile, ends = self._pile(row.pile)
                owner = self._maybe(row.owner)
                holder = self._maybe(row.holder) if isinstance(row, p.Take) else None
                kind = self.index.layout.columns[pile].kind
                return s.DrawStep(
                    row.slot, row.name, row.type, pile, kind, ends, holder, row.zone, owner
                )
            case p.Peek():
                pile, ends = self._pile(row.pile)
                assert ends is not None
                number, by = self.codegen.value(row.number), self._maybe(row.by)
                return s.LookStep(row.slot, row.name, row.type, row.pile, pile, ends, number, by)
            case p.Pick():
                options = self._options(row.slot, row.type, row.domain, ())
                return s.PickStep(row.slot, row.name, row.type, row.domain, options)

    def _call(
        self, row: p.Operate | p.Announce | p.Replaceable | p.Use | p.UsePower
    ) -> s.LinkedStep:
        codegen = self.codegen
        match row:
            case p.Operate():
                operation, args = self.operations[row.operation], codegen.given_values(row.args)
                replacements = self.replacements.get(row.operation, ())
                by = self._maybe(row.by)
                return s.OperateStep(operation, args, row.slot, replacements, by)
            case p.Announce():
                return s.AnnounceStep(row.event, codegen.given_values(row.args))
            case p.Replaceable():
                args, found = codegen.given_values(row.args), self.replacements.get(row.event, ())
                return s.InsteadStep(args, row.to, found)
            case p.Use():
                args = codegen.kept_values(row.args)
                number, by = self.index.routine_index[row.routine], self._maybe(row.by)
                return s.UseStep(number, args, row.slot, by)
            case p.UsePower():
                scope = tuple(
                    (self.index.scope_index[name], codegen.for_scope(name, e))
                    for name, e in row.scope
                )
                return s.PowerStep(row.entity, codegen.value(row.of), scope)

    def _together(self, row: p.AtOnce | p.Simultaneous | p.Apart) -> s.LinkedStep:
        if isinstance(row, p.Apart):
            return s.ApartStep(self._maybe(row.held))
        if isinstance(row, p.Simultaneous):
            return s.SimultaneousStep(row.slot, row.counter)
        things, by = self._maybe(row.things), self._maybe(row.by)
        operation, args = self.operations[row.operation], self.codegen.given_values(row.args)
        found = self.replacements.get(row.operation, ())
        return s.AtOnceStep(operation, args, row.slot, found, by, row.candidate_slot, things)

    def _maybe(self, expr: Expr | None) -> Compiled[Any] | None:
        return None if expr is None else self.codegen.value(expr)

    def _options(
        self, slot: int, type_text: str, domain: Expr, conditions: tuple[p.Condition, ...]
    ) -> Compiled[list[Value]]:
        tests: list[Expr] = [c.test for c in conditions]
        entity = self.index.entities.get(type_text)
        if entity is not None and entity.present:
            there: Expr = ("field", f"{entity.name}.{entity.present}", ("slot", slot))
            tests.insert(0, ("not", ("is_none", there)))
        return self.codegen.options(slot, domain, tests)


class Linked(ProgramIndex):
    """A program, its driver, the players and the settings of one game."""

    def __init__(
        self,
        program: Program,
        layout: Layout,
        driver: Driver,
        settings: Mapping[str, Dynamic],
        codegen: Callable[..., Codegen] = Codegen,
    ) -> None:
        super().__init__(program, layout, driver)
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
        self.routines = LinkedRoutines(self, self.codegen, self.operations, self.replacements)
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
