"""The runner of cases, on the runtime's own machine."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import field
from functools import cached_property

from ruleloom.compiler.cases.case_file import THEN, Case, Reasons
from ruleloom.compiler.packs.content import Content
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.search.node import PlayNode
from ruleloom.scenarios.claims import PlayedClaims
from ruleloom.scenarios.listener import NOBODY, Watch
from ruleloom.scenarios.notation import CaseData, Notation
from ruleloom.scenarios.results import (
    FAILED,
    NOT_EXECUTABLE,
    UNPLAYABLE,
    Result,
    guarded_result,
)
from ruleloom.scenarios.setup.position import Links, PositionSetup, RiggedTable
from ruleloom.scenarios.steps.attempts import Attempts
from ruleloom.scenarios.steps.search import play_step


@dataclass(eq=False)
class Runner:
    """The runner of a program's cases."""

    program: Program
    cases: Sequence[Case]
    # The approved claims about the reason of each refused case, by its id: another reason fails the case.
    reviewed: Reasons = field(default_factory=dict)
    content: Content | None = None  # the program's sources; cases about things need it

    watch: Watch = NOBODY  # records coverage marks and logs

    def __post_init__(self) -> None:
        self.links = Links(self.program, self.watch)

    @cached_property
    def notation(self) -> Notation:
        """The notation of the program's game."""
        return Notation(self.program, self.content)

    @cached_property
    def attempts(self) -> Attempts | None:
        """The cases with things or effect text, compiled together."""
        if self.content is None:
            return None
        return Attempts.of(self.content, self.cases, self.watch)

    def run(self, case: Case) -> Result:
        """Run one of the cases; no fault in it escapes as an exception."""
        if (case.things is not None or case.texts) and not case.fault:
            if self.attempts is None:
                none = "things are made from packs, and here is only a program"
                return Result(case, FAILED, none)
            return self.attempts.run(case, self.reviewed)
        if case.steps is None and not case.fault:
            return Result(case, NOT_EXECUTABLE, "`when` is prose")
        return guarded_result(case, lambda: self._run(case), unready="the game cannot be set up")

    def before_last(self, case: Case) -> PlayNode | None:
        """The point of play at which the last step of a case is tried; None if it is not played in steps, or
        does not come so far."""
        if case.things is not None or case.texts or not case.steps:
            return None
        with suppress(*UNPLAYABLE):
            table = PositionSetup(self.links, self.notation, case.given).table()
            for data in case.steps[:-1]:
                table = play_step(self.notation, table, data)[0] or table
            return table.node
        return None

    def _run(self, case: Case) -> Result:
        try:
            table = PositionSetup(self.links, self.notation, case.given).table()
        except Refused as error:
            # The case may claim that such a game cannot even begin.
            if case.then.get("legal") is False and not case.steps:
                return Result.of_refusal(case, error.reason, self.reviewed)
            raise
        PlayedClaims(self.notation, table).check_given()
        return self._played(case, table)

    def _played(self, case: Case, table: RiggedTable) -> Result:
        """The result of playing the steps from this table."""
        refusal, steps = case.then.get("legal") is False, case.steps or ()
        last, began = "such a game can begin", table
        self.watch.walk(table.events, table.node.linked)
        for number, data in enumerate(steps, 1):
            after, reason = play_step(self.notation, table, data)
            if after is None:
                if refusal and number == len(steps):
                    found, refused = self._claimed(table, case, table), Result.of_refusal
                    return found if found.message else refused(case, reason, self.reviewed)
                return Result(case, FAILED, f"step {number} {_shown(data)} was refused: {reason}")
            wrong = list(PlayedClaims(self.notation, after, table).wrong(data.get(THEN) or {}))
            if wrong:
                first = f"after step {number} {_shown(data)}: {wrong[0]}"
                return Result.of_claims(case, [first, *wrong[1:]])
            began, table, last = table, after, f"the last step {_shown(data)} was accepted"
            self.watch.walk(table.events, table.node.linked)
        if refusal:
            return Result(case, FAILED, f"{last}, but should be refused")
        return self._claimed(table, case, began)

    def _claimed(self, table: RiggedTable, case: Case, began: RiggedTable) -> Result:
        wrong = list(PlayedClaims(self.notation, table, began=began).wrong(case.then))
        if table.dice and case.then.get("legal") is not False:
            wrong = [*wrong, f"`dice` has {table.dice[0]} as the next, and nothing more is rolled"]
        return Result.of_claims(case, wrong)


def _shown(data: CaseData) -> str:
    return "{" + ", ".join(f"{key}: {one}" for key, one in data.items() if key != THEN) + "}"
