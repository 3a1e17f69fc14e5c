"""The exact odds of an effect text with an item and without it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ruleloom.cli.faults import WrongUse
from ruleloom.cli.odds.compile_question import odds_question, read_given
from ruleloom.cli.odds.working_out import BUDGET, read_policies, worked_out
from ruleloom.compiler.analysis.yaml_cursor import names_bound
from ruleloom.compiler.packs.content import Content
from ruleloom.odds.policies import Policies, expressions_of
from ruleloom.odds.tables import Odds, OddsTable
from ruleloom.reports.balance_page import ExactFigure

SEED = 1


def exact_figures(
    name: str,
    contents: tuple[Content, Content],
    text: str,
    of: Sequence[str],
    given: str | None,
    policies: Sequence[str],
) -> list[ExactFigure]:
    """The distributions of a text without an item and with it. Raises WrongUse where they are not exact."""
    without, with_it = (_odds(one, text, of, given, policies) for one in contents)
    pairs = zip(without.tables, with_it.tables, strict=True)
    return [ExactFigure(name, before, after) for before, after in pairs]


def exact_data(figure: ExactFigure) -> dict[str, Any]:
    """An exact figure as plain data, its fractions as strings."""
    return {
        "item": figure.item,
        "of": figure.without.of,
        "without": _table_data(figure.without),
        "with": _table_data(figure.with_it),
        "gain": None if figure.gain is None else str(figure.gain),
    }


def _table_data(table: OddsTable) -> dict[str, Any]:
    chances = {row.value: str(row.chance) for row in table.lines}
    return {"mean": None if table.mean is None else str(table.mean), "chances": chances}


def _odds(
    content: Content, text: str, of: Sequence[str], given: str | None, policies: Sequence[str]
) -> Odds:
    node = read_given(given) if given is not None else None
    if given is not None and node is None:
        raise WrongUse(f"{given} cannot be used as it is")
    rules, otherwise = read_policies(policies)
    wanted = tuple(dict.fromkeys(of or names_bound(text)))
    best = expressions_of(rules, otherwise)
    question = odds_question(content, text, wanted, node, best)
    found = worked_out(question, Policies(question, rules, otherwise, BUDGET), SEED)
    if found.runs:
        raise WrongUse("there is too much to be worked out exactly", "ask for less: --of EXPR")
    return found
