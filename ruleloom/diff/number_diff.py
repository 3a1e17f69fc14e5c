"""The numbers of both packs, and those that changed.

Every stat, measure, rule and table is asked of every thing that the items make, but for what needs
a game in play. Printed values are compared too: a default that no item mentions may have changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, TypeVar

from ruleloom.api.at_rest import at_rest
from ruleloom.compiler.analysis.texts import effect_tree
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.syntax.ast import TypeName
from ruleloom.diff.changes import ItemChange, NumberChange
from ruleloom.diff.item_diff import Sides
from ruleloom.diff.operand import Side
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.explain.expr_words import ExprWords
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import unique_keys
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Entity, Function
from ruleloom.runtime.program.state import NO_RULES
from ruleloom.runtime.program.values import World

ASKED = ("stat", "measure", "rule")
NUMBERS = ("Int", "Fraction", "Bool")
# More combinations of arguments than this are not tried, for one function.
MOST_CALLS = 20_000
Key = tuple[str, ...]
Numbers = dict[Key, Any]
K = TypeVar("K")


@dataclass(frozen=True, slots=True, eq=False)
class NumberSheet:
    """One side, ready for its numbers to be computed."""

    side: Side
    linked: Linked
    world: World
    names: Mapping[str, Sequence[str]]  # of the things of each entity

    @classmethod
    def of(cls, side: Side, renamed: Mapping[str, str]) -> NumberSheet:
        """The sheet of a side. What was `renamed` since goes by its new name."""
        linked, world = at_rest(side.program)
        made = (entity for entity in linked.entities.values() if entity.places)
        return cls(side, linked, world, {one.name: things(one, renamed) for one in made})


def number_changes(sides: Sides, changes: Sequence[ItemChange]) -> tuple[NumberChange, ...]:
    """The numbers that are different now, in the order of the things and then of the functions."""
    renamed = {change.was: change.id for change in changes if change.was}
    names = {was.rpartition("/")[2]: id.rpartition("/")[2] for was, id in renamed.items()}
    old, new = NumberSheet.of(sides.old, names), NumberSheet.of(sides.new, {})
    words = ExprWords(new.linked, new.world, new.linked.initial_scope, NO_RULES)
    written = {change.id for change in changes if change.fields}
    before = {(renamed.get(id, id), *of): one for (id, *of), one in _numbers(sides, old).items()}
    found = [
        NumberChange(key[0], key[1], _label(sides, new, words, key), before[key], value)
        for key, value in _differing(before, _numbers(sides, new))
    ]
    printed = _printed(sides, old, written), _printed(sides, new, written)
    for (id, of), value in _differing(*printed):
        label = f"{id.rpartition('.')[2].replace('_', ' ')} of {of}"
        found.append(NumberChange(id, of, label, printed[0][id, of], value))
    return tuple(sorted(found, key=lambda one: one.of))


def _differing(before: Mapping[K, Any], after: Mapping[K, Any]) -> Iterator[tuple[K, Any]]:
    """The keys of both sides whose values differ, with the new one."""
    return ((key, now) for key, now in after.items() if key in before and before[key] != now)


def things(entity: Entity, renamed: Mapping[str, str]) -> tuple[str, ...]:
    """Stable names of an entity's things: an unnamed part goes by its title."""
    named = []
    for name, title in zip(entity.names, entity.titles, strict=True):
        parts = [renamed.get(part, part) for part in name.split(".")]
        part_of = len(parts) > 1 and parts[-1].isdecimal()
        named.append(f"{'.'.join(parts[:-1])}: {title}" if part_of else ".".join(parts))
    return tuple(unique_keys(named))


def _numbers(sides: Sides, sheet: NumberSheet) -> Numbers:
    """Every number that can be computed before the game: by its function and arguments."""
    items = {item.id: item for item in sheet.side.content.items if item.kind in ASKED}
    return {
        (sides.key(sheet.side, function.id), *names): value
        for function in sheet.linked.program.functions
        if function.id in items and function.result in NUMBERS
        for names, value in _values(sheet, function, items[function.id])
    }


def _values(sheet: NumberSheet, function: Function, item: Item) -> Iterator[tuple[Key, Any]]:
    """A function's values by its arguments, the first of which is a thing that items make."""
    types = _types(item)
    if not types or types[0].name not in sheet.names:
        return
    domains = [_domain(sheet, one) for one in types]
    if not all(domains) or prod(map(len, domains)) > MOST_CALLS:
        return
    linked = sheet.linked
    slots = (("slot", number) for number in range(len(function.params)))
    compiled = linked.codegen.value(("function", function.id, *slots))
    for arguments in product(*domains):
        names, values = zip(*arguments, strict=True)
        try:
            value = compiled(sheet.world, values, linked.initial_scope, NO_RULES)
        except (RuntimeFault, TypeError, RecursionError):
            continue  # it reads what only a game in play has
        if isinstance(value, int | Fraction):
            yield names, value


def _types(item: Item) -> list[TypeName]:
    return [one.type for one in effect_tree(str(item.data("takes") or ""), "params") or ()]


def _domain(sheet: NumberSheet, type_: TypeName) -> list[tuple[str, Any]]:
    """All values of a type by name; none if they cannot be listed."""
    if type_.many or type_.by_player:
        return []
    if type_.name in sheet.names:
        return [(name, number) for number, name in enumerate(sheet.names[type_.name])]
    if type_.name == "Bool":
        return [("no", False), ("yes", True)]
    return [(value, value) for value in sheet.linked.layout.enums.get(type_.name, ())]


def _label(sides: Sides, sheet: NumberSheet, words: ExprWords, key: Key) -> str:
    """A number in the game's own English, with the owner of what has one."""
    functions = sheet.linked.program.functions
    function = next(one for one in functions if sides.key(sheet.side, one.id) == key[0])
    item = next(one for one in sheet.side.content.items if one.id == function.id)
    named = zip(_types(item), key[1:], strict=True)
    args = tuple(dict(_domain(sheet, t))[name] for t, name in named)
    said = words.called(function)(args)
    owner, parted, _ = key[1].partition(": ")
    return f"{said} ({owner})" if parted and owner else said


def _printed(sides: Sides, sheet: NumberSheet, told: set[str]) -> dict[tuple[str, str], Any]:
    """The printed numbers of things whose items say nothing new: by field and thing."""
    side, content = sheet.side, sheet.side.content
    by_place = {content.origin(item.place): sides.key(side, item.id) for item in content.items}
    found = {}
    for entity in sheet.linked.entities.values():
        names = sheet.names.get(entity.name, ())
        for field, values in entity.static:
            for name, place, value in zip(names, entity.places, values, strict=True):
                item = by_place.get(place, "")
                if item and item not in told and isinstance(value, int | Fraction):
                    found[f"{entity.name}.{field}", name] = value
    return found
