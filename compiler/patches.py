"""Applies patches: typed changes that one pack makes to the items of another.

In go the items of all packs in their fixed order; out come the items as patched, without the disabled
ones, and the history of every field that changed. The order in which packs are named never matters: two
patches of one field must agree in either order or say `after:`; otherwise both outcomes are shown and
neither is chosen. A patch that matches nothing is a mistake unless it is `optional`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from compiler.content import Change, Item
from compiler.diagnostics import Note, Report, did_you_mean, nearest
from compiler.patch_edits import Edit, EditError, agree, all_alike, edits_of, run, show
from compiler.patch_order import Order
from compiler.patch_rows import (
    by_rows,
    has_rows,
    is_row,
    later_than_whole,
    root_of,
    value_in,
    with_help,
    with_row,
)
from compiler.schema import check_item
from compiler.schema_store import SchemaStore
from compiler.setting_sorts import FRACTIONAL, WANTED, in_place_of, may_be, sort_of
from compiler.yaml_tree import Node, to_data

MAX_PATCHES = 2_000
FIXED_FIELDS = ("kind", "id")
FIXED_KINDS = ("pack", "patch", "scenarios")
# What every game has one of, and nothing can take the place of.
NEEDED_KINDS = ("vocabulary", "notation")
OPERATIONS = ("set", "add", "scale", "append", "remove", "replace-effect", "disable")


@dataclass(frozen=True, slots=True, eq=False)
class Patched:
    """The items after patches; `disabled` ones are left out of `items`."""

    items: tuple[Item, ...]
    history: Mapping[tuple[str, str], tuple[Change, ...]]
    disabled: tuple[Item, ...] = ()


@dataclass(slots=True, eq=False)
class _Work:
    """What the patches want of one item."""

    target: Item
    disabling: list[Item] = field(default_factory=list)
    edits: dict[str, list[Edit]] = field(default_factory=dict)

    def changing(self) -> list[Item]:
        """The patches that change a field."""
        return list({edit.patch.name: edit.patch for edits in self.edits.values() for edit in edits}.values())


def apply_patches(
    items: Sequence[Item], poisoned: frozenset[str], store: SchemaStore, report: Report
) -> Patched:
    """Return the items with every patch applied; a patch that cannot be is reported and left out."""
    patches = [item for item in items if item.kind == "patch"]
    if not patches:
        return Patched(tuple(items), {})
    if len(patches) > MAX_PATCHES:
        message = f"these packs hold more than {MAX_PATCHES:,} patches"
        report.error("too-many-patches", patches[MAX_PATCHES].place, message, "change the game's own pack")
        return Patched(tuple(items), {})
    order = Order.of(patches, poisoned, report)
    works = _works(
        items, [patch for patch in patches if patch.name in order.position], poisoned, store, report
    )
    history: dict[tuple[str, str], tuple[Change, ...]] = {}
    disabled: list[Item] = []
    changed: dict[str, Item] = {}
    for id, work in works.items():
        if work.disabling:
            disabled.append(work.target)
            history[id, ""] = tuple(_disabled(patch) for patch in work.disabling)
            _check_disabled(work, order, report)
        else:
            changed[id] = _patched(work, order, store, history, report)
    gone = {item.id for item in disabled}
    left = tuple(changed.get(item.id, item) for item in items if item.id not in gone)
    return Patched(left, history, tuple(disabled))


def _works(
    items: Sequence[Item],
    patches: Sequence[Item],
    poisoned: frozenset[str],
    store: SchemaStore,
    report: Report,
) -> dict[str, _Work]:
    """Return what is wanted of each item, for the patches that are sound and find their target."""
    known = {(item.kind, item.name): item for item in items if item.kind not in FIXED_KINDS}
    works: dict[str, _Work] = {}
    for patch in patches:
        edits = edits_of(patch)
        if not _check_alone(patch, edits, report) or not _check_twice(edits, report, rows=False):
            continue
        target = _target(patch, known, poisoned, report)
        if target is None:
            continue
        if "disable" in patch.fields and target.kind in NEEDED_KINDS:
            message = f"a game cannot do without its {target.kind}"
            report.error(
                "bad-patch", patch.node.key_place("disable"), message, "`set:` the fields that are to change"
            )
            continue
        fits = [_check_field(edit, target, store, report) for edit in edits]
        if not all(fits):
            continue
        edits = [one for edit in edits for one in by_rows(edit, target.fields)]
        if not _check_twice(edits, report):
            continue
        work = works.setdefault(target.id, _Work(target))
        if "disable" in patch.fields:
            work.disabling.append(patch)
        for edit in edits:
            work.edits.setdefault(edit.field, []).append(edit)
    return works


def _check_alone(patch: Item, edits: Sequence[Edit], report: Report) -> bool:
    """Check what a patch says without looking at its target."""
    if not any(op in patch.fields for op in OPERATIONS):
        help = "add `set:` with a field and its new value, or `disable: true`"
        report.error("bad-patch", patch.place, "this patch says nothing that it changes", help)
        return False
    if "disable" in patch.fields and edits:
        place = patch.node.key_place("disable")
        message = "a patch that disables its target changes nothing else of it"
        report.error("bad-patch", place, message, "keep `disable: true` or the other changes")
        return False
    return True


def _check_twice(edits: Sequence[Edit], report: Report, rows: bool = True) -> bool:
    """Check that a patch changes no field twice, and no row of a field that it gives anew."""
    seen: dict[str, Edit] = {}
    for edit in edits:
        root = root_of(edit.field)
        first = seen.get(edit.field) or (seen.get(root) if rows else None)
        if first is None and rows and not is_row(edit.field):
            first = next((one for field, one in seen.items() if root_of(field) == root), None)
        if first is not None:
            message = f"one patch changes `{edit.field}` twice, by `{first.word}` and by `{edit.word}`"
            note = Note(first.key, "the first change is here")
            help = "make two patches of it, the second with `after:`"
            report.error("bad-patch", edit.key, message, help, [note])
            return False
        seen[edit.field] = edit
    return True


def _target(
    patch: Item, known: Mapping[tuple[str, str], Item], poisoned: frozenset[str], report: Report
) -> Item | None:
    """Return the item that a patch is for; None where it is not there."""
    node = patch.fields["target"]
    wanted = str(node.value)
    pack, _, inside = wanted.rpartition(":")
    kind, _, name = inside.partition("/")
    if kind in FIXED_KINDS:
        message = f"a patch changes content, and `{kind}` is none"
        report.error("bad-patch", node.place, message)
        return None
    target = known.get((kind, name))
    if target is not None and pack in ("", target.pack):
        return target
    if name.replace("-", "_") in poisoned or (patch.fields.get("optional") and patch.data("optional")):
        return None
    close = target or _nearest(kind, name, known)
    help = f"did you mean `{close.id}`?" if close else None
    report.error("patch-matches-nothing", node.place, f"there is no `{wanted}` to change", help)
    return None


def _nearest(kind: str, name: str, known: Mapping[tuple[str, str], Item]) -> Item | None:
    """Return the item that was most likely meant: the name may be misspelt, or else the kind."""
    names = nearest(name, [other for other_kind, other in known if other_kind == kind], 1)
    if names:
        return known[kind, names[0]]
    kinds = [other_kind for other_kind, other in known if other == name]
    return known[kinds[0], name] if kinds else None


def _check_field(edit: Edit, target: Item, store: SchemaStore, report: Report) -> bool:
    """Check that the target's kind has the field that an edit is for."""
    if edit.field in FIXED_FIELDS:
        message = f"the `{edit.field}` of an item never changes"
        report.error("bad-patch", edit.key, message, "disable the item and add one of your own")
        return False
    fields = store.fields(target.kind)
    root = root_of(edit.field)
    if is_row(edit.field) and root in target.fields and has_rows(store, target.kind, root):
        if edit.op not in ("append", "remove"):
            return True
        message = f"`{edit.op}` works on a list, and `{edit.field}` is a row"
        help = f"`remove: {{{root}: [...]}}` takes rows out" if edit.op == "remove" else None
        report.error("patch-type", edit.key, message, help)
        return False
    if edit.field in fields:
        if edit.op in ("add", "scale") and (edit.field,) in store.effect_fields(target.kind):
            message = f"`{edit.op}` works on a number, and `{edit.field}` holds effect text"
            report.error("patch-type", edit.key, message, f"use `set` to give `{edit.field}` a new text")
            return False
        return True
    message = f"`{target.kind}` has no field `{edit.field}`"
    help = did_you_mean(edit.field, [field for field in fields if field not in FIXED_FIELDS])
    report.error("patch-unknown-field", edit.key, message, help)
    return False


def _disabled(patch: Item) -> Change:
    place = patch.place
    return Change(patch.pack, place.path, place.line, "disable", None, None)


def _check_disabled(work: _Work, order: Order, report: Report) -> None:
    """Complain about patches that would change an item another patch takes out."""
    for patch in work.changing():
        # An optional patch does nothing where its target is gone: the outcome is the same either way.
        if "optional" in patch.fields and patch.data("optional"):
            continue
        if any(order.is_before(patch, other) for other in work.disabling):
            continue
        other = work.disabling[0]
        note = Note(other.place, f"`{other.id}` disables it")
        if order.is_before(other, patch):
            message = f"`{work.target.id}` is already disabled when this patch comes"
            report.error("patch-matches-nothing", patch.place, message, None, [note])
        else:
            message = f"this patch changes `{work.target.id}`, and another one takes it out of the game"
            help = "write `optional: true` here to let it go"
            report.error("patch-conflict", patch.place, message, help, [note])


def _patched(
    work: _Work,
    order: Order,
    store: SchemaStore,
    history: dict[tuple[str, str], tuple[Change, ...]],
    report: Report,
) -> Item:
    """Return the item as its patches leave it; a field whose patches do not fit stays as it was."""
    item = work.target
    fields = dict(item.fields)
    changes: dict[str, tuple[Change, ...]] = {}
    for name in sorted(work.edits, key=is_row):  # whole fields first, then rows of them
        edits = sorted(work.edits[name], key=lambda edit: order.position[edit.patch.name])
        whole = work.edits.get(root_of(name), []) if is_row(name) else []
        if _conflict(item, edits, order, report) or _conflict_with_whole(whole, edits, order, report):
            continue
        edits = later_than_whole(whole, edits, order.position)
        try:
            node, changes[name] = run(value_in(fields, name), edits, order.is_free)
        except EditError as error:
            report.error(error.code, error.place, error.message, with_help(error, name, fields))
            continue
        if is_row(name):
            with_row(fields, name, node)
        elif node is not None:
            fields[name] = node
    # The schema judges the item as patched; what it finds stands in a patch, since the item alone was sound.
    node = _as_written(item, fields)
    if not check_item(node, item.kind, store, report) or not _check_sorts(item, fields, report):
        return item
    if item.kind == "setting":
        fields["value"] = in_place_of(item, fields["value"])
    changes = {name: steps for name, steps in changes.items() if steps}
    history |= {(item.id, name): steps for name, steps in changes.items()}
    origins = {**item.origins, **{root_of(name): steps[-1].pack for name, steps in changes.items()}}
    return replace(item, fields=fields, node=node, origins=origins)


# What the schema leaves open (a setting's `value`) stays what it was: all texts that read it count on that.
SORTS = {"int": "a number", "bool": "true or false", "text": "a text", FRACTIONAL: "a number"}


def _check_sorts(item: Item, fields: Mapping[str, Node], report: Report) -> bool:
    """Check that no patch turns a number into a text, or the like."""
    for name, node in fields.items():
        old = item.fields.get(name)
        if old is None or not {old.kind, node.kind} <= SORTS.keys():
            continue
        set_here = item.kind == "setting" and name == "value"
        if may_be(item, node) if set_here else old.kind == node.kind:
            continue
        sort = sort_of(item) if set_here else old.kind
        not_one = "neither" if sort == "bool" else "none"
        message = f"`{name}` of `{item.id}` is {SORTS[sort]}, and {show(to_data(node))} is {not_one}"
        report.error("patch-type", node.place, message, f"write {WANTED[sort][1]}")
        return False
    return True


def _as_written(item: Item, fields: dict[str, Node]) -> Node:
    old = item.node
    spans = {name: (old.key_spans or {}).get(name, (old.start, old.start)) for name in fields}
    return Node(old.source, "map", fields, old.start, old.end, old.style, spans)


def _conflict(item: Item, edits: Sequence[Edit], order: Order, report: Report) -> bool:
    """Complain about the first two edits of a field whose order matters and is not said."""
    if all_alike(edits):
        return False
    for index, second in enumerate(edits):
        for first in edits[:index]:
            if agree(first, second) or not order.is_free(first.patch, second.patch):
                continue
            message = (
                f"two patches of `{second.field}` in `{item.id}` do not fit together: "
                f"`{first.patch.id}` and then `{second.patch.id}` gives {_outcome(item, first, second)}, "
                f"the other way round gives {_outcome(item, second, first)}"
            )
            help = f"write `after: [{first.patch.id}]` in `{second.patch.name}`, or the other way round"
            note = Note(first.value.place, f"`{first.patch.id}` changes it here")
            report.error("patch-conflict", second.value.place, message, help, [note])
            return True
    return False


def _conflict_with_whole(whole: Sequence[Edit], rows: Sequence[Edit], order: Order, report: Report) -> bool:
    """Complain about a patch that gives a field anew where another changes a row of it, in no order."""
    for all_rows in whole:
        for row in rows:
            if order.is_free(all_rows.patch, row.patch):
                first, second = all_rows.patch, row.patch
                message = (
                    f"`{first.id}` gives all of `{all_rows.field}`, and `{second.id}` changes `{row.field}`"
                )
                help = f"write `after: [{first.id}]` in `{second.name}`, or the other way round"
                note = Note(all_rows.value.place, f"`{first.id}` changes it here")
                report.error("patch-conflict", row.value.place, message, help, [note])
                return True
    return False


def _outcome(item: Item, *edits: Edit) -> str:
    """Say what two edits in this order would make of a field."""
    try:
        _, history = run(value_in(item.fields, edits[0].field), edits)
    except EditError as error:
        return f"nothing ({error.message})"
    return show(history[-1].new)
