"""The chronicle of a game in chapters: deeds, dice, and every word that players wrote.

It is the host's, who may read everything. What players wrote is kept apart from the machine's words.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace

from ruleloom.output.standings import Standing, standings
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play.event_log import tell
from ruleloom.runtime.play.game import Game, beginning, moments
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
