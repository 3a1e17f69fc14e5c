"""One game in play for everybody at its table: answers, bots, undo, corrections.

Each change is stored before anybody can see it: if it cannot be, the table stays where it was. The
methods block, and are called by one thread at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from hmac import compare_digest
from random import SystemRandom
from secrets import token_bytes

from ruleloom.bots.arena import make_bot
from ruleloom.bots.bot import Bot, keys_for
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.play.game import Game, JournalEntry, beginning, moments, prompt_id
from ruleloom.runtime.play.journal import end_data, entry_data, sealed
from ruleloom.runtime.play.view import view
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.search.node import sampled
from ruleloom.table.authorised_view import (
    NOT_ASKED,
    AuthorisedView,
    NotDrawn,
    before_last_choice,
    throwers,
)
from ruleloom.table.canvas import Look
from ruleloom.table.narration import Notes
from ruleloom.table.plain_board import Drawing, table_for
from ruleloom.table.privacy import NOBODY, knows_more
from ruleloom.table.prompt_text import forced
from ruleloom.table.seats import HUMAN
from ruleloom.table.value_lookup import corrected_value
from ruleloom.web.pages import told
from ruleloom.web.table_store import KeptSeat, Position, TableStore

# Questions with one answer are answered without asking, so many in a row at most.
MOST_FORCED = 1_000
# By this, which no page is sent, questions are named.
KEY = token_bytes(32)
LOOK = Look(width=64)


@dataclass
class UndoWish:
    """Somebody wants to take an answer back that others have seen: they are asked."""

    by: int
    to: Game
    waits_for: set[int]


class LiveTable:
    """A table that is being played at."""

    def __init__(self, id: str, game: Game, seats: Sequence[KeptSeat], store: TableStore) -> None:
        self.id = id
        self.game = game
        self.seats = list(seats)
        self.store = store
        self.stored = len(game.entries)
        # Counts the changes, so that a page can tell which of two states is the later.
        self.stamp = 0
        self.wish: UndoWish | None = None
        self.drawing: Drawing = table_for(game.linked, LOOK)
        self._bots = {one.number: self._bot(one) for one in seats if one.kind != HUMAN}
        # How many answers there were when what is asked now was asked first.
        self._since = game.serial
        self.notes = self._notes()

    # ------------------------------------------------------------------ who sits there

    def _bot(self, seat: KeptSeat) -> Bot:
        """The bot of a seat; Refused for a kind that cannot play this game."""
        seed = (self.game.seed or 0) + self.game.serial
        return make_bot(seat.kind, self.game.linked, seed, seat.number)

    @property
    def people(self) -> list[int]:
        """The seats that people answer for."""
        return [seat.number for seat in self.seats if seat.kind == HUMAN]

    def leads(self, seat: int) -> bool:
        """May this seat set things right, and decide for those who are away?"""
        return seat != NOBODY and self.seats[seat].leads

    def change_seat(self, seat: int, kind: str) -> None:
        """Have a bot of this kind, or a person, answer for a seat from now on."""
        old = self.seats[seat]
        changed = KeptSeat(seat, old.name, kind, old.leads)
        if kind != HUMAN:
            self._bots[seat] = self._bot(changed)
        self.store.change_seat(self.id, changed)
        self.seats[seat] = changed
        if kind == HUMAN:
            self._bots.pop(seat, None)
        self.stamp += 1

    # ------------------------------------------------------------------ the log

    def _notes(self) -> dict[int, Notes]:
        """The log so far, for each seat and for onlookers."""
        readers = (NOBODY, *(seat.number for seat in self.seats))
        notes = {one: Notes(self.game.linked, one, LOOK.width) for one in readers}
        first = beginning(self.game)
        for one in notes.values():
            one.see(first)
        for moment in moments(self.game):
            for one in notes.values():
                one.see(moment.after, moment.before)
        return notes

    # ------------------------------------------------------------------ answers

    def authorised(self, seat: int) -> AuthorisedView:
        """The authorised view of a seat."""
        return AuthorisedView(self.game, seat, self.people)

    def question_id(self, seat: int) -> str:
        """The name of a seat's question in its pages: opaque, not to be guessed, and the same while
        others answer in secret."""
        named = f"{self.id}.{self._since}.{seat}".encode()
        return blake2b(named, key=KEY, digest_size=15).hexdigest()

    def answer(self, seat: int, id: str, keys: Sequence[str]) -> None:
        """Answer the open question of a seat; Refused, with a reason that the seat may know, if that
        cannot be."""
        if not compare_digest(id.encode(), self.question_id(seat).encode()):
            raise Refused(NOT_ASKED)
        try:
            self.take(self.authorised(seat).answer(list(keys)))
        except NotDrawn:
            # Trying out what is left in a deck is seen by all.
            self._remark(told("not_drawn", name=self.seats[seat].name))
            self.stamp += 1
            raise

    def bots_are_asked(self) -> bool:
        """Is it a bot's turn, or that of dice which nobody is there to throw?"""
        game = self.game
        if game.over:
            return False
        if game.node.chance:
            return not throwers(game, self.people)
        return any(one in self._bots for one in game.node.stop.who)

    def bot_answers(self) -> bool:
        """Have a bot give its answer, if one is asked; return whether one was."""
        game = self.game
        if not self.bots_are_asked():
            return False
        if game.node.chance:
            self.take(game.choose(sampled(game.node, SystemRandom().randrange)))
            return True
        who = next(one for one in game.node.stop.who if one in self._bots)
        keys = keys_for(game.node, self._bots[who].answer(game.node, who), who)
        self.take(game.answer(prompt_id(game, who), keys))
        return True

    def take(self, game: Game) -> None:
        """Go on to a later moment, over questions that have one answer, and store it."""
        passed = [game]
        for _ in range(MOST_FORCED):
            now = passed[-1]
            only = self._passed_over(now)
            if only is None:
                break
            passed.append(now.answer(now.prompt.id, only))
        self._store(passed[-1], self.stored)
        before = self.game
        for after in passed:
            for one in self.notes.values():
                one.see(after, before)
            before = after
        self._arrive(passed[-1])

    def _passed_over(self, game: Game) -> tuple[str, ...] | None:
        """The only answer to a question that nobody is asked; None for all others."""
        return None if game.over or self._is_asked_anyway(game) else forced(game.prompt)

    def _is_asked_anyway(self, game: Game) -> bool:
        """Is a question asked even if it has one answer? Others could tell from its being passed
        over what somebody holds that they cannot see."""
        asked = game.node.stop.who
        if game.node.chance:
            return False
        if any(one in self._bots for one in asked):
            return True
        others = len(self.people) > len(asked)
        return others and any(knows_more(game.linked, game.state, one) for one in asked)

    def _arrive(self, game: Game) -> None:
        old, new = self.game.node, game.node
        goes_on = old.secret and new.secret and old.row is new.row
        if not goes_on or not set(new.stop.who) < set(old.stop.who):
            self._since = game.serial
        self.game = game
        self.wish = None
        self.stamp += 1

    def _store(self, game: Game, kept: int) -> None:
        """Store the answers of `game` behind the first `kept` of them."""
        lines = [sealed(entry_data(game, one)) for one in entries_from(game, kept)]
        at = position(game)
        self.store.write(self.id, self.stored, kept, lines, at)
        self.stored = at.next

    # ------------------------------------------------------------------ back, and right

    def may_undo(self, seat: int) -> bool:
        """Is there something that this seat could take back, or ask to?"""
        chain = self.game.journal
        if seat == NOBODY or chain is None or not self.game.past or self.game.over:
            return False
        last = chain.last
        return self.leads(seat) or (last.correction is None and last.player == seat)

    def undo(self, seat: int) -> bool:
        """Take this seat's last answer back, or a correction; return False if others are asked
        first, because they have seen what came of it."""
        if not self.may_undo(seat):
            raise Refused(told("no_undo"))
        to = before_last_choice(self.game, lambda one: self._passed_over(one) is not None)
        if to is None:
            raise Refused(told("no_undo"))
        others = [one for one in self.people if one != seat]
        if self.leads(seat) or not any(_seen(self.game, one) != _seen(to, one) for one in others):
            self._go_back(to)
            return True
        self.wish = UndoWish(seat, to, set(others))
        self.stamp += 1
        return False

    def agree(self, seat: int, agrees: bool) -> None:
        """Say whether somebody may take their answer back; a leader's word is enough."""
        wish = self.wish
        if wish is None or seat not in wish.waits_for:
            raise Refused(told("no_wish"))
        self.stamp += 1
        if not agrees:
            self.wish = None
            return
        wish.waits_for.discard(seat)
        if not wish.waits_for or self.leads(seat):
            self._go_back(wish.to)

    def _go_back(self, game: Game) -> None:
        self._store(game, len(game.entries))
        self._remark(told("taken_back"))
        self._arrive(game)

    def _remark(self, text: str) -> None:
        for one in self.notes.values():
            one.remark(text)

    def correct(self, seat: int, what: str, value: str, reason: str) -> None:
        """Set a value right by hand; Refused, with the reason, for what does not fit."""
        if not self.leads(seat):
            raise Refused(told("not_leading"))
        self.take(corrected_value(self.game, what, value, reason))


def position(game: Game) -> Position:
    """The position of this moment for the store."""
    answers = game.journal.last.serial + 1 if game.journal is not None else 0
    return Position(answers, end_data(game, answers), game.over)


def entries_from(game: Game, kept: int) -> list[JournalEntry]:
    """The entries of the journal behind the first `kept`, oldest first."""

    def newest_first() -> Iterator[JournalEntry]:
        link = game.journal
        while link is not None and link.last.serial >= kept:
            yield link.last
            link = link.before

    return list(newest_first())[::-1]


def _seen(game: Game, seat: int) -> object:
    """The board as a seat sees it, without question and log."""
    shown = view(game, seat, ())
    return shown["things"], shown["zones"], shown["scope"]
