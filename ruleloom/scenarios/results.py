"""Results of cases, and of a whole run; no fault of a case escapes as an exception."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.scenarios.cases import Case
from ruleloom.scenarios.notation import StepNotUnderstood, as_list

PASSED, FAILED, NOT_EXECUTABLE = "passed", "failed", "not executable"
NOT_UNDERSTOOD = "not understood"


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one case; `broken_by` are the packs without which it would have passed.

    `message` says why it failed, `refusal` why a step was refused as claimed.
    """

    case: Case
    status: str
    message: str
    broken_by: tuple[str, ...] = ()
    refusal: str = ""

    def to_json(self) -> dict[str, Any]:
        """The entry of `ruleloom test --format json`."""
        case = self.case
        return {
            "id": case.id,
            "status": self.status.replace(" ", "_"),
            "message": self.message,
            "path": case.path,
            "line": case.line,
            **({"broken_by": list(self.broken_by)} if self.broken_by else {}),
        }


@dataclass(frozen=True, slots=True)
class Results:
    """The results of all cases of a run; `known` are the clauses to be proved."""

    results: tuple[Result, ...]
    known: tuple[str, ...]

    def count(self, status: str) -> int:
        """The number of cases of this status."""
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


def refusal_result(case: Case, reason: str, reviewed: Mapping[str, str]) -> Result:
    """The result of a refused case: it passes if the reason is the one that was stated."""
    wanted = case.then.get("reason", reviewed.get(case.id))
    if not reason:
        return Result(case, FAILED, "the last step was refused without a reason")
    if wanted is not None and wanted not in reason:
        return Result(case, FAILED, f"refused for another reason than `{wanted}`: {reason}")
    return Result(case, PASSED, f"refused: {reason}", refusal=reason)


def complaints_result(case: Case, complaints: Sequence[str], wanted: Any, verdict: str) -> Result:
    """The result of a case that does not compile; `wanted` are the parts of complaints claimed."""
    told = "; ".join(complaints)
    if wanted is None:
        return Result(case, FAILED, f"{verdict}: {told}")
    for part in as_list(wanted):
        if not any(part in one for one in complaints):
            return Result(case, FAILED, f"refused for another reason than `{part}`: {told}")
    return Result(case, PASSED, f"refused: {told}", refusal=told)


def guarded_result(
    case: Case,
    run: Callable[[], Result],
    shown: Callable[[str], str] = str,
    unready: str = NOT_UNDERSTOOD,
) -> Result:
    """The result of `run`, or a failure that says why not.

    `shown` makes a message fit for the author; `unready` introduces a refusal by the game.
    """
    if case.fault:
        return Result(case, FAILED, case.fault)
    try:
        return run()
    except StepNotUnderstood as error:
        return Result(case, FAILED, f"{NOT_UNDERSTOOD}: {shown(str(error))}")
    except Refused as error:
        return Result(case, FAILED, f"{unready}: {shown(error.reason)}")
    except RuntimeFault as error:
        return Result(case, FAILED, f"a fault in the rules: {shown(error.told)}")
    except RecursionError:
        return Result(case, FAILED, f"{NOT_UNDERSTOOD}: it never ends")
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        return Result(case, FAILED, f"{NOT_UNDERSTOOD}: {type(error).__name__}: {error}")
