"""Queries that a vocabulary answers itself: things by the value of a field, `of: Piece.owner`.

The index of a field is kept until the field changes: asking about each of many reads it once.
"""

from __future__ import annotations

from collections import defaultdict

from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Program, QueryInfo
from ruleloom.runtime.program.values import Column, Layout, Query, Value, World

Found = dict[tuple[Value, ...], tuple[int, ...]]


def by_field(program: Program, query: QueryInfo, layout: Layout) -> Query:
    """The query for one value of the field, or for all but none; RuntimeFault beyond its `most`."""
    entity = program.entity(query.of.partition(".")[0])
    column = layout.index[query.of]
    there = layout.index[f"{entity.name}.{entity.present}"] if entity.present else column
    held: tuple[Column, Column, Found] = (None, None, {})

    def ask(world: World, *wanted: Value) -> tuple[int, ...]:
        nonlocal held
        values, present, kept = held
        if world[column] is not values or world[there] is not present:
            kept = _gathered(world, column, there)
            held = (world[column], world[there], kept)
        found = kept.get(wanted, ())
        if query.most is not None and len(found) > query.most:
            raise RuntimeFault(f"more than {query.most} {entity.plural} for `{query.name}`")
        return found

    return ask


def _gathered(world: World, column: int, there: int) -> Found:
    """All that is there, by the value of the field; and all whose field is not none, by nothing."""
    found: dict[tuple[Value, ...], list[int]] = defaultdict(list)
    values = world[column]
    every = [number for number, present in enumerate(world[there]) if present is not None]
    for number in every:
        found[values[number],].append(number)
    found.pop((None,), None)
    found[()] = [number for number in every if values[number] is not None]
    return {key: tuple(numbers) for key, numbers in found.items()}
