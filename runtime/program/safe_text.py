r"""Makes any text safe to display: characters that could control a screen are spelled out.

Control, bidirectional and invisible characters are written as `\u202e`. The joiners that emoji and Indic
or Persian writing need (ZWJ, ZWNJ) stay. All output calls this as the last step; nothing that stores or
compares text does.
"""

from __future__ import annotations

import unicodedata

JOINERS = "\u200c\u200d"
# Letters by class, yet without a visible glyph.
BLANK_LETTERS = "\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u3164\uffa0"
HIDDEN_CLASSES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
MARKS = frozenset({"Mn", "Me"})
# Real writing stacks three or four marks on a letter; a tower of them paints over its neighbours.
MARKS_IN_A_ROW = 8


def is_hidden(char: str) -> bool:
    """Tell whether *char* would control a screen, or is invisible."""
    if char in JOINERS:
        return False
    return char in BLANK_LETTERS or unicodedata.category(char) in HIDDEN_CLASSES


def spelled(char: str) -> str:
    r"""Return one character as an ASCII escape, such as `\u202e`."""
    number = ord(char)
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"


def safe_text(text: str) -> str:
    """Return *text* with every character that could deceive a reader's screen spelled out."""
    if text.isascii() and text.isprintable():
        return text
    shown: list[str] = []
    marks = 0
    for char in text:
        marks = marks + 1 if unicodedata.category(char) in MARKS else 0
        shown.append(spelled(char) if marks > MARKS_IN_A_ROW or is_hidden(char) else char)
    return "".join(shown)
