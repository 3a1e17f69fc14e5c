"""The authorised view of a game: what one seat is asked, may read, and may answer.

All access to a game goes through it: pages and their requests, lookups, and the screen that several people
share. Prompts of other seats are invisible, whatever is answered to them: the refusal is always the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from random import SystemRandom

from ruleloom.bots.bot import Bot, keys_for
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.labels import moment_of, title_text, worded
from ruleloom.runtime.play.corrections import things_there
from ruleloom.runtime.play.event_log import tell
from ruleloom.runtime.play.game import Game, prompt_id
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Choose, Draw, Modal, Roll, Take
from ruleloom.runtime.program.state import Event, State, frames
from ruleloom.runtime.program.values import Dynamic, Type
from ruleloom.runtime.search.node import PlayNode, sampled
from ruleloom.runtime.search.options import Option, Prompt, Refusal
from ruleloom.scenes.scene import NOBODY, TableScene
from ruleloom.table.drawing import PlainTable
from ruleloom.table.questions import Choice, choices_of, type_of

# Kinds of events that the table does not show afterwards. Cards that a player draws are in their
# hand.
CONFIDED = ("told", "looked", "shown", "rolled", "picked", "revealed")


def is_private(game: Game, player: int) -> bool:
    """Would the table or the open prompt show this player something that others may not see?"""
    node = game.node
    asked = node.secret or node.confided or any(_in_question(node, player))
    return asked or knows_more(game.linked, game.state, player)


def knows_more(linked: Linked, state: State, player: int) -> bool:
    """Does the player see a zone or a variable on the table that others do not?"""
    mine, theirs = TableScene(linked, state, player), TableScene(linked, state, NOBODY)
    zones = (
        one.many and one.things is not None and other.things is None
        for one, other in zip(mine.zones(), theirs.zones(), strict=True)
        if one.owner in (None, player)
    )
    variables = range(len(linked.program.scope))
    return any(zones) or any(theirs.hides(one) and not mine.hides(one) for one in variables)


def _in_question(node: PlayNode, player: int) -> Iterator[bool]:
    """Is a prompt, or its context, known to its player alone?"""
    secrecy, row, state = secrecy_of(node.linked), node.row, node.state
    for frame in frames(state.frame):
        routine = node.linked.routines[frame.routine]
        for slot, value in enumerate(frame.slots):
            about = (routine.id, ("slot", slot), frame.slots)
            yield value is not None and secrecy.was_told(player, *about)
    if isinstance(row, Choose):
        derived = secrecy.derived.of(node.routine.id, row.domain, node.frame.pc)
        offered = tuple(node.stop.found)
        yield secrecy.hides(NOBODY, Type.parse(row.type), offered, (state.world,), derived)
    ways = (mode.label for mode in row.modes) if isinstance(row, Modal) else ()
    for words in (getattr(row, "prompt", ""), *ways):
        if not isinstance(words, str):  # its wording may differ between the player and others
            moment = moment_of(node.linked, state)
            mine, theirs = (worded(node.linked, words, moment, (one,)) for one in (player, NOBODY))
            yield mine != theirs


def confided(linked: Linked, events: Iterable[Event], player: int) -> list[str]:
    """These events' messages for one player alone."""
    own = ((event, tell(linked, event, player)) for event in events if event.kind in CONFIDED)
    return [text for event, text in own if text and text != tell(linked, event, NOBODY)]


NOT_ASKED = "this is not asked of you now"
NOT_DRAWN = "this cannot have been drawn: one of those on the list is asked for"


class NotDrawn(Refused):
    """A card that a real deck cannot have shown."""


def throwers(game: Game, people: Sequence[int]) -> list[int]:
    """The people who may enter the result of real dice or a real deck: for a secret one, only its viewer, if
    a person; otherwise everybody."""
    node = game.node
    who = [one for one in node.stop.who if one in people]
    if who or not node.confided:
        return who or list(people)
    # The host deals the hand of a bot; nobody enters its other secrets.
    is_dealt = isinstance(node.row, Draw) and not isinstance(node.row, Take)
    return list(people[:1]) if is_dealt else []


def answered_by(game: Game, bot: Bot, player: int) -> Game:
    """The game after a bot's answer as this player."""
    keys = keys_for(game.node, bot.answer(game.node, player), player)
    return game.answer(prompt_id(game, player), keys)


def thrown(game: Game) -> Game:
    """The game after a random roll or draw that nobody enters."""
    return game.choose(sampled(game.node, SystemRandom().randrange))


def was_corrected(game: Game) -> bool:
    """Was the last change a correction?"""
    return game.journal is not None and game.journal.last.correction is not None


def before_last_choice(game: Game, is_forced: Callable[[Game], bool]) -> Game | None:
    """The position before the last real choice, skipping forced answers, or before a later correction; None
    if there was no choice."""
    by_hand, game = was_corrected(game), game.undo()
    if by_hand:
        return game
    while game.past and not was_corrected(game) and is_forced(game):
        game = game.undo()
    return None if is_forced(game) else game


@dataclass(frozen=True)
class AuthorisedView:
    """A game as one seat may use it; `people` are the seats of persons."""

    game: Game
    seat: int
    people: Sequence[int]

    @cached_property
    def prompt(self) -> Prompt | None:
        """The open prompt of this seat, with the options that the seat may know; None if it is not asked."""
        game = self.game
        if game.over or self.seat not in self.people:
            return None
        if not game.node.chance:
            return next((one for one in game.prompts if one.player == self.seat), None)
        return self._unseen(game.prompt) if self.seat in throwers(game, self.people) else None

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """The refused options of this seat, with reasons."""
        return () if self.prompt is None else self.game.refusals

    def choices(self, drawing: PlainTable) -> list[Choice]:
        """The numbered options of the prompt; empty if none are listed."""
        prompt = self.prompt
        if prompt is None or prompt.kind in ("roll", "text"):
            return []
        return choices_of(prompt, self.game.node, drawing)

    def answer(self, keys: Sequence[str]) -> Game:
        """The game after this seat's answer; Refused, with a reason that this seat may know."""
        prompt, node = self.prompt, self.game.node
        if prompt is None:
            raise Refused(NOT_ASKED)
        if node.chance and not isinstance(node.row, Roll):
            return self.game.choose(self._drawn(prompt, keys))
        return self.game.answer(prompt.id, keys)

    def _unseen(self, prompt: Prompt) -> Prompt:
        """A deck prompt with all cards that this seat does not see as options.

        A shorter list would show what others hold.
        """
        node, linked, world = self.game.node, self.game.linked, self.game.state.world
        kind = type_of(node)
        entity, of, secrecy = linked.entities.get(kind), Type(kind), secrecy_of(linked)

        def hides(thing: Dynamic) -> bool:
            return secrecy.hides(self.seat, of, thing, (world,))

        if entity is None or not any(hides(one.value) for one in prompt.options):
            return prompt
        offered = {one.value for one in prompt.options}
        options = tuple(
            Option(key, title_text(linked, world, of, thing), thing)
            for key, thing in things_there(linked, world, entity).items()
            if thing in offered or hides(thing)
        )
        return replace(prompt, options=options, weights=())

    def _drawn(self, prompt: Prompt, keys: Collection[str]) -> Dynamic:
        """The draw that a person entered; one refusal for any impossible one."""
        linked, world, kind = self.game.linked, self.game.state.world, type_of(self.game.node)
        offered, entity = self.game.node.options, linked.entities.get(kind)
        named = [one.value for one in prompt.options if one.key in keys]
        if len(keys) != 1 or not named:
            raise NotDrawn(NOT_DRAWN)
        if named[0] in offered:
            return named[0]
        # Of equal things, take one that can be drawn.
        if entity is not None and entity.alike:
            title = title_text(linked, world, Type(kind), named[0])
            for one in offered:
                if title_text(linked, world, Type(kind), one) == title:
                    return one
        raise NotDrawn(NOT_DRAWN)
