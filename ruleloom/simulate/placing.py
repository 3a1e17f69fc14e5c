"""Puts a thing where it is to be when the first turn begins, in a game that is otherwise the same."""

from __future__ import annotations

from dataclasses import dataclass

from ruleloom.bots.bot import Luck
from ruleloom.bots.information_set import exchanged
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.machine.step import run
from ruleloom.runtime.search.node import PlayNode, settled
from ruleloom.simulate.run_plan import Placement, derived_seed


@dataclass(frozen=True, slots=True)
class Placer:
    """Carries out one placement for the player in `seat`."""

    placement: Placement
    seat: int
    seed: int

    def arranged(self, node: PlayNode, dice: Xoshiro | None) -> PlayNode:
        """The first node of the first turn, with the thing in its place.

        With the player it takes the place of a card drawn by lot from theirs; with nobody, if it was
        in anybody's hands, of one that is in nobody's. A lot is the same whoever is to have it.
        """
        wanted, linked = self.placement, node.linked
        column = node.state.world[linked.layout.index[wanted.zone]]
        thing, own = wanted.thing, column[self.seat]
        everybodys = {one for hand in column for one in hand}
        luck = Luck(derived_seed(self.seed, "placing"))
        lot = luck.below(max(1, len(own)))
        other = thing
        if wanted.held and thing not in own and own:
            other = own[lot]
        elif not wanted.held and thing in everybodys:
            other = luck.pick(_in_nobodys(node, wanted) or (thing,))
        if other == thing:
            return node
        into = {thing: other, other: thing}
        state = exchanged(linked, node.state, wanted.entity, into)
        before = node.events
        again = settled(linked, run(linked, state, True, dice), dice=dice)
        return PlayNode(linked, again.stop._replace(events=before + again.events))


def _in_nobodys(node: PlayNode, wanted: Placement) -> list[int]:
    """The things of the kind that lie in a zone which is no player's and that nobody sees."""
    linked, world = node.linked, node.state.world
    return [
        thing
        for zone in linked.program.zones
        if zone.of == wanted.entity and not zone.per_player and zone.seen_by == "nobody"
        for thing in world[linked.layout.index[zone.name]]
    ]
