"""The findings of a check: from the cache, or by compiling."""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.cache.findings import FINDINGS, Findings, findings_data, kept_findings
from ruleloom.cache.lookup import ask
from ruleloom.cli.check.loose_cases import parted
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.output.terminal import progress
from ruleloom.runtime.program.safe_text import safe_text


def look(paths: Sequence[str], cache: bool = True) -> Findings:
    """The findings about packs and the cases beside them, with progress shown.

    Without `cache` none are read or kept; those about cases in no pack never are.
    """
    progress(f"checking {', '.join(map(safe_text, paths))}")
    try:
        packs, loose = parted(paths)
        found = [_of_packs(packs, cache)] if packs else []
        if loose:
            # Imported late: the compiler takes longer to load than the cache to answer.
            from ruleloom.cli.check.compile_check import findings_of_cases

            found += map(findings_of_cases, loose)
        return found[0] if len(found) == 1 else _together(found)
    finally:
        progress("")


def _together(found: Sequence[Findings]) -> Findings:
    """Several findings as one; what is said of a game twice counts once."""
    diagnostics = {one: None for some in found for one in some.diagnostics}
    sources = {path: text for some in found for path, text in some.sources.items()}
    return Findings(
        tuple(sorted(diagnostics, key=Diagnostic.order)),
        sources,
        all(one.sound for one in found),
        found[0].packs,
        found[0].items,
    )


def _of_packs(paths: Sequence[str], cache: bool) -> Findings:
    query = ask(paths, FINDINGS) if cache else None
    known = kept_findings(query) if query is not None else None
    if known is not None:
        return known
    # Imported late: the compiler takes longer to load than the cache to answer.
    from ruleloom.cli.check.compile_check import compiled, findings_of

    result = compiled(paths)
    findings = findings_of(result)
    if query is not None and result.content is not None:
        query.keep(findings_data(findings), findings.sources, result.content.folders)
    return findings
