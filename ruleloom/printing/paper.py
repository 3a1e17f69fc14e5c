"""Cards on paper: how many fit on a sheet, where each lies, the marks to cut by, and the backs in the order
that both sides of a sheet are printed in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleloom.printing.deck import Card
from ruleloom.printing.marks import Drawing
from ruleloom.runtime.dataclass import Frozen

MARGIN = 6_000
MARK = 4_000
"""The length of a mark to cut by."""


class Placed(Frozen):
    """A side of a card on a sheet: where its cut corner lies."""

    left: int
    top: int
    drawing: Drawing


class Cut(Frozen):
    """A mark to cut by, from one point to another."""

    x: int
    y: int
    to_x: int
    to_y: int


class PaperSide(Frozen):
    """One side of a sheet of paper."""

    width: int
    height: int
    placed: tuple[Placed, ...]
    cuts: tuple[Cut, ...]
    bleed: bool


class _Grid(Frozen):
    """Cards of one size on a sheet: their columns and rows, and how far apart they begin."""

    paper: tuple[int, int]
    columns: int
    rows: int
    card: tuple[int, int]
    gap: int

    @property
    def start(self) -> tuple[int, int]:
        """The left and top of the first card."""
        return self._start(0, self.columns), self._start(1, self.rows)

    def _start(self, side: int, many: int) -> int:
        return (self.paper[side] - many * self.card[side] - (many - 1) * self.gap) // 2

    def spot(self, number: int, mirrored: bool) -> tuple[int, int]:
        """Where a card lies; on the back of a sheet, columns are counted from the right."""
        row, column = divmod(number, self.columns)
        column = self.columns - 1 - column if mirrored else column
        left, top = self.start
        return left + column * (self.card[0] + self.gap), top + row * (self.card[1] + self.gap)


def grid(paper: tuple[int, int], card: tuple[int, int], gap: int) -> _Grid | None:
    """As many cards as fit, upright or across; None if not one fits."""
    ways = []
    for sheet in (paper, paper[::-1]):
        columns, rows = ((sheet[side] - 2 * MARGIN + gap) // (card[side] + gap) for side in (0, 1))
        ways.append(_Grid(sheet, columns, rows, card, gap))
    best = max(ways, key=lambda one: one.columns * one.rows)
    return best if best.columns * best.rows else None


def sheets(
    cards: Sequence[Card], paper: tuple[int, int], bleed: bool, backs: bool
) -> Iterator[PaperSide]:
    """The sides of sheets in order, those of one size together; raises ValueError for a card too large."""
    sizes: dict[tuple[int, int, int], list[Card]] = {}
    for card in cards:
        front = card.front
        sizes.setdefault((front.width, front.height, front.bleed), []).append(card)
    for (width, height, beyond), alike in sizes.items():
        found = grid(paper, (width, height), 2 * beyond if bleed else 0)
        if found is None:
            raise ValueError(
                f"a card of {width / 1000:g} x {height / 1000:g} mm is larger than the paper"
            )
        many = found.columns * found.rows
        for start in range(0, len(alike), many):
            some = alike[start : start + many]
            yield _side(found, [card.front for card in some], False, bleed)
            if backs:
                yield _side(found, [card.back for card in some], True, bleed)


def alone(drawing: Drawing, bleed: bool) -> PaperSide:
    """A sheet of the size of one side of a card."""
    beyond = drawing.bleed if bleed else 0
    size = drawing.width + 2 * beyond, drawing.height + 2 * beyond
    return PaperSide(*size, (Placed(beyond, beyond, drawing),), (), bleed)


def _side(grid: _Grid, drawings: Sequence[Drawing], mirrored: bool, bleed: bool) -> PaperSide:
    placed = tuple(
        Placed(*grid.spot(number, mirrored), drawing) for number, drawing in enumerate(drawings)
    )
    return PaperSide(*grid.paper, placed, tuple(_cuts(grid)), bleed)


def _cuts(grid: _Grid) -> Iterator[Cut]:
    """Marks beyond the first and last card of each column and row."""
    (left, top), (width, height) = grid.start, grid.card
    right = grid.spot(grid.columns - 1, False)[0] + width
    bottom = grid.spot((grid.rows - 1) * grid.columns, False)[1] + height
    away = 1_000 + grid.gap // 2
    for column in range(grid.columns):
        for x in (left + column * (width + grid.gap), left + column * (width + grid.gap) + width):
            yield Cut(x, top - away - MARK, x, top - away)
            yield Cut(x, bottom + away, x, bottom + away + MARK)
    for row in range(grid.rows):
        for y in (top + row * (height + grid.gap), top + row * (height + grid.gap) + height):
            yield Cut(left - away - MARK, y, left - away, y)
            yield Cut(right + away, y, right + away + MARK, y)
