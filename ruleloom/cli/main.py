"""The entry point of the `ruleloom` command.

`--version` is answered at once; anything else loads the command line, and of that only the verb it
needs.
"""

from __future__ import annotations

import gc
import sys
from importlib import import_module

from ruleloom.api.version import version_text


def run() -> None:
    """Run the command line on the words it was given, and end with its exit code."""
    words = sys.argv[1:]
    if words in (["--version"], ["-V"]):
        print(version_text())
        return
    if words[:1] == ["check"]:
        # It makes much, keeps it, and ends: to look for garbage meanwhile, or at the end, is a
        # tenth of its time.
        gc.disable()
    try:
        code: int = import_module("ruleloom.cli.verbs").start(words)
    except KeyboardInterrupt:  # while loading: later the verbs see to it
        print("\nstopped", file=sys.stderr)
        code = 130
    sys.exit(code)
