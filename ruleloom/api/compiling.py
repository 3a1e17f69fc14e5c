"""The names of `import ruleloom` that need the compiler; it is loaded with the first of them."""

from __future__ import annotations

from pathlib import Path

from ruleloom.cache.compiled import keep_program
from ruleloom.cache.lookup import CacheQuery
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.pipeline import Compiler, CompileResult, compile_paths
from ruleloom.runtime.program.faults import RuleloomError
from ruleloom.runtime.program.program import Program

__all__ = ["CompileResult", "Compiler", "ContentError", "Diagnostic", "compile"]


class ContentError(RuleloomError):
    """Packs that cannot be played; `diagnostics` say what is wrong and where."""

    def __init__(self, result: CompileResult) -> None:
        self.diagnostics = result.diagnostics
        self.sources = result.sources
        super().__init__(render(result.diagnostics, result.sources, "concise").rstrip())


def compile(*packs: str | Path) -> CompileResult:
    """Compile packs (folders, or names of shipped games) into one program, with diagnostics."""
    return compile_paths(packs, texts=True)


def compiled_program(packs: tuple[str | Path, ...], query: CacheQuery | None) -> Program:
    """The program of packs, their scenarios left unread, kept for the next time; ContentError if
    they hold mistakes."""
    result = compile_paths(packs, texts=True, scenarios=False)
    if result.program is None or result.content is None:
        raise ContentError(result)
    if query is not None:
        keep_program(query, result.program, result.sources, result.content.folders)
    return result.program
