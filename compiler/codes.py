"""Every diagnostic code there is, merged from one table a part of the compiler.

`ruleloom explain CODE` prints an entry; the tests run both examples of each. A code stands in exactly
one table.
"""

from __future__ import annotations

from compiler.code_tables import Code
from compiler.code_tables.archives import TABLE as ARCHIVES
from compiler.code_tables.check import TABLE as CHECK
from compiler.code_tables.effect import TABLE as EFFECT
from compiler.code_tables.english import TABLE as ENGLISH
from compiler.code_tables.extensions import TABLE as EXTENSIONS
from compiler.code_tables.keeping_quiet import QUIET
from compiler.code_tables.pack import TABLE as PACK
from compiler.code_tables.play import TABLE as PLAY
from compiler.code_tables.schema import TABLE as SCHEMA
from compiler.code_tables.yaml import TABLE as YAML

__all__ = ["CODES", "Code"]


def merged(*tables: dict[str, Code]) -> dict[str, Code]:
    """Return one table of all codes; two owners of the same code is our mistake, found at once."""
    codes: dict[str, Code] = {}
    for table in tables:
        twice = codes.keys() & table.keys()
        assert not twice, f"codes with two owners: {sorted(twice)}"
        codes |= table
    return codes


CODES: dict[str, Code] = merged(YAML, SCHEMA, EFFECT, CHECK, ENGLISH, PACK, ARCHIVES, EXTENSIONS, PLAY, QUIET)
