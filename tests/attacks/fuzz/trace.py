"""Which steps of the compiler an input takes: what tells the fuzzer that an input is a new one.

A step is a line of our own code and the line before it in the same call. Python's `sys.settrace`
sees each of them, at a price; so a piece of code that has shown nothing new for a long time is
looked at only now and then. Which times these are depends on nothing but what ran before: the same
inputs show the same steps.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent.parent
WATCHED = tuple(f"{ROOT / name}/" for name in ("compiler", "runtime", "ruleloom"))
BORING, ONE_IN = 60, 20
"""After so many calls that show nothing new, one call in so many is looked at."""

Step = tuple[CodeType, int, int]


class Trace:
    """Every step that was taken so far."""

    def __init__(self) -> None:
        self.known: set[Step] = set()
        self.fresh = 0
        self._quiet: dict[CodeType, int] = {}
        self._watched: dict[str, bool] = {}

    def run(self, work: Callable[[], Any]) -> int:
        """Do the work, and return how many steps of it were never taken before."""
        self.fresh = 0
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            work()
        finally:
            sys.settrace(before)
        return self.fresh

    def _enter(self, frame: FrameType, event: str, _argument: Any) -> Any:
        code = frame.f_code
        watched = self._watched.get(code.co_filename)
        if watched is None:
            watched = self._watched[code.co_filename] = code.co_filename.startswith(WATCHED)
        if not watched:
            return None
        quiet = self._quiet.get(code, 0)
        self._quiet[code] = quiet + 1
        if quiet > BORING and quiet % ONE_IN:
            return None
        return self._follow(code)

    def _follow(self, code: CodeType) -> Callable[[FrameType, str, Any], Any]:
        known = self.known
        last = 0

        def step(frame: FrameType, event: str, _argument: Any) -> Any:
            nonlocal last
            line = frame.f_lineno
            if event == "line":
                taken = (code, last, line)
                if taken not in known:
                    known.add(taken)
                    self.fresh += 1
                    self._quiet[code] = 0
                last = line
            return step

        return step
