"""Links as QR codes, for the page and for the terminal."""

from __future__ import annotations

import segno

# A quiet margin, without which cameras do not find a code.
MARGIN = 2


def code_rows(text: str) -> list[str]:
    """The code of a text, row by row: `1` is dark."""
    matrix = segno.make(text, error="m", micro=False).matrix
    return ["".join("1" if dark else "0" for dark in row) for row in matrix]


def terminal_code(text: str) -> str:
    """The code in half blocks, light on dark, two rows in each line."""
    rows = code_rows(text)
    wide = len(rows) + 2 * MARGIN
    empty = "0" * wide
    padded = [empty] * MARGIN + ["0" * MARGIN + row + "0" * MARGIN for row in rows] + [empty] * MARGIN
    padded += [empty] * (len(padded) % 2)
    # Light modules are drawn, so that the code is right on a dark terminal.
    signs = {("0", "0"): "█", ("0", "1"): "▀", ("1", "0"): "▄", ("1", "1"): " "}
    pairs = zip(padded[::2], padded[1::2], strict=True)
    return "\n".join("".join(signs[pair] for pair in zip(*both, strict=True)) for both in pairs)
