"""Makes programs of rulesets: YAML in, a checked program or a list of plain complaints out."""

from __future__ import annotations

from compiler.diagnostics import Diagnostic
from compiler.pipeline import CompileResult, compile_paths

__all__ = ["CompileResult", "Diagnostic", "compile_paths"]
