"""Applies patches: typed changes that one pack makes to the items of another.

The items of all packs in their fixed order go in; the patched items come out, without the disabled
ones, and with the history of each changed field. The order in which packs are named never matters:
two patches of one field must commute, or declare `after:` or `merge:`; otherwise the conflict is
reported with both outcomes, once per pair. Edits commute by their kind; one may come `after:` another,
and a later one may set the value. With `merge:`, every order that `after:` allows is run, and the
highest or lowest number, or the intersection or union of lists, is taken, which does not depend on the
order. A patch that matches nothing is an error unless it is `optional`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from itertools import chain, pairwise, product

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.packs import settings
from ruleloom.compiler.packs.content import Change, Item, Poison
from ruleloom.compiler.packs.settings import Printed, Renames, amount
from ruleloom.compiler.patch import patch_checks
from ruleloom.compiler.patch.edits import (
    MERGE,
    REPLACING,
    Edit,
    EditError,
    Order,
    Outcome,
    PatchLeftOut,
    agree,
    all_alike,
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
from ruleloom.compiler.patch.select import Aim, Targets, Work
from ruleloom.compiler.patch.weave import Known, weave
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.schema.validate import check_item
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import Plain, YamlNode, to_data
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
    renames: Mapping[str, Renames] | None = None,
) -> Patched:
    """Return the items with every patch applied; a faulty patch is reported and skipped.

    `renames` are the old and short names by the pack that writes them.
    """
    patches = [item for item in items if item.kind == "patch"]
    if not patches:
        return Patched(tuple(items), {})
    if len(patches) > MAX_PATCHES:
        message = f"these packs hold more than {MAX_PATCHES:,} patches"
        help = "change the game's own pack"
        report.error("too-many-patches", patches[MAX_PATCHES].place, message, help)
        return Patched(tuple(items), {})
    renames = {} if renames is None else renames
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
            ways = first, first[::-1]
            one, other = (_outcome(base, fractional, *way) for way in ways)
            self.conflicts.append(Clash(item, *first, (one, other)))
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


# ------------------------------------------------------------------ conflicts and merges

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
            message = f"`{merge.data}` merges numbers, and `{merge.at}` is not one"
            raise EditError("patch-type", merge.value.place, message, _other(merge, LISTS))
        return Fraction(number)

    choose: Callable[..., Outcome] = max if merge.data == "highest" else min
    return choose(found, key=worth)


def _of_lists(merge: Edit, found: Sequence[Outcome]) -> Outcome:
    lists = [node for node, _ in found if node is not None and node.kind == "list"]
    if len(lists) < len(found):
        message = f"`{merge.data}` merges lists, and `{merge.at}` is not one"
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
