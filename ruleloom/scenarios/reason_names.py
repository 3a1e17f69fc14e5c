"""The names that a reason of a refusal goes by, where they say as much as its words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from ruleloom.compiler.cases.case_file import BECAUSE, REASON
from ruleloom.runtime.program.expr import reasons_of
from ruleloom.runtime.program.faults import NamedReason
from ruleloom.runtime.program.program import Program
from ruleloom.scenarios.steps.search import CHOICE

NUMBER = re.compile(r"\d")
STEP_SAYS = ("`[^`]*`", r"^\w+ \S+(?=: | is not on offer)")  # in words, of the step itself


class ReasonNames:
    """The names of the reasons of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def claim_of(self, reason: NamedReason) -> dict[str, Any]:
        """What a case claims of a reason: its names, or its words where these say more."""
        names = self.names_of(reason)
        return {BECAUSE: names} if names and not self.tells_more(reason) else {REASON: str(reason)}

    def names_of(self, reason: NamedReason) -> str | list[str]:
        """The name, or the fewest names, that tell a reason from all others; empty if only its words do."""
        (question, *_), of = reason.at or ("",), reason.of
        few = [of[:1], (question, *of[:1]), (question, *of)] if of else [reason.at[:-1][:1]]
        for names in (*few, reason.names):
            alike = {one for one in self._possible if one.goes_by(names)}
            if names and reason.goes_by(names) and len(alike) < 2:
                return names[0] if len(names) == 1 else [*names]
        return ""

    def tells_more(self, words: str) -> bool:
        """Do the words of a reason tell a number, other than of a thing or a place, or what is on offer?"""
        return CHOICE in words or NUMBER.search(self._thing.sub("", words)) is not None

    @cached_property
    def _possible(self) -> Sequence[NamedReason]:
        return [one for routine in self.program.routines for one in reasons_of(routine)]

    @cached_property
    def _thing(self) -> re.Pattern[str]:
        """The pattern of things and places in words, and of what the case itself has said."""
        entities = self.program.entities
        called = {name for one in entities for name in (*one.titles, *one.names)}
        told = map(re.escape, sorted(filter(NUMBER.search, called), key=len, reverse=True))
        return re.compile("|".join((*told, *STEP_SAYS, r"\w*@?-?\d+/-?\d+")))
