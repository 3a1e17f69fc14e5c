"""The log of a game, turn by turn, in words for one reader."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import dropwhile, groupby, takewhile
from typing import NamedTuple

from ruleloom.bots.arena import TurnCounter
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play.answers import choice_told
from ruleloom.runtime.play.event_log import tell
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.play.replay import Moment, beginning, moments
from ruleloom.runtime.program.state import Event
from ruleloom.table.canvas import WIDTH, counted, wrapped

DRAWN = " is drawn"
# What stands behind a colon is one of a list if it is no longer than this.
SHORT = 30

# Whoever listens to the log: a seat, or None for all who look at a screen that nobody sits at.
Listener = int | None


class Sentence(NamedTuple):
    """One thing that happened. A choice is that of a `player`, and `known` to who saw it typed."""

    text: str
    player: str = ""
    known: Collection[Listener] = ()


class NarrationPage:
    """One turn of the log, or the set-up."""

    def __init__(self, heading: str) -> None:
        self.heading = heading
        self.lines: list[Sentence] = []

    def text(self, width: int = WIDTH) -> list[str]:
        """The whole turn in as few lines as fit."""
        return paragraph(self.heading, self.lines, width)


class Notes:
    """The log of a game for one reader (None: the host, who may know everything)."""

    def __init__(self, linked: Linked, reader: int | None, width: int = WIDTH) -> None:
        self._linked = linked
        self._reader = reader
        self._width = width
        self.turns = TurnCounter()
        self.pages = [NarrationPage("set-up")]
        # How much each listener has been told: the page, and how many of its sentences.
        self._told: dict[Listener, tuple[int, int]] = {}

    @property
    def page(self) -> NarrationPage:
        """The present turn."""
        return self.pages[-1]

    def see(self, game: Game, before: Game | None = None, known: Collection[Listener] = ()) -> bool:
        """Log the latest answer, given at `before`; return whether a turn has begun with it."""
        # Before the new page, because these events belong to the turn that they end.
        told = [(event, tell(self._linked, event, self._reader) or "") for event in game.events]
        texts = [text for _, text in told]
        events = [
            Sentence(text, known=known if event.kind == "written" else ())
            for number, (event, text) in enumerate(told)
            if text and not _is_echoed(event, text, texts[:number], texts[number + 1 :])
        ]
        choice = [] if before is None else self._choice(before, game, known)
        # What comes of a choice may name it, too.
        self.page.lines += [
            one for one in choice if not any(one.text in event.text for event in events)
        ]
        self.page.lines += events
        if game.over or not self.turns.see(game.events):
            return False
        me = game.state.scope[self._linked.me]
        who = self._linked.layout.players[me] if me is not None else "nobody"
        self.pages.append(NarrationPage(f"turn {self.turns.begun}, {who}"))
        return True

    def _choice(self, before: Game, after: Game, known: Collection[Listener]) -> list[Sentence]:
        entry = next((one for one in reversed(after.entries) if one.serial == before.serial), None)
        told = entry and choice_told(Moment(entry, before, after), self._reader)
        if entry is None or entry.player is None or not told:
            return []
        return [Sentence(told, self._linked.layout.players[entry.player], known)]

    def remark(self, text: str) -> None:
        """Log something that the game did not do."""
        self.page.lines.append(Sentence(text))

    def catch_up(self, game: Game) -> None:
        """Log all that happened before this moment as if it had been shown."""
        self.see(beginning(game))
        for moment in moments(game):
            self.see(moment.after, moment.before)
        self._told = dict.fromkeys([None, *range(len(self._linked.layout.players))], self.end)

    @property
    def end(self) -> tuple[int, int]:
        """How far the log has come: the page, and how many of its sentences."""
        return len(self.pages) - 1, len(self.page.lines)

    def since(self, mark: tuple[int, int]) -> str:
        """All that was logged behind a mark, on one line."""
        first, sentence = mark
        pages = (page.lines[sentence * (not n) :] for n, page in enumerate(self.pages[first:]))
        return "; ".join(" ".join(one.text.split()) for page in pages for one in page)

    def news(self, listener: Listener, others: Iterable[Listener] = ()) -> list[str]:
        """What `listener` has not been told yet; `others` hear it, too."""
        start, end = self._told.get(listener, (0, 0)), self.end
        for one in (listener, *others):
            if self._told.get(one, (0, 0)) >= start:
                self._told[one] = end
        first, sentence = start
        lines = []
        for number, page in enumerate(self.pages[first:]):
            rest = page.lines[sentence if number == 0 else 0 :]
            unknown = [one for one in rest if listener not in one.known]
            lines += paragraph(page.heading, unknown, self._width) if unknown else []
        return lines

    def last(self, pages: int) -> list[str]:
        """The lines of the latest turns."""
        kept = (page for page in self.pages[-pages:] if page.lines)
        return [line for page in kept for line in page.text(self._width)]


def _is_echoed(event: Event, text: str, before: Sequence[str], after: Sequence[str]) -> bool:
    """Is it told again what somebody wrote, or where a thing goes that was drawn for nobody?"""
    match event.kind:
        case "written":
            return any(str(event.args[0]) in one for one in (*before, *after))
        case "drawn" if event.args[1] is None and after:
            return text.endswith(DRAWN) and text.removesuffix(DRAWN) in after[0]
    return False


def paragraph(heading: str, sentences: Sequence[Sentence], width: int) -> list[str]:
    """Sentences behind a heading, broken at words, later lines indented."""
    told = "; ".join(gathered(sentences))
    return wrapped(f"{heading}: {told}" if told else heading, width, "    ")


def gathered(sentences: Iterable[Sentence]) -> list[str]:
    """The sentences: what one player chooses in a row is one, and repeated ones are counted."""
    texts: list[str] = []
    for player, several in groupby(_not_done(list(sentences)), lambda sentence: sentence.player):
        told = [sentence.text for sentence in several]
        texts += [f"{player}: {', '.join(told)}"] if player else told
    counts = ((text, len(list(same))) for text, same in groupby(_listed(texts)))
    return [text if times == 1 else f"{text} ({times} times)" for text, times in counts]


def _not_done(sentences: Sequence[Sentence]) -> Iterator[Sentence]:
    """The sentences without the choices of which it is told next that they were done: `play a card`
    before `Ann plays the Sun`."""
    for number, one in enumerate(sentences):
        behind = dropwhile(lambda other: other.player, sentences[number:])
        done = f"{one.player} {one.text.partition(' ')[0]}s "
        events = takewhile(lambda other: not other.player, behind)
        if not (one.player and any(event.text.startswith(done) for event in events)):
            yield one


def _listed(texts: Iterable[str]) -> list[str]:
    """The texts, those in a row that say the same of something behind a colon as one list of it."""
    told = []
    for head, several in groupby(texts, lambda text: text.partition(": ")[0]):
        same = list(several)
        rest = [text.removeprefix(f"{head}: ") for text in same]
        plain = len(same) > 1 and all(len(one) <= SHORT for one in rest)
        told += [f"{head}: {', '.join(counted(rest))}"] if plain and rest != same else same
    return told
