"""When garbage is collected: after a compilation, and never while somebody is answered.

A collection looks at every object that lives, and the packs are millions of them: by itself it would
come in the midst of an answer. What the first compilation leaves is set aside, as most of it stays.
"""

from __future__ import annotations

import gc

OFTEN = 40


class IdleCollector:
    """Collects garbage when it is told to; until it is started, Python does so by itself."""

    def __init__(self) -> None:
        self._count: int | None = None

    def start(self) -> None:
        """From now on, collect only on request."""
        gc.disable()
        self._count = 0

    def collect(self) -> None:
        """Collect what later compilations have left; now and then, also what was set aside."""
        if self._count is None:
            return
        if self._count % OFTEN == 0:
            gc.unfreeze()
            gc.collect()
            gc.freeze()
        else:
            gc.collect()
        self._count += 1
