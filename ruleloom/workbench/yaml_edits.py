"""Changes of one value in a YAML text that leave everything else as it was written, comments too.

In go the text, the item in it and the path of a value; out comes the stretch to be replaced. Each
change is made, read again and held against what was wanted before it is given: what this module
cannot write is refused, never written wrongly.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from ruleloom.compiler.analysis.yaml_cursor import FileEdit, edited, items_in, line_end
from ruleloom.compiler.yaml.node import Plain, YamlNode, to_data, written
from ruleloom.runtime.program.faults import Refused
from ruleloom.web.pages import told

STEP = "  "

Path = Sequence[str | int]


def set_value(
    text: str, number: int, path: Path, value: Plain, order: Sequence[str] = ()
) -> FileEdit:
    """The edit that sets a value of item `number`. A key that is not there is added, after those
    that come before it in `order`; a position behind the end of a list adds to it.

    Refused where the value cannot be written so that it is read again as it was meant.
    """
    item = _item(text, number)
    wanted = _with(to_data(item), path, value)
    for edit in _ways_to_set(text, item, path, value, order):
        if _reads_as(text, number, edit, wanted):
            return edit
    raise Refused(told("not_by_form"))


def remove_value(text: str, number: int, path: Path) -> FileEdit:
    """The edit that takes a field, or an entry of a list, out."""
    item = _item(text, number)
    parent = _at(item, path[:-1])
    edit = _removal(text, parent, path[-1])
    if not _reads_as(text, number, edit, _without(to_data(item), path)):
        raise Refused(told("not_by_form"))
    return edit


def _item(text: str, number: int) -> YamlNode:
    items = items_in(text)
    if not 0 <= number < len(items):
        raise Refused(told("not_by_form"))
    return items[number]


def _at(node: YamlNode, path: Path) -> YamlNode:
    for step in path:
        found = node.items[step : step + 1] if isinstance(step, int) else [node.get(step)]
        if not found or found[0] is None:
            raise Refused(told("not_by_form"))
        node = found[0]
    return node


# ---------------------------------------------------------------------------------- ways to write


def _ways_to_set(
    text: str, item: YamlNode, path: Path, value: Plain, order: Sequence[str]
) -> Iterator[FileEdit]:
    """Edits that may set the value, the plainest first."""
    parent, last = _at(item, path[:-1]), path[-1]
    there = parent.entries.get(last) if isinstance(last, str) else None
    if isinstance(last, int) and last < len(parent.items):
        there = parent.items[last]
    if there is not None:
        margin = _margin(text, _line_start(text, _begin(parent, last, there)))
        for one in _written(value, margin, there.style):
            lead = (
                " "
                if there.start == there.end and text[there.start - 1 : there.start] == ":"
                else ""
            )
            yield FileEdit(there.start, there.end, f"{lead}{one}")
    elif parent.style in ("{", "["):
        yield from _added_in_brackets(text, parent, last, value)
    else:
        yield from _added_line(text, parent, last, value, order)


def _begin(parent: YamlNode, last: str | int, there: YamlNode) -> int:
    """The start of a value with its key; in a list, of the value alone."""
    return (parent.key_spans or {})[last][0] if isinstance(last, str) else there.start


def _written(value: Plain, margin: str, style: str | None) -> Iterator[str]:
    """The ways to write a value behind its key."""
    if isinstance(value, str) and ("\n" in value or style in ("|", ">")):
        lines = value.rstrip("\n").split("\n")
        yield "|\n" + "\n".join(f"{margin}{STEP}{line}".rstrip() for line in lines)
    if isinstance(value, str) and style in ("'", '"'):
        yield json.dumps(value, ensure_ascii=False)
    yield str(value).lower() if isinstance(value, bool) else written(value)
    if isinstance(value, str):
        yield json.dumps(value, ensure_ascii=False)


def _added_in_brackets(
    text: str, parent: YamlNode, last: str | int, value: Plain
) -> Iterator[FileEdit]:
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
    """A new line for a key or an entry, behind the one that it follows."""
    if not (parent.items if isinstance(last, int) else parent.entries):
        return
    if isinstance(last, int):
        before = parent.items[-1]
        margin = _dash_margin(text, before.start)
        head = f"{margin}- "
    else:
        before = parent.entries[_earlier_key(parent, last, order)]
        first = next(iter(parent.entries))
        margin = " " * (parent.key_place(first).column - 1)
        head = f"{margin}{last}: "
    at = _line_end(text, before.end)
    lead = "\n" if at == len(text) and not text.endswith("\n") else ""
    for one in _written(value, margin, None):
        yield FileEdit(at, at, f"{lead}{head}{one}\n")


def _earlier_key(parent: YamlNode, key: str, order: Sequence[str]) -> str:
    """The key that a new one follows: the last of those before it in order, else the last."""
    known = list(parent.entries)
    place = order.index(key) if key in order else len(order)
    earlier = [one for one in known if one in order and order.index(one) < place]
    return earlier[-1] if earlier else known[-1]


def _removal(text: str, parent: YamlNode, last: str | int) -> FileEdit:
    if isinstance(last, str):
        if last not in parent.entries:
            raise Refused(told("not_by_form"))
        start, end = (parent.key_spans or {})[last][0], parent.entries[last].end
    else:
        node = _at(parent, (last,))
        start, end = node.start, node.end
    if parent.style in ("{", "["):
        return _cut_in_brackets(text, parent, start, end)
    begin = _line_start(text, start)
    if isinstance(last, str) and text[begin:start].strip() == "-":
        raise Refused(told("not_by_form"))  # the line also begins the item
    return FileEdit(begin, _line_end(text, end), "")


def _cut_in_brackets(text: str, parent: YamlNode, start: int, end: int) -> FileEdit:
    """Take an entry out with the comma behind it, or else with the one before it."""
    behind = len(text[end : parent.end]) - len(text[end : parent.end].lstrip())
    if text[end + behind : end + behind + 1] == ",":
        stop = end + behind + 1
        return FileEdit(start, stop + (text[stop : stop + 1] == " "), "")
    before = text[parent.start : start].rstrip()
    cut = parent.start + len(before) - before.endswith(",")
    return FileEdit(cut if before.endswith(",") else start, end, "")


# ---------------------------------------------------------------------------------- lines


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _line_end(text: str, at: int) -> int:
    """Behind the end of the line on which a value ends."""
    if at > 0 and text[at - 1] == "\n":
        return at
    return min(line_end(text, at) + 1, len(text))


def _margin(text: str, start: int) -> str:
    """The white space that begins a line; a dash of a list counts as such."""
    line = text[start:].partition("\n")[0]
    return " " * (len(line) - len(line.lstrip(" -")) if line.strip() != "-" else len(line))


def _dash_margin(text: str, at: int) -> str:
    start = _line_start(text, at)
    dash = text.rfind("-", start, at)
    return " " * (dash - start if dash >= 0 else at - start)


# ---------------------------------------------------------------------------------- is it right?


def _reads_as(text: str, number: int, edit: FileEdit, wanted: Plain) -> bool:
    """Is the edited text what was wanted, and all other items what they were?"""
    old, new = items_in(text), items_in(edited(text, [edit]))
    if len(old) != len(new):
        return False
    meant = [to_data(one) if place != number else wanted for place, one in enumerate(old)]
    return _same(meant, [to_data(one) for one in new])


def _same(one: Plain, other: Plain) -> bool:
    """Are two values the same, but for the line end of a text of several lines?"""
    if isinstance(one, dict) and isinstance(other, dict):
        return sorted(one) == sorted(other) and all(_same(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, str) and isinstance(other, str):
        return one.rstrip("\n") == other.rstrip("\n")
    return type(one) is type(other) and one == other


def _with(data: Plain, path: Path, value: Plain) -> Plain:
    """The data with another value at a path."""
    step, rest = path[0], path[1:]
    if isinstance(data, dict) and isinstance(step, str) and (step in data or not rest):
        inner = _with(data[step], rest, value) if rest else value
        return {**data, step: inner}
    if isinstance(data, list) and isinstance(step, int) and step <= len(data):
        if step == len(data):
            return [*data, value]
        return [*data[:step], _with(data[step], rest, value) if rest else value, *data[step + 1 :]]
    raise Refused(told("not_by_form"))


def _without(data: Plain, path: Path) -> Plain:
    step, rest = path[0], path[1:]
    if isinstance(data, dict) and isinstance(step, str) and step in data:
        if rest:
            return {**data, step: _without(data[step], rest)}
        return {key: one for key, one in data.items() if key != step}
    if isinstance(data, list) and isinstance(step, int) and step < len(data):
        inner = [_without(data[step], rest)] if rest else []
        return [*data[:step], *inner, *data[step + 1 :]]
    raise Refused(told("not_by_form"))
