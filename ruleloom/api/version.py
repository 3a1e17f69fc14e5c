"""Which Ruleloom this is: the tool, the edition of the language, the format of programs.

Written out here, so that `ruleloom --version` needs no other module; a test holds the numbers
against their owners.
"""

from __future__ import annotations

VERSION = "0.1.0"
EDITION = 1
PROGRAM_FORMAT = 2


def version_text() -> str:
    """The line that `--version` prints."""
    return f"ruleloom {VERSION} (language edition {EDITION}, program format {PROGRAM_FORMAT})"
