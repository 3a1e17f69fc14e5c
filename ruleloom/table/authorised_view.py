"""The authorised view of a game: what one seat is asked, may read of it, and may answer.

Every route to a game goes through it: pages and what they send, what is looked up, and the screen
that several people share. A question of another seat is not there, whatever is said to it: there is
one refusal for all that this seat is not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cached_property

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.labels import title_text
from ruleloom.runtime.play.corrections import things_there
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Draw, Roll, Take
from ruleloom.runtime.program.values import Dynamic, Type
from ruleloom.runtime.search.options import Option, Prompt, Refusal
from ruleloom.table.prompt_text import Choice
from ruleloom.table.shown_question import Describing, choices_of, type_of

NOT_ASKED = "this is not asked of you now"
NOT_DRAWN = "this cannot have been drawn: one of those on the list is asked for"


class NotDrawn(Refused):
    """A card that a real deck cannot have shown."""


def throwers(game: Game, people: Sequence[int]) -> list[int]:
    """The people who may type the result of real dice or of a real deck: of a secret one its only
    viewer, if that is a person; of any other all people."""
    node = game.node
    who = [one for one in node.stop.who if one in people]
    if who or not node.confided:
        return who or list(people)
    # The host deals the hand of a bot; its other secrets nobody types.
    is_dealt = isinstance(node.row, Draw) and not isinstance(node.row, Take)
    return list(people[:1]) if is_dealt else []


def was_corrected(game: Game) -> bool:
    """Was a value set right by hand last?"""
    return game.journal is not None and game.journal.last.correction is not None


def before_last_choice(game: Game, is_forced: Callable[[Game], bool]) -> Game | None:
    """The moment before the last real choice, over questions with one answer, or before a later
    correction; None if there was no choice."""
    by_hand, game = was_corrected(game), game.undo()
    if by_hand:
        return game
    while game.past and not was_corrected(game) and is_forced(game):
        game = game.undo()
    return None if is_forced(game) else game


@dataclass(frozen=True)
class AuthorisedView:
    """A game as one seat may use it; `people` are the seats that persons answer for."""

    game: Game
    seat: int
    people: Sequence[int]

    @cached_property
    def prompt(self) -> Prompt | None:
        """The open question of this seat, with what is on offer as far as the seat may know it; None
        if it is asked nothing."""
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

    def choices(self, drawing: Describing) -> list[Choice]:
        """The options of the question as they are numbered; none where none are listed."""
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
        """A question about a deck, with every card unseen by this seat as an option.

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
        """The draw that a person typed; one refusal for every impossible one."""
        linked, world, kind = self.game.linked, self.game.state.world, type_of(self.game.node)
        offered, entity = self.game.node.options, linked.entities.get(kind)
        named = [one.value for one in prompt.options if one.key in keys]
        if len(keys) != 1 or not named:
            raise NotDrawn(NOT_DRAWN)
        if named[0] in offered:
            return named[0]
        # Of things alike, whichever is there has been drawn.
        if entity is not None and entity.alike:
            title = title_text(linked, world, Type(kind), named[0])
            for one in offered:
                if title_text(linked, world, Type(kind), one) == title:
                    return one
        raise NotDrawn(NOT_DRAWN)
