"""Standard output and error, progress, and colour.

Results go to standard output, progress to standard error if that is a terminal. Colour is added as ANSI codes
around text that is escaped.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.system import encoding_of, shows_escapes

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
    """Make the standard streams print any text on any terminal; closed ones use the null device."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, stream)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding=encoding_of(stream), errors="backslashreplace")


def colour_wanted(choice: str) -> bool:
    """Is colour wanted? `choice` is `always`, `never`, or `auto`, which depends on the output."""
    if choice != "auto" or os.environ.get("NO_COLOR"):
        return choice == "always"
    return shows_escapes(sys.stdout) or bool(os.environ.get("FORCE_COLOR"))


def paint(text: str, *styles: str, on: bool = True) -> str:
    """The text in these styles; unchanged if colour is off."""
    if not on or not styles:
        return text
    return f"\x1b[{';'.join(CODES[style] for style in styles)}m{text}\x1b[0m"


def progress(text: str) -> None:
    """Show progress on one terminal line (`""` clears it); silent in pipes and logs."""
    if shows_escapes(sys.stderr):
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


@contextmanager
def progress_bar(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error, hidden in pipes; `step(extra)` counts a step.

    `extra` steps are added to the total first.
    """
    if not sys.stderr.isatty():
        yield lambda _extra: None
        return
    often = max(1, total // 100)
    with click.progressbar(
        length=total, label=what, show_pos=True, file=sys.stderr, update_min_steps=often
    ) as bar:

        def step(extra: int) -> None:
            bar.length = (bar.length or 0) + extra
            bar.update(1)

        yield step


def count_of(number: int, singular: str, plural: str | None = None) -> str:
    """A count: `1 pack`."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def closing_words(found: Sequence[Diagnostic], packs: int, items: int, colour: bool = False) -> str:
    """A check's summary, as one sentence."""
    counts = Counter(one.severity for one in found)
    parts = [count_of(counts[one], one) for one in ("error", "warning", "info") if counts[one]]
    style = "red" if counts["error"] else "yellow" if counts["warning"] else "green"
    told = paint(" and ".join(parts) or "no problems", style, on=colour)
    return f"checked {count_of(packs, 'pack')}, {count_of(items, 'item')}: {told}"


def safe_lines(text: str | Iterable[str]) -> str:
    """A text, or its lines, escaped line by line; line breaks stay."""
    return "\n".join(map(safe_text, text.splitlines() if isinstance(text, str) else text))
