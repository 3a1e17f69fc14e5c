"""The entry point of the `ruleloom` command; `--version` is answered without loading anything."""

from __future__ import annotations

import gc
import sys
from importlib import import_module

from ruleloom.api.version import version_text


def run() -> None:
    """Run the command line and exit with its code."""
    words = sys.argv[1:]
    if words in (["--version"], ["-V"]):
        print(version_text())
        return
    if words[:1] == ["check"]:
        # A check builds much, keeps it, and ends: collecting garbage takes a tenth of its time.
        gc.disable()
    try:
        code: int = import_module("ruleloom.cli.verbs").start(words)
    except KeyboardInterrupt:  # while loading; later `guarded` handles it
        print("\nstopped", file=sys.stderr)
        code = 130
    sys.exit(code)
