"""One game in play for all players at its table: answers, bots, undo, corrections.

Each change is stored before anybody can see it: if that fails, the table is unchanged. The methods block, and
are called by one thread at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from hmac import compare_digest
from secrets import token_bytes
from typing import TypeVar

from ruleloom.api.languages import language_for
from ruleloom.api.linking import linked_for
from ruleloom.bots.arena import make_bot
from ruleloom.bots.bot import Bot
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.play.game import Game, prompt_id, read_in
from ruleloom.runtime.play.journal import (
    Header,
    loaded,
    replayed,
    seam_of,
    seam_read,
    settings_read,
    world_read,
)
from ruleloom.runtime.play.scan import Scan, unsealed
from ruleloom.runtime.play.view import view
from ruleloom.runtime.program.canonical_json import SaveError, read_json
from ruleloom.runtime.program.faults import Origin, Refused
from ruleloom.runtime.program.language import ENGLISH, Language
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_of
from ruleloom.runtime.search.options import Keys
from ruleloom.scenes.scene import NOBODY
from ruleloom.table.authorised_view import (
    NOT_ASKED,
    AuthorisedView,
    NotDrawn,
    answered_by,
    before_last_choice,
    knows_more,
    throwers,
    thrown,
)
from ruleloom.table.canvas import Look
from ruleloom.table.drawing import PlainTable, table_for
from ruleloom.table.lookups import corrected_value
from ruleloom.table.narration import Notes
from ruleloom.table.panels import AskedField, answer_panel, panel
from ruleloom.table.questions import forced
from ruleloom.table.seats import Seat
from ruleloom.table.standing import StandingAnswers
from ruleloom.web.pages import told
from ruleloom.web.table_store import KeptTable, NotStored, TableStore

# Forced answers are given without asking, at most so many in a row.
MOST_FORCED = 1_000
# The secret key for prompt ids, never sent to a page.
KEY = token_bytes(32)
LOOK = Look(width=64)
T = TypeVar("T")
LanguageOf = Callable[[Program, str], Language]
"""The language of a code for the readers of a program. Raises Refused if there is none."""


@dataclass
class UndoWish:
    """A player's wish to undo an answer that others saw; `waits_for` are asked."""

    by: int
    to: Game
    waits_for: set[int]


class LiveTable:
    """A table in play."""

    def __init__(
        self,
        id: str,
        game: Game,
        seats: Sequence[Seat],
        store: TableStore,
        language_of: LanguageOf = language_for,
    ) -> None:
        self.id = id
        self._language_of = language_of
        self.seats = list(seats)
        self.store = store
        # Counts changes, so that a page can order two states.
        self.stamp = 0
        # The languages of seats that do not read English.
        self.languages: dict[int, Language] = {}
        self._begin(game)

    def _begin(self, game: Game) -> None:
        """Begin with a game of this table, as loaded or under other rules."""
        self.game = game
        self.stored = len(game.entries)
        self.wish: UndoWish | None = None
        self._known = {ENGLISH.code: ENGLISH}
        self._bots = {n: self._bot(n, o.kind) for n, o in enumerate(self.seats) if not o.is_human}
        # The number of answers when the current prompt was first asked.
        self._since = game.serial
        self.standing = StandingAnswers()
        # The numbers of answers at which a panel that was sent whole goes on.
        self._inside: set[int] = set()
        # The position at which all were asked who answer in secret now.
        self._thinking: Game | None = game if game.node.secret else None
        # How often each question was put to each seat.
        self._asked: Counter[tuple[int, Origin]] = Counter()
        # Is the open question the one that was answered last?
        self.goes_round = False
        # The log so far, for each seat and for spectators.
        self.notes = {one: self._notes_for(one) for one in range(NOBODY, len(self.seats))}

    def change_rules(self, game: Game, answers: int) -> None:
        """Go on with this game by other rules, beyond a seam or before it. Raises Refused if somebody has
        answered since there were so many answers."""
        if self.game.serial != answers:
            raise Refused(told("answered_meanwhile"))
        languages, self.languages = self.languages, {}
        self.store.change_rules(self.id, self.stored, game)
        self._begin(game)
        self.stamp += 1
        for seat, language in languages.items():
            self.read_by(seat, language.code)

    def _notes_for(self, reader: int) -> Notes:
        """The log so far as a seat, or a spectator, reads it."""
        notes = Notes(self.reading(reader).linked, reader, LOOK.width)
        notes.see_all(self.game)
        return notes

    # ------------------------------------------------------------------ who sits there

    def _bot(self, seat: int, kind: str) -> Bot:
        """The bot of a seat; Refused for a kind that cannot play this game."""
        seed = (self.game.seed or 0) + self.game.serial
        return make_bot(kind, self.game.linked, seed, seat)

    @property
    def people(self) -> list[int]:
        """The seats of persons."""
        return [number for number, seat in enumerate(self.seats) if seat.is_human]

    def leads(self, seat: int) -> bool:
        """May this seat correct values, and decide for absent players?"""
        return seat != NOBODY and self.seats[seat].leads

    def change_seat(self, seat: int, kind: str) -> None:
        """Replace the player of a seat by a bot of this kind, or by a person."""
        changed = replace(self.seats[seat], kind=kind)
        bots = {} if changed.is_human else {seat: self._bot(seat, kind)}
        self.store.change_seat(self.id, seat, changed)
        self.seats[seat] = changed
        self._bots = {n: bot for n, bot in self._bots.items() if n != seat} | bots
        self.stamp += 1

    # ------------------------------------------------------------------ languages

    def read_by(self, seat: int, code: str) -> None:
        """Show the table to a seat in a language. Raises Refused for one that there is not."""
        if code not in self._known:
            self._known[code] = self._language_of(self.game.linked.original.program, code)
        if self._known[code] is not self.languages.get(seat, ENGLISH):
            self.languages[seat] = self._known[code]
            self.notes[seat] = self._notes_for(seat)
            self.stamp += 1

    def in_language(self, seat: int, work: Callable[[], T]) -> T:
        """The result of work; what is refused is refused in the language of a seat."""
        try:
            return work()
        except Refused as refused:
            refused.args = (self.languages.get(seat, ENGLISH).refusal(refused),)
            raise

    def reading(self, seat: int) -> Game:
        """The game in the language of a seat."""
        return read_in(self.game, self.languages.get(seat, ENGLISH))

    def drawing(self, seat: int) -> PlainTable:
        """The drawing of the table in the language of a seat."""
        language = self.languages.get(seat, ENGLISH)
        return table_for(self.reading(seat).linked, replace(LOOK, language=language))

    # ------------------------------------------------------------------ answers

    def authorised(self, seat: int) -> AuthorisedView:
        """The authorised view of a seat."""
        return AuthorisedView(self.reading(seat), seat, self.people)

    def question_id(self, seat: int) -> str:
        """The id of a seat's prompt for its pages: opaque, unguessable, and stable while others answer in
        secret."""
        named = f"{self.id}.{self._since}.{seat}".encode()
        return blake2b(named, key=KEY, digest_size=15).hexdigest()

    def panel(self, seat: int, id: str, given: Sequence[Sequence[str]]) -> list[AskedField]:
        """The open panel of a seat with these answers filled in. Raises Refused if one is not on offer."""
        fields = panel(self._asked_of(seat, id), given)
        if not fields:
            raise Refused(NOT_ASKED)
        last = fields[-1]
        foreseen = not (last.view.game.node.chance or last.view.game.node.secret)
        if foreseen and last.keys is None and len(fields) <= len(given):
            last.view.answer(given[len(fields) - 1])
        return fields

    def answer(self, seat: int, id: str, given: Sequence[Sequence[str]]) -> None:
        """Answer the open panel of a seat, up to the first question that was not foreseen. Raises Refused if
        the first answer is not on offer, with a reason that the seat may know."""
        view = self._asked_of(seat, id)
        try:
            games = answer_panel(view, given)
            self._inside.update(one.serial for one in games[:-1])
            self.take(*games)
        except NotDrawn:
            # Probing a deck for its remaining cards is announced to all.
            self._remark(told("not_drawn", name=self.seats[seat].name))
            self.stamp += 1
            raise

    def _asked_of(self, seat: int, id: str) -> AuthorisedView:
        if not compare_digest(id.encode(), self.question_id(seat).encode()):
            raise Refused(NOT_ASKED)
        return self.authorised(seat)

    def comes_again(self, seat: int) -> bool:
        """Was the open question put to this seat before?"""
        return self._asked[seat, self.game.node.row.origin] > 1

    def answer_always(
        self, seat: int, id: str, keys: Keys, this_turn: bool, in_order: bool
    ) -> None:
        """Answer the open question of a seat, and from now on whenever it comes again: in this turn only, or
        with each of several keys in order until another question comes."""
        prompt = self._asked_of(seat, id).prompt
        if prompt is None:
            raise Refused(NOT_ASKED)
        self.standing.give(seat, prompt, keys, this_turn, in_order)
        if after := self.standing.game_after(self.authorised(seat)):
            self.take(after)
        else:  # it reveals something
            self.answer(seat, id, [keys[:1]])

    def ask_again(self, seat: int, number: int) -> None:
        """Take back a standing answer of a seat."""
        self.standing.revoke(seat, number)
        self.stamp += 1

    def bots_are_asked(self) -> bool:
        """Is it a bot's turn, or a roll or draw that no person can enter?"""
        game = self.game
        if game.over:
            return False
        if game.node.chance:
            return not throwers(game, self.people)
        return any(one in self._bots for one in game.node.stop.who)

    def bot_answers(self) -> bool:
        """Give one bot's answer, if one is asked; return whether it was."""
        game = self.game
        if not self.bots_are_asked():
            return False
        who = next((one for one in game.node.stop.who if one in self._bots), NOBODY)
        is_chance = game.node.chance
        self.take(thrown(game) if is_chance else answered_by(game, self._bots[who], who))
        return True

    def take(self, *games: Game) -> None:
        """Go on through later positions, with forced and standing answers, and store them."""
        passed = [read_in(one, ENGLISH) for one in games]
        for now in passed:
            self.standing.see(now)
        for _ in range(MOST_FORCED):
            now = passed[-1]
            only = self._passed_over(now)
            after = self._as_always(now) if only is None else now.answer(now.prompt.id, only)
            if after is None:
                break
            passed.append(after)
            self.standing.see(after)
        self._store(passed[-1], self.stored)
        before = self.game
        for after in passed:
            for one in self.notes.values():
                one.see(after, before)
            before = after
        self._arrive(passed[-1])

    def _passed_over(self, game: Game) -> tuple[str, ...] | None:
        """The only answer to a prompt that is skipped; None for all others.

        A prompt with one answer is still asked if skipping it would reveal hidden information to others.
        """
        if game.over:
            return None
        asked, linked = game.node.stop.who, game.linked
        # Of a secret choice whoever is asked looks on as well.
        others = len(self.people) > len(asked) or (game.node.secret and game.node.asks_regardless)
        is_asked = not game.node.chance and (
            any(one in self._bots for one in asked)
            or (others and any(knows_more(linked, game.state, one) for one in asked))
        )
        return None if is_asked else forced(game.prompt)

    def _as_always(self, game: Game) -> Game | None:
        """The game after a standing answer; None without one, and if it would reveal something."""
        if game.over or game.node.chance:
            return None
        seat = game.node.stop.who[0]
        return self.standing.game_after(replace(self.authorised(seat), game=game))

    def _arrive(self, game: Game) -> None:
        old, new = self.game.node, game.node
        goes_on = old.secret and new.secret and old.row is new.row
        if not goes_on or not set(new.stop.who) < set(old.stop.who):
            self._thinking = game if new.secret else None
            self._since = game.serial
            self.goes_round = old.row is new.row
            self._asked.update((seat, new.row.origin) for seat in new.stop.who)
        # The numbers of answers that were gone back over come again.
        self._inside = {one for one in self._inside if one < game.serial}
        self.game = game
        self.wish = None
        self.stamp += 1

    def _store(self, game: Game, kept: int) -> None:
        """Store the answers of `game` after the first `kept`."""
        self.store.write(self.id, self.stored, kept, game)
        self.stored = len(game.entries)

    # ------------------------------------------------------------------ back, and right

    def may_undo(self, seat: int) -> bool:
        """Is there something that this seat could undo, or ask to undo?"""
        if self._has_answered_in_secret(seat):
            return True
        chain = self.game.journal
        if seat == NOBODY or chain is None or not self.game.past or self.game.over:
            return False
        last = chain.last
        return self.leads(seat) or (last.correction is None and last.player == seat)

    def undo(self, seat: int) -> bool:
        """Undo this seat's last answer or panel, or a correction; return False if others are asked first,
        because they have seen its outcome."""
        if not self.may_undo(seat):
            raise Refused(told("no_undo"))
        if self._has_answered_in_secret(seat):
            self._think_again(seat)
            return True
        to = before_last_choice(self.game, self._is_passed)
        if to is None:
            raise Refused(told("no_undo"))
        others = [one for one in self.people if one != seat]
        if self.leads(seat) or not any(_seen(self.game, one) != _seen(to, one) for one in others):
            self._go_back(to)
            return True
        self.wish = UndoWish(seat, to, set(others))
        self.stamp += 1
        return False

    def _has_answered_in_secret(self, seat: int) -> bool:
        """Has this seat answered a question that others still think about?"""
        first = self._thinking
        return first is not None and seat in first.node.stop.who and seat not in self._thinkers

    @property
    def _thinkers(self) -> tuple[int, ...]:
        return self.game.node.stop.who if self.game.node.secret else ()

    def _think_again(self, seat: int) -> None:
        """Take back this seat's secret answer; those of others stay."""
        assert self._thinking is not None
        game, kept = self._thinking, len(self._thinking.entries)
        for entry in self.game.entries[kept:]:
            if entry.player != seat:
                game = game.answer(prompt_id(game, entry.player), entry.keys)
        self._store(game, kept)
        self.notes[seat].remark(told("taken_back"))
        since, thinking = self._since, self._thinking  # others go on thinking
        self._arrive(game)
        self._since, self._thinking = since, thinking

    def _is_passed(self, game: Game) -> bool:
        """Was the question of a position answered without being asked by itself?"""
        return game.serial in self._inside or self._passed_over(game) is not None

    def agree(self, seat: int, agrees: bool) -> None:
        """Vote on another player's undo; a leader's vote is enough."""
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
        """Correct a value by hand. Raises Refused with the reason if it is invalid."""
        if not self.leads(seat):
            raise Refused(told("not_leading"))
        self.take(corrected_value(self.game, what, value, reason))


def _seen(game: Game, seat: int) -> object:
    """The board as seen by a seat, without prompt and log."""
    shown = view(game, seat, ())
    return shown["things"], shown["zones"], shown["scope"]


# ---------------------------------------------------------------------------------- from the store


def load_table(store: TableStore, id: str, language_of: LanguageOf = language_for) -> LiveTable:
    """A table loaded from the store; NoTable if there is none, NotStored if unreadable."""
    kept = store.table(id)
    try:
        return LiveTable(id, _game_of(store, kept), kept.seats, store, language_of)
    except SaveError as error:
        raise NotStored(f"this table cannot be played on: {error}") from None


def _game_of(store: TableStore, kept: KeptTable) -> Game:
    program, head = _program(store, kept.program), kept.header
    settings = settings_read(program, head["settings"])
    linked = linked_for(program, tuple(head["players"]), settings)
    answers = tuple(map(unsealed, store.lines(kept.id)))
    world, joined = world_read(linked, head["world"]), seam_read(head.get("seam"))
    header, seam = Header(linked, head["seed"], world, joined), None
    if joined is not None:
        text = store.before_seam(kept.id)
        seam = seam_of(header, loaded(text, driver_of).game, text)
    return replayed(header, Scan("", {}, answers, kept.end, None), seam)[0]


@lru_cache(maxsize=32)
def _program(store: TableStore, hash_: str) -> Program:
    """A program, shared by all its tables."""
    return program_of(read_json(store.program(hash_)))
