"""Every diagnostic code there is, merged from one table a part of the compiler.

`ruleloom explain CODE` prints an entry; the tests run both examples of each. A code stands in
exactly one table.
"""

from __future__ import annotations

from ruleloom.compiler.diagnostics.codes import Code
from ruleloom.compiler.diagnostics.codes.name_codes import CALLS, NAMES
from ruleloom.compiler.diagnostics.codes.pack_codes import TABLE as PACK
from ruleloom.compiler.diagnostics.codes.play_codes import LINT, PLAY
from ruleloom.compiler.diagnostics.codes.schema_codes import TABLE as SCHEMA
from ruleloom.compiler.diagnostics.codes.suppression_codes import QUIET
from ruleloom.compiler.diagnostics.codes.syntax_codes import TABLE as EFFECT
from ruleloom.compiler.diagnostics.codes.type_codes import TYPES
from ruleloom.compiler.diagnostics.codes.yaml_codes import TABLE as YAML


def merged(*tables: dict[str, Code]) -> dict[str, Code]:
    """Return one table of all codes; two owners of one code are our mistake."""
    codes = {name: code for table in tables for name, code in table.items()}
    assert len(codes) == sum(map(len, tables)), "a code has two owners"
    return codes


CODES = merged(YAML, SCHEMA, EFFECT, NAMES, CALLS, TYPES, PLAY, LINT, PACK, QUIET)
