"""The typed operations of patches: what each does to one place of an item, and which of them commute.

An `Edit` is one operation of one patch at one place: a field, one row of it (`rows.IV` is the row `IV`
of the map in `rows`), or a step of a text. `run` applies edits of a field in a given order and records
the history; `agree` tells whether two of them commute. Numbers stay fractions until the last edit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import Suggestion, did_you_mean, nearest
from ruleloom.compiler.graph import closures, find_circle, in_order
from ruleloom.compiler.packs.content import Change, Item, Poison
from ruleloom.compiler.packs.settings import Renames, amount, notice, renamed
from ruleloom.compiler.resolve.mod_sets import Statements
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.syntax.parser import PARSERS, NamedStep, read_steps
from ruleloom.compiler.yaml.node import Kind, YamlNode, fields_of, items_of, to_data, with_entries
from ruleloom.compiler.yaml.source_map import EffectText, effect_text
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.values import LARGEST, ROUND

Outcome = tuple[YamlNode | None, tuple[Change, ...]]
"""The new value of a field, and its history."""
# Whether neither of two patches is ordered before the other.
Free = Callable[[Item, Item], bool]
BEFORE, AFTER, REPLACE, REMOVE = "before-step", "after-step", "replace-step", "remove-step"
STEP_OPS = (BEFORE, AFTER, REPLACE, REMOVE)
APPEND, MERGE = "append", "merge"
FIELD_OPS = ("set", "add", "scale", APPEND, "remove")
COMMUTING = ("add", "scale", APPEND, "remove", "drop")
REPLACING = ("set", "replace-effect")
# The name of the whole text, which `append` adds lines after; no step has it.
WHOLE = ""


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """A parsed text: its lines, each with its place, and its steps."""

    written: EffectText
    steps: tuple[NamedStep, ...]
    tree: Statements = ()

    @property
    def lines(self) -> list[str]:
        """The lines, without empty ones at the end."""
        return self.written.text.rstrip("\n").split("\n")


@dataclass(frozen=True, eq=False)
class Edit:
    """One operation of one patch at one place: a field, a row, or a step.

    `key` is the place of its name; `lines` are those that it brings to a step.
    """

    patch: Item
    op: str
    at: str
    value: YamlNode
    key: Place
    lines: Lines | None = None

    @property
    def is_of_step(self) -> bool:
        """Is this about a step of a text, or lines at its end?"""
        return self.op in STEP_OPS or self.lines is not None

    @property
    def brought(self) -> Lines:
        """The lines of the edit."""
        assert self.lines is not None, "only a step is removed without lines"
        return self.lines

    @property
    def data(self) -> Any:
        """The value of the operation, as plain data."""
        return to_data(self.value)

    @property
    def meant(self) -> Any:
        """The value for comparison."""
        return meaning(self.value)

    @property
    def factor(self) -> tuple[Fraction, str]:
        """The addend or factor, and how the result is rounded; empty if it is not."""
        number, _, how = str(self.data).partition(" rounded ")
        return Fraction(number), how

    @property
    def word(self) -> str:
        """The operation as written in the patch: a row is dropped by `remove`, a merge says how."""
        return {"drop": "remove", MERGE: f"{MERGE} {self.data}"}.get(self.op, self.op)

    def change(self, old: Any, new: Any, by: Any = None) -> Change:
        """The entry of the history for what this edit did."""
        patch, place = self.patch, self.value.place
        return Change(patch.pack, place.path, place.line, self.word, old, new, patch.id, by)

    def put_after(self, first: Edit) -> str:
        """The help that orders this edit after another one."""
        return f"write `after: [{first.patch.id}]` in `{self.patch.name}`, or the other way round"


def meaning(node: YamlNode) -> Any:
    """A value for comparison: `1/2` and `0.5` are the same number."""
    number = amount(node)
    return to_data(node) if number is None else number


class PatchLeftOut(Exception):
    """A skipped patch: its mistake has been reported, or its target may be missing."""


@dataclass(eq=False)
class EditError(PatchLeftOut):
    """The error of a patch or of one of its edits; `of_class` if the patch is for a class of items."""

    code: str
    place: Place
    message: str
    help: str | None = None
    notes: Sequence[Note] = ()
    of_class: bool = False

    def tell(self, report: Report) -> None:
        """Report the error."""
        report.error(self.code, self.place, self.message, self.help, self.notes)


def edits_of(patch: Item, report: Report) -> list[Edit]:
    """The edits of a patch, in source order.

    Raises EditError, or PatchLeftOut for lines that cannot be read, after a report.
    """
    edits: list[Edit] = []
    for op, node in patch.fields.items():
        if op == "replace-effect":
            edits.append(Edit(patch, op, "effect", node, patch.node.key_place(op)))
        elif op in (*FIELD_OPS, *STEP_OPS, MERGE):
            edits += [Edit(patch, op, str(one.value), one, one.place) for one in items_of(node)]
            edits += [_edit(patch, op, *entry, report) for entry in fields_of(node)]
    _check_clear(patch, [edit for edit in edits if edit.is_of_step])
    return edits


def _edit(patch: Item, op: str, name: str, value: YamlNode, key: Place, report: Report) -> Edit:
    at_end = (op, name) == (APPEND, "effect")
    if not at_end and op not in STEP_OPS:
        return Edit(patch, op, name, value, value.place if op == MERGE else key)
    lines = lines_at(value, report)
    if lines is None:
        raise PatchLeftOut
    return Edit(patch, op, WHOLE if at_end else name, value, key, lines)


def lines_at(node: YamlNode, report: Report, form: str = "block") -> Lines | None:
    """The text at a node with its steps, or None after reporting an error."""
    written = effect_text(node.source, node, report)
    if written is None:
        return None
    try:
        return Lines(written, read_steps(written.text, form), PARSERS[form](written.text))
    except EffectSyntaxError as error:
        report.error(error.code, written.place_of(error.span), error.message, error.help)
        return None


def _check_clear(patch: Item, edits: Sequence[Edit]) -> None:
    """Raise EditError for two changes at one step, or of a step and the whole text."""
    instead: dict[str, Edit] = {}
    for edit in edits:
        first = instead.setdefault(edit.at, edit) if edit.op in (REPLACE, REMOVE) else edit
        if first is not edit:
            message = f"one patch both replaces and removes the step `{edit.at}`"
            note = Note(first.key, "the first change is here")
            raise EditError("bad-patch", edit.key, message, "take one of them out", [note])
    if edits and "replace-effect" in patch.fields:
        message = "this patch gives the whole text anew, and its steps besides"
        help = "write the lines into the new text, or make two patches of it"
        raise EditError("bad-patch", edits[0].key, message, help)


def may_lack(patch: Item, what: str) -> bool:
    """May the `target` of this patch be missing, or the patch that it comes `after`?"""
    return patch.data("optional") in (True, what)


def all_alike(edits: Sequence[Edit]) -> bool:
    """Tell whether all edits are of one sort that commutes with itself."""
    rounded = {edit.data for edit in edits if edit.op == "scale" and edit.factor[1]}
    alike = len({edit.op for edit in edits}) == 1 and edits[0].op in COMMUTING
    return alike and (not rounded or len({edit.data for edit in edits}) == 1)


def agree(a: Edit, b: Edit) -> bool:
    """Tell whether two edits of one field commute."""
    ops = {a.op, b.op}
    if all_alike((a, b)):
        return True
    if ops == {"append", "remove"}:
        return not any(one in b.data for one in a.data)
    return ops <= set(REPLACING) and a.meant == b.meant


@dataclass(slots=True)
class _Running:
    """A field between two edits: its value, and the values appended and removed so far."""

    node: YamlNode | None
    free: Free
    fractional: bool
    """It may hold a fraction, or once did, so that its value need not be whole."""
    number: Fraction | None = None
    """The value, once it has been reckoned."""
    appended: list[tuple[Item, Any, int]] = field(default_factory=list)
    """The values that each patch appended, and the number of copies needed for patches in a fixed order."""
    removed: list[Any] = field(default_factory=list)

    @property
    def data(self) -> Any:
        """The value as plain data."""
        if self.number is not None:
            return _plain_number(self.number)
        return None if self.node is None else to_data(self.node)

    def put(self, elements: list[YamlNode], edit: Edit) -> None:
        """Make the value a list."""
        at = edit.value
        self.node = YamlNode(at.source, "list", elements, at.start, at.end)


def run(
    base: YamlNode | None,
    edits: Sequence[Edit],
    free: Free = lambda a, b: False,
    fractional: bool = False,
) -> Outcome:
    """Return the value of a field after `edits` in this order, and its history.

    `free` tells whether two patches are unordered: a value that both append is appended once.
    `fractional` says that the field may hold a number that is not whole. Raises EditError for an edit
    that does not fit the value it finds.
    """
    now = _Running(base, free, fractional)
    history: list[Change] = []
    for edit in edits:
        old = now.data
        _DO[edit.op](now, edit)
        history.append(edit.change(old, now.data, edit.data))
    return _number(now, edits) if now.number is not None else now.node, tuple(history)


def _set(now: _Running, edit: Edit) -> None:
    now.node, now.number, now.appended, now.removed = edit.value, None, [], []


def _reckon(now: _Running, edit: Edit) -> None:
    number, (other, how) = _as_number(now, edit), edit.factor
    data = number + other if edit.op == "add" else number * other
    now.number = Fraction(ROUND[how](data)) if how else data


def _append(now: _Running, edit: Edit) -> None:
    elements = _as_list(now, edit) if now.data is not None else []
    added: list[YamlNode] = []
    for node in edit.value.items:
        data = to_data(node)
        same = [(patch, level) for patch, one, level in now.appended if one == data]
        before = [level for patch, level in same if not now.free(patch, edit.patch)]
        level = 1 + max(before, default=0)
        if level > max((level for _, level in same), default=0):
            added.append(node)
        now.appended.append((edit.patch, data, level))
    now.put([*elements, *added], edit)


def _remove(now: _Running, edit: Edit) -> None:
    elements = _as_list(now, edit)
    present = [to_data(node) for node in elements]
    for node in edit.value.items:
        gone = to_data(node)
        if gone not in present and gone not in now.removed:
            raise _not_there(edit, node, present)
        now.removed.append(gone)
    now.appended = [one for one in now.appended if one[1] not in edit.data]
    now.put([node for node in elements if to_data(node) not in edit.data], edit)


def _not_there(edit: Edit, node: YamlNode, present: list[Any]) -> EditError:
    words = [one for one in present if isinstance(one, str)]
    help = did_you_mean(node.text, words) if node.text is not None else None
    message = f"{show(to_data(node))} is not in `{edit.at}`, so it cannot be removed"
    return EditError("patch-matches-nothing", node.place, message, help)


def _drop(now: _Running, edit: Edit) -> None:
    """Remove the row that is this field; two patches may do so."""
    if now.data is None and not now.removed:
        root, _, row = edit.at.partition(".")
        message = f"`{root}` has no row `{row}`, so it cannot be removed"
        raise EditError("patch-matches-nothing", edit.value.place, message)
    now.node = now.number = None
    now.removed.append(edit.at)


_DO = {
    "drop": _drop,
    **dict.fromkeys(REPLACING, _set),
    "add": _reckon,
    "scale": _reckon,
    APPEND: _append,
    "remove": _remove,
}


def _as_number(now: _Running, edit: Edit) -> Fraction:
    if now.number is not None:
        return now.number
    # The value may be a text such as `1/2`, in a row also with quotes.
    bare = replace(now.node, style=None) if now.node and is_row(edit.at) else now.node
    number = amount(bare) if bare is not None else None
    if number is None:
        raise _misfit(now, edit, "a number")
    now.fractional |= bare is not None and bare.kind == "text"
    return Fraction(number)


def _as_list(now: _Running, edit: Edit) -> list[YamlNode]:
    if now.number is None and now.node is not None and now.node.kind == "list":
        return now.node.items
    raise _misfit(now, edit, "a list")


def _misfit(now: _Running, edit: Edit, wanted: str) -> EditError:
    held = "has no value yet" if now.data is None else f"is {show(now.data)}"
    message = f"`{edit.op}` works on {wanted}, and `{edit.at}` {held}"
    help = f"use `set` to give `{edit.at}` a new value"
    return EditError("patch-type", edit.key, message, help)


def _number(now: _Running, edits: Sequence[Edit]) -> YamlNode:
    """Return the node of the number after the last edit; EditError if invalid."""
    numbers = [edit for edit in edits if edit.op in ("add", "scale")]
    last, value = numbers[-1], now.number or Fraction(0)
    if value.denominator != 1 and not now.fractional:
        broken = [edit for edit in numbers if edit.factor[0].denominator != 1][-1]
        message = f"`{broken.at}` would become {value}, and it must be a whole number"
        help = f"`{broken.data} rounded down`" if broken.op == "scale" else None
        raise EditError("patch-number", broken.value.place, message, help)
    if abs(value) > LARGEST:
        message = f"`{last.at}` would become larger than {LARGEST}"
        raise EditError("patch-number", last.value.place, message)
    plain = _plain_number(value)
    kind: Kind = "int" if isinstance(plain, int) else "text"
    return YamlNode(last.value.source, kind, plain, last.value.start, last.value.end)


def _plain_number(number: Fraction) -> int | str:
    """Return a fraction as an int, or as a text such as `7/2`."""
    return int(number) if number.denominator == 1 else str(number)


def show(data: Any) -> str:
    """Return a value in a few words, for a message."""
    if data is None:
        return "nothing"
    if isinstance(data, bool):
        return "true" if data else "false"
    if isinstance(data, list):
        inner = ", ".join(show(one) for one in data[-3:])
        return f"[{'..., ' if len(data) > 3 else ''}{inner}]"
    if isinstance(data, dict):
        return f"a map of {len(data)}"
    text = " ".join(str(data).split())
    text = text if len(text) <= 40 else f"{text[:37]}..."
    return f"`{text}`"


DOT = "."
Fields = Mapping[str, YamlNode]


def root_of(field: str) -> str:
    """The field of an edit, without the row."""
    return field.partition(DOT)[0]


def is_row(field: str) -> bool:
    """Does an edit's field name a row?"""
    return DOT in field


def has_rows(store: SchemaStore, kind: str, field: str) -> bool:
    """Is this field a map whose keys can be patched one by one?"""
    schema = store.schema(kind).get("properties", {}).get(field, {})
    return isinstance(schema.get("additionalProperties"), dict) or "properties" in schema


def by_rows(edits: Iterable[Edit], target: Fields) -> list[Edit]:
    """The edits to run: `remove` on a map is split into one `drop` per row."""
    found: list[Edit] = []
    for edit in edits:
        base = target.get(edit.at)
        if edit.op != "remove" or base is None or base.kind != "map":
            found.append(edit)
            continue
        for one in edit.value.items:
            row = one.text if one.text is not None else one.raw
            found.append(Edit(edit.patch, "drop", f"{edit.at}{DOT}{row}", one, one.place))
    return found


def put_value(fields: dict[str, YamlNode], field: str, value: YamlNode | None) -> None:
    """Set a field or row to its new value; remove a row whose value is None."""
    root, dot, row = field.partition(DOT)
    if not dot:
        fields |= {} if value is None else {field: value}
        return
    if value is None:
        old = fields[root]
        entries = {key: node for key, node in old.entries.items() if key != row}
        spans = {key: span for key, span in (old.key_spans or {}).items() if key != row}
        fields[root] = replace(old, kind="map", value=entries, key_spans=spans)
    else:
        fields[root] = with_entries(
            fields.get(root) or YamlNode(value.source, "map", {}, value.start, value.end, "{"),
            {row: value},
        )


def with_help(error: EditError, field: str, fields: Fields) -> str | None:
    """The help of an error; for a row that does not exist, the nearest one."""
    root, dot, row = field.partition(DOT)
    known = fields[root].entries if dot and root in fields else {}
    return (did_you_mean(row, known) if dot and row not in known else None) or error.help


def later_than_whole(
    whole: Sequence[Edit], rows: Sequence[Edit], position: Mapping[str, int]
) -> list[Edit]:
    """The edits of a row that come after the last edit of the whole field, which overwrites earlier ones."""
    last = max((position[edit.patch.name] for edit in whole), default=-1)
    return [edit for edit in rows if position[edit.patch.name] > last]


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """The position of each patch, by name, and the names of those it comes after."""

    position: Mapping[str, int]
    earlier: Mapping[str, frozenset[str]]

    @classmethod
    def of(
        cls,
        patches: Sequence[Item],
        poisoned: Poison,
        renames: Mapping[str, Renames],
        report: Report,
    ) -> Order:
        """Return the order of patches; those in a cycle of `after:` have none."""
        known = {patch.name: patch for patch in patches}
        after = {
            name: _after(patch, known, poisoned, renames.get(patch.pack, {}), report)
            for name, patch in known.items()
        }
        order = in_order(after)
        if len(order) < len(known):
            # Unordered patches are on a cycle, or come after one.
            path = find_circle({name: after[name] for name in known.keys() - order})
            steps = pairwise(path[1:])
            notes = [Note(after[a][b].place, f"`{a}` comes after `{b}`") for a, b in steps]
            message = f"patches come after each other in a circle: {' -> '.join(path)}"
            place = after[path[0]][path[1]].place
            report.error("patch-cycle", place, message, "take one `after:` out", notes)
        whole = closures({name: after[name] for name in order})
        earlier = {name: found - {name} for name, found in whole.items()}
        return cls({name: index for index, name in enumerate(order)}, earlier)

    def is_before(self, first: Item, second: Item) -> bool:
        """Tell whether `second` is declared to come after `first`."""
        return first.name in self.earlier[second.name]

    def sorted(self, edits: Iterable[Edit]) -> list[Edit]:
        """The edits sorted by the fixed order, which respects `after:`."""
        return sorted(edits, key=lambda edit: self.position[edit.patch.name])

    def is_free(self, a: Item, b: Item) -> bool:
        """Tell whether two different patches are unordered."""
        return a.name != b.name and not self.is_before(a, b) and not self.is_before(b, a)


def _after(
    patch: Item, known: Mapping[str, Item], poisoned: Poison, renames: Renames, report: Report
) -> dict[str, YamlNode]:
    """Return the names of the patches under `after:`, each with its node."""
    found: dict[str, YamlNode] = {}
    for node in items_of(patch.fields.get("after")):
        written = str(node.value)
        pack, _, inside = written.rpartition(":")
        name = inside.removeprefix("patch/")
        other = known.get(name)
        if other is not None and pack in ("", other.pack):
            found[name] = node
        elif (item := renamed(renames, pack, "patch", name)) is not None:
            notice(report, node.place, written, item)
            found[item.name] = node
        elif not poisoned.mentions(name) and not may_lack(patch, "after"):
            message = f"there is no patch `{written}` to come after"
            id = f"{other.pack if other else pack or patch.pack}:patch/{name}"
            close = nearest(id, [one.id for one in known.values() if one is not patch], 1)
            none = "with `optional: after` the other patch need not be there"
            help = Suggestion(written, close[0]) if close else none
            report.error("unknown-patch", node.place, message, help)
    return found
