"""The findings of a check: from the cache, or by compiling."""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.cache.findings import FINDINGS, Findings, findings_data, kept_findings
from ruleloom.cache.lookup import ask
from ruleloom.output.terminal import progress
from ruleloom.runtime.program.safe_text import safe_text


def look(paths: Sequence[str], cache: bool = True) -> Findings:
    """The findings about packs, with progress shown; without `cache` none are read or kept."""
    progress(f"checking {', '.join(map(safe_text, paths))}")
    try:
        query = ask(paths, FINDINGS) if cache else None
        known = kept_findings(query) if query is not None else None
        if known is not None:
            return known
        # Imported late: the compiler takes longer to load than the cache to answer.
        from ruleloom.cli.check.compile_check import compiled, findings_of

        result = compiled(paths)
        findings = findings_of(result)
        if query is not None and result.content is not None:
            folders = {pack.id: pack.folder for pack in result.content.packs}
            query.keep(findings_data(findings), findings.sources, folders)
        return findings
    finally:
        progress("")
