"""The findings of a check: from the cache, or by compiling."""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.cache.check_result import Findings
from ruleloom.cache.lookup import ask
from ruleloom.output.terminal import progress, progress_done
from ruleloom.runtime.program.safe_text import safe_text


def look(paths: Sequence[str], cache: bool = True) -> Findings:
    """The findings about packs, with progress shown; `cache` off neither reads nor keeps any.

    The compiler is imported here, not above: it takes longer to load than the cache to answer.
    """
    progress(f"checking {', '.join(map(safe_text, paths))}")
    try:
        question = ask(paths) if cache else None
        known = question.answer() if question is not None else None
        if known is not None:
            return known
        from ruleloom.cli.check.compile_check import compiled, findings_of, packs_besides

        result = compiled(paths)
        findings = findings_of(result)
        if question is not None:
            besides = packs_besides(result, [folder.key for folder in question.inputs.folders])
            if besides is not None:
                question.keep(findings, besides)
        return findings
    finally:
        progress_done()
