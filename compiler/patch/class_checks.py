"""Checks of patches for a class of items that need all patches.

A class is made of what is printed, so that its items are the same in every order of patches. Where
another patch makes an item look as if it belonged to the class, or no longer did, that is pointed
out: the author decides, by an exemption or a patch of that item.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.patch.edits import Edit, EditError, is_row, put_value, root_of, run, value_in
from ruleloom.compiler.patch.item_patches import Work
from ruleloom.compiler.patch.order import Order
from ruleloom.compiler.patch.query import QueryError
from ruleloom.compiler.patch.select import Aim, Targets, may_lack
from ruleloom.compiler.yaml.node import YamlNode


def check_live(
    aims: Sequence[Aim], works: Mapping[str, Work], order: Order, report: Report
) -> None:
    """Complain about a class of which other patches leave nothing."""
    for aim in aims:
        patch = aim.patch
        if not aim.is_class or not aim.items or _may_find_nothing(patch):
            continue
        gone = [works[item.id].disabling for item in aim.items]
        if all(gone) and not any(
            order.is_before(patch, other) for others in gone for other in others
        ):
            other = gone[0][0]
            message = "other patches take out every item that this one is for"
            note = Note(other.place, f"`{other.id}` disables `{aim.items[0].id}`")
            report.error(
                "patch-matches-nothing", patch.fields["every"].place, message, None, [note]
            )


def _may_find_nothing(patch: Item) -> bool:
    return "disable" in patch.fields or may_lack(patch, "target")


def check_classes(
    aims: Sequence[Aim], works: Mapping[str, Work], targets: Targets, order: Order, report: Report
) -> None:
    """Check exemptions of classes; warn where patches move an item into a class or out of it."""
    for aim in aims:
        if not aim.is_class:
            continue
        _check_exempt(aim, works, targets, order, report)
        kind = str(aim.patch.data("every"))
        within = {item.id for item in aim.items}
        for work in works.values():
            item = work.item
            if item.kind != kind or work.disabling or item.id in aim.exempt:
                continue
            others = _others(aim, work)
            if others and _holds(aim, item, _left_by(others, item, targets, order), targets) != (
                item.id in within
            ):
                _point_out(aim, item, item.id in within, others, report)


def _check_exempt(
    aim: Aim, works: Mapping[str, Work], targets: Targets, order: Order, report: Report
) -> None:
    """Complain about exemptions of items that would not belong to the class anyway."""
    for id, node in aim.exempt.items() if not may_lack(aim.patch, "target") else ():
        item = next(item for item in targets.items if item.id == id)
        if not _would_belong(aim, item, works.get(id), targets, order):
            message = f"`{id}` is not of this class anyway, so it needs no exemption"
            report.error("patch-matches-nothing", node.place, message, "take it out")


def _would_belong(aim: Aim, item: Item, work: Work | None, targets: Targets, order: Order) -> bool:
    """Does an item belong to a class, as it is printed or as other patches leave it?"""
    others = _others(aim, work) if work is not None else {}
    return _holds(aim, item, item.fields, targets) or (
        bool(others) and _holds(aim, item, _left_by(others, item, targets, order), targets)
    )


def _others(aim: Aim, work: Work) -> dict[str, list[Edit]]:
    """What other patches change of the fields that a class asks about."""
    reads = aim.condition.reads if aim.condition is not None else ()
    found = {
        name: [edit for edit in edits if edit.patch is not aim.patch]
        for name, edits in work.edits.items()
        if root_of(name) in reads
    }
    return {name: edits for name, edits in found.items() if edits}


def _holds(aim: Aim, item: Item, fields: Mapping[str, YamlNode], targets: Targets) -> bool:
    """Is an item with these fields of a class? Errors were reported for the printed fields."""
    try:
        return aim.condition is None or aim.condition.holds(targets.card(item, fields))
    except QueryError:
        return False


def _left_by(
    others: Mapping[str, list[Edit]], item: Item, targets: Targets, order: Order
) -> Mapping[str, YamlNode]:
    """The fields of an item after these edits; one whose edits fail is as printed."""
    fields = dict(item.fields)
    for name in sorted(others, key=is_row):
        edits = sorted(others[name], key=lambda edit: order.position[edit.patch.name])
        base = value_in(fields, name) if is_row(name) else targets.printed.value(item, fields, name)
        try:
            node, _ = run(
                base, edits, order.is_free, targets.printed.is_fractional(item, root_of(name))
            )
        except EditError:
            continue
        put_value(fields, name, node)
    return fields


def _point_out(
    aim: Aim, item: Item, within: bool, others: Mapping[str, list[Edit]], report: Report
) -> None:
    assert aim.text is not None, "a class without a condition holds all of its kind"
    name, edits = next(iter(others.items()))
    edit = edits[-1]
    if within:
        message = f"`{item.id}` is of this class as it is printed, and would not be as other patches leave it"
    else:
        message = f"`{item.id}` is not of this class as it is printed, and would be as other patches leave it"
    help = f"write `except: [{item.id}]` if that is meant; a patch of its own can do the rest"
    note = Note(edit.key, f"`{edit.patch.id}` changes `{name}` here")
    report.warning("class-as-printed", aim.text.place_of((0, aim.text.end)), message, help, [note])
