"""Patches without effect: a value that is set already, nothing added, a factor of one.

In go all patches with what they want of each item; out come warnings, field by field. What is for a
class of items is idle only if it changes none of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.settings import amount
from ruleloom.compiler.patch.edits import Edit, is_row, root_of, show, value_in
from ruleloom.compiler.patch.item_patches import Work
from ruleloom.compiler.patch.select import Aim, Targets
from ruleloom.compiler.yaml.node import YamlNode, to_data


def warn_of_idle_patches(works: Mapping[str, Work], targets: Targets, report: Report) -> None:
    """Warn about edits that change nothing, each at the first item it is for."""
    by_edit: dict[tuple[str, str, str], list[tuple[Edit, YamlNode | None, bool]]] = {}
    for work in works.values():
        for name, edits in work.edits.items():
            base = value_in(work.item.fields, name) if is_row(name) else None
            if not is_row(name):
                base = targets.printed.value(work.item, work.item.fields, name)
            for edit in edits:
                # What several patches say of a field may be one after the other.
                idle = not work.disabling and _is_idle(edit, base, len(edits) == 1)
                by_edit.setdefault((edit.patch.name, edit.op, root_of(name)), []).append(
                    (edit, base, idle)
                )
    for found in by_edit.values():
        if all(idle for _, _, idle in found):
            edit, base, _ = found[0]
            report.warning("changes-nothing", edit.value.place, _message(edit, base, found))


def _is_idle(edit: Edit, base: YamlNode | None, alone: bool) -> bool:
    if edit.op in ("add", "scale"):
        return bool(edit.meant == (0 if edit.op == "add" else 1))
    if edit.op in ("append", "remove"):
        return not edit.data
    return (
        alone
        and edit.op in ("set", "replace-effect")
        and base is not None
        and edit.meant == _meant(base)
    )


def _meant(node: YamlNode) -> object:
    """A value as it counts: `1/2` and `0.5` are the same number."""
    number = amount(node)
    return to_data(node) if number is None or isinstance(node.value, bool) else number


def _message(
    edit: Edit, base: YamlNode | None, found: Sequence[tuple[Edit, YamlNode | None, bool]]
) -> str:
    """What is so already; of the items of a class it may be different values."""
    if edit.op not in ("set", "replace-effect"):
        return f"`{edit.op}` of {show(edit.data)} leaves `{edit.field}` as it is"
    if len(found) == 1 and base is not None and base.kind not in ("list", "map"):
        return f"`{edit.field}` is {show(to_data(base))} already, so this changes nothing"
    return f"`{edit.field}` is like that already, so this changes nothing"


def warn_of_whole_class(aim: Aim, of_kind: int, report: Report) -> None:
    """Warn about the `where` of a patch that holds for every item of its kind."""
    if aim.text is not None and not aim.exempt and 1 < of_kind == len(aim.items):
        message = f"this holds for all {of_kind} of this kind, so it picks nothing out"
        help = "take `where` out if all are meant"
        report.warning("same-for-all", aim.text.place_of((0, aim.text.end)), message, help)
