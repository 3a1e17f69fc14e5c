"""Rules ready to compute numbers by, of packs whose program is kept, or came with the installation, or
has to be made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from ruleloom.cache.compiled import BARE, keep_program, kept_rules
from ruleloom.cache.lookup import ask
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.load import load_content
from ruleloom.compiler.packs.content import Content
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Program


@dataclass(frozen=True, slots=True)
class Rules:
    """A game to compute numbers by."""

    program: Program
    content: Content


def ready_rules(packs: Sequence[str], stream: TextIO | None = None) -> Rules | int:
    """The rules of packs; where they hold mistakes, these are printed, and this is the exit code."""
    query = ask(packs, BARE)
    program = kept_rules(query) if query is not None else None
    content = load_content(packs, Report(), scenarios=False) if program is not None else None
    if program is not None and content is not None:
        return Rules(program, content)
    # Imported late: to check packs takes half of the compiler, and kept ones need not be.
    from ruleloom.cli.check.compile_check import compile_rules, report_mistakes

    result = compile_rules(packs)
    if result.program is None or result.content is None:
        return report_mistakes(result, stream)
    if query is not None:
        keep_program(query, result.program, result.sources, result.content.folders)
    return Rules(result.program, result.content)
