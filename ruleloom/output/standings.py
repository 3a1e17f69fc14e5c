"""Named things with their belongings: a card with what is written on it.

A thing's belongings are what a query by field finds for it (`of: Tag.hangs_on`), where that field
is the presence field of the other kind; they are grouped by its first enum field.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import field_words, title_text
from ruleloom.runtime.play.corrections import things_there
from ruleloom.runtime.program.program import Entity, QueryInfo
from ruleloom.runtime.program.values import Type, World


@dataclass(frozen=True, slots=True)
class Standing:
    """A named thing that is still there, with its belongings, list by list."""

    title: str
    note: str
    lists: tuple[tuple[str, tuple[str, ...]], ...]


def owned_kinds(linked: Linked) -> frozenset[str]:
    """The kinds of things that belong to others which people have named, and are told with them."""
    return frozenset(
        query.of.partition(".")[0] for one in _owners(linked) for query in _lists(linked, one)
    )


def _owners(linked: Linked) -> list[Entity]:
    return [
        one for one in linked.program.entities if one.name in linked.layout.named and one.present
    ]


def standings(linked: Linked, world: World) -> Iterator[Standing]:
    """All named things that are there and belong to no others, with what belongs to them."""
    owned = owned_kinds(linked)
    for entity in _owners(linked):
        if entity.name not in owned:
            for thing in things_there(linked, world, entity).values():
                title = title_text(linked, world, Type(entity.name), thing)
                yield Standing(
                    title,
                    _whose(linked, world, entity, thing),
                    belongings(linked, world, entity, thing),
                )


def belongings(
    linked: Linked, world: World, entity: Entity, thing: int
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The belongings of a named thing: the title and names of each list."""
    if entity.name not in linked.layout.named:
        return ()
    found = (
        pair for query in _lists(linked, entity) for pair in _by_sort(linked, world, query, thing)
    )
    return tuple((title, tuple(names)) for title, names in found)


def _lists(linked: Linked, entity: Entity) -> list[QueryInfo]:
    """The questions that find what belongs to such a thing."""
    found = []
    for query in linked.program.queries:
        kind, _, name = query.of.partition(".")
        part = linked.entities.get(kind)
        if (
            part is not None
            and part.present == name
            and [t for _, t in query.params] == [entity.name]
        ):
            found.append(query)
    return found


def _whose(linked: Linked, world: World, entity: Entity, thing: int) -> str:
    """The value that says that a thing is there: who keeps it, or where it is."""
    info = next(one for one in entity.fields if one.name == entity.present)
    value = world[linked.layout.index[f"{entity.name}.{entity.present}"]][thing]
    shown = title_text(linked, world, Type.parse(info.type).present, value)
    return f"{field_words(linked, entity.present)}: {shown}"


def _by_sort(
    linked: Linked, world: World, query: QueryInfo, owner: int
) -> Iterator[tuple[str, list[str]]]:
    """What belongs to a thing, by the first of its fields that sorts it into a few sorts."""
    kind = query.of.partition(".")[0]
    column = world[linked.layout.index[query.of]]
    names = {
        number: title_text(linked, world, Type(kind), number)
        for number, value in enumerate(column)
        if value == owner
    }
    fields, enums = linked.entities[kind].fields, linked.layout.enums
    sort = next((one for one in fields if one.type in enums), None)
    if sort is None:
        yield field_words(linked, query.name), list(names.values())
        return
    sorts = world[linked.layout.index[f"{kind}.{sort.name}"]]
    for option in enums[sort.type]:
        sorted_so = [name for number, name in names.items() if sorts[number] == option]
        if sorted_so:
            yield option, sorted_so
