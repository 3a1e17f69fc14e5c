"""The driver of Gnostica: what happens on the table, and what can be asked about it.

`bind` binds one pure function to each query and operation of `rulesets/gnostica/vocabulary.yaml`.
Limits, powers and the course of the game are effect text in that folder, not here.
"""

from __future__ import annotations

from ruleloom.runtime.games.gnostica.driver import bind

__all__ = ["bind"]
