"""Equal things in a row, counted: `red d4 x6`."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby


def counted(names: Iterable[str]) -> list[str]:
    """The names, equal neighbours as one with their number."""
    groups = ((name, sum(1 for _ in same)) for name, same in groupby(names))
    return [name if many == 1 else f"{name} x{many}" for name, many in groups]
