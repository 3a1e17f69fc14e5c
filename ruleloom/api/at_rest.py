"""A program at rest: linked without a game, to compute numbers from the content of its packs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NoReturn

from ruleloom.api.linking import linked_once
from ruleloom.compiler.source.file import OVERHEAD, Memo
from ruleloom.runtime.games import DRIVERS, driver_of, plain
from ruleloom.runtime.link.codegen import Codegen
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import empty_world, layout_of, settings_of
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Bounds, Origin, Program, Return, Routine
from ruleloom.runtime.program.values import Driver, World

MOST_KEPT = 4
_KEPT: Memo[tuple[Program, Linked, World]] = Memo(MOST_KEPT * OVERHEAD)


def at_rest(program: Program, chosen: Mapping[str, Any] | None = None) -> tuple[Linked, World]:
    """The program linked without its routines, with these settings, and the world before set-up.

    Links are cached for successive callers: explaining a number reuses the values that checked its
    requirements. Raises Refused for an unknown setting.
    """
    settings = settings_of(program, chosen or {})

    def link() -> tuple[Program, Linked, World]:
        return program, *link_at_rest(program, settings)

    return linked_once(_KEPT, program, (), settings, link)[1:]


def link_at_rest(
    program: Program, settings: Mapping[str, Any], codegen: Callable[..., Codegen] = Codegen
) -> tuple[Linked, World]:
    """The program linked without its routines, and the world before set-up, not cached."""
    # Without its routines a program is quick to link, and no operation needs a driver.
    nowhere = Origin(program.game, "", 1, 1)
    rest = Routine("", (), (), (), -1, (Return(nowhere),), nowhere, Bounds(0, 0, 0, False))
    cut = replace(program, routines=(rest,), operations=(), triggers=(), replacements=())
    linked = _linked(replace(cut, always=(), set_up="", turn=""), settings, codegen)
    return linked, linked.driver.start(empty_world(linked.layout))


class Unanswered(RuntimeFault):
    """A query without a driver."""


def _linked(
    program: Program, settings: Mapping[str, Any], codegen: Callable[..., Codegen]
) -> Linked:
    """The program with its minimum of players, bound to its driver if it has one."""
    players = tuple(f"player {seat}" for seat in range(1, settings.get("least_players", 1) + 1))
    layout = layout_of(program, players)
    if program.game in DRIVERS or plain.serves(program):
        driver = replace(driver_of(program.game)(layout), operations={})
    else:
        queries = {query.name: _unanswered for query in program.queries}
        driver = Driver(queries, {}, token=lambda _world, _kind, _number: None)
    return Linked(program, layout, driver, settings, codegen)


def _unanswered(*_args: Any) -> NoReturn:
    raise Unanswered("nobody answers")
