"""Applies patches: typed changes that one pack makes to the items of another.

The items of all packs in their fixed order go in; the patched items come out, without the disabled
ones, and with the history of each changed field. The order in which packs are named never matters:
two patches of one field must commute, or declare `after:` or `merge:`; otherwise the conflict is
reported with both outcomes. A patch that matches nothing is an error unless it is `optional`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain, product

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.packs import settings
from ruleloom.compiler.packs.content import Change, Item, Poison
from ruleloom.compiler.packs.settings import Printed, Renames, renames_of
from ruleloom.compiler.patch import patch_checks
from ruleloom.compiler.patch.edits import (
    MERGE,
    Edit,
    EditError,
    Order,
    Outcome,
    PatchLeftOut,
    by_rows,
    edits_of,
    is_row,
    later_than_whole,
    may_lack,
    put_value,
    root_of,
    run,
    show,
    with_help,
)
from ruleloom.compiler.patch.merge import (
    Clash,
    Work,
    check_one_way,
    clash_of,
    clashes,
    merged,
    report_conflicts,
    report_failures,
)
from ruleloom.compiler.patch.select import Aim, Targets
from ruleloom.compiler.patch.weave import Known, weave
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.schema.validate import check_item
from ruleloom.compiler.yaml.node import YamlNode, to_data
from ruleloom.runtime.dataclass import dataclass

MAX_PATCHES = 2_000
MAX_CHANGES = 50_000  # changed items, counted once for each patch


@dataclass(frozen=True, slots=True, eq=False)
class Patched:
    """The items after patches; `disabled` ones are not in `items`."""

    items: tuple[Item, ...]
    history: Mapping[tuple[str, str], tuple[Change, ...]]
    disabled: tuple[Item, ...] = ()


def apply_patches(
    items: Sequence[Item],
    poisoned: Poison,
    store: SchemaStore,
    report: Report,
    renames: Renames | None = None,
) -> Patched:
    """Return the items with every patch applied; a faulty patch is reported and skipped."""
    patches = [item for item in items if item.kind == "patch"]
    if not patches:
        return Patched(tuple(items), {})
    if len(patches) > MAX_PATCHES:
        message = f"these packs hold more than {MAX_PATCHES:,} patches"
        help = "change the game's own pack"
        report.error("too-many-patches", patches[MAX_PATCHES].place, message, help)
        return Patched(tuple(items), {})
    renames = renames_of(items, report) if renames is None else renames
    order = Order.of(patches, poisoned, renames, report)
    targets = Targets(items, poisoned, store, Printed.of(items), renames, report)
    patching = _Patching(targets, order, store, Known.of(items), report)
    for patch in patches:
        if patch.name in order.position:
            patching.take(patch)
    return patching.done(items)


@dataclass(slots=True, eq=False)
class _Patching:
    """The application of a game's patches: the work on each item, and the errors."""

    targets: Targets
    order: Order
    store: SchemaStore
    known: Known
    report: Report
    works: dict[str, Work] = field(default_factory=dict)
    aims: list[Aim] = field(default_factory=list)
    conflicts: list[Clash] = field(default_factory=list)
    failures: list[tuple[EditError, Item]] = field(default_factory=list)
    history: dict[tuple[str, str], tuple[Change, ...]] = field(default_factory=dict)
    merging: set[str] = field(default_factory=set)
    """The names of the patches whose `merge:` has been used."""
    changes: int = 0

    # ------------------------------------------------------------------ taking in

    def take(self, patch: Item) -> None:
        """Take in one patch, unless it is faulty or has no target."""
        try:
            self._take(patch)
        except EditError as error:
            error.tell(self.report)
        except PatchLeftOut:
            pass

    def _take(self, patch: Item) -> None:
        edits = edits_of(patch, self.report)
        patch_checks.check_alone(patch, edits, self.report)
        patch_checks.check_twice(edits, rows=False)
        aim = self.targets.of(patch)
        for item in aim.items:
            patch_checks.check_target(patch, edits, item, self.store)
        split = [by_rows(edits, item.fields) for item in aim.items]
        for one in split:
            patch_checks.check_twice(one)
        self.changes += len(aim.items)
        if self.changes > MAX_CHANGES:
            message = f"the patches of these packs change more than {MAX_CHANGES:,} items"
            help = "change the game's own pack"
            raise EditError("too-many-patches", patch.place, message, help)
        self.aims.append(aim)
        for item, own in zip(aim.items, split, strict=True):
            self.works.setdefault(item.id, Work(item)).take(aim, own)

    # ------------------------------------------------------------------ the outcome

    def done(self, items: Sequence[Item]) -> Patched:
        disabled: list[Item] = []
        changed: dict[str, Item] = {}
        for id, work in self.works.items():
            if work.disabling:
                disabled.append(work.item)
                self.history[id, ""] = tuple(
                    Change(one.pack, one.place.path, one.place.line, "disable", None, None, one.id)
                    for one in work.disabling
                )
                self._check_disabled(work)
            else:
                changed[id] = self._patched(work)
        report_conflicts(self.conflicts, self.report)
        report_failures(self.failures, self.report)
        patch_checks.check_live(self.aims, self.works, self.order, self.report)
        patch_checks.check_classes(self.aims, self.works, self.targets, self.order, self.report)
        self._check_merges()
        if not self.report.has_errors:
            patch_checks.warn_of_idle_patches(self.works, self.targets, self.report)
            patch_checks.warn_of_whole_texts(self.works, self.store, self.report)
            for aim in self.aims:
                patch_checks.warn_of_whole_class(aim, self.targets, self.report)
        gone = {item.id for item in disabled}
        left = tuple(changed.get(item.id, item) for item in items if item.id not in gone)
        return Patched(left, self.history, tuple(disabled))

    def _check_disabled(self, work: Work) -> None:
        """Report patches that would change an item that another patch disables."""
        for patch in work.changing():
            # A patch of a class of items is for the remaining ones. An optional patch does nothing
            # where its target is gone: the outcome is the same either way.
            if patch.name in work.of_class or may_lack(patch, "target"):
                continue
            if any(self.order.is_before(patch, other) for other in work.disabling):
                continue
            other = work.disabling[0]
            note = Note(other.place, f"`{other.id}` disables it")
            if self.order.is_before(other, patch):
                message = f"`{work.item.id}` is already disabled when this patch comes"
                self.report.error("patch-matches-nothing", patch.place, message, None, [note])
            else:
                message = f"this patch changes `{work.item.id}`, and another one disables it"
                help = "write `optional: target` here to let it go"
                self.report.error("patch-conflict", patch.place, message, help, [note])

    def _check_merges(self) -> None:
        """Report a patch that only declares merges, where there is nothing to merge."""
        fields = chain.from_iterable(work.edits.values() for work in self.works.values())
        busy = self.merging.union(edit.patch.name for edits in fields for edit in edits)
        for aim in self.aims:
            patch = aim.patch
            if MERGE not in patch.fields or patch.name in busy:
                continue
            if not may_lack(patch, "target") and not self.conflicts:
                message = "no two patches of this need to be merged"
                help = "take it out, or write `optional: target`"
                place = patch.node.key_place(MERGE)
                self.report.error("patch-matches-nothing", place, message, help)

    def _patched(self, work: Work) -> Item:
        """Return the item as patched; a field with conflicting patches is unchanged."""
        item = work.item
        fields, changes = self._fields(work)
        self._weave(work, fields, changes)
        old = item.node
        spans = {name: (old.key_spans or {}).get(name, (old.start, old.start)) for name in fields}
        place = old.start, old.end, old.style
        node = YamlNode(old.source, "map", fields, *place, spans, old.key_sources)
        # The item alone was sound, so that the schema's findings are in the patches.
        sound = check_item(node, item.kind, self.store, self.report)
        if not sound or not self._check_sorts(item, fields):
            return item
        if item.kind == "setting":
            fields["value"] = settings.in_place_of(item, fields["value"])
        changes = {name: steps for name, steps in changes.items() if steps}
        self.history |= {(item.id, name): steps for name, steps in changes.items()}
        return replace(item, fields=fields, node=node)

    def _fields(self, work: Work) -> tuple[dict[str, YamlNode], dict[str, tuple[Change, ...]]]:
        """The patched fields of an item, and the history of those whose edits succeed."""
        fields = dict(work.item.fields)
        changes: dict[str, tuple[Change, ...]] = {}
        for name in sorted(work.edits, key=is_row):  # whole fields before their rows
            try:
                outcome = self._field(work, name, fields)
            except EditError as error:
                error.help = with_help(error, name, fields)
                error.of_class = any(edit.patch.name in work.of_class for edit in work.edits[name])
                self.failures.append((error, work.item))
                continue
            if outcome is not None:
                node, changes[name] = outcome
                put_value(fields, name, node)
        return fields, changes

    def _weave(
        self, work: Work, fields: dict[str, YamlNode], changes: dict[str, tuple[Change, ...]]
    ) -> None:
        """Insert the lines of patches into the patched texts of an item."""
        if not work.steps:
            return
        woven = weave(work.item, fields, work.steps, work.edits, self.order, self.store, self.known)
        for error in woven.errors:
            error.of_class = bool(work.of_class)
            self.failures.append((error, work.item))
        for edit in woven.idle if not work.of_class else ():
            message = f"the lines of `{edit.at}` are like that already, so this changes nothing"
            self.report.warning("changes-nothing", edit.value.place, message)
        fields |= woven.nodes
        for name, more in woven.changes.items():
            changes[name] = (*changes.get(name, ()), *more)

    def _field(self, work: Work, name: str, fields: Mapping[str, YamlNode]) -> Outcome | None:
        """The outcome of one field; None if its patches conflict."""
        item, order = work.item, self.order
        edits = order.sorted(work.edits[name])
        whole = work.edits.get(root_of(name), []) if is_row(name) else []
        base = self.targets.value(item, fields, name)
        fractional = self.targets.is_fractional(item, name)
        found = iter(clashes(edits, order))
        first = next(found, None)
        merge = self._merge(work, name, chain([first], found)) if first is not None else None
        if first is not None and merge is None:
            self.conflicts.append(clash_of(item, base, *first, fractional))
            return None
        for all_rows, row in product(whole, edits):
            if order.is_free(all_rows.patch, row.patch):
                self.conflicts.append(Clash(item, all_rows, row, None))
                return None
        if merge is not None:
            return merged(merge, base, edits, order, fractional)
        return run(base, later_than_whole(whole, edits, order.position), order.is_free, fractional)

    def _merge(self, work: Work, name: str, found: Iterable[tuple[Edit, Edit]]) -> Edit | None:
        """The merge for conflicting edits; None if no patch declares one for some of them.

        A patch declares it for its own changes of the field, or, having none, for those of all others.
        Raises EditError if two patches declare different merges.
        """
        merges = work.merges.get(name, [])
        own = {edit.patch.name for edit in work.edits[name]}
        for pair in found:
            names = {edit.patch.name for edit in pair}
            if not any(one.patch.name in names or one.patch.name not in own for one in merges):
                return None
        check_one_way(merges)
        self.merging.update(one.patch.name for one in merges)
        return merges[0]

    # A value that the schema leaves open (a setting's `value`) keeps its sort: texts depend on it.
    def _check_sorts(self, item: Item, fields: Mapping[str, YamlNode]) -> bool:
        """Check that no patch turns, say, a number into a text."""
        for name, node in fields.items():
            old = item.fields.get(name)
            if old is None or not {old.kind, node.kind} <= SORTS.keys():
                continue
            if item.kind == "setting" and name == "value":
                sort, fits = settings.sort_of(item), settings.may_be(item, node)
            else:  # a number may be a fraction if the schema allows it
                numbers = settings.amount(old) is not None and settings.amount(node) is not None
                sort, fits = old.kind, old.kind == node.kind or numbers
            if fits:
                continue
            not_one = "neither" if sort == "bool" else "none"
            value = show(to_data(node))
            message = f"`{name}` of `{item.id}` is {SORTS[sort]}, and {value} is {not_one}"
            help = f"write {settings.WANTED[sort][1]}"
            self.failures.append((EditError("patch-type", node.place, message, help), item))
            return False
        return True


SORTS = {"int": "a number", "bool": "true or false", "text": "a text"}
SORTS[settings.FRACTIONAL] = SORTS["int"]
