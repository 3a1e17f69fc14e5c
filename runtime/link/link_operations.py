"""Linked operations: the driver's function, or the columns that are set instead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import signature

from ruleloom.runtime.link.codegen import Codegen
from ruleloom.runtime.link.steps import (
    LinkedAssignment,
    LinkedMaker,
    LinkedMove,
    LinkedOperation,
)
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program import values as v
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.values import Driver, Layout, Type, Value, World


class ProgramIndex:
    """A program with its driver for the players of one game: what its names stand for."""

    def __init__(self, program: Program, layout: Layout, driver: Driver) -> None:
        check_binding(program, driver)
        self.program, self.layout, self.driver = program, layout, driver
        self.scope_index = {v.name: i for i, v in enumerate(program.scope)}
        self.zones = {z.name: z for z in program.zones}
        self.entities = {e.name: e for e in program.entities}
        self.routine_index = {r.id: i for i, r in enumerate(program.routines)}

    def column_of(self, type_text: str) -> int | None:
        """The column that is none for an absent entity of this type; None if always present."""
        entity = self.entities.get(Type.parse(type_text).name)
        if entity is None or not entity.present:
            return None
        return self.layout.index[f"{entity.name}.{entity.present}"]

    def is_gone(self, type_: Type, value: Value, world: World) -> bool:
        """Is this a thing that is not there in a world?"""
        column = self.column_of(str(type_))
        return column is not None and value is not None and world[column][value] is None


def link_operations(index: ProgramIndex, codegen: Codegen) -> dict[str, LinkedOperation]:
    """The operations of a vocabulary by name."""
    return {info.name: _operation(index, codegen, info) for info in index.program.operations}


def _operation(index: ProgramIndex, codegen: Codegen, info: p.OperationInfo) -> LinkedOperation:
    sets = info.sets or ()
    places = {name: place for place, (name, _) in enumerate(info.params)} | {"result": -1}
    return LinkedOperation(
        info,
        _driven(index, info) if info.sets is None else None,
        tuple(_assignment(index, one) for one in sets),
        codegen.values(("list", a.of, a.key or ("value", None), a.value) for a in sets),
        _vanishing(index, info),
        tuple(places[name] for name in info.touches),
        _maker(index, info.makes) if info.makes else None,
        tuple(_move(index, move) for move in info.moves),
        codegen.values(move.owner or ("value", None) for move in info.moves),
    )


def _driven(index: ProgramIndex, info: p.OperationInfo) -> v.Operation:
    """The driver's function; of what it brings into play, fields that it knows nothing of begin anew."""
    function = index.driver.operations[info.name]
    entity = index.entities.get(Type.parse(info.result).name) if info.result else None
    if entity is None or not entity.present:
        return function
    begins = []
    for field in entity.fields:
        column = index.layout.index.get(f"{entity.name}.{field.name}")
        # One without a value to begin with has been given its values by the driver.
        known = field.initial is None and not field.by and not Type.parse(field.type).optional
        if column is not None and not known and f"{entity.name}.{field.name}" not in info.changes:
            begins.append((column, v.FrozenMap() if field.by else field.initial))
    return _beginning(function, index.layout.index[f"{entity.name}.{entity.present}"], begins)


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


def _vanishing(index: ProgramIndex, info: p.OperationInfo) -> tuple[tuple[int, int], ...]:
    single = ((i, type_) for i, (_, type_) in enumerate(info.params) if not Type.parse(type_).many)
    columns = ((i, index.column_of(type_)) for i, type_ in single)
    return tuple((i, column) for i, column in columns if column is not None)


def _maker(index: ProgramIndex, name: str) -> LinkedMaker:
    entity, columns = index.entities[name], index.layout.index
    begins = (
        (columns[column], v.FrozenMap() if field.by else field.initial)
        for field in entity.fields
        if (column := f"{name}.{field.name}") in columns
    )
    return LinkedMaker(entity.plural, columns[f"{name}.{entity.present}"], tuple(begins))


def _move(index: ProgramIndex, move: p.Move) -> LinkedMove:
    entity, columns = index.zones[move.zone].of, index.layout.index
    return LinkedMove(move.thing, columns[move.zone], zones_of(index, entity))


def zones_of(index: ProgramIndex, entity: str) -> tuple[tuple[int, str], ...]:
    """The columns of all zones in which things of this kind may lie, each with its kind."""
    columns = index.layout.index
    sources = (columns[zone.name] for zone in index.program.zones if zone.of == entity)
    return tuple((number, index.layout.columns[number].kind) for number in sources)


def _assignment(index: ProgramIndex, one: p.Assignment) -> LinkedAssignment:
    entity, _, name = one.field.partition(".")
    field = next(field for field in index.entities[entity].fields if field.name == name)
    least = -v.LARGEST if field.low is None else max(field.low, -v.LARGEST)
    greatest = v.LARGEST if field.high is None else min(field.high, v.LARGEST)
    column, bounds = index.layout.index[one.field], (field.low, field.high)
    return LinkedAssignment(column, one.key is not None, *bounds, field.initial, least, greatest)


def check_binding(program: Program, driver: Driver) -> None:
    """Refuse a driver with a function missing, to spare, or of the wrong arity."""
    queries = {q.name: len(q.params) for q in program.queries if not q.of}
    operations = {o.name: len(o.params) for o in program.operations if o.sets is None}
    wrong = f"the driver of {program.game} binds"
    for kind, wanted, bound in (
        ("query", queries, driver.queries),
        ("operation", operations, driver.operations),
    ):
        missing, extra = wanted.keys() - bound.keys(), bound.keys() - wanted.keys()
        if missing:
            raise RuntimeFault(f"{wrong} no {kind} {', '.join(sorted(missing))}")
        if extra and not driver.spare:
            raise RuntimeFault(f"{wrong} an extra {kind} {', '.join(sorted(extra))}")
        for name, arity in wanted.items():
            if not _takes(bound[name], arity + 1):
                takes = f"to a function that does not take the world and {arity} arguments"
                raise RuntimeFault(f"{wrong} {kind} {name} {takes}")


def _takes(function: Callable[..., object], arguments: int) -> bool:
    try:
        signature(function).bind(*range(arguments))
    except TypeError:
        return False
    return True
