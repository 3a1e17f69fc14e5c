"""The panel of a record in the making that is open at a terminal: which one it is, and what it shows."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from ruleloom.building.building import Building
from ruleloom.building.choices import (
    ENTRIES,
    LISTS,
    NUMBER,
    RULES,
    SEVERAL,
    WORDS,
    Heading,
    OpenChoice,
)
from ruleloom.building.offers import Offers, PricedOffer, offers
from ruleloom.building.told import change_lines
from ruleloom.cli.build.build_loop import BuildLoop, found_in_lists
from ruleloom.cli.build.panel_lines import (
    SIDE,
    WIDE,
    PanelRow,
    beside,
    findings_shown,
    label_width,
    number_lines,
    offer_lines,
    price_text,
    row_lines,
    row_of_choice,
    row_of_heading,
    sheet_lines,
    total_line,
)
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.table.canvas import Look, wrapped
from ruleloom.table.numbered_list import MARGIN

MOST_APPRAISED = 150
"""Of a longer list the first are appraised; a word narrows it."""
AROUND, LEAST_PAGE = 12, 8
"""The lines around a page of offers, and the least that it has."""
PanelKey = tuple[Building, str, str, str]


class OpenPanel(BuildLoop):
    """The sheet, a heading, or a choice `at` a place, with what was sought there and what is marked."""

    def __init__(self, building: Building, file: str, look: Look) -> None:
        super().__init__(building, file, look)
        self.at, self.heading, self.sought, self.page = "", "", "", 0
        self.marked: PricedOffer | None = None
        self._numbered: Sequence[PanelRow | PricedOffer] | None = None
        self._panel: tuple[PanelKey, tuple[list[PanelRow], Offers]] | None = None

    # ------------------------------------------------------------------ where one is

    @property
    def choice(self) -> OpenChoice | None:
        """The choice that is open; after an undo it may be gone."""
        try:
            return self.building.choice_at(self.at) if self.at else None
        except Refused:
            return None

    @property
    def rows(self) -> list[PanelRow]:
        """The numbered rows of this panel."""
        return self._shown()[0]

    @property
    def found(self) -> Offers:
        """What may be put here: of a list what is not there yet."""
        return self._shown()[1]

    def _shown(self) -> tuple[list[PanelRow], Offers]:
        """The rows and offers of this panel, appraised once for each state of the record."""
        key = (self.building, self.at, self.heading, self.sought)
        if self._panel is None or self._panel[0] != key:
            self._panel = key, (self._rows(), self._offers())
        return self._panel[1]

    def _rows(self) -> list[PanelRow]:
        choice = self.choice
        if choice is not None:
            return [row_of_choice(self.building, one) for one in choice.choices]
        for one in self.building.choices:
            if one.title == self.heading:
                return [row_of_choice(self.building, each) for each in one.choices]
        return [row_of_heading(self.building, one) for one in self.building.choices]

    def _offers(self) -> Offers:
        choice = self.choice
        if choice is None:
            return found_in_lists(self.building, self.sought)
        found_here = offers(self.building, self.at, self.sought, most=MOST_APPRAISED)
        if choice.sort not in LISTS:
            return found_here
        rows = {one.at for one in choice.choices}
        new = (x for x in found_here.offers if not x.there and f"{choice.at}.{x.value}" not in rows)
        return Offers(tuple(new), found_here.more, found_here.tags)

    def open(self, what: OpenChoice | Heading | None) -> None:
        """Show another panel; without one, the sheet."""
        self.at = what.at if isinstance(what, OpenChoice) else ""
        self.heading = what.title if isinstance(what, Heading) else self.heading if what else ""
        self.redraw()

    def redraw(self) -> None:
        """Show this panel from its beginning."""
        self.sought, self.page, self.marked, self._numbered = "", 0, None, None

    def go_up(self) -> None:
        """Go to the panel around this one."""
        above = self.at.rpartition(".")[0]
        heading = next((x for x in self.building.choices if x.title == self.heading), None)
        self.open(self.building.choice_at(above) if above else heading if self.at else None)

    def open_next(self) -> None:
        rows = [row_of_heading(self.building, one).opens for one in self.building.choices]
        names = [one.at if isinstance(one, OpenChoice) else one.title for one in rows]
        now = self.at or self.heading
        after = names.index(now) + 1 if now in names else 0
        self.heading = ""
        self.open(rows[after] if after < len(rows) else None)

    # ------------------------------------------------------------------ what is shown

    def begin(self) -> None:
        """Say how to get help."""
        self.say_wrapped(
            ["A number or name opens a heading, Enter the next; `help` says more."], ""
        )

    def ask(self) -> str:
        """Show the panel, if it has changed, with the price below, and read a line."""
        while self.at and self.choice is None:
            self.at = self.at.rpartition(".")[0]
        if self._numbered is None:
            self.show(["", *self.panel()])
            self._numbered = self.numbered
        self.show(total_line(self.building, self.look))
        return self.read(f"{self.at or self.heading or self.building.id}> ")

    def panel(self) -> list[str]:
        """The lines of this panel."""
        choice, rows, look = self.choice, self.rows, self.look
        if choice is None and not self.heading and not self.sought:
            return self.sheet_panel(rows)
        title = choice.label if choice is not None else self.heading or self.building.title
        lines = [look.paint(title, "bold")]
        if choice is not None and choice.help:
            lines += self._wrapped(choice.help)
        if choice is not None and choice.sort == SEVERAL and choice.value:
            lines += self._wrapped(row_of_choice(self.building, choice).words)
        if not (choice is None and self.sought):
            lines += row_lines(rows, look, look.width, label_width(rows, self.legal))
        return [*lines, *self.offers_panel(choice, rows)]

    def sheet_panel(self, rows: Sequence[PanelRow]) -> list[str]:
        """The headings with their prices, beside the sheet if there is room, and what is wrong."""
        look, width = self.look, self.look.width
        is_wide = width >= WIDE and bool(self.building.sheets)
        room = width - SIDE - 3 if is_wide else width
        lines = [
            look.paint(self.building.title, "bold"),
            *row_lines(rows, look, room, label_width(rows)),
        ]
        if is_wide:
            numbers = [*sheet_lines(self.building.sheets, look, SIDE)]
            most = max(len(lines), self._page_size())
            more = [look.paint("  `sheet` shows all of it", "dim")] if len(numbers) > most else []
            lines = beside(lines, room + 3, [*numbers[: most - len(more)], *more])
        return [*lines, *findings_shown(self.building.findings, look)]

    def _offers_of_page(self, choice: OpenChoice | None, rows: Sequence[PanelRow]) -> list[str]:
        legal, size = self.legal, self._page_size()
        first = self.page * size
        shown = legal[first : first + size]
        begin = (0 if choice is None else len(rows)) + first + 1
        width = label_width(rows, legal)
        lines = offer_lines(shown, begin, self.look, width, choice is None)
        left = len(legal) - first - len(shown)
        if left or first:
            lines += self._wrapped(f"`more` shows {left or 'the first'} more", "dim")
        return lines

    def offers_panel(self, choice: OpenChoice | None, rows: Sequence[PanelRow]) -> list[str]:
        """What may be put here, page by page; what is refused is folded."""
        look, found, legal = self.look, self.found, self.legal
        if choice is not None and takes_text(choice):
            return self._wrapped("What you type is put here.", "dim")
        if choice is not None and choice.sort == RULES:
            return self._wrapped("This is changed in the text of the file.", "dim")
        if choice is not None and choice.sort == NUMBER:
            lines = number_lines(legal, look)
        else:
            lines = self._offers_of_page(choice, rows)
        refused = len(found.offers) - len(legal)
        if refused:
            lines += self._wrapped(f"{refused} not on offer: `why not` says why", "dim")
        if found.more:
            lines += self._wrapped(f"{found.more} more: type a word of what you look for", "dim")
        if self.sought:
            seen = f"with `{self.sought}`; `look` shows all again"
            lines = [*self._wrapped(seen, "dim"), *lines]
        return [*lines, *(self.marked_lines(self.marked) if self.marked is not None else ())]

    @property
    def numbered(self) -> Sequence[PanelRow | PricedOffer]:
        """What the numbers of this panel mean: as it was drawn, until another is."""
        if self._numbered is not None:
            return self._numbered
        is_search = self.choice is None and self.sought
        return [*(() if is_search else self.rows), *self.legal]

    @property
    def legal(self) -> list[PricedOffer]:
        """The offers that may be taken."""
        return [one for one in self.found.offers if one.legal]

    def marked_lines(self, one: PricedOffer) -> list[str]:
        """What the marked offer says, and each number before and after it."""
        price = price_text(one.cost, True)
        lines = [self.look.paint(f"> {one.label}{f'  {price}' if price else ''}", "bold")]
        lines += self._wrapped(one.text) if one.text else []
        for line in change_lines(self.building.changes(one.say)):
            lines += self._wrapped(line)
        if not one.legal:
            lines += findings_shown(one.reasons, self.look)
        return [*lines, *self._wrapped("Enter takes it.", "dim")]

    def _wrapped(self, text: str, *styles: str) -> list[str]:
        told = safe_text(" ".join(text.split()))
        parts = wrapped(told, self.look.width, MARGIN, MARGIN)
        return [self.look.paint(part, *styles) for part in parts]

    def _page_size(self) -> int:
        return max(LEAST_PAGE, shutil.get_terminal_size().lines - AROUND)


def takes_text(choice: OpenChoice) -> bool:
    """Is what is typed at a choice a text of one's own?"""
    if choice.sort == WORDS:
        return True
    is_free = not (choice.of or choice.key or choice.options or choice.choices)
    return choice.sort in (SEVERAL, ENTRIES) and is_free
