"""The reports of runs: one run, two runs compared, the effect of items; and records as tables, CSV for
spreadsheets and JSON lines for programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from ruleloom.odds.tables import OddsTable
from ruleloom.output.csv_rows import csv_rows
from ruleloom.output.terminal import count_of
from ruleloom.reports.page import (
    Columns,
    CurveChart,
    FigureTable,
    HeatChart,
    ReportPage,
    ReportSection,
    WhiskerChart,
    between_text,
    percent_text,
    points_between,
    points_text,
    share_table,
    yes_or_no,
)
from ruleloom.runtime.dataclass import Frozen
from ruleloom.simulate.balance.dominance import Dominance
from ruleloom.simulate.balance.verdicts import BeatenBy, ItemVerdict, OutOfLine, PairVerdict
from ruleloom.simulate.intervals import Contrast, Estimate, share, smallest_difference
from ruleloom.simulate.run_plan import GameRecord, RunPlan
from ruleloom.simulate.tally import Tally, Unreached


def csv_text(records: Sequence[GameRecord], players: Sequence[str]) -> str:
    """A CSV table of one row per game, escaped so that no text becomes a formula."""
    columns = ("seed", "finished", "ended", "limit", "fault", "turns", "decisions")
    seats = [f"{what} {name}" for name in players for what in ("bot of", "won by")]

    def row(one: GameRecord) -> list[Any]:
        each = [value for seat, bot in enumerate(one.seats) for value in (bot, one.won(seat))]
        return [one.number, *(getattr(one, name) for name in columns), *each]

    return csv_rows([("game", *columns, *seats), *map(row, records)] if records else [])


def lines_text(records: Iterable[GameRecord]) -> str:
    """The records as JSON lines."""
    return "".join(f"{one.line()}\n" for one in records)


FEW, MANY = 12, 200
BOTS_ARE_NO_PEOPLE = (
    "Bots have played, not people: they know none of the talk, the habits and the plans of a table, "
    "and what they do badly looks weak here."
)
HOW_SURE = (
    "Intervals hold the true figure in 95 of 100 runs (after Wilson for shares). Those of things "
    "held or used count each seat of each game, and say what went together, not what made what."
)


def simulation_page(
    title: str,
    command: str,
    plan: RunPlan,
    records: Sequence[GameRecord],
    found: Tally,
    missed: Sequence[Unreached],
    short: bool = False,
) -> ReportPage:
    """The report of one run; a `short` one omits the lower rows of long tables."""
    most = FEW if short else MANY
    even = found.one_share
    page = ReportPage(title, command)
    add = page.sections.append
    add(ReportSection("Games", tuple(_opening(found, plan))))
    add(_shares("Wins by seat", "seat", found.by_seat, even))
    if len(found.by_bot) > 1:
        add(_shares("Wins by bot", "bot", found.by_bot, even))
        add(_heat(records, plan, even))
    if found.endings:
        add(ReportSection("How games end", table=share_table("ending", found.endings, "games")))
    add(_length(found))
    for called, table in (("held", found.by_held), ("used", found.by_used)):
        if table:
            ordered = dict(sorted(table.items(), key=lambda one: (-one[1].low, one[0])))
            add(_shares(f"Wins of whoever {called} it", "item", ordered, even, "seats", most))
    if found.offers:
        add(_offers(found, most))
    add(_missed(found, missed, most))
    add(ReportSection("What this cannot say", (BOTS_ARE_NO_PEOPLE, HOW_SURE)))
    return page


def _opening(found: Tally, plan: RunPlan) -> list[str]:
    drawn = f", {found.drawn:,} of them drawn" if found.drawn else ""
    lines = [
        f"{count_of(found.games, 'game')}, seed {plan.seed}: {found.finished:,} finished{drawn}"
    ]
    for limit, count in sorted(found.limits.items()):
        most = plan.turn_limit if limit == "turns" else plan.answer_limit
        option = "--turn-limit" if limit == "turns" else "--answer-limit"
        lines.append(
            f"{count_of(count, 'game')} met the limit of {most:,} {limit} and "
            f"{'counts' if count == 1 else 'count'} as unfinished ({option} sets another)"
        )
    lines += [f"the rules could not be played on: {fault}" for fault in found.faults]
    if found.games:
        least = smallest_difference(found.games)
        lines.append(
            f"so many games find a difference of {100 * least:.1f} points of percent "
            "in four of five cases, and smaller ones more seldom"
        )
    return lines


def _shares(
    title: str, what: str, table: dict[str, Estimate], even: float, of: str = "games", most: int = 0
) -> ReportSection:
    chart = WhiskerChart(tuple(table.items())[: most or None], even)
    return ReportSection(title, table=share_table(what, table, of, most), chart=chart)


def _heat(records: Sequence[GameRecord], plan: RunPlan, even: float) -> ReportSection:
    """Wins of each bot in each seat; blank where it never sat."""
    kinds = tuple(sorted({kind for one in records for kind in one.seats}))
    ended = [one for one in records if one.finished]
    rows: list[tuple[str, ...]] = []
    cells: list[tuple[float | None, ...]] = []
    for kind in kinds:
        texts, shares = [kind], list[float | None]()
        for seat in range(len(plan.players)):
            won = [one.won(seat) for one in ended if one.seats[seat] == kind]
            found = share(sum(won), len(won))
            texts.append(f"{percent_text(found.value)} ({between_text(found)})" if won else "")
            shares.append(found.value if won else None)
        rows.append(tuple(texts))
        cells.append(tuple(shares))
    chart = HeatChart(kinds, plan.players, tuple(cells), even)
    table = FigureTable(("bot", *plan.players), rows)
    return ReportSection("Wins by bot and seat", table=table, chart=chart)


def _length(found: Tally) -> ReportSection:
    columns: Columns = {
        "": lambda one: one[0],
        "mean": lambda one: f"{one[1].value:.1f}",
        "95% interval": lambda one: between_text(one[1], percent=False),
    }
    lengths = (("turns", found.turns), ("decisions", found.decisions))
    return ReportSection("How long games are", table=FigureTable.of(lengths, columns))


def _offers(found: Tally, most: int) -> ReportSection:
    ordered = sorted(found.offers.items(), key=lambda one: (-one[1].offered, one[0]))
    columns: Columns = {
        "what": lambda one: one[0],
        "offered": lambda one: f"{one[1].offered:,}",
        "taken": lambda one: f"{one[1].taken:,}",
        "": lambda one: percent_text(one[1].taken / one[1].offered) if one[1].offered else "",
        "refused": lambda one: f"{one[1].refused:,}",
        "came to nothing": lambda one: f"{one[1].nothing:,}",
    }
    return ReportSection("What was on offer", table=FigureTable.of(ordered, columns, most))


def _missed(found: Tally, missed: Sequence[Unreached], most: int) -> ReportSection:
    if not missed:
        return ReportSection("What was never met", ("everything was met",))
    columns: Columns = {
        "what": lambda one: one.name,
        "how": lambda one: "out of reach" if one.proven else "never seen",
        "where": lambda one: one.place,
    }
    bound = (
        f"what was never seen in the {count_of(found.watched, 'game')} that were watched comes up in "
        f"fewer than {100 * found.rarest:.2g}% of such games (95% sure); what is out of reach is so "
        "whatever anybody does"
    )
    return ReportSection("What was never met", (bound,), FigureTable.of(missed, columns, most))


# ---------------------------------------------------------------------------------- two runs


def contrast_page(
    title: str, command: str, labels: tuple[str, str], games: int, found: Sequence[Contrast]
) -> ReportPage:
    """The report of two runs that share their seeds."""
    page = ReportPage(title, command)
    page.sections.append(contrast_section("What changed in play", labels, games, found))
    page.sections.append(ReportSection("What this cannot say", (BOTS_ARE_NO_PEOPLE,)))
    return page


def contrast_section(
    title: str, labels: tuple[str, str], games: int, found: Sequence[Contrast]
) -> ReportSection:
    """The differences between two runs that share their seeds: a table and a chart of the shares."""
    old, new = labels
    sure = [one for one in found if one.sure]
    opening = (
        f"{count_of(games, 'pair')} of games; game n of both has the same seed",
        f"{count_of(len(sure), 'figure')} of {len(found):,} surely differ; the chance that even one of "
        "these is called different by mistake is at most 5% (after Holm)",
    )
    shares = (one for one in found if one.is_share and not one.name.startswith("games with"))
    chart = WhiskerChart(tuple((one.name, one.difference) for one in shares), 0.0)
    columns: Columns = {
        "figure": lambda one: one.name,
        "old": lambda one: _figure(one, one.old),
        "new": lambda one: _figure(one, one.new),
        "difference": lambda one: _signed(one, one.difference.value),
        "95% interval": lambda one: (
            f"{_signed(one, one.difference.low)} to {_signed(one, one.difference.high)}"
        ),
        "sure": lambda one: yes_or_no(one.sure),
    }
    ordered = sorted(found, key=lambda one: (not one.sure, not one.is_share))
    rows = FigureTable.of(ordered, columns).rows
    table = FigureTable(("figure", old, new, *[*columns][3:]), rows)  # both may have the same label
    return ReportSection(title, opening, table, chart)


def _figure(one: Contrast, value: float) -> str:
    return percent_text(value) if one.is_share else f"{value:.1f}"


def _signed(one: Contrast, value: float) -> str:
    return points_text(value) if one.is_share else f"{value:+.1f}"


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


Section = tuple[str, tuple[str, ...], Columns]
CHANCES: Columns = {
    "value": lambda one: one.value,
    "chance": lambda one: str(one.chance),
    "": lambda one: percent_text(float(one.chance)),
}


class ExactFigure(Frozen):
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
        """The difference of the means with and without the item; None if the values are not numbers."""
        if self.without.mean is None or self.with_it.mean is None:
            return None
        return self.with_it.mean - self.without.mean


class ItemComparison(Frozen):
    """The changes that an item makes for all players: one in the game, a switch or a number."""

    name: str
    how: str
    labels: tuple[str, str]
    pairs: int
    figures: Sequence[Contrast]


class BalanceFindings(Frozen):
    """The findings of a balance run."""

    bots: tuple[str, ...]
    verdicts: Sequence[ItemVerdict]
    prices: Sequence[OutOfLine] = ()
    beaten: Sequence[BeatenBy] = ()
    pairs: Sequence[PairVerdict] = ()
    dominances: Sequence[Dominance] = ()
    exact: Sequence[ExactFigure] = ()
    comparisons: Sequence[ItemComparison] = ()
    texts: int = 0
    """The number of items compared by text alone."""


def balance_page(title: str, command: str, found: BalanceFindings) -> ReportPage:
    """The report; exact figures, which need no play, come first."""
    page = ReportPage(title, command)
    add = page.sections.append
    for exact in found.exact:
        page.sections.extend(_exact(exact))
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
    columns = VERDICTS if first.price is None else {**VERDICTS, **PRICED}
    chart = WhiskerChart(tuple((one.name, one.difference) for one in found.verdicts), 0.0)
    kept, table = tuple(filter(None, paragraphs)), FigureTable.of(found.verdicts, columns)
    return ReportSection("What each makes of its owner's wins", kept, table, chart)


VERDICTS: Columns = {
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
PRICED: Columns = {
    "price": lambda one: f"{one.price:g}",
    "points for each": lambda one: (
        "" if one.per_price is None else points_text(one.per_price.value)
    ),
}
# Sections with one table each: title, text above it, and columns.
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
    """The two sections of an exact distribution: without and with the item."""
    made = "" if one.gain is None else f"it makes {_mean_text(one.gain)} more on average, exactly"
    sections = []
    for label, odds, more in (("without it", one.without, ""), ("with it", one.with_it, made)):
        mean = "" if odds.mean is None else f"{_mean_text(odds.mean)} on average"
        table, points = FigureTable.of(odds.lines, CHANCES), list[tuple[float, float]]()
        with suppress(ValueError):  # values that are not numbers have no curve
            points = [(float(Fraction(row.value)), float(row.chance)) for row in odds.lines]
        chart = CurveChart(tuple(points), one.name) if len(points) > 1 else None
        told = tuple(filter(None, (mean, more, EXACT)))
        sections.append(ReportSection(f"Exactly, {label}: {one.name}", told, table, chart))
    return sections


def _mean_text(mean: Fraction) -> str:
    return f"{mean}, about {float(mean):.3f}" if mean.denominator > 1 else str(mean)
