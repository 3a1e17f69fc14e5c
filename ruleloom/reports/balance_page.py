"""The report of a balance run: what items make, prices, pairs, dominance, and exact figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ruleloom.odds.tables import OddsTable
from ruleloom.output.terminal import count_of
from ruleloom.reports.page import (
    CurveChart,
    FigureTable,
    ReportPage,
    ReportSection,
    WhiskerChart,
    percent_text,
    points_between,
    points_text,
    yes_or_no,
)
from ruleloom.reports.simulation_page import BOTS_ARE_NO_PEOPLE, contrast_section
from ruleloom.runtime.dataclass import dataclass
from ruleloom.simulate.balance.dominance import Dominance
from ruleloom.simulate.balance.verdicts import BeatenBy, ItemVerdict, OutOfLine, PairVerdict
from ruleloom.simulate.contrast import Contrast
from ruleloom.simulate.intervals import smallest_difference

WAYS = {
    "held": "One player begins with it, or nobody does; the rest of the game is the same.",
    "bought": "Somebody has it in their list, or has not; the rest of the game is the same.",
    "changed": "Somebody has it in both games, and the pack on top is only in one.",
}

STANDING = (
    "A game that nobody has won by the last turn that was played counts by how far ahead of the others its "
    "player then stands, as the bots' judge has it: from nearly 0 to nearly 100, and 50 where games "
    "usually end."
)
ALIKE = "Items that do the same, or all of another"
NO_PLAY = "Found by comparing the texts, without play."
EXACT = (
    "Worked out over all that dice can show, without play: exact, and not estimated. Where the games "
    "below say something else of this, believe this."
)


Columns = Mapping[str, Callable[[Any], str]]
Section = tuple[str, tuple[str, ...], Columns]
CHANCES: Columns = {
    "value": lambda one: one.value,
    "chance": lambda one: str(one.chance),
    "": lambda one: percent_text(float(one.chance)),
}


@dataclass(frozen=True, slots=True)
class ExactFigure:
    """The exact distribution of an expression without an item and with it."""

    item: str
    without: OddsTable
    with_it: OddsTable

    @property
    def name(self) -> str:
        """The expression, and the item."""
        return f"{self.without.of} ({self.item})"

    @property
    def gain(self) -> Fraction | None:
        """The difference of the means with the item and without it; None where the values are no numbers."""
        if self.without.mean is None or self.with_it.mean is None:
            return None
        return self.with_it.mean - self.without.mean


@dataclass(frozen=True, slots=True)
class ItemComparison:
    """The changes that an item makes for everybody: one in the game or not, a switch, a number."""

    name: str
    how: str
    labels: tuple[str, str]
    pairs: int
    figures: Sequence[Contrast]


@dataclass(frozen=True, slots=True)
class BalanceFindings:
    """All that a balance run has found."""

    bots: tuple[str, ...]
    verdicts: Sequence[ItemVerdict]
    prices: Sequence[OutOfLine] = ()
    beaten: Sequence[BeatenBy] = ()
    pairs: Sequence[PairVerdict] = ()
    dominances: Sequence[Dominance] = ()
    exact: Sequence[ExactFigure] = ()
    comparisons: Sequence[ItemComparison] = ()
    texts: int = 0
    """The number of items to compare by their texts alone."""


def balance_page(title: str, command: str, found: BalanceFindings) -> ReportPage:
    """The report; exact figures come first, since they need no play."""
    page = ReportPage(title, command)
    add = page.sections.append
    page.sections.extend(section for one in found.exact for section in _exact(one))
    if found.verdicts:
        add(_verdicts(found))
    for one in found.comparisons:
        heading = f"What changed in play: {one.name}"
        add(contrast_section(heading, one.labels, one.pairs, one.figures))
    tables = ((PRICES, found.prices), (BEATEN, found.beaten), (PAIRS, found.pairs))
    for (title, above, columns), rows in (*tables, (DOMINANCES, found.dominances)):
        if rows:
            add(ReportSection(title, above, FigureTable.of(rows, columns)))
    if found.texts and not found.dominances:
        add(ReportSection(ALIKE, (f"{NO_PLAY} None of the {found.texts:,} has all of another.",)))
    limits = [BOTS_ARE_NO_PEOPLE] if found.verdicts or found.comparisons else []
    limits.append(
        "An item is tried in this game, against these opponents and in these packs: elsewhere it may "
        "make more or less."
    )
    add(ReportSection("What this cannot say", tuple(limits)))
    return page


def _verdicts(found: BalanceFindings) -> ReportSection:
    first = found.verdicts[0]
    played = [one.difference.games for one in found.verdicts]
    games, at_least = min(played), "" if min(played) == max(played) else "at least "
    sure = sum(one.sure for one in found.verdicts)
    paragraphs = (
        WAYS.get(first.how, ""),
        f"{at_least}{count_of(games, 'pair')} of games for each, between {', '.join(found.bots)}; both "
        f"games of a pair share their luck. Sure of {sure} of "
        f"{count_of(len(found.verdicts), 'item')}: the chance "
        "that even one of these is called so by mistake is at most 5% (after Holm).",
        f"a difference of {100 * smallest_difference(games):.1f} points or more is found in four of "
        "five cases at the least",
        STANDING if any(one.judged for one in found.verdicts) else "",
        *(
            f"never done in these games with {one.name}: {', '.join(one.use.never)}"
            for one in found.verdicts
            if one.use.never
        ),
    )
    columns: dict[str, Callable[[Any], str]] = {
        "item": lambda one: one.name,
        "wins without": lambda one: percent_text(one.without.value),
        "wins with": lambda one: percent_text(one.with_it.value),
        "points": lambda one: points_text(one.difference.value),
        "95% interval": lambda one: points_between(one.difference),
        "pairs that differ": lambda one: f"{one.differ:,}",
        "met": lambda one: percent_text(one.use.met),
        "used": lambda one: percent_text(one.use.used),
        "read": lambda one: "" if one.use.read is None else percent_text(one.use.read),
        "": lambda one: one.says,
    }
    if first.price is not None:
        columns["price"] = lambda one: f"{one.price:g}"
        columns["points for each"] = lambda one: (
            "" if one.per_price is None else points_text(one.per_price.value)
        )
    chart = WhiskerChart(tuple((one.name, one.difference) for one in found.verdicts), 0.0)
    kept, table = tuple(filter(None, paragraphs)), FigureTable.of(found.verdicts, columns)
    return ReportSection("What each makes of its owner's wins", kept, table, chart)


# Sections that are a table each: the title, what stands above it, and its columns.
PRICES: Section = (
    "Against others of its price",
    (),
    {
        "item": lambda one: one.name,
        "price": lambda one: f"{one.price:g}",
        "others of it": lambda one: f"{one.others:,}",
        "points above them": lambda one: points_text(one.difference.value),
        "95% interval": lambda one: points_between(one.difference),
        "sure": lambda one: yes_or_no(one.sure),
    },
)
BEATEN: Section = (
    "Beaten in play for no more",
    (),
    {
        "item": lambda one: one.worse,
        "does less than": lambda one: one.better,
        "points": lambda one: points_text(one.gap.value),
        "95% interval": lambda one: points_between(one.gap),
    },
)
PAIRS: Section = (
    "Two together",
    (
        "The pairs that looked most remarkable in games as they fall, each then tried in games of "
        "its own: what both make together beyond what each makes alone.",
    ),
    {
        "pair": lambda one: f"{one.one} and {one.other}",
        "points": lambda one: points_text(one.extra.value),
        "95% interval": lambda one: points_between(one.extra),
        "sure": lambda one: yes_or_no(one.sure),
    },
)
DOMINANCES: Section = (
    ALIKE,
    (NO_PLAY,),
    {
        "item": lambda one: one.worse,
        "and": lambda one: one.better,
        "how they compare": lambda one: ", ".join(
            [one.why, *(f"{a} against {b}" for a, b in one.numbers)]
        ),
    },
)


def _exact(one: ExactFigure) -> list[ReportSection]:
    """Two sections for an exact distribution: without the item, and with it."""
    sections = []
    gain = (
        () if one.gain is None else (f"it makes {_mean_text(one.gain)} more on average, exactly",)
    )
    sides = (("without it", one.without, ()), ("with it", one.with_it, gain))
    for label, odds, more in sides:
        mean = () if odds.mean is None else (f"{_mean_text(odds.mean)} on average",)
        points = _points(odds)
        sections.append(
            ReportSection(
                f"Exactly, {label}: {one.name}",
                (*mean, *more, EXACT),
                FigureTable.of(odds.lines, CHANCES),
                CurveChart(points, one.name) if len(points) > 1 else None,
            )
        )
    return sections


def _mean_text(mean: Fraction) -> str:
    return f"{mean}, about {float(mean):.3f}" if mean.denominator > 1 else str(mean)


def _points(odds: OddsTable) -> tuple[tuple[float, float], ...]:
    """The curve of a distribution of numbers; empty where values are none."""
    points = []
    for row in odds.lines:
        try:
            points.append((float(Fraction(row.value)), float(row.chance)))
        except ValueError:
            return ()
    return tuple(points)
