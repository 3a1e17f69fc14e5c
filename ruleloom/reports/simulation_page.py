"""The report of one run of games, and that of two runs held against each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ruleloom.output.terminal import count_of
from ruleloom.reports.page import (
    FigureTable,
    HeatChart,
    ReportPage,
    ReportSection,
    WhiskerChart,
    between_text,
    percent_text,
    points_text,
    share_table,
    yes_or_no,
)
from ruleloom.simulate.contrast import Contrast
from ruleloom.simulate.game_record import GameRecord
from ruleloom.simulate.intervals import Estimate, share, smallest_difference
from ruleloom.simulate.run_plan import RunPlan
from ruleloom.simulate.tally import Tally
from ruleloom.simulate.unreached import Unreached

FEW, MANY = 12, 200
Columns = Mapping[str, Callable[[Any], str]]
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
    """The report of one run; a `short` one leaves out the lower rows of long tables."""
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
            add(_items(f"Wins of whoever {called} it", table, even, most))
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


def _shares(title: str, what: str, table: dict[str, Estimate], even: float) -> ReportSection:
    chart = WhiskerChart(tuple(table.items()), even)
    return ReportSection(title, table=share_table(what, table, "games"), chart=chart)


def _heat(records: Sequence[GameRecord], plan: RunPlan, even: float) -> ReportSection:
    """Wins of each bot in each seat; nothing where it never sat."""
    kinds = tuple(sorted({kind for one in records for kind in one.seats}))
    ended = [one for one in records if one.finished]
    rows: list[tuple[str, ...]] = []
    cells: list[tuple[float | None, ...]] = []
    for kind in kinds:
        sat = [[one for one in ended if one.seats[n] == kind] for n in range(len(plan.players))]
        shares = [
            share(sum(one.won(seat) for one in games), len(games)) if games else None
            for seat, games in enumerate(sat)
        ]
        cells.append(tuple(None if one is None else one.value for one in shares))
        texts = (one and f"{percent_text(one.value)} ({between_text(one)})" for one in shares)
        rows.append((kind, *(text or "" for text in texts)))
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


def _items(title: str, table: dict[str, Estimate], even: float, most: int) -> ReportSection:
    ordered = dict(sorted(table.items(), key=lambda one: (-one[1].low, one[0])))
    chart = WhiskerChart(tuple(ordered.items())[:most], even)
    return ReportSection(title, table=share_table("item", ordered, "seats", most), chart=chart)


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
    """The differences between two runs that share their seeds: a table, and a chart of the shares."""
    old, new = labels
    sure = [one for one in found if one.sure]
    opening = (
        f"{count_of(games, 'pair')} of games; game n of both has the same seed",
        f"{count_of(len(sure), 'figure')} of {len(found):,} surely differ; the chance that even one of "
        "these is called different by mistake is at most 5% (after Holm)",
    )
    chart = WhiskerChart(
        tuple(
            (one.name, one.difference)
            for one in found
            if one.is_share and not one.name.startswith("games with")
        ),
        0.0,
    )
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
    table = FigureTable(("figure", old, new, *[*columns][3:]), rows)  # both may be called alike
    return ReportSection(title, opening, table, chart)


def _figure(one: Contrast, value: float) -> str:
    return percent_text(value) if one.is_share else f"{value:.1f}"


def _signed(one: Contrast, value: float) -> str:
    return points_text(value) if one.is_share else f"{value:+.1f}"
