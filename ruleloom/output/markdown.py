"""Sheets and chronicles as Markdown, for a wiki or a chat.

Nothing that a pack or a player says is read as Markdown or HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ruleloom.output.chronicle import Chapter, Chronicle, ChronicleLine, Quote
from ruleloom.output.standings import Standing
from ruleloom.runtime.explain.sheet_pages import Block, SheetLine, SheetPage
from ruleloom.runtime.program.safe_text import safe_text

# What begins something, wherever it stands. `:` and `@` because addresses become links by
# themselves.
SIGNS = re.compile(r"[\\`*_{}\[\]<>|~$^:@&]")
# What a line must not begin with: there it would begin a list, a heading or a rule.
HEADS = re.compile(r"^(\d+(?=[.)])|(?=[#+=-]))")
BLANK = "☐"


def sheet_markdown(pages: Sequence[SheetPage]) -> str:
    """The pages, one below the other, with a rule between them."""
    return "\n---\n\n".join("\n".join(_page(page)) + "\n" for page in pages)


def plain(text: str) -> str:
    """A text on one line that is shown as it is."""
    line = " ".join(" ".join(safe_text(part) for part in text.splitlines()).split())
    return SIGNS.sub(lambda sign: f"\\{sign[0]}", line.replace("www.", "www\0.")).replace(
        "\0", "\\"
    )


def _page(page: SheetPage) -> Iterator[str]:
    yield f"# {plain(page.title)}"
    if page.english:
        yield ""
        yield f"*{plain(page.english)}*"
    for block in page.blocks:
        yield ""
        yield f"## {plain(block.title)}"
        yield ""
        yield from _entries(block) if any(line.text for line in block.lines) else _table(block)


def _entries(block: Block) -> Iterator[str]:
    """Lines that say more than fits into a table."""
    for line in block.lines:
        label, value, note = _cells(line)
        yield f"- **{label}**{f' ({note})' if note else ''}{f': {value}' if value else ''}"
        for part in filter(str.strip, line.text.splitlines()):
            yield ""
            yield "  " + HEADS.sub(r"\1\\", plain(part))


def _table(block: Block) -> Iterator[str]:
    """A table of those columns that say something."""
    rows = [_cells(line) for line in block.lines]
    heads = [plain(part) for part in block.headings or ("", "", "")]
    kept = [0, *(number for number in (1, 2) if any(row[number] for row in rows))]
    under = ["---", *["--:"] * (len(kept) - 1)]
    for row in (heads, None, *rows):
        yield _row([row[number] for number in kept] if row is not None else under)


def _cells(line: SheetLine) -> tuple[str, str, str]:
    value = " ".join(part for part in (plain(line.value), BLANK if line.blank else "") if part)
    return plain(line.label), value, plain(line.note)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def chronicle_markdown(chronicle: Chronicle) -> str:
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
