"""Number queries, such as `PR` or `score(Str)`, and the things they are about.

A query that fits nothing is a `WrongUse` that says what would fit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from os.path import realpath
from pathlib import Path
from typing import Any

from ruleloom.cli.faults import WrongUse
from ruleloom.cli.why.typed_values import find_thing, things_in, typed_value
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.program import Entity, Function
from ruleloom.runtime.program.texts import read_call
from ruleloom.runtime.program.values import Type
from ruleloom.store.rule_sources import NumberItem, RuleSources

FIELD_NAME = re.compile(r"(?:([\w-]+):)?(?:([\w-]+)/)?([A-Za-z][\w-]*)(?:\.([\w.-]+))?")
FilesOfPacks = set[tuple[str, str]]
"""Files, each as its pack and the path within it."""


@dataclass(frozen=True, slots=True)
class NumberQuery:
    """A function of the rules, its name and item, parameter types, and the values typed in parentheses."""

    function: Function
    slug: str
    item: NumberItem
    types: tuple[Type, ...]
    typed: tuple[str, ...]


def is_field(words: str) -> bool:
    """Do these words name an item or a field, not a number that the rules compute?"""
    return bool(re.search(r"[./:]", words)) and FIELD_NAME.fullmatch(words) is not None


def pack_in(words: str) -> str | None:
    """The pack that is named in front of an item."""
    match = FIELD_NAME.fullmatch(words)
    return match[1] if match else None


def parse_number_query(words: str, sources: RuleSources, linked: Linked) -> NumberQuery:
    """The query that some words mean."""
    call = read_call(words)
    if call is None or "." in call.name:
        help = 'write its name, and values in parentheses: "score(Str)"'
        raise WrongUse(f"`{words}` is not the name of a number", help)
    items = sources.numbers
    name = call.name.replace("-", "_")
    same = [one for one in items if one.lower() == name.lower()]
    slug = name if name in items else same[0] if len(same) == 1 else None
    if slug is None:
        help = did_you_mean(call.name, items) or choices_text(name, list(items))
        raise WrongUse(f"there is no stat, measure, rule or table `{call.name}`", help)
    item = items[slug]
    function = next(one for one in linked.program.functions if one.id == item.id)
    return NumberQuery(
        function, slug, item, tuple(map(Type.parse, function.param_types)), call.words
    )


def query_arguments(
    number: NumberQuery, path: str, of: str | None, files: FilesOfPacks, linked: Linked
) -> list[tuple[Any, ...]]:
    """The arguments of each call: one call for each thing that the number is about."""
    slug, types = number.slug, number.types
    entity = linked.entities.get(types[0].name) if types and not types[0].many else None
    if entity is None or not entity.places:
        if of is not None:
            raise WrongUse(f"`{slug}` is not a number of things that packs make: leave out --of")
        return [_values(number, 0, linked)]
    if len(number.typed) == len(types) and of is None:
        return [_values(number, 0, linked)]
    rest = _values(number, 1, linked)
    return [(one, *rest) for one in _things(entity, path, of, files)]


def _values(number: NumberQuery, first: int, linked: Linked) -> tuple[Any, ...]:
    """The values in parentheses, for the parameters from `first` on."""
    slug, names, types = number.slug, number.function.params[first:], number.types[first:]
    if len(names) != len(number.typed):
        shape = f"{slug}({', '.join(names)})" if names else slug
        wanted = f"{len(names) or 'no'} {'value' if len(names) == 1 else 'values'} in parentheses"
        given = len(number.typed) or "none"
        raise WrongUse(f"`{slug}` takes {wanted}, not {given}", f'write "{shape}"')
    pairs = zip(names, types, number.typed, strict=True)
    return tuple(typed_value(name, type_, text, linked) for name, type_, text in pairs)


def _things(entity: Entity, path: str, of: str | None, files: FilesOfPacks) -> Sequence[int]:
    """The things defined in the files at a path."""
    found = things_in(entity, files)
    if not found:
        message = f"{path} defines no {entity.singular}"
        raise WrongUse(message, f"name a file that defines {entity.plural}")
    return found if of is None else [find_thing(entity, of, found)]


def files_at(path: str, files: FilesOfPacks, folders: Mapping[str, Path]) -> FilesOfPacks:
    """Those files that lie at a path; for the id of a pack, all of its files."""
    real = Path(realpath(path))
    real_folders = {pack: folder.resolve() for pack, folder in folders.items()}
    inside = {
        (pack, file) for pack, file in files if (real_folders[pack] / file).is_relative_to(real)
    }
    return inside or {(pack, file) for pack, file in files if pack == path}
