"""How long something takes: in time of this process alone, so that other work on the machine is no
fault of ours."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """What stands below takes less. What earlier tests have left behind is not swept up
    meanwhile."""
    gc.disable()
    began = time.process_time()
    try:
        yield
    finally:
        took = time.process_time() - began
        gc.enable()
    assert took < seconds, f"{took:.2f} s"
