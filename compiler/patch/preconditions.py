"""Checks of a patch before anything is changed: it says one clear thing, of fields that exist."""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.patch.edits import Edit, has_rows, is_row, root_of
from ruleloom.compiler.patch.merge import Merge
from ruleloom.compiler.patch.select import FIXED_FIELDS
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.source.file import Place

# What every game has one of, and nothing can take the place of.
NEEDED_KINDS = ("vocabulary", "notation")
OPERATIONS = ("set", "add", "scale", "append", "remove", "replace-effect", "disable", "merge")


def check_alone(
    patch: Item, edits: Sequence[Edit], merges: Sequence[Merge], report: Report
) -> bool:
    """Check what a patch says without looking at its target."""
    if not any(op in patch.fields for op in OPERATIONS):
        help = "add `set:` with a field and its new value, or `disable: true`"
        report.error("bad-patch", patch.place, "this patch says nothing that it changes", help)
        return False
    if "disable" in patch.fields and (edits or merges):
        place = patch.node.key_place("disable")
        message = "a patch that disables its target changes nothing else of it"
        report.error("bad-patch", place, message, "keep `disable: true` or the other changes")
        return False
    return True


def check_twice(edits: Sequence[Edit], report: Report, rows: bool = True) -> bool:
    """Check that a patch changes no field twice, and no row of a field that it gives anew."""
    seen: dict[str, Edit] = {}
    for edit in edits:
        root = root_of(edit.field)
        first = seen.get(edit.field) or (seen.get(root) if rows else None)
        if first is None and rows and not is_row(edit.field):
            first = next((one for field, one in seen.items() if root_of(field) == root), None)
        if first is not None:
            message = (
                f"one patch changes `{edit.field}` twice, by `{first.word}` and by `{edit.word}`"
            )
            note = Note(first.key, "the first change is here")
            help = "make two patches of it, the second with `after:`"
            report.error("bad-patch", edit.key, message, help, [note])
            return False
        seen[edit.field] = edit
    return True


def check_needed(patch: Item, target: Item, report: Report) -> bool:
    """Check that a patch takes out nothing that every game must have."""
    if "disable" not in patch.fields or target.kind not in NEEDED_KINDS:
        return True
    message = f"a game cannot do without its {target.kind}"
    place = patch.node.key_place("disable")
    report.error("bad-patch", place, message, "`set:` the fields that are to change")
    return False


def check_field(
    op: str, name: str, key: Place, target: Item, store: SchemaStore, report: Report
) -> bool:
    """Check that the target's kind has the field that an operation is for."""
    if name in FIXED_FIELDS:
        message = f"the `{name}` of an item never changes"
        report.error("bad-patch", key, message, "disable the item and add one of your own")
        return False
    fields = store.fields(target.kind)
    root = root_of(name)
    if is_row(name) and root in target.fields and has_rows(store, target.kind, root):
        return _check_row(op, name, key, report)
    if name in fields:
        if op in ("add", "scale") and (name,) in store.effect_fields(target.kind):
            message = f"`{op}` works on a number, and `{name}` holds effect text"
            report.error("patch-type", key, message, f"use `set` to give `{name}` a new text")
            return False
        return True
    message = f"`{target.kind}` has no field `{name}`"
    help = did_you_mean(name, [field for field in fields if field not in FIXED_FIELDS])
    report.error("patch-unknown-field", key, message, help)
    return False


def _check_row(op: str, name: str, key: Place, report: Report) -> bool:
    """Check that an operation on a row is not one on lists."""
    if op not in ("append", "remove"):
        return True
    message = f"`{op}` works on a list, and `{name}` is a row"
    help = f"`remove: {{{root_of(name)}: [...]}}` takes rows out" if op == "remove" else None
    report.error("patch-type", key, message, help)
    return False
