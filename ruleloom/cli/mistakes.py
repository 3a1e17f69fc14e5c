"""The mistakes of packs that a command cannot use."""

from __future__ import annotations

import sys
from typing import TextIO

from ruleloom.cli.faults import FINDINGS
from ruleloom.compiler.diagnostics.render_text import text
from ruleloom.output.terminal import closing_words
from ruleloom.store.findings import Findings


def report_mistakes(findings: Findings, stream: TextIO | None = None) -> int:
    """Print the findings about packs that do not compile; return the exit code."""
    stream = stream or sys.stdout
    stream.write(text(findings.diagnostics, findings.sources, False))
    print(closing_words(findings.diagnostics, findings.packs, findings.items), file=stream)
    return FINDINGS
