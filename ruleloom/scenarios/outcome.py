"""Turns whatever goes wrong while a case runs into its result: nothing that a case says can
raise."""

from __future__ import annotations

from collections.abc import Callable

from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.scenarios.cases import Case
from ruleloom.scenarios.notation import StepNotUnderstood
from ruleloom.scenarios.results import FAILED, Result

NOT_UNDERSTOOD = "not understood"


def told(
    case: Case,
    run: Callable[[], Result],
    shown: Callable[[str], str] = str,
    unready: str = NOT_UNDERSTOOD,
) -> Result:
    """What `run` gives, or a failure that says why not. `shown` makes a message fit for the author;
    `unready` says what it means that the game refuses."""
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
        return Result(case, FAILED, f"{NOT_UNDERSTOOD}: it leads on and on")
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        return Result(case, FAILED, f"{NOT_UNDERSTOOD}: {type(error).__name__}: {error}")
