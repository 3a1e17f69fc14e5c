"""Number queries, such as `PR` or `score(Str)`, the things they apply to, and the patches behind them.

A query without a match raises `WrongUse` with suggestions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from os.path import realpath
from pathlib import Path
from typing import Any, NamedTuple

from ruleloom.cli.faults import WrongUse, several
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.compiler.packs.content import names_with_pack
from ruleloom.runtime.explain.derivation import Reckoning
from ruleloom.runtime.explain.expr_words import printed_reads
from ruleloom.runtime.explain.finding import Finding
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import constant
from ruleloom.runtime.program.faults import Origin
from ruleloom.runtime.program.program import Entity, Function
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.texts import read_call
from ruleloom.runtime.program.values import Type, World
from ruleloom.store.rule_sources import ChangedField, NumberItem, PatchBehind, RuleSources

WANTED = {"Int": "a whole number", "Fraction": "a number, such as 3 or 1/2", "Bool": "yes or no"}


def find_thing(entity: Entity, text: str, among: Sequence[int]) -> int:
    """The thing by name or title."""
    found = [number for number in things_called(entity, text) if number in among]
    if len(found) == 1:
        return found[0]
    known = [entity.names[number] for number in among]
    message = f"there is no {entity.singular} `{text}`; {choices_text(text, known)}"
    raise WrongUse(message, did_you_mean(text, known))


def things_called(entity: Entity, name: str) -> list[int]:
    """The things with this id, with or without that of their pack; else with this title. Raises WrongUse
    for a name of which strangers have one each."""
    packs = [one.pack for one in entity.places] or [""] * len(entity.names)
    found = called(name, list(zip(packs, entity.names, strict=True)))
    folded = name.casefold()
    titled = (number for number, title in enumerate(entity.titles) if title.casefold() == folded)
    return found or [*titled]


def called(word: str, names: Sequence[tuple[str, str]]) -> list[int]:
    """The numbers of the names that a word is, in any case; `-` equals `_`. Each stands behind its pack,
    which a word may leave out or add. Raises WrongUse for a word that may be the names of several packs."""
    folded = _folded(word)
    found = [number for number, (_, name) in enumerate(names) if _folded(name) == folded]
    if found:
        return found
    found = [
        number
        for number, (pack, name) in enumerate(names)
        if folded in map(_folded, names_with_pack(pack, name))
    ]
    several_packs = {names[number][0] for number in found}
    if len(several_packs) > 1:
        raise several(word, sorted({names[number][1] for number in found}))
    return found


def _folded(name: str) -> str:
    return name.replace("_", "-").casefold()


def things_in(entity: Entity, files: set[tuple[str, str]]) -> list[int]:
    """The things defined in these files, given as (pack, path)."""
    return [
        number for number, place in enumerate(entity.places) if (place.pack, place.path) in files
    ]


def _can_be_typed(type_: Type, entity: Entity | None) -> bool:
    is_nameless = entity is not None and not entity.names and type_.name != "Player"
    return not (type_.many or type_.by_player or is_nameless)


def typed_value(name: str, type_: Type, text: str, linked: Linked) -> Any:
    """The value of a parameter as typed."""
    entity = linked.entities.get(type_.name)
    if not _can_be_typed(type_, entity):
        raise WrongUse(f"`{name}` is a {type_}, which cannot be typed here")
    none = type_.optional and text == "none"
    if entity is not None and entity.names and not none:
        return find_thing(entity, text, range(len(entity.names)))
    with suppress(ValueError, KeyError):
        return constant(linked, type_, text)
    options = linked.layout.enums.get(type_.name, ())
    wanted = choices_text(text, options) if options else f"expected {WANTED.get(type_.name, type_)}"
    raise WrongUse(f"`{text}` cannot be `{name}`: {wanted}", did_you_mean(text, options))


FIELD_NAME = re.compile(r"(?:([\w-]+):)?(?:([\w-]+)/)?([A-Za-z][\w-]*)(?:\.([\w.-]+))?")
Args = tuple[Any, ...]
FilesOfPacks = set[tuple[str, str]]
"""Files, as (pack, path within it)."""


class NumberQuery(NamedTuple):
    """A function of the rules, its name and item, parameter types, and the arguments in parentheses."""

    function: Function
    slug: str
    item: NumberItem
    types: tuple[Type, ...]
    typed: tuple[str, ...]


def is_field(words: str) -> bool:
    """Do these words name an item or a field, rather than a computed number?"""
    return bool(re.search(r"[./:]", words)) and FIELD_NAME.fullmatch(words) is not None


def parse_number_query(words: str, sources: RuleSources, linked: Linked) -> NumberQuery:
    """The query for some words."""
    call = read_call(words)
    if call is None or "." in call.name:
        help = 'write its name, and values in parentheses: "score(Str)"'
        raise WrongUse(f"`{words}` is not the name of a number", help)
    items = sources.numbers
    slugs = list(items)
    found = called(call.name, [(items[one].id.partition(":")[0], one) for one in slugs])
    if len(found) != 1:
        help = did_you_mean(call.name, items) or choices_text(call.name, slugs)
        raise WrongUse(f"there is no stat, measure, rule or table `{call.name}`", help)
    slug = slugs[found[0]]
    item = items[slug]
    function = next(one for one in linked.program.functions if one.id == item.id)
    return NumberQuery(
        function, slug, item, tuple(map(Type.parse, function.param_types)), call.words
    )


def query_arguments(
    number: NumberQuery, path: str, of: str | None, files: FilesOfPacks, linked: Linked
) -> list[tuple[Any, ...]]:
    """The arguments of each call: one call for each thing that has the number."""
    slug, types = number.slug, number.types
    entity = linked.entities.get(types[0].name) if types and not types[0].many else None
    if entity is None or not entity.places:
        if of is not None:
            raise WrongUse(f"`{slug}` is not a number of things that packs make: leave out --of")
        return [_values(number, 0, linked)]
    if len(number.typed) == len(types) and of is None:
        return [_values(number, 0, linked)]
    rest, found = _values(number, 1, linked), things_in(entity, files)
    if not found:
        message = f"{path} defines no {entity.singular}"
        raise WrongUse(message, f"name a file that defines {entity.plural}")
    found = found if of is None else [find_thing(entity, of, found)]
    return [(one, *rest) for one in found]


def _values(number: NumberQuery, first: int, linked: Linked) -> tuple[Any, ...]:
    """The typed arguments, for the parameters from `first` on."""
    slug, names, types = number.slug, number.function.params[first:], number.types[first:]
    if len(names) != len(number.typed):
        shape = f"{slug}({', '.join(names)})" if names else slug
        wanted = f"{len(names) or 'no'} {'value' if len(names) == 1 else 'values'} in parentheses"
        given = len(number.typed) or "none"
        raise WrongUse(f"`{slug}` takes {wanted}, not {given}", f'write "{shape}"')
    pairs = zip(names, types, number.typed, strict=True)
    return tuple(typed_value(name, type_, text, linked) for name, type_, text in pairs)


def files_at(path: str, files: FilesOfPacks, folders: Mapping[str, Path]) -> FilesOfPacks:
    """The files under a path; for the id of a pack, all of its files."""
    real = Path(realpath(path))
    real_folders = {pack: folder.resolve() for pack, folder in folders.items()}
    inside = {
        (pack, file) for pack, file in files if (real_folders[pack] / file).is_relative_to(real)
    }
    return inside or {(pack, file) for pack, file in files if pack == path}


def patches_behind(
    sources: RuleSources, reckoning: Reckoning, world: World, number: NumberQuery, args: Args
) -> list[PatchBehind]:
    """The changes by packs to the fields that a number reads, and to the rules in its whole derivation."""
    changed, row_fields, function = sources.changed, sources.row_fields, number.function.id
    if not changed:
        return []
    origins = set(_origins(reckoning.function(function, args)))
    rules = {changed[one] for one in origins if one in changed}
    rows = {field for one in origins for field in row_fields.get(one, ())}
    printed = set(_printed(sources, reckoning.linked, world, function, args))
    standing = {field for fields in row_fields.values() for field in fields}
    return [
        one
        for one in sources.patches
        # A table row that still exists counts where it is read.
        if (row := (one.item, one.field)) in rows
        or (one.item in rules and row not in standing)
        or (one.item, one.root) in printed
    ]


def _printed(
    sources: RuleSources, linked: Linked, world: World, function: str, args: Args
) -> Iterator[ChangedField]:
    """The printed fields that a function reads from things whose items were patched."""
    entities, changed = linked.entities, sources.changed
    if any(place in changed for one in entities.values() for place in one.places):
        for field, thing in printed_reads(linked, world, function, args):
            owner, _, name = field.partition(".")
            places = entities[owner].places
            yield changed.get(places[thing], "") if places else "", name


def _origins(found: Finding) -> Iterator[Origin]:
    """The origins of all parts of a finding, including parts that do not apply."""
    yield from found.via
    for part in found.parts:
        yield from _origins(part)


def patch_lines(patches: Sequence[PatchBehind]) -> Iterator[str]:
    """A line for each patch: its change, its pack with version, and its place."""
    for one in patches:
        what = f"{one.item}.{one.field}: {brief(one.old)}, now {brief(one.new)}"
        who = f"{one.by} ({one.pack} {one.version})"
        yield safe_text(f"patched: {what}, by {who}  {one.pack}/{one.path}:{one.line}")


def brief(data: Any) -> str:
    """A value in brief."""
    if isinstance(data, list):
        return f"[{', '.join(map(brief, data))}]"
    if isinstance(data, dict):
        entries = (f"{safe_text(key)}: {brief(value)}" for key, value in data.items())
        return f"{{{', '.join(entries)}}}"
    if isinstance(data, bool):
        return "true" if data else "false"
    text = "nothing" if data is None else " ".join(str(data).split())
    return safe_text(text if len(text) <= 40 else f"{text[:37]}...")
