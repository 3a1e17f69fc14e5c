"""The stated order of answers: by `after:` of their items, and by packs that require one another.

An `after:` that names nothing, or leads in a circle, is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.graph import closures, in_order
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.yaml.node import items_of
from ruleloom.runtime.dataclass import dataclass

CODE = "answer-order"
ANSWERING = frozenset({"abilities", "event", "counts", "until"})
"""The fields of items that respond to events."""


@dataclass(frozen=True, slots=True)
class SaidOrder:
    """Which of two items comes first: `earlier` has for each those that it says it comes after."""

    build: Build
    earlier: Mapping[str, frozenset[str]]

    def is_said(self, one: Item, other: Item) -> bool:
        """Does `after:` of either say it?"""
        earlier = self.earlier
        return one.id in earlier.get(other.id, ()) or other.id in earlier.get(one.id, ())

    def is_known_so(self, first: Item, second: Item) -> bool:
        """The same, where the first one comes first in any case: it must not say the contrary."""
        return self.is_known(first, second) and second.id not in self.earlier.get(first.id, ())

    def is_known(self, one: Item, other: Item) -> bool:
        """Has somebody said it, or does the author of one of them know both?"""
        knows = self.build.symbols.belonging.builds_on
        known = knows(one.place, other.place) or knows(other.place, one.place)
        return one.pack == other.pack or known or self.is_said(one, other)


def earlier_items(content: Content, report: Report) -> dict[str, frozenset[str]]:
    """The items after which each item comes, also by way of others; none if no item says so."""
    if not any(map(_is_ordered, content.items)):
        return {}
    known = content.by_id
    packs = frozenset(pack.id for pack in content.packs)
    after = {item.id: frozenset(_said(item, known, packs, report)) for item in content.items}
    order = in_order(after)
    circling = next((id for id in after if id not in order and after[id]), None)
    if circling is not None:
        place = known[circling].fields["after"].place
        report.error(CODE, place, f"`{circling}` comes after itself", "take one `after:` out")
    whole = closures({id: after[id] for id in order})
    return {id: whole[id] - {id} for id in after if id in whole}


def _said(
    item: Item, known: Mapping[str, Item], packs: frozenset[str], report: Report
) -> Iterator[str]:
    """The items that one says it comes after."""
    said = item.fields["after"] if _is_ordered(item) else None
    if said is not None and not ANSWERING.intersection(item.fields):
        message = (
            f"`{item.name}` responds to nothing, so there is nothing that comes after anything"
        )
        report.error(CODE, said.place, message, "write `abilities:`, or leave it out")
        return
    for node in items_of(said):
        wanted = node.text or ""
        pack, colon, _ = wanted.partition(":")
        if colon and pack not in packs:
            # Not played with today. Where a pack's name is misspelt, the conflict stays a conflict.
            continue
        found = [id for id in known if wanted in (id, id.partition(":")[2])]
        if len(found) == 1 and found[0] != item.id:
            yield found[0]
        else:
            message = f"there is no other item `{wanted}` to come after"
            report.error(CODE, node.place, message, did_you_mean(wanted, known))


def _is_ordered(item: Item) -> bool:
    """Does an item say after which others its responses come? In a patch it is about patches."""
    return "after" in item.fields and item.kind != "patch"


def how_to_settle(event: str, one: Item, other: Item) -> str:
    """The help that settles the order of two answers, and keeps both."""
    way = f"write `after: [{one.id}]` in `{other.name}`, or the other way round"
    return f"{way}; or name the player who says it in an extension: `deciders: {{{event}: ...}}`"


def how_to_turn(event: str, first: Item, second: Item) -> str:
    """The help for answers to two events, the first of which is always answered first."""
    return (
        f"write `after: [{first.id}]` in `{second.name}` if it is meant so; `{second.name}` can come "
        f"first only if it answers `{event}` too"
    )
