"""The entry point of the `ruleloom` command; `--version` is answered without loading anything."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from typing import NoReturn

from ruleloom.api.version import version_text

COLLECTED_AFTER = 100_000  # objects


def run() -> None:
    """Run the command line and exit with its code."""
    words = sys.argv[1:]
    if words in (["--version"], ["-V"]):
        print(version_text())
        return
    # Commands load and build much that stays: looking through it for garbage takes a sixth of the time
    # to the first prompt.
    gc.set_threshold(COLLECTED_AFTER)
    if words[:1] == ["check"]:
        gc.disable()  # it ends before there is any
    try:
        code: int = import_module("ruleloom.cli.verbs").start(words)
    except KeyboardInterrupt:  # while loading; later `guarded` handles it
        print("\nstopped", file=sys.stderr)
        code = 130
    _end(code)


def _end(code: int) -> NoReturn:
    """Exit without freeing all that the command has built, one object after the other: that takes a
    seventh of the time of a check. Not while threads go on, or somebody measures."""
    threading = sys.modules.get("threading")  # no threads where it is not loaded
    several = threading is not None and threading.active_count() > 1
    if several or sys.gettrace() or sys.getprofile():
        sys.exit(code)
    try:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
    except OSError:
        sys.exit(code)  # Python says what becomes of the rest
    os._exit(code)
