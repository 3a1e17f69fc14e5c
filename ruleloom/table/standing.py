"""Standing answers: what players have said to answer whenever a question comes again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from ruleloom.runtime.play.game import Game, has_shown
from ruleloom.runtime.program.faults import Origin, Refused
from ruleloom.runtime.search.options import Keys, Prompt
from ruleloom.table.authorised_view import AuthorisedView
from ruleloom.table.panels import after_answer

# Kinds of prompts that are answered by one key.
ONE_KEY = ("choose", "number", "mode", "optional", "combine")
MOST = 40


class StandingAnswer(NamedTuple):
    """A player's answer to the question of a row: the first of `keys` that is on offer.

    `this_turn` ends it with the turn; `in_order` gives each key once, until another question comes.
    """

    origin: Origin
    text: str
    keys: Keys
    labels: tuple[str, ...]
    this_turn: bool = False
    in_order: bool = False

    def lasts(self, game: Game) -> bool:
        """Is the answer still meant at a position that was just reached?"""
        new_turn = self.this_turn and any(one.kind == "turn" for one in game.events)
        other = self.in_order and (game.over or game.node.row.origin != self.origin)
        return bool(self.keys) and not new_turn and not other


class StandingAnswers:
    """The standing answers at a table, by seat, oldest first."""

    def __init__(self) -> None:
        self._by_seat: dict[int, list[StandingAnswer]] = {}

    def of(self, seat: int) -> Sequence[StandingAnswer]:
        """The standing answers of a seat."""
        return self._by_seat.get(seat, [])

    def give(
        self, seat: int, prompt: Prompt, keys: Keys, this_turn: bool = False, in_order: bool = False
    ) -> None:
        """Keep an answer to a prompt's question instead of an earlier one; Refused if it cannot be kept."""
        labels = {base(one.key): one.label.partition("#")[0] for one in prompt.options}
        wanted = tuple(map(base, keys))
        if prompt.kind not in ONE_KEY or not wanted or not set(wanted) <= labels.keys():
            raise Refused("only an option that is on offer can be a standing answer")
        told = tuple(labels[one] for one in wanted)
        new = StandingAnswer(prompt.origin, prompt.text, wanted, told, this_turn, in_order)
        others = [one for one in self.of(seat) if one.origin != prompt.origin]
        self._by_seat[seat] = [*others, new][-MOST:]

    def revoke(self, seat: int, number: int) -> None:
        """Take back the standing answer of this number; Refused if there is none."""
        mine = self._by_seat.get(seat, [])
        if not 0 <= number < len(mine):
            raise Refused("there is no such standing answer")
        del mine[number]

    def see(self, game: Game) -> None:
        """Forget the answers that end at this position."""
        for seat, mine in self._by_seat.items():
            self._by_seat[seat] = [one for one in mine if one.lasts(game)]

    def forget_lists(self) -> bool:
        """Forget all that is given in order; return whether there was any."""
        every = self._by_seat
        self._by_seat = {n: [one for one in mine if not one.in_order] for n, mine in every.items()}
        return self._by_seat != every

    def drop_missing(self, seat: int, prompt: Prompt) -> list[str]:
        """Drop from a list the keys before the first that is on offer; return them."""
        offered = {base(one.key) for one in prompt.options}
        for one in self.of(seat):
            if one.origin == prompt.origin and one.in_order:
                missing = list(takewhile(lambda key: key not in offered, one.keys))
                self._take_off(seat, prompt.origin, len(missing))
                return missing
        return []

    def game_after(self, view: AuthorisedView) -> Game | None:
        """The game after a standing answer; None without one on offer, and if it reveals something."""
        prompt = view.prompt
        if prompt is None or view.game.node.chance or view.game.node.secret:
            return None
        offered = {base(one.key): one.key for one in reversed(prompt.options)}
        wanted = next((one.keys for one in self.of(view.seat) if one.origin == prompt.origin), ())
        at = next((at for at, key in enumerate(wanted) if key in offered), None)
        after = None if at is None else after_answer(view, (offered[wanted[at]],))
        if at is None or after is None or has_shown(after.node):
            return None
        self._take_off(view.seat, prompt.origin, at + 1)
        return after

    def _take_off(self, seat: int, origin: Origin, many: int) -> None:
        self._by_seat[seat] = [
            one._replace(keys=one.keys[many:]) if one.in_order and one.origin == origin else one
            for one in self.of(seat)
        ]


def base(key: str) -> str:
    """The key of a thing, common to all equal ones."""
    return key.partition("#")[0]
