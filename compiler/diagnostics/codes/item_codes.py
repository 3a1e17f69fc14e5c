"""The codes of the meaning of items: names, types, order, bounds, secrets, and things never
used."""

from __future__ import annotations

from ruleloom.compiler.diagnostics.codes import Code
from ruleloom.compiler.diagnostics.codes.name_codes import CALLS, NAMES
from ruleloom.compiler.diagnostics.codes.play_codes import LINT, PLAY
from ruleloom.compiler.diagnostics.codes.requirement_codes import CONTENT
from ruleloom.compiler.diagnostics.codes.type_codes import TYPES

TABLE: dict[str, Code] = {**NAMES, **CALLS, **TYPES, **PLAY, **LINT, **CONTENT}
