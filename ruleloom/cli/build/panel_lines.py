"""The panels of a building as lines of a terminal: its headings with prices, what is on offer, its sheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from ruleloom.building.appraisal import BudgetState, Number, Unmet, counted, signed
from ruleloom.building.building import Building
from ruleloom.building.choices import GROUP, LISTS, NUMBER, Heading, OpenChoice
from ruleloom.building.offers import PricedOffer, cost_of_entry
from ruleloom.building.told import budget_line, finding_lines, said
from ruleloom.runtime.explain.sheet_pages import SheetPage
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.table.canvas import Look, Styled, cut, fill, seen_width, wrapped
from ruleloom.table.numbered_list import NUMBERED, in_columns

WIDEST_LABEL, LEAST_WORDS, GAP = 26, 16, 2
WIDE, SIDE = 110, 44
"""With so many columns the sheet stands beside the headings, in so many."""
DOTS = "..."
PRICED = (NUMBER, *LISTS)
STATES: Mapping[str, tuple[str, ...]] = {"legal": ("green",), "unfinished": ("yellow",)}


class PanelRow(NamedTuple):
    """A numbered line of a panel: a choice or a heading to open, with what is written there and its price."""

    label: str
    words: str
    price: str
    opens: OpenChoice | Heading


def row_of_heading(building: Building, heading: Heading) -> PanelRow:
    """The row of a heading: of its list, or of the plain choices that are written."""
    if len(heading.choices) == 1:
        return row_of_choice(building, heading.choices[0])
    known = (one for one in heading.choices if one.value is not None)
    words = ", ".join(f"{one.label} {said(building, one)}" for one in known)
    return PanelRow(heading.title, words, "", heading)


def row_of_choice(building: Building, one: OpenChoice) -> PanelRow:
    """The row of a choice."""
    is_priced = one.sort in PRICED and one.value is not None and not one.needed
    price = price_text(cost_of_entry(building, one.path)) if is_priced else ""
    is_same = one.sort == GROUP and not isinstance(one.value, dict)
    return PanelRow(one.label, "" if is_same else said(building, one), price, one)


def price_text(cost: Iterable[tuple[BudgetState, Number]], with_sign: bool = False) -> str:
    """A price in words: `2 Ad`, or what it adds: `+2 Ad`."""
    if with_sign:
        return ", ".join(f"{signed(more)} {one.unit or one.label}" for one, more in cost)
    return ", ".join(counted(more, one.unit or one.label) for one, more in cost)


def label_width(rows: Sequence[PanelRow], found: Sequence[PricedOffer] = ()) -> int:
    """The width of what rows and offers are called."""
    labels = [*(one.label for one in rows), *(one.label for one in found if one.text)]
    return min(WIDEST_LABEL, max(map(seen_width, labels), default=0))


def row_lines(rows: Sequence[PanelRow], look: Look, width: int, labels: int) -> list[str]:
    """Numbered rows in three columns: what each is called, what is written there, and its price."""
    cells = [(one.label, one.words, one.price) for one in rows]
    return _in_three(cells, look, (width, labels), 1, most_lines=3)


def offer_lines(
    found: Sequence[PricedOffer], first: int, look: Look, labels: int, with_place: bool
) -> list[str]:
    """Numbered offers, each with what it does and its price; those without words in columns."""
    if not any(one.text for one in found):
        texts = [
            NUMBERED.format(at, f"{one.label} {price_text(one.cost, True)}".rstrip())
            for at, one in enumerate(found, first)
        ]
        return [look.paint(line) for line in in_columns(texts, look.width)]
    cells = [
        (
            f"{one.at}: {one.label}" if with_place else one.label,
            " ".join(one.text.split()),
            price_text(one.cost, True),
        )
        for one in found
    ]
    labels = (
        min(WIDEST_LABEL, max(map(seen_width, (one[0] for one in cells)))) if with_place else labels
    )
    return _in_three(cells, look, (look.width, labels), first, most_lines=1)


def number_lines(found: Sequence[PricedOffer], look: Look) -> list[str]:
    """Numbers on offer, which are typed themselves, with what each adds."""
    texts = [
        f"{'>' if one.there else ' ':>3} {one.value:>3} {price_text(one.cost, True)}".rstrip()
        for one in found
    ]
    return [look.paint(line) for line in in_columns(texts, look.width)]


def _in_three(
    cells: Sequence[tuple[str, str, str]],
    look: Look,
    widths: tuple[int, int],
    first: int,
    most_lines: int,
) -> list[str]:
    """Numbered cells in three columns: labels, words in so many lines at most, and prices at the end."""
    width, labels = widths
    prices = max((seen_width(one[2]) for one in cells), default=0)
    room = width - 6 - labels - GAP - (prices + GAP if prices else 0)
    lines = []
    for at, (label, words, price) in enumerate(cells, first):
        parts = wrapped(safe_text(words), max(room, LEAST_WORDS))
        if len(parts) > most_lines:
            last = cut(parts[most_lines - 1], max(room, LEAST_WORDS) - len(DOTS))
            parts = [*parts[: most_lines - 1], f"{last.rstrip('.,;:')}{DOTS}"]
        for number, part in enumerate(parts):
            head = NUMBERED.format(at, "") if number == 0 else " " * 6
            line: list[Styled] = [
                (head, ("dim",)),
                (fill(label if number == 0 else "", labels) + " " * GAP, ("bold",)),
                (fill(part, room) if room >= LEAST_WORDS else part, ()),
            ]
            lines.append(look.line([*line, (" " * GAP + price if number == 0 else "", ("green",))]))
    return lines


def total_line(building: Building, look: Look) -> list[str]:
    """The price in each budget and whether the record is legal, always in view."""
    state: Styled = (building.state, STATES.get(building.state, ("red", "bold")))
    parts: list[Styled] = [(building.title, ("bold",))]
    parts += [(budget_line(one), ("red",) if one.over else ()) for one in building.budgets]
    lines: list[list[Styled]] = [[]]
    used = 0
    for text, styles in [*parts, state]:
        wide = seen_width(text) + 3
        if lines[-1] and used + wide > look.width:
            lines.append([])
            used = 0
        lines[-1] += [*([(" | ", ("dim",))] if lines[-1] else []), (text, styles)]
        used += wide
    return [look.line(one) for one in lines]


def findings_shown(findings: Sequence[Unmet], look: Look) -> Iterator[str]:
    """What is wrong, with clauses and what can be done."""
    for line in finding_lines(findings):
        style = ("red",) if line.startswith("error") else ("dim",) if line[0] == " " else ("bold",)
        for part in wrapped(safe_text(line), look.width, "    "):
            yield look.paint(part, *style)


def sheet_lines(sheets: Sequence[SheetPage], look: Look, width: int) -> Iterator[str]:
    """The numbers of the sheets, without texts, in so many columns."""
    for page in sheets:
        for block in page.blocks:
            yield look.paint(cut(block.title, width), "bold")
            for line in block.lines:
                label, value = safe_text(line.label), safe_text(f"{line.value} {line.note}".strip())
                room = width - seen_width(value) - 3
                if seen_width(label) <= room:
                    yield f"  {fill(label, room)} {value}"
                else:
                    yield from wrapped(f"{label} {value}", width, "      ", "  ")


def beside(left: Sequence[str], plain_width: int, right: Sequence[str]) -> list[str]:
    """Two panels side by side; the lines of the left are uncoloured or padded to their width."""
    return [
        f"{one}{' ' * (plain_width - shown_width(one))}{other}".rstrip()
        for one, other in zip_longest(left, right, fillvalue="")
    ]


def shown_width(line: str) -> int:
    """The width of a line without its colours."""
    plain, rest = "", line
    while rest:
        text, escape, rest = rest.partition("\x1b[")
        plain += text
        if escape:
            rest = rest.partition("m")[2]
    return seen_width(plain)
