"""Compiles packs for a check: what `ruleloom check` needs only where the cache has no answer."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TextIO

from ruleloom.cache.check_result import Findings
from ruleloom.cli.faults import FINDINGS
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.output.terminal import closing_words


def compiled(paths: Sequence[str]) -> CompileResult:
    """Compile packs and ask their requirements.

    These are imported here, not above: they need the machine, and most packs would wait for it in
    vain.
    """
    result = compile_paths(paths, texts=False, reasons=False)
    if result.program is None or not result.program.requirements:
        return result
    from ruleloom.api.requirements import with_requirements

    return with_requirements(result)


def findings_of(result: CompileResult) -> Findings:
    """What a check tells of what came of compiling."""
    content = result.content
    packs, items = (len(content.packs), len(content.items)) if content is not None else (0, 0)
    return Findings(result.diagnostics, result.sources, result.ok, packs, items)


def packs_besides(result: CompileResult, named: Sequence[str]) -> list[str] | None:
    """The ids of the packs read besides those named; None where no packs were put together."""
    if result.content is None:
        return None
    return [pack.id for pack in result.content.packs if os.path.realpath(pack.folder) not in named]


def report_mistakes(result: CompileResult, stream: TextIO | None = None) -> int:
    """Print the findings about packs without a program; return the exit code."""
    stream = stream or sys.stdout
    findings = findings_of(result)
    stream.write(render(findings.diagnostics, findings.sources, "text"))
    print(closing_words(findings.diagnostics, findings.packs, findings.items), file=stream)
    return FINDINGS
