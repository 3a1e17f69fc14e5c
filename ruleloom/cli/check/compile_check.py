"""Compiles packs for a check, or to compute numbers by, where the cache has no answer; reports
mistakes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TextIO

from ruleloom.cache.findings import Findings
from ruleloom.cli.check.loose_cases import LooseCases
from ruleloom.cli.faults import FINDINGS
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.output.terminal import closing_words


def compiled(paths: Sequence[str]) -> CompileResult:
    """Compile packs, check their requirements, and that nothing is left to a driver that is not
    there."""
    result = compile_paths(paths, reasons=False)
    if result.program is None:
        return result
    # Imported late: both bring the machine, which is slow to load, and few packs need them.
    program = result.program
    if not all(one.of for one in program.queries) or any(
        one.sets is None for one in program.operations
    ):
        from ruleloom.api.missing_driver import with_driver

        result = with_driver(result)
    if result.program is None or not result.program.requirements:
        return result
    from ruleloom.api.requirements import with_requirements

    return with_requirements(result)


def findings_of(result: CompileResult) -> Findings:
    """The findings of a result, with the numbers of packs and items."""
    content = result.content
    packs, items = (len(content.packs), len(content.items)) if content is not None else (0, 0)
    return Findings(result.diagnostics, result.sources, result.ok, packs, items)


def findings_of_cases(cases: LooseCases) -> Findings:
    """The findings about cases that lie in no pack, held against their game."""
    return findings_of(compile_paths(cases.packs, reasons=False, loose=cases.files))


def report_mistakes(result: CompileResult, stream: TextIO | None = None) -> int:
    """Print the findings about packs that do not compile; return the exit code."""
    stream = stream or sys.stdout
    findings = findings_of(result)
    stream.write(render(findings.diagnostics, findings.sources, "text"))
    print(closing_words(findings.diagnostics, findings.packs, findings.items), file=stream)
    return FINDINGS


def compile_rules(packs: Sequence[str]) -> CompileResult:
    """Compile packs to compute numbers by."""
    return compile_paths(packs, reasons=False, scenarios=False)
