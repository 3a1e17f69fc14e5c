"""The typed operations of patches: what each does to one field, and which of them commute.

An `Edit` is one operation of one patch on one field, or on one row of it (`rows.IV` is the row `IV`
of the map in `rows`). `run` applies edits in a given order and records the history; `agree` tells
whether two of them commute. Numbers stay fractions until the last edit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from typing import Any

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.packs.content import Change, Item
from ruleloom.compiler.packs.settings import amount
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import Kind, YamlNode, fields_of, to_data, with_entries
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.values import LARGEST, ROUND

Outcome = tuple[YamlNode | None, tuple[Change, ...]]
"""The new value of a field, and its history."""
# Whether neither of two patches is ordered before the other.
Free = Callable[[Item, Item], bool]
FIELD_OPS = ("set", "add", "scale", "append", "remove")
COMMUTING = ("add", "scale", "append", "remove", "drop")
REPLACING = ("set", "replace-effect")


@dataclass(frozen=True, eq=False)
class Edit:
    """One operation of one patch on one field; `key` is the place of the field's name."""

    patch: Item
    op: str
    field: str
    value: YamlNode
    key: Place

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
        """The operation as written in the patch: a row is dropped by `remove`."""
        return "remove" if self.op == "drop" else self.op


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


def edits_of(patch: Item) -> list[Edit]:
    """Return the edits of a patch, in source order."""
    edits: list[Edit] = []
    for op, node in patch.fields.items():
        if op in FIELD_OPS:
            edits += [
                Edit(patch, op, name, value, key)
                for name, value, key in fields_of(node)
                if (op, name) != ("append", "effect")  # as lines of a text, these are step edits
            ]
        elif op == "replace-effect":
            edits.append(Edit(patch, op, "effect", node, patch.node.key_place(op)))
    return edits


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

    data: Any
    node: YamlNode | None
    elements: list[YamlNode]
    free: Free
    fractional: bool
    """It may hold a fraction, or once did, so that its value need not be whole."""
    appended: list[tuple[Item, Any, int]] = field(default_factory=list)
    """The values that each patch appended, and the number of copies needed for patches in a fixed order."""
    removed: list[Any] = field(default_factory=list)


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
    data = None if base is None else to_data(base)
    now = _Running(data, base, list(base.items) if base else [], free, fractional)
    history: list[Change] = []
    for edit in edits:
        old = _plain_number(now.data)
        _DO[edit.op](now, edit)
        by, place, new = edit.patch, edit.value.place, _plain_number(now.data)
        change = Change(by.pack, place.path, place.line, edit.word, old, new, by.id, edit.data)
        history.append(change)
    if isinstance(now.data, Fraction):
        now.node = _number(now, edits)
    elif isinstance(now.data, list) and edits and edits[-1].op in ("append", "remove"):
        at = edits[-1].value
        now.node = YamlNode(at.source, "list", now.elements, at.start, at.end)
    return now.node, tuple(history)


def _set(now: _Running, edit: Edit) -> None:
    now.data, now.node, now.elements = edit.data, edit.value, list(edit.value.items)
    now.appended, now.removed = [], []


def _reckon(now: _Running, edit: Edit) -> None:
    number, (other, how) = _as_number(now, edit), edit.factor
    data = number + other if edit.op == "add" else number * other
    now.data = Fraction(ROUND[how](data)) if how else data


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
    now.elements = elements + added
    now.data = [to_data(node) for node in now.elements]


def _remove(now: _Running, edit: Edit) -> None:
    elements = _as_list(now, edit)
    present = [to_data(node) for node in elements]
    for node in edit.value.items:
        gone = to_data(node)
        if gone not in present and gone not in now.removed:
            raise _not_there(edit, node, present)
        now.removed.append(gone)
    now.elements = [node for node in elements if to_data(node) not in edit.data]
    now.appended = [one for one in now.appended if one[1] not in edit.data]
    now.data = [to_data(node) for node in now.elements]


def _not_there(edit: Edit, node: YamlNode, present: list[Any]) -> EditError:
    words = [one for one in present if isinstance(one, str)]
    help = did_you_mean(node.text, words) if node.text is not None else None
    message = f"{show(to_data(node))} is not in `{edit.field}`, so it cannot be removed"
    return EditError("patch-matches-nothing", node.place, message, help)


def _drop(now: _Running, edit: Edit) -> None:
    """Remove the row that is this field; two patches may do so."""
    if now.data is None and not now.removed:
        root, _, row = edit.field.partition(".")
        message = f"`{root}` has no row `{row}`, so it cannot be removed"
        raise EditError("patch-matches-nothing", edit.value.place, message)
    now.data, now.node, now.elements = None, None, []
    now.removed.append(edit.field)


_DO = {
    "drop": _drop,
    "set": _set,
    "replace-effect": _set,
    "add": _reckon,
    "scale": _reckon,
    "append": _append,
    "remove": _remove,
}


def _as_number(now: _Running, edit: Edit) -> Fraction:
    if isinstance(now.data, int | Fraction) and not isinstance(now.data, bool):
        return Fraction(now.data)
    # The value may be a text such as `1/2`, in a row also with quotes.
    bare = replace(now.node, style=None) if now.node and is_row(edit.field) else now.node
    number = amount(bare) if bare is not None else None
    if number is None:
        raise _misfit(now, edit, "a number")
    now.fractional = True
    return Fraction(number)


def _as_list(now: _Running, edit: Edit) -> list[YamlNode]:
    if isinstance(now.data, list):
        return now.elements
    raise _misfit(now, edit, "a list")


def _misfit(now: _Running, edit: Edit, wanted: str) -> EditError:
    held = "has no value yet" if now.data is None else f"is {show(now.data)}"
    message = f"`{edit.op}` works on {wanted}, and `{edit.field}` {held}"
    help = f"use `set` to give `{edit.field}` a new value"
    return EditError("patch-type", edit.key, message, help)


def _number(now: _Running, edits: Sequence[Edit]) -> YamlNode:
    """Return the node of the number after the last edit; EditError if invalid."""
    numbers = [edit for edit in edits if edit.op in ("add", "scale")]
    last, value = numbers[-1], now.data
    if value.denominator != 1 and not now.fractional:
        broken = [edit for edit in numbers if edit.factor[0].denominator != 1][-1]
        message = f"`{broken.field}` would become {value}, and it must be a whole number"
        help = f"`{broken.data} rounded down`" if broken.op == "scale" else None
        raise EditError("patch-number", broken.value.place, message, help)
    if abs(value) > LARGEST:
        message = f"`{last.field}` would become larger than {LARGEST}"
        raise EditError("patch-number", last.value.place, message)
    plain = _plain_number(value)
    kind: Kind = "int" if isinstance(plain, int) else "text"
    return YamlNode(last.value.source, kind, plain, last.value.start, last.value.end)


def _plain_number(data: Any) -> Any:
    """Return plain data: a fraction as an int, or as a text such as `7/2`."""
    if not isinstance(data, Fraction):
        return data
    return int(data) if data.denominator == 1 else str(data)


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
        base = target.get(edit.field)
        if edit.op != "remove" or base is None or base.kind != "map":
            found.append(edit)
            continue
        for one in edit.value.items:
            row = one.text if one.text is not None else one.raw
            found.append(Edit(edit.patch, "drop", f"{edit.field}{DOT}{row}", one, one.place))
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
