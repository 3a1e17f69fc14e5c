"""The form of an item: the fields of its kind's schema, with their values.

A form has no state: a change of it is an edit of one value in the text, which preserves all else,
including comments, and a change of the text rebuilds the form. Each edit is applied, parsed again and
compared with the intended data before it is returned: a value that does not round-trip is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from typing import Any, NamedTuple

from ruleloom.compiler.analysis.yaml_cursor import (
    FieldHelp,
    FileEdit,
    edited,
    fields_in,
    fields_on,
    items_in,
    line_end,
    schemas_at,
    types_at,
)
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.yaml.node import Plain, YamlNode, to_data, written
from ruleloom.editor.project import Project
from ruleloom.runtime.program.faults import Refused
from ruleloom.scenes.boards import Json
from ruleloom.web.pages import told

Path = Sequence[str | int]

DEEPEST, MOST_ENTRIES = 6, 40
# A property name that occurs in no schema.
ANY_NAME = "?"
PLAIN = frozenset(["text", "int", "bool"])
# The input controls of fields.
TEXT, EFFECT, NUMBER, EITHER, YES_NO, CHOICE, LIST, GROUP, OTHER = (
    *("text", "effect", "number", "either", "yes_no", "choice", "list", "group", "other"),
)


def form_of(project: Project, path: str, offset: int) -> Json | None:
    """The form of the item at or near an offset in the current text: its index in the file, its kind and
    its fields. None without an item, or if its kind has no schema."""
    names, store = project.names(path), project.snapshot.kept.schemas
    item = names.item_near(offset)
    name = names.kind_of(item) if item is not None and item.get("kind") is not None else ""
    if item is None or name not in store.kinds:
        return None
    fields = _Form(store, name, project.text(path)).fields(item, ())
    return {"number": names.items.index(item), "kind": name, "fields": list(fields)}


def order_of(project: Project, kind: str, path: Path) -> list[str]:
    """The field names of a map, in schema order."""
    return [one.name for one in fields_in(project.snapshot.kept.schemas, kind, path)]


class _Form(NamedTuple):
    """The form of one kind of item, in one text."""

    store: SchemaStore
    kind: str
    text: str

    def fields(self, node: YamlNode | None, path: tuple[str | int, ...]) -> Iterator[Json]:
        """The fields of a map: those of its schema, then unknown ones in the text, which the checker
        reports."""
        known = fields_in(self.store, self.kind, path)
        there = {} if node is None else node.entries
        names = {one.name for one in known}
        strange = [FieldHelp(name, "", "", (), (), False) for name in there if name not in names]
        for one in (*known, *strange):
            if (*path, one.name) != ("kind",):
                yield self._field(one, there.get(one.name), (*path, one.name))

    def _field(
        self, about: FieldHelp, node: YamlNode | None, path: tuple[str | int, ...], by: str = ""
    ) -> Json:
        """A field: its control (`by`), its value (None if absent), its zero-based line (`at`, -1 if
        absent), and a group's inner fields. `more` is the control for a group's entries of any name;
        empty if it takes none."""
        by = by or self._filled_in(about, node, path)
        is_group = by == GROUP
        value = to_data(node) if node is not None and by not in (OTHER, GROUP) else None
        return {
            "path": list(path),
            "name": about.name,
            "title": about.title,
            "help": about.help,
            "by": by,
            "needed": about.needed,
            "there": node is not None,
            "value": value,
            "choices": list(about.values) if by == CHOICE else [],
            "at": self.text.count("\n", 0, node.start) if node is not None else -1,
            "more": self._open_to(path) if is_group else "",
            "fields": list(self._inner(node, path)) if is_group and len(path) <= DEEPEST else [],
        }

    def _inner(self, node: YamlNode | None, path: tuple[str | int, ...]) -> Iterator[Json]:
        """The fields of a map, or the entries of a list of maps, each a group."""
        if node is None or node.kind != "list":
            yield from self.fields(node, path)
            return
        for number, entry in enumerate(node.items[: MOST_ENTRIES + 1]):
            # The entries beyond the limit are edited in the text only.
            is_rest = number == MOST_ENTRIES
            name = f"{path[-1]} {number + 1}{f'-{len(node.items)}' if is_rest else ''}"
            about = FieldHelp(name, "", "", (), (), True)
            yield self._field(about, entry, (*path, number), OTHER if is_rest else "")

    def _filled_in(
        self, about: FieldHelp, node: YamlNode | None, path: tuple[str | int, ...]
    ) -> str:
        """The control of a field, by its node's structure, else its schema, else its scalar value."""
        structure = _by_structure(node)
        if fields_on(path) in self.store.effect_fields(self.kind):
            return OTHER if structure else EFFECT
        by_value = OTHER if node is None else EITHER if node.kind == "int" else TEXT
        return structure or self._by_type(about, path) or by_value

    def _by_type(self, about: FieldHelp, path: tuple[str | int, ...]) -> str:
        """The control of a field by the types in its schema; empty if these do not decide it."""
        types = set(about.types)
        if types == {"array"}:
            inner = types_at(self.store, self.kind, (*path, 0))
            return LIST if inner and inner <= {"string", "integer"} else OTHER
        if types == {"object"} and self._open_to(path):
            return GROUP
        return _by_schema(about)

    def _open_to(self, path: tuple[str | int, ...]) -> str:
        """The control for a map's entries of any name: number, text or either; empty if closed."""
        found = schemas_at(self.store, self.kind, path)
        if not any(isinstance(one.get("additionalProperties"), dict) for _, one in found):
            return ""
        types = types_at(self.store, self.kind, (*path, ANY_NAME))
        if "integer" in types:
            return NUMBER if "string" not in types else EITHER
        return TEXT if "string" in types else ""


def _by_schema(about: FieldHelp) -> str:
    """The control of a scalar by its schema; empty if undecided."""
    types = set(about.types)
    if "string" in types:
        return EITHER if "integer" in types else TEXT
    if about.values:
        return YES_NO if types == {"boolean"} else CHOICE
    return NUMBER if types == {"integer"} else ""


def _by_structure(node: YamlNode | None) -> str:
    """The control of an existing map or list; empty for any other node."""
    if node is None or node.kind not in ("map", "list"):
        return ""
    kinds = {"map"} if node.kind == "map" else {one.kind for one in node.items}
    return GROUP if kinds == {"map"} else LIST if kinds <= PLAIN else OTHER


# ---------------------------------------------------------------------------------- edits

STEP = "  "


@contextmanager
def _by_form() -> Iterator[None]:
    """Refuse a change whose target does not exist."""
    try:
        yield
    except (LookupError, TypeError, ValueError):
        raise Refused(told("not_by_form")) from None


def set_value(
    text: str, number: int, path: Path, value: Plain, order: Sequence[str] = ()
) -> FileEdit:
    """The edit that sets a value of item `number`. A missing key is added after those that precede
    it in `order`; the index past the end of a list appends to it.

    Raises Refused if the value cannot be written so that it parses as intended.
    """
    with _by_form():
        item = items_in(text)[number]
        wanted = _changed(to_data(item), path, value)
        parent, last = _at(item, path[:-1]), path[-1]
        if last in parent.entries or (isinstance(last, int) and last < len(parent.items)):
            ways = _replaced(text, parent, last, value)
        elif parent.style in ("{", "["):
            ways = _added_in_brackets(parent, last, value)
        else:
            ways = _added_line(text, parent, last, value, order)
        edits = (edit for edit in ways if _reads_as(text, number, edit, wanted))
        found = next(edits, None)
    if found is None:
        raise Refused(told("not_by_form"))
    return found


def remove_value(text: str, number: int, path: Path) -> FileEdit:
    """The edit that removes a field, or a list entry."""
    with _by_form():
        item = items_in(text)[number]
        edit = _removal(text, _at(item, path[:-1]), path[-1])
        wanted = _changed(to_data(item), path)
    if not _reads_as(text, number, edit, wanted):
        raise Refused(told("not_by_form"))
    return edit


def _at(node: YamlNode, path: Path) -> YamlNode:
    for step in path:
        node = node.entries[step] if isinstance(step, str) else node.items[step]
    return node


def _replaced(text: str, parent: YamlNode, last: str | int, value: Plain) -> Iterator[FileEdit]:
    """Edits that replace a value."""
    there = _at(parent, (last,))
    line = text[_line_start(text, _begin(parent, last)) :].partition("\n")[0]
    # A list dash counts as white space.
    margin = len(line) - len(line.lstrip(" -") if line.strip() != "-" else "")
    is_bare = there.start == there.end and text[there.start - 1 : there.start] == ":"
    for one in _written(value, " " * margin, there.style):
        yield FileEdit(there.start, there.end, f"{' ' if is_bare else ''}{one}")


def _begin(parent: YamlNode, last: str | int) -> int:
    """The start of a value's key; in a list, of the value."""
    spans = parent.key_spans or {}
    return spans[last][0] if isinstance(last, str) else _at(parent, (last,)).start


def _written(value: Plain, margin: str, style: str | None) -> Iterator[str]:
    """YAML texts for a value after a key."""
    if isinstance(value, str) and ("\n" in value or style in ("|", ">")):
        lines = value.rstrip("\n").split("\n")
        yield "|\n" + "\n".join(f"{margin}{STEP}{line}".rstrip() for line in lines)
    if isinstance(value, str) and style in ("'", '"'):
        yield json.dumps(value, ensure_ascii=False)
    yield str(value).lower() if isinstance(value, bool) else written(value)
    if isinstance(value, str):
        yield json.dumps(value, ensure_ascii=False)


def _added_in_brackets(parent: YamlNode, last: str | int, value: Plain) -> Iterator[FileEdit]:
    entries = list(parent.entries.values()) or parent.items
    at = entries[-1].end if entries else parent.start + 1
    lead = ", " if entries else ""
    key = f"{last}: " if isinstance(last, str) else ""
    for one in _written(value, "", '"' if isinstance(value, str) and "," in value else None):
        if "\n" not in one:
            yield FileEdit(at, at, f"{lead}{key}{one}")


def _added_line(
    text: str, parent: YamlNode, last: str | int, value: Plain, order: Sequence[str]
) -> Iterator[FileEdit]:
    """The candidate edits that add a line for a key or an entry."""
    if isinstance(last, int):
        before = parent.items[-1]
        start = _line_start(text, before.start)
        margin = " " * (text.rindex("-", start, before.start) - start)
        head = f"{margin}- "
    else:
        first = next(iter(parent.entries), "")
        before = parent.entries[_earlier_key(parent, last, order)]
        margin = " " * (parent.key_place(first).column - 1)
        head = f"{margin}{last}: "
    at = _line_end(text, before.end)
    lead = "\n" if at == len(text) and not text.endswith("\n") else ""
    for one in _written(value, margin, None):
        yield FileEdit(at, at, f"{lead}{head}{one}\n")


def _earlier_key(parent: YamlNode, key: str, order: Sequence[str]) -> str:
    """The key that a new one follows: the last before it in `order`, else the last."""
    known = list(parent.entries)
    place = order.index(key) if key in order else len(order)
    earlier = [one for one in known if one in order and order.index(one) < place]
    return earlier[-1] if earlier else known[-1]


def _removal(text: str, parent: YamlNode, last: str | int) -> FileEdit:
    start, end = _begin(parent, last), _at(parent, (last,)).end
    if parent.style in ("{", "["):
        return _cut_in_brackets(text, parent, start, end)
    begin = _line_start(text, start)
    if isinstance(last, str) and text[begin:start].strip() == "-":
        raise Refused(told("not_by_form"))  # the line also begins the item
    return FileEdit(begin, _line_end(text, end), "")


def _cut_in_brackets(text: str, parent: YamlNode, start: int, end: int) -> FileEdit:
    """The edit that removes an entry with the comma after it, or before it."""
    behind = len(text[end : parent.end]) - len(text[end : parent.end].lstrip())
    if text[end + behind : end + behind + 1] == ",":
        stop = end + behind + 1
        return FileEdit(start, stop + (text[stop : stop + 1] == " "), "")
    before = text[parent.start : start].rstrip()
    cut = parent.start + len(before) - before.endswith(",")
    return FileEdit(cut if before.endswith(",") else start, end, "")


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _line_end(text: str, at: int) -> int:
    """The offset after the line on which a value ends."""
    is_behind = at > 0 and text[at - 1] == "\n"
    return at if is_behind else min(line_end(text, at) + 1, len(text))


def _reads_as(text: str, number: int, edit: FileEdit, wanted: Plain) -> bool:
    """Does the edited text parse as wanted, with other items unchanged?"""
    old, new = items_in(text), items_in(edited(text, [edit]))
    meant = [to_data(one) if place != number else wanted for place, one in enumerate(old)]
    return bool(_plain_ends(meant) == _plain_ends([to_data(one) for one in new]))


def _plain_ends(value: Any) -> Any:
    """A value for comparison, with scalar types and without trailing line feeds of strings."""
    if isinstance(value, dict):
        return {key: _plain_ends(one) for key, one in value.items()}
    if isinstance(value, list):
        return [*map(_plain_ends, value)]
    return type(value), value.rstrip("\n") if isinstance(value, str) else value


def _changed(data: Plain, path: Path, *value: Plain) -> Plain:
    """The data with a value replaced at a path, or removed if none."""
    *above, last = path
    changed: Plain = deepcopy(data)
    at: Any = changed
    for step in above:
        at = at[step]
    if not value:
        del at[last]
    elif isinstance(at, list) and last == len(at):
        at.append(value[0])
    else:
        at[last] = value[0]
    return changed
