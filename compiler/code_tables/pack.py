"""The codes of packs: folders, requirements, patches, switches."""

from __future__ import annotations

from compiler.code_tables import Code

TABLE: dict[str, Code] = {}
