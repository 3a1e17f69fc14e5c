"""The greedy bot's evaluation of Gnostica: lasting points, pieces with something to do, cards.

It reads the board, its own hand and the sizes of other hands; never their cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ruleloom.bots.lookahead import LOSS, constants, outcome_worth
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.registers import BARRIER
from ruleloom.runtime.program.values import Point
from ruleloom.runtime.search.node import PlayNode

STEPS: Mapping[str, Point] = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
SEEN = ("Piece.owner", "Piece.pips", "Piece.facing", "Piece.space", "board")

# Weights are relative to one point of score.
POINT = 100
RIVAL_POINT, RIVAL_NEAR, NEAR = 15, 70, 3
PIECES, PIP = (60, 50, 40, 30, 20, 10), 12
CONTESTED = 18
AIMS_AT_FREE, AIM_POINT, AIMS_AT_OTHERS = 6, 8, 10
AIMS_AT_OWN, AIMS_AT_WASTE, AIMS_AT_NOTHING = 3, 6, -8
THREATENED, AIMED_AT, REPEATED = 16, 8, 25
# The worth of a card in hand by its use; a second card of a suit is worth half, and an unknown card
# the average.
SUITS = (("create", 22), ("move", 18), ("grow", 12), ("attack", 8))
MAJOR, UNKNOWN = 20, 16
NO_PIECES = -400
READY = 120
ANNOUNCED_WELL, ANNOUNCED_BADLY = 600, -3_000
RIVAL_ANNOUNCED, RIVAL_MISSES = -500, 150
NEARLY = 3


class GnosticaJudge:
    """The judge of positions in one game of Gnostica."""

    def __init__(self, linked: Linked) -> None:
        index = linked.layout.index
        self._seen = [index[name] for name in SEEN]
        self._hand = index["hand"]
        self._pending, self._out = linked.scope_index["pending"], linked.scope_index["out"]
        self._target: int = linked.settings["target_score"]
        self._hand_limit: int = linked.settings["hand_limit"]
        self._numbers = dict(linked.entities["Card"].static)["number"]
        self._value = constants(linked, "value", len(self._numbers))
        self._suit = [suit_of(name) for name in linked.layout.names["Card"]]
        self._players = range(len(linked.layout.players))
        self._reached: Counter[int] = Counter()

    def worth(self, node: PlayNode, player: int) -> int:
        """The worth of a position to `player`."""
        over = outcome_worth(node, player)
        if over is not None:
            return over
        state = node.stop.state
        pending, out = state.scope[self._pending], state.scope[self._out]
        if player in out:
            return LOSS
        table = SeenPosition(self, state.world, player)
        own = table.scores[player]
        total = POINT * own + table.pieces_worth() + self._hand_worth(node, player)
        for rival in self._players:
            if rival != player and rival not in out:
                near = max(0, table.scores[rival] - (self._target - NEAR))
                total -= RIVAL_POINT * table.scores[rival] + RIVAL_NEAR * near
        if player in pending:
            safe = own - table.at_risk() >= self._target
            total += ANNOUNCED_WELL if safe else ANNOUNCED_BADLY
        elif own >= self._target:
            total += READY
        total -= REPEATED * self._reached[hash(self.columns(state.world))]
        # A rival's last turn is near: each point closer to the target weighs heavily.
        shorts = (self._target - table.scores[rival] for rival in pending if rival != player)
        return total + sum(
            RIVAL_MISSES if short > NEARLY else RIVAL_ANNOUNCED * (NEARLY + 1 - short)
            for short in shorts
        )

    def remember(self, node: PlayNode) -> None:
        """Count that play reached this board."""
        self._reached[hash(self.columns(node.stop.state.world))] += 1

    def _hand_worth(self, node: PlayNode, player: int) -> int:
        hand = node.stop.state.world[self._hand][player]
        if node.stop.kind == BARRIER:
            # The next node reveals something: the contents of a traded hand are unknown.
            return UNKNOWN * min(len(hand), self._hand_limit)
        coming = 0
        if node.chance:  # as many cards as `take` in the effect text says, else one
            frame = node.frame
            names = node.linked.routines[frame.routine].names
            take = frame.slots[names.index("take")] if "take" in names else 1
            coming = take if isinstance(take, int) else 1
        total = UNKNOWN * max(0, min(coming, self._hand_limit - len(hand)))
        seen: dict[int, int] = {}
        for card in hand:
            suit = self._suit[card]
            times = seen[suit] = seen.get(suit, -1) + 1
            total += MAJOR if suit < 0 else SUITS[suit][1] >> times
        return total

    def value(self, card: int | None) -> int:
        """The points of a card on a space; 0 for none."""
        return 0 if card is None else self._value[card]

    def columns(self, world: Any) -> tuple[Any, ...]:
        """Owner, pips, facing and space of each piece, and the board."""
        return tuple(world[place] for place in self._seen)

    def secret(self, node: PlayNode, options: tuple[Any, ...], player: int) -> Any:
        """The bid: the highest card not worth keeping for its power, else the lowest."""
        plain = [card for card in options if self._value[card] < max(self._value)]
        if plain:
            return max(plain, key=self._numbers.__getitem__)
        return min(options, key=self._numbers.__getitem__)


class SeenPosition:
    """One position as one player sees it: occupants of each space, scores, and targets."""

    def __init__(self, judge: GnosticaJudge, world: Any, player: int) -> None:
        self.owner, self.pips, self.facing, spaces, self.board = judge.columns(world)
        self.judge = judge
        self.player = player
        self.standing: dict[Point, list[int]] = {}
        for piece, spot in enumerate(spaces):
            if spot is not None:
                self.standing.setdefault(spot, []).append(piece)
        self.scores: dict[int, int] = dict.fromkeys(judge._players, 0)
        self.holder: dict[Point, int] = {}
        for spot, pieces in self.standing.items():
            owners = {self.owner[piece] for piece in pieces}
            if len(owners) == 1:
                holder = self.holder[spot] = owners.pop()
                self.scores[holder] += judge.value(self.board.get(spot))

    def pieces_worth(self) -> int:
        """The worth of the pieces on the board, besides the points they hold."""
        total, mine = 0, 0
        for spot, pieces in self.standing.items():
            contested = spot not in self.holder
            for piece in pieces:
                if self.owner[piece] == self.player:
                    total += PIECES[mine] if mine < len(PIECES) else 0
                    total += PIP * self.pips[piece] + self._aim(spot, self.facing[piece])
                    mine += 1
                    total += CONTESTED * self.judge.value(self.board.get(spot)) if contested else 0
                else:
                    prey = self._prey(spot, self.facing[piece])
                    total -= AIMED_AT + THREATENED * prey if prey is not None else 0
        return total if mine else total + NO_PIECES

    def _aim(self, spot: Point, facing: str) -> int:
        if facing not in STEPS:
            return AIMS_AT_OWN
        ahead = _ahead(spot, facing)
        if ahead in self.board:
            if ahead not in self.standing:
                return AIMS_AT_FREE + AIM_POINT * self.judge.value(self.board[ahead])
            return AIMS_AT_OWN if self.holder.get(ahead) == self.player else AIMS_AT_OTHERS
        wasteland = any(_ahead(ahead, way) in self.board for way in STEPS)
        return AIMS_AT_WASTE if wasteland else AIMS_AT_NOTHING

    def _prey(self, spot: Point, facing: str) -> int | None:
        """The value of the space that a rival's piece targets, if the player alone occupies it."""
        ahead = _ahead(spot, facing) if facing in STEPS else spot
        if self.holder.get(ahead) != self.player:
            return None
        return self.judge.value(self.board.get(ahead))

    def at_risk(self) -> int:
        """The points most at risk before the next turn: for each rival, its best target."""
        worst: dict[int, int] = {}
        for spot, pieces in self.standing.items():
            for piece in pieces:
                owner = self.owner[piece]
                if owner != self.player:
                    loss = self._prey(spot, self.facing[piece])
                    worst[owner] = max(worst.get(owner, 0), loss or 0)
        return sum(worst.values())


def suit_of(name: str) -> int:
    """The index of a card's suit in `SUITS`; -1: major."""
    return next((number for number, (suit, _) in enumerate(SUITS) if name.startswith(suit)), -1)


def _ahead(spot: Point, facing: str) -> Point:
    dx, dy = STEPS[facing]
    return spot[0] + dx, spot[1] + dy
