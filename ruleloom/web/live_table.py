"""One game in play for all players at its table (answers, bots, undo, corrections), and the data sent to each
seat.

Each change is stored before anybody can see it: if that fails, the table is unchanged. The methods block, and
are called by one thread at a time. All data for a page is made here: the board, the prompt, the seats to act,
the log, and lookups. Each part respects the machine's secrecy, and never looks at another seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from hmac import compare_digest
from secrets import token_bytes

from ruleloom.api.linking import linked_for
from ruleloom.bots.arena import make_bot
from ruleloom.bots.bot import Bot
from ruleloom.output.printed import chronicle_html, chronicle_of
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.play.game import Game, beginning, moments
from ruleloom.runtime.play.journal import (
    Header,
    Scan,
    replayed,
    settings_read,
    unsealed,
    world_read,
)
from ruleloom.runtime.play.view import view
from ruleloom.runtime.program.canonical_json import SaveError, read_json
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.program import Program, Roll, RollEach
from ruleloom.runtime.program.program_json import program_of
from ruleloom.runtime.program.values import Dynamic
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.options import Prompt, open_roll
from ruleloom.scenes.boards import Json, board_seen
from ruleloom.scenes.scene import NOBODY, ref_of
from ruleloom.table.authorised_view import (
    NOT_ASKED,
    AuthorisedView,
    NotDrawn,
    answered_by,
    before_last_choice,
    is_private,
    knows_more,
    throwers,
    thrown,
)
from ruleloom.table.canvas import Look
from ruleloom.table.drawing import PlainTable, table_for
from ruleloom.table.lookups import asking_rules, corrected_value, read_up, why
from ruleloom.table.narration import Notes, gathered
from ruleloom.table.questions import all_numbers, asking_title, forced, type_of
from ruleloom.table.seats import Seat
from ruleloom.web.pages import told
from ruleloom.web.requests import BadInput
from ruleloom.web.table_store import KeptTable, NotStored, TableStore

# Forced answers are given without asking, at most so many in a row.
MOST_FORCED = 1_000
# The secret key for prompt ids, never sent to a page.
KEY = token_bytes(32)
LOOK = Look(width=64)


@dataclass
class UndoWish:
    """A player's wish to undo an answer that others saw; `waits_for` are asked."""

    by: int
    to: Game
    waits_for: set[int]


class LiveTable:
    """A table in play."""

    def __init__(self, id: str, game: Game, seats: Sequence[Seat], store: TableStore) -> None:
        self.id = id
        self.game = game
        self.seats = list(seats)
        self.store = store
        self.stored = len(game.entries)
        # Counts changes, so that a page can order two states.
        self.stamp = 0
        self.wish: UndoWish | None = None
        self.drawing: PlainTable = table_for(game.linked, LOOK)
        self._bots = {n: self._bot(n, one.kind) for n, one in enumerate(seats) if not one.is_human}
        # The number of answers when the current prompt was first asked.
        self._since = game.serial
        # The log so far, for each seat and for spectators.
        readers = range(NOBODY, len(seats))
        self.notes = {one: Notes(game.linked, one, LOOK.width) for one in readers}
        for note in self.notes.values():
            note.see(beginning(game))
        for moment in moments(game):
            for note in self.notes.values():
                note.see(moment.after, moment.before)

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

    # ------------------------------------------------------------------ answers

    def authorised(self, seat: int) -> AuthorisedView:
        """The authorised view of a seat."""
        return AuthorisedView(self.game, seat, self.people)

    def question_id(self, seat: int) -> str:
        """The id of a seat's prompt for its pages: opaque, unguessable, and stable while others answer in
        secret."""
        named = f"{self.id}.{self._since}.{seat}".encode()
        return blake2b(named, key=KEY, digest_size=15).hexdigest()

    def answer(self, seat: int, id: str, keys: Sequence[str]) -> None:
        """Answer the open prompt of a seat. Raises Refused, with a reason that the seat may know."""
        if not compare_digest(id.encode(), self.question_id(seat).encode()):
            raise Refused(NOT_ASKED)
        try:
            self.take(self.authorised(seat).answer(list(keys)))
        except NotDrawn:
            # Probing a deck for its remaining cards is announced to all.
            self._remark(told("not_drawn", name=self.seats[seat].name))
            self.stamp += 1
            raise

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

    def take(self, game: Game) -> None:
        """Go on to a later position, with forced answers, and store it."""
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
        """The only answer to a prompt that is skipped; None for all others.

        A prompt with one answer is still asked if skipping it would reveal hidden information to others.
        """
        if game.over:
            return None
        asked, linked = game.node.stop.who, game.linked
        others = len(self.people) > len(asked)
        is_asked = not game.node.chance and (
            any(one in self._bots for one in asked)
            or (others and any(knows_more(linked, game.state, one) for one in asked))
        )
        return None if is_asked else forced(game.prompt)

    def _arrive(self, game: Game) -> None:
        old, new = self.game.node, game.node
        goes_on = old.secret and new.secret and old.row is new.row
        if not goes_on or not set(new.stop.who) < set(old.stop.who):
            self._since = game.serial
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
        chain = self.game.journal
        if seat == NOBODY or chain is None or not self.game.past or self.game.over:
            return False
        last = chain.last
        return self.leads(seat) or (last.correction is None and last.player == seat)

    def undo(self, seat: int) -> bool:
        """Undo this seat's last answer, or a correction; return False if others are asked first, because they
        have seen its outcome."""
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


# With more options the dice behind each are not computed; more refusals are not listed.
MOST_LOOKED_AT, MOST_REFUSALS = 40, 80
PAGES = 6
LONGEST = 300


def seat_view(table: LiveTable, seat: int) -> Json:
    """The table as `seat` may see it now; for `NOBODY`, as spectators do."""
    game, view, notes = table.game, table.authorised(seat), table.notes[seat]
    program, prompt, wish = game.linked.program, view.prompt, table.wish
    end = game.outcome
    return {
        "type": "table",
        "stamp": table.stamp,
        "table": table.id,
        "game": program.game,
        "title": program.title,
        "seat": seat,
        "leads": table.leads(seat),
        "seats": _seats(table),
        "secret": game.node.secret,
        "private": seat != NOBODY and not game.over and is_private(game, seat),
        "board": board_seen(game.linked, game.state, seat),
        "prompt": None if prompt is None else _asked(table, view, prompt),
        "undo": table.may_undo(seat),
        "wish": wish and {"by": table.seats[wish.by].name, "asked": seat in wish.waits_for},
        "pages": len(notes.pages),
        "log": log_pages(notes, len(notes.pages) - PAGES),
        "over": end
        and {
            "winners": [game.players[one] for one in end.winners],
            "reason": end.reason,
            "ranking": [list(rank) for rank in game.ranking],
        },
    }


def _seats(table: LiveTable) -> list[Json]:
    """The players, as everybody sees them."""
    game, waited = table.game, set[int]()
    if not game.over:
        node = game.node
        waited = set(throwers(game, table.people) if node.chance else node.stop.who)
    return [
        {"name": one.name, "kind": one.kind, "leads": one.leads, "to_act": number in waited}
        for number, one in enumerate(table.seats)
    ]


def log_pages(notes: Notes, first: int = 0) -> list[Json]:
    """The log from page `first` on, one page per turn, as its reader sees it."""
    pages = (page for page in notes.pages[max(0, first) :] if page.lines)
    return [{"heading": one.heading(one.lines), "told": gathered(one.lines)} for one in pages]


# ---------------------------------------------------------------------------------- the question


def _asked(table: LiveTable, view: AuthorisedView, prompt: Prompt) -> Json:
    """The open prompt of a seat: its options, its refused options, the asking rules, and the dice to enter,
    or to be thrown after a text."""
    game, node = view.game, view.game.node
    dice = _dice_of(node) if node.chance else None
    return {
        "id": table.question_id(view.seat),
        "kind": prompt.kind,
        "text": prompt.text[:1].upper() + prompt.text[1:],
        "title": asking_title(prompt, node, view.seat),
        "numbers": bool(prompt.options) and all_numbers(prompt.options),
        "options": _options(table, view, prompt),
        "refusals": _refusals(view, type_of(node)),
        "least": prompt.least,
        "most": prompt.most,
        "usual": None if prompt.usual is None else list(prompt.usual),
        "rules": [text for _, text in asking_rules(game.linked, game.state)],
        "power": prompt.power,
        "dice": _dice_behind(node, node.found[0]) if node.writes else dice,
    }


def _options(table: LiveTable, view: AuthorisedView, prompt: Prompt) -> list[Json]:
    """The options: the keys of each (several for equal things), its label, its place on the board, and the
    dice that it throws."""
    node, kind = view.game.node, type_of(view.game.node)
    values = {option.key: option.value for option in prompt.options}
    choices = view.choices(table.drawing)
    is_one = not (node.chance or node.secret or node.takes_sets)
    look_ahead = len(choices) <= MOST_LOOKED_AT and is_one
    return [
        {
            "keys": list(one.keys),
            "text": one.text,
            "ref": ref_of(node.linked, node.state.world, kind, values[one.keys[0]]),
            "dice": _dice_behind(node, values[one.keys[0]]) if look_ahead else None,
        }
        for one in choices
    ]


def _refusals(view: AuthorisedView, kind: str) -> list[Json]:
    """The refused options, with reasons; equal ones are merged."""
    linked = view.game.linked
    is_place = kind in linked.entities or kind in linked.layout.points
    found = {(one.label.partition("#")[0], one.reason): one for one in reversed(view.refusals)}
    return [
        {"text": one.label, "reason": one.reason, "ref": f"{kind}:{one.key}" if is_place else None}
        for one in list(reversed(found.values()))[:MOST_REFUSALS]
    ]


def _dice_of(node: PlayNode) -> Json | None:
    """The dice thrown at a node: each counts, or only their sum."""
    count, sides = node.dice if isinstance(node.row, Roll) else (0, 0)
    dice = {"count": count, "sides": sides, "each": isinstance(node.row, RollEach)}
    return dice if count else None


def _dice_behind(node: PlayNode, value: Dynamic) -> Json | None:
    """The dice that an answer throws at once, if they are public."""
    try:
        after = open_roll(node, value)
        return None if after is None else _dice_of(after)
    except RuntimeFault:  # reported when the option is taken
        return None


# ---------------------------------------------------------------------------------- lookups


def rules_text(table: LiveTable, seat: int, name: str, in_full: bool) -> list[str]:
    """The rules text of a thing: as on its card, or step by step."""
    choices = table.authorised(seat).choices(table.drawing)
    return read_up(table.game, _short(name), choices, in_full, LOOK)


def reasons(table: LiveTable, seat: int, what: str) -> list[str]:
    """The derivation of a value, as far as this seat may see."""
    return why(table.game, _short(what), seat, LOOK)


def whole_log(table: LiveTable, seat: int) -> list[Json]:
    """The log from the start, as this seat may read it."""
    return log_pages(table.notes[seat])


def chronicle(table: LiveTable) -> str:
    """The chronicle of the game as an HTML page, for the host: it hides nothing."""
    return chronicle_html(chronicle_of(table.game))


def _short(text: str) -> str:
    if len(text) > LONGEST:
        raise BadInput(f"a name has at most {LONGEST} characters")
    return text


# ---------------------------------------------------------------------------------- from the store


def load_table(store: TableStore, id: str) -> LiveTable:
    """A table loaded from the store; NoTable if there is none, NotStored if unreadable."""
    kept = store.table(id)
    try:
        return LiveTable(id, _game_of(store, kept), kept.seats, store)
    except SaveError as error:
        raise NotStored(f"this table cannot be played on: {error}") from None


def _game_of(store: TableStore, kept: KeptTable) -> Game:
    program, head = _program(store, kept.program), kept.header
    settings = settings_read(program, head["settings"])
    linked = linked_for(program, tuple(head["players"]), settings)
    answers = tuple(map(unsealed, store.lines(kept.id)))
    header = Header(linked, head["seed"], world_read(linked, head["world"]))
    return replayed(header, Scan("", {}, answers, kept.end, None))[0]


@lru_cache(maxsize=32)
def _program(store: TableStore, hash_: str) -> Program:
    """A program, shared by all its tables."""
    return program_of(read_json(store.program(hash_)))
