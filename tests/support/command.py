"""Calls the command line in this process: words and typed lines go in, an exit code and text come
out."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from ruleloom.cli.verbs import start
from tests.conftest import ROOT


@dataclass(frozen=True)
class Done:
    """What came of a call."""

    code: int
    out: str
    err: str


def call(*words: str | Path, typed: str = "", together: bool = False) -> Done:
    """Run `ruleloom` with these words; `typed` is what is typed in, and `together` lets errors go
    to `out`."""
    with pytest.MonkeyPatch.context() as patch:
        out = io.StringIO()
        err = out if together else io.StringIO()
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        patch.setattr(sys, "stdin", io.StringIO(typed))
        code = start([str(word) for word in words])
    return Done(code, out.getvalue(), "" if together else err.getvalue())


def spawn(*words: str, bytecode: bool = True, **options: object) -> subprocess.Popen[str]:
    """Start `ruleloom` in a process of its own, which may keep its bytecode for others."""
    kept = {} if bytecode else {"PYTHONDONTWRITEBYTECODE": "1"}
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **kept}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    # A shell has what it runs in the background ignore Ctrl-C, and the tests may be that.
    heeding = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    return subprocess.Popen(
        [sys.executable, "-m", "ruleloom", *words],
        env=environment,
        text=True,
        **{**pipes, "preexec_fn": heeding, **options},  # type: ignore[call-overload]
    )


def another_hash_seed() -> str:
    """A PYTHONHASHSEED by which Python orders sets otherwise than in this process."""
    return "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
