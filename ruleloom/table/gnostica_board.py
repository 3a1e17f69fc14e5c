"""Draws a Gnostica table: the spaces with their cards and pieces, then scores, stashes and hands.

    + 0/1 ---------+ 1/1 ---------+ 2/1 ..........
    |Move 5       1|Create 2     1|              .
    |A1→ B2↑       |              |A3•           .

A territory has a frame of lines, wasteland one of dots, the void none. A piece is its owner's
letter, its size and an arrow; a dot stands for upright.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ruleloom.bots.lookahead import constants, measure
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import Point, point_text
from ruleloom.table.canvas import Look, Styled, cut, fill, seen_width, wrapped

ARROWS = {"N": "↑", "E": "→", "S": "↓", "W": "←", "up": "•"}
PLAIN_ARROWS = {"N": "^", "E": ">", "S": "v", "W": "<", "up": "o"}
COMPASS = {"N": "north", "E": "east", "S": "south", "W": "west", "up": "upright"}
SIZES = {1: "small", 2: "medium", 3: "large"}
COLOURS = ("red", "blue", "green", "yellow", "magenta", "cyan")
LARGEST_PITCH, MOST_COLUMNS = 16, 8


class GnosticaTable:
    """The table of one game of Gnostica."""

    # The board is a picture, to be seen anew in each turn.
    stays = 0

    def __init__(self, linked: Linked, look: Look) -> None:
        self.linked = linked
        self.look = look
        self.arrows = PLAIN_ARROWS if look.plain else ARROWS
        self.letters = letters_of(linked.layout.players)
        self._columns = linked.layout.index
        self._titles = linked.layout.titles["Card"]
        self._worth = constants(linked, "value", len(self._titles))
        self._score = measure(linked, "score")
        self._stash = measure(linked, "stash")
        self._wasteland = measure(linked, "wasteland")

    # ------------------------------------------------------------------ the board

    def board(self, state: State) -> list[str]:
        """The board, north at the top; if it is too wide, in several parts, west first."""
        cells = self._cells(state)
        if not cells:
            return ["(the board is empty)"]
        xs = range(min(x for x, _ in cells), max(x for x, _ in cells) + 1)
        lines: list[str] = []
        for first in range(0, len(xs), MOST_COLUMNS):
            part = xs[first : first + MOST_COLUMNS]
            lines += ["", f"columns {part[0]} to {part[-1]}:"] if len(xs) > MOST_COLUMNS else []
            lines += self._part(cells, part)
        return lines

    def _cells(self, state: State) -> dict[Point, Cell]:
        """Every space that is not void, with its card and its pieces."""
        tokens = self._tokens(state)
        board = state.world[self._columns["board"]]
        around = {(x + dx, y + dy) for x, y in board for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        return {
            spot: Cell(board.get(spot), tokens.get(spot, []))
            for spot in around | tokens.keys()
            if spot in board
            or spot in tokens
            or self._wasteland is None
            or self._wasteland(state, spot)
        }

    def _tokens(self, state: State) -> dict[Point, list[Styled]]:
        """The pieces on each space as they are drawn: by owner, the largest first."""
        pieces = [piece for piece in zip(*self._pieces(state), strict=True) if piece[3] is not None]
        tokens: dict[Point, list[Styled]] = defaultdict(list)
        for owner, pips, facing, spot in sorted(pieces, key=lambda piece: (piece[0], -piece[1])):
            tokens[spot].append((self._token(owner, pips, facing), self.style(owner)))
        return tokens

    def _token(self, owner: int, pips: int, facing: str) -> str:
        return f"{self.letters[owner]}{pips}{self.arrows[facing]}"

    def _pieces(self, state: State) -> Iterator[Any]:
        """Owner, pips, facing and space of each piece."""
        names = ("owner", "pips", "facing", "space")
        return (state.world[self._columns[f"Piece.{name}"]] for name in names)

    def _part(self, cells: dict[Point, Cell], xs: Sequence[int]) -> list[str]:
        pitch = min(LARGEST_PITCH, (self.look.width - 1) // len(xs))
        ys = sorted({y for x, y in cells if x in xs}, reverse=True)
        lines: list[str] = []
        for y in range(ys[0], ys[-1] - 1, -1):
            lines.append(self._border(cells, xs, y, pitch))
            lines += self._row(cells, xs, y, pitch)
        lines.append(self._border(cells, xs, ys[-1] - 1, pitch, closing=True))
        return lines

    def _border(
        self, cells: dict[Point, Cell], xs: Sequence[int], y: int, pitch: int, closing: bool = False
    ) -> str:
        """The line above row `y`, with the coordinates of its spaces."""
        parts: list[Styled] = []
        for x in [*xs, xs[-1] + 1]:
            around = [cells.get(spot) for spot in ((x, y), (x - 1, y), (x, y + 1), (x - 1, y + 1))]
            inside = [c for c, at in zip(around, (x, x - 1, x, x - 1), strict=True) if at in xs]
            parts.append((_sign(inside, "+"), ("dim",)))
            if x not in xs:
                break
            line = _sign([cells.get((x, y)), cells.get((x, y + 1))], "-")
            label = f" {point_text((x, y))} " if (x, y) in cells and not closing else ""
            parts.append((label, ()))
            parts.append((line * (pitch - 1 - len(label)), ("dim",)))
        return self.look.line(parts)

    def _row(self, cells: dict[Point, Cell], xs: Sequence[int], y: int, pitch: int) -> list[str]:
        """The lines of one row of spaces: the cards, then as many lines of pieces as are needed."""
        inner = pitch - 1
        row = {x: cells.get((x, y)) for x in xs}
        wrapped = {x: _wrapped(cell.tokens, inner) if cell else [] for x, cell in row.items()}
        has_card = any(cell is not None and cell.card is not None for cell in row.values())
        lines = []
        for number in range(-1 if has_card else 0, max(1, *map(len, wrapped.values()))):
            parts: list[Styled] = []
            for x in xs:
                parts.append((_sign([row.get(x - 1), row[x]], "|"), ("dim",)))
                parts += self._content(row[x], wrapped[x], number, inner)
            parts.append((_sign([row[xs[-1]]], "|"), ("dim",)))
            lines.append(self.look.line(parts))
        return lines

    def _content(
        self, cell: Cell | None, wrapped: list[list[Styled]], number: int, inner: int
    ) -> list[Styled]:
        """One line of a space: its card (-1), or a row of its pieces."""
        if cell is not None and cell.card is not None and number < 0:
            value = str(self._worth[cell.card])
            title = fill(self._titles[cell.card], inner - len(value) - 1)
            return [(f"{title} ", ("bold",)), (value, ())]
        tokens = wrapped[number] if 0 <= number < len(wrapped) else []
        parts: list[Styled] = []
        for token in tokens:
            parts += [token, (" ", ())]
        used = sum(seen_width(text) for text, _ in parts)
        return parts[:-1] if used > inner else [*parts, (" " * (inner - used), ())]

    # ------------------------------------------------------------------ words for values

    def card(self, card: int) -> str:
        """A card with its points."""
        return f"{self._titles[card]} ({self._worth[card]})"

    def _ground(self, card: int | None) -> str:
        return "wasteland" if card is None else self.card(card)

    def _words(self, cell: Cell | None) -> str:
        """A space in words: its card, and the pieces on it."""
        if cell is None:
            return "void"
        return ", ".join([self._ground(cell.card), *(text for text, _ in cell.tokens)])

    def describe(self, state: State, type_name: str, value: Any) -> str | None:
        """An option with what it means on the board; None if there is nothing to add."""
        if value is None:
            return None
        board = state.world[self._columns["board"]]
        if type_name in self.linked.layout.points:
            return f"{point_text(value)}  {self._ground(board.get(value))}"
        if type_name == "Card":
            return self.card(value)
        if type_name == "Facing":
            return f"{self.arrows[value]} {COMPASS.get(value, value)}"
        if type_name == "Piece":
            owner, size, way, spot = (column[value] for column in self._pieces(state))
            card = board.get(spot)
            ground = "wasteland" if card is None else self._titles[card]
            token = self._token(owner, size, way)
            return f"{token} on {point_text(spot)}  {stance(size, way)}, {ground}"
        return None

    def distinguished(self, state: State, type_name: str, value: Any) -> str:
        """The difference between things that look alike: here none do."""
        return ""

    # ----------------------------------------------------------------- what stands beside the board

    def style(self, player: int) -> tuple[str, ...]:
        """The colour of a player."""
        return (COLOURS[player % len(COLOURS)], "bold")

    def changes(self, before: State, after: State, viewer: int | None, told: str = "") -> list[str]:
        """The spaces, lines of players and hand that differ between two drawings."""
        old, spaces = self._cells(before), self._cells(after)
        changed = (at for at in sorted({*old, *spaces}) if old.get(at) != spaces.get(at))
        words = ";  ".join(f"{point_text(at)} {self._words(spaces.get(at))}" for at in changed)
        margin = "    "
        lines_of_spaces = wrapped(words, self.look.width, 2 * margin, margin) if words else []
        seats = [""] * len(self.linked.layout.players)
        heading, *lines = self.status(after, seats, None)
        known = self.status(before, seats, None)
        news = [line for line in lines if line not in known]
        return [
            *map(self.look.paint, lines_of_spaces),
            *([heading, *news] if news else []),
            *(self._changed_hand(before, after, viewer) if viewer is not None else []),
        ]

    def _changed_hand(self, before: State, after: State, viewer: int) -> list[str]:
        hand = self.hand(after, viewer)
        return hand if hand != self.hand(before, viewer) else []

    def redrawn(
        self, before: State, after: State, viewer: int | None, asked: Sequence[int] = ()
    ) -> list[str]:
        """The whole board: nobody could follow a part of it."""
        seats = [""] * len(self.linked.layout.players)
        return [*self.board(after), *self.status(after, seats, viewer, asked)]

    def status(
        self,
        state: State,
        seats: Sequence[str],
        viewer: int | None,
        asked: Sequence[int] = (),
        since: State | None = None,
    ) -> list[str]:
        """Each player's score, stash and number of cards, the piles, and the hand of `viewer`."""
        world, columns = state.world, self._columns
        names = []
        for name, letter, seat in zip(self.linked.layout.players, self.letters, seats, strict=True):
            parts = [name] if name != letter else []
            names.append(cut(" ".join([*parts, f"({seat})"] if seat else parts), 24))
        width = max(map(seen_width, ["player", *names]))
        lines = [f"      {fill('player', width)}  points  cards  stash: small medium large"]
        for player, name in enumerate(names):
            lines += self._player_lines(state, player, name, width, player in asked)
        piles = (len(world[columns["draw_pile"]]), len(world[columns["discard_pile"]]))
        lines.append(f"    draw pile {piles[0]}, discard pile {piles[1]}")
        return lines if viewer is None else [*lines, *self.hand(state, viewer)]

    def _player_lines(
        self, state: State, player: int, name: str, width: int, is_asked: bool
    ) -> list[str]:
        scope, index = state.scope, self.linked.scope_index
        note = "announced the next turn as the last" if player in scope[index["pending"]] else ""
        if player in scope[index["out"]]:
            note = "is out"
        points = "?" if self._score is None else self._score(state, player)
        target = self.linked.settings.get("target_score", "?")
        cards = len(state.world[self._columns["hand"]][player])
        stash = ""
        if self._stash is not None:
            stash = "".join(f"{self._stash(state, player, size):^6}" for size in SIZES)
        line = self.look.line(
            [
                ("  > " if is_asked else "    ", ("bold",)),
                (f"{self.letters[player]} ", self.style(player)),
                (f"{fill(name, width)}  {points:>3}/{target:<3} {cards:>4}", ()),
                (f"           {stash}", ()),
            ]
        )
        # On a line of its own: there is not always room for it.
        return [line, *([f"        {self.look.paint(note, 'bold')}"] if note else [])]

    def hand(self, state: State, viewer: int) -> list[str]:
        """The hand of one player, in lines that fit."""
        cards = [self.card(card) for card in state.world[self._columns["hand"]][viewer]]
        lines = [f"Hand of {self.linked.layout.players[viewer]}:"]
        for number, card in enumerate(cards or ["(no cards)"]):
            part = f" {card}{',' if number < len(cards) - 1 else ''}"
            if seen_width(lines[-1]) + seen_width(part) > self.look.width:
                lines.append("   ")
            lines[-1] += part
        return [self.look.paint(line) for line in lines]


class Cell(NamedTuple):
    """A space that is not void: its card, if any, and the pieces on it as they are drawn."""

    card: int | None
    tokens: list[Styled]


def stance(size: int, facing: str) -> str:
    """The size and the direction of a piece, in words."""
    return f"{SIZES.get(size, size)}, {COMPASS.get(facing, facing)}"


def letters_of(players: Sequence[str]) -> list[str]:
    """A letter for each player: the initials if they are distinct letters, else A, B, C."""
    firsts = [name[:1].upper() for name in players]
    letters = all(re.fullmatch("[A-Z]", first) for first in firsts)
    if letters and len(set(firsts)) == len(firsts):
        return firsts
    return [chr(ord("A") + seat) for seat in range(len(players))]


def _sign(cells: Sequence[Cell | None], line: str) -> str:
    """The border of spaces: a line beside a territory, dots beside wasteland, none in the void."""
    there = [cell for cell in cells if cell is not None]
    return line if any(cell.card is not None for cell in there) else "." if there else " "


def _wrapped(tokens: Sequence[Styled], width: int) -> list[list[Styled]]:
    """Tokens in rows that fit a space."""
    rows: list[list[Styled]] = []
    used = width
    for token in tokens:
        if used + 1 + seen_width(token[0]) > width:
            rows.append([])
            used = -1
        rows[-1].append(token)
        used += 1 + seen_width(token[0])
    return rows
