"""Applies the fixes of diagnostics to files; comments, quotes, line ends and all else stay."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from ruleloom.cli.fmt import as_before
from ruleloom.cli.options import write_output
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.diagnostics.suggest import Fix, apply_fixes, fix_of
from ruleloom.compiler.packs.locate import BUILTIN, shown_path
from ruleloom.compiler.source.archive import is_archive


def fix_files(found: Sequence[Diagnostic], sources: Mapping[str, str]) -> dict[str, int]:
    """Apply every fix outside the shipped packs; return the number of fixes in each file."""
    fixes: dict[str, list[Fix]] = defaultdict(list)
    for fix in filter(None, (fix_of(one, sources) for one in found)):
        path = Path(fix.place.path)
        # What is shown by the id of a shipped pack, or lies in a zip, is no file of its name.
        if path.is_file() and not path.resolve().is_relative_to(BUILTIN):
            fixes[fix.place.path].append(fix)
    for shown, made in fixes.items():
        path = Path(shown)
        write_output(path, as_before(apply_fixes(sources[shown], made), path.read_bytes()))
    return {shown: len(made) for shown, made in fixes.items()}


def in_archives(
    found: Sequence[Diagnostic], sources: Mapping[str, str], packs: Sequence[str]
) -> Counter[str]:
    """The number of fixes for files in each zip that was named; zips are never written."""
    zips = {f"{shown_path(Path(pack))}/": pack for pack in packs if is_archive(pack)}
    counts: Counter[str] = Counter()
    for fix in filter(None, (fix_of(one, sources) for one in found)):
        counts.update(pack for inside, pack in zips.items() if fix.place.path.startswith(inside))
    return counts
