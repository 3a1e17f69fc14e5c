"""The findings of a check, about packs and the cases beside them."""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.api.ready import ready, ready_cases
from ruleloom.cli.check.loose_cases import parted
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.output.terminal import progress
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.store.findings import FINDINGS, Findings


def look(paths: Sequence[str], cache: bool = True) -> Findings:
    """The findings about packs and the cases beside them, with progress shown.

    Without `cache` none are read or kept; those about cases in no pack never are.
    """
    progress(f"checking {', '.join(map(safe_text, paths))}")
    try:
        packs, loose = parted(paths)
        found = [ready(FINDINGS, packs, cache)] if packs else []
        found += [ready_cases(one.packs, one.files) for one in loose]
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
