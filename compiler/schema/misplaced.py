"""Lines of an item that YAML can read but that stand in a wrong place, told by the move that mends it.

A line may stand too far left or right, or in the place of the line beside it, or have lost the line
above it that is its heading. The first move after which the schema allows the item is the slip.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.mends import (
    FIELD,
    OPENS,
    STEP,
    Page,
    Slip,
    end_of_block,
    exchanged,
    shifted,
)
from ruleloom.compiler.yaml.node import YamlNode, to_data
from ruleloom.compiler.yaml.reader import compose

NAME = "name"
NEXT_ITEM = re.compile(r"- +kind: +(?P<kind>\w+)")
BELOW = 3
"""How many lines of the next item may belong to this one."""
MOST_TRIED, MOST_READ = 100, 2_000_000


def misplaced(
    item: YamlNode, kind: str, store: SchemaStore, offsets: Mapping[int, bool]
) -> Diagnostic | None:
    """Return the slip of a line at or beside one of these offsets of an item, or None.

    With each offset goes whether an unknown field stands there, which is seldom one from further left.
    """
    source = item.source
    top, last = (source.line_col(at)[0] - 1 for at in (item.start, item.end))
    page = Page(source.text, top, last + 1 + BELOW, top, top)
    wrong = {source.line_col(at)[0] - 1 - top: is_unknown for at, is_unknown in offsets.items()}
    near = dict.fromkeys(
        n + by for n in wrong for by in (0, -1, 1, 2) if n + by in range(len(page.lines))
    )
    slips = (slip for n in near for slip in _slips(page, n, item, kind, store, wrong.get(n, False)))
    most = MOST_READ // (item.end - item.start + 1)
    for slip in islice(slips, min(most, MOST_TRIED)):
        if _passes(slip.lines, kind, store):
            fault = slip.fault
            word = FIELD.match(source.text[fault.start :])
            place = source.place(fault.start, fault.start + (word.end("key") if word else 1))
            return Diagnostic(place, "error", fault.code, fault.message, fault.help)
    return None


def _passes(lines: list[str], kind: str, store: SchemaStore) -> bool:
    report = Report()
    root = compose(Source("", "\n".join(lines)), report)
    items = [] if root is None else root.items or [root]
    return bool(items) and not report.has_errors and store.passes(kind, to_data(items[0]))


def _slips(
    page: Page, number: int, item: YamlNode, kind: str, store: SchemaStore, is_unknown: bool
) -> Iterator[Slip]:
    """Yield the moves of a line that begins with a field."""
    found = FIELD.match(page.lines[number])
    if found is None:
        return
    above = next(page.said(number, -1), None)
    if above is not None:
        yield from _from_next(page, above, number, store)
        yield from exchanged(page, above, number)
        yield from _to_the_right(page, above, number)
    column = found.start("key")
    fields = ((n, FIELD.match(page.lines[n])) for n in page.said(number, -1))
    owner = next((one["key"] for _, one in fields if one and one.start("key") < column), None)
    if owner is None or found.string.lstrip().startswith("-"):
        return
    last = end_of_block(page.lines, number)
    words = {"key": found["key"], "head": owner}
    for to in range(column - STEP, -1, -STEP) if not is_unknown else ():
        left = shifted(page.lines, number, last, to - column)
        yield Slip(page.fault("bad-indentation left", number, column, **words), left)
    lines, outer = page.lines, " " * (column - STEP)
    lacking = (name for name in store.fields(kind) if name not in item.entries)
    for lost in lacking:
        below = [*lines[:number], f"{outer}{lost}:", *lines[number:]]
        yield Slip(page.fault("bad-indentation head", number, column, lost=lost, **words), below)
    inner = shifted(lines, number, len(lines) - 1, STEP)[number:]
    below = [*lines[:number], f"{outer}  {NAME}:", *inner]
    yield Slip(page.fault("bad-indentation name", number, column, **words), below)


def _to_the_right(page: Page, above: int, number: int) -> Iterator[Slip]:
    """Yield a line and those below it moved below the empty heading above it."""
    head, found = FIELD.match(page.lines[above]), FIELD.match(page.lines[number])
    if head and found and OPENS.search(head.string) and head.start("key") >= found.start("key"):
        by = head.start("key") + STEP - found.start("key")
        lines = shifted(page.lines, number, end_of_block(page.lines, number), by)
        words = {"key": found["key"], "head": head["key"]}
        yield Slip(page.fault("bad-indentation right", number, found.start("key"), **words), lines)


def _from_next(page: Page, upper: int, lower: int, store: SchemaStore) -> Iterator[Slip]:
    """Yield the first field of the next item, which cannot have it, above the dash of that item."""
    dash, found = NEXT_ITEM.match(page.lines[upper]), FIELD.match(page.lines[lower])
    if not (upper and dash and found and dash["kind"] in store.kinds):
        return
    if found["key"] not in store.fields(dash["kind"]):
        lines = page.with_line(upper, page.lines[lower])
        lines[lower] = page.lines[upper]
        at, key = found.start("key"), found["key"]
        yield Slip(page.fault("bad-indentation next", lower, at, key=key), lines)
