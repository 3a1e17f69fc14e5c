"""The sheet of a thing as it is so far, and how each of its numbers comes about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from ruleloom.output.derivation_text import derivation_text, normalised
from ruleloom.runtime.explain.derivation import Reckoning
from ruleloom.runtime.explain.finding import SlotView
from ruleloom.runtime.explain.sheet_pages import Press
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Origin, Sheet, SheetRow, SheetSection
from ruleloom.runtime.program.values import FRACTION, INT, Type, Value
from ruleloom.scenes.boards import Json

NUMBERS = (str(INT), str(FRACTION))
DEPTH, DEEPEST = 2, 8


def live_sheet(sheet: Sheet, press: Press) -> Json | None:
    """A sheet as JSON: a line has a label, a value, a note, a text, and whether its value has numbers to
    explain. None for a sheet that needs a game in play."""
    with suppress(RuntimeFault, TypeError):
        blocks = [_block(section, press) for section in sheet.sections]
        title = press.words(sheet.title, None)
        shown = [one for one in blocks if one["lines"]]
        return {"id": sheet.id, "title": title, "english": sheet.english, "blocks": shown}
    return None


def _block(section: SheetSection, press: Press) -> Json:
    lines = []
    for row, member in _rows(section, press):
        line = press.line(row, member)
        explained = any(not isinstance(part, str) and part[1] in NUMBERS for part in row.value)
        lines.append([line.label, line.value, line.note, line.text, explained])
    return {
        "title": press.words(section.title, None),
        "headings": list(section.headings),
        "tiles": section.tiles,
        "lines": lines,
    }


def _rows(section: SheetSection, press: Press) -> Iterator[tuple[SheetRow, Value]]:
    """The rows of a section that are printed, each with its member."""
    members = press.value(section.domain, None) if section.domain is not None else (None,)
    for member in members:
        for row in section.rows:
            if row.where is None or press.value(row.where, member):
                yield row, member


def line_derivation(
    sheet: Sheet, press: Press, place: tuple[int, int], places: Mapping[str, Origin], depth: int
) -> list[str]:
    """The derivation of the numbers in a line of a sheet, by its place among what is printed; empty for a
    line that is not there."""
    block, line = place
    printed = [(one, rows) for one in sheet.sections if (rows := list(_rows(one, press)))]
    if not (0 <= block < len(printed) and 0 <= line < len(printed[block][1])):
        return []
    section, rows = printed[block]
    row, member = rows[line]
    reckoning = Reckoning(press.linked, press.world, places=places)
    at = SlotView().with_slot(0, Type.parse(sheet.entity), press.number)
    if section.domain is not None:
        at = at.with_slot(1, reckoning.words.element(section.domain, at), member)
    lines: list[str] = []
    for part in row.value:
        if not isinstance(part, str) and part[1] in NUMBERS:
            found = reckoning.single(part[0], at, depth)
            lines += [*([""] if lines else []), *derivation_text(normalised(found), "", False)]
    return lines
