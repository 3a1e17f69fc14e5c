"""Pairs of worlds that one seat, the spy, cannot tell apart, in random games of any rules.

A game is played at random and its journal is played again, with real dice. In the other world two
things that the spy does not see are exchanged wherever they come up, until one of them comes to
light; or somebody has answered a secret question otherwise, until the answers are shown.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any, NamedTuple

from ruleloom.bots.bot import RandomBot, keys_for
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import empty_world
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.play.game import Game, JournalEntry, new_game, prompt_id
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.options import keyed
from ruleloom.table.questions import type_of
from tests.laws.gnostica.strategies import RandomPlayer, Table, table
from tests.laws.monotheism.gods import evening
from tests.laws.moonstone.fighters import bout
from tests.laws.witchgates.mages import session
from tests.support import cellar_game
from tests.support.known import known_to

HIDDEN = Path(__file__).resolve().parents[2] / "content" / "hidden" / "gnostica"
ANSWERS, MOST_SEATS = 70, 8
# Two of so many things that stay hidden longest are exchanged; as often, until the worlds differ.
MOST_LATE, TRIES = 12, 3
# What is played, and how often: where something is hidden, more can be told apart.
SORTS = (
    *("cellar", "gnostica", "cards", "monotheism", "gnostica", "cellar", "moonstone", "cards"),
    *("monotheism", "witchgates"),
)


class Pair(NamedTuple):
    """Two games after each answer, both as far as the spy cannot tell them apart."""

    spy: int
    here: Sequence[Game]
    there: Sequence[Game]

    @property
    def apart(self) -> list[int]:
        """The numbers of answers after which the worlds differ."""
        both = enumerate(zip(self.here, self.there, strict=True))
        return [number for number, (one, other) in both if not same(one, other)]


def same(one: Game, other: Game) -> bool:
    """Is everything the same in two games, secret answers included?"""
    return one.state == other.state and one.node.stop.who == other.node.stop.who


class Anybody(RandomPlayer):
    """A bot in each seat that takes anything, whatever is played."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.bots = [RandomBot(seed, seat) for seat in range(MOST_SEATS)]

    def answer(self, node: PlayNode, player: int | None = None) -> Any:
        """What the bot of this seat takes."""
        seat = node.stop.who[0] if player is None else player
        return self.bots[seat].answer(node, seat)


@dataclass(frozen=True)
class Sitting:
    """One random game to be, and who spies in it: made from its seed alone."""

    seed: int

    @property
    def sort(self) -> str:
        """What is played."""
        return SORTS[self.seed % len(SORTS)]

    def game(self) -> Game:
        """The game at its first prompt; with real dice or with a seed."""
        match self.sort:
            case "cellar":
                return new_game(cellar_game.linked(2 + self.seed // 10 % 2), self.seed)
            case "cards":
                seats = 2 + self.seed // 10 % 3
                return self._stocked(Table(self.seed, seats, "busy", (), str(HIDDEN)).linked)
            case "monotheism":
                return evening(self.seed).game()
            case "moonstone":
                return bout(self.seed).begun()
            case "witchgates":
                return session(self.seed).game()
        return table(self.seed).game()

    def _stocked(self, linked: Linked) -> Game:
        """A game that begins with some cards of the pile in the cellars."""
        at, world = linked.layout.index, list(linked.driver.start(empty_world(linked.layout)))
        pile = world[at["draw_pile"]]
        stock = self.source("cellars").sample(pile, 3 * len(linked.layout.players))
        parts = zip(*[iter(stock)] * 3, strict=True)
        world[at["cellar"]] = tuple(tuple(sorted(part)) for part in parts)
        world[at["draw_pile"]] = tuple(one for one in pile if one not in stock)
        return new_game(linked, self.seed, tuple(world))

    def player(self) -> RandomPlayer:
        """One source of answers for all seats."""
        return Anybody(self.seed)

    def entries(self) -> list[JournalEntry]:
        """What is answered at random, dice and decks included."""
        game, player = self.game(), self.player()
        for _ in range(ANSWERS):
            if game.over:
                break
            who = self.source("who", game.serial).choice(game.node.stop.who)
            keys = keys_for(game.node, player.answer(game.node, who), who)
            game = game.answer(prompt_id(game, who), keys)
        return game.entries

    def source(self, *what: object) -> random.Random:
        """Chance that hangs on the seed, and on what it is for."""
        return random.Random(f"{self.seed} {what}")

    def pairs(self) -> Iterator[Pair]:
        """One pair for each way in which worlds of this game differ; at least one, of the game and
        itself."""
        first, entries, source = self.game(), self.entries(), self.source("pairs")
        here = [_real(first)]
        for entry in entries:
            here.append(here[-1].answer(prompt_id(here[-1], entry.player), entry.keys))
        spy = source.randrange(len(first.players))
        found = [*_exchanged(here, spy, source), *_otherwise(here, spy, source)]
        yield from found or [Pair(spy, here, here)]


def _real(game: Game) -> Game:
    """The game from its beginning, with real dice."""
    return new_game(game.linked, world=game.started)


# ---------------------------------------------------------------------------------- two things


def _exchanged(here: Sequence[Game], spy: int, source: random.Random) -> Iterator[Pair]:
    """For each kind that can be hidden, two things of it exchanged."""
    linked = here[0].linked
    for kind in sorted(secrecy_of(linked).kinds):
        known = [known_to(game, spy, kind) for game in here]
        there = range(linked.layout.number_there(kind))
        late = sorted(there, key=lambda one: -_first(known, one))[:MOST_LATE]
        both = [(one, other) for one, other in permutations(late, 2) if one < other]
        source.shuffle(both)
        taken = _taken_by_others(here, spy, kind)
        both.sort(key=lambda pair: not taken & {*pair})
        tried = 0
        for one, other in both:
            until = min(_first(known, one), _first(known, other))
            if not any(_lies(game, kind, one) != _lies(game, kind, other) for game in here[:until]):
                continue
            twin = list(_twin(here[:until], kind, {one: other, other: one}))
            pair, tried = Pair(spy, here[: len(twin)], twin), tried + 1
            if pair.apart:
                yield pair
            if pair.apart or tried >= TRIES:
                break


def _taken_by_others(here: Sequence[Game], spy: int, kind: str) -> set[int]:
    """The things that others have chosen: where one of them is another, the spy must not read it."""
    found: set[int] = set()
    for before, after in pairwise(here):
        entry = after.entries[-1]
        if entry.player not in (None, spy) and type_of(before.node) == kind:
            values = keyed(before.node, _offered(before.node, entry.player))
            found |= {values[key] for key in entry.keys if values[key] is not None}
    return found


def _lies(game: Game, kind: str, thing: int) -> list[object]:
    """Where a thing lies: in what, and in whose part of it."""
    found: list[object] = []
    for zone in game.linked.program.zones:
        if zone.of == kind:
            column = game.state.world[game.linked.layout.index[zone.name]]
            parts = column if zone.per_player else (column.values() if zone.at else column,)
            found += [(zone.name, part) for part, held in enumerate(parts) if thing in held]
    return found


def _twin(here: Sequence[Game], kind: str, swap: dict[int, int]) -> Iterator[Game]:
    """The same game with things exchanged, as far as it can be answered so."""
    if not here:
        return
    now = _real(here[0])
    yield now
    for before, after in pairwise(here):
        assert after.journal is not None
        entry = after.journal.last
        try:
            now = now.answer(prompt_id(now, entry.player), _keys(before, now, entry, kind, swap))
        except (Refused, KeyError):
            return  # what is not on offer there was the choice of somebody who sees the thing
        yield now


def _keys(
    before: Game, now: Game, entry: JournalEntry, kind: str, swap: dict[int, int]
) -> tuple[str, ...]:
    if type_of(before.node) != kind or before.node.writes:
        return entry.keys
    values = keyed(before.node, _offered(before.node, entry.player))
    keys = {value: key for key, value in keyed(now.node, _offered(now.node, entry.player)).items()}
    return tuple(keys[swap.get(values[key], values[key])] for key in entry.keys)


def _offered(node: PlayNode, player: int | None) -> Sequence[Any]:
    if node.secret and player is not None:
        return node.secret_options(player)
    return node.options if node.chance else node.found


def _first(known: Sequence[set[int]], thing: int) -> int:
    return next((at for at, found in enumerate(known) if thing in found), len(known))


# ---------------------------------------------------------------------------------- two answers


def _otherwise(here: Sequence[Game], spy: int, source: random.Random) -> Iterator[Pair]:
    """A secret question that somebody has answered otherwise, as long as others still think."""
    rounds = [number for number, game in enumerate(here[:-1]) if _is_open(game, here[number + 1])]
    source.shuffle(rounds)
    for number in rounds:
        entry = here[number + 1].entries[-1]
        assert entry.player is not None
        asked = next(one for one in here[number].prompts if one.player == entry.player)
        others = [one.key for one in asked.options if one.key not in entry.keys]
        if entry.player == spy or not others:
            continue
        after = here[number].answer(prompt_id(here[number], entry.player), source.choice(others))
        if _is_open(here[number], after):
            yield Pair(spy, here[: number + 2], [*here[: number + 1], after])
            return


def _is_open(before: Game, after: Game) -> bool:
    """Do others still think about a secret question after an answer to it?

    The last answer shows all of them, although the same question may be put again at once.
    """
    if before.over or after.over or not (before.node.secret and after.node.secret):
        return False
    thinking = [one for one in before.node.stop.who if one != after.entries[-1].player]
    return before.node.row is after.node.row and [*after.node.stop.who] == thinking
