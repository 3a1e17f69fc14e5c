"""Evenings of Monotheism without people: who plays, by which readings, and what they answer.

An `Evening` is made from its seed alone. Some are played at random; `zealous` players do whatever
they can to bring the others down; the bot that looks ahead plays by what the ruleset says it is
worth.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from ruleloom.bots.arena import make_bot
from ruleloom.bots.bot import bot_text
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.program.program import Choose, Modal, Program
from ruleloom.runtime.search.node import PlayNode, sampled
from tests.laws.gnostica.strategies import RandomPlayer

GAME, NAMES, LINKED_AT_A_TIME = "monotheism", ("A", "B", "C", "D", "E"), 6
STYLES = (*["random"] * 4, *["zealous"] * 31, "looking-ahead")
# How a zealot weighs what is on offer, by the power that asks and what it asks for; what is not
# named weighs 1.
LIKES: Mapping[tuple[str, str], Mapping[str, float]] = {
    ("miracle_step", "what"): {
        "temptation": 12,
        "inspiration": 1,
        "creation": 1,
        "punishment": 0.2,
        "none": 0.2,
    },
    ("mission_step", "what"): {
        "corruption": 6,
        "destruction": 0.5,
        "faith": 1,
        "connection": 0.5,
        "none": 2,
    },
    ("name_targets", "next_card"): {"none": 6},
    ("chance", "reply"): {"none": 3},
    ("tell_and_be_judged", "verdict"): {"content": 8, "discontent": 1, "contradicted": 0.3},
    ("end_free_round", "one_more"): {"yes": 0.2},
    ("agree_to_stop", "agrees"): {"yes": 0.05},
    ("create_freely", "friend"): {"none": 12},
}
SKIPPED = 0.7


@cache
def program() -> Program:
    """The shipped game, compiled once a process."""
    result = compile_paths([GAME], scenarios=False)
    assert result.program is not None, [
        str(one) for one in result.diagnostics if one.severity == "error"
    ]
    return result.program


@cache
def readings() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Every switch of the game with its readings."""
    return tuple((s.name, tuple(s.options)) for s in program().settings if s.options)


@lru_cache(maxsize=LINKED_AT_A_TIME)
def linked(players: int, chosen: tuple[tuple[str, Any], ...]) -> Linked:
    """The game for so many players under these readings."""
    return link_game(program(), driver_of(GAME), NAMES[:players], dict(chosen))


class AtRandom(RandomPlayer):
    """Answers anything with something on offer, and looks ahead of nothing but that."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)

    def anew(self, seed: int) -> AtRandom:
        """The same sort of player with other chance."""
        return type(self)(seed)

    def answer(self, node: PlayNode, player: int | None = None) -> Any:
        """The value to answer with."""
        if node.secret:
            assert player is not None
            return self.source.choice(node.secret_options(player))
        if node.writes:
            return bot_text(node, self.source.randrange)
        return sampled(node, self.source.randrange)


class Zealot(AtRandom):
    """Tempts and corrupts whom it can, takes what is usual, and does not give in."""

    def answer(self, node: PlayNode, player: int | None = None) -> Any:
        """The value to answer with."""
        row = node.row
        likes = LIKES.get(
            (node.routine.id.rpartition("/")[2].replace("-", "_"), getattr(row, "name", ""))
        )
        if node.secret:
            assert player is not None
            return self._liked(node, list(node.secret_options(player)), likes or {})
        if isinstance(row, Modal) and row.kind == "optional" and self.source.random() < SKIPPED:
            return node.options[-1]
        if likes is not None:
            return self._liked(node, list(node.options), likes)
        if isinstance(row, Choose) and node.default is not None and node.allows(node.default):
            return node.default
        return super().answer(node, player)

    def _liked(self, node: PlayNode, options: list[Any], likes: Mapping[str, float]) -> Any:
        return self.source.choices(options, [likes.get(called(node, one), 1.0) for one in options])[
            0
        ]


def called(node: PlayNode, value: Any) -> str:
    """What an option is called: an entity by its name, yes and no, a word of an enum."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    names = node.linked.layout.names.get(getattr(node.row, "type", "").rstrip("?"), ())
    return str(names[value]) if isinstance(value, int) and value < len(names) else str(value)


@dataclass(frozen=True)
class Evening:
    """One evening to be: made from its seed alone."""

    seed: int
    players: int
    style: str
    chosen: tuple[tuple[str, Any], ...]

    @property
    def linked(self) -> Linked:
        """The game, ready to run."""
        return linked(self.players, self.chosen)

    def game(self) -> Game:
        """The game at its first prompt."""
        return new_game(self.linked, self.seed)

    def player(self) -> RandomPlayer:
        """One source of answers for everybody."""
        return AtRandom(self.seed) if self.style == "random" else Zealot(self.seed)

    def bots(self) -> list[Any]:
        """Who sits in each seat. One of those who look ahead is enough among zealots: it thinks for
        long."""
        found: list[Any] = [
            self.player().anew(self.seed * 8 + seat) for seat in range(self.players)
        ]
        if self.style == "looking-ahead":
            found[self.seed % self.players] = make_bot("greedy", self.linked, self.seed, 0)
        return found

    def __str__(self) -> str:
        said = ", ".join(f"{name}={value}" for name, value in self.chosen)
        return f"seed {self.seed}: {self.players} players, {self.style}" + (
            f", {said}" if said else ""
        )


def evening(seed: int, each: int = 10) -> Evening:
    """The evening of a seed. `each` in a row share players and readings, for which the game is
    linked once."""
    shared, source = random.Random(seed // each * 2 + 1), random.Random(seed * 2)
    players = shared.choice((3, 3, 4, 5))
    chosen: tuple[tuple[str, Any], ...] = ()
    if shared.random() < 0.5:
        chosen = tuple(
            (name, shared.choice(options)) for name, options in readings() if shared.random() < 0.4
        )
    return Evening(seed, players, source.choice(STYLES), chosen)
