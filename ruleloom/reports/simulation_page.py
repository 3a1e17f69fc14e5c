"""The report of one run of games, and that of two runs held against each other."""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.output.terminal import count_of
from ruleloom.reports.page import (
    FigureTable,
    HeatChart,
    ReportPage,
    ReportSection,
    WhiskerChart,
    between_text,
    first_rows,
    percent_text,
    points_between,
    points_text,
    share_table,
)
from ruleloom.simulate.game_record import GameRecord
from ruleloom.simulate.intervals import Contrast, Estimate, share, smallest_difference
from ruleloom.simulate.run_plan import RunPlan
from ruleloom.simulate.tally import Tally, Unreached

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
    """Wins of each bot in each seat."""
    kinds = tuple(sorted({kind for one in records for kind in one.seats}))
    ended = [one for one in records if one.finished]
    seats = range(len(plan.players))
    shares = [[_share_of(ended, kind, seat) for seat in seats] for kind in kinds]
    rows = tuple((kind, *map(_cell_text, row)) for kind, row in zip(kinds, shares, strict=True))
    cells = tuple(tuple(None if one is None else one.value for one in row) for row in shares)
    chart = HeatChart(kinds, plan.players, cells, even)
    table = FigureTable(("bot", *plan.players), rows)
    return ReportSection("Wins by bot and seat", table=table, chart=chart)


def _share_of(ended: Sequence[GameRecord], kind: str, seat: int) -> Estimate | None:
    """The share of games won by a bot in a seat; None if it never sat there."""
    games = [one for one in ended if one.seats[seat] == kind]
    return share(sum(game.won(seat) for game in games), len(games)) if games else None


def _cell_text(one: Estimate | None) -> str:
    return "" if one is None else f"{percent_text(one.value)} ({between_text(one)})"


def _length(found: Tally) -> ReportSection:
    rows = tuple(
        (name, f"{one.value:.1f}", between_text(one, percent=False))
        for name, one in (("turns", found.turns), ("decisions", found.decisions))
    )
    return ReportSection(
        "How long games are", table=FigureTable(("", "mean", "95% interval"), rows)
    )


def _items(title: str, table: dict[str, Estimate], even: float, most: int) -> ReportSection:
    ordered = dict(sorted(table.items(), key=lambda one: (-one[1].low, one[0])))
    full = share_table("item", ordered, "seats")
    chart = WhiskerChart(tuple(ordered.items())[:most], even)
    return ReportSection(title, table=first_rows(full, most), chart=chart)


def _offers(found: Tally, most: int) -> ReportSection:
    ordered = sorted(found.offers.items(), key=lambda one: (-one[1].offered, one[0]))
    rows = [
        (
            name,
            f"{one.offered:,}",
            f"{one.taken:,}",
            percent_text(one.taken / one.offered) if one.offered else "",
            f"{one.refused:,}",
            f"{one.nothing:,}",
        )
        for name, one in ordered
    ]
    headings = ("what", "offered", "taken", "", "refused", "came to nothing")
    table = first_rows(FigureTable(headings, rows), most)
    return ReportSection("What was on offer", table=table)


def _missed(found: Tally, missed: Sequence[Unreached], most: int) -> ReportSection:
    if not missed:
        return ReportSection("What was never met", ("everything was met",))
    rows = [(one.name, "out of reach" if one.proven else "never seen", one.place) for one in missed]
    bound = (
        f"what was never seen in the {count_of(found.watched, 'game')} that were watched comes up in "
        f"fewer than {100 * found.rarest:.2g}% of such games (95% sure); what is out of reach is so "
        "whatever anybody does"
    )
    table = first_rows(FigureTable(("what", "how", "where"), rows), most)
    return ReportSection("What was never met", (bound,), table)


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
    ordered = sorted(found, key=lambda one: (not one.sure, not one.is_share))
    table = FigureTable(
        ("figure", old, new, "difference", "95% interval", "sure"), tuple(map(_row, ordered))
    )
    return ReportSection(title, opening, table, chart)


def _row(one: Contrast) -> tuple[str, ...]:
    difference = one.difference
    if one.is_share:
        figures = percent_text(one.old), percent_text(one.new), points_text(difference.value)
        between = points_between(difference)
    else:
        figures = f"{one.old:.1f}", f"{one.new:.1f}", f"{difference.value:+.1f}"
        between = f"{difference.low:+.1f} to {difference.high:+.1f}"
    return (one.name, *figures, between, "yes" if one.sure else "no")
