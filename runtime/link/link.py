"""A program ready to run: expressions as functions, names as numbers.

Linking fixes the players and the settings of one game. Rows run unchanged: their expressions are
compiled on first use, since most games use few of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from inspect import signature
from typing import TypeVar

from ruleloom.runtime.analysis.derived_variables import DerivedVariables
from ruleloom.runtime.analysis.rows import LiveSlots, LiveVariables, SafePoints
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.codegen import BasicBlocks, Codegen
from ruleloom.runtime.link.ops import kept, without_member
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program import values as v
from ruleloom.runtime.program.expr import OfPart, conjunction
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.interval import lies_within
from ruleloom.runtime.program.language import ENGLISH, Language
from ruleloom.runtime.program.program import Expr, Program
from ruleloom.runtime.program.values import (
    CandidateTest,
    Compiled,
    Driver,
    Dynamic,
    Layout,
    Type,
    Value,
    World,
    ends_name,
)

T = TypeVar("T")


@dataclass(frozen=True)
class LinkedAssignment:
    """A column to set, or a table entry in it (`keyed`), which does not store `unset`.

    `low` and `high` bound a number; whole ones always lie between `least` and `greatest`.
    """

    column: int
    keyed: bool
    low: int | None
    high: int | None
    unset: Value
    least: int
    greatest: int

    def hold(self, value: Value) -> None:
        """Raise RuntimeFault for a number, or one in a list, outside the field's bounds."""
        for number in value if isinstance(value, tuple) else (value,):
            if isinstance(number, int | Fraction) and not isinstance(number, bool):
                kept(number)
                if not lies_within(number, self.low, self.high):
                    low, high = ("any" if one is None else one for one in (self.low, self.high))
                    raise RuntimeFault(f"a value of {number} for a field of {low} to {high}")


@dataclass(frozen=True)
class LinkedMaker:
    """Brings a thing into play: `begins` are its columns with their initial values.

    `present` is the column that is none while a thing is absent.
    """

    plural: str
    present: int
    begins: tuple[tuple[int, Value], ...]


@dataclass(frozen=True)
class LinkedMove:
    """A moved argument, its destination column, and the columns where it may lie, with kinds."""

    thing: int
    column: int
    sources: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class LinkedOperation:
    """An operation of the driver (`function`), or one defined by `sets` and `moves`.

    `entities` are (argument, column) pairs: an argument whose column entry is none has vanished.
    `becomes` gives the thing, the key or none, and the value for each of `sets`; `owners` the
    destination owner of each of `moves`.
    """

    info: p.OperationInfo
    function: v.Operation | None
    sets: tuple[LinkedAssignment, ...]
    becomes: Compiled[tuple[tuple[int, Value, Value], ...]]
    entities: tuple[tuple[int, int], ...]
    touches: tuple[int, ...]
    maker: LinkedMaker | None
    moves: tuple[LinkedMove, ...]
    owners: Compiled[tuple[int | None, ...]]


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
    """The distinctions of copies: the item of each, and the columns (of zones with kinds)."""

    items: tuple[str, ...]
    fields: tuple[int, ...]
    zones: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class LinkedRoutine:
    """One routine: `blocks` of `rows` run; `blank` holds the initial slots."""

    id: str
    blocks: BasicBlocks
    rows: tuple[p.Row, ...]
    calm: tuple[bool, ...]
    barred: tuple[bool, ...]
    blank: tuple[None, ...]
    result: int
    names: tuple[str, ...]


class LinkedRoutines(dict[int, LinkedRoutine]):
    """The routines by number, linked on demand: most games use few of them."""

    def __init__(self, program: Program, codegen: Codegen) -> None:
        super().__init__()
        self.program = program
        self.codegen = codegen
        self.safe_points = SafePoints(program)

    def __missing__(self, number: int) -> LinkedRoutine:
        one = self.program.routines[number]
        blocks, calm = BasicBlocks(one, self.codegen), self.safe_points[number]
        blank = (None,) * len(one.slots)
        found = LinkedRoutine(one.id, blocks, one.rows, *calm, blank, one.result, one.slots)
        self[number] = found
        return found


class Linked:
    """A program with its driver, players and settings for one game, all names resolved."""

    def __init__(
        self,
        program: Program,
        layout: Layout,
        driver: Driver,
        settings: Mapping[str, Dynamic],
        codegen: Callable[..., Codegen] = Codegen,
        language: Language = ENGLISH,
        original: Linked | None = None,
    ) -> None:
        check_binding(program, driver)
        self.language = language
        self._original = original
        self.readings: dict[str, Linked] = {}
        """The same game for readers of other languages, by their codes."""
        self.program, self.layout, self.driver = program, layout, driver
        self.scope_index = {v.name: i for i, v in enumerate(program.scope)}
        self.zones = {z.name: z for z in program.zones}
        self.entities = {e.name: e for e in program.entities}
        self.routine_index = {r.id: i for i, r in enumerate(program.routines)}
        self.live = LiveSlots(program)
        self.settings = dict(settings)
        self.ends = _ends(self.zones, layout)
        self.codegen = codegen(program, layout, driver, settings)
        # Compiled expressions, by identity: of one, of several values to store, and of an
        # operation's arguments.
        self.functions: dict[int, Compiled[Dynamic]] = {}
        self._asked: list[Expr] = []  # keeps them alive, so that their ids stay unique
        self.kept = OfPart[tuple[Expr, ...], Compiled[v.Scope]](self.codegen.kept_values)
        self.given = OfPart[tuple[Expr, ...], Compiled[v.Scope]](self.codegen.given_values)
        self.options = OfPart(self._options)
        self.opens = OfPart(self._opens)
        self.initial_scope = tuple(_frozen(v.initial) for v in program.scope)
        self.me = self.scope_index["me"]
        self.together = self.scope_index.get(p.TOGETHER)
        self.doer = self.scope_index.get(p.DOER)
        self.operations = {info.name: _operation(self, info) for info in program.operations}
        self.triggers = _by_name((one.event, one) for one in program.triggers)
        self.replacements = _by_name((one.operation, one) for one in program.replacements)
        self.always = tuple(map(self._always, program.always))
        self.routines = LinkedRoutines(program, self.codegen)
        self.set_up = self.routine_index[program.set_up]
        self.turn = self.routine_index[program.turn]
        self._tests: dict[tuple[int, Expr], CandidateTest] = {}
        self._regardless: dict[tuple[int, int], bool] = {}

    @property
    def original(self) -> Linked:
        """The game in its own words, in which it is kept and its outcome written."""
        return self if self._original is None else self._original

    def compiled(self, expr: Expr) -> Compiled[Dynamic]:
        """An expression of the program as a function, compiled on first use."""
        known = self.functions.get(id(expr))
        if known is None:
            known = self.functions[id(expr)] = self.codegen.value(expr)
            self._asked.append(expr)
        return known

    def _options(self, row: p.Choose | p.Secret | p.Pick) -> Compiled[list[Value]]:
        """The candidates of a row that are present and pass its conditions."""
        slot = row.candidate_slot if isinstance(row, p.Secret) else row.slot
        if isinstance(row, p.Pick):
            tests: list[Expr] = []
        else:
            tests = [one.test for one in row.conditions]
        entity = self.entities.get(row.type)
        if entity is not None and entity.present:
            there: Expr = ("field", f"{entity.name}.{entity.present}", ("slot", slot))
            tests.insert(0, ("not", ("is_none", there)))
        return self.codegen.options(slot, row.domain, tests)

    def _opens(self, row: p.Modal) -> tuple[Compiled[bool] | None, ...]:
        """The test of each mode; None if it is always open."""
        tests = (conjunction([one.test for one in mode.conditions]) for mode in row.modes)
        return tuple([None if test is None else self.codegen.value(test) for test in tests])

    def asks_regardless(self, routine: int, pc: int) -> bool:
        """Is the choice of this row asked even without options, as skipping it would leak that? If one
        is required, the player then answers that nothing fits."""
        key = (routine, pc)
        if key not in self._regardless:
            one = self.program.routines[routine]
            self._regardless[key] = self.derived.asks_regardless(one.id, one.rows[pc])
        return self._regardless[key]

    def column_of(self, type_text: str) -> int | None:
        """The column that is none for an absent entity of this type; None if always present."""
        entity = self.entities.get(Type.parse(type_text).name)
        if entity is None or not entity.present:
            return None
        return self.layout.index[f"{entity.name}.{entity.present}"]

    def is_gone(self, type_: Type, value: Value, world: World) -> bool:
        """Is this a thing absent from a world?"""
        column = self.column_of(str(type_))
        return column is not None and value is not None and world[column][value] is None

    @cached_property
    def derived(self) -> DerivedVariables:
        """The variables derived from hidden information."""
        return DerivedVariables(self.program)

    @cached_property
    def zones_of(self) -> Mapping[str, tuple[tuple[int, str], ...]]:
        """By entity, the columns of all zones that may hold its things, each with its kind."""
        columns = ((zone.of, self.layout.index[zone.name]) for zone in self.program.zones)
        return _by_name((of, (at, self.layout.columns[at].kind)) for of, at in columns)

    @cached_property
    def live_variables(self) -> LiveVariables:
        """The live variables of the game."""
        return LiveVariables(self.program)

    @cached_property
    def turn_scope(self) -> tuple[tuple[int, Value], ...]:
        """The variables of a turn, with their initial values."""
        scope = enumerate(self.program.scope)
        return tuple((i, self.initial_scope[i]) for i, v in scope if v.life == "turn")

    @cached_property
    def powers(self) -> Mapping[str, tuple[int, ...]]:
        """The routine of each thing's power, by entity; -1 for a thing without one."""
        number = self.routine_index
        return {e.name: tuple(number.get(id, -1) for id in e.powers) for e in self.program.entities}

    @cached_property
    def copies(self) -> Mapping[str, Copies]:
        """By entity, the distinctions of copies of one item."""
        columns, found = self.layout.columns, {}
        for e in self.program.entities:
            if e.alike:
                items = tuple(name.partition("#")[0] for name in e.names)
                fields = (i for i, c in enumerate(columns) if c.name.startswith(f"{e.name}."))
                found[e.name] = Copies(items, tuple(fields), self.zones_of.get(e.name, ()))
        return found

    @cached_property
    def replaced(self) -> dict[int, tuple[LinkedOperation, p.Replacement]]:
        """By replacement routine, the operation that it replaces."""
        return {
            self.routine_index[one.routine]: (self.operations[name], one)
            for name, found in self.replacements.items()
            if name in self.operations
            for one in found
        }

    @cached_property
    def marks(self) -> frozenset[str]:
        """The marks of all replacements."""
        return frozenset(one.id for one in self.program.replacements)

    @cached_property
    def response_routines(self) -> frozenset[int]:
        """The routines that respond to events: of triggers and replacements, and the block of an ability
        that its routine runs for each bearer."""
        responses: tuple[p.Trigger | p.Replacement, ...]
        responses = (*self.program.triggers, *self.program.replacements)
        ids = {one.id for one in self.program.triggers}
        blocks = (number for id, number in self.routine_index.items() if id in ids)
        return frozenset((*(self.routine_index[one.routine] for one in responses), *blocks))

    @cached_property
    def presence(self) -> tuple[int, ...]:
        """The columns that are none for absent things."""
        numbers = map(self.column_of, self.entities)
        return tuple(number for number in numbers if number is not None)

    @cached_property
    def watched(self) -> frozenset[int]:
        """The variables that always-rules read."""
        rules = (expr for rule in self.program.always for expr in (rule.domain, rule.when))
        names = (name for expr in rules for name in self.codegen.reads(expr).scope)
        return frozenset(self.scope_index[name] for name in names)

    @cached_property
    def unseen(self) -> frozenset[int]:
        """The columns that are not public: nothing looks back to them."""
        names = [one.name for one in self.program.zones if one.seen_by != "all"]
        index = self.layout.index
        return frozenset(index[n] for one in names for n in (one, ends_name(one)) if n in index)

    @cached_property
    def bodies(self) -> Mapping[str, Expr]:
        """The expression of each function, by its id."""
        return {f.id: f.body for f in self.program.functions}

    @cached_property
    def restricted(self) -> Mapping[str, tuple[Expr, tuple[p.Modifier, ...]]]:
        """The rules that abilities restrict: the base of each, and its restrictions."""
        return {
            stat.id: (stat.base, stat.modifiers)
            for stat in self.program.stats
            if any(one.change == "not" for one in stat.modifiers)
        }

    def test(self, slot: int, expr: Expr) -> CandidateTest:
        """An expression as a function of a candidate in `slot`; compiled on demand."""
        key = (slot, expr)
        if key not in self._tests:
            self._tests[key] = self.codegen.test(slot, expr)
        return self._tests[key]

    def _always(self, rule: p.Always) -> LinkedAlways:
        offenders = self.codegen.options(0, rule.domain, (rule.when,))
        operation, args = self.operations[rule.operation], self.codegen.values(rule.args)
        reads = tuple(self.layout.index[name] for name in rule.reads)
        return LinkedAlways(rule.name, offenders, operation, args, reads)


def _ends(zones: Iterable[str], layout: Layout) -> dict[int, int]:
    """The columns of zones with ends, each with the column of its ends."""
    ends = ((zone, layout.index.get(ends_name(zone))) for zone in zones)
    return {layout.index[zone]: at for zone, at in ends if at is not None}


def _by_name(pairs: Iterable[tuple[str, T]]) -> dict[str, tuple[T, ...]]:
    found: dict[str, tuple[T, ...]] = {}
    for name, one in pairs:
        found[name] = (*found.get(name, ()), one)
    return found


def _frozen(value: Value | list[Value]) -> Value:
    return tuple(_frozen(v) for v in value) if isinstance(value, list | tuple) else value


def _operation(linked: Linked, info: p.OperationInfo) -> LinkedOperation:
    sets = info.sets or ()
    places = {name: place for place, (name, _) in enumerate(info.params)} | {"result": -1}
    return LinkedOperation(
        info,
        _driven(linked, info) if info.sets is None else None,
        tuple(_assignment(linked, one) for one in sets),
        linked.codegen.values(("list", a.of, a.key or ("value", None), a.value) for a in sets),
        _vanishing(linked, info),
        tuple(places[name] for name in info.touches),
        _maker(linked, info.makes) if info.makes else None,
        tuple(_move(linked, move) for move in info.moves),
        linked.codegen.values(move.owner or ("value", None) for move in info.moves),
    )


def _has_given_value(field: p.FieldInfo) -> bool:
    """Does the driver alone set a field, which has no initial value?"""
    return field.initial is None and not field.by and not Type.parse(field.type).optional


def _driven(linked: Linked, info: p.OperationInfo) -> v.Operation:
    """The driver's function, extended to initialise the fields of a new thing that it does not set."""
    function = _taking(linked, info, linked.driver.operations[info.name])
    entity = linked.entities.get(Type.parse(info.result).name) if info.result else None
    if entity is None or not entity.present:
        return function
    begins = []
    for field in entity.fields:
        column = linked.layout.index.get(f"{entity.name}.{field.name}")
        changed = f"{entity.name}.{field.name}" in info.changes
        if column is not None and not changed and not _has_given_value(field):
            begins.append((column, v.FrozenMap() if field.by else field.initial))
    return _beginning(function, linked.layout.index[f"{entity.name}.{entity.present}"], begins)


def _taking(linked: Linked, info: p.OperationInfo, function: v.Operation) -> v.Operation:
    """The driver's function, before which things leave the zones that the driver does not know."""
    columns = linked.layout.index
    taken = [
        (number, columns[zone.name], kind)
        for zone in linked.program.zones
        for number, (_, type_) in enumerate(info.params)
        for column, kind in linked.zones_of[zone.of]
        if zone.beside and zone.of == type_ and column == columns[zone.name]
        if zone.name in info.changes
    ]

    def performed(world: World, *args: Value) -> Dynamic:
        for number, column, kind in taken:
            left = without_member(world[column], kind, args[number])
            if left is not world[column]:
                world = v.with_entry(world, column, left)
        return function(world, *args)

    return performed if taken else function


def _beginning(
    function: v.Operation, present: int, begins: Sequence[tuple[int, Value]]
) -> v.Operation:
    def performed(world: World, *args: Value) -> tuple[World, Value]:
        after, thing = function(world, *args)
        if thing is None or world[present][thing] is not None:
            return after, thing
        columns = list(after)
        for number, initial in begins:
            if columns[number][thing] is not initial:
                columns[number] = v.with_entry(columns[number], thing, initial)
        return tuple(columns), thing

    return performed if begins else function


def _vanishing(linked: Linked, info: p.OperationInfo) -> tuple[tuple[int, int], ...]:
    single = ((i, type_) for i, (_, type_) in enumerate(info.params) if not Type.parse(type_).many)
    columns = ((i, linked.column_of(type_)) for i, type_ in single)
    return tuple((i, column) for i, column in columns if column is not None)


def _maker(linked: Linked, name: str) -> LinkedMaker:
    entity, columns = linked.entities[name], linked.layout.index
    begins = (
        (columns[column], v.FrozenMap() if field.by else field.initial)
        for field in entity.fields
        if (column := f"{name}.{field.name}") in columns
    )
    return LinkedMaker(entity.plural, columns[f"{name}.{entity.present}"], tuple(begins))


def _move(linked: Linked, move: p.Move) -> LinkedMove:
    entity, columns = linked.zones[move.zone].of, linked.layout.index
    return LinkedMove(move.thing, columns[move.zone], linked.zones_of[entity])


def _assignment(linked: Linked, one: p.Assignment) -> LinkedAssignment:
    entity, _, name = one.field.partition(".")
    field = next(field for field in linked.entities[entity].fields if field.name == name)
    least = -v.LARGEST if field.low is None else max(field.low, -v.LARGEST)
    greatest = v.LARGEST if field.high is None else min(field.high, v.LARGEST)
    column, bounds = linked.layout.index[one.field], (field.low, field.high)
    return LinkedAssignment(column, one.key is not None, *bounds, field.initial, least, greatest)


def check_binding(program: Program, driver: Driver) -> None:
    """Refuse a driver with a missing or extra function, or a wrong arity."""
    for _, fault in binding_faults(program, driver):
        raise RuntimeFault(f"the driver of {program.game} binds {fault}")


def binding_faults(program: Program, driver: Driver) -> Iterator[tuple[str, str]]:
    """Each wrong binding of a driver: the name in the vocabulary, and what is bound."""
    queries = {q.name: len(q.params) for q in program.queries if not q.of}
    operations = {o.name: len(o.params) for o in program.operations if o.sets is None}
    yield from _faults("query", queries, driver.queries, driver.spare)
    yield from _faults("operation", operations, driver.operations, driver.spare)


def _faults(
    kind: str, wanted: Mapping[str, int], bound: Mapping[str, Dynamic], spare: bool
) -> Iterator[tuple[str, str]]:
    yield from ((name, f"no {kind} {name}") for name in sorted(wanted.keys() - bound.keys()))
    if not spare:
        extra = sorted(bound.keys() - wanted.keys())
        yield from ((name, f"an extra {kind} {name}") for name in extra)
    for name in sorted(wanted.keys() & bound.keys()):
        arity = wanted[name]
        if not _takes(bound[name], arity + 1):
            takes = f"to a function that does not take the world and {arity} arguments"
            yield name, f"{kind} {name} {takes}: it takes {signature(bound[name])}"


def _takes(function: Callable[..., object], arguments: int) -> bool:
    try:
        signature(function).bind(*range(arguments))
    except TypeError:
        return False
    return True
