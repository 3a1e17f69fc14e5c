"""Every diagnostic code there is, merged from one table a part of the compiler.

`ruleloom explain CODE` prints an entry; the tests run both examples of each. A code stands in
exactly one table.
"""

from __future__ import annotations

from ruleloom.compiler.diagnostics.codes import Code
from ruleloom.compiler.diagnostics.codes.archive_codes import TABLE as ARCHIVES
from ruleloom.compiler.diagnostics.codes.english_codes import TABLE as ENGLISH
from ruleloom.compiler.diagnostics.codes.extension_codes import TABLE as EXTENSIONS
from ruleloom.compiler.diagnostics.codes.item_codes import TABLE as CHECK
from ruleloom.compiler.diagnostics.codes.pack_codes import TABLE as PACK
from ruleloom.compiler.diagnostics.codes.scenario_codes import TABLE as PLAY
from ruleloom.compiler.diagnostics.codes.schema_codes import TABLE as SCHEMA
from ruleloom.compiler.diagnostics.codes.suppression_codes import QUIET
from ruleloom.compiler.diagnostics.codes.syntax_codes import TABLE as EFFECT
from ruleloom.compiler.diagnostics.codes.yaml_codes import TABLE as YAML

__all__ = ["CODES", "Code"]


def merged(*tables: dict[str, Code]) -> dict[str, Code]:
    """Return one table of all codes; two owners of the same code is our mistake, found at once."""
    codes: dict[str, Code] = {}
    for table in tables:
        twice = codes.keys() & table.keys()
        assert not twice, f"codes with two owners: {sorted(twice)}"
        codes |= table
    return codes


CODES: dict[str, Code] = merged(
    YAML, SCHEMA, EFFECT, CHECK, ENGLISH, PACK, ARCHIVES, EXTENSIONS, PLAY, QUIET
)
