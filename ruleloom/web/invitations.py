"""Invitations: the link to a seat, and its code for a phone."""

from __future__ import annotations

from typing import NamedTuple

import segno

from ruleloom.web.pages import told
from ruleloom.web.requests import BadInput
from ruleloom.web.seating import SPECTATOR, hash_of, new_token
from ruleloom.web.table_store import KeptTable, TableStore

# A quiet margin, without which cameras do not find a code.
MARGIN = 2


class Invitation(NamedTuple):
    """A new token for a seat, and the links with it, the one for this machine first."""

    token: str
    links: tuple[str, ...]


def invite(store: TableStore, urls: tuple[str, ...], table: KeptTable, seat: int) -> Invitation:
    """Invite somebody to a seat; those who were invited before keep theirs.

    What stands behind `#` in a link is never sent, and is in no log.
    """
    if seat != SPECTATOR and not any(one.number == seat for one in table.seats):
        raise BadInput(told("bad_field", name="seat"))
    token = new_token()
    store.add_token(hash_of(token), table.id, seat)
    return Invitation(token, tuple(f"{url}/t/{table.id}#{token}" for url in urls))


def code_rows(text: str) -> list[str]:
    """The code of a text, row by row: `1` is dark."""
    matrix = segno.make(text, error="m", micro=False).matrix
    return ["".join("1" if dark else "0" for dark in row) for row in matrix]


def terminal_code(text: str) -> str:
    """The code in half blocks, light on dark, two rows in each line."""
    rows = code_rows(text)
    empty = ["0" * (len(rows) + 2 * MARGIN)] * MARGIN
    side = "0" * MARGIN
    padded = [*empty, *(f"{side}{row}{side}" for row in rows), *empty]
    padded += empty[:1] * (len(padded) % 2)
    # Light modules are drawn, so that the code is right on a dark terminal.
    signs = {("0", "0"): "█", ("0", "1"): "▀", ("1", "0"): "▄", ("1", "1"): " "}
    pairs = zip(padded[::2], padded[1::2], strict=True)
    return "\n".join("".join(signs[pair] for pair in zip(*both, strict=True)) for both in pairs)
