"""The initial state of a case, from its `given`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ruleloom.compiler.resolve.symbols import FieldSymbol, Symbols
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play.game import empty_world
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import Type, World, with_entry
from ruleloom.scenarios.claims.numbers import CaseNames, name_and_values
from ruleloom.scenarios.notation import StepNotUnderstood
from ruleloom.scenarios.setup.facts import with_item, within
from ruleloom.scenarios.setup.zones import ZoneSetup


def start(linked: Linked, words: CaseNames, symbols: Symbols, given: Mapping[str, Any]) -> State:
    """The state before the first step: nothing has happened but what is given."""
    world = linked.driver.start(empty_world(linked.program, linked.layout))
    table = ZoneSetup(words, symbols, world)
    table.make(given.get("made") or {})
    table.lay(given.get("zones") or {})
    world = table.world
    scope = list(linked.initial_scope)
    scope[linked.me] = words.value(Type("Player"), given["me"]) if "me" in given else 0
    for name, said in (given.get("state") or {}).items():
        index = linked.scope_index.get(str(name).replace("-", "_"))
        if isinstance(said, Mapping):
            for field, value in said.items():
                world = _with_field(words, symbols, world, str(name), str(field), value)
        elif index is not None:
            scope[index] = words.value(Type.parse(linked.program.scope[index].type), said)
        else:
            none = f"`state` has no `{name}`: there is no such variable of the game"
            raise StepNotUnderstood(none)
    return State(world, tuple(scope), None, (), frozenset(), False, None)


def _with_field(
    words: CaseNames, symbols: Symbols, world: World, thing: str, said: str, value: Any
) -> World:
    """The world with one field of a thing, or one entry of a table field, set as given."""
    name, keys = name_and_values(said)
    field, number = _field_of(words, symbols, thing, name)
    key = words.key_of(field, keys)
    what = words.value(field.type, value)
    if isinstance(what, int) and not within(field, what):
        between = f"lies between {field.low} and {field.high}"
        raise StepNotUnderstood(f"`{name}` of `{thing}` {between}, and {value} does not")
    layout = words.linked.layout
    place = layout.index[f"{field.entity}.{name}"]
    if key is not None:
        what = with_item(layout.columns[place], world[place][number], key[0], what)
    return with_entry(world, place, with_entry(world[place], number, what))


def _field_of(words: CaseNames, symbols: Symbols, thing: str, name: str) -> tuple[FieldSymbol, int]:
    """The field of a thing that can change in play, and the thing."""
    for field in symbols.fields.get(name, {}).values():
        number = None if field.static else words.number(field.entity, thing)
        if number is not None:
            return field, number
    raise StepNotUnderstood(f"`{thing}` has no field `{name}` that changes in play")
