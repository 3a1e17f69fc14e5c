"""The versions of the tool, of the language and of the program format.

They are repeated here so that `ruleloom --version` loads nothing else; a test compares them with
their owners.
"""

from __future__ import annotations

VERSION = "0.1.0"
EDITION = 1
PROGRAM_FORMAT = 2
VERSION_LINE = "ruleloom {version} (language edition {edition}, program format {format})"
VERSIONS = {"version": VERSION, "edition": str(EDITION), "format": str(PROGRAM_FORMAT)}


def version_text() -> str:
    """The output of `--version`."""
    return VERSION_LINE.format(**VERSIONS)
