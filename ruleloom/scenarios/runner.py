"""Runs cases on the real machine and keeps what came of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ruleloom.scenarios.cases import Case
from ruleloom.scenarios.claims import Claims
from ruleloom.scenarios.notation import Notation, NotUnderstood
from ruleloom.scenarios.position import Links, Setting
from ruleloom.scenarios.search import play_step
from runtime.faults import Refused, RuntimeFault
from runtime.program import Program

PASSED, FAILED, NOT_EXECUTABLE = "passed", "failed", "not executable"


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one case. `message` says why it failed; for a refusal that passed, the reason found."""

    case: Case
    status: str
    message: str

    def to_json(self) -> dict[str, Any]:
        """The entry of `ruleloom test --format json`."""
        case = self.case
        return {
            "id": case.id,
            "status": self.status.replace(" ", "_"),
            "message": self.message,
            "path": case.path,
            "line": case.line,
        }


@dataclass(frozen=True, slots=True)
class Results:
    """What came of all cases of a run, with every clause that was to be proved."""

    results: tuple[Result, ...]
    known: tuple[str, ...]

    def count(self, status: str) -> int:
        """How many cases ended so."""
        return sum(1 for r in self.results if r.status == status)

    @property
    def good(self) -> bool:
        """True if something was executed and nothing failed."""
        return self.count(FAILED) == 0 and self.count(PASSED) > 0

    @property
    def proved(self) -> tuple[str, ...]:
        """The clauses of cases that passed, none of whose cases failed."""
        failed = {c for r in self.results if r.status == FAILED for c in r.case.clauses}
        passed = {c for r in self.results if r.status == PASSED for c in r.case.clauses}
        return tuple(sorted(passed - failed))

    @property
    def unproved(self) -> tuple[str, ...]:
        """The clauses known or named that are not proved."""
        named = {c for r in self.results for c in r.case.clauses}
        return tuple(sorted((named | set(self.known)) - set(self.proved)))

    @property
    def summary(self) -> str:
        """The closing line."""
        passed, failed = self.count(PASSED), self.count(FAILED)
        return f"{passed} passed, {failed} failed, {self.count(NOT_EXECUTABLE)} not executable"

    def to_json(self) -> dict[str, Any]:
        """The object of `ruleloom test --format json`."""
        return {
            "passed": self.count(PASSED),
            "failed": self.count(FAILED),
            "not_executable": self.count(NOT_EXECUTABLE),
            "cases": [r.to_json() for r in self.results],
            "clauses": {"proved": list(self.proved), "unproved": list(self.unproved)},
        }


def run_cases(
    program: Program,
    cases: Iterable[Case],
    reviewed: Mapping[str, str] | None = None,
    known: Iterable[str] = (),
) -> Results:
    """Run every case against `program`.

    `reviewed` holds the reason that each refused case was seen to have, by the case's id: another reason
    fails the case, so that refusing for the wrong cause is no pass.
    """
    notation = Notation(program)
    reasons = reviewed or {}
    links = Links(program)
    return Results(tuple(run_case(links, notation, case, reasons) for case in cases), tuple(known))


def run_case(links: Links, notation: Notation, case: Case, reviewed: Mapping[str, str]) -> Result:
    """Run one case; nothing that a case says can raise."""
    if case.fault:
        return Result(case, FAILED, case.fault)
    if case.steps is None:
        return Result(case, NOT_EXECUTABLE, "`when` is prose")
    try:
        return _run(links, notation, case, reviewed)
    except NotUnderstood as error:
        return Result(case, FAILED, f"not understood: {error}")
    except Refused as error:
        return Result(case, FAILED, f"the game cannot be set up: {error.reason}")
    except RuntimeFault as error:
        return Result(case, FAILED, f"a fault in the rules: {error.told}")
    except RecursionError:
        return Result(case, FAILED, "not understood: the step leads on and on")
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        return Result(case, FAILED, f"not understood: {type(error).__name__}: {error}")


def _run(links: Links, notation: Notation, case: Case, reviewed: Mapping[str, str]) -> Result:
    refusal = case.then.get("legal") is False
    steps = case.steps or ()
    try:
        table = Setting(links, notation, case.given).table()
    except Refused as error:
        if refusal and not steps:  # the claim is that such a game cannot even begin
            return _refused(case, error.reason, reviewed)
        raise
    for number, data in enumerate(steps, 1):
        after, reason = play_step(notation, table, data)
        if after is None:
            if not refusal or number < len(steps):
                return Result(case, FAILED, f"step {number} {_shown(data)} was refused: {reason}")
            wrong = Claims(notation, table).check(case.then)
            return Result(case, FAILED, "; ".join(wrong)) if wrong else _refused(case, reason, reviewed)
        table = after
    if refusal:
        last = f"the last step {_shown(steps[-1])} was accepted" if steps else "such a game can begin"
        return Result(case, FAILED, f"{last}, but should be refused")
    wrong = Claims(notation, table).check(case.then)
    return Result(case, FAILED if wrong else PASSED, "; ".join(wrong))


def _refused(case: Case, reason: str, reviewed: Mapping[str, str]) -> Result:
    wanted = case.then.get("reason", reviewed.get(case.id))
    if not reason:
        return Result(case, FAILED, "the last step was refused without a reason")
    if wanted is not None and wanted not in reason:
        return Result(case, FAILED, f"refused for another reason than `{wanted}`: {reason}")
    return Result(case, PASSED, f"refused: {reason}")


def _shown(data: Any) -> str:
    if isinstance(data, Mapping):
        return "{" + ", ".join(f"{k}: {v}" for k, v in data.items()) + "}"
    return str(data)


__all__ = ["FAILED", "NOT_EXECUTABLE", "PASSED", "Result", "Results", "run_case", "run_cases"]
