"""What holds of every input, however broken: it is told in diagnostics, each with a place, at once,
and shown safely.

`Broken` is what an input is found with that breaks such a promise; any other exception breaks the
first of them.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from xml.etree import ElementTree

from ruleloom.compiler.diagnostics.fixes import apply_fixes, fix_of
from ruleloom.compiler.diagnostics.render import RENDERERS
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.source.file import Place, Source
from ruleloom.runtime.program.safe_text import safe_text

SECONDS, MEGABYTES = 2.0, 300
PATIENCE = 20.0
"""Processor seconds after which an input is given up."""
MOST_LINES = 12
SHOWN = 40


class Broken(Exception):
    """An input that breaks a promise of the compiler."""


class Hanging(BaseException):
    """An input took too long; no handler of ordinary exceptions may catch it."""


@contextmanager
def patience(seconds: float = PATIENCE) -> Iterator[None]:
    """Stop what takes longer than so many seconds of the processor's time."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise Hanging(f"still at work after {seconds:.0f} seconds")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def peak() -> float | None:
    """The most memory this process ever held, in MB; None where the system does not say it of one
    process."""
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    return int(status.read_text(encoding="ascii").partition("VmHWM:")[2].split()[0]) / 1024


def hold(promise: bool, words: str) -> None:
    """Break off where a promise is not kept."""
    if not promise:
        raise Broken(words)


def hold_diagnostics(found: Iterable[Diagnostic], texts: Mapping[str, str]) -> None:
    """Hold places, messages, renderings and fixes of diagnostics; `texts` are the files that were
    read."""
    found = tuple(found)
    sources = {path: Source(path, text) for path, text in texts.items()}
    for one in found:
        for place in (one.place, *(note.place for note in one.notes)):
            _hold_place(place, sources.get(place.path), one.code)
        hold(bool(one.message.strip()), f"{one.code} says nothing")
        hold(
            "Error: " not in one.message or "Error: " in "".join(texts.values()),
            f"{one.code} speaks of Python",
        )
    if found:
        _hold_renderings(found[:SHOWN], texts)
        _hold_fixes(found[:SHOWN], texts)


def _hold_place(place: Place, source: Source | None, code: str) -> None:
    hold(min(place.line, place.column) >= 1, f"{code} stands at no place: {place}")
    start, end = (place.line, place.column), (place.end_line, place.end_column)
    hold(start <= end, f"{code} ends before it begins: {place}")
    if source is None:
        return
    for line, column in (start, end):
        hold(line <= len(source.line_starts), f"{code} stands behind the end of its file: {place}")
        hold(
            column <= len(source.line_text(line)) + 1,
            f"{code} stands behind the end of its line: {place}",
        )


def _hold_renderings(found: tuple[Diagnostic, ...], texts: Mapping[str, str]) -> None:
    for form, render in RENDERERS.items():
        shown = render(found, texts, False)
        hold(shown.encode("utf-8", "replace").decode() == shown, f"{form} is no UTF-8")
        unsafe = next((line for line in shown.split("\n") if safe_text(line) != line), None)
        hold(unsafe is None, f"{form} shows what steers a screen: {unsafe!a}")
        if form in ("json", "sarif", "gitlab"):
            json.loads(shown)
        elif form == "junit":
            ElementTree.fromstring(shown)
        elif form == "github":
            hold(
                all(line.startswith(("::error ", "::warning ")) for line in shown.splitlines()),
                "a line is no command",
            )
    for one in found:
        lines = RENDERERS["text"]([one], texts, False).splitlines()
        hold(len(lines) <= MOST_LINES, f"{one.code} takes {len(lines)} lines")


def _hold_fixes(found: tuple[Diagnostic, ...], texts: Mapping[str, str]) -> None:
    fixes = [fix for one in found if (fix := fix_of(one, texts)) is not None]
    for path, text in texts.items():
        apply_fixes(text, [fix for fix in fixes if fix.place.path == path])
