"""Puts things where they are to be when the first turn begins, in a game that is otherwise the same."""

from __future__ import annotations

from ruleloom.bots.bot import Luck
from ruleloom.bots.information_set import exchanged
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.machine.step import run
from ruleloom.runtime.program.state import State
from ruleloom.runtime.search.node import PlayNode, settled
from ruleloom.simulate.run_plan import Placement, derived_seed


@dataclass(frozen=True, slots=True)
class Placer:
    """Carries out one placement for the player in `seat`."""

    placement: Placement
    seat: int
    seed: int

    def arranged(self, node: PlayNode, dice: Xoshiro | None) -> PlayNode:
        """The first node of the first turn, with all things in their places."""
        linked, wanted, state = node.linked, self.placement, node.state
        ours = {*wanted.held, *wanted.withheld}
        for thing in sorted(ours):
            luck = Luck(derived_seed(self.seed, "placing", thing))
            if thing in wanted.held:
                others = sorted(self._hand(linked, state, True) - ours)
            else:
                others = self._in_nobodys(linked, state, ours)
            there = thing in self._hand(linked, state, thing in wanted.held)
            if others and there != (thing in wanted.held):
                other = luck.pick(others)
                into = {thing: other, other: thing}
                state = exchanged(linked, state, wanted.entity, into)
        if state is node.state:
            return node
        again = settled(linked, run(linked, state, True, dice), dice=dice)
        return PlayNode(linked, again.stop._replace(events=node.events + again.events))

    def _hand(self, linked: Linked, state: State, own: bool) -> set[int]:
        """The things in the zone of the player, or of anybody."""
        column = state.world[linked.layout.index[self.placement.zone]]
        return set(column[self.seat]) if own else {one for hand in column for one in hand}

    def _in_nobodys(self, linked: Linked, state: State, ours: set[int]) -> list[int]:
        """The things of the kind that lie in a zone of nobody's, one that is not seen first."""
        zones = [
            zone
            for zone in linked.program.zones
            if zone.of == self.placement.entity and not zone.per_player and not zone.at
        ]
        for zone in sorted(zones, key=lambda one: one.seen_by == "all"):
            lies = set(state.world[linked.layout.index[zone.name]]) - ours
            if lies:
                return sorted(lies)
        return []
