"""A random table of records that were made, on which the dearer ones are rarer."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ruleloom.building.building import Building
from ruleloom.building.told import budget_line
from ruleloom.compiler.yaml.node import written

ROWS = range(2, 201)
"""How many rows a random table may have."""
MOST_WEIGHT = 1000
ROUND = str.maketrans("{}", "()")
"""In a row, braces name another table."""


def encounter_table(id: str, title: str, made: Sequence[Building]) -> str:
    """The text of a random table whose rows are records by their price, the cheapest first."""
    rows = sorted(made, key=_price)
    dearest = _price(rows[-1])
    lines = [
        "kind: random-table",
        f"id: {id}",
        f"title: {written(title.translate(ROUND))}",
        "rows:",
    ]
    for one in rows:
        weight = min(MOST_WEIGHT, round(dearest / _price(one)))
        cost = budget_line(one.budgets[0], with_limit=False) if one.budgets else ""
        text = ", ".join(filter(None, (one.title, cost))).translate(ROUND)
        lines.append(f"  - {written({'weight': weight, 'text': text})}")
    return "\n".join((*lines, ""))


def _price(one: Building) -> Fraction:
    """What a record costs in the first budget; what is free counts as cheap."""
    return Fraction(max(1, one.budgets[0].spent)) if one.budgets else Fraction(1)
