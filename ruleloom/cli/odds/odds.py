"""`ruleloom odds`: the odds of an effect text, exact or estimated."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import click

from ruleloom.cli.faults import CLEAN
from ruleloom.cli.odds.compile_question import compiled_question
from ruleloom.cli.odds.working_out import BUDGET, read_policies, refuse_unmet, worked_out
from ruleloom.cli.options import colour_option
from ruleloom.odds.policies import Policies, expressions_of
from ruleloom.odds.tables import Odds, OddsRow, OddsTable
from ruleloom.output.terminal import colour_wanted, paint
from ruleloom.runtime.machine.ask import SOME_TEXT
from ruleloom.runtime.machine.labels import number_text
from ruleloom.runtime.program.safe_text import safe_text

BAR = 30


@click.command("odds")
@click.argument("packs", nargs=-1, required=True, metavar="PACK...")
@click.argument("text", metavar="TEXT")
@click.option("--given", "given_file", metavar="FILE", help="A file with a `given:`, as in cases.")
@click.option(
    "--of",
    "asked",
    multiple=True,
    metavar="EXPR",
    help="An expression to tabulate; may be given several times.",
)
@click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="NAME=ANSWER|[NAME=]best:EXPR|[NAME=]uniform",
    help="The answer to the prompt NAME, or to every other prompt; may be given several times.",
)
@click.option("--json", "as_json", is_flag=True, help="Write the tables as JSON.")
@click.option(
    "--budget",
    type=click.IntRange(1),
    default=BUDGET,
    show_default=True,
    help="The number of states to search; beyond it, the odds are estimated by random runs.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="The seed of random runs."
)
@colour_option
def command(
    packs: tuple[str, ...],
    text: str,
    given_file: str | None,
    asked: tuple[str, ...],
    policies: tuple[str, ...],
    as_json: bool,
    budget: int,
    seed: int,
    color: str,
) -> int:
    """Compute the odds of an effect text over all results of dice and decks.

    TEXT is run like the text of a case of `ruleloom test`; `-` reads it from standard input. The
    output has a table for each name that TEXT sets, or for each EXPR, which may use these names.
    All answers to a prompt are equally likely, unless a policy says otherwise. An ANSWER may list
    alternatives, `A|B`: the first one on offer is given.

    \b
      ruleloom odds gnostica 'roll luck = 2d6'
      ruleloom odds gnostica 'roll luck = 2d6' --of 'luck >= 10'
    """
    text = sys.stdin.read() if text == "-" else text
    rules, otherwise = read_policies(policies)
    best = expressions_of(rules, otherwise)
    question = compiled_question(packs, text, asked, best, given_file)
    if isinstance(question, int):
        return question
    plan = Policies(question, rules, otherwise, budget)
    found = worked_out(question, plan, seed)
    refuse_unmet(plan)
    if as_json:
        print(json.dumps(_data(text, found, seed), indent=2, ensure_ascii=False))
    else:
        print("\n".join(_lines(found, seed, colour_wanted(color))))
    return CLEAN


# ---------------------------------------------------------------------------------- the answer


def percent(chance: Fraction) -> str:
    """A chance in percent, with two decimals."""
    hundredths = round(chance * 10_000)  # not `:.2%`, which would round a float
    return f"{hundredths // 100}.{hundredths % 100:02}%"


def _lines(found: Odds, seed: int, colour: bool) -> Iterator[str]:
    if found.runs:
        estimated = f"estimated from {found.runs:,} random runs, seed {seed}"
        yield f"{found.spent}: {estimated}"
        yield "in brackets: the 95% confidence interval"
        yield ""
    for name in found.written:
        yield safe_text(f"`{name}` is free text: here `{SOME_TEXT}`, a text that no rule knows")
    if found.written:
        yield ""
    for number, table in enumerate(found.tables):
        if number:
            yield ""
        yield from _table_lines(table, bool(found.runs), colour)


def _table_lines(table: OddsTable, estimated: bool, colour: bool) -> Iterator[str]:
    yield paint(safe_text(table.of), "bold", on=colour) + _mean_text(table, estimated)
    most = max(line.chance for line in table.lines)
    rows = [_row_cells(line, most, estimated) for line in table.lines]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for *cells, bar, least in rows:
        shown = [cell.rjust(width) for cell, width in zip(cells, widths, strict=False) if width]
        tail = [least.rjust(widths[5])] if widths[5] else []
        shown_bar = paint(bar.ljust(widths[4]) if tail else bar, "cyan", on=colour)
        yield "  ".join(["", *shown, shown_bar, *tail]).rstrip()


def _mean_text(table: OddsTable, estimated: bool) -> str:
    """The mean behind the head of a table, if it has one."""
    if table.mean is None:
        return ""
    about = f"{float(table.mean):.3f}"
    shown = about if estimated else number_text(table.mean)
    same = shown == about or table.mean.denominator == 1
    text = f": {shown} on average" + ("" if same else f", about {about}")
    if table.mean_between is not None:
        text += f" [{table.mean_between[0]:.3f} to {table.mean_between[1]:.3f}]"
    return text


def _row_cells(line: OddsRow, most: Fraction, estimated: bool) -> tuple[str, ...]:
    """Value, chance as a fraction and in percent, its interval, a bar, and the chance of more."""
    least = "" if line.at_least is None else f"{percent(line.at_least)} or more"
    bounds = () if line.between is None else [percent(Fraction(bound)) for bound in line.between]
    between = f"[{' to '.join(bounds)}]" if bounds else ""
    bar = "#" * max(1, round(line.chance / most * BAR))
    chance = "" if estimated else str(line.chance)
    return safe_text(line.value), chance, percent(line.chance), between, bar, least


def _data(text: str, found: Odds, seed: int) -> dict[str, Any]:
    """The tables as plain data: fractions as texts, bounds of estimates as decimal numbers."""
    head: dict[str, Any] = {"text": text, "exact": not found.runs}
    if found.runs:
        head |= {"runs": found.runs, "seed": seed}
    if found.written:
        head |= {"written": list(found.written)}
    return head | {"tables": [_table_data(table) for table in found.tables]}


def _table_data(table: OddsTable) -> dict[str, Any]:
    data: dict[str, Any] = {"of": table.of, "mean": None if table.mean is None else str(table.mean)}
    if table.mean_between is not None:
        data["mean_between"] = list(table.mean_between)
    data["values"] = []
    for line in table.lines:
        entry: dict[str, Any] = {"value": line.value, "chance": str(line.chance)}
        if line.at_least is not None:
            entry["at_least"] = str(line.at_least)
        if line.between is not None:
            entry["between"] = list(line.between)
        data["values"].append(entry)
    return data
