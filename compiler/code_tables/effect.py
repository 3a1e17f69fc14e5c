"""The codes of effect text: syntax and layout."""

from __future__ import annotations

from compiler.code_tables import Code

TABLE: dict[str, Code] = {}
