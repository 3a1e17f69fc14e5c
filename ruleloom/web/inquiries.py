"""The lookups of a seat: the text of a card or a rule, the reasons of a value, the log."""

from __future__ import annotations

from ruleloom.output.chronicle import chronicle_of
from ruleloom.output.html import chronicle_html
from ruleloom.table.reasons import why
from ruleloom.table.rules_lookup import read_up
from ruleloom.web.live_table import LOOK, LiveTable
from ruleloom.web.requests import BadInput
from ruleloom.web.seat_view import PageShown, log_pages

LONGEST = 300


def rules_text(table: LiveTable, seat: int, name: str, in_full: bool) -> list[str]:
    """The rules text of a thing: as on its card, or step by step."""
    choices = table.authorised(seat).choices(table.drawing)
    return read_up(table.game, _short(name), choices, in_full, LOOK)


def reasons(table: LiveTable, seat: int, what: str) -> list[str]:
    """The reasons of a value, as far as this seat may know them."""
    return why(table.game, _short(what), seat, LOOK)


def whole_log(table: LiveTable, seat: int) -> list[PageShown]:
    """The log from the beginning, as this seat may read it."""
    return log_pages(table.notes[seat])


def chronicle(table: LiveTable) -> str:
    """The story of the game as a page of its own, for the host: it hides nothing."""
    return chronicle_html(chronicle_of(table.game))


def _short(text: str) -> str:
    if len(text) > LONGEST:
        raise BadInput(f"a name has at most {LONGEST} characters")
    return text
