"""The lists of all things of a kind, as one case has them: the game's own things, and its own.

Cases share one program, in which each has brought its things. A rule that goes through all people
must not find those of another case, so each such list becomes a variable of the game that no
author can name, and every case begins with its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from typing import Any

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.program import Program, ScopeVariable
from ruleloom.runtime.program.values import Type, World, list_of
from ruleloom.scenarios.setup.made import MARK, Made

ALL = "all "
# The parts of a program in which rules stand.
RULES = (
    *("operations", "functions", "stats", "routines", "triggers", "always", "requirements"),
    *("replacements", "scope"),
)


def apart(made: Mapping[str, Made]) -> dict[str, Made]:
    """What cases have made, in programs in which each finds its own things only."""
    programs = {id(one.program): one.program for one in made.values() if one.program is not None}
    own = {number: with_own_lists(program) for number, program in programs.items()}
    return {key: replace(one, program=own.get(id(one.program))) for key, one in made.items()}


def with_own_lists(program: Program) -> Program:
    """The program in which each list of all things of a kind is a variable of the game.

    Only kinds of which cases have brought things are changed.
    """
    brought = {
        one.name: len(one.names)
        for one in program.entities
        if any(MARK.search(name) for name in one.names)
    }
    if not brought:
        return program
    changed = {part: _rewritten(getattr(program, part), frozenset(brought)) for part in RULES}
    lists = (
        ScopeVariable(
            ALL + name, str(list_of(Type(name))), "game", tuple(range(count)), shown=False
        )
        for name, count in brought.items()
    )
    return replace(program, **changed | {"scope": (*changed["scope"], *lists)})


def own_scope(linked: Linked, made: Made) -> tuple[Any, ...]:
    """The variables of the game at first, for one case."""
    scope = list(linked.initial_scope)
    for name, index in linked.scope_index.items():
        if name.startswith(ALL):
            scope[index] = _own(linked.layout.names[name.removeprefix(ALL)], made)
    return tuple(scope)


def own_piles(linked: Linked, world: World, made: Made) -> World:
    """The world in which the piles that hold everything at first hold what there is in one case."""
    columns = list(world)
    for zone in linked.program.zones:
        if zone.lazy and (names := linked.layout.names.get(zone.of)):
            columns[linked.layout.index[zone.name]] = _own(names, made)
    return tuple(columns)


def _own(names: tuple[str, ...], made: Made) -> tuple[int, ...]:
    of_the_game, of_cases = _by_mark(names)
    own = of_cases.get(made.mark, ())
    return tuple(sorted((*of_the_game, *own))) if own else of_the_game


@lru_cache(maxsize=256)
def _by_mark(names: tuple[str, ...]) -> tuple[tuple[int, ...], Mapping[str, tuple[int, ...]]]:
    """The numbers of the game's own things, and those of each case by its mark."""
    of_the_game: list[int] = []
    of_cases = defaultdict[str, list[int]](list)
    for number, name in enumerate(names):
        found = MARK.search(name.partition(".")[0])  # a part is of whoever brings the whole
        (of_the_game if found is None else of_cases[found[0]]).append(number)
    return tuple(of_the_game), {mark: tuple(numbers) for mark, numbers in of_cases.items()}


def _rewritten(part: Any, brought: frozenset[str]) -> Any:
    """A part of a program with its expressions changed; itself where there is nothing to change."""
    if type(part) is tuple:
        return _tuple_rewritten(part, brought)
    if not is_dataclass(part) or isinstance(part, type):
        return part
    values = {one.name: getattr(part, one.name) for one in fields(part)}
    new = {name: _rewritten(value, brought) for name, value in values.items()}
    changed = {name: value for name, value in new.items() if value is not values[name]}
    return replace(part, **changed) if changed else part


def _tuple_rewritten(part: tuple[Any, ...], brought: frozenset[str]) -> tuple[Any, ...]:
    match part:
        case ("records", name) if name in brought:
            return ("scope", ALL + name)
        case ("value", _):
            return part
    parts = tuple([_rewritten(one, brought) for one in part])
    is_same = all(one is other for one, other in zip(part, parts, strict=True))
    return part if is_same else parts
