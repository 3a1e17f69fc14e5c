"""The seam of a game: where it goes on under another version of its rules.

The part before it stays as it is, in the words of its own save and under its own rules. The part after it
begins with the state that `carry` makes of its end, and counts its answers anew. A seam says little: the
names that are other ones now, and the word of the host for what is set aside. All else follows from it and
from the two versions whenever the game is loaded.
"""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play.carry import Aside, CarriedState, Waits, carry
from ruleloom.runtime.play.game import Game, Seam, begun_at
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.state import State, frames

Renames = Sequence[tuple[str, str]]
LONGEST_WORD = 500


class NoWord(Refused):
    """Something would be set aside, and the host has not said that it may be."""

    def __init__(self, aside: tuple[Aside, ...]) -> None:
        super().__init__(
            "what the new version has no place for is set aside only if the host says so"
        )
        self.aside = aside


def carried(before: Game, linked: Linked, renames: Renames) -> CarriedState:
    """The state of a game for another version of its rules. Raises Waits, with the reason.

    Where the open question stands in a routine that is another program there, and is the first of its turn,
    the turn begins anew: nobody has answered, and nothing was shown, since it began.
    """
    if before.over:
        raise Refused("the game is over: it has been played by its own rules to the end")
    names = dict(renames)
    try:
        return carry(before.linked, before.state, linked, names)
    except Waits:
        resting = _before_turn(before)
        if resting is None:
            raise
        return carry(before.linked, resting, linked, names)


def _before_turn(game: Game) -> State | None:
    """The state before the flow in which the game stands, if no answer and no chance lies between."""
    stop, linked = game.node.stop, game.linked
    outermost = [*frames(stop.state.frame)][-1].routine
    begun = next((one for one in stop.marks if one.depth == 0), None)
    if begun is None or outermost not in (linked.turn, linked.set_up):
        return None
    return State(begun.world, begun.scope, None, begun.queue, outermost == linked.turn, None)


def join(before: Game, text: str, linked: Linked, renames: Renames, agreed: str) -> Seam:
    """The seam between a game, in the `text` of its save, and another version of its rules.

    Raises Waits, and NoWord where something is set aside and `agreed` is empty.
    """
    found = carried(before, linked, renames)
    if found.aside and not agreed.strip():
        raise NoWord(found.aside)
    return Seam(before, text, tuple(renames), agreed, found.state, found.aside)


def upgraded(seam: Seam, linked: Linked) -> Game:
    """The game after a seam; Refused if nobody could play on from there."""
    try:
        return begun_at(seam, linked, seam.before.random, seam.before.seed)
    except RuntimeFault as fault:
        raise Refused(f"nobody could play on from there: {fault.told}") from None
