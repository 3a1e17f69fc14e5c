"""One game at a table: its position, seats, log and drawing."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace

from ruleloom.bots.bot import PresetAnswer
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.ir import Row
from ruleloom.runtime.program.state import State
from ruleloom.runtime.search.options import Prompt
from ruleloom.scenes.scene import NOBODY
from ruleloom.table.authorised_view import AuthorisedView, confided, is_private, knows_more
from ruleloom.table.canvas import Look, wrapped
from ruleloom.table.chances import chance_told
from ruleloom.table.diagram import diagram_of, tracks_drawn
from ruleloom.table.drawing import PlainTable, table_for
from ruleloom.table.line_screen import Screen
from ruleloom.table.lookups import asking_rules, says_more
from ruleloom.table.narration import Notes
from ruleloom.table.panels import AskedField, panel, rows_of
from ruleloom.table.questions import AnswerNotUnderstood, asking_title, question
from ruleloom.table.seats import Seat
from ruleloom.table.standing import StandingAnswers

ROUND = "Several answers on one line are kept for your next turns at this question."


@dataclass(slots=True)
class Session(Screen):
    """A game in progress, with its seats, look, turn limit, and save functions.

    `keep` saves it automatically; `save_as` saves it under a name (empty: the current one) and returns a
    message. `given` is a preset answer.
    """

    game: Game
    seats: tuple[Seat, ...]
    look: Look
    turn_limit: int | None
    keep: Callable[[Game], None]
    save_as: Callable[[Game, str], str]
    given: PresetAnswer | None = None
    drawing: PlainTable = field(init=False)
    people: list[int] = field(init=False)
    viewer: int | None = field(init=False)
    notes: Notes = field(init=False)
    # The game at each forced prompt that was shown since the last real one.
    forced: list[Game] = field(init=False, default_factory=list)
    # The player whose secrets are on a shared screen.
    _secrets_of: int | None = field(init=False, default=None)
    _confided: dict[int, list[str]] = field(init=False, default_factory=dict)
    # The last drawing, the end of the log then, and the turn in which everything was drawn; the
    # lines printed since.
    _drawn: State | None = field(init=False, default=None)
    _logged: tuple[int, int] = field(init=False, default=(0, 0))
    _turn: int = field(init=False, default=0)
    _whole: State | None = field(init=False, default=None)
    _lines: int = field(init=False, default=0)
    # The rules already explained, by player.
    _explained: set[tuple[int | None, str]] = field(init=False, default_factory=set)
    # The numbers of answers at which what was taken in one go goes on.
    inside: set[int] = field(init=False, default_factory=set)
    standing: StandingAnswers = field(init=False, default_factory=StandingAnswers)
    # The position at which an option was last skipped.
    left_out: Game | None = field(init=False, default=None)
    # The last prompt, and the players who were asked it; the prompt for which answers in advance
    # were announced.
    _round: tuple[Row | None, list[int | None]] = field(
        init=False, default_factory=lambda: (None, [])
    )
    _answers: int = field(init=False, default=-1)
    told_of_round: Row | None = field(init=False, default=None)
    # The start of the current turn.
    _since: State | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.look = replace(self.look, language=self.game.linked.language)
        self.drawing = table_for(self.game.linked, self.look)
        self.people = [place for place, seat in enumerate(self.seats) if seat.is_human]
        self.viewer = self.people[0] if len(self.people) == 1 else None
        # The log is for the only person; for several, it is public; without people, it is the
        # host's.
        reader = NOBODY if self.shared else self.viewer
        self.notes = Notes(self.game.linked, reader, self.look.width)
        entries = self.game.entries
        is_new = self.game.seam is None
        if not is_new or any(one.player is not None or self.game.random is None for one in entries):
            self.notes.catch_up(self.game)
        else:
            self._see(self.game, None)

    def said(self, sentence: str, **values: str) -> str:
        """A sentence of ours in the language of the table."""
        return self.look.said(sentence, **values)

    def why(self, error: AnswerNotUnderstood | Refused) -> str:
        """Why a typed line was not taken."""
        if isinstance(error, AnswerNotUnderstood):
            return error.told(self.look.language)
        return self.look.language.refusal(error)

    @property
    def shared(self) -> bool:
        """Do several people share this screen?"""
        return len(self.people) > 1

    @property
    def audience(self) -> list[int | None]:
        """The current readers of the screen: all, unless it shows secrets."""
        if self.shared and self._secrets_of is not None:
            return [self._secrets_of]
        return [self.viewer, None, *self.people]

    def take(self, game: Game) -> None:
        """Go on to the next position; at a turn's end show its log, and save the game."""
        before, self.game = self.game, game
        self.standing.see(game)
        self._see(game, before)

    def _knowing(self, before: Game | None) -> list[int | None]:
        """Those who saw the latest answer typed, or see it drawn at the beginning."""
        if before is None:
            return [*self.people, self.viewer, None] if self.people else []
        return self.audience if before.node.stop.who[:1] == (self.viewer,) else []

    def _see(self, game: Game, before: Game | None) -> None:
        # Private messages for people at a shared screen wait until they sit down.
        for player in self.people if self.shared else ():
            alone = confided(game.linked, game.events, player)
            self._confided.setdefault(player, []).extend(alone)
        has_begun = self.notes.see(game, before, self._knowing(before))
        if has_begun and before is not None:
            self._since = before.state
        if game.over:
            self.rise()  # or the last news would be wiped with the secrets
        # Positions that the table has seen must survive a power failure.
        if has_begun or game.over:
            self.keep(game)
            self.tell()

    def tell(self) -> None:
        """Show new log lines."""
        first, *others = self.audience
        self.say(self.notes.news(first, others))

    def go_back(self, game: Game) -> None:
        """Go back to an earlier position, where the log continues."""
        self.game = game
        self.left_out = None
        self.standing = StandingAnswers()
        self.inside = {one for one in self.inside if one < game.serial}
        self._drawn = None

    def sit_down(self, player: int) -> None:
        """Show a person the table and the news; hand over the keyboard if that reveals a secret."""
        if self.shared:
            self._make_room(player)
        self.viewer = player
        self.keep(self.game)
        self.tell()
        alone = self._confided.pop(player, [])
        name = self.seats[player].name
        self.say(
            [f"  {self.said('for {name} alone: {text}', name=name, text=one)}" for one in alone]
        )
        # A player who answers in secret has seen the table: only the prompt is new.
        if not self.game.node.secret or knows_more(self.game.linked, self.game.state, player):
            self._show_table()

    def _show_table(self) -> None:
        """Draw the changes that the log does not mention; in a new turn, once the last drawing has scrolled
        away, all changed lists."""
        state, old = self.game.state, self._drawn
        scrolled = self.notes.turns.begun != self._turn and self._lines >= self.drawing.stays
        if old is None or self._whole is None:
            self.draw()
        elif scrolled and self.drawing.board(state) != self.drawing.board(self._whole):
            asked = self.game.node.stop.who
            lines = self.drawing.redrawn(self._whole, state, self.viewer, asked)
            self._note_drawn()
            self.show(["", *lines])
        elif old is not state:
            told = self.notes.since(self._logged)
            self.show(self.drawing.changes(old, state, self.viewer, told))
            self._drawn, self._logged = state, self.notes.end

    def _make_room(self, player: int) -> None:
        """Wipe another player's secrets from the screen, and wait if new ones follow."""
        secret = bool(self._confided.get(player)) or is_private(self.game, player)
        if self._secrets_of == player or not (secret or self._secrets_of is not None):
            return
        if self._secrets_of is not None:
            wipe()
            self._drawn = None
            self.forced.clear()
        if knows_more(self.game.linked, self.game.state, player):
            self._drawn = None
        self._secrets_of = player if secret else None
        if secret:
            name = self.look.paint(self.seats[player].name)
            told = "The keyboard goes to {name}. Enter when nobody else looks: "
            self.read(self.said(told, name=name))

    def confide(self) -> None:
        """Mark the next output as a secret of the current player."""
        if self.shared:
            self._secrets_of = self.viewer

    def draw(self) -> None:
        """Draw the board, every player's status, and the viewer's hand."""
        self._note_drawn()
        kinds = [self.said(seat.kind) for seat in self.seats]
        asked = () if self.game.over else self.game.node.stop.who
        self.show(["", *self.drawing.board(self.game.state)])
        self.show(self.drawing.status(self.game.state, kinds, self.viewer, asked, self._since))

    def _note_drawn(self) -> None:
        self._drawn = self._whole = self.game.state
        self._turn, self._lines, self._logged = self.notes.turns.begun, 0, self.notes.end

    def rise(self) -> None:
        """Open the screen to everybody, wiping the last player's secrets."""
        if self.shared:
            if self._secrets_of is not None:
                wipe()
            self._secrets_of = self.viewer = None

    def authorised(self, player: int, game: Game | None = None) -> AuthorisedView:
        """The view of this player, of the current or another position. Without people, the spectator at the
        keyboard types for all."""
        people = self.people or range(len(self.seats))
        return AuthorisedView(self.game if game is None else game, player, people)

    def say_forced(self, prompt: Prompt, only: Sequence[str], player: int) -> None:
        """Show a prompt with its only answer, if the screen may show it."""
        is_open = not self.shared or self._secrets_of == player
        if self.viewer == player and (is_open or not is_private(self.game, player)):
            labels = [option.label for option in prompt.options if option.key in only]
            self.forced.append(self.game)
            only_one = self.said("(there is no other way)")
            told = f"{', '.join(labels) or self.said('none')} {only_one}"
            self.say_wrapped([f"{prompt.text}  {told}"])

    def ask(
        self,
        view: AuthorisedView,
        prompt: Prompt,
        player: int | None,
        first: Sequence[str] = (),
        fields: Sequence[AskedField] = (),
    ) -> None:
        """Show a prompt after some lines, or the fields filled in from it on, and whom it asks if several
        people look on."""
        asked = self.seats[player].name if self.shared and player is not None else ""
        told = [*first, *self._news_of_rule(prompt, player), *self._news_of_round(prompt, player)]
        choices = view.choices(self.drawing)
        title = asking_title(prompt, self.game.node, NOBODY if self.viewer is None else self.viewer)
        self.show([""])
        self.say_wrapped(told)
        if fields:
            self.show_fields(fields, asked)
        else:
            self.show(question(prompt, title, choices, self.look, asked))
        if chance := chance_told((list(fields) or panel(view))[-1]):
            self.say_wrapped([self.said("With the usual answer, {chance}.", chance=chance)], "")
        if player is not None:
            self.show_tracks(view, fields)

    def show_fields(self, fields: Sequence[AskedField], asked: str = "") -> None:
        """Show questions with the answers filled in."""
        if asked:
            self.show([self.look.paint(f"{asked}:", "bold")])
        lines, heading = [], ""
        for number, (one, row) in enumerate(zip(fields, rows_of(fields), strict=True), 1):
            if row is not None and row.heading != heading:
                lines.append(f"      {row.heading}")
            heading = row.heading if row is not None else ""
            words = one.prompt.text if row is None else f"  {row.words}"
            lines.append(f"{number:>4}  {words} [{one.said or self.said('nothing')}]")
        self.say_wrapped(lines, "")
        self.say_wrapped([self.said("Enter takes these answers; a number changes one.")], "")

    def show_tracks(self, view: AuthorisedView, fields: Sequence[AskedField]) -> None:
        """Show the tracks of a panel with these answers, their steps numbered after all else."""
        found = diagram_of(view, fields)
        if found is not None:
            first = (len(fields) or len(view.choices(self.drawing))) + 1
            lines = tracks_drawn(found[1], first)
            self.show([part for line in lines for part in wrapped(line, self.look.width, "  " * 5)])

    def _news_of_rule(self, prompt: Prompt, player: int | None) -> list[str]:
        """The gloss of the asking rule, the first time that it asks somebody on this screen."""
        linked, frame = self.game.linked, self.game.state.frame
        told = next(asking_rules(linked, self.game.state), None)
        # A thing whose text asks is named in the prompt, and `?` shows its text.
        if frame is None or told is None or told[0] != linked.routines[frame.routine].id:
            return []
        id, text = told
        if (player, id) in self._explained or not says_more(text, prompt.text):
            return []
        self._explained.update((one, id) for one in (player, *self.audience))
        return [text]

    def _news_of_round(self, prompt: Prompt, player: int | None) -> list[str]:
        """The hint on answers in advance, once a prompt has gone round the table."""
        row = self.game.node.row
        if self._round[0] is not row:
            self._round = row, []
        # After a correction or undo there is no new answer: the prompt is repeated.
        answers = sum(one.correction is None for one in self.game.entries)
        is_new, self._answers = answers > self._answers, answers
        if not is_new:
            return []
        again = player in self._round[1][:-1] and prompt.kind in ("choose", "number")
        self._round[1].append(player)
        if not again or self.told_of_round is not None:
            return []
        self.told_of_round = row
        return [self.said(ROUND)]

    def show(self, lines: Iterable[str]) -> None:
        """Print escaped lines, perhaps coloured, and count them."""
        shown = [*lines]
        self._lines += len(shown)
        Screen.show(self, shown)


def wipe() -> None:
    """Clear the screen and its scrollback."""
    if not sys.stdout.isatty():
        return
    if os.environ.get("TERM") == "dumb":
        print("\n" * shutil.get_terminal_size().lines)
    else:
        print("\x1b[2J\x1b[3J\x1b[H", end="")
