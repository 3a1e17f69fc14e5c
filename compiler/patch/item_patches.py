"""The patches of one item, field by field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.patch.edits import Edit
from ruleloom.compiler.patch.merge import Merge
from ruleloom.compiler.patch.order import Order
from ruleloom.compiler.patch.select import Aim


@dataclass(slots=True, eq=False)
class Work:
    """The patches that disable an item, and what the others change of it, field by field."""

    item: Item
    disabling: list[Item] = field(default_factory=list)
    edits: dict[str, list[Edit]] = field(default_factory=dict)
    merges: dict[str, list[Merge]] = field(default_factory=dict)
    of_class: set[str] = field(default_factory=set)
    """The patches that are for a class of items, not for this one by name."""

    def take(self, aim: Aim, edits: Sequence[Edit], merges: Sequence[Merge]) -> None:
        """Take in what one patch wants."""
        if "disable" in aim.patch.fields:
            self.disabling.append(aim.patch)
        for edit in edits:
            self.edits.setdefault(edit.field, []).append(edit)
        for merge in merges:
            self.merges.setdefault(merge.field, []).append(merge)
        if aim.is_class:
            self.of_class.add(aim.patch.name)

    def changing(self) -> list[Item]:
        """The patches that change a field."""
        return list(
            {
                edit.patch.name: edit.patch for edits in self.edits.values() for edit in edits
            }.values()
        )

    def sorted_edits(self, name: str, order: Order) -> list[Edit]:
        """The edits of one field in the fixed order, which keeps to `after:`."""
        return sorted(self.edits[name], key=lambda edit: order.position[edit.patch.name])
