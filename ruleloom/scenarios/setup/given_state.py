"""The initial state of a case that tries effect text, from its `given`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play.game import empty_world
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import Type
from ruleloom.scenarios.claims.numbers import CaseNames, name_and_values
from ruleloom.scenarios.notation import StepNotUnderstood
from ruleloom.scenarios.setup.facts import within
from ruleloom.scenarios.setup.zones import ZoneSetup


def start(linked: Linked, words: CaseNames, symbols: Symbols, given: Mapping[str, Any]) -> State:
    """The state before the first step: nothing has happened but what is given."""
    empty = empty_world(linked.program, linked.layout)
    table = ZoneSetup(words, symbols, linked.driver.start(empty))
    table.make(given.get("made") or {})
    table.lay(given.get("zones") or {})
    laid_out = table.world
    scope = list(linked.initial_scope)
    scope[linked.me] = words.value(Type("Player"), given["me"]) if "me" in given else 0
    for name, said in (given.get("state") or {}).items():
        index = linked.scope_index.get(str(name).replace("-", "_"))
        if isinstance(said, Mapping):
            for field, value in said.items():
                _set_field(table, str(name), str(field), value)
                words.world = laid_out  # things keep the names by which they were laid out
        elif index is not None:
            scope[index] = words.value(Type.parse(linked.program.scope[index].type), said)
        else:
            none = f"`state` has no `{name}`: there is no such variable of the game"
            raise StepNotUnderstood(none)
    return State(table.world, tuple(scope), None, (), frozenset(), False, None)


def _set_field(table: ZoneSetup, thing: str, said: str, value: Any) -> None:
    """Set one field of a thing, or one entry of a table field, as given."""
    words, (name, keys) = table.words, name_and_values(said)
    for field in table.symbols.fields.get(name, {}).values():
        number = None if field.static else words.number(field.entity, thing)
        if number is None:
            continue
        key, what = words.key_of(field, keys), words.value(field.type, value)
        if isinstance(what, int) and not within(field, what):
            between = f"lies between {field.low} and {field.high}"
            raise StepNotUnderstood(f"`{name}` of `{thing}` {between}, and {value} does not")
        table.put(field.entity, name, number, what, key)
        return
    raise StepNotUnderstood(f"`{thing}` has no field `{name}` that changes in play")
