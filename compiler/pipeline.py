"""The whole compiler on one screen: from paths to a program.

    paths ──▶ packs.load ──▶ Content ──▶ lower.build_program ──▶ Program
                 │                            │
                 ▼                            ▼
              Report  ◀───────────────────────┘   one sorted list of diagnostics

Reading, the schemas and patches belong to `packs.load`; names, types, bounds and lowering to
`lower.build_program`. Whatever can be checked is checked, also where a neighbour is broken; a
program comes out only when nothing is.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ruleloom.compiler.build import build_program
from ruleloom.compiler.diagnostics.report import Diagnostic, Enough, Report
from ruleloom.compiler.load import load
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.locate import BUILTIN, SCHEMAS
from ruleloom.compiler.patch.blame import with_blame
from ruleloom.compiler.source.file import Source
from ruleloom.runtime.program.program import Program


@dataclass(frozen=True, slots=True, eq=False)
class CompileResult:
    """What came of compiling: the program if nothing is wrong, and everything there is to say.

    `sources` holds the text of each file that was read, by the path its diagnostics show.
    """

    program: Program | None
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, str]
    content: Content | None

    @property
    def ok(self) -> bool:
        """Whether there is a program to play; warnings do not count."""
        return self.program is not None


def compile_paths(
    paths: str | Path | Iterable[str | Path],
    *,
    builtin: Path | None = None,
    schemas: Path | None = None,
    texts: bool = True,
    reasons: bool = True,
    loose: Iterable[str | Path] = (),
) -> CompileResult:
    """Compile the packs that `paths` name (folders, files in them, ids of shipped packs) into one
    program.

    `builtin` and `schemas` stand in for the folders of shipped packs and of schemas. Without
    `texts` the program lacks the rules texts, and without `reasons` its conditions do not say why
    an option is refused: a mere check needs neither. The `loose` files lie in no pack, and are read
    as if they lay in the last one.
    """
    report = Report(limited=True)
    sources: dict[str, Source] = {}
    named = [paths] if isinstance(paths, str | Path) else paths
    program, content = None, None
    with collector_resting(), suppress(Enough):
        content = load(named, report, builtin or BUILTIN, schemas or SCHEMAS, sources, loose)
        if content is not None and content.by_kind("vocabulary"):
            program = build_program(content, report, texts, reasons)
    read = {path: source.text for path, source in sources.items()}
    found = tuple(report.diagnostics())
    if content is not None:
        found = with_blame(found, content)
    return CompileResult(None if report.has_errors else program, found, read, content)


@contextmanager
def collector_resting() -> Iterator[None]:
    """Let the garbage collector rest: compiling makes a great many small objects that stay, and
    hardly any garbage in circles. Looking for that again and again would take a quarter of the
    time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
