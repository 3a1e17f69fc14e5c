"""The chances of what an answer's roll decides, in words, from what the player sees alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import title_text
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.values import Dynamic, Type
from ruleloom.runtime.search.chances import chances_behind
from ruleloom.table.panels import AskedField

# So many stops of the machine are looked at for one answer.
MOST_STOPS = 1_500


def chance_told(field: AskedField) -> str:
    """What the roll is likely to decide to which the answer filled in leads: `the attempt succeeds: 19.5 %`;
    empty if it leads to no roll, or that takes too much."""
    node, game = field.view.game.node, field.view.game
    if field.keys is None or node.chance or node.secret or node.takes_sets or node.writes:
        return ""
    try:
        value = game.value_of(field.keys)
    except Refused:
        return ""
    linked = game.linked
    told = (
        words
        for name, shares in chances_behind(node, value, MOST_STOPS).items()
        for words in _told(linked, name, shares)
    )
    return ", ".join(told)


def _told(linked: Linked, name: str, shares: Mapping[Dynamic, Fraction]) -> Iterator[str]:
    """The chance that a variable is yes, or of each of its options."""
    variable = next(one for one in linked.program.scope if one.name == name)
    if variable.type == "Bool":
        words = variable.english or name.replace("_", " ")
        yield f"{words}: {percent(shares.get(True, Fraction(0)))}"
        return
    for option in linked.layout.enums[variable.type]:
        if option in shares:
            words = title_text(linked, (), Type(variable.type), option)
            yield f"{words}: {percent(shares[option])}"


def percent(share: Fraction) -> str:
    """A share as people read it: `19.5 %`."""
    tenths = round(share * 1000)
    if share and not tenths:
        return "under 0.1 %"
    if share < 1 and tenths == 1000:
        return "over 99.9 %"
    whole, part = divmod(tenths, 10)
    return f"{whole}.{part} %" if part else f"{whole} %"
