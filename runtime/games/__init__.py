"""The games that can be played: which driver a program of each game is bound to."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from runtime.games import gnostica
from runtime.values import Driver, Layout

DRIVERS: Mapping[str, Callable[[Layout], Driver]] = {"gnostica": gnostica.bind}
