"""The checks of patches: of each alone, of classes once all are known, and of those without effect.

A patch makes one clear change, to fields that exist. A class is defined by printed values, so that its
items are the same in every order of patches. Where another patch changes an item so that it would
enter or leave the class, a warning asks the author to decide, by an exemption or a patch of that
item. A patch without effect (a value that is already set, nothing added, a factor of one) gets a
warning; one for a class of items, only if it changes none of them. So does a whole new text that differs
from the old one only next to or within steps: it names the step edits that would make the same change,
which would be compatible with those of other packs, and with the next version of the game.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from itertools import chain

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean, quoted_list
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.patch.edits import (
    AFTER,
    BEFORE,
    DOT,
    FIELD_OPS,
    MERGE,
    REMOVE,
    REPLACE,
    REPLACING,
    STEP_OPS,
    Edit,
    EditError,
    Order,
    PatchLeftOut,
    has_rows,
    is_row,
    may_lack,
    meaning,
    put_value,
    root_of,
    run,
    show,
)
from ruleloom.compiler.patch.query import QueryError
from ruleloom.compiler.patch.select import FIXED_FIELDS, Aim, Targets, Work
from ruleloom.compiler.patch.weave import WOVEN
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.syntax.formatter import INDENT, format_text
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.syntax.parser import NamedStep, read_steps
from ruleloom.compiler.yaml.node import NEXT_ITEM, YamlNode, to_data
from ruleloom.runtime.dataclass import Frozen

# Kinds of which every game has one item, which nothing can replace.
NEEDED_KINDS = ("vocabulary", "notation")
OPERATIONS = (*FIELD_OPS, "replace-effect", *STEP_OPS, "disable", MERGE)


def check_alone(patch: Item, changes: Sequence[Edit], report: Report) -> None:
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
        raise EditError("bad-patch", patch.place, "this patch changes nothing", help)
    if "disable" in patch.fields and changes:
        place = patch.node.key_place("disable")
        message = "a patch that disables its target changes nothing else of it"
        raise EditError("bad-patch", place, message, "keep `disable: true` or the other changes")


def check_twice(edits: Sequence[Edit], rows: bool = True) -> None:
    """Raise EditError for a patch that changes a field twice, or a row of a field that it replaces."""
    seen: dict[str, Edit] = {}
    for edit in (one for one in edits if not one.is_of_step and one.op != MERGE):
        root = root_of(edit.at)
        first = seen.get(edit.at) or (seen.get(root) if rows else None)
        if first is None and rows and not is_row(edit.at):
            first = next((one for field, one in seen.items() if root_of(field) == root), None)
        if first is not None:
            twice = f"one patch changes `{edit.at}` twice"
            message = f"{twice}, by `{first.word}` and by `{edit.word}`"
            note = Note(first.key, "the first change is here")
            help = "make two patches of it, the second with `after:`"
            raise EditError("bad-patch", edit.key, message, help, [note])
        seen[edit.at] = edit


WORKS_ON = {"add": "a number", "scale": "a number", "append": "a list", "remove": "a list"}
TEXT_IS_CHANGED_SO = (
    "`append: {effect: ...}` with a text, `after-step` and `before-step` add lines; "
    "`replace-effect` gives a new text"
)


def check_target(patch: Item, edits: Sequence[Edit], target: Item, store: SchemaStore) -> None:
    """Raise EditError for disabling a required item, or for an edit that does not fit its kind."""
    if "disable" in patch.fields and target.kind in NEEDED_KINDS:
        message = f"every game needs its {target.kind}"
        place = patch.node.key_place("disable")
        raise EditError("bad-patch", place, message, "`set:` the fields that are to change")
    for edit in edits:
        if not edit.is_of_step:
            _check_field(edit, target, store)


def _check_field(edit: Edit, target: Item, store: SchemaStore) -> None:
    name, fields = edit.at, store.fields(target.kind)
    if name in FIXED_FIELDS:
        message = f"the `{name}` of an item never changes"
        raise EditError("bad-patch", edit.key, message, "disable the item and add one of your own")
    if is_row(name) and has_rows(store, target.kind, root_of(name)):
        _check_row(edit, target)
    elif name not in fields:
        message = f"`{target.kind}` has no field `{name}`"
        help = did_you_mean(name, [field for field in fields if field not in FIXED_FIELDS])
        raise EditError("patch-unknown-field", edit.key, message, help)
    elif edit.op in WORKS_ON and (name,) in store.effect_fields(target.kind):
        message = f"`{edit.op}` works on {WORKS_ON[edit.op]}, and `{name}` holds effect text"
        raise EditError("patch-type", edit.key, message, TEXT_IS_CHANGED_SO)


def _check_row(edit: Edit, target: Item) -> None:
    root, _, row = edit.at.partition(DOT)
    held = target.fields.get(root)
    help = f"`set: {{{root}: ...}}` gives the whole of it"
    if held is not None and held.kind != "map":
        message = f"`{root}` of `{target.name}` is no map, so it has no key `{row}`"
    elif DOT in row:
        message = f"a patch changes one key of a map, and `{row}` is within one"
        help = f"`set: {{{root}{DOT}{root_of(row)}: ...}}` gives the whole of it"
    elif edit.op in ("append", "remove"):
        message = f"`{edit.op}` works on a list, and `{edit.at}` is a row"
        help = f"`remove: {{{root}: [...]}}` takes rows out" if edit.op == "remove" else ""
    else:
        return
    raise EditError("patch-type", edit.key, message, help or None)


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
        message = "other patches disable every item of this class"
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
    message = f"`{item.id}` {now} in this class as printed, and {then} after other patches"
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
        return f"`{edit.op}` of {show(edit.data)} leaves `{edit.at}` as it is"
    if len(found) == 1 and base is not None and base.kind not in ("list", "map"):
        return f"`{edit.at}` is {show(to_data(base))} already, so this changes nothing"
    return f"`{edit.at}` is like that already, so this changes nothing"


def warn_of_whole_class(aim: Aim, targets: Targets, report: Report) -> None:
    """Warn about a patch's `where` that holds for every item of its kind."""
    of_kind = sum(item.kind == aim.patch.data("every") for item in targets.items)
    if aim.text is not None and not aim.exempt and 1 < of_kind == len(aim.items):
        message = f"this holds for all {of_kind} of this kind, so it picks nothing out"
        help = "take `where` out if all are meant"
        report.warning("same-for-all", aim.text.place_of((0, aim.text.end)), message, help)


# ------------------------------------------------------------------------------ smaller patches

LEAST_LINES = 6  # of the old text; a shorter one is as quickly rewritten
MOST_CHANGED = 3  # lines added and removed


class _Stretch(Frozen):
    """The lines of a step without its name, from `start` to before `end`."""

    name: str
    start: int
    end: int
    column: int


def warn_of_whole_texts(works: Mapping[str, Work], store: SchemaStore, report: Report) -> None:
    """Warn about each replaced text where step edits would do."""
    for work in works.values():
        for path, form in store.effect_fields(work.item.kind).items():
            if len(path) == 1 and form in WOVEN:
                for edit in work.edits.get(path[0], ()):
                    if edit.op in REPLACING and edit.patch.name not in work.of_class:
                        _warn(edit, work.item, form, report)


def _warn(edit: Edit, item: Item, form: str, report: Report) -> None:
    old, new = item.fields.get(edit.at), edit.value.text
    if old is None or old.text is None or new is None:
        return
    try:
        lines, steps = _plain(old.text, form)
        others, _ = _plain(new, form)
    except EffectSyntaxError:
        return  # reported where it is parsed
    changed, patches = _smaller(lines, steps, others)
    if patches:
        count = "one line" if changed == 1 else f"{changed} lines"
        message = f"this text differs from the one it replaces in {count}, beside or within a step"
        help = f"{quoted_list(patches)} can say it without the rest"
        report.warning("smaller-patch", edit.value.place, message, help)


def _plain(text: str, form: str) -> tuple[list[str], list[_Stretch]]:
    """The lines of a text without step names and comments, and the lines of its steps."""
    tidy = format_text(text, start=form)
    steps = read_steps(tidy, form)
    heads = {step.first: step for step in steps}
    lines: list[str] = []
    before: list[int] = []  # for each line of the text, the number of these lines before it
    for at, line in enumerate(tidy.rstrip("\n").split("\n")):
        before.append(len(lines))
        words = line.strip().partition(":")[2].strip() if at in heads else line.strip()
        if words and not words.startswith("#"):
            column = len(line) - len(line.lstrip(" ")) - INDENT * _depth(steps, at)
            lines.append(" " * column + words)
    before.append(len(lines))
    return lines, [
        _Stretch(
            step.name,
            before[step.first],
            before[step.last + 1],
            step.column - INDENT * _depth(steps, step.first),
        )
        for step in steps
    ]


def _depth(steps: Sequence[NamedStep], at: int) -> int:
    """The number of steps around a line, without one that begins there."""
    return sum(step.first < at <= step.last for step in steps)


def _smaller(
    old: Sequence[str], steps: Sequence[_Stretch], new: Sequence[str]
) -> tuple[int, list[str]]:
    """The number of differing lines, and the step edits for them; none if that is impossible."""
    matched = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    hunks = [((i1, i2), new[j1:j2]) for op, i1, i2, j1, j2 in matched if op != "equal"]
    changed = sum(i2 - i1 + len(added) for (i1, i2), added in hunks)
    if len(old) < LEAST_LINES or not 0 < changed <= MOST_CHANGED:
        return changed, []
    # The innermost steps first; a step that is the whole text is no smaller.
    smaller = [step for step in steps if step.end - step.start < len(old)]
    smaller.sort(key=lambda step: step.end - step.start)
    found = [_patch_of(smaller, gone, added) for gone, added in hunks]
    return changed, list(dict.fromkeys(found)) if all(found) else []


def _patch_of(steps: Sequence[_Stretch], gone: tuple[int, int], added: Sequence[str]) -> str:
    """The operation that replaces these lines; empty if no step fits."""
    for step in steps:
        margin = " " * step.column
        op = _op_at(step, gone, added) if all(line.startswith(margin) for line in added) else None
        if op is not None:
            return f"{op}: [{step.name}]" if op == REMOVE else f"{op}: {{{step.name}: ...}}"
    return ""


def _op_at(step: _Stretch, gone: tuple[int, int], added: Sequence[str]) -> str | None:
    start, end = step.start, step.end
    if not added and gone == (start, end):
        return REMOVE
    if gone in ((start, start), (end, end)) and _begins_at(step.column, added):
        return BEFORE if gone[0] == start else AFTER
    within = start <= gone[0] <= gone[1] <= end and gone != (start, start)
    return REPLACE if within else None


def _begins_at(column: int, added: Sequence[str]) -> bool:
    """Do these lines begin a statement at a column? An `else` continues the one above."""
    words = added[0].removeprefix(" " * column)
    return not words.startswith((" ", "elif ", "else:"))
