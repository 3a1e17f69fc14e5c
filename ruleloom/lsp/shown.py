"""What a command has found out about a stretch of a file, shown beside the findings of the packs."""

from __future__ import annotations

from dataclasses import dataclass

from lsprotocol import types as lsp

from ruleloom.lsp.positions import TextLines

SOURCE = "ruleloom"


@dataclass(frozen=True, slots=True)
class Shown:
    """A finding of a command: from and to in a file, what it says, and how bad that is."""

    start: int
    end: int
    message: str
    severity: lsp.DiagnosticSeverity
    code: str

    def diagnostic(self, lines: TextLines) -> lsp.Diagnostic:
        """The finding for a client."""
        where = lines.range(self.start, self.end)
        return lsp.Diagnostic(where, self.message, self.severity, self.code, source=SOURCE)
