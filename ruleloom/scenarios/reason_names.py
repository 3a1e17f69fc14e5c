"""The names that a reason of a refusal goes by, where they say as much as its words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from ruleloom.compiler.cases.case_file import BECAUSE, REASON
from ruleloom.compiler.cases.case_words import NO_OFFER
from ruleloom.compiler.cases.claimed_words import ReasonWords
from ruleloom.runtime.program.expr import reasons_of
from ruleloom.runtime.program.faults import NamedReason
from ruleloom.runtime.program.program import Program


class ReasonNames:
    """The names of the reasons of one program."""

    def __init__(self, program: Program) -> None:
        self.program, self.words = program, ReasonWords(program.entities)

    def claim_of(self, reason: NamedReason) -> dict[str, Any]:
        """What a case claims of a reason: its names, or its words where these say more."""
        names = self.names_of(reason)
        return (
            {BECAUSE: names}
            if names and not self.words.tell_more(reason)
            else {REASON: str(reason)}
        )

    def names_of(self, reason: NamedReason) -> str | list[str]:
        """The name, or the fewest names, that tell a reason from all others; empty if only its words do."""
        for names in (*_fewest(reason), reason.names):
            alike = {one for one in self._possible if one.goes_by(names)}
            if names and reason.goes_by(names) and len(alike) < 2:
                return names[0] if len(names) == 1 else [*names]
        return ""

    @cached_property
    def _possible(self) -> Sequence[NamedReason]:
        return [one for routine in self.program.routines for one in reasons_of(routine)]


def _fewest(reason: NamedReason) -> Sequence[tuple[str, ...]]:
    """Few of the names of a reason, the fewest first; of what is not on offer, always also what that is."""
    (question, *_), of = reason.at or ("",), reason.of
    if NO_OFFER & {*of}:
        return [(of[0], question)]
    return [of[:1], (question, *of[:1]), (question, *of)] if of else [reason.at[:-1][:1]]
