"""The log of a game, turn by turn, in words for one reader."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import dropwhile, groupby, takewhile
from typing import NamedTuple

from ruleloom.bots.arena import TurnCounter
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play.event_log import DRAWN, tell
from ruleloom.runtime.play.game import Game, Moment, beginning, moments, parts, read_in
from ruleloom.runtime.play.view import choice_told
from ruleloom.runtime.program.language import ENGLISH, Language
from ruleloom.runtime.program.program import Expr, SetScope
from ruleloom.runtime.program.state import Event
from ruleloom.table.canvas import WIDTH, counted, wrapped

_FULL_STOP = re.compile(r"(?<!\.)\.$")
# The part after a colon may join a list if it is no longer than this.
SHORT = 30
# A shorter choice is too unspecific to be recognised in an event.
SHORTEST = 4
SOMEBODY, ME = "somebody", "me"

# A listener of the log: a seat, or None for everybody at a shared screen.
Listener = int | None


class Sentence(NamedTuple):
    """One event, caused by an answer of `by`. A choice is that of a `player`; listeners in `known` saw it."""

    text: str
    player: str = ""
    known: Collection[Listener] = ()
    by: str = ""


class NarrationPage:
    """One turn of the log, or the set-up; in a game without turns, the answers of one player."""

    def __init__(self, title: str, whose: str | None = "", language: Language = ENGLISH) -> None:
        self.title, self.whose, self.language = title, whose, language
        self.lines: list[Sentence] = []

    def heading(self, sentences: Iterable[Sentence]) -> str:
        """The heading of these sentences."""
        names = dict.fromkeys(one.by for one in sentences if one.by)
        whose = self.language.said(" and ").join(names) if self.whose is None else self.whose
        return f"{self.title}, {whose}" if whose else self.title

    def text(self, width: int = WIDTH, sentences: Sequence[Sentence] | None = None) -> list[str]:
        """The turn, or some of its sentences, in as few lines as fit; later lines are indented."""
        shown = self.lines if sentences is None else sentences
        # Texts by players may end with a full stop.
        *before, last = gathered(shown, self.language) or [""]
        told = "; ".join((*(_FULL_STOP.sub("", one) for one in before), last))
        heading = self.heading(shown)
        return wrapped(f"{heading}: {told}" if told else heading, width, "    ")


class Notes:
    """The log of a game for one reader; None is the host, who may see everything."""

    def __init__(self, linked: Linked, reader: int | None, width: int = WIDTH) -> None:
        self._linked = linked
        self._reader = reader
        self._width = width
        # Does each turn pass to another player, or does one player lead all of them?
        rows = (row for routine in linked.program.routines for row in routine.rows)
        sets = (one for one in rows if isinstance(one, SetScope) and one.name == ME)
        self._passes = any(_reads_me(one.value) for one in sets)
        self.turns = TurnCounter()
        self.pages = [NarrationPage(linked.language.said("set-up"), "", linked.language)]
        # The end of the log as last read by each listener: the page, and its number of sentences.
        self._told: dict[Listener, tuple[int, int]] = {}

    @property
    def page(self) -> NarrationPage:
        """The current turn."""
        return self.pages[-1]

    def see(self, game: Game, before: Game | None = None, known: Collection[Listener] = ()) -> bool:
        """Log the latest answer, given at `before`; return whether it began a turn.

        The listeners in `known` saw it typed, or see the initial drawing.
        """
        game = read_in(game, self._linked.language)
        before = None if before is None else read_in(before, self._linked.language)
        by, choice = self._choice(before, game)
        # The initial layout is drawn on the table.
        seen = ("operation", "drawn") if before is None else ("written",)
        # Added before the new page, because these events belong to the turn that they end.
        events = [
            Sentence(text, known=known if event.kind in seen else (), by=by)
            for event, text in self._news(game)
        ]
        # An event may name the choice, too.
        bare = self._linked.language.bare(choice)
        if choice and not any(bare in event.text for event in events):
            self.page.lines.append(Sentence(choice, by, known, by))
        self.page.lines += events
        if game.over or not self.turns.see(game.events):
            return False
        self._turn_page(game)
        return True

    def _turn_page(self, game: Game) -> None:
        me = game.state.scope[self._linked.me]
        language = self._linked.language
        who = self._linked.layout.players[me] if me is not None else language.said("nobody")
        whose = who if self._passes else None
        title = language.said("turn {number}", number=str(self.turns.begun))
        self.pages.append(NarrationPage(title, whose, language))

    def _choice(self, before: Game | None, after: Game) -> tuple[str, str]:
        """The player of the latest answer, and their choice in words; empty for chance."""
        link, at = after.journal, -1 if before is None else before.serial
        while link is not None and link.last.serial > at:
            link = link.before
        if before is None or link is None or link.last.serial != at or link.last.player is None:
            return "", ""
        told = choice_told(Moment(link.last, before, after), self._reader)
        return self._linked.layout.players[link.last.player], told or ""

    def _news(self, game: Game) -> Iterator[tuple[Event, str]]:
        """The new events in words, without echoes."""
        told = [(event, tell(self._linked, event, self._reader) or "") for event in game.events]
        texts = [text for _, text in told]
        for number, (event, text) in enumerate(told):
            around = texts[:number], texts[number + 1 :]
            if text and not _is_echoed(self._linked.language, event, text, *around):
                yield event, text

    def remark(self, text: str) -> None:
        """Log a remark that is no game event."""
        self.page.lines.append(Sentence(text))

    def see_all(self, game: Game) -> None:
        """Log all past events; those before a seam by the rules, and in the words, of then."""
        own = self._linked
        for part in parts(game):
            self._linked = own if part is game else part.linked
            self.see(beginning(part))
            for moment in moments(part):
                self.see(moment.after, moment.before)

    def catch_up(self, game: Game) -> None:
        """Log all past events, as already read by everybody."""
        self.see_all(game)
        self._told = dict.fromkeys([None, *range(len(self._linked.layout.players))], self.end)

    @property
    def end(self) -> tuple[int, int]:
        """The end of the log: the page, and the number of its sentences."""
        return len(self.pages) - 1, len(self.page.lines)

    def since(self, mark: tuple[int, int]) -> str:
        """All that was logged after a mark, on one line."""
        first, sentence = mark
        pages = (page.lines[sentence * (not n) :] for n, page in enumerate(self.pages[first:]))
        return "; ".join(" ".join(one.text.split()) for page in pages for one in page)

    def news(self, listener: Listener, others: Iterable[Listener] = ()) -> list[str]:
        """The lines new to `listener`; `others` read them, too."""
        start, end = self._told.get(listener, (0, 0)), self.end
        for one in (listener, *others):
            if self._told.get(one, (0, 0)) >= start:
                self._told[one] = end
        first, sentence = start
        lines = []
        for number, page in enumerate(self.pages[first:]):
            rest = page.lines[sentence if number == 0 else 0 :]
            unknown = [one for one in rest if listener not in one.known]
            lines += page.text(self._width, unknown) if unknown else []
        return lines

    def last(self, pages: int) -> list[str]:
        """The lines of the latest turns."""
        kept = (page for page in self.pages[-pages:] if page.lines)
        return [line for page in kept for line in page.text(self._width)]


def _reads_me(expr: Expr) -> bool:
    """Does a value depend on the player?"""
    return expr == ("scope", ME) or any(_reads_me(one) for one in expr if isinstance(one, tuple))


def _is_echoed(
    language: Language, event: Event, text: str, before: Sequence[str], after: Sequence[str]
) -> bool:
    """Does an event repeat a written text, or the destination of a thing drawn for nobody?"""
    match event.kind:
        case "written":
            return any(str(event.args[0]) in one for one in (*before, *after))
        case "drawn" if event.args[1] is None and after:
            head, _, tail = language.said(DRAWN, thing="\0").partition("\0")
            thing = text.removeprefix(head).removesuffix(tail)
            return text == f"{head}{thing}{tail}" and language.bare(thing) in after[0]
    return False


def gathered(sentences: Iterable[Sentence], language: Language = ENGLISH) -> list[str]:
    """The sentences, with consecutive choices of a player merged and repetitions counted."""
    every, texts = list(sentences), list[str]()
    undone = (
        one for number, one in enumerate(every) if not _is_done(one, every[number:], language)
    )
    for player, several in groupby(undone, lambda sentence: sentence.player):
        told = [sentence.text for sentence in several]
        texts += [f"{player}: {', '.join(told)}"] if player else told
    counts = ((text, len(list(same))) for text, same in groupby(_listed(texts)))
    return [
        text
        if times == 1
        else language.said("{text} ({number} times)", text=text, number=f"{times}")
        for text, times in counts
    ]


def _is_done(choice: Sentence, following: Sequence[Sentence], language: Language) -> bool:
    """Do the events after a choice show that it was done: for `play a card`, that Ann plays the Sun; for
    `somebody leaves`, that Anna leaves; for a spell, its use?"""
    first, _, rest = choice.text.partition(" ")
    does = re.compile(rf"\b{re.escape(rest.partition(' ')[0])}\b")
    behind = dropwhile(lambda other: other.player, following)
    for event in takewhile(lambda other: not other.player, behind if choice.player else ()):
        acts = re.sub(*language.act, choice.text, count=1)
        if event.text.startswith(f"{choice.player} {acts}") or choice.text in event.text:
            if len(choice.text) >= SHORTEST:
                return True
        elif first == SOMEBODY and does.search(event.text):
            return True
    return False


def _listed(texts: Iterable[str]) -> list[str]:
    """The texts, with neighbours that share a head before a colon merged into one list."""
    told = []
    for head, several in groupby(texts, lambda text: text.partition(": ")[0]):
        same = list(several)
        rest = [text.removeprefix(f"{head}: ") for text in same]
        plain = len(same) > 1 and all(len(one) <= SHORT for one in rest)
        told += [f"{head}: {', '.join(counted(rest))}"] if plain and rest != same else same
    return told
