"""A chronicle as Markdown. Nothing that somebody wrote is read as Markdown or HTML."""

from __future__ import annotations

from collections.abc import Iterator

from ruleloom.output.chronicle import Chapter, Chronicle, ChronicleLine, Quote
from ruleloom.output.sheet_markdown import HEADS, plain
from ruleloom.output.standings import Standing


def markdown(chronicle: Chronicle) -> str:
    """The document."""
    return "\n".join(_lines(chronicle)) + "\n"


def _lines(chronicle: Chronicle) -> Iterator[str]:
    yield f"# {plain(chronicle.title)}"
    yield ""
    yield f"*{plain(', '.join(chronicle.players))}*"
    for chapter in chronicle.chapters:
        yield from _chapter(chapter)
    yield from ("", "## The end", "", _begun(chronicle.ending))
    if chronicle.left:
        yield from ("", "## What is left")
    for standing in chronicle.left:
        yield from _standing(standing)


def _chapter(chapter: Chapter) -> Iterator[str]:
    yield from ("", f"## {plain(chapter.title)}", "")
    for number, entry in enumerate(chapter.entries):
        before = chapter.entries[number - 1] if number else None
        if isinstance(before, Quote) != isinstance(entry, Quote) and before is not None:
            yield ""
        yield from _quote(entry, before) if isinstance(entry, Quote) else (_line(entry),)


def _line(line: ChronicleLine) -> str:
    text = _begun(line.text if line.times == 1 else f"{line.text} ({line.times} times)")
    return f"- **{text}**" if line.dice else f"- {text}"


def _quote(quote: Quote, before: ChronicleLine | Quote | None) -> Iterator[str]:
    if isinstance(before, Quote):
        yield ""
    if quote.question:
        yield f"> *{plain(quote.question)}*"
        yield ">"
    yield f"> {_begun(quote.text)}"
    yield ">"
    yield f"> — {plain(quote.who)}"


def _standing(standing: Standing) -> Iterator[str]:
    yield from ("", f"### {plain(standing.title)}", "", f"*{plain(standing.note)}*")
    if standing.lists:
        yield ""
    for title, names in standing.lists:
        yield f"- {plain(title)} ({len(names)}): {plain(', '.join(names))}"


def _begun(text: str) -> str:
    """A text that begins nothing: no list, no heading, no rule."""
    return HEADS.sub(r"\1\\", plain(text))
