"""Standard output and error, progress, and colour.

Results go to standard output. Progress goes to standard error, and only when a person is watching.
Colour is a few ANSI codes around text that is safe already.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

import click

from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.runtime.program.safe_text import safe_text

CODES = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "magenta": "35",
    "cyan": "36",
}


def prepare() -> None:
    """Make standard output and error able to write any text, on any terminal.

    A stream that was closed before we came leads nowhere: reading ends at once, writing is lost.
    """
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def colour_wanted(choice: str, stream: TextIO | None = None) -> bool:
    """Is colour to be used? `choice` is always, never, or auto, as the terminal has it."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    stream = stream if stream is not None else sys.stdout
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def paint(text: str, *styles: str, on: bool = True) -> str:
    """The text in these styles; as it is where colour is off."""
    if not on or not styles:
        return text
    return f"\x1b[{';'.join(CODES[style] for style in styles)}m{text}\x1b[0m"


def progress(text: str) -> None:
    """Tell somebody who watches how far we are; silent in pipes and logs."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def progress_done() -> None:
    """Wipe the line that `progress` wrote."""
    progress("")


class Steps:
    """A progress bar on standard error; nothing where nobody watches."""

    def __init__(self, what: str, total: int) -> None:
        self._bar = None
        if sys.stderr.isatty():
            often = max(1, total // 100)
            self._bar = click.progressbar(
                length=total, label=what, show_pos=True, file=sys.stderr, update_min_steps=often
            )

    def __enter__(self) -> Steps:
        if self._bar is not None:
            self._bar.__enter__()
        return self

    def __exit__(self, *problem: Any) -> None:
        if self._bar is not None:
            self._bar.__exit__(*problem)

    def done(self) -> None:
        """One step is done."""
        if self._bar is not None:
            self._bar.update(1)

    def more(self) -> None:
        """One step is done that nobody had counted."""
        if self._bar is not None:
            self._bar.length = (self._bar.length or 0) + 1
            self._bar.update(1)


def count_of(number: int, singular: str, plural: str | None = None) -> str:
    """`1 pack`, `2 packs`."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def closing_words(found: Sequence[Diagnostic], packs: int, items: int, colour: bool = False) -> str:
    """What was checked and what was found, as a sentence."""
    errors = sum(one.severity == "error" for one in found)
    warnings = len(found) - errors
    checked = f"checked {count_of(packs, 'pack')}, {count_of(items, 'item')}"
    if not errors and not warnings:
        return f"{checked}: {paint('no problems', 'green', on=colour)}"
    parts = [count_of(errors, "error")] if errors else []
    parts += [count_of(warnings, "warning")] if warnings else []
    return f"{checked}: {paint(' and '.join(parts), 'red' if errors else 'yellow', on=colour)}"


def safe_lines(text: str) -> str:
    """A text without what could deceive the eye; line ends stay."""
    return "\n".join(safe_text(line) for line in text.splitlines())
