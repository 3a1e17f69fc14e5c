"""What is printed about a thing: a sheet, its sections and their rows, as plain frozen data.

The thing stands in slot 0, what a section goes through in slot 1.
`ruleloom.runtime.explain.sheet_pages` works the texts out; like `ruleloom.runtime.program.ir` this
is part of the format and is to be imported from `ruleloom.runtime.program.program`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ruleloom.runtime.program.ir import Expr, Origin, Template


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One line: what it is about, its value and a note, if `where` holds or is none.

    `texts` are expressions with their types: things, of which the items' own texts are shown, or
    texts. `blank` leaves room to write in what changes.
    """

    label: Template
    value: Template
    note: Template
    texts: tuple[tuple[Expr, str], ...]
    where: Expr | None
    blank: bool


@dataclass(frozen=True, slots=True)
class SheetSection:
    """Rows under a title; once for each of `domain`, where there is one. `tiles` are boxes side by
    side.

    `headings` are those of label, value and note; a section without headings has none of the three.
    """

    title: Template
    headings: tuple[str, ...]
    tiles: bool
    domain: Expr | None
    rows: tuple[SheetRow, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is printed about each `entity`: a title, and sections of which those without a line are
    left out."""

    id: str
    entity: str
    title: Template
    english: str
    sections: tuple[SheetSection, ...]
    origin: Origin
