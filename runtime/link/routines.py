"""The routines of a program made ready to run: each row as a step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ruleloom.runtime.analysis.safe_points import SafePoints
from ruleloom.runtime.link import steps as s
from ruleloom.runtime.link.basic_blocks import BasicBlocks
from ruleloom.runtime.link.codegen import Codegen
from ruleloom.runtime.link.link_operations import LinkedOperation, ProgramIndex
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.expr import conjunction
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import Compiled, Value


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

    def __missing__(self, number: int) -> LinkedRoutine:
        one = self.index.program.routines[number]
        steps = tuple(map(self._step, one.rows))
        blocks, calm = BasicBlocks(one, self.codegen), self.safe_points[number]
        blank = (None,) * len(one.slots)
        found = LinkedRoutine(one.id, steps, blocks, one.rows, *calm, blank, one.result, one.slots)
        self[number] = found
        return found

    def _step(self, row: p.Row) -> s.LinkedStep:
        match row:
            case p.Let() | p.SetScope() | p.Jump() | p.JumpUnless():
                return s.PLAIN
            case p.Choose() | p.Ask() | p.Modal() | p.Secret():
                return self._question(row)
            case p.Roll() | p.Draw() | p.Pick():
                return self._chance(row)
            case p.Operate() | p.Announce() | p.Replaceable() | p.Use() | p.UsePower():
                return self._call(row)
            case p.Relax():
                return s.RelaxStep(frozenset(row.rules))
            case p.Ensure():
                return s.EnsureStep(self.codegen.value(row.condition), row.reason)
            case p.Say():
                return s.SayStep(row.text, None)
            case p.Tell():
                return s.SayStep(row.text, self.codegen.value(row.to))
            case p.Finish() | p.Rank():
                return self._end(row)
            case _:
                return s.RETURN

    def _end(self, row: p.Finish | p.Rank) -> s.LinkedStep:
        if isinstance(row, p.Finish):
            return s.FinishStep(self._maybe(row.winner), row.reason)
        who, number = map(self.codegen.value, (row.who, row.number))
        return s.RankStep(who, row.slot, number, row.reason)

    def _question(self, row: p.Choose | p.Ask | p.Modal | p.Secret) -> s.LinkedStep:
        match row:
            case p.Choose():
                options = self._options(row.slot, row.type, row.domain, row.conditions)
                limit, by, default = map(self._maybe, (row.limit, row.by, row.default))
                return s.ChooseStep(
                    row.slot, by, row.or_none, default, row.type, options, row.count, limit
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
                return s.SecretStep(row.slot, row.name, row.type, players, row.player_slot, options)

    def _chance(self, row: p.Roll | p.Draw | p.Pick) -> s.LinkedStep:
        match row:
            case p.Roll():
                count, sides = self.codegen.value(row.count), self.codegen.value(row.sides)
                by, each = self._maybe(row.by), isinstance(row, p.RollEach)
                return s.RollStep(row.slot, row.name, count, sides, by, each)
            case p.Draw():
                pile, owner = self.index.layout.index[row.pile], self._maybe(row.owner)
                return s.DrawStep(row.slot, row.name, row.type, pile, row.zone, owner)
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
                return s.OperateStep(operation, args, row.slot, replacements)
            case p.Announce():
                return s.AnnounceStep(row.event, codegen.given_values(row.args))
            case p.Replaceable():
                args, found = codegen.given_values(row.args), self.replacements.get(row.event, ())
                return s.InsteadStep(args, row.to, found)
            case p.Use():
                args = codegen.kept_values(row.args)
                return s.UseStep(self.index.routine_index[row.routine], args, row.slot)
            case p.UsePower():
                scope = tuple(
                    (self.index.scope_index[name], codegen.value(e)) for name, e in row.scope
                )
                return s.PowerStep(row.entity, codegen.value(row.of), scope)

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
