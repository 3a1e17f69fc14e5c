"""Where the `ruleloom` command starts.

`--version` is answered at once; anything else loads the command line, and that only the verb it needs.
"""

from __future__ import annotations

import sys
from importlib import import_module

from ruleloom.version import version_text


def run() -> None:
    """Run the command line on the words it was given, and end with its exit code."""
    words = sys.argv[1:]
    if words in (["--version"], ["-V"]):
        print(version_text())
        return
    code: int = import_module("ruleloom.cli.verbs").start(words)
    sys.exit(code)
