"""The chronicle of a game in chapters: deeds, dice, and every word that players wrote.

It is the host's, who may read everything. What players wrote is kept apart from the machine's words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ruleloom.output.standings import Standing, standings
from ruleloom.output.terminal import safe_lines
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.explain.sheet_pages import Block, SheetLine, SheetPage
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play.event_log import tell
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.play.replay import beginning, moments
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.state import Event

BEFORE = "Before the first turn"


@dataclass(frozen=True, slots=True)
class ChronicleLine:
    """An event in the machine's words, `times` in a row; `dice` marks a result of chance."""

    text: str
    dice: bool = False
    times: int = 1


@dataclass(frozen=True, slots=True)
class Quote:
    """A text that somebody wrote, and the question it answers."""

    who: str
    question: str
    text: str


@dataclass(slots=True)
class Chapter:
    """One turn, or the time before the first."""

    title: str
    entries: list[ChronicleLine | Quote] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Chronicle:
    """A whole game; `ending` is a sentence, `left` the named things at the end."""

    title: str
    players: tuple[str, ...]
    chapters: tuple[Chapter, ...]
    ending: str
    left: tuple[Standing, ...]


def chronicle_of(game: Game) -> Chronicle:
    """The chronicle of a game as far as it has been played."""
    linked = game.linked
    chapters = [Chapter(BEFORE)]
    _add_events(chapters, linked, beginning(game).events)
    for moment in moments(game):
        prompt = None if moment.before.over else moment.before.prompt
        question = prompt.text if prompt is not None and prompt.kind == "text" else ""
        _add_events(chapters, linked, moment.after.events, question)
    full = tuple(chapter for chapter in chapters if chapter.entries)
    left = tuple(standings(linked, game.state.world))
    return Chronicle(linked.program.title, game.players, full, _ending(game), left)


def _add_events(
    chapters: list[Chapter], linked: Linked, events: Iterable[Event], question: str = ""
) -> None:
    """Add events to the last chapter; each turn begins a new one."""
    for event in events:
        entries = chapters[-1].entries
        if event.kind == "turn":
            player = event.args[0]
            who = "" if player is None else f": {linked.layout.players[player]}"
            chapters.append(Chapter(f"Turn {len(chapters)}{who}"))
        elif event.kind == "written":
            text, player = event.args
            entries.append(Quote(linked.layout.players[player], question, text))
            question = ""
        elif (words := tell(linked, event)) is not None:
            line = ChronicleLine(words, event.kind in ("rolled", "drawn", "picked"))
            last = entries[-1] if entries else None
            if isinstance(last, ChronicleLine) and replace(last, times=1) == line:
                entries[-1] = replace(last, times=last.times + 1)
            else:
                entries.append(line)


def _ending(game: Game) -> str:
    if game.outcome is None:
        return "The game is not finished."
    result, reason = game.outcome.result(game.players), game.outcome.reason
    result = result or "The game is drawn"
    return f"{result}: {reason}." if reason else f"{result}."


class Band(NamedTuple):
    """Blocks that share the width of the page, or one that takes all of it."""

    wide: bool
    blocks: list[Block]


def sheet_html(pages: Sequence[SheetPage]) -> str:
    """The document of some sheets, for printing."""
    title = ", ".join(dict.fromkeys(page.title for page in pages))
    return _document("sheet.html.j2", title=title, sheets=[(page, bands(page)) for page in pages])


def chronicle_html(chronicle: Chronicle) -> str:
    """The document of a chronicle."""
    return _document("chronicle.html.j2", chronicle=chronicle)


def _document(template: str, **values: Any) -> str:
    printing = templates_in(Path(__file__).resolve().parent)
    printing.tests["quote"] = lambda entry: isinstance(entry, Quote)
    return printing.get_template(template).render(values)


def templates_in(folder: Path) -> Environment:
    """The templates of a folder, which escape all values."""
    printing = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    printing.filters["safe_text"] = safe_lines
    return printing


def bands(page: SheetPage) -> list[Band]:
    """The blocks of a page, narrow neighbours together; boxes and texts take the whole width."""
    found: list[Band] = []
    for block in page.blocks:
        wide = block.tiles or any(line.text for line in block.lines)
        if wide or not found or found[-1].wide:
            found.append(Band(wide, [block]))
        else:
            found[-1].blocks.append(block)
    return found


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
