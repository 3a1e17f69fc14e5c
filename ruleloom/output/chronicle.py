"""The chronicle of a game in chapters: deeds, dice, and every word that was written.

The narrator is the host, who may read everything. What people wrote is kept apart from what the
machine says of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ruleloom.output.standings import Standing, standings
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play.event_log import tell
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.play.replay import Moment, beginning, moments
from ruleloom.runtime.program.state import Event

BEFORE = "Before the first turn"


@dataclass(frozen=True, slots=True)
class ChronicleLine:
    """An event in the machine's words, `times` in a row; `dice` marks chance."""

    text: str
    dice: bool = False
    times: int = 1


@dataclass(frozen=True, slots=True)
class Quote:
    """What somebody wrote, and what they had been asked."""

    who: str
    question: str
    text: str


@dataclass(slots=True)
class Chapter:
    """One turn, or what came before the first."""

    title: str
    entries: list[ChronicleLine | Quote] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Chronicle:
    """A whole game: `ending` says how it ended, `left` what there is in the end."""

    title: str
    players: tuple[str, ...]
    chapters: tuple[Chapter, ...]
    ending: str
    left: tuple[Standing, ...]


def chronicle_of(game: Game) -> Chronicle:
    """The chronicle of a game as far as it has been played."""
    linked = game.linked
    chapters = [Chapter(BEFORE)]
    start = beginning(game)
    _take_in(chapters, linked, start.events)
    for moment in moments(game):
        _take_in(chapters, linked, moment.after.events, _asked(moment))
    told = tuple(chapter for chapter in chapters if chapter.entries)
    left = tuple(standings(linked, game.state.world))
    return Chronicle(linked.program.title, game.players, told, _ending(game), left)


def _asked(moment: Moment) -> str:
    """What had been asked, where somebody answers in words of their own."""
    prompt = None if moment.before.over else moment.before.prompt
    return prompt.text if prompt is not None and prompt.kind == "text" else ""


def _take_in(
    chapters: list[Chapter], linked: Linked, events: Iterable[Event], asked: str = ""
) -> None:
    """Tell events in the last chapter; each turn begins a new one."""
    for event in events:
        if event.kind == "turn":
            number = len(chapters)
            player = event.args[0]
            who = "" if player is None else f": {linked.layout.players[player]}"
            chapters.append(Chapter(f"Turn {number}{who}"))
        elif event.kind == "written":
            text, player = event.args
            chapters[-1].entries.append(Quote(linked.layout.players[player], asked, text))
            asked = ""
        elif (told := tell(linked, event)) is not None:
            _add(
                chapters[-1].entries,
                ChronicleLine(told, event.kind in ("rolled", "drawn", "picked")),
            )


def _add(entries: list[ChronicleLine | Quote], line: ChronicleLine) -> None:
    """Tell something; the same again only counts."""
    last = entries[-1] if entries else None
    if isinstance(last, ChronicleLine) and (last.text, last.dice) == (line.text, line.dice):
        entries[-1] = replace(last, times=last.times + 1)
    else:
        entries.append(line)


def _ending(game: Game) -> str:
    outcome = game.outcome
    if outcome is None:
        return "The game is not finished."
    winner = (
        "The game is drawn" if outcome.winner is None else f"{game.players[outcome.winner]} wins"
    )
    return f"{winner}: {outcome.reason}." if outcome.reason else f"{winner}."
