"""Patches of one field that do not fit together: found, and told once for each pair of patches.

Two edits of a field fit together if they give the same in either order, or if one comes `after:` the other. What
neither of them decides need not be decided either: a value set by a patch that comes after both settles it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from compiler.content import Item
from compiler.diagnostics import Note, Report
from compiler.patch_edits import REPLACING, Edit, EditError, agree, all_alike, run, show
from compiler.patch_order import Order
from compiler.source import Place
from compiler.yaml_node import Node

SHOWN = 6


def clashes(edits: Sequence[Edit], order: Order) -> Iterable[tuple[Edit, Edit]]:
    """The pairs of edits of one field whose order matters and is not said; `edits` stand in a fixed order."""
    if all_alike(edits) or all(order.is_before(a.patch, b.patch) for a, b in pairwise(edits)):
        return
    # For each patch, as bits, the edits that come after it and give the field anew.
    settling: dict[str, int] = defaultdict(int)
    for bit, last in enumerate(edits):
        for name in order.earlier[last.patch.name] if last.op in REPLACING else ():
            settling[name] |= 1 << bit
    for index, second in enumerate(edits):
        for first in edits[:index]:
            if agree(first, second) or not order.is_free(first.patch, second.patch):
                continue
            if not settling[first.patch.name] & settling[second.patch.name]:
                yield first, second


@dataclass(frozen=True, slots=True, eq=False)
class Clash:
    """Two edits that do not fit together, on one item, and what comes of them in either order."""

    item: Item
    first: Edit
    second: Edit
    outcomes: tuple[str, str] | None
    """None where one of them gives a field anew and the other changes a row of it."""


@dataclass(slots=True, eq=False)
class Conflicts:
    """What does not fit together, of all items, told once for each two patches."""

    found: dict[tuple[str, str], list[Clash]] = field(default_factory=dict)

    def add(self, item: Item, base: Node | None, first: Edit, second: Edit, fractional: bool = False) -> None:
        """Take in two edits of one field."""
        outcomes = (_outcome(base, fractional, first, second), _outcome(base, fractional, second, first))
        self._enter(Clash(item, first, second, outcomes))

    def add_whole(self, item: Item, whole: Edit, row: Edit) -> None:
        """Take in an edit of a whole field and one of a row of it."""
        self._enter(Clash(item, whole, row, None))

    def _enter(self, clash: Clash) -> None:
        pair = (clash.first.patch.name, clash.second.patch.name)
        self.found.setdefault(pair, []).append(clash)

    def tell(self, report: Report) -> None:
        """Complain about each two patches once, at the first field that both change."""
        for head, *rest in self.found.values():
            first, second = head.first, head.second
            notes = [Note(first.value.place, f"`{first.patch.id}` changes it here")]
            here = [one for one in rest if one.item is head.item]
            for one in here[:SHOWN]:
                notes.append(Note(one.second.value.place, f"`{one.second.field}` too: {_ways(one)}"))
            elsewhere = {one.item.id: one for one in rest if one.item is not head.item}
            for one in list(elsewhere.values())[:SHOWN]:
                notes.append(Note(one.item.place, f"likewise in `{one.item.id}`: {_ways(one)}"))
            left = max(0, len(here) - SHOWN) + max(0, len(elsewhere) - SHOWN)
            more = f" (and {left} more like it)" if left else ""
            help = f"write `after: [{first.patch.id}]` in `{second.patch.name}`, or the other way round"
            report.error("patch-conflict", second.value.place, _message(head) + more, help, notes)


def _message(clash: Clash) -> str:
    first, second = clash.first, clash.second
    if clash.outcomes is None:
        return f"`{first.patch.id}` gives all of `{first.field}`, and `{second.patch.id}` changes `{second.field}`"
    return f"two patches of `{second.field}` in `{clash.item.id}` do not fit together: {_ways(clash)}"


def _ways(clash: Clash) -> str:
    """What comes of it in either order."""
    first, second = clash.first.patch.id, clash.second.patch.id
    if clash.outcomes is None:
        return f"`{first}` gives all of it, and `{second}` a row"
    one, other = clash.outcomes
    return f"`{first}` and then `{second}` gives {one}, the other way round gives {other}"


def _outcome(base: Node | None, fractional: bool, *edits: Edit) -> str:
    """Say what two edits in this order would make of a field."""
    try:
        _, history = run(base, edits, fractional=fractional)
    except EditError as error:
        return f"nothing ({error.message})"
    return show(history[-1].new)


@dataclass(slots=True, eq=False)
class Failures:
    """Edits that cannot be done on what they find: one that fails on many items is told once."""

    found: dict[tuple[str, Place], tuple[EditError, list[Item]]] = field(default_factory=dict)

    def add(self, error: EditError, item: Item) -> None:
        """Take in what went wrong on an item."""
        self.found.setdefault((error.code, error.place), (error, []))[1].append(item)

    def tell(self, report: Report) -> None:
        """Complain about each once; of a class of items, name the first of those where it fails."""
        for error, items in self.found.values():
            message = error.message
            if error.of_class or len(items) > 1:
                more = f" and {len(items) - 1} more" if len(items) > 1 else ""
                message += f" (in `{items[0].id}`{more})"
            report.error(error.code, error.place, message, error.help, error.notes)
