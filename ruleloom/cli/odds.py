"""`ruleloom odds`: the exact odds of an effect text."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from ruleloom.cli.check.compile_check import closing_words_of
from ruleloom.cli.faults import CLEAN, FINDINGS, FaultInRules, WrongUse
from ruleloom.cli.options import colour_option
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.compiler.yaml.node import YamlNode, to_data
from ruleloom.compiler.yaml.reader import compose
from ruleloom.odds.policies import Best, Policies, Rule, Uniform, read_rule
from ruleloom.odds.question import NotAsked, OddsQuestion, ask, names_set
from ruleloom.odds.tables import Odds, OddsTable, odds
from ruleloom.output.terminal import colour_wanted, paint
from ruleloom.runtime.machine.free_text import SOME_TEXT
from ruleloom.runtime.machine.labels import number_text
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.search.odds import OverBudget
from ruleloom.scenarios.cases import GIVEN, has_given
from ruleloom.scenarios.notation import StepNotUnderstood
from ruleloom.scenarios.setup.things import unmarked
from ruleloom.scenarios.steps.answers import folded

BUDGET = 200_000
BAR = 30


@click.command("odds", short_help="say how likely what an effect text comes to is")
@click.argument("packs", nargs=-1, required=True, metavar="PACK...")
@click.argument("text", metavar="TEXT")
@click.option(
    "--given", "given_file", metavar="FILE", help="A file with `given:`, as cases have it."
)
@click.option(
    "--of", "asked", multiple=True, metavar="EXPR", help="What to tell; may be given several times."
)
@click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="NAME=ANSWER|[NAME=]best:EXPR|[NAME=]uniform",
    help="How the prompt NAME, or every other, is answered; may be given several times.",
)
@click.option("--json", "as_json", is_flag=True, help="Write the tables for programs.")
@click.option(
    "--budget",
    type=click.IntRange(1),
    default=BUDGET,
    show_default=True,
    help="So many states are looked through before runs are made at random.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Of runs at random."
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
    """Say how likely what an effect text comes to is, over all falls of the dice.

    TEXT is run as a case of `ruleloom test` runs it; `-` reads it from the input. Told are the
    names that it sets itself, or each EXPR, which may use them. Where somebody chooses, every
    answer counts alike, unless a policy says otherwise. An ANSWER may be several, `A|B`: the first
    of them that is on offer.

    \b
      ruleloom odds gnostica 'roll luck = 2d6'
      ruleloom odds gnostica 'roll luck = 2d6' --of 'luck >= 10'
    """
    result = compile_paths(packs, texts=False, reasons=False)
    if result.program is None or result.content is None:
        sys.stdout.write(render(result.diagnostics, result.sources, "text"))
        print(closing_words_of(result))
        return FINDINGS
    text = sys.stdin.read() if text == "-" else text
    given = _given(given_file) if given_file is not None else None
    if isinstance(given, int):
        return given
    rules, otherwise = _rules(policies)
    wanted = tuple(dict.fromkeys(asked or names_set(text)))
    question = _question(result.content, text, wanted, given, (*rules.values(), otherwise))
    plan = Policies(question, rules, otherwise, budget)
    found = _worked_out(question, plan, seed)
    unmet = sorted(set(rules) - plan.met)
    if unmet:
        met = ", ".join(f"`{one}`" for one in sorted(plan.met)) or "none at all"
        raise WrongUse(f"no prompt `{unmet[0]}` comes up", f"the prompts that do: {met}")
    for name, said in plan.never_on_offer():
        raise WrongUse(
            f"`{said}` is never on offer at `{name}`",
            "the answers that are, as they are written there",
        )
    if as_json:
        print(json.dumps(_data(text, found, seed), indent=2, ensure_ascii=False))
    else:
        print("\n".join(_lines(found, seed, colour_wanted(color))))
    return CLEAN


# ---------------------------------------------------------------------------------- what is asked


def _given(path: str) -> YamlNode | int:
    """The `given:` of a file; an exit code where it cannot be read, after a complaint."""
    report = Report()
    try:
        source = Source.read(Path(path), path)
    except SourceError as error:
        report.refuse(error)
        sys.stdout.write(render(report.diagnostics(), {}, "text"))
        return FINDINGS
    root = compose(source, report)
    if root is not None and root.kind != "map":
        report.error("not-an-item", root.place, "this file has no `given:`")
    sound = root is not None and not report.has_errors and has_given(root, report)
    if root is None or not sound:
        sys.stdout.write(render(report.diagnostics(), {path: source.text}, "text"))
        return FINDINGS
    return root.entries[GIVEN]


def _rules(policies: Sequence[str]) -> tuple[dict[str, Rule], Rule]:
    """The policy of each prompt that is named, and the one of all others."""
    rules: dict[str, Rule] = {}
    otherwise: list[Rule] = []
    for word in policies:
        name, sign, text = word.partition("=")
        if word == "uniform" or word.startswith("best:"):
            otherwise.append(read_rule(word))
        elif not sign or not name or not text:
            raise WrongUse(
                f"`--policy {word}` says nothing", "write NAME=ANSWER, NAME=best:EXPR or best:EXPR"
            )
        elif folded(name) in rules:
            raise WrongUse(f"`{name}` has two policies", "give it one")
        else:
            rules[folded(name)] = read_rule(text)
    if len(otherwise) > 1:
        raise WrongUse(
            "there are two policies for all other prompts", "name a prompt: NAME=best:EXPR"
        )
    return rules, otherwise[0] if otherwise else Uniform()


def _question(
    content: Content,
    text: str,
    wanted: Sequence[str],
    given: YamlNode | None,
    rules: Sequence[Rule],
) -> OddsQuestion:
    if not wanted:
        raise WrongUse("the text sets no name of which to tell", "say what to tell: --of EXPR")
    best = [rule.expression for rule in rules if isinstance(rule, Best)]
    data: Any = to_data(given) if given is not None else {}
    things = given.get("things") if given is not None else None
    try:
        return ask(content, text, wanted, best, data, things)
    except NotAsked as error:
        raise WrongUse("; ".join(error.reasons)) from None
    except StepNotUnderstood as error:
        raise WrongUse(unmarked(str(error))) from None
    except Refused as error:
        raise WrongUse(unmarked(error.reason)) from None
    except RuntimeFault as fault:
        raise FaultInRules(
            unmarked(fault.message), unmarked(fault.place) or "the text asks for it"
        ) from None


def _worked_out(question: OddsQuestion, plan: Policies, seed: int) -> Odds:
    try:
        return odds(question, plan, seed)
    except StepNotUnderstood as error:
        raise WrongUse(unmarked(str(error))) from None
    except Refused as error:
        raise WrongUse(f"a policy cannot be kept: {unmarked(error.reason)}") from None
    except OverBudget as fault:
        raise WrongUse(
            f"{fault.message}, and the best answer is not found by trying", "a larger --budget"
        ) from None
    except RecursionError:
        raise WrongUse(
            "the text asks too often for the best answers to be found", "fixed answers"
        ) from None
    except RuntimeFault as fault:
        raise FaultInRules(
            unmarked(fault.message), unmarked(fault.place) or "the text asks for it"
        ) from None


# ---------------------------------------------------------------------------------- what is told


def percent(chance: Fraction) -> str:
    """A chance in hundredths, two places behind the point."""
    hundredths = round(chance * 10_000)
    return f"{hundredths // 100}.{hundredths % 100:02}%"


def _lines(found: Odds, seed: int, colour: bool) -> Iterator[str]:
    if found.runs:
        yield f"more than {found.budget:,} states: found in {found.runs:,} runs at random, seed {seed}"
        yield "in brackets where the real number is, 19 times in 20"
        yield ""
    for name in found.written:
        yield safe_text(
            f"`{name}` is what a person writes: here `{SOME_TEXT}`, a text that no rule knows"
        )
    if found.written:
        yield ""
    for number, table in enumerate(found.tables):
        if number:
            yield ""
        yield from _table_lines(table, bool(found.runs), colour)


def _table_lines(table: OddsTable, tried: bool, colour: bool) -> Iterator[str]:
    mean = ""
    if table.mean is not None:
        about = f"{float(table.mean):.3f}"
        shown = about if tried else number_text(table.mean)
        same = shown == about or table.mean.denominator == 1
        mean = f": {shown} on average" if same else f": {shown} on average, about {about}"
        if table.mean_between is not None:
            mean += f" [{table.mean_between[0]:.3f} to {table.mean_between[1]:.3f}]"
    yield paint(safe_text(table.of), "bold", on=colour) + mean
    most = max(line.chance for line in table.lines)
    rows = []
    for line in table.lines:
        chance = "" if tried else str(line.chance)
        least = "" if line.at_least is None else f"{percent(line.at_least)} or more"
        between = ""
        if line.between is not None:
            low, high = (percent(Fraction(bound)) for bound in line.between)
            between = f"[{low} to {high}]"
        bar = "#" * max(1, round(line.chance / most * BAR))
        rows.append((safe_text(line.value), chance, percent(line.chance), between, bar, least))
    widths = [max(len(row[place]) for row in rows) for place in range(6)]
    has_least = any(row[5] for row in rows)
    for row in rows:
        cells = [row[place].rjust(widths[place]) for place in range(4) if widths[place]]
        bar = row[4].ljust(widths[4]) if has_least else row[4]
        shown_bar = paint(bar, "cyan", on=colour)
        yield "  ".join(
            ["", *cells, shown_bar, *([row[5].rjust(widths[5])] if has_least else [])]
        ).rstrip()


def _data(text: str, found: Odds, seed: int) -> dict[str, Any]:
    """The tables as plain data: fractions as texts, bounds of what was tried as decimal numbers."""
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
