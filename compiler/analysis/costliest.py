"""The uses of a game closest to their budget, and the cause of each cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ruleloom.compiler.build import uses_of
from ruleloom.compiler.lower.budget import MEASURES, Excess, Measure, Uses, excesses
from ruleloom.compiler.packs.content import Content

# Uses below a thousandth of their budget are not listed.
MOST_LISTED, LEAST_SHARE = 3, 1_000


def costliest(content: Content) -> Iterator[tuple[str, list[str]]]:
    """The costs of the uses of a game as lines, for the base game and for homebrew."""
    uses = uses_of(content)
    over = {(one.use, one.measure.name): one for one in excesses(uses)}
    for heading, is_base in (("base game", True), ("homebrew", False)):
        ids = [id for id in uses.checked if (uses.items[id].pack == content.game) == is_base]
        yield heading, [line for one in MEASURES for line in _costliest(uses, one, ids, over)]


def _costliest(
    uses: Uses, measure: Measure, ids: Sequence[str], over: Mapping[tuple[str, str], Excess]
) -> Iterator[str]:
    """The costliest uses by one measure; uses with the same call chain are listed once.

    The uses that `over-budget` reports come first, in its words.
    """
    told: set[str] = set()
    excess = {id: over[id, measure.name] for id in ids if (id, measure.name) in over}
    for id in sorted(ids, key=lambda one: (one not in excess, -uses.amount(one, measure), one)):
        amount = uses.amount(id, measure)
        if id in excess:
            chain = excess[id].chain.said
        elif len(told) < MOST_LISTED and LEAST_SHARE * amount >= measure.budget:
            chain = uses.chain(id, measure).said
        else:
            return
        room = uses.room(id, measure)
        # A use over budget through another use in the list has the same cause.
        if chain in told or (id not in excess and amount > room):
            continue
        told.add(chain)
        yield f"{100 * amount / room:5.1f} %  {id} may take {measure.said(amount)}"
        yield f"         most of it: {chain}"
        yield from _bringing(uses, id, measure, excess.get(id))


def _bringing(uses: Uses, id: str, measure: Measure, excess: Excess | None) -> Iterator[str]:
    """The pack or item that adds most, unless it is the use's own."""
    brought = uses.brought_by(id, measure)
    if excess is not None:
        is_own = excess.pack == uses.items[excess.use].pack
        brought = None if is_own else (excess.pack, uses.without(frozenset([excess.pack])))
    if brought is not None:
        pack, costs = brought
        added = uses.amount(id, measure) - measure.amount(costs.total(id))
        at = uses.chain(id, measure, brought).at
        item = uses.content.item_at(at) if at is not None else None
        yield f"         {pack if item is None else item.id} brings {measure.said(added)} of that"
