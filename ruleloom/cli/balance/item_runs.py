"""The runs of games in which items are tried: each played once, kept in a store, and stopped in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace

from ruleloom.cli.faults import WrongUse
from ruleloom.cli.simulate.running import RunWishes, run_plan
from ruleloom.runtime.dataclass import dataclass
from ruleloom.simulate.balance.item_trials import ItemTrial, Sent
from ruleloom.simulate.executors import WorkPlace
from ruleloom.simulate.game_record import GameRecord
from ruleloom.simulate.run_plan import plan_key

LEAST_PAIRS = 2
"""Fewer pairs have no interval, and are not reported."""


@dataclass(slots=True, eq=False)
class ItemRuns:
    """The player of runs for a command. A run that two items share, such as the unchanged game, is
    played once. After Ctrl-C `stopped` is true, and nothing more is played."""

    title: str
    wishes: RunWishes
    place: WorkPlace
    stopped: bool = False
    _played: dict[str, list[GameRecord]] = field(default_factory=dict)

    def both(self, trial: ItemTrial) -> tuple[list[GameRecord], list[GameRecord]]:
        """The games without an item and with it, as many of each; after Ctrl-C those that are done."""
        without = self.of(trial.without)
        with_it = self.of(trial.with_it, len(without))
        pairs = min(len(without), len(with_it))
        return without[:pairs], with_it[:pairs]

    def of(self, side: Sent, most: int | None = None) -> list[GameRecord]:
        """The games of one run, `most` at the most. Raises WrongUse where the rules could not be played
        on."""
        key = plan_key(*side)
        if key not in self._played:
            self._played[key] = [] if self.stopped else self._run(side, most)
        return self._played[key]

    def _run(self, side: Sent, most: int | None) -> list[GameRecord]:
        wishes = self.wishes if most is None else replace(self.wishes, games=most)
        result = run_plan(*side, self.title, self.place, wishes)
        self.stopped = result.stopped
        faults = [one.fault for one in result.records if one.fault]
        if faults:
            raise WrongUse(f"the rules could not be played on: {faults[0]}")
        return result.records


def are_enough(records: Sequence[GameRecord]) -> bool:
    """Are there enough games for an interval?"""
    return len(records) >= LEAST_PAIRS
