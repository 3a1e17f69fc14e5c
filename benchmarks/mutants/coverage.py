"""Which cases come past what: the functions that a case works out and the routines that it runs.

A mutant of something that a case never comes past cannot fail that case.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any
from unittest.mock import patch

from ruleloom.compiler.cases.case_file import Case
from ruleloom.runtime.machine.registers import Run
from ruleloom.scenarios.results import FAILED
from ruleloom.scenarios.runner import Runner
from ruleloom.scenarios.steps.trial_program import BY_ITSELF

# What the functions made of a formula, and of a routine from one question to the next, are called.
GENERATED = ("<lambda>", "routine")
Covered = Mapping[str, frozenset[str]]
"""The ids of functions and routines, by the id of the case that comes past them."""


def covered(runner: Runner, cases: Sequence[Case]) -> tuple[Covered, tuple[str, ...]]:
    """What each case comes past, and the cases that fail."""
    found: dict[str, frozenset[str]] = {}
    failing: list[str] = []
    # What was worked out in one case must be worked out again in the next, or it would not be seen
    # there; nor would a short function that stands where it is called.
    with (
        patch("ruleloom.runtime.link.codegen.remembering", lambda function, state: function),
        patch("ruleloom.runtime.link.codegen.SMALL", 0),
    ):
        for case in cases:
            with watching() as seen:
                result = runner.run(case)
            found[case.id] = frozenset(seen)
            if result.status == FAILED:
                failing.append(case.id)
    return found, tuple(failing)


@contextmanager
def watching() -> Iterator[set[str]]:
    """The ids of the functions and routines that are run meanwhile."""
    seen: set[str] = set()
    push = Run.push.__code__

    def watch(frame: FrameType, event: str, arg: Any) -> None:
        if event != "call":
            return
        code = frame.f_code
        if code is push:
            values = frame.f_locals
            routine = values["self"].linked.program.routines[values["routine"]].id
            seen.add(routine.removesuffix(BY_ITSELF))
        elif code.co_filename[0] == "<" and code.co_name in GENERATED:  # called, and not only made
            seen.add(code.co_filename[1:-1].removesuffix(BY_ITSELF))

    sys.setprofile(watch)
    try:
        yield seen
    finally:
        sys.setprofile(None)
