"""Named things with their belongings, such as a card with its tags.

The belongings of a thing are what a query by field finds for it (`of: Tag.hangs_on`), if that field
is the presence field of the other kind; they are grouped by its first enum field.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import field_words, title_text
from ruleloom.runtime.play.corrections import things_there
from ruleloom.runtime.program.program import Entity, QueryInfo
from ruleloom.runtime.program.values import Type, World


@dataclass(frozen=True, slots=True)
class Standing:
    """A named thing that is present, with its belongings, list by list."""

    title: str
    note: str
    lists: tuple[tuple[str, tuple[str, ...]], ...]


def kinds_apart(linked: Linked) -> list[Entity]:
    """The kinds of things that are listed by themselves: not those that belong to things named by
    players."""
    owners = (one for one in linked.program.entities if _is_owner(linked, one))
    owned = {one.of.partition(".")[0] for owner in owners for one in _lists(linked, owner)}
    return [one for one in linked.program.entities if one.name not in owned]


def _is_owner(linked: Linked, entity: Entity) -> bool:
    return entity.name in linked.layout.named and bool(entity.present)


def standings(linked: Linked, world: World) -> Iterator[Standing]:
    """All named things that are present and belong to no others, with their belongings."""
    for entity in kinds_apart(linked):
        if not _is_owner(linked, entity):
            continue
        # The presence field says who keeps a thing, or where it is.
        info = next(one for one in entity.fields if one.name == entity.present)
        places = world[linked.layout.index[f"{entity.name}.{entity.present}"]]
        type_ = Type.parse(info.type).present
        for thing in things_there(linked, world, entity).values():
            title = title_text(linked, world, Type(entity.name), thing)
            shown = title_text(linked, world, type_, places[thing])
            note = f"{field_words(linked, entity.present)}: {shown}"
            yield Standing(title, note, belongings(linked, world, entity, thing))


def belongings(
    linked: Linked, world: World, entity: Entity, thing: int
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The belongings of a named thing: the title and names of each list."""
    if entity.name not in linked.layout.named:
        return ()
    lists = (_by_sort(linked, world, query, thing) for query in _lists(linked, entity))
    return tuple((title, tuple(names)) for titled in lists for title, names in titled)


def _lists(linked: Linked, entity: Entity) -> list[QueryInfo]:
    """The queries that find the belongings of such a thing."""
    found = []
    for query in linked.program.queries:
        kind, _, name = query.of.partition(".")
        part = linked.entities.get(kind)
        of_entity = [type_ for _, type_ in query.params] == [entity.name]
        if part is not None and part.present == name and of_entity:
            found.append(query)
    return found


def _by_sort(
    linked: Linked, world: World, query: QueryInfo, owner: int
) -> Iterator[tuple[str, list[str]]]:
    """The belongings that a query finds, grouped by the first enum field of their kind."""
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
