"""`ruleloom test --accept`, and the comparison with what was accepted before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ruleloom.cli.faults import WrongUse
from ruleloom.cli.options import write_output
from ruleloom.cli.test.collect import Batch, Collected, Member, with_needs
from ruleloom.compiler.packs.locate import shown_path
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.output.terminal import paint
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.scenarios.accepted import (
    FILE,
    LOG,
    Acceptance,
    Kept,
    LogBook,
    read,
    texts_of,
    written,
)
from ruleloom.scenarios.coverage import Listener

COLOURS = {"+": "green", "-": "red"}


def log_books(gathered: Collected, listeners: Sequence[Listener], accept: bool) -> list[Listener]:
    """The listeners to the cases of each batch, with a book of logs around each if its pack keeps them."""
    return [
        LogBook(one)
        if batch.member is not None and (accept or _file(batch.member).is_file())
        else one
        for batch, one in zip(gathered.batches, listeners, strict=True)
    ]


def _file(member: Member) -> Path:
    return member.folder.path / FILE


def accepted_of(gathered: Collected, books: Sequence[Listener], accept: bool) -> list[Acceptance]:
    """Keep the present texts and logs, or compare them with those accepted before. Raises WrongUse."""
    return [
        _accepted(gathered, batch, batch.member, book, accept)
        for batch, book in zip(gathered.batches, books, strict=True)
        if isinstance(book, LogBook) and batch.member is not None
    ]


def _accepted(
    gathered: Collected, batch: Batch, member: Member, book: LogBook, accept: bool
) -> Acceptance:
    file, shown = _file(member), shown_path(_file(member))
    before = _before(file, shown, accept)
    named = [one.named for one in with_needs(member, gathered.members)]
    result = compile_paths(named, texts=True, reasons=False, scenarios=False)
    now = dict(book.logs)
    if result.program is not None and result.content is not None:
        now = {**texts_of(result.program, result.content, member.id), **now}
    if not accept:
        return Acceptance.compared(shown, before, now)
    if not file.parent.is_dir():
        raise WrongUse(f"{shown} cannot be written: a pack in a zip keeps nothing")
    # Where only the cases of one file were run, the logs of the others are left as they are.
    assert batch.content is not None
    files = {one for one in batch.content.scenarios if batch.content.files[one][0] == member.id}
    run = {LOG + case.id for case in batch.cases}
    left = {key: lines for key, lines in before.items() if key.startswith(LOG) and key not in run}
    in_part = {case.path for case in batch.cases} < files
    write_output(file, written({**left, **now} if in_part else now))
    return Acceptance(shown, len(now))


def _before(file: Path, shown: str, accept: bool) -> Kept:
    """What was accepted before; nothing where that cannot be read and is written anew."""
    try:
        return read(file)
    except (OSError, ValueError) as error:
        if accept:
            return {}
        help = f"ruleloom test --accept writes it anew: {error}"
        raise WrongUse(f"{shown} cannot be read", help) from None


def acceptance_lines(found: Sequence[Acceptance], colour: bool) -> Iterator[str]:
    """The differences of each pack, or what was kept."""
    for one in found:
        if one.is_kept_now:
            yield f"accepted: {one.kept} texts and logs, in {safe_text(one.file)}"
        for key, lines in one.changed.items():
            yield paint(f"not as accepted: {safe_text(key)}", "bold", on=colour)
            for line in lines:
                style = COLOURS.get(line[:1])
                yield paint(f"  {safe_text(line)}", *([style] if style else []), on=colour)
        if one.changed:
            yield "if it is meant so: ruleloom test --accept"
        if one.new:
            yield f"texts and logs not in {safe_text(one.file)} yet: {len(one.new)}"
