"""The checks of patches: of each alone, of classes once all are known, and of those without effect.

A patch makes one clear change, to fields that exist. A class is defined by printed values, so that its
items are the same in every order of patches. Where another patch changes an item so that it would
enter or leave the class, a warning asks the author to decide, by an exemption or a patch of that
item. A patch without effect (a value that is already set, nothing added, a factor of one) gets a
warning; one for a class of items, only if it changes none of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.patch.edits import (
    DOT,
    FIELD_OPS,
    REPLACING,
    Edit,
    EditError,
    PatchLeftOut,
    has_rows,
    is_row,
    meaning,
    put_value,
    root_of,
    run,
    show,
)
from ruleloom.compiler.patch.merge import Merge, Work
from ruleloom.compiler.patch.query import QueryError
from ruleloom.compiler.patch.select import FIXED_FIELDS, Aim, Targets, may_lack
from ruleloom.compiler.patch.step_edits import STEP_OPS, Order, StepEdit
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import NEXT_ITEM, YamlNode, to_data

# Kinds of which every game has one item, which nothing can replace.
NEEDED_KINDS = ("vocabulary", "notation")
OPERATIONS = (*FIELD_OPS, "replace-effect", *STEP_OPS, "disable", "merge")


def check_alone(patch: Item, changes: Sequence[Edit | Merge | StepEdit], report: Report) -> None:
    """Raise EditError for a patch without a clear change, whatever its target is."""
    if not any(op in patch.fields for op in OPERATIONS):
        # Its change may be below the dash of the next item, where it has been reported.
        below = NEXT_ITEM.match(patch.source.text, patch.node.end)
        if (
            below is not None
            and below["key"] in OPERATIONS
            and report.errors_within(patch.source.place(*below.span("key")))
        ):
            raise PatchLeftOut
        help = "add `set:` with a field and its new value, or `disable: true`"
        raise EditError("bad-patch", patch.place, "this patch says nothing that it changes", help)
    if "disable" in patch.fields and changes:
        place = patch.node.key_place("disable")
        message = "a patch that disables its target changes nothing else of it"
        raise EditError("bad-patch", place, message, "keep `disable: true` or the other changes")


def check_twice(edits: Sequence[Edit], rows: bool = True) -> None:
    """Raise EditError for a patch that changes a field twice, or a row of a field that it replaces."""
    seen: dict[str, Edit] = {}
    for edit in edits:
        root = root_of(edit.field)
        first = seen.get(edit.field) or (seen.get(root) if rows else None)
        if first is None and rows and not is_row(edit.field):
            first = next((one for field, one in seen.items() if root_of(field) == root), None)
        if first is not None:
            twice = f"one patch changes `{edit.field}` twice"
            message = f"{twice}, by `{first.word}` and by `{edit.word}`"
            note = Note(first.key, "the first change is here")
            help = "make two patches of it, the second with `after:`"
            raise EditError("bad-patch", edit.key, message, help, [note])
        seen[edit.field] = edit


def check_needed(patch: Item, target: Item) -> None:
    """Raise EditError for disabling a required item."""
    if "disable" in patch.fields and target.kind in NEEDED_KINDS:
        message = f"a game cannot do without its {target.kind}"
        place = patch.node.key_place("disable")
        raise EditError("bad-patch", place, message, "`set:` the fields that are to change")


WORKS_ON = {"add": "a number", "scale": "a number", "append": "a list", "remove": "a list"}
TEXT_IS_CHANGED_SO = (
    "`append: {effect: ...}` with a text, `after-step` and `before-step` add lines; "
    "`replace-effect` gives a new text"
)


def check_field(op: str, name: str, key: Place, target: Item, store: SchemaStore) -> None:
    """Raise EditError for an operation on a field that the target's kind does not have."""
    if name in FIXED_FIELDS:
        message = f"the `{name}` of an item never changes"
        raise EditError("bad-patch", key, message, "disable the item and add one of your own")
    fields = store.fields(target.kind)
    if is_row(name) and has_rows(store, target.kind, root_of(name)):
        _check_row(op, name, key, target)
    elif name not in fields:
        message = f"`{target.kind}` has no field `{name}`"
        help = did_you_mean(name, [field for field in fields if field not in FIXED_FIELDS])
        raise EditError("patch-unknown-field", key, message, help)
    elif op in WORKS_ON and (name,) in store.effect_fields(target.kind):
        message = f"`{op}` works on {WORKS_ON[op]}, and `{name}` holds effect text"
        raise EditError("patch-type", key, message, TEXT_IS_CHANGED_SO)


def _check_row(op: str, name: str, key: Place, target: Item) -> None:
    root, _, row = name.partition(DOT)
    held = target.fields.get(root)
    help = f"`set: {{{root}: ...}}` gives the whole of it"
    if held is not None and held.kind != "map":
        message = f"`{root}` of `{target.name}` is no map, so it has no key `{row}`"
    elif DOT in row:
        message = f"a patch changes one key of a map, and `{row}` is within one"
        help = f"`set: {{{root}{DOT}{root_of(row)}: ...}}` gives the whole of it"
    elif op in ("append", "remove"):
        message = f"`{op}` works on a list, and `{name}` is a row"
        help = f"`remove: {{{root}: [...]}}` takes rows out" if op == "remove" else ""
    else:
        return
    raise EditError("patch-type", key, message, help or None)


# ---------------------------------------------------------------------------------- classes


def check_live(
    aims: Sequence[Aim], works: Mapping[str, Work], order: Order, report: Report
) -> None:
    """Report a class whose items are all disabled by other patches."""
    for aim in aims:
        patch = aim.patch
        if not aim.is_class or "disable" in patch.fields or may_lack(patch, "target"):
            continue
        gone = [works[item.id].disabling for item in aim.items]
        if not gone or not all(gone) or any(order.is_before(patch, one) for one in chain(*gone)):
            continue
        other, place = gone[0][0], patch.fields["every"].place
        message = "other patches take out every item that this one is for"
        note = Note(other.place, f"`{other.id}` disables `{aim.items[0].id}`")
        report.error("patch-matches-nothing", place, message, None, [note])


def check_classes(
    aims: Sequence[Aim], works: Mapping[str, Work], targets: Targets, order: Order, report: Report
) -> None:
    """Check exemptions of classes; warn where patches move an item into or out of a class."""
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
            others, belongs = _others(aim, work), item.id in within
            if others and _would_hold(aim, item, others, targets, order) != belongs:
                _point_out(aim, item, belongs, others, report)


def _check_exempt(
    aim: Aim, works: Mapping[str, Work], targets: Targets, order: Order, report: Report
) -> None:
    """Report exemptions of items that would not be in the class anyway."""
    for id, node in aim.exempt.items() if not may_lack(aim.patch, "target") else ():
        item = next(item for item in targets.items if item.id == id)
        others = _others(aim, works[id]) if id in works else {}
        # By its printed values, or by the values after other patches.
        if not any(_would_hold(aim, item, some, targets, order) for some in ({}, others)):
            message = f"`{id}` is not of this class anyway, so it needs no exemption"
            report.error("patch-matches-nothing", node.place, message, "take it out")


def _others(aim: Aim, work: Work) -> dict[str, list[Edit]]:
    """The other patches' edits of fields that the condition reads."""
    reads = aim.condition.reads if aim.condition is not None else ()
    found = {
        name: [edit for edit in edits if edit.patch is not aim.patch]
        for name, edits in work.edits.items()
        if root_of(name) in reads
    }
    return {name: edits for name, edits in found.items() if edits}


def _would_hold(
    aim: Aim, item: Item, others: Mapping[str, list[Edit]], targets: Targets, order: Order
) -> bool:
    """Is an item in a class after these edits? A field whose edits fail keeps its printed value."""
    fields = dict(item.fields)
    for name in sorted(others, key=is_row):
        edits = order.sorted(others[name])
        base, fractional = targets.value(item, fields, name), targets.is_fractional(item, name)
        try:
            node, _ = run(base, edits, order.is_free, fractional)
        except EditError:
            continue
        put_value(fields, name, node)
    try:
        return aim.condition is None or aim.condition.holds(targets.card(item, fields))
    except QueryError:  # reported for the printed fields already
        return False


def _point_out(
    aim: Aim, item: Item, within: bool, others: Mapping[str, list[Edit]], report: Report
) -> None:
    assert aim.text is not None, "a class without a condition holds all of its kind"
    name, edits = next(iter(others.items()))
    edit = edits[-1]
    now, then = ("is", "would not be") if within else ("is not", "would be")
    message = (
        f"`{item.id}` {now} of this class as it is printed, and {then} as other patches leave it"
    )
    help = f"write `except: [{item.id}]` if that is meant; a patch of its own can do the rest"
    note = Note(edit.key, f"`{edit.patch.id}` changes `{name}` here")
    report.warning("class-as-printed", aim.text.place_of((0, aim.text.end)), message, help, [note])


# ------------------------------------------------------------------------------ without effect


def warn_of_idle_patches(works: Mapping[str, Work], targets: Targets, report: Report) -> None:
    """Warn about edits that change nothing, each at the first of its items."""
    by_edit = defaultdict[tuple[str, str, str], list[tuple[Edit, YamlNode | None, bool]]](list)
    for work in works.values():
        for name, edits in work.edits.items():
            base = targets.value(work.item, work.item.fields, name)
            for edit in edits:
                # With several patches of one field, an earlier one may have changed it.
                idle = not work.disabling and _is_idle(edit, base, len(edits) == 1)
                by_edit[edit.patch.name, edit.op, root_of(name)].append((edit, base, idle))
    for found in by_edit.values():
        if all(idle for _, _, idle in found):
            edit, base, _ = found[0]
            report.warning("changes-nothing", edit.value.place, _message(edit, base, found))


def _is_idle(edit: Edit, base: YamlNode | None, alone: bool) -> bool:
    if edit.op in ("add", "scale"):
        return bool(edit.meant == (0 if edit.op == "add" else 1))
    if edit.op in ("append", "remove"):
        return not edit.data
    return alone and edit.op in REPLACING and base is not None and edit.meant == meaning(base)


def _message(
    edit: Edit, base: YamlNode | None, found: Sequence[tuple[Edit, YamlNode | None, bool]]
) -> str:
    """The message about an idle edit; the items of a class may have different values."""
    if edit.op not in REPLACING:
        return f"`{edit.op}` of {show(edit.data)} leaves `{edit.field}` as it is"
    if len(found) == 1 and base is not None and base.kind not in ("list", "map"):
        return f"`{edit.field}` is {show(to_data(base))} already, so this changes nothing"
    return f"`{edit.field}` is like that already, so this changes nothing"


def warn_of_whole_class(aim: Aim, targets: Targets, report: Report) -> None:
    """Warn about a patch's `where` that holds for every item of its kind."""
    of_kind = sum(item.kind == aim.patch.data("every") for item in targets.items)
    if aim.text is not None and not aim.exempt and 1 < of_kind == len(aim.items):
        message = f"this holds for all {of_kind} of this kind, so it picks nothing out"
        help = "take `where` out if all are meant"
        report.warning("same-for-all", aim.text.place_of((0, aim.text.end)), message, help)
