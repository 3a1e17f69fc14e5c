"""A terminal that shows lines, and on which lines are typed."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Sequence

from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.table.canvas import WIDTH, Look, wrapped

LEAST_WIDTH, MOST_WIDTH = 40, 120


class Leave(Exception):
    """Somebody leaves, or the input ends."""


class Screen:
    """Shows lines in a look, and reads typed ones."""

    __slots__ = ()
    look: Look

    def show(self, lines: Iterable[str]) -> None:
        """Print escaped lines, perhaps coloured."""
        for line in lines:
            print(line)

    def say(self, lines: Sequence[str]) -> None:
        """Print lines of words, escaped."""
        self.show(map(safe_text, lines))

    def say_wrapped(self, texts: Iterable[str], margin: str = "  ") -> None:
        """Print escaped texts, each in lines that fit."""
        for text in texts:
            self.show(wrapped(safe_text(text), self.look.width, f"{margin}    ", margin))

    def read(self, invitation: str) -> str:
        """A typed line. Raises Leave at the end of input."""
        print(invitation, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            print()
            raise Leave
        if not sys.stdin.isatty():
            print()
        return line.strip()


def look_of(colour: bool, most: int = MOST_WIDTH) -> Look:
    """The look of this terminal: its width, at most so many columns, and arrows if it can print them."""
    width = WIDTH
    if sys.stdout.isatty():
        columns = shutil.get_terminal_size((WIDTH, 24)).columns
        width = max(LEAST_WIDTH, min(columns, most))
    try:
        "↑•".encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return Look(colour, plain=True, width=width)
    return Look(colour, width=width)
