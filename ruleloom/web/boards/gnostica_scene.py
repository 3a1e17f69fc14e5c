"""The board of Gnostica as plain data: spaces with their cards, pieces, scores, stashes, the hand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypedDict

from ruleloom.bots.lookahead import constants
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.values import Point, point_text
from ruleloom.table.gnostica_board import SIZES, stance
from ruleloom.web.boards.scene_reader import SceneReader


class Card(TypedDict):
    """A card: its title, its points, and which power it has (a suit's name, or `major`)."""

    ref: str
    title: str
    worth: int
    power: str


class Space(TypedDict):
    """A space that is no void; one without a card is wasteland."""

    ref: str
    x: int
    y: int
    card: Card | None


class PieceShown(TypedDict):
    """A piece on the board; its `id` stays when it moves."""

    id: int
    ref: str
    owner: int
    size: int
    facing: str
    x: int
    y: int
    words: str


class PlayerShown(TypedDict):
    """The things in front of a player."""

    name: str
    score: int | None
    why: str
    target: int | None
    cards: int
    stash: list[int]
    pending: bool
    out: bool


class GnosticaBoard(TypedDict):
    """The whole board."""

    kind: str
    spaces: list[Space]
    pieces: list[PieceShown]
    players: list[PlayerShown]
    draw_pile: int
    discard_pile: list[Card]
    hand: list[Card] | None


def board(game: Game, viewer: int) -> GnosticaBoard:
    """The board as `viewer` may see it: all of it, and of the hands their own."""
    scene = _Scene(game, viewer)
    hand = scene.column("hand")[viewer] if viewer >= 0 else None
    return {
        "kind": "gnostica",
        "spaces": scene.spaces(),
        "pieces": scene.pieces(),
        "players": [scene.player(seat) for seat in range(len(game.players))],
        "draw_pile": len(scene.column("draw_pile")),
        "discard_pile": [scene.card(one) for one in scene.column("discard_pile")],
        "hand": None if hand is None else [scene.card(one) for one in hand],
    }


class _Scene(SceneReader):
    """One moment of a game, column by column."""

    def __init__(self, game: Game, viewer: int) -> None:
        super().__init__(game, viewer)
        self._titles = self.linked.layout.titles["Card"]
        self._worth = _worth(self.linked)
        self._powers = self.linked.entities["Card"].powers

    def column(self, name: str) -> Any:
        return self.world[self.linked.layout.index[name]]

    def card(self, card: int) -> Card:
        kind, _, name = self._powers[card].rpartition(":")[2].partition("/")
        return {
            "ref": self.ref("Card", card),
            "title": self._titles[card],
            "worth": self._worth[card],
            "power": name if kind == "suit" else "major",
        }

    def spaces(self) -> list[Space]:
        cards = self.column("board")
        there = {spot for spot in self.column("Piece.space") if spot is not None} | set(cards)
        around = {(x + dx, y + dy) for x, y in cards for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        there |= {spot for spot in around if self.measured("wasteland", spot) is not False}
        return [self._space(spot, cards.get(spot)) for spot in sorted(there)]

    def _space(self, spot: Point, card: int | None) -> Space:
        ref = f"Space:{point_text(spot)}"
        shown = None if card is None else self.card(card)
        return {"ref": ref, "x": spot[0], "y": spot[1], "card": shown}

    def pieces(self) -> list[PieceShown]:
        names = ("owner", "pips", "facing", "space")
        columns: Sequence[Any] = [self.column(f"Piece.{name}") for name in names]
        return [
            self._piece(number, *piece)
            for number, piece in enumerate(zip(*columns, strict=True))
            if piece[3] is not None
        ]

    def _piece(self, number: int, owner: int, size: int, facing: str, at: Point) -> PieceShown:
        return {
            "id": number,
            "ref": self.ref("Piece", number),
            "owner": owner,
            "size": size,
            "facing": facing,
            "x": at[0],
            "y": at[1],
            "words": f"{self.game.players[owner]}: {stance(size, facing)}, {point_text(at)}",
        }

    def player(self, seat: int) -> PlayerShown:
        scope, index = self.game.state.scope, self.linked.scope_index
        name = self.game.players[seat]
        target = self.linked.settings.get("target_score")
        return {
            "name": name,
            "score": self._of("score", seat),
            "why": f"score({name})",
            "target": target if isinstance(target, int) else None,
            "cards": len(self.column("hand")[seat]),
            "stash": [self._of("stash", seat, size) or 0 for size in SIZES],
            "pending": seat in scope[index["pending"]],
            "out": seat in scope[index["out"]],
        }

    def _of(self, name: str, *args: int) -> int | None:
        found = self.measured(name, *args)
        return None if found is None else int(found)


@lru_cache(maxsize=256)
def _worth(linked: Linked) -> tuple[int, ...]:
    """The points of each card."""
    return constants(linked, "value", len(linked.layout.titles["Card"]))
