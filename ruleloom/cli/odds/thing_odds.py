"""The odds of a thing that items make, as `ruleloom odds` tells them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from ruleloom.compiler.packs.content import Content, slug_of
from ruleloom.odds.of_things import YES_NO, ThingOdds, ThingOddsLine
from ruleloom.output.terminal import paint
from ruleloom.reference.dice import percent
from ruleloom.runtime.program.safe_text import safe_text


def title_of(content: Content, name: str) -> str:
    """The title of the item of this name."""
    items = (one for one in content.items if one.slug == slug_of(name))
    return next((str(title) for one in items if (title := one.data("title"))), name)


def thing_lines(found: ThingOdds, title: str, colour: bool) -> Iterator[str]:
    """A table for each result; the answers of the last of several choices stand side by side."""
    by = found.power.by
    for number, name in enumerate(found.power.gives):
        if number:
            yield ""
        yield paint(safe_text(f"{title}: {found.power.word(name)}"), "bold", on=colour)
        cells = {one.answers: _cell(found, one, number) for one in found.lines}
        across = [*dict.fromkeys(one[-1] for one in cells)] if len(by) > 1 else []
        heads = [safe_text(found.power.word(one)) for one in (by[:-1] if across else by)]
        if across:
            yield " " * (sum(map(len, heads)) + 2 * len(heads) + 2) + found.power.word(by[-1])
        rows = [[*heads, *across], *_rows(cells, across)]
        yield from _columns(rows)
    runs = max((one.odds.runs for one in found.lines), default=0)
    if runs:
        yield f"about: estimated from {runs:,} random runs and more"


def _rows(cells: dict[tuple[str, ...], str], across: Sequence[str]) -> Iterator[list[str]]:
    if not across:
        yield from ([*answers, cell] for answers, cell in cells.items())
        return
    for head in dict.fromkeys(one[:-1] for one in cells):
        yield [*head, *(cells.get((*head, one), "") for one in across)]


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows with their cells to the right."""
    widths = [
        max(map(len, filled)) for filled in zip(*(pad(one, rows) for one in rows), strict=True)
    ]
    for row in rows:
        shown = (one.rjust(width) for one, width in zip(row, widths, strict=False))
        yield "  ".join(["", *shown]).rstrip()


def pad(row: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A row with empty cells up to the longest."""
    return [*row, *([""] * (max(map(len, rows)) - len(row)))]


def _cell(found: ThingOdds, line: ThingOddsLine, number: int) -> str:
    """The chance of yes, or a mean; else the likeliest value."""
    table = line.odds.tables[number]
    about = "about " if line.odds.runs else ""
    value = found.value(line, number)
    if {one.value for one in table.lines} <= YES_NO:
        return about + percent(value or Fraction(0))
    if value is not None:
        return f"{about}{float(value):.2f} on average"
    likeliest = max(table.lines, key=lambda one: one.chance)
    return safe_text(f"{likeliest.value} ({about}{percent(likeliest.chance)})")
