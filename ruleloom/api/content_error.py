"""The error for packs with mistakes."""

from __future__ import annotations

from collections.abc import Mapping

from ruleloom.compiler.diagnostics.render import concise
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.runtime.program.faults import RuleloomError
from ruleloom.store.findings import Findings


class ContentError(RuleloomError):
    """Packs that cannot be played; `diagnostics` has the mistakes and places."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        super().__init__(concise(findings.diagnostics, findings.sources, False).rstrip())

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All diagnostics, sorted by place."""
        return self.findings.diagnostics

    @property
    def sources(self) -> Mapping[str, str]:
        """The text of each file read, by the path that its diagnostics show."""
        return self.findings.sources
