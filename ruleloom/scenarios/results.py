"""Results of cases, of recorded games, and of a whole run; no fault of a case escapes as an exception.

A recorded game, a save in the folder of a pack, is replayed by the current rules: it passes if the
same answers lead to the same prompts, log and end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ruleloom.compiler.cases.case_file import (
    BECAUSE,
    NOT_UNDERSTOOD,
    REASON,
    Case,
    Reasons,
    stated,
)
from ruleloom.compiler.cases.case_words import as_list, folded
from ruleloom.compiler.diagnostics.suggest import quoted_list
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play import journal
from ruleloom.runtime.play.game import Game, chosen_settings
from ruleloom.runtime.play.parting import Parting, parting
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.faults import NO_REASON, NamedReason, Refused, RuntimeFault
from ruleloom.runtime.program.program import Program
from ruleloom.scenarios.notation import StepNotUnderstood
from ruleloom.scenarios.setup.things import STEP, unmarked

STEP_FILE = re.compile(rf"{STEP}\d+")
PASSED, FAILED, NOT_EXECUTABLE = "passed", "failed", "not executable"
NOT_COMPILED, NOT_MADE = "this does not compile", "this cannot be made"
# Python's errors for a missing or misshapen name or value, whose messages help no author.
MISFITS = (LookupError, ValueError, TypeError, AttributeError, AssertionError, StopIteration)
UNPLAYABLE = (StepNotUnderstood, Refused, RuntimeFault, RecursionError, *MISFITS)
"""What a case can raise."""
MISFIT = "a name or a value in it is not that of this game; `ruleloom check` says which"


class Result(Frozen):
    """The result of one case."""

    case: Case
    status: str
    message: str  # why it failed
    broken_by: tuple[str, ...] = ()  # the packs without which it would have passed
    reason: NamedReason = NO_REASON  # of a refusal as claimed

    @classmethod
    def of_claims(cls, case: Case, wrong: Sequence[str]) -> Result:
        """The result of a case whose claims have been checked; `wrong` are the claims that do not hold."""
        return cls(case, FAILED if wrong else PASSED, "; ".join(wrong))

    @classmethod
    def of_refusal(cls, case: Case, reason: NamedReason, reviewed: Reasons) -> Result:
        """The result of a refused case, which passes if the reason is the stated one."""
        # Only the case of a ledger clause corresponds to the reviewed case of its id.
        approved = reviewed.get(case.id, {}) if case.id in case.clauses else {}
        claimed = {**approved, **stated(case)}
        if not reason:
            return cls(case, FAILED, "the last step was refused without a reason")
        names = [*map(folded, as_list(claimed.get(BECAUSE, [])))]
        if names and not reason.goes_by(names):
            found = f"it is refused for {quoted_list(reason.names) or 'nothing that has a name'}"
            return cls(case, FAILED, f"not refused for {quoted_list(names)}: {found}: {reason}")
        parts = [claimed[REASON]] if REASON in claimed else []
        return replace(cls._refused(case, reason, (reason,), parts), reason=reason)

    @classmethod
    def of_complaints(cls, case: Case, complaints: Sequence[str], wanted: Any) -> Result:
        """The result of a case that does not compile, or claims so; `wanted` is the claimed parts of its
        complaints."""
        told = "; ".join(complaints)
        if not complaints:
            does = "this compiles" if case.texts else "this can be made"
            return cls(case, FAILED, f"{does}, but should be refused")
        if wanted is None:
            return cls(case, FAILED, f"{NOT_COMPILED if case.texts else NOT_MADE}: {told}")
        return cls._refused(case, told, complaints, as_list(wanted))

    @classmethod
    def _refused(cls, case: Case, told: str, reasons: Sequence[str], wanted: list[Any]) -> Result:
        for part in wanted:
            if not any(part in one for one in reasons):
                return cls(case, FAILED, f"refused for another reason than `{part}`: {told}")
        return cls(case, PASSED, f"refused: {told}")

    def to_json(self) -> dict[str, Any]:
        """The entry of `ruleloom test --format json`."""
        case, status = self.case, self.status.replace(" ", "_")
        about = {"id": case.id, "status": status, "message": self.message}
        broken = {"broken_by": list(self.broken_by)} if self.broken_by else {}
        return {**about, "path": case.path, "line": case.line, **broken}


class Results(Frozen):
    """The results of all cases of a run."""

    results: tuple[Result, ...]
    known: tuple[str, ...]  # clauses to be proved

    def count(self, status: str) -> int:
        """The number of cases of this status."""
        return sum(1 for r in self.results if r.status == status)

    @property
    def good(self) -> bool:
        """True if at least one case passed and none failed."""
        return self.count(FAILED) == 0 and self.count(PASSED) > 0

    @property
    def proved(self) -> tuple[str, ...]:
        """The clauses with a passed case and no failed one."""
        failed = {c for r in self.results if r.status == FAILED for c in r.case.clauses}
        passed = {c for r in self.results if r.status == PASSED for c in r.case.clauses}
        return tuple(sorted(passed - failed))

    @property
    def unproved(self) -> tuple[str, ...]:
        """The clauses, known or named by a case, that are not proved."""
        named = {c for r in self.results for c in r.case.clauses}
        return tuple(sorted((named | set(self.known)) - set(self.proved)))

    @property
    def summary(self) -> str:
        """The closing line of a run."""
        passed, failed = self.count(PASSED), self.count(FAILED)
        return f"{passed} passed, {failed} failed, {self.count(NOT_EXECUTABLE)} not executable"

    def to_json(self) -> dict[str, Any]:
        """The object of `ruleloom test --format json`."""
        statuses = (PASSED, FAILED, NOT_EXECUTABLE)
        counts = {status.replace(" ", "_"): self.count(status) for status in statuses}
        clauses = {"proved": list(self.proved), "unproved": list(self.unproved)}
        return {**counts, "cases": [one.to_json() for one in self.results], "clauses": clauses}


def guarded_result(case: Case, run: Callable[[], Result], unready: str = NOT_UNDERSTOOD) -> Result:
    """The result of `run`, or a failure that says why not; `unready` introduces a refusal by the game."""
    if case.fault:
        return Result(case, FAILED, case.fault)
    try:
        return run()
    except StepNotUnderstood as error:
        told = f"{NOT_UNDERSTOOD}: {error}"
    except Refused as error:
        told = f"{unready}: {error.reason}"
    except RuntimeFault as error:
        told = f"a fault in the rules: {error.told}"
    except RecursionError:
        told = f"{NOT_UNDERSTOOD}: it never ends"
    except MISFITS:
        told = f"{NOT_UNDERSTOOD}: {MISFIT}"
    # With the author's names of things, and without file names of steps.
    return Result(case, FAILED, STEP_FILE.sub("", unmarked(told)))


ENDING = ".game"


def recordings_in(folder: Path) -> list[Path]:
    """The recorded games in a pack's folder, sorted by path; none for a zip."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.rglob(f"*{ENDING}") if path.is_file())


def by_rules_of(recorded: Game, program: Program) -> Linked:
    """The rules of a program, linked for a recorded game; Refused if they do not suit its players or
    settings.
    """
    played = recorded.linked.program
    if played.game != program.game:
        raise Refused(f"this is a game of {played.game}, and these are rules of {program.game}")
    chosen = chosen_settings(recorded.linked)
    linked = link_game(program, driver_of(program.game), recorded.players, chosen)
    if recorded.started is not None and linked.layout.columns != recorded.linked.layout.columns:
        raise Refused("it begins in the middle of a game, on a table that these rules do not have")
    return linked


def replayed(path: Path, shown: str, program: Program) -> Result:
    """The result of one recorded game; never raises."""
    case = Case(path.stem, (), {}, (), {}, shown, 1)
    try:
        recorded = journal.load(path, driver_of).game
        found = parting(recorded, by_rules_of(recorded, program))
        told = told_of(found, len(recorded.entries)) if found is not None else ""
    except SaveError as error:
        told = str(error)
    except Refused as error:
        told = error.reason
    except RuntimeFault as error:
        told = f"a fault in the rules: {error.told}"
    return Result(case, FAILED if told else PASSED, told)


def told_of(found: Parting, answers: int) -> str:
    """The message about where and why it diverges."""
    if not found.number:
        return f"it begins otherwise: {found.why}"
    return f"it parts at answer {found.number} of {answers} ({found.answer}): {found.why}"


def results_of(folder: Path, shown: str, program: Program) -> Iterable[Result]:
    """The results of all recorded games in the folder of a pack."""
    for path in recordings_in(folder):
        yield replayed(path, f"{shown}/{path.relative_to(folder).as_posix()}", program)
