"""Folders for what a whole test process needs. They are gone when it ends."""

from __future__ import annotations

import atexit
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

_MADE = ExitStack()
atexit.register(_MADE.close)


def scratch(prefix: str) -> Path:
    """A new folder, its name beginning so."""
    return Path(_MADE.enter_context(TemporaryDirectory(prefix=prefix)))
