"""Lines of an item that YAML can read but that stand in a wrong place, told by the move that mends it.

A line may stand too far left or right, or in the place of the line beside it, or have lost the line
above it that is its heading. The first move after which the schema allows the item is the slip.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.layout import indent_of
from ruleloom.compiler.yaml.mends import FIELD, OPENS, STEP, TEXT_BELOW, end_of_block, shifted
from ruleloom.compiler.yaml.node import YamlNode, to_data
from ruleloom.compiler.yaml.reader import compose

NAME = "name"
NEXT_ITEM = re.compile(r"- +kind: +(\w+)")
BELOW = 3
"""How many lines of the next item may belong to this one."""
MOST_TRIED = 60
Move = tuple[list[str], int, str, str]
"""The lines as mended, the number of the line to blame, message and help."""


def misplaced(
    item: YamlNode, kind: str, store: SchemaStore, offsets: Iterable[tuple[int, bool]]
) -> Diagnostic | None:
    """Return the slip of a line at or beside one of these offsets of an item, or None.

    With each offset goes whether an unknown field stands there, which is seldom one from further left.
    """
    source = item.source
    top, last = source.line_col(item.start)[0], source.line_col(item.end)[0]
    lines = source.text.split("\n")[top - 1 : last + BELOW]
    wrong = {source.line_col(at)[0] - top: is_unknown for at, is_unknown in offsets}
    near = dict.fromkeys(n + by for n in wrong for by in (0, -1, 1, 2) if 0 <= n + by < len(lines))
    moves = (
        move
        for number in near
        for move in _moves(lines, number, kind, store, wrong.get(number, False))
    )
    for tried, (mended, number, message, help) in enumerate(moves):
        if tried == MOST_TRIED:
            break
        if _passes(mended, kind, store):
            found = FIELD.match(lines[number])
            start, end = found.span("key") if found else (0, 0)
            at = source.line_starts[top + number - 1]
            place = source.place(at + start, at + end)
            return Diagnostic(place, "error", "bad-indentation", message, help)
    return None


def _passes(lines: list[str], kind: str, store: SchemaStore) -> bool:
    report = Report()
    root = compose(Source("", "\n".join(lines)), report)
    items = [] if root is None else root.items or [root]
    return bool(items) and not report.has_errors and store.passes(kind, to_data(items[0]))


def _moves(
    lines: list[str], number: int, kind: str, store: SchemaStore, is_unknown: bool
) -> Iterator[Move]:
    found = FIELD.match(lines[number])
    if found is None:
        return
    key, indent, column = found["key"], indent_of(lines[number]), found.start("key")
    last = end_of_block(lines, number)
    above = next((n for n in range(number - 1, -1, -1) if lines[n].strip()), None)
    if above is not None:
        yield from _exchanged(lines, above, number, store)
        head = FIELD.match(lines[above])
        if head is not None and OPENS.search(lines[above]) and head.start("key") >= column:
            message = f"`{key}` stands beside `{head['key']}`, which has nothing below it"
            by = head.start("key") + STEP - indent
            mended = shifted(lines, number, last, by)
            yield mended, number, message, "indent it by two spaces more"
    owner = next((n for n in range(number - 1, -1, -1) if _column(lines[n]) < column), None)
    named = FIELD.match(lines[owner]) if owner is not None else None
    is_inner = named is not None and column == indent and not is_unknown
    for to in range(indent - STEP, -1, -STEP) if named and is_inner else ():
        message = f"`{key}` does not belong below `{named['key']}`, but further left"
        yield shifted(lines, number, last, to - indent), number, message, "indent it less"
    if named is not None and column == indent:
        for head in (*store.fields(kind), NAME):
            at = indent - STEP
            mended = [*lines[:number], f"{' ' * at}{head}:", *lines[number:]]
            message = f"`{key}` and what follows belong to `{head}`, not to `{named['key']}`"
            help = f"is the line `{head}:` missing above?"
            if head == NAME:
                message = (
                    f"`{key}` would be the name of an entry of `{named['key']}`, not its field"
                )
                help = f"is the line with the name missing above `{key}:`?"
                mended = [
                    *lines[:number],
                    f"{' ' * indent}{NAME}:",
                    *shifted(lines, number, len(lines) - 1, STEP)[number:],
                ]
            yield mended, number, message, help


def _column(line: str) -> int:
    found = FIELD.match(line)
    return found.start("key") if found else len(line) + 1


def _exchanged(lines: list[str], upper: int, lower: int, store: SchemaStore) -> Iterator[Move]:
    """Yield the lines with two of them in each other's place, of which one is a heading or a dash."""
    one, other = FIELD.match(lines[upper]), FIELD.match(lines[lower])
    if one is None or other is None:
        return
    mended = list(lines)
    mended[upper], mended[lower] = lines[lower], lines[upper]
    head, key = one["key"], other["key"]
    next_item = NEXT_ITEM.match(lines[upper])
    if next_item is not None:
        if next_item[1] in store.kinds and key not in store.fields(next_item[1]):
            message = f"`{key}` stands below the dash of the next item"
            yield mended, lower, message, "put it above that dash"
    elif TEXT_BELOW.search(lines[upper]):
        message = f"`{key}` stands between `{head}` and its text"
        yield mended, lower, message, f"move it above `{head}:`, or below the text"
    elif bool(OPENS.search(lines[upper])) != bool(OPENS.search(lines[lower])):
        message = f"`{head}` and `{key}` on the next line are swapped"
        blamed = lower if OPENS.search(lines[upper]) else upper
        yield mended, blamed, message, "exchange the two lines"
