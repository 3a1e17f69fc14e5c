"""The names of `import ruleloom` that need the compiler; the first of them loads it."""

from __future__ import annotations

from pathlib import Path

from ruleloom.api.content_error import ContentError
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.pipeline import Compiler, CompileResult, compile_paths

__all__ = ["CompileResult", "Compiler", "ContentError", "Diagnostic", "compile"]


def compile(*packs: str | Path) -> CompileResult:
    """Compile packs (folders, or names of shipped games) into one program, with diagnostics."""
    return compile_paths(packs, texts=True)
