"""Sheets and chronicles as self-contained HTML documents, and as Markdown.

Text from packs and players is never a template, and is always escaped. The chronicle of a game has its
events, its dice, and every text that players wrote, set apart from the machine's words. It is for the host,
who may read everything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ruleloom.output.terminal import safe_lines
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.explain.sheet_pages import Block, SheetLine, SheetPage
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import field_words
from ruleloom.runtime.play.event_log import tell
from ruleloom.runtime.play.game import Game, beginning, moments, parts
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.state import Event
from ruleloom.scenes.scene import NOBODY, TableScene, is_owner, kinds_apart

BEFORE = "Before the first turn"


class ChronicleLine(Frozen):
    """An event in the machine's words, `times` in a row; `dice` marks a chance result."""

    text: str
    dice: bool = False
    times: int = 1


class Quote(Frozen):
    """A text that a player wrote, and the question it answers."""

    who: str
    question: str
    text: str


@dataclass(slots=True)
class Chapter:
    """One turn, or the time before the first."""

    title: str
    entries: list[ChronicleLine | Quote] = field(default_factory=list)


class Standing(NamedTuple):
    """A named thing in play, with its lists of belongings."""

    title: str
    note: str
    lists: list[tuple[str, list[str]]]


class Chronicle(Frozen):
    """A whole game; `ending` is a sentence, `left` the named things at its end."""

    title: str
    players: tuple[str, ...]
    chapters: tuple[Chapter, ...]
    ending: str
    left: tuple[Standing, ...]


def chronicle_of(game: Game) -> Chronicle:
    """The chronicle of a game up to now."""
    linked = game.linked
    chapters = [Chapter(BEFORE)]
    for part in parts(game):
        _add_events(chapters, part.linked, beginning(part).events)
        for moment in moments(part):
            prompt = None if moment.before.over else moment.before.prompt
            question = prompt.text if prompt is not None and prompt.kind == "text" else ""
            _add_events(chapters, part.linked, moment.after.events, question)
    full = tuple(chapter for chapter in chapters if chapter.entries)
    left = tuple(_standings(TableScene(linked, game.state, NOBODY)))
    return Chronicle(linked.program.title, game.players, full, _ending(game), left)


def _add_events(
    chapters: list[Chapter], linked: Linked, events: Iterable[Event], question: str = ""
) -> None:
    """Add events to the last chapter; each turn starts a new one."""
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


def _standings(scene: TableScene) -> Iterator[Standing]:
    """All named things in play that are not belongings, with theirs."""
    for entity in kinds_apart(scene.linked):
        if not is_owner(scene.linked, entity):
            continue
        # The presence field names the keeper or the place of a thing.
        info = next(one for one in entity.fields if one.name == entity.present)
        for thing in scene.things(entity.name):
            place = scene.field(entity.name, entity.present, thing)
            shown = scene.title(info.type.removesuffix("?"), place)
            note = f"{field_words(scene.linked, entity.present)}: {shown}"
            lists = scene.belongings(entity, thing)
            yield Standing(scene.title(entity.name, thing), note, lists)


# ---------------------------------------------------------------------------------- documents


def sheet_html(pages: Sequence[SheetPage]) -> str:
    """The printable document of some sheets."""
    title = ", ".join(dict.fromkeys(page.title or page.english for page in pages))
    return document("sheet.html.j2", title=title, sheets=[(page, bands(page)) for page in pages])


def chronicle_html(chronicle: Chronicle) -> str:
    """The document of a chronicle."""
    return document("chronicle.html.j2", chronicle=chronicle)


def sheet_markdown(pages: Sequence[SheetPage]) -> str:
    """The pages as one text, separated by rules."""
    return document("sheet.md.j2", pages=pages)


def chronicle_markdown(chronicle: Chronicle) -> str:
    """The chronicle, with a heading for each chapter."""
    return document("chronicle.md.j2", chronicle=chronicle)


def document(template: str, **values: Any) -> str:
    """A document by a template of this folder."""
    is_marked_up = template.endswith((".html.j2", ".xml.j2"))
    printing = templates_in(Path(__file__).resolve().parent, escape=is_marked_up)
    printing.keep_trailing_newline = not template.endswith(".html.j2")
    printing.tests |= {"quote": lambda entry: isinstance(entry, Quote), "list": _is_list}
    printing.filters |= {"value": _value, "table": _table}
    # At the start of a line, escapes lists, headings and rules.
    printing.filters["begun"] = lambda text: HEADS.sub(r"\1\\", plain(text))
    return printing.get_template(template).render(values)


def templates_in(folder: Path, escape: bool = True) -> Environment:
    """The templates of a folder, which escape values as HTML."""
    printing = Environment(
        loader=FileSystemLoader(folder),
        autoescape=escape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    printing.filters |= {"safe_text": safe_lines, "one_line": safe_text, "plain": plain}
    return printing


def bands(page: SheetPage) -> list[tuple[bool, list[Block]]]:
    """The blocks of a page in bands: narrow neighbours together; boxes and lists with texts at full width."""
    groups = groupby(page.blocks, lambda block: block.tiles or _is_list(block))
    return [
        (wide, part)
        for wide, blocks in groups
        for part in ([[one] for one in blocks] if wide else [list(blocks)])
    ]


def _is_list(block: Block) -> bool:
    """Is a block a list, with a text below a line?"""
    return any(line.text for line in block.lines)


# ---------------------------------------------------------------------------------- Markdown

# Characters with a meaning anywhere in a line; `:` and `@` because addresses become links.
SIGNS = re.compile(r"[\\`*_{}\[\]<>|~$^:@&]")
# Characters that begin a list, a heading or a rule at the start of a line.
HEADS = re.compile(r"^(\d+(?=[.)])|(?=[#+=-]))")
BLANK = "☐"


def plain(text: str) -> str:
    """A text on one line, escaped for literal display."""
    line = " ".join(" ".join(safe_text(part) for part in text.splitlines()).split())
    # `www.` becomes a link without any other sign; NUL marks it meanwhile, since safe text has
    # none.
    line = SIGNS.sub(lambda sign: f"\\{sign[0]}", line.replace("www.", "www\0."))
    return line.replace("\0", "\\")


def _value(line: SheetLine) -> str:
    return " ".join(part for part in (plain(line.value), BLANK if line.blank else "") if part)


def _table(block: Block) -> list[list[str]]:
    """The rows of a table, without empty columns; none for a list."""
    if _is_list(block):
        return []
    rows = [(plain(line.label), _value(line), plain(line.note)) for line in block.lines]
    heads = tuple(plain(part) for part in block.headings or ("", "", ""))
    kept = [0, *(number for number in (1, 2) if any(row[number] for row in rows))]
    return [[row[number] for number in kept] for row in (heads, ("---", "--:", "--:"), *rows)]
