"""Applies the fixes of diagnostics to the files themselves.

Only files that lie where their name says are touched, so never a shipped game, which is shown by
its id. Comments, quotes, line ends and everything else stay.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from ruleloom.cli.fmt.fmt import as_before
from ruleloom.cli.options import write_output
from ruleloom.compiler.diagnostics.fixits import Fix, apply_fixes, fix_of
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.packs.locate import BUILTIN, shown_path
from ruleloom.compiler.source.archive import is_archive


def fix_files(found: Sequence[Diagnostic], sources: Mapping[str, str]) -> dict[str, int]:
    """Make every fix there is; return how many were made in each file."""
    fixes: dict[str, list[Fix]] = defaultdict(list)
    for one in found:
        fix = fix_of(one, sources)
        if fix is not None and _is_an_authors(fix.place.path):
            fixes[fix.place.path].append(fix)
    for shown, made in fixes.items():
        path = Path(shown)
        write_output(path, as_before(apply_fixes(sources[shown], made), path.read_bytes()))
    return {shown: len(made) for shown, made in fixes.items()}


def in_archives(
    found: Sequence[Diagnostic], sources: Mapping[str, str], packs: Sequence[str]
) -> dict[str, int]:
    """How many fixes there are for files in each zip that was named, which nobody writes into."""
    counts: dict[str, int] = defaultdict(int)
    for one in found:
        fix = fix_of(one, sources)
        shown = fix.place.path if fix is not None else ""
        pack = next((pack for pack in packs if is_archive(pack) and _lies_in(shown, pack)), None)
        if pack is not None:
            counts[pack] += 1
    return dict(counts)


def _lies_in(shown: str, pack: str) -> bool:
    return shown.startswith(f"{shown_path(Path(pack))}/")


def _is_an_authors(shown: str) -> bool:
    path = Path(shown)
    return path.is_file() and not path.resolve().is_relative_to(BUILTIN)
