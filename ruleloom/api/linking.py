"""Links programs for a table: players, switches, and the game's driver."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ruleloom.compiler.source.file import OVERHEAD, Memo
from ruleloom.runtime import games
from ruleloom.runtime.games import DRIVERS, plain
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.values import Bind

T = TypeVar("T")
MOST_LINKED = 16
_LINKED: Memo[tuple[Program, Linked]] = Memo(MOST_LINKED * OVERHEAD)


def linked_for(program: Program, players: tuple[str, ...], switches: Mapping[str, Any]) -> Linked:
    """The program linked for these players and switches, cached."""

    def link() -> tuple[Program, Linked]:
        return program, link_game(program, driver_of(program), players, switches)

    return linked_once(_LINKED, program, players, switches, link)[1]


def linked_once(
    memo: Memo[T],
    program: Program,
    players: tuple[str, ...],
    switches: Mapping[str, Any],
    link: Callable[[], T],
) -> T:
    """The cached result of `link` for these arguments. The cache keeps the program alive, so that no other
    program can get the same id."""
    # Types are in the key because `True` equals 1, but is another value of a switch.
    chosen = tuple((name, type(value), value) for name, value in sorted(switches.items()))
    try:
        return memo.get((id(program), players, chosen), 0, link)
    except TypeError:  # an unhashable value cannot be a switch's value either: linking reports it
        return link()


def driver_of(program: Program) -> Bind:
    """The driver that binds a program to Python code. Raises Refused if there is none."""
    if program.game in DRIVERS or (program.set_up and plain.serves(program)):
        return games.driver_of(program.game)
    if not program.set_up:
        raise Refused(f"nothing says how {program.game} is played: it has no flow `set_up`")
    left = "its vocabulary leaves questions or operations to a driver in Python, and there is none"
    raise Refused(f"this Ruleloom cannot play {program.game}: {left}")
