"""The list of `ruleloom check --work`: the uses that may take most of their budget, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleloom.compiler.build import uses_of
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.lower.budget import MEASURES, CostChain, Measure, Uses
from ruleloom.compiler.pipeline import load
from ruleloom.runtime.program.safe_text import safe_text

# What takes less than a thousandth of its budget is not listed.
MOST_LISTED, LEAST_SHARE = 3, 1_000


def print_work(packs: Sequence[str]) -> None:
    """Print what the uses of these packs may take: those of the base game, and those of homebrew."""
    content = load(packs, Report())
    if content is None or not content.by_kind("vocabulary"):
        return
    uses = uses_of(content)
    for heading, is_base in (("base game", True), ("homebrew", False)):
        ids = [id for id in uses.checked if (uses.items[id].pack == content.game) == is_base]
        lines = [line for one in MEASURES for line in _costliest(uses, one, ids)]
        if lines:
            print(f"\nthe costliest uses of the {heading}")
            print("\n".join(map(safe_text, lines)))


def _costliest(uses: Uses, measure: Measure, ids: Sequence[str]) -> Iterator[str]:
    """The costliest uses by one measure; those that come by the same chain are told once."""
    told: set[str] = set()
    for id in sorted(ids, key=lambda one: (-uses.amount(one, measure), one)):
        amount = uses.amount(id, measure)
        chain = uses.chain(id, measure).said(measure)
        if LEAST_SHARE * amount < measure.budget or len(told) == MOST_LISTED:
            return
        if chain in told:
            continue
        told.add(chain)
        yield f"{_share(amount, measure)}  {id} may take {measure.said(amount)}"
        yield f"         most of it: {chain}"
        brought = uses.brought_by(id, measure)
        if brought is not None:
            pack, costs = brought
            added = amount - measure.amount(costs.total(id))
            by = _by(uses, pack, uses.chain_of(id, measure, brought))
            yield f"         {by} brings {measure.said(added)} of that"


def _by(uses: Uses, pack: str, chain: CostChain) -> str:
    item = uses.content.item_at(chain.at) if chain.at is not None else None
    return item.id if item is not None else pack


def _share(amount: int, measure: Measure) -> str:
    return f"{100 * amount / measure.budget:5.1f} %"
