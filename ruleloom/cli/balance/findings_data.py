"""The findings of a balance run as plain data for JSON."""

from __future__ import annotations

from typing import Any

from ruleloom.cli.balance.exact_odds import exact_data
from ruleloom.reports.run_reports import BalanceFindings
from ruleloom.simulate.balance.verdicts import ItemVerdict
from ruleloom.simulate.contrast import contrast_data
from ruleloom.simulate.tally import estimate_data


def findings_data(found: BalanceFindings) -> dict[str, Any]:
    """All findings of a run, as one document."""
    return {
        "bots": list(found.bots),
        "exact": [exact_data(one) for one in found.exact],
        "items": [_item_data(one) for one in found.verdicts],
        "comparisons": [
            {
                "item": one.name,
                "how": one.how,
                "games": one.pairs,
                "figures": [contrast_data(figure) for figure in one.figures],
            }
            for one in found.comparisons
        ],
        "out_of_line": [
            {"item": one.name, "difference": estimate_data(one.difference), "sure": one.sure}
            for one in found.prices
        ],
        "beaten_in_play": [
            {"item": one.worse, "by": one.better, "difference": estimate_data(one.gap)}
            for one in found.beaten
        ],
        "pairs": [
            {"items": [one.one, one.other], "extra": estimate_data(one.extra), "sure": one.sure}
            for one in found.pairs
        ],
        "texts": [
            {"item": one.worse, "and": one.better, "why": one.why, "numbers": list(one.numbers)}
            for one in found.dominances
        ],
    }


def _item_data(one: ItemVerdict) -> dict[str, Any]:
    return {
        "item": one.name,
        "how": one.how,
        "without": estimate_data(one.without),
        "with": estimate_data(one.with_it),
        "difference": estimate_data(one.difference),
        "price": one.price,
        "met": round(one.use.met, 6),
        "used": round(one.use.used, 6),
        "read": None if one.use.read is None else round(one.use.read, 6),
        "never": list(one.use.never),
        "pairs_that_differ": one.differ,
        "judged": one.judged,
        "chance": round(one.chance, 6),
        "says": one.says,
    }
