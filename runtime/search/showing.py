"""What is shown beside a question, and beside each option: values with their English."""

from __future__ import annotations

from typing import NamedTuple

from ruleloom.runtime.machine.labels import moment_of, title_text, worded
from ruleloom.runtime.program.expr import mentions
from ruleloom.runtime.program.program import Choose, Modal
from ruleloom.runtime.program.values import Dynamic, Type
from ruleloom.runtime.search.node import PlayNode

# The types whose values are shown as they are.
PLAIN = ("Int", "Fraction", "Bool", "Text", "Dice")


class ShownValue(NamedTuple):
    """A value that is shown, and the words for it."""

    words: str
    type: Type
    value: Dynamic
    text: str

    @property
    def is_track(self) -> bool:
        """Does it say in which track an option stands?"""
        return self.type.name not in PLAIN and not self.type.many

    @property
    def is_number(self) -> bool:
        """Is it a price or a count?"""
        return self.type.name in ("Int", "Fraction")


def figures(node: PlayNode, reader: int) -> list[ShownValue]:
    """What is shown beside the question at `node`."""
    return _shown(node, reader, None)


def figures_of(node: PlayNode, reader: int, option: Dynamic) -> list[ShownValue]:
    """What is shown beside an option."""
    return [] if option is None else _shown(node, reader, option)


def _shown(node: PlayNode, reader: int, option: Dynamic) -> list[ShownValue]:
    row = node.row
    if not isinstance(row, Choose | Modal):
        return []
    slot = row.slot if isinstance(row, Choose) else -1
    linked, moment = node.linked, moment_of(node.linked, node.state)
    if option is not None:
        slots = list(moment.slots)
        slots[slot] = option
        moment = moment._replace(slots=tuple(slots))
    found = []
    for one in row.showing:
        if mentions(one.value, ("slot", slot)) != (option is not None):
            continue
        work_out = linked.test(-1, one.value)
        value = work_out(moment.world, moment.slots, moment.scope, moment.rules)
        of, text = Type.parse(one.type), worded(linked, one.english, moment, (reader,))
        if value is not None:
            said = title_text(linked, node.state.world, of, value)
            found.append(ShownValue(text.removeprefix("the "), of, value, said))
    return found
