"""Edits of values in the text of items, which preserve all else, including comments and order.

Each edit is applied, parsed again and compared with the intended data before it is returned: a value that
does not round-trip is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

from ruleloom.compiler.analysis.yaml_cursor import FileEdit, edited, items_in, line_end
from ruleloom.compiler.yaml.node import Plain, YamlNode, to_data, written
from ruleloom.runtime.program.faults import Refused

Path = Sequence[str | int]
STEP = "  "


class NotEditable(Refused):
    """A value that cannot be changed in place."""

    def __init__(self) -> None:
        super().__init__("this cannot be changed here; change it in the text")


@contextmanager
def _editing() -> Iterator[None]:
    """Refuse a change whose target does not exist."""
    try:
        yield
    except (LookupError, TypeError, ValueError):
        raise NotEditable from None


def set_value(
    text: str, number: int, path: Path, value: Plain, order: Sequence[str] = ()
) -> FileEdit:
    """The edit that sets a value of item `number`. A missing key is added after those that precede
    it in `order`; the index past the end of a list appends to it.

    Raises Refused if the value cannot be written so that it parses as intended.
    """
    with _editing():
        item = items_in(text)[number]
        wanted = changed(to_data(item), path, value)
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
        raise NotEditable
    return found


def remove_value(text: str, number: int, path: Path) -> FileEdit:
    """The edit that removes a field, or a list entry."""
    with _editing():
        item = items_in(text)[number]
        edit = _removal(text, _at(item, path[:-1]), path[-1])
        wanted = changed(to_data(item), path)
    if not _reads_as(text, number, edit, wanted):
        raise NotEditable
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
    yield json.dumps(value, ensure_ascii=False)  # a text such as `3` needs its quotes


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
        raise NotEditable  # the line also begins the item
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


def changed(data: Plain, path: Path, *value: Plain) -> Plain:
    """The data with a value replaced at a path, or removed if none is given."""
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
