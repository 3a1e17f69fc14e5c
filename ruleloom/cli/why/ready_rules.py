"""The rules of packs, to compute numbers by: their program, kept from before or compiled, and their
content, which is read each time."""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.cache.lookup import ask
from ruleloom.cache.programs import BARE, kept_program
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import CompileResult, compile_paths, load
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_data


@dataclass(frozen=True, slots=True)
class Rules:
    """A game without reasons and rules texts."""

    program: Program
    content: Content


def ready_rules(packs: Sequence[str]) -> Rules | CompileResult:
    """The rules of packs, or what is wrong with them."""
    query = ask(packs, BARE)
    program = kept_program(query) if query is not None else None
    content = load(packs, Report(), scenarios=False) if program is not None else None
    if program is not None and content is not None:
        return Rules(program, content)
    result = compile_paths(packs, reasons=False, scenarios=False)
    if result.program is None or result.content is None:
        return result
    if query is not None:
        folders = {pack.id: pack.folder for pack in result.content.packs}
        query.keep(program_data(result.program), result.sources, folders)
    return Rules(result.program, result.content)
