"""Games compiled with their texts, once for all tests of what is written about them."""

from __future__ import annotations

from functools import cache

from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.program.program import Program


@cache
def compiled(*paths: str) -> tuple[Content, Program]:
    """The content and the program of a game, or of packs on top of one."""
    result = compile_paths(paths, texts=True, reasons=False, scenarios=False)
    assert result.program is not None, result.diagnostics
    assert result.content is not None
    return result.content, result.program
