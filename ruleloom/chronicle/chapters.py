"""A played game as chapters: who did what, what the dice showed, and every word that was written.

In goes a game with its journal; out come chapters in the order of turns, and how things stand in the end. The teller
is the host, who may read everything. What people wrote is kept apart from what the machine says of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from runtime.corrections import things_there
from runtime.game import Game
from runtime.link import Linked
from runtime.naming import field_words, title_text
from runtime.program import Entity, QueryInfo
from runtime.replay import Moment, beginning, moments
from runtime.state import Event
from runtime.telling import tell
from runtime.values import Type, World

BEFORE = "Before the first turn"


@dataclass(frozen=True, slots=True)
class Line:
    """Something that happened, in words of the machine; `dice` says that chance had a hand in it, `times` how often it
    happened in a row."""

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
    entries: list[Line | Quote] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Standing:
    """Something that people have named and that is still there, with what belongs to it, list by list."""

    title: str
    note: str
    lists: tuple[tuple[str, tuple[str, ...]], ...]


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
    left = tuple(_standings(linked, game.state.world))
    return Chronicle(linked.program.title, game.players, told, _ending(game), left)


def _asked(moment: Moment) -> str:
    """What had been asked, where somebody answers in words of their own."""
    prompt = None if moment.before.over else moment.before.prompt
    return prompt.text if prompt is not None and prompt.kind == "text" else ""


def _take_in(chapters: list[Chapter], linked: Linked, events: Iterable[Event], asked: str = "") -> None:
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
            _add(chapters[-1].entries, Line(told, event.kind in ("rolled", "drawn", "picked")))


def _add(entries: list[Line | Quote], line: Line) -> None:
    """Tell something; the same again only counts."""
    last = entries[-1] if entries else None
    if isinstance(last, Line) and (last.text, last.dice) == (line.text, line.dice):
        entries[-1] = replace(last, times=last.times + 1)
    else:
        entries.append(line)


def _ending(game: Game) -> str:
    outcome = game.outcome
    if outcome is None:
        return "The game is not finished."
    winner = "The game is drawn" if outcome.winner is None else f"{game.players[outcome.winner]} wins"
    return f"{winner}: {outcome.reason}." if outcome.reason else f"{winner}."


# ---------------------------------------------------------------------------------- what is left


def _standings(linked: Linked, world: World) -> Iterator[Standing]:
    """All named things that are there, those that belong to others in the lists of their owners."""
    named = [one for one in linked.program.entities if one.name in linked.layout.named and one.present]
    owned = {query.of.partition(".")[0] for one in named for query in _lists(linked, one)}
    for entity in named:
        if entity.name in owned:
            continue
        for thing in things_there(linked, world, entity).values():
            lists = (
                (title, tuple(names))
                for query in _lists(linked, entity)
                for title, names in _by_sort(linked, world, query, thing)
            )
            title = title_text(linked, world, Type(entity.name), thing)
            yield Standing(title, _whose(linked, world, entity, thing), tuple(lists))


def _lists(linked: Linked, entity: Entity) -> list[QueryInfo]:
    """The questions that find what belongs to such a thing."""
    found = []
    for query in linked.program.queries:
        kind, _, name = query.of.partition(".")
        part = linked.entities.get(kind)
        if part is not None and part.present == name and [t for _, t in query.params] == [entity.name]:
            found.append(query)
    return found


def _whose(linked: Linked, world: World, entity: Entity, thing: int) -> str:
    """The value that says that a thing is there: who keeps it, or where it is."""
    info = next(one for one in entity.fields if one.name == entity.present)
    value = world[linked.layout.index[f"{entity.name}.{entity.present}"]][thing]
    shown = title_text(linked, world, Type.parse(info.type).present, value)
    return f"{field_words(linked, entity.present)}: {shown}"


def _by_sort(linked: Linked, world: World, query: QueryInfo, owner: int) -> Iterator[tuple[str, list[str]]]:
    """What belongs to a thing, by the first of its fields that sorts it into a few sorts."""
    kind = query.of.partition(".")[0]
    column = world[linked.layout.index[query.of]]
    things = [number for number, value in enumerate(column) if value == owner]
    sort = next((one for one in linked.entities[kind].fields if one.type in linked.layout.enums), None)
    if sort is None:
        yield field_words(linked, query.name), [title_text(linked, world, Type(kind), one) for one in things]
        return
    sorts = world[linked.layout.index[f"{kind}.{sort.name}"]]
    for option in linked.layout.enums[sort.type]:
        names = [title_text(linked, world, Type(kind), one) for one in things if sorts[one] == option]
        if names:
            yield option, names
