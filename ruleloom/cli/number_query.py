"""Number queries: `PR`, `score(Str)`, `fine(swords)`, and the things they are asked of.

A query that fits nothing is a `WrongUse` that says what would.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from os.path import realpath
from pathlib import Path
from typing import Any

from ruleloom.api.call_text import read_call
from ruleloom.cli.faults import WrongUse
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.syntax.parser import parse_params
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import constant
from ruleloom.runtime.program.program import Entity, Function
from ruleloom.runtime.program.values import Type

KINDS = ("stat", "measure", "rule", "table")
WANTED = {"Int": "a whole number", "Fraction": "a number, such as 3 or 1/2", "Bool": "yes or no"}


@dataclass(frozen=True, slots=True)
class NumberQuery:
    """A function of the rules, its parameters, and the values that were typed in parentheses."""

    function: Function
    item: Item
    names: tuple[str, ...]
    types: tuple[Type, ...]
    typed: tuple[str, ...]


def parse_number_query(words: str, content: Content, linked: Linked) -> NumberQuery:
    """Which number is asked for."""
    call = read_call(words)
    if call is None or "." in call.name:
        help = 'write its name, and values in parentheses: "score(Str)"'
        raise WrongUse(f"`{words}` is no number", help)
    items = {item.slug: item for item in content.items if item.kind in KINDS}
    name = call.name.replace("-", "_")
    same = [one for one in items if one.lower() == name.lower()]
    item = items.get(name) or (items[same[0]] if len(same) == 1 else None)
    if item is None:
        help = did_you_mean(call.name, items) or choices_text(name, list(items))
        raise WrongUse(f"there is no stat, measure, rule or table `{call.name}`", help)
    names, types = _params(item)
    function = next(one for one in linked.program.functions if one.id == item.id)
    return NumberQuery(function, item, names, types, call.words)


def _params(item: Item) -> tuple[tuple[str, ...], tuple[Type, ...]]:
    """The parameters of a function that compiled: their names and types."""
    if item.kind == "table":
        return ("by",), (Type.parse(str(item.data("by"))),)
    written = [(one.name, one.type) for one in parse_params(str(item.data("takes") or ""))]
    return (
        tuple(name for name, _ in written),
        tuple(Type(one.name, one.many, one.optional, one.by_player) for _, one in written),
    )


def query_arguments(
    number: NumberQuery, path: str, of: str | None, content: Content, linked: Linked
) -> list[tuple[Any, ...]]:
    """The arguments of each call that is meant: one for each thing that it is asked of."""
    entity = (
        linked.entities.get(number.types[0].name)
        if number.types and not number.types[0].many
        else None
    )
    if entity is None or not entity.places:
        if of is not None:
            raise WrongUse(
                f"`{number.item.slug}` is not a number of things that packs make, so there is no --of"
            )
        return [_values(number, 0, linked)]
    if len(number.typed) == len(number.types) and of is None:
        return [_values(number, 0, linked)]
    rest = _values(number, 1, linked)
    return [(one, *rest) for one in _things(entity, path, of, content)]


def _values(number: NumberQuery, first: int, linked: Linked) -> tuple[Any, ...]:
    """The values in parentheses, for the parameters from `first` on."""
    names, types = number.names[first:], number.types[first:]
    if len(names) != len(number.typed):
        shape = f"{number.item.slug}({', '.join(names)})" if names else number.item.slug
        given = len(number.typed) or "nothing"
        wanted = f"{len(names) or 'no'} {'value' if len(names) == 1 else 'values'} in parentheses"
        raise WrongUse(f"`{number.item.slug}` wants {wanted}, not {given}", f'write "{shape}"')
    return tuple(
        _value(name, type_, text, linked)
        for name, type_, text in zip(names, types, number.typed, strict=True)
    )


def _value(name: str, type_: Type, text: str, linked: Linked) -> Any:
    """A value that was typed for a parameter."""
    entity = linked.entities.get(type_.name)
    nameless = entity is not None and not entity.names and type_.name != "Player"
    if type_.many or type_.by_player or nameless:
        raise WrongUse(f"`{name}` is a {type_}, which cannot be typed here")
    none = type_.optional and text == "none"
    if entity is not None and entity.names and not none:
        return find_thing(entity, text, range(len(entity.names)))
    with suppress(ValueError, KeyError):
        return constant(linked, type_, text)
    options = linked.layout.enums.get(type_.name, ())
    wanted = choices_text(text, options) if options else f"expected {WANTED.get(type_.name, type_)}"
    raise WrongUse(f"`{text}` cannot be `{name}`: {wanted}", did_you_mean(text, options))


def find_thing(entity: Entity, text: str, among: Sequence[int]) -> int:
    """The thing of this name or title."""
    folded = text.replace("_", "-").lower()
    for names in (entity.names, entity.titles):
        found = [number for number in among if names[number].replace("_", "-").lower() == folded]
        if len(found) == 1 or (found and names is entity.names):
            return found[0]
    known = [entity.names[number] for number in among]
    raise WrongUse(
        f"there is no {entity.singular} `{text}`; {choices_text(text, known)}",
        did_you_mean(text, known),
    )


def _things(entity: Entity, path: str, of: str | None, content: Content) -> Sequence[int]:
    """The things that stand in the file, folder or pack at a path."""
    meant = files_at(path, content)
    found = [
        number for number, place in enumerate(entity.places) if (place.pack, place.path) in meant
    ]
    if not found:
        raise WrongUse(
            f"no {entity.singular} stands in {path}", f"name a file in which {entity.plural} stand"
        )
    return found if of is None else [find_thing(entity, of, found)]


def files_at(path: str, content: Content) -> set[tuple[str, str]]:
    """The files at a path, as pack and path; of a shipped pack's id, all of its files."""
    real = Path(realpath(path))
    folders = {pack.id: pack.folder.resolve() for pack in content.packs}
    inside = {
        file for file in content.files.values() if (folders[file[0]] / file[1]).is_relative_to(real)
    }
    return inside or {file for file in content.files.values() if file[0] == path}
