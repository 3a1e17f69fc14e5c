"""What comes of a field whose patches do not fit together, where one of them says how to `merge:` them.

Every order that `after:` allows is gone through, and of what comes of it the highest or lowest number is taken,
or of lists what is in all or in any of them: so the outcome is the same in every order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from compiler.content import Change, Item
from compiler.patch_edits import Edit, EditError, run
from compiler.patch_order import Order
from compiler.setting_sorts import amount
from compiler.yaml_tree import Node, to_data

# How many orders of the patches of one field are gone through.
MAX_ORDERS = 720
NUMBERS, LISTS = ("highest", "lowest"), ("all", "common")

Outcome = tuple[Node | None, tuple[Change, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Merge:
    """What one patch says of a field: how the values that others and it give are put together."""

    patch: Item
    field: str
    how: str
    value: Node


def merges_of(patch: Item) -> list[Merge]:
    """What a patch says under `merge:`."""
    node = patch.fields.get("merge")
    return [Merge(patch, name, str(how.value), how) for name, how in node.entries.items()] if node else []


def orders(edits: Sequence[Edit], order: Order) -> Iterator[tuple[Edit, ...]]:
    """Every order of these edits that `after:` allows."""
    if not edits:
        yield ()
    for index, edit in enumerate(edits):
        rest = [*edits[:index], *edits[index + 1 :]]
        if not any(order.is_before(other.patch, edit.patch) for other in rest):
            yield from ((edit, *later) for later in orders(rest, order))


def merged(merge: Merge, base: Node | None, edits: Sequence[Edit], order: Order, fractional: bool) -> Outcome:
    """What comes of a field; EditError where it cannot be merged so."""
    found: list[Outcome] = []
    for number, one in enumerate(orders(edits, order)):
        if number == MAX_ORDERS:
            message = (
                f"there are more than {MAX_ORDERS} orders of these patches of `{merge.field}` to be merged"
            )
            raise EditError("patch-conflict", merge.value.place, message, "say `after:` in some of them")
        found.append(run(base, one, order.is_free, fractional))
    node, history = (_of_lists if merge.how in LISTS else _of_numbers)(merge, found)
    place = merge.value.place
    new = None if node is None else to_data(node)
    last = Change(
        merge.patch.pack, place.path, place.line, f"merge {merge.how}", history[-1].new, new, merge.patch.id
    )
    return node, (*history, last)


def _of_numbers(merge: Merge, found: Sequence[Outcome]) -> Outcome:
    def worth(outcome: Outcome) -> Fraction:
        number = amount(outcome[0]) if outcome[0] is not None else None
        if number is None or isinstance(number, bool):
            message = f"`{merge.how}` merges numbers, and `{merge.field}` is none"
            raise EditError("patch-type", merge.value.place, message, _other(merge, LISTS))
        return Fraction(number)

    choose: Callable[..., Outcome] = max if merge.how == "highest" else min
    return choose(found, key=worth)


def _of_lists(merge: Merge, found: Sequence[Outcome]) -> Outcome:
    if any(node is None or node.kind != "list" for node, _ in found):
        message = f"`{merge.how}` merges lists, and `{merge.field}` is none"
        raise EditError("patch-type", merge.value.place, message, _other(merge, NUMBERS))
    lists = [node for node, _ in found if node is not None]
    elements: list[Node] = []
    for one in lists:
        for element in one.items:
            data = to_data(element)
            everywhere = all(any(to_data(own) == data for own in other.items) for other in lists)
            if (merge.how == "all" or everywhere) and not any(to_data(old) == data for old in elements):
                elements.append(element)
    return replace(lists[0], value=elements), found[0][1]


def _other(merge: Merge, choices: Sequence[str]) -> str:
    return f"write `merge: {{{merge.field}: {choices[0]}}}`, or say `after:`"
