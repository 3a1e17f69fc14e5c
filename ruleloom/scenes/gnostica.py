"""A table of Gnostica: spaces with cards, pieces, scores, stashes, and the hand."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from ruleloom.bots.lookahead import constants
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import described
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import Point
from ruleloom.scenes.scene import TableScene

SIZES = (1, 2, 3)


class PieceSeen(NamedTuple):
    """A piece on the board; its number never changes."""

    number: int
    owner: int
    size: int
    facing: str
    at: Point


class PlayerSeen(NamedTuple):
    """The table of one player; None for numbers that the rules no longer define."""

    score: int | None
    target: object
    cards: int
    stash: list[int | None]
    pending: bool
    out: bool


class GnosticaScene(TableScene):
    """A position in Gnostica."""

    def __init__(self, linked: Linked, state: State, viewer: int) -> None:
        super().__init__(linked, state, viewer)
        self.card_titles = linked.layout.titles["Card"]
        self.worth = constants_of(linked, "value", len(self.card_titles))

    def spaces(self) -> dict[Point, int | None]:
        """Every space that is not void, with its card; one without is wasteland."""
        cards = self.column("board")
        there = {spot for spot in self.column("Piece.space") if spot is not None} | set(cards)
        around = {(x + dx, y + dy) for x, y in cards for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        there |= {at for at in around - there if self.measured("wasteland", at) is not False}
        return {spot: cards.get(spot) for spot in sorted(there)}

    def piece(self, number: int) -> PieceSeen:
        """A piece, whether on the board or not."""
        names = ("owner", "pips", "facing", "space")
        return PieceSeen(number, *(self.column(f"Piece.{name}")[number] for name in names))

    def pieces(self) -> list[PieceSeen]:
        """The pieces on the board."""
        spots = enumerate(self.column("Piece.space"))
        return [self.piece(number) for number, spot in spots if spot is not None]

    def player(self, seat: int) -> PlayerSeen:
        """The table of one player."""
        scope, index = self.state.scope, self.linked.scope_index
        return PlayerSeen(
            self._number("score", seat),
            self.linked.settings.get("target_score"),
            len(self.column("hand")[seat]),
            [self._number("stash", seat, size) for size in SIZES],
            seat in scope[index["pending"]],
            seat in scope[index["out"]],
        )

    def _number(self, name: str, *args: int) -> int | None:
        found = self.measured(name, *args)
        return None if found is None else int(found)


constants_of = lru_cache(maxsize=256)(constants)
"""The values of a measure, cached per game."""


# ---------------------------------------------------------------------------------- for a page


def board(scene: GnosticaScene) -> dict[str, Any]:
    """The whole board and the viewer's own hand, as JSON data."""
    hand = scene.column("hand")[scene.viewer] if scene.viewer >= 0 else None
    players = scene.linked.layout.players
    return {
        "kind": "gnostica",
        "spaces": [
            {
                "ref": scene.ref("Space", spot),
                "words": scene.title("Space", spot),
                "x": spot[0],
                "y": spot[1],
                "card": None if card is None else _card(scene, card),
            }
            for spot, card in scene.spaces().items()
        ],
        "pieces": [_piece(scene, one) for one in scene.pieces()],
        "players": [_player(scene, *one) for one in enumerate(players)],
        "draw_pile": len(scene.column("draw_pile")),
        "discard_pile": [_card(scene, one) for one in scene.column("discard_pile")],
        "hand": None if hand is None else [_card(scene, one) for one in hand],
    }


def _card(scene: GnosticaScene, card: int) -> dict[str, object]:
    """A card: its title, its points, and its power (a suit's name, or `major`)."""
    powers = scene.linked.entities["Card"].powers
    kind, _, name = powers[card].rpartition(":")[2].partition("/")
    return {
        "ref": scene.ref("Card", card),
        "title": scene.card_titles[card],
        "worth": scene.worth[card],
        "power": name if kind == "suit" else "major",
    }


def _piece(scene: GnosticaScene, piece: PieceSeen) -> dict[str, object]:
    return {
        "id": piece.number,
        "ref": scene.ref("Piece", piece.number),
        "owner": piece.owner,
        "size": piece.size,
        "facing": piece.facing,
        "x": piece.at[0],
        "y": piece.at[1],
        "words": described(scene.linked, scene.world, "Piece", piece.number, is_placed=True),
    }


def _player(scene: GnosticaScene, seat: int, name: str) -> dict[str, object]:
    player = scene.player(seat)
    target = player.target if isinstance(player.target, int) else None
    stash = [one or 0 for one in player.stash]
    return {
        **player._asdict(),
        "name": name,
        "why": f"score({name})",
        "target": target,
        "stash": stash,
    }
