"""Sheets and chronicles as Markdown; texts of packs and players are escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ruleloom.output.chronicle import Chapter, Chronicle, Quote
from ruleloom.runtime.explain.sheet_pages import Block, SheetLine, SheetPage
from ruleloom.runtime.program.safe_text import safe_text

# Signs with a meaning anywhere in a line; `:` and `@` because addresses become links by themselves.
SIGNS = re.compile(r"[\\`*_{}\[\]<>|~$^:@&]")
# Signs that would begin a list, a heading or a rule at the beginning of a line.
HEADS = re.compile(r"^(\d+(?=[.)])|(?=[#+=-]))")
BLANK = "☐"


def sheet_markdown(pages: Sequence[SheetPage]) -> str:
    """The pages, one below the other, with a rule between them."""
    return "\n---\n\n".join("\n".join(_page(page)) + "\n" for page in pages)


def plain(text: str) -> str:
    """A text on one line, escaped so that it is shown as it is."""
    line = " ".join(" ".join(safe_text(part) for part in text.splitlines()).split())
    # `www.` becomes a link without any sign; NUL marks it meanwhile, as safe text has none.
    line = SIGNS.sub(lambda sign: f"\\{sign[0]}", line.replace("www.", "www\0."))
    return line.replace("\0", "\\")


def _page(page: SheetPage) -> Iterator[str]:
    yield f"# {plain(page.title)}"
    if page.english:
        yield ""
        yield f"*{plain(page.english)}*"
    for block in page.blocks:
        yield ""
        yield f"## {plain(block.title)}"
        yield ""
        yield from _list(block) if any(line.text for line in block.lines) else _table(block)


def _list(block: Block) -> Iterator[str]:
    """A list, of lines with a text below."""
    for line in block.lines:
        label, value, note = _cells(line)
        yield f"- **{label}**{f' ({note})' if note else ''}{f': {value}' if value else ''}"
        for part in filter(str.strip, line.text.splitlines()):
            yield ""
            yield f"  {_begun(part)}"


def _table(block: Block) -> Iterator[str]:
    """A table of the columns that are not empty."""
    rows = [_cells(line) for line in block.lines]
    heads = tuple(plain(part) for part in block.headings or ("", "", ""))
    kept = [0, *(number for number in (1, 2) if any(row[number] for row in rows))]
    for row in (heads, ("---", "--:", "--:"), *rows):
        yield f"| {' | '.join(row[number] for number in kept)} |"


def _cells(line: SheetLine) -> tuple[str, str, str]:
    value = " ".join(part for part in (plain(line.value), BLANK if line.blank else "") if part)
    return plain(line.label), value, plain(line.note)


def chronicle_markdown(chronicle: Chronicle) -> str:
    """The chronicle, with a heading for each chapter."""
    return "\n".join(_lines(chronicle)) + "\n"


def _lines(chronicle: Chronicle) -> Iterator[str]:
    yield from (f"# {plain(chronicle.title)}", "", f"*{plain(', '.join(chronicle.players))}*")
    for chapter in chronicle.chapters:
        yield from ("", f"## {plain(chapter.title)}", "")
        yield from _entries(chapter)
    yield from ("", "## The end", "", _begun(chronicle.ending))
    if chronicle.left:
        yield from ("", "## What is left")
    for thing in chronicle.left:
        yield from ("", f"### {plain(thing.title)}", "", f"*{plain(thing.note)}*")
        yield from [""] if thing.lists else ()
        for title, names in thing.lists:
            yield f"- {plain(title)} ({len(names)}): {plain(', '.join(names))}"


def _entries(chapter: Chapter) -> Iterator[str]:
    """The lines of a chapter; a blank line separates quotes from whatever is before and behind."""
    before = None
    for entry in chapter.entries:
        if before is not None and (isinstance(before, Quote) or isinstance(entry, Quote)):
            yield ""
        before = entry
        if isinstance(entry, Quote):
            yield from (f"> *{plain(entry.question)}*", ">") if entry.question else ()
            yield from (f"> {_begun(entry.text)}", ">", f"> — {plain(entry.who)}")
        else:
            text = entry.text if entry.times == 1 else f"{entry.text} ({entry.times} times)"
            yield f"- **{_begun(text)}**" if entry.dice else f"- {_begun(text)}"


def _begun(text: str) -> str:
    """A text escaped for the beginning of a line: no list, no heading, no rule."""
    return HEADS.sub(r"\1\\", plain(text))
