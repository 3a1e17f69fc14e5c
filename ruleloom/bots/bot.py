"""The interface of a bot, its own source of chance, and its answers as values and as keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.options import keyed


class Bot(Protocol):
    """A player's bot. It may look at what its player can see, and at nothing else."""

    def answer(self, node: PlayNode, player: int) -> Any:
        """The value to answer with at `node`: an option, or a tuple of options for a set choice."""


def keys_for(node: PlayNode, value: Any, player: int) -> tuple[str, ...]:
    """The keys under which `value` (a tuple for a set) is offered to `player` at `node`."""
    if node.writes:
        return ("" if value is None else value,)
    offered = node.secret_options(player) if node.secret else node.found
    key_of = {found: key for key, found in keyed(node, offered).items()}
    return tuple(key_of[one] for one in value) if node.takes_sets else (key_of[value],)


T = TypeVar("T")


class Luck:
    """A stream of fair choices; the same seed and seat give the same stream everywhere."""

    def __init__(self, seed: int, seat: int = 0) -> None:
        self.restart(seed, seat)

    def restart(self, seed: int, seat: int = 0) -> None:
        """Begin the stream of another seed."""
        # An odd factor keeps neighbouring seeds and seats, and the game's own stream, apart.
        self._state = Xoshiro.seeded((seed * 0x9E3779B97F4A7C15 + seat + 1) * 0xD1342543DE82EF95)

    def below(self, n: int) -> int:
        """A number from 0 to `n` - 1."""
        number, self._state = self._state.below(n)
        return number

    def pick(self, things: Sequence[T]) -> T:
        """One of the things, each as likely as the next."""
        return things[self.below(len(things))]

    def shuffle(self, things: list[T]) -> None:
        """Put a list into any order, each as likely as the next."""
        for last in range(len(things) - 1, 0, -1):
            other = self.below(last + 1)
            things[last], things[other] = things[other], things[last]

    def sample(self, things: Sequence[T], size: int) -> tuple[T, ...]:
        """`size` of the things, in the order in which they stand."""
        places = list(range(len(things)))
        for place in range(size):
            other = place + self.below(len(places) - place)
            places[place], places[other] = places[other], places[place]
        return tuple(things[place] for place in sorted(places[:size]))
