"""The entry point of the `ruleloom` command; `--version` is answered without loading anything."""

from __future__ import annotations

import gc
import sys
from importlib import import_module

from ruleloom.api.version import version_text

COLLECTED_AFTER = 100_000  # objects


def run() -> None:
    """Run the command line and exit with its code."""
    words = sys.argv[1:]
    if words in (["--version"], ["-V"]):
        print(version_text())
        return
    # Commands build much long-lived data: collecting garbage takes a sixth of the time to the first
    # prompt.
    gc.set_threshold(COLLECTED_AFTER)
    if words[:1] == ["check"]:
        gc.disable()  # the process ends before there is garbage
    try:
        code: int = import_module("ruleloom.cli.verbs").start(words)
    except KeyboardInterrupt:  # during loading; later `guarded` handles it
        print("\nstopped", file=sys.stderr)
        code = 130
    # Python collects garbage at exit: a fifth of a check.
    gc.freeze()
    sys.exit(code)
