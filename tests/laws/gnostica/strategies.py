"""Random play: who sits at the table, under which readings, and what a random player answers.

A `Table` is made from a seed alone, so a seed that a test prints is the whole of its example.
Players answer at random in one of several styles: answering everything evenly makes short games,
for half of all turns then announce the last one; other styles play cards, fill the board and keep
quiet.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.games import DRIVERS
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.program.program import Modal, Program
from ruleloom.runtime.program.state import Frame
from ruleloom.runtime.search.node import PlayNode

GAME = "gnostica"
NAMES = ("A", "B", "C", "D", "E", "F")
MOST_TRIES = 24

# How likely each mode or answer is, by a word of its label, where a style does not pick evenly.
# `announce` stands for announcing, `skip` for leaving a power out, `join` for two powers of a card
# used as one.
Bias = Mapping[str, float]
STYLES: Mapping[str, Bias] = {
    "even": {},
    "lasting": {"announce": 0.03, "skip": 0.1},
    "busy": {"announce": 0.01, "skip": 0.02, "activate": 6, "play": 6, "join": 4},
    "growing": {"announce": 0.01, "skip": 0.02, "activate": 4, "play": 4, "attack": 0.2, "draw": 3},
    "greedy-for-cards": {"announce": 0.02, "skip": 0.1, "draw": 4},
}

# Numbers that a group may change, and how far games here go.
NUMBERS: Mapping[str, tuple[int, ...]] = {
    "target_score": (3, 8, 10),
    "space_limit": (1, 2, 4),
    "pieces_per_size": (1, 2, 4),
    "largest_size": (2, 3),
    "grid_width": (1, 2, 4),
    "grid_height": (1, 2, 4),
    "starting_hand": (0, 3, 5),
    "announcement_reach": (0, 5),
}

# Whether the next turn is the last is asked at the end of each turn, however far off the target is:
# random games stay short, and the menu of a turn holds what changes the table and nothing else.
ASKED_EVERY_TURN: Mapping[str, int] = {"announcement_reach": 60}


@cache
def program(pack: str = GAME) -> Program:
    """The shipped game, or a pack for it, compiled once a process."""
    result = compile_paths([pack], scenarios=False)
    assert result.program is not None, [str(d) for d in result.diagnostics]
    return result.program


@lru_cache(maxsize=16)
def linked(players: int, chosen: tuple[tuple[str, Any], ...] = (), pack: str = GAME) -> Linked:
    """The game for so many players under these readings, and asked every turn if they leave that
    open."""
    settings = {**ASKED_EVERY_TURN, **dict(chosen)}
    return link_game(program(pack), DRIVERS[GAME], NAMES[:players], settings)


@cache
def readings() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Every switch of the game, with its readings, the default first."""
    return tuple(
        (s.name, (s.value, *(o for o in s.options if o != s.value)))
        for s in program().settings
        if s.options
    )


@dataclass(frozen=True)
class Table:
    """One random game to be: made from its seed alone."""

    seed: int
    players: int
    style: str
    chosen: tuple[tuple[str, Any], ...]
    pack: str = GAME

    @property
    def linked(self) -> Linked:
        """The game, ready to run."""
        return linked(self.players, self.chosen, self.pack)

    def game(self) -> Game:
        """The game at its first prompt."""
        return new_game(self.linked, self.seed)

    def player(self) -> RandomPlayer:
        """One source of answers for all seats."""
        return RandomPlayer(self.seed, self.style)

    def __str__(self) -> str:
        said = ", ".join(f"{name}={value}" for name, value in self.chosen)
        return f"seed {self.seed}: {self.players} players, {self.style}" + (
            f", {said}" if said else ""
        )


def table(seed: int, switches: bool = True) -> Table:
    """The random game of a seed. Half of them are played under the default readings, a few with
    other numbers."""
    source = random.Random(seed * 2 + 1)
    players = source.randint(2, len(NAMES))
    style = source.choice(tuple(STYLES))
    chosen: list[tuple[str, Any]] = []
    if switches and source.random() < 0.5:
        for name, options in readings():
            if source.random() < 0.3:
                chosen.append((name, source.choice(options)))
        if source.random() < 0.3:
            chosen += [
                (name, source.choice(values))
                for name, values in NUMBERS.items()
                if source.random() < 0.4
            ]
    return Table(seed, players, style, tuple(chosen))


class RandomPlayer:
    """Answers anything with something on offer."""

    def __init__(self, seed: int, style: str = "even") -> None:
        self.source = random.Random(seed)
        self.style = style
        self.bias = STYLES[style]

    def anew(self, seed: int) -> RandomPlayer:
        """The same sort of player with other chance."""
        return RandomPlayer(seed, self.style)

    def answer(self, node: PlayNode, player: int | None = None) -> Any:
        """The value to answer with: an option, or a tuple where a set is asked for."""
        if node.secret:
            assert player is not None
            return self.source.choice(node.secret_options(player))
        if node.takes_sets:
            return self._set(node)
        options = tuple(node.options)
        weights = self._weights(node, options) if self.bias else None
        return self.source.choices(options, weights)[0] if weights else self.source.choice(options)

    def _set(self, node: PlayNode) -> tuple[Any, ...]:
        least, most = node.limits()
        for _ in range(MOST_TRIES):
            size = self.source.randint(least, most)
            places = sorted(self.source.sample(range(len(node.found)), size))
            chosen = tuple(node.found[place] for place in places)
            if node.allows(chosen):
                return chosen
        return next(iter(node.answers()))

    def _weights(self, node: PlayNode, options: tuple[Any, ...]) -> list[float] | None:
        row = node.row
        if isinstance(row, Modal):
            return [self._liking(row, mode) for mode in options]
        if getattr(row, "name", "") == "announce":
            return [self.bias["announce"] if value else 1 for value in options]
        return None

    def _liking(self, row: Modal, mode: int) -> float:
        if row.kind == "optional":
            return 1.0 if mode == 0 else self.bias["skip"]
        if row.kind == "combine":
            return 1.0 if mode == 0 else self.bias.get("join", 1.0)
        label = row.modes[mode].label
        return next((like for word, like in self.bias.items() if word in label), 1.0)


class Moment(NamedTuple):
    """One answer of a game, as nodes: where it was given, what it was, and where it led."""

    before: PlayNode
    value: Any
    player: int | None
    after: PlayNode


def moments(of: Table, most_turns: int = 10_000) -> Iterator[Moment]:
    """Play a game as nodes, without prompts, keys or journal, to its end or for so many turns."""
    game = of.game()
    node, dice = game.node, game.random
    players = of.player()
    turns = 0
    while not node.over and turns < most_turns:
        asked = node.stop.who[0]
        value = players.answer(node, asked)
        player = asked if node.secret else None
        after = node.after(value, player, dice)
        dice = after.stop.dice or dice
        turns += sum(event.kind == "turn" for event in after.events)
        yield Moment(node, value, player, after)
        node = after


def ignored(node: PlayNode) -> frozenset[str]:
    """The rules that are being ignored at this node."""
    frame: Frame | None = node.stop.state.frame
    return frame.ignored if frame is not None else frozenset()
