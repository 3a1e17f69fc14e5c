"""The account of the table: every card and every piece, after each event and at each prompt.

`Account.events` holds the events of one answer against the world they start from, `Account.prompt`
the place where play stands then. Both return what is wrong, in words; nothing wrong is an empty
list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.state import Event
from ruleloom.runtime.program.values import World
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.options import keyed, refusals_of
from tests.laws.gnostica.strategies import ignored

PIECES_EACH, SIZES = 15, (1, 2, 3)
FIELDS = ("Piece.owner", "Piece.pips", "Piece.facing", "Piece.space")
PILES = ("draw_pile", "discard_pile", "aside")
SIDES = ((0, 1), (1, 0), (0, -1), (-1, 0))
CORNERS = ((1, 1), (1, -1), (-1, -1), (-1, 1))


class Account:
    """Counts for one linked game. It keeps the columns that it has found in order."""

    def __init__(self, linked: Linked) -> None:
        self.linked = linked
        index = linked.layout.index
        self.owner, self.pips, self.facing, self.space = (index[name] for name in FIELDS)
        self.piles = tuple(index[name] for name in PILES)
        self.hand, self.board = index["hand"], index["board"]
        self.cards = frozenset(range(linked.layout.sizes["Card"]))
        self.minions = linked.scope_index["minions"]
        self.out = linked.scope_index["out"]
        corners = linked.settings["adjacency"] == "corners_count"
        self.sides = SIDES + CORNERS if corners else SIDES
        self._good: World | None = None

    # ------------------------------------------------------------------ after each event

    def events(self, events: Iterable[Event], end: World) -> list[str]:
        """Every card and piece is somewhere, once, before and after each event, and nothing happens
        unseen."""
        wrong: list[str] = []
        for event in events:
            what = f"{event.kind} {event.name}{event.args}"
            if (
                self._good is not None
                and event.before is not self._good
                and event.before != self._good
            ):
                wrong.append(f"the world changed before {what} without an event")
            wrong += [f"{fault} before {what}" for fault in self.world(event.before)]
            wrong += [f"{fault} after {what}" for fault in self.world(event.after)]
        if self._good is not None and end is not self._good and end != self._good:
            wrong.append("the world changed after the last event")
        return wrong + self.world(end)

    def world(self, world: World) -> list[str]:
        """What is wrong with one world."""
        good = self._good
        wrong: list[str] = []
        columns = (*self.piles, self.hand, self.board)
        if good is None or any(world[c] is not good[c] for c in columns):
            wrong += self._cards(world)
        columns = (self.owner, self.pips, self.facing, self.space)
        if good is None or any(world[c] is not good[c] for c in columns):
            wrong += self._pieces(world)
        if not wrong:
            self._good = world
        return wrong

    def _cards(self, world: World) -> list[str]:
        lying = [card for column in self.piles for card in world[column]]
        lying += [card for hand in world[self.hand] for card in hand]
        lying += world[self.board].values()
        if len(lying) == len(self.cards) and self.cards == set(lying):
            return []
        twice = [card for card, count in Counter(lying).items() if count > 1]
        return [f"{len(lying)} cards; gone: {sorted(self.cards - set(lying))}, twice: {twice}"]

    def _pieces(self, world: World) -> list[str]:
        wrong = []
        owner, pips, facing, space = (
            world[c] for c in (self.owner, self.pips, self.facing, self.space)
        )
        out: Counter[tuple[int, int]] = Counter()
        for piece, at in enumerate(space):
            if owner[piece] != piece // PIECES_EACH:
                wrong.append(f"piece {piece} belongs to {owner[piece]}")
            if at is None:
                if pips[piece] is not None or facing[piece] is not None:
                    wrong.append(
                        f"piece {piece} is off the board with {pips[piece]} {facing[piece]}"
                    )
                continue
            if pips[piece] not in SIZES or facing[piece] not in self.linked.layout.enums["Facing"]:
                wrong.append(f"piece {piece} on {at} has {pips[piece]} {facing[piece]}")
            if owner[piece] >= len(self.linked.layout.players):
                wrong.append(f"piece {piece} on {at} belongs to nobody here")
            out[owner[piece], pips[piece]] += 1
        each = self.linked.settings["pieces_per_size"]
        wrong += [
            f"player {who} has {n} pieces of {size} pips"
            for (who, size), n in out.items()
            if n > each
        ]
        return wrong

    # ------------------------------------------------------------------ at each prompt

    def prompt(self, node: PlayNode, before: PlayNode | None) -> list[str]:
        """What holds where somebody is asked; `before` is the prompt before, if there was one."""
        wrong: list[str] = []
        if node.over:
            return wrong
        world, held = node.state.world, ignored(node)
        most = self.linked.settings["hand_limit"]
        wrong += [f"a hand of {len(hand)} cards" for hand in world[self.hand] if len(hand) > most]
        if "void" not in held:
            board = world[self.board]
            where = {at for at in world[self.space] if at is not None}
            wrong += [
                f"a piece stands in the void on {at}" for at in where if self._void(board, at)
            ]
        acting = node.state.scope[self.linked.me]
        for piece in node.state.scope[self.minions]:
            if world[self.space][piece] is None or world[self.owner][piece] != acting:
                wrong.append(f"minion {piece} of {acting} is not a piece of theirs on the board")
        for player in node.state.scope[self.out]:
            if world[self.hand][player] or any(
                at is not None
                for at in world[self.space][player * PIECES_EACH : (player + 1) * PIECES_EACH]
            ):
                wrong.append(f"player {player} is out and still has something")
            if player in node.stop.who:
                wrong.append(f"player {player} is out and is asked")
        return wrong + self._crowds(node, before) + asking(node)

    def _void(self, board: object, at: tuple[int, int]) -> bool:
        assert isinstance(board, dict)
        return at not in board and not any(
            (at[0] + dx, at[1] + dy) in board for dx, dy in self.sides
        )

    def _crowds(self, node: PlayNode, before: PlayNode | None) -> list[str]:
        """A space fills beyond its limit only where that rule is being ignored."""
        if before is None or any("crowding" in rule for rule in ignored(before)):
            return []
        limit = self.linked.settings["space_limit"]
        now: Counter[Any] = Counter(node.state.world[self.space])
        then: Counter[Any] = Counter(before.state.world[self.space])
        unlimited = self.linked.settings["wasteland_limit"] == "unlimited"
        board = node.state.world[self.board]
        return [
            f"{count} pieces on {at}, there were {then[at]}"
            for at, count in now.items()
            if at is not None
            and count > limit
            and count > then[at]
            and not (unlimited and at not in board)
        ]


def asking(node: PlayNode) -> list[str]:
    """What is wrong with the question asked at `node`: it must have an answer."""
    wrong: list[str] = []
    if not node.stop.who and not node.chance:
        wrong.append("nobody is asked")
    if node.secret:
        wrong += [f"{p} has nothing to choose" for p in node.stop.who if not node.secret_options(p)]
    elif node.takes_sets:
        least, most = node.limits()
        if not 0 <= least <= most <= len(node.found):
            wrong.append(f"between {least} and {most} of {len(node.found)} are asked for")
        if next(iter(node.answers()), None) is None:
            wrong.append("no set of options can be answered")
    elif not node.options:
        wrong.append("there is nothing to choose from")
    return wrong


def refusing(node: PlayNode) -> list[str]:
    """What is wrong with the refusals: whatever is a candidate is on offer or is refused for a
    reason."""
    if node.over or node.chance or node.secret or node.takes_sets:
        return []
    refused = refusals_of(node)
    left = set(node.candidates()) - set(node.options)
    wrong = [f"`{r.key}` is refused without a reason" for r in refused if not r.reason.strip()]
    if len(left) != len(refused):
        wrong.append(f"{len(left)} candidates are not on offer, but {len(refused)} are refused")
    keys = list(keyed(node, node.options))
    if len(set(keys)) != len(node.options):
        wrong.append(f"{len(node.options)} options have {len(set(keys))} keys")
    return wrong
