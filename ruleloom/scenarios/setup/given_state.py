"""The initial state of a case, from its `given`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play.game import empty_world
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import FrozenMap, Type, World, with_entry
from ruleloom.scenarios.claims.numbers import CaseNames, name_and_values
from ruleloom.scenarios.notation import StepNotUnderstood
from ruleloom.scenarios.setup.zones import ZoneSetup


def start(linked: Linked, words: CaseNames, symbols: Symbols, given: Mapping[str, Any]) -> State:
    """The state before the first step: nothing has happened but what is given."""
    table = ZoneSetup(
        words, symbols, linked.driver.start(empty_world(linked.program, linked.layout))
    )
    table.make(given.get("made") or {})
    table.lay(given.get("zones") or {})
    world = table.world
    scope = list(linked.initial_scope)
    scope[linked.me] = words.value(Type("Player"), given["me"]) if "me" in given else 0
    for name, said in (given.get("state") or {}).items():
        slug = str(name).replace("-", "_")
        if not isinstance(said, Mapping) and slug in linked.scope_index:
            index = linked.scope_index[slug]
            scope[index] = words.value(Type.parse(linked.program.scope[index].type), said)
        elif isinstance(said, Mapping):
            for field_name, value in said.items():
                world = _with_field(
                    linked, words, symbols, world, str(name), str(field_name), value
                )
        else:
            raise StepNotUnderstood(
                f"`state` has no `{name}`: there is no such variable of the game"
            )
    return State(world, tuple(scope), None, (), frozenset(), False, None)


def _with_field(
    linked: Linked,
    words: CaseNames,
    symbols: Symbols,
    world: World,
    thing: str,
    said: str,
    value: Any,
) -> World:
    """The world with one field of a thing, or one entry of a table field, set as given."""
    name, keys = name_and_values(said)
    known = [one for one in symbols.fields.get(name, {}).values() if not one.static]
    field_ = next((one for one in known if words.number(one.entity, thing) is not None), None)
    number = words.number(field_.entity, thing) if field_ is not None else None
    if field_ is None or number is None:
        raise StepNotUnderstood(f"`{thing}` has no field `{name}` that changes in play")
    key = words.key_of(field_, keys)
    what = words.value(field_.type, value)
    low, high = field_.low, field_.high
    if isinstance(what, int) and (
        (low is not None and what < low) or (high is not None and what > high)
    ):
        raise StepNotUnderstood(
            f"`{name}` of `{thing}` lies between {low} and {high}, and {value} does not"
        )
    place = linked.layout.index[f"{field_.entity}.{name}"]
    if key is not None:
        table: FrozenMap = world[place][number]
        # A table keeps no entry that is as at the beginning: equal worlds are to be the same.
        unset = what == linked.layout.columns[place].initial
        what = table.without(key[0]) if unset else table.with_item(key[0], what)
    return with_entry(world, place, with_entry(world[place], number, what))
