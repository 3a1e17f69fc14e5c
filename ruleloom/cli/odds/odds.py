"""`ruleloom odds`: the odds of an effect text, exact or estimated."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any

import click

from ruleloom.api.content_error import ContentError
from ruleloom.api.making import findings_of, sound
from ruleloom.cli.faults import CLEAN, FINDINGS, FaultInRules, WrongUse
from ruleloom.cli.odds.table_odds import BAR, TABLE_NAME, table_called, table_data, table_lines
from ruleloom.cli.odds.thing_odds import thing_lines, title_of
from ruleloom.cli.options import Wanted, colour_option, game_argument, option
from ruleloom.compiler.analysis.yaml_cursor import items_of, names_bound, read_yaml
from ruleloom.compiler.cases.case_file import GIVEN, has_given
from ruleloom.compiler.cases.case_words import folded
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.random_tables import RandomTable
from ruleloom.compiler.pipeline import compile_paths, load
from ruleloom.compiler.yaml.node import YamlNode, to_data
from ruleloom.odds.of_things import OddsPower, given_record, odds_of_thing, powers_for
from ruleloom.odds.question import (
    NotAsked,
    OddsQuestion,
    Policies,
    Rule,
    Uniform,
    ask,
    expressions_of,
    read_rule,
)
from ruleloom.odds.tables import Odds, OddsRow, OddsTable, odds
from ruleloom.output.terminal import colour_wanted, paint
from ruleloom.reference.dice import exact_percent
from ruleloom.runtime.machine.ask import SOME_TEXT
from ruleloom.runtime.machine.labels import number_text
from ruleloom.runtime.program.faults import OverBudget, Refused, RuntimeFault
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.scenarios.notation import StepNotUnderstood
from ruleloom.scenarios.setup.things import unmarked


def compiled_question(wanted: Wanted, best: Sequence[str]) -> OddsQuestion | None:
    """The question, with the expressions to maximise (`best`); without expressions it tabulates the names
    that the text sets. None after printing mistakes."""
    content = _content_of(wanted)
    given = read_given(wanted.given_file) if wanted.given_file is not None else None
    if wanted.given_file is not None and given is None:
        return None
    told = tuple(dict.fromkeys(wanted.asked or names_bound(wanted.text)))
    with _mistakes_first(wanted):
        return odds_question(content, wanted.text, told, given, best)


def _content_of(wanted: Wanted) -> Content:
    """The content of a game, not checked. Raises ContentError if it cannot be read."""
    content = load(wanted.game, Report(), scenarios=False)
    if content is None or not content.by_kind("vocabulary"):
        raise ContentError(findings_of(compile_paths(wanted.game, reasons=False, scenarios=False)))
    return content


@contextmanager
def _mistakes_first(wanted: Wanted) -> Iterator[None]:
    """Turn a fault of a question into the mistakes of the game, which was compiled along with it."""
    try:
        yield
    except (WrongUse, FaultInRules):
        found = findings_of(compile_paths(wanted.game, reasons=False, scenarios=False))
        if not found.sound:
            raise ContentError(found) from None
        raise


def read_given(path: str) -> YamlNode | None:
    """The `given:` of a file; None after printing its errors."""
    report, sources = Report(), dict[str, str]()
    root = read_yaml(Path(path), report, sources)
    if root is not None and root.kind != "map":
        report.error("not-an-item", root.place, "this file has no `given:`")
    if root is None or report.has_errors or not has_given(root, report):
        sys.stdout.write(render(report.diagnostics(), sources, "text"))
        return None
    return root.entries[GIVEN]


def odds_question(
    content: Content,
    text: str,
    wanted: Sequence[str],
    given: YamlNode | None,
    best: Sequence[str],
) -> OddsQuestion:
    """The question about a game. Raises WrongUse if it is invalid."""
    with refusals_in_words():
        # An invalid text sets no name either, so check it before reporting that.
        question = ask(content, text, wanted or ("1",), best, given)
    if not wanted:
        raise WrongUse("the text sets no name to tabulate", "say what to tabulate: --of EXPR")
    return question


BUDGET = 200_000


def read_policies(policies: Sequence[str]) -> tuple[dict[str, Rule], Rule]:
    """The policy of each named prompt, and the policy of all others."""
    rules: dict[str, Rule] = {}
    otherwise: list[Rule] = []
    for word in policies:
        name, sign, text = word.partition("=")
        if word == "uniform" or word.startswith("best:"):
            otherwise.append(read_rule(word))
        elif not sign or not name or not text:
            help = "write NAME=ANSWER, NAME=best:EXPR or best:EXPR"
            raise WrongUse(f"`--policy {word}` says nothing", help)
        elif folded(name) in rules:
            raise WrongUse(f"`{name}` has two policies", "give it one")
        else:
            rules[folded(name)] = read_rule(text)
    if len(otherwise) > 1:
        message = "there are two policies for all other prompts"
        raise WrongUse(message, "name a prompt: NAME=best:EXPR")
    return rules, otherwise[0] if otherwise else Uniform()


NOT_KEPT = "a policy cannot be kept: "


def worked_out(question: OddsQuestion, plan: Policies, seed: int) -> Odds:
    with refusals_in_words(NOT_KEPT):
        return odds(question, plan, seed)


@contextmanager
def refusals_in_words(refused: str = "") -> Iterator[None]:
    """Turn exceptions of a case into messages; `refused` prefixes refusals of the game."""
    try:
        yield
    except NotAsked as error:
        raise WrongUse("; ".join(error.reasons)) from None
    except OverBudget as fault:
        message = f"{fault.message}, and random runs cannot find the best answer"
        raise WrongUse(message, "give a larger --budget") from None
    except RecursionError:
        message = "the text asks too often for the best answers to be found"
        raise WrongUse(message, "give fixed answers") from None
    except StepNotUnderstood as error:
        raise WrongUse(unmarked(str(error))) from None
    except Refused as error:
        raise WrongUse(f"{refused}{unmarked(error.reason)}") from None
    except RuntimeFault as fault:
        place = unmarked(fault.place) or "the text asks for it"
        if fault.origin is not None and not fault.origin.path:
            place = f"line {fault.origin.line - 1} of the text"  # the first line is its field's
        raise FaultInRules(unmarked(fault.message), place) from None


def refuse_unmet(rules: Iterable[str], *plans: Policies) -> None:
    """Refuse policies for prompts that never came up, and answers that were never on offer."""
    asked = set[str]().union(*(plan.met for plan in plans))
    for name in sorted(set(rules) - asked):
        met = ", ".join(f"`{one}`" for one in sorted(asked)) or "none at all"
        raise WrongUse(f"no prompt `{name}` comes up", f"the prompts that do: {met}")
    for name, answer in chain.from_iterable(plan.never_on_offer() for plan in plans):
        help = "give an answer that is on offer, as it is written there"
        raise WrongUse(f"`{answer}` is never on offer at `{name}`", help)


@click.command("odds")
@game_argument()
@click.argument("text", metavar="TEXT")
@option("--given FILE", "A file with a `given:`, as in cases.", name="given_file")
@option(
    "--of EXPR",
    "An expression to tabulate; may be given several times.",
    name="asked",
    multiple=True,
)
@option(
    "--policy NAME=ANSWER|[NAME=]best:EXPR|[NAME=]uniform",
    "The answer to the prompt NAME, or to every other prompt; may be given several times.",
    name="policies",
    multiple=True,
)
@option("--json", "Write the tables as JSON.", name="as_json")
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
def command(**options: object) -> int:
    """Compute the odds of an effect text over all results of dice and decks, or of a random table.

    TEXT is run like the text of a case of `ruleloom test`; `-` reads it from standard input. The
    output has a table for each name that TEXT sets, or for each EXPR, which may use these names.
    All answers to a prompt are equally likely, unless a policy says otherwise. An ANSWER may list
    alternatives, `A|B`: the first one on offer is given.

    Where TEXT is the name of a random table, they are those of each of its rows, with the rows of the
    tables that it names. Where it is that of a thing for which a power of the game tells `odds:`, such as a
    written-down spell, it is that table; and so for each record in a file, where TEXT is its path.

    \b
      ruleloom odds gnostica 'roll luck = 2d6'
      ruleloom odds gnostica 'roll luck = 2d6' --of 'luck >= 10'
    """
    wanted = Wanted(**options)
    wanted.text = sys.stdin.read() if wanted.text == "-" else wanted.text
    if not wanted.asked and Path(wanted.text).is_file():
        return _of_file(wanted)
    if not wanted.asked and TABLE_NAME.fullmatch(wanted.text.strip()):
        named = _of_named(wanted, wanted.text.strip())
        if named is not None:
            return named
    rules, otherwise = read_policies(wanted.policies)
    question = compiled_question(wanted, expressions_of(rules, otherwise))
    if question is None:
        return FINDINGS
    plan = Policies(question, rules, otherwise, wanted.budget)
    found = worked_out(question, plan, wanted.seed)
    refuse_unmet(rules, plan)
    if wanted.as_json:
        print(json.dumps(_data(wanted.text, found, wanted.seed), indent=2, ensure_ascii=False))
    else:
        print("\n".join(_lines(found, wanted.seed, colour_wanted(wanted.color))))
    return CLEAN


def _of_named(wanted: Wanted, name: str) -> int | None:
    """Print the odds of a thing or random table; None for the name of a flow."""
    given = read_given(wanted.given_file) if wanted.given_file is not None else None
    if wanted.given_file is not None and given is None:
        return FINDINGS
    content = _content_of(wanted)
    powers = powers_for(content, name, given)
    if powers:
        asked = [(title_of(content, name), one, name, given) for one in powers]
        return _of_things(wanted, content, asked)
    _, content = sound(compile_paths(wanted.game, reasons=False, scenarios=False))
    table = table_called(content, name)
    return None if table is None else _of_table(wanted, content, table)


def _of_file(wanted: Wanted) -> int:
    """Print the odds of each record in a file, which need not be in a pack."""
    report, sources = Report(), dict[str, str]()
    root = read_yaml(Path(wanted.text), report, sources)
    if root is None or report.has_errors:
        sys.stdout.write(render(report.diagnostics(), sources, "text"))
        return FINDINGS
    content, asked = _content_of(wanted), []
    for node in items_of(root):
        record = to_data(node)
        if isinstance(record, dict) and "id" in record:
            name, given = str(record["id"]), given_record(record)
            powers = powers_for(content, name, given)
            asked += [(str(record.get("title", name)), one, name, given) for one in powers]
    if not asked:
        message = f"nothing in {wanted.text} has a table of odds"
        raise WrongUse(message, "a power with `odds:` says of what there is one")
    return _of_things(wanted, content, asked)


def _of_things(
    wanted: Wanted, content: Content, asked: Sequence[tuple[str, OddsPower, str, YamlNode | None]]
) -> int:
    """Print the tables of odds of things: of each its title, the power, its name and what is given."""
    rules, _ = read_policies(wanted.policies)
    with _mistakes_first(wanted), refusals_in_words(NOT_KEPT):
        found = [
            odds_of_thing(content, power, name, given, rules, wanted.budget, wanted.seed)
            for _, power, name, given in asked
        ]
    refuse_unmet(rules, *(plan for _, plan in found))
    tables = [table for table, _ in found]
    if wanted.as_json:
        print(json.dumps([one.to_json() for one in tables], indent=2, ensure_ascii=False))
        return CLEAN
    colour, titles = colour_wanted(wanted.color), [title for title, *_ in asked]
    named = zip(tables, titles, strict=True)
    print("\n\n".join("\n".join(thing_lines(*one, colour)) for one in named))
    return CLEAN


def _of_table(wanted: Wanted, content: Content, table: RandomTable) -> int:
    """Print the odds of the rows of a random table."""
    if wanted.as_json:
        print(json.dumps(table_data(content, table), indent=2, ensure_ascii=False))
    else:
        print("\n".join(table_lines(content, table, colour_wanted(wanted.color))))
    return CLEAN


# ---------------------------------------------------------------------------------- the answer


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
    """The mean, shown after a table's heading, if any."""
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
    """Value, chance as fraction and percentage, interval, bar, and chance of this or more."""
    least = "" if line.at_least is None else f"{exact_percent(line.at_least)} or more"
    bounds = (
        () if line.between is None else [exact_percent(Fraction(bound)) for bound in line.between]
    )
    between = f"[{' to '.join(bounds)}]" if bounds else ""
    bar = "#" * max(1, round(line.chance / most * BAR))
    chance = "" if estimated else str(line.chance)
    return safe_text(line.value), chance, exact_percent(line.chance), between, bar, least


def _data(text: str, found: Odds, seed: int) -> dict[str, Any]:
    """The tables as JSON data: fractions as strings, bounds of estimates as floats."""
    runs = {"runs": found.runs, "seed": seed} if found.runs else {}
    written = {"written": list(found.written)} if found.written else {}
    tables = [_table_data(table) for table in found.tables]
    return {"text": text, "exact": not found.runs, **runs, **written, "tables": tables}


def _table_data(table: OddsTable) -> dict[str, Any]:
    between = {} if table.mean_between is None else {"mean_between": list(table.mean_between)}
    values = [
        {"value": line.value, "chance": str(line.chance)}
        | ({} if line.at_least is None else {"at_least": str(line.at_least)})
        | ({} if line.between is None else {"between": list(line.between)})
        for line in table.lines
    ]
    mean = None if table.mean is None else str(table.mean)
    return {"of": table.of, "mean": mean, **between, "values": values}
