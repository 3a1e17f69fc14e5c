"""The odds of a thing that items make, as `ruleloom odds` tells them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ruleloom.compiler.packs.content import Content, slug_of
from ruleloom.odds.of_things import ThingOdds, ThingOddsLine
from ruleloom.output.terminal import paint
from ruleloom.reference.dice import percent
from ruleloom.runtime.program.safe_text import safe_text


def title_of(content: Content, name: str) -> str:
    """The title of the item of this name."""
    items = (one for one in content.items if one.slug == slug_of(name))
    return next((str(title) for one in items if (title := one.data("title"))), name)


def thing_lines(found: ThingOdds, title: str, colour: bool) -> Iterator[str]:
    """The table of one thing; the answers of the last of several choices stand side by side."""
    power, cells = found.power, {one.answers: _cell(one) for one in found.lines}
    words = [safe_text(power.word(one)) for one in power.by]
    yield paint(safe_text(f"{title}: {power.word(power.gives)}"), "bold", on=colour)
    if len(words) < 2:
        yield from _columns([[*words, ""], *([*answers, cell] for answers, cell in cells.items())])
    else:
        *heads, last = words
        across = [*dict.fromkeys(one[-1] for one in cells)]
        starts = dict.fromkeys(one[:-1] for one in cells)
        lines = [[*one, *(cells.get((*one, end), "") for end in across)] for one in starts]
        yield f"{' ' * (sum(map(len, heads)) + 2 * len(heads) + 2)}{last}"
        yield from _columns([[*heads, *across], *lines])
    runs = max((one.odds.runs for one in found.lines), default=0)
    if runs:
        yield f"about: estimated from {runs:,} random runs or more"


def _columns(rows: list[list[str]]) -> Iterator[str]:
    """Rows with their cells to the right."""
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    for row in rows:
        shown = (one.rjust(width) for one, width in zip(row, widths, strict=True))
        yield "  ".join(["", *shown]).rstrip()


def _cell(line: ThingOddsLine) -> str:
    """The chance of yes, or a mean; else the likeliest value."""
    about = "about " if line.odds.runs else ""
    if line.yes_or_no:
        return about + percent(line.value or Fraction(0))
    if line.value is not None:
        return f"{about}{float(line.value):.2f} on average"
    likeliest, chance = max(line.chances.items(), key=lambda one: one[1])
    return safe_text(f"{likeliest} ({about}{percent(chance)})")
