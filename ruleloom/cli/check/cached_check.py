"""The findings of a check: from the cache, or by compiling."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ruleloom.cache.lookup import Findings, ask
from ruleloom.output.terminal import progress
from ruleloom.runtime.program.safe_text import safe_text


def look(paths: Sequence[str], cache: bool = True) -> Findings:
    """The findings about packs, with progress shown; without `cache` none are read or kept."""
    progress(f"checking {', '.join(map(safe_text, paths))}")
    try:
        question = ask(paths) if cache else None
        known = question.answer() if question is not None else None
        if known is not None:
            return known
        # Imported late: the compiler takes longer to load than the cache to answer.
        from ruleloom.cli.check.compile_check import compiled, findings_of

        result = compiled(paths)
        findings = findings_of(result)
        if question is not None and result.content is not None:
            named = {folder.key for folder in question.inputs.folders}
            packs = result.content.packs
            below = [pack.id for pack in packs if os.path.realpath(pack.folder) not in named]
            question.keep(findings, below)
        return findings
    finally:
        progress("")
