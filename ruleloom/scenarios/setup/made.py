"""The compiled things of a case, and the mark on their names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Program

MARK = re.compile(r"__\d+_")
SOUGHT = "sought_"
"""The head of the names of variables in which a text keeps the values sought."""


@dataclass(frozen=True, slots=True)
class Made:
    """The compiled things of a case."""

    things: Mapping[str, str]  # the entity of each, by its name without the mark
    mark: str
    program: Program | None  # None after complaints
    complaints: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()  # the routines of its effect texts

    def owns(self, name: str) -> bool:
        """Whether the case made a thing of this name, or one that it is a part of."""
        return self.mark in name.partition(".")[0]


@lru_cache(maxsize=1_024)
def unmarked(text: str) -> str:
    """A text with things as the author calls them."""
    return MARK.sub("", text)
