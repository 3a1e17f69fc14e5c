"""The codes of the meaning of items: names, types, order, bounds, secrets, and things never used."""

from __future__ import annotations

from compiler.code_tables import Code
from compiler.code_tables.check_names import CALLS, NAMES
from compiler.code_tables.check_play import LINT, PLAY
from compiler.code_tables.check_types import TYPES
from compiler.code_tables.content import CONTENT

TABLE: dict[str, Code] = {**NAMES, **CALLS, **TYPES, **PLAY, **LINT, **CONTENT}
