"""Conflicts between patches of one field: reported once per pair, or settled by `merge:`.

Two edits do not conflict if they commute, if one comes `after:` the other, or if a later one sets
the value. With `merge:`, every order that `after:` allows is run, and the highest or lowest number,
or the intersection or union of lists, is taken, which does not depend on the order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from itertools import chain, pairwise

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.packs.settings import amount
from ruleloom.compiler.patch.edits import (
    MERGE,
    REPLACING,
    Edit,
    EditError,
    Order,
    Outcome,
    agree,
    all_alike,
    run,
    show,
)
from ruleloom.compiler.patch.select import Aim
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import Plain, YamlNode, to_data
from ruleloom.runtime.dataclass import dataclass

# The most orders of the patches of one field that are tried.
MAX_ORDERS = 720
NUMBERS, LISTS = ("highest", "lowest"), ("all", "common")


def check_one_way(merges: Sequence[Edit]) -> None:
    """Raise EditError for two ways to merge one field."""
    first = merges[0]
    second = next((one for one in merges if one.data != first.data), None)
    if second is not None:
        here = f"`{first.at}` is merged as `{second.data}` here"
        message = f"{here}, and as `{first.data}` by `{first.patch.id}`"
        note = Note(first.value.place, f"`{first.patch.id}` says it here")
        raise EditError("patch-conflict", second.value.place, message, None, [note])


@dataclass(slots=True, eq=False)
class Work:
    """The patches that disable an item, and the edits of others by field."""

    item: Item
    disabling: list[Item] = field(default_factory=list)
    edits: dict[str, list[Edit]] = field(default_factory=lambda: defaultdict(list))
    merges: dict[str, list[Edit]] = field(default_factory=lambda: defaultdict(list))
    steps: list[Edit] = field(default_factory=list)
    of_class: set[str] = field(default_factory=set)
    """The names of the patches that are for a class of items, not for this one by id."""

    def take(self, aim: Aim, edits: Sequence[Edit]) -> None:
        """Add the changes of one patch."""
        if "disable" in aim.patch.fields:
            self.disabling.append(aim.patch)
        for edit in edits:
            by_field = self.merges if edit.op == MERGE else self.edits
            (self.steps if edit.is_of_step else by_field[edit.at]).append(edit)
        if aim.is_class:
            self.of_class.add(aim.patch.name)

    def changing(self) -> list[Item]:
        """The patches that change a field or a step."""
        patches = [edit.patch for edit in chain(*self.edits.values())]
        patches += [edit.patch for edit in self.steps]
        return list({patch.name: patch for patch in patches}.values())


def orders(edits: Sequence[Edit], order: Order) -> Iterator[tuple[Edit, ...]]:
    """All orders of these edits that `after:` allows."""
    if not edits:
        yield ()
    for index, edit in enumerate(edits):
        rest = [*edits[:index], *edits[index + 1 :]]
        if not any(order.is_before(other.patch, edit.patch) for other in rest):
            yield from ((edit, *later) for later in orders(rest, order))


def merged(
    merge: Edit, base: YamlNode | None, edits: Sequence[Edit], order: Order, fractional: bool
) -> Outcome:
    """The outcome of a merged field; EditError if it does not fit."""
    found: list[Outcome] = []
    for number, one in enumerate(orders(edits, order)):
        if number == MAX_ORDERS:
            message = f"there are more than {MAX_ORDERS} orders of these patches of `{merge.at}`"
            help = "say `after:` in some of them"
            raise EditError("patch-conflict", merge.value.place, f"{message} to be merged", help)
        found.append(run(base, one, order.is_free, fractional))
    node, history = (_of_lists if merge.data in LISTS else _of_numbers)(merge, found)
    last = merge.change(history[-1].new, None if node is None else to_data(node))
    return node, (*history, last)


def _of_numbers(merge: Edit, found: Sequence[Outcome]) -> Outcome:
    def worth(outcome: Outcome) -> Fraction:
        number = amount(outcome[0]) if outcome[0] is not None else None
        if number is None or isinstance(number, bool):
            message = f"`{merge.data}` merges numbers, and `{merge.at}` is none"
            raise EditError("patch-type", merge.value.place, message, _other(merge, LISTS))
        return Fraction(number)

    choose: Callable[..., Outcome] = max if merge.data == "highest" else min
    return choose(found, key=worth)


def _of_lists(merge: Edit, found: Sequence[Outcome]) -> Outcome:
    lists = [node for node, _ in found if node is not None and node.kind == "list"]
    if len(lists) < len(found):
        message = f"`{merge.data}` merges lists, and `{merge.at}` is none"
        raise EditError("patch-type", merge.value.place, message, _other(merge, NUMBERS))
    contents = [[to_data(element) for element in one.items] for one in lists]
    elements: list[YamlNode] = []
    taken: list[Plain] = []
    for element, data in zip(chain(*(one.items for one in lists)), chain(*contents), strict=True):
        wanted = merge.data == "all" or all(data in content for content in contents)
        if wanted and data not in taken:
            elements.append(element)
            taken.append(data)
    return replace(lists[0], value=elements), found[0][1]


def _other(merge: Edit, choices: Sequence[str]) -> str:
    return f"write `merge: {{{merge.at}: {choices[0]}}}`, or say `after:`"


# The most notes of each sort for one conflict.
SHOWN = 6


def clashes(edits: Sequence[Edit], order: Order) -> Iterable[tuple[Edit, Edit]]:
    """The pairs of edits of one field that neither commute nor are ordered."""
    if all_alike(edits) or all(order.is_before(a.patch, b.patch) for a, b in pairwise(edits)):
        return
    settling = _settling(edits, order)
    for index, second in enumerate(edits):
        for first in edits[:index]:
            if agree(first, second) or not order.is_free(first.patch, second.patch):
                continue
            if not settling[first.patch.name] & settling[second.patch.name]:
                yield first, second


def _settling(edits: Sequence[Edit], order: Order) -> Mapping[str, int]:
    """For each patch, as bits, the edits that come after it and replace the whole field."""
    found: dict[str, int] = defaultdict(int)
    for bit, last in enumerate(edits):
        for name in order.earlier[last.patch.name] if last.op in REPLACING else ():
            found[name] |= 1 << bit
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Clash:
    """Two conflicting edits of one item, and their outcomes in either order."""

    item: Item
    first: Edit
    second: Edit
    outcomes: tuple[str, str] | None
    """None if one replaces a whole field and the other changes a row of it."""


def clash_of(item: Item, base: YamlNode | None, a: Edit, b: Edit, fractional: bool) -> Clash:
    """The conflict of two edits of one field."""
    outcomes = _outcome(base, fractional, a, b), _outcome(base, fractional, b, a)
    return Clash(item, a, b, outcomes)


def report_conflicts(clashes: Sequence[Clash], report: Report) -> None:
    """Report the conflicts once per pair of patches, at the first field that both change."""
    found: dict[tuple[str, str], list[Clash]] = defaultdict(list)
    for clash in clashes:
        found[clash.first.patch.name, clash.second.patch.name].append(clash)
    for head, *rest in found.values():
        first, second = head.first, head.second
        notes = [Note(first.value.place, f"`{first.patch.id}` changes it here")]
        here = [one for one in rest if one.item is head.item]
        for one in here[:SHOWN]:
            notes.append(Note(one.second.value.place, f"`{one.second.at}` too: {_ways(one)}"))
        elsewhere = {one.item.id: one for one in rest if one.item is not head.item}
        for one in list(elsewhere.values())[:SHOWN]:
            notes.append(Note(one.item.place, f"likewise in `{one.item.id}`: {_ways(one)}"))
        left = max(0, len(here) - SHOWN) + max(0, len(elsewhere) - SHOWN)
        more = f" (and {left} more like it)" if left else ""
        message, help = _message(head) + more, second.put_after(first)
        report.error("patch-conflict", second.value.place, message, help, notes)


def _message(clash: Clash) -> str:
    first, second = clash.first, clash.second
    if clash.outcomes is None:
        whole = f"`{first.patch.id}` gives all of `{first.at}`"
        return f"{whole}, and `{second.patch.id}` changes `{second.at}`"
    both = f"two patches of `{second.at}` in `{clash.item.id}`"
    return f"{both} do not fit together: {_ways(clash)}"


def _ways(clash: Clash) -> str:
    first, second = clash.first.patch.id, clash.second.patch.id
    if clash.outcomes is None:
        return f"`{first}` gives all of it, and `{second}` a row"
    one, other = clash.outcomes
    return f"`{first}` and then `{second}` gives {one}, the other way round gives {other}"


def _outcome(base: YamlNode | None, fractional: bool, *edits: Edit) -> str:
    """The outcome of two edits in this order, for a message."""
    try:
        _, history = run(base, edits, fractional=fractional)
    except EditError as error:
        return f"nothing ({error.message})"
    return show(history[-1].new)


def report_failures(failures: Sequence[tuple[EditError, Item]], report: Report) -> None:
    """Report an edit that fails on many items once; for a class, with the first of these items."""
    found: dict[tuple[str, Place], list[tuple[EditError, Item]]] = defaultdict(list)
    for failure in failures:
        found[failure[0].code, failure[0].place].append(failure)
    for (error, item), *others in found.values():
        message = error.message
        if error.of_class or others:
            more = f" and {len(others)} more" if others else ""
            message += f" (in `{item.id}`{more})"
        report.error(error.code, error.place, message, error.help, error.notes)
