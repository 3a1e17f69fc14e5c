"""A program made ready to run: expressions as functions, names as numbers, rows as short tuples.

Linking fixes the players and the settings of one game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any

from ruleloom.runtime.analysis.liveness import LiveSlots
from ruleloom.runtime.analysis.safe_points import Calm, calm_rows
from ruleloom.runtime.link.basic_blocks import Stretches
from ruleloom.runtime.link.codegen import Codegen, Compiled
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.expr import conjunction
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Expr, Program
from ruleloom.runtime.program.values import LARGEST, Driver, FrozenMap, Layout, Type

Step = tuple[Any, ...]

(PLAIN, CHOOSE, MODAL, SECRET, ROLL, DRAW, OPERATE, USE, POWER, RELAX, ENSURE, SAY, FINISH, RETURN, PICK,
 ASK) = range(16)  # fmt: skip


@dataclass(frozen=True)
class LinkedRoutine:
    """One routine: `stretches` and `steps` run, `rows` explain; `blank` are the slots before
    anything is set."""

    id: str
    steps: tuple[Step, ...]
    stretches: Stretches
    rows: tuple[p.Row, ...]
    calm: tuple[bool, ...]
    barred: tuple[bool, ...]
    blank: tuple[Any, ...]
    result: int
    names: tuple[str, ...]


@dataclass(frozen=True)
class LinkedTrigger:
    number: int
    where: Compiled | None
    immediately: bool
    once: bool
    routine: int


@dataclass(frozen=True)
class LinkedReplacement:
    """`mark` goes with the rules that are lifted while `routine` runs."""

    mark: str
    where: Compiled | None
    routine: int


@dataclass(frozen=True)
class LinkedAssignment:
    """A column of which something is set, perhaps in a table (`keyed`). `low` and `high` bound a
    number; whole ones lie between `least` and `greatest` in any case. `unset` is what a table does
    not keep."""

    column: int
    keyed: bool
    low: int | None
    high: int | None
    unset: Any
    least: int
    greatest: int


@dataclass(frozen=True)
class Copies:
    """Things of which items make several: the name of the item of each, and the columns that tell
    two apart, those of zones with their kinds."""

    items: tuple[str, ...]
    fields: tuple[int, ...]
    zones: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class LinkedMaker:
    """Things of which one can come into play: the column that is none while one is not there, and
    each column of theirs with what a new one begins with."""

    plural: str
    present: int
    begins: tuple[tuple[int, Any], ...]


@dataclass(frozen=True)
class LinkedMove:
    """The argument that moves, the column it goes to, and all columns where it may lie, with their
    kinds."""

    thing: int
    column: int
    sources: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class LinkedOperation:
    """`entities` are (argument, column) pairs: an argument whose column entry is none has vanished.

    `function` is the driver's; an operation that has none sets what `sets` says. `becomes` gives
    for each of those the thing, the key or none, and the value.
    """

    info: p.OperationInfo
    function: Callable[..., Any] | None
    sets: tuple[LinkedAssignment, ...]
    becomes: Compiled
    entities: tuple[tuple[int, int], ...]
    touches: tuple[int, ...]
    number: int
    maker: LinkedMaker | None
    moves: tuple[LinkedMove, ...]
    owners: Compiled
    """Whose each zone is to which something moves; none of one that is nobody's."""


@dataclass(frozen=True)
class LinkedAlways:
    name: str
    offenders: Compiled
    operation: LinkedOperation
    args: Compiled
    reads: tuple[int, ...]


class Linked:
    """A program, its driver, the players and the settings of one game."""

    def __init__(
        self,
        program: Program,
        layout: Layout,
        driver: Driver,
        settings: Mapping[str, Any],
        codegen: type[Codegen] = Codegen,
    ) -> None:
        _check_binding(program, driver)
        self.program = program
        self.live = LiveSlots(program)
        self.layout = layout
        self.driver = driver
        self.settings = dict(settings)
        self.codegen = codegen(program, layout, driver, settings)
        self.scope_index = {v.name: i for i, v in enumerate(program.scope)}
        self.initial_scope = tuple(
            v.initial if v.initial is None else _frozen(v.initial) for v in program.scope
        )
        self.turn_scope = tuple(
            (i, self.initial_scope[i]) for i, v in enumerate(program.scope) if v.life == "turn"
        )
        self.me = self.scope_index["me"]
        self.copies = {e.name: self._copies(e) for e in program.entities if e.alike}
        self.zones = {z.name: z for z in program.zones}
        self.entities = {e.name: e for e in program.entities}
        self.routine_index = {r.id: i for i, r in enumerate(program.routines)}
        self.operations = {
            info.name: self._operation(number, info)
            for number, info in enumerate(program.operations)
        }
        self.powers = {
            e.name: tuple(self.routine_index.get(routine, -1) for routine in e.powers)
            for e in program.entities
        }
        self.triggers = self._triggers()
        self.replacements = self._replacements()
        self.marks = frozenset(one.mark for found in self.replacements.values() for one in found)
        triggers = {one.routine for found in self.triggers.values() for one in found}
        instead = {one.routine for found in self.replacements.values() for one in found}
        self.trigger_routines = frozenset(triggers | instead)
        """What is nobody's choice: routines of triggers and of replacements."""
        self.bodies = {f.id: f.body for f in program.functions}
        self.restricted = {
            stat.id: (stat.base, stat.modifiers)
            for stat in program.stats
            if any(one.change == "not" for one in stat.modifiers)
        }
        """Each rule that abilities restrict: what it holds without them, and they."""
        self.always = tuple(self._always(rule) for rule in program.always)
        calm = calm_rows(program)
        self.routines = tuple(self._routine(r, calm[i]) for i, r in enumerate(program.routines))
        self.set_up = self.routine_index[program.set_up]
        self.turn = self.routine_index[program.turn]
        self._tests: dict[tuple[int, Expr], Compiled] = {}

    def _copies(self, entity: p.Entity) -> Copies:
        columns = self.layout.columns
        fields = (i for i, one in enumerate(columns) if one.name.startswith(f"{entity.name}."))
        zones = ((i, one.kind) for i, one in enumerate(columns) if one.kind != "field")
        of = {zone.name for zone in self.program.zones if zone.of == entity.name}
        items = tuple(name.partition("#")[0] for name in entity.names)
        return Copies(
            items, tuple(fields), tuple((i, kind) for i, kind in zones if columns[i].name in of)
        )

    def column_of(self, type_text: str) -> int | None:
        """The column that is none for an entity of this type that is not there; None if always
        there."""
        entity = self.entities.get(Type.parse(type_text).name)
        if entity is None or not entity.present:
            return None
        return self.layout.index[f"{entity.name}.{entity.present}"]

    def test(self, slot: int, expr: Expr) -> Compiled:
        """One condition as `f(w, e, s, g, candidate)`; made when somebody first asks for a
        reason."""
        key = (slot, expr)
        if key not in self._tests:
            self._tests[key] = self.codegen.test(slot, expr)
        return self._tests[key]

    def _operation(self, number: int, info: p.OperationInfo) -> LinkedOperation:
        columns = ((i, self.column_of(t)) for i, (_, t) in enumerate(info.params))
        names = [name for name, _ in info.params]
        return LinkedOperation(
            info,
            self.driver.operations[info.name] if info.sets is None else None,
            tuple(map(self._assignment, info.sets or ())),
            self.codegen.values(
                ("list", a.of, a.key or ("value", None), a.value) for a in info.sets or ()
            ),
            tuple((i, column) for i, column in columns if column is not None),
            tuple(-1 if name == "result" else names.index(name) for name in info.touches),
            number,
            self._maker(info.makes) if info.makes else None,
            tuple(map(self._move, info.moves)),
            self.codegen.values(move.owner or ("value", None) for move in info.moves),
        )

    def _maker(self, name: str) -> LinkedMaker:
        entity, index = self.entities[name], self.layout.index
        begins = (
            (index[column], FrozenMap() if field.by else field.initial)
            for field in entity.fields
            if (column := f"{name}.{field.name}") in index
        )
        return LinkedMaker(entity.plural, index[f"{name}.{entity.present}"], tuple(begins))

    def _move(self, move: p.Move) -> LinkedMove:
        entity = self.zones[move.zone].of
        columns = (
            (self.layout.index[zone.name], zone) for zone in self.program.zones if zone.of == entity
        )
        sources = tuple((number, self.layout.columns[number].kind) for number, _ in columns)
        return LinkedMove(move.thing, self.layout.index[move.zone], sources)

    def _assignment(self, one: p.Assignment) -> LinkedAssignment:
        entity, _, name = one.field.partition(".")
        field = next(field for field in self.entities[entity].fields if field.name == name)
        column = self.layout.index[one.field]
        least = -LARGEST if field.low is None else max(field.low, -LARGEST)
        greatest = LARGEST if field.high is None else min(field.high, LARGEST)
        return LinkedAssignment(
            column, one.key is not None, field.low, field.high, field.initial, least, greatest
        )

    def _triggers(self) -> dict[str, tuple[LinkedTrigger, ...]]:
        table: dict[str, tuple[LinkedTrigger, ...]] = {}
        for number, t in enumerate(self.program.triggers):
            where = self.codegen.value(t.where) if t.where is not None else None
            linked = LinkedTrigger(
                number,
                where,
                t.timing == "immediately",
                t.once_per_turn,
                self.routine_index[t.routine],
            )
            table[t.event] = (*table.get(t.event, ()), linked)
        return table

    def _replacements(self) -> dict[str, tuple[LinkedReplacement, ...]]:
        table: dict[str, tuple[LinkedReplacement, ...]] = {}
        for one in self.program.replacements:
            linked = LinkedReplacement(
                one.id, self._maybe(one.where), self.routine_index[one.routine]
            )
            table[one.operation] = (*table.get(one.operation, ()), linked)
        return table

    def _always(self, rule: p.Always) -> LinkedAlways:
        return LinkedAlways(
            rule.name,
            self.codegen.options(0, rule.domain, (rule.when,)),
            self.operations[rule.operation],
            self.codegen.values(rule.args),
            tuple(self.layout.index[name] for name in rule.reads),
        )

    def _routine(self, routine: p.Routine, calm: Calm) -> LinkedRoutine:
        steps = tuple(self._step(row) for row in routine.rows)
        blank = (None,) * len(routine.slots)
        stretches = Stretches(routine, self.codegen)
        return LinkedRoutine(
            routine.id, steps, stretches, routine.rows, *calm, blank, routine.result, routine.slots
        )

    def _maybe(self, expr: Expr | None) -> Compiled | None:
        return None if expr is None else self.codegen.value(expr)

    def _options(
        self, slot: int, type_text: str, domain: Expr, conditions: tuple[p.Condition, ...]
    ) -> Compiled:
        tests: list[Expr] = [c.test for c in conditions]
        entity = self.entities.get(type_text)
        if entity is not None and entity.present:
            there: Expr = ("field", f"{entity.name}.{entity.present}", ("slot", slot))
            tests.insert(0, ("not", ("is_none", there)))
        return self.codegen.options(slot, domain, tests)

    def _step(self, row: p.Row) -> Step:
        value = self.codegen.value
        match row:
            case p.Let() | p.SetScope() | p.Jump() | p.JumpUnless():
                return (PLAIN,)
            case p.Choose():
                options = self._options(row.slot, row.type, row.domain, row.conditions)
                limit, by, default = map(self._maybe, (row.limit, row.by, row.default))
                return (CHOOSE, options, row.count, limit, row.or_none, by, default)
            case p.Ask():
                # The places of what a choice has, too, are those of a choice.
                return (
                    ASK,
                    row.slot,
                    "one",
                    None,
                    row.or_none,
                    self._maybe(row.by),
                    self._maybe(row.default),
                )
            case p.Modal():
                return (MODAL, tuple(self._mode(mode) for mode in row.modes), self._maybe(row.by))
            case p.Secret():
                options = self._options(row.candidate_slot, row.type, row.domain, row.conditions)
                return (SECRET, row.slot, value(row.players), row.player_slot, options)
            case p.Roll():
                each = type(row) is p.RollEach
                return (
                    ROLL,
                    row.slot,
                    value(row.count),
                    value(row.sides),
                    self._maybe(row.by),
                    each,
                )
            case p.Draw():
                return (
                    DRAW,
                    row.slot,
                    self.layout.index[row.pile],
                    row.zone,
                    self._maybe(row.owner),
                )
            case p.Pick():
                return (PICK, row.slot, self._options(row.slot, row.type, row.domain, ()))
            case p.Operate():
                operation, others = (
                    self.operations[row.operation],
                    self.replacements.get(row.operation, ()),
                )
                return (OPERATE, operation, self.codegen.given_values(row.args), row.slot, others)
            case p.Use():
                return (
                    USE,
                    self.routine_index[row.routine],
                    self.codegen.kept_values(row.args),
                    row.slot,
                )
            case p.UsePower():
                scope = tuple((self.scope_index[name], value(e)) for name, e in row.scope)
                return (POWER, row.entity, value(row.of), scope)
            case p.Relax():
                return (RELAX, frozenset(row.rules))
            case p.Ensure():
                return (ENSURE, value(row.condition), row.reason)
            case p.Say():
                return (SAY, row.text)
            case p.Finish():
                return (FINISH, self._maybe(row.winner), row.reason)
            case _:
                return (RETURN,)

    def _mode(self, mode: p.Mode) -> tuple[Compiled | None, int]:
        return self._maybe(conjunction([one.test for one in mode.conditions])), mode.to


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, list | tuple) else value


def _check_binding(program: Program, driver: Driver) -> None:
    """Hold the driver's functions against the vocabulary: none missing, none extra, each of the
    right arity."""
    queries = {q.name: len(q.params) for q in program.queries if not q.of}
    operations = {o.name: len(o.params) for o in program.operations if o.sets is None}
    bound: tuple[tuple[str, dict[str, int], Mapping[str, Callable[..., Any]]], ...] = (
        ("query", queries, driver.queries),
        ("operation", operations, driver.operations),
    )
    for kind, wanted, found in bound:
        for word, names in (
            ("no", wanted.keys() - found.keys()),
            ("an extra", found.keys() - wanted.keys()),
        ):
            if names and not (driver.spare and word != "no"):
                listed = ", ".join(sorted(names))
                raise RuntimeFault(f"the driver of {program.game} binds {word} {kind} {listed}")
        for name, arity in wanted.items():
            _check_arity(program, f"{kind} {name}", found[name], arity + 1)


def _check_arity(program: Program, what: str, function: Callable[..., Any], wanted: int) -> None:
    try:
        signature(function).bind(*range(wanted))
    except TypeError:
        raise RuntimeFault(
            f"the driver of {program.game} binds {what} to a function that does not take the world and "
            f"{wanted - 1} arguments"
        ) from None
