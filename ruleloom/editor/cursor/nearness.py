"""What stands near a place: names written just before are likely to be written again, and of names in
an order, such as the clauses of a ledger, the one that comes next."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from ruleloom.compiler.packs.poison import slug_of

REACH = 2_500
FROM_NEAR, FROM_WORD, FROM_ITEM, FROM_PART = 0.1, 0.03, 0.06, 0.04
PART, SHORT = re.compile(r"[a-z]+"), 2
WORD = re.compile(r"[A-Za-z_][\w-]*(?:\.[\w-]+)*")


class Nearness:
    """The words before a place."""

    def __init__(self, text: str, offset: int) -> None:
        self.text = text[max(0, offset - REACH) : offset]

    @cached_property
    def words(self) -> Mapping[str, float]:
        """The words before the place as names are compared, the nearer the more they count."""
        found: dict[str, float] = {}
        for number, word in enumerate(reversed(WORD.findall(self.text))):
            found.setdefault(slug_of(word), 1 / (1 + number / 8))
        return found

    @cached_property
    def parts(self) -> Mapping[str, float]:
        """The parts of those words: what a case is called tells what it is about."""
        found: dict[str, float] = {}
        for number, part in enumerate(reversed(PART.findall(self.text.lower()))):
            if len(part) > SHORT:
                found.setdefault(part, 1 / (1 + number / 16))
        return found

    def of(self, name: str, id: str = "") -> float:
        """How much a name is to be expected because it stands near, or because its item does."""
        score = FROM_WORD * self.words.get(slug_of(name), 0.0)
        parts = PART.findall(name.lower())
        if len(parts) > 1:
            score += FROM_PART * sum(self.parts.get(part, 0.0) for part in parts) / len(parts)
        if "/" in id:
            score += FROM_ITEM * self.words.get(slug_of(id.rpartition("/")[2]), 0.0)
        return score

    def following(self, names: Sequence[str]) -> Mapping[str, float]:
        """Of names of several parts those near the one that was written last, in their order."""
        if not names or "." not in names[0]:
            return {}
        at = {name: number for number, name in enumerate(names)}
        last = next((one for one in reversed(WORD.findall(self.text)) if one in at), None)
        if last is None:
            return {}
        begin = at[last]
        return {
            name: 1 / (number - begin if number > begin else 2 + 2 * (begin - number))
            for name, number in at.items()
            if number != begin
        }
