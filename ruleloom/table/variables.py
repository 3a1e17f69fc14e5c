"""The variables of a game as they are read at a table: what is going on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.labels import field_words
from ruleloom.runtime.program.program import ScopeVariable
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import Type
from ruleloom.table.fields import value_cell


def variable_texts(linked: Linked, state: State, viewer: int, since: State | None) -> Iterator[str]:
    """The variables with something to say that `viewer` may know.

    Those that are as they were `since` then are left out, unless they are always shown; whose turn
    it is is marked elsewhere.
    """
    program, secrecy = linked.program, secrecy_of(linked)
    before = linked.initial_scope if since is None else since.scope
    for number, variable in enumerate(program.scope):
        value = state.scope[number]
        type_ = Type.parse(variable.type)
        derived = variable.name in secrecy.derived.scope
        if _is_old(variable, value, before[number]) or value == linked.initial_scope[number]:
            continue
        if not secrecy.hides(viewer, type_, value, (state.world,), derived):
            yield _text(linked, state, variable, type_, value)


def _is_old(variable: ScopeVariable, value: Any, before: Any) -> bool:
    """Is there nothing to say about a variable, or nothing new?"""
    if value is None or value is False or value in ((), {}) or variable.name == "me":
        return True
    return variable.shown is False or (variable.shown is None and value == before)


def _text(linked: Linked, state: State, variable: ScopeVariable, type_: Type, value: Any) -> str:
    words = variable.english or field_words(linked, variable.name)
    if value is True:
        return words
    by = "Player" if type_.by_player else ""
    one = Type(type_.name, type_.many, type_.optional) if by else type_
    return f"{words}: {value_cell(linked, state.world, one, by, value)}"
