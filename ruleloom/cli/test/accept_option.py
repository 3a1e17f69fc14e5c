"""`ruleloom test --accept`, and the comparison with what was accepted before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ruleloom.cli.faults import WrongUse
from ruleloom.cli.options import write_output
from ruleloom.cli.test.collect import Batch, Collected, with_needs
from ruleloom.cli.test.reports import coverage_lines
from ruleloom.compiler.packs.locate import shown_path
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.output.terminal import paint
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.scenarios.accepted import (
    FILE,
    Kept,
    LogBook,
    ToAccept,
    compared,
    read,
    texts_of,
    written,
)
from ruleloom.scenarios.coverage.coverage import Coverage
from ruleloom.scenarios.coverage.watch import Listener

COLOURS = {"+": "green", "-": "red"}


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The texts and logs accepted for a pack; `comparison` is with those kept before."""

    shown: str
    kept: int
    comparison: ToAccept | None


def log_books(gathered: Collected, listeners: Sequence[Listener], accept: bool) -> list[Listener]:
    """The listeners to the cases of each batch, with a book of logs around each if its pack keeps them."""
    return [
        LogBook(one) if batch.member is not None and (accept or _file(batch).is_file()) else one
        for batch, one in zip(gathered.batches, listeners, strict=True)
    ]


def _file(batch: Batch) -> Path:
    assert batch.member is not None
    return batch.member.folder.path / FILE


def accepted_of(gathered: Collected, books: Sequence[Listener], accept: bool) -> list[Acceptance]:
    """Keep the present texts and logs, or compare them with those accepted before. Raises WrongUse."""
    found = []
    for batch, book in zip(gathered.batches, books, strict=True):
        if isinstance(book, LogBook):
            found.append(_accepted(gathered, batch, book, accept))
    return found


def _accepted(gathered: Collected, batch: Batch, book: LogBook, accept: bool) -> Acceptance:
    file, shown = _file(batch), shown_path(_file(batch))
    try:
        before = read(file)
    except (OSError, ValueError) as error:
        if not accept:
            help = f"ruleloom test --accept writes it anew: {error}"
            raise WrongUse(f"{shown} cannot be read", help) from None
        before = None
    now = {**_texts(gathered, batch), **book.logs}
    if not accept:
        return Acceptance(shown, len(before or {}), compared(before or {}, now))
    if not file.parent.is_dir():
        raise WrongUse(f"{shown} cannot be written: a pack in a zip keeps nothing")
    run = {case.id for case in batch.cases}
    others = {key: lines for key, lines in (before or {}).items() if key.startswith("log ")}
    left = {key: lines for key, lines in others.items() if key.partition(" ")[2] not in run}
    write_output(file, written({**left, **now} if _ran_in_part(batch) else now))
    return Acceptance(shown, len(now), None)


def _ran_in_part(batch: Batch) -> bool:
    """Were only the cases of one file run?"""
    assert batch.content is not None
    assert batch.member is not None
    files = {
        name for name in batch.content.scenarios if batch.content.files[name][0] == batch.member.id
    }
    return {case.path for case in batch.cases} < files


def _texts(gathered: Collected, batch: Batch) -> Kept:
    assert batch.member is not None
    named = [one.named for one in with_needs(batch.member, gathered.members)]
    result = compile_paths(named, texts=True, reasons=False, scenarios=False)
    if result.program is None or result.content is None:
        return {}
    return texts_of(result.program, result.content, batch.member.id)


def acceptance_lines(found: Sequence[Acceptance], colour: bool) -> Iterator[str]:
    """The differences of each pack, or what was kept."""
    for one in found:
        if one.comparison is None:
            yield f"accepted: {one.kept} texts and logs, in {safe_text(one.shown)}"
            continue
        for key, lines in one.comparison.changed.items():
            yield paint(f"not as accepted: {safe_text(key)}", "bold", on=colour)
            for line in lines:
                style = COLOURS.get(line[:1])
                yield paint(f"  {safe_text(line)}", *([style] if style else []), on=colour)
        if one.comparison.changed:
            yield "if it is meant so: ruleloom test --accept"
        if one.comparison.new:
            number = len(one.comparison.new)
            yield f"texts and logs not in {safe_text(one.shown)} yet: {number}"


def acceptance_json(found: Sequence[Acceptance]) -> list[dict[str, Any]]:
    """The same for JSON."""
    return [
        {
            "file": one.shown,
            "kept": one.kept,
            "changed": {key: list(lines) for key, lines in one.comparison.changed.items()}
            if one.comparison is not None
            else {},
            "new": list(one.comparison.new) if one.comparison is not None else [],
        }
        for one in found
    ]


def is_as_accepted(found: Sequence[Acceptance]) -> bool:
    """Are all texts and logs as they were accepted?"""
    return not any(one.comparison is not None and one.comparison.changed for one in found)


@dataclass(frozen=True, slots=True)
class Besides:
    """The coverage of each pack, if somebody asked, and its comparison with what was accepted."""

    covered: tuple[Coverage, ...]
    accepted: tuple[Acceptance, ...]

    @property
    def are_good(self) -> bool:
        """Is there enough coverage, and all as it was accepted?"""
        return all(one.is_enough for one in self.covered) and is_as_accepted(self.accepted)

    def lines(self, colour: bool) -> Iterator[str]:
        """Both as text."""
        yield from coverage_lines(self.covered, colour)
        yield from acceptance_lines(self.accepted, colour)

    def to_json(self) -> dict[str, Any]:
        """Both as JSON; nothing of what was not asked for."""
        shares = {"coverage": [one.to_json() for one in self.covered]} if self.covered else {}
        return shares | ({"accepted": acceptance_json(self.accepted)} if self.accepted else {})
