"""How damage is marked in a session of Witchgates, point by point, and which triggers are
passed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ruleloom.runtime.program.state import Event
from ruleloom.runtime.program.values import World
from tests.laws.witchgates.mages_table import Table

LEVELS = {"bashing": 1, "severe": 2, "aggravated": 3}
SORTS = {level: sort for sort, level in LEVELS.items()}


class Body:
    """Follows damage from its coming to its last point."""

    def __init__(self, table: Table) -> None:
        self.table = table
        # Whom points are still to be marked for, of which sort, how many, and from which stretch of
        # boxes on.
        self.coming: list[tuple[int, int, int, int]] = []
        # A lesser wound that has to be marked elsewhere.
        self.displaced: tuple[int, int] | None = None

    # ---------------------------------------------------------------- the row of boxes

    def row(self, world: World, who: int) -> list[int]:
        """How bad the wound in each box is, from the left."""
        wounds = self.table.person(world, "wound", who)
        boxes = range(self.table.sheet("health_boxes", who))
        return [LEVELS.get(wounds.get(box), 0) for box in boxes]

    def _dead(self, world: World, who: int) -> bool:
        """Every box holds the worst wound (witchgates.health.dead-when-all-aggravated)."""
        return min(self.row(world, who)) == LEVELS["aggravated"]

    def stretch(self, box: int) -> int:
        """How many triggers lie before a box (witchgates.health.trigger-positions)."""
        return int(box // self.table.linked.settings["boxes_a_trigger"])

    def reached(self, row: list[int]) -> int:
        """The last stretch with a wound in it."""
        return max((self.stretch(box) for box, level in enumerate(row) if level), default=0)

    def places(self, row: list[int], point: int, locked: int) -> set[tuple[int, int]]:
        """Where a point may be marked, and how bad it is there then
        (witchgates.health.point-by-point)."""
        settings = self.table.linked.settings
        by_point = settings["locks"] == "point_by_point"
        # Triggers lock nothing of somebody unconscious
        # (witchgates.health.triggers-ignored-unconscious).
        start = 0 if all(row) else self.reached(row) if by_point else locked
        free = [box for box, level in enumerate(row) if self.stretch(box) >= start and level]
        lesser = [box for box in free if row[box] < point]
        if lesser:
            return {(lesser[0], point)}
        empty = [box for box, level in enumerate(row) if not level]
        if empty:
            worst = 2 if settings["upgrades"] == "any_wound" else min(2, point)
            return {(empty[0], point)} | {(box, row[box] + 1) for box in free if row[box] <= worst}
        least = 2 if settings["lowest_box"] == "leftmost" else min(row)
        return {
            (box, row[box] + 1)
            for box in [box for box, level in enumerate(row) if level <= least][:1]
        }

    def passed(self, row: list[int]) -> int:
        """The triggers of which every box before is marked, and one behind
        (witchgates.splice.all-before-filled)."""
        each = self.table.linked.settings["boxes_a_trigger"]
        return sum(all(row[:at]) and any(row[at:]) for at in range(each, len(row), each))

    # ---------------------------------------------------------------- what happens

    def event(self, event: Event) -> Iterator[str]:
        """What is wrong with an operation."""
        if event.name == "damage_comes":
            who, sort, much = event.args
            if self.coming and not self._dead(event.before, self.coming[0][0]):
                yield f"damage comes to c{who}, and {self.coming} is not yet marked"
            self.coming = [(who, LEVELS[sort], much, self.reached(self.row(event.before, who)))]
        elif event.name == "mark_box":
            yield from self._marked(event, *event.args)
        elif event.name == "spend_armor":
            yield from self._armor(event, *event.args)

    def _marked(self, event: Event, who: int, box: int, sort: str | None) -> Iterator[str]:
        row = self.row(event.before, who)
        if box >= len(row):
            yield f"box {box} of c{who} is marked, who has {len(row)}"
            return
        then, now = row[box], LEVELS.get(sort or "", 0)
        if self.displaced is not None and self.displaced[0] == who:
            lesser, self.displaced = self.displaced[1], None
            if (box, now) != (row.index(0), lesser):
                yield f"a wound of level {lesser} of c{who} moves to box {box} as {now}: {row}"
            return
        if self.coming and self.coming[0][0] == who:
            _, point, left, locked = self.coming[0]
            if (box, now) not in self.places(row, point, locked):
                yield f"a point of level {point} makes box {box} of c{who} {now}: {row}"
            overlaps = 0 < then < point and now == point and any(level == 0 for level in row)
            if overlaps and self.table.linked.settings["overlapped_wound"] == "moved_on":
                self.displaced = (who, then)
            self.coming = [(who, point, left - 1, locked)] if left > 1 else []
            return
        if now > then + 1 and then:
            yield f"box {box} of c{who} goes from {then} to {now}: {row}"

    # witchgates.armor.spend-lower-value: armor is spent as long as there is some
    def _armor(self, event: Event, who: int, much: int) -> Iterator[str]:
        lost = self.table.person(event.before, "armor_lost", who)
        there = self.armor(event.before, who)
        if much < 0 or (much > 0 and lost + much > there):
            yield f"c{who} loses {much} armor, of {there} less {lost}"

    def armor(self, world: World, who: int) -> int:
        """The armor of somebody of which nothing is lost, with what splices and merits add."""
        table = self.table
        bark, hide = table.splices["bark-skin"], table.merits["thick-hide"]
        of_bark = (
            table.entry(world, "rank", who, bark) if table.entry(world, "active", who, bark) else 0
        )
        of_hide = table.sheet("merits", who).get(hide, 0) + table.entry(
            world, "merit_gained", who, hide
        )
        return int(table.sheet("armor", who) + of_bark + (of_hide > 0))

    # -------------------------------------------------------------- between one moment and the next

    def quiet(self, world: World) -> Iterator[str]:
        """All damage is marked, unless it kills; and the triggers that are said to be passed
        are."""
        for who, point, left, _ in self.coming:
            if not self._dead(world, who):
                yield f"{left} points of level {point} were never marked for c{who}"
        self.coming = []
        for who in self.table.people(world):
            row = self.row(world, who)
            if self.table.person(world, "health_passed", who) != self.passed(row):
                told = self.table.person(world, "health_passed", who)
                yield f"{told} triggers of c{who} are said to be passed: {row}"
            told, passed = (
                self.table.person(world, "stress_passed", who),
                self._strained(world, who),
            )
            if told != passed:
                yield f"{told} triggers of the stress of c{who} are said to be passed, {passed} are"

    def _strained(self, world: World, who: int) -> int:
        each: Any = self.table.linked.settings["boxes_a_trigger"]
        boxes, stress = (
            self.table.sheet("stress_boxes", who),
            self.table.person(world, "stress", who),
        )
        return sum(stress > 2 * at for at in range(each, boxes, each))
