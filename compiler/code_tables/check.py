"""What the checker may complain about: names, types, order, bounds, secrets, and things never used."""

from __future__ import annotations

from compiler.code_tables import Code

TABLE: dict[str, Code] = {}
