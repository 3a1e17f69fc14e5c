"""The codes of play: scenarios, answers, saves."""

from __future__ import annotations

from compiler.code_tables import Code

TABLE: dict[str, Code] = {}
