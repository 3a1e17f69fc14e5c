"""The changelog of a release: what `ruleloom diff` says of it and an older version."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import indent

from ruleloom.compiler.packs.locate import PackFolder
from ruleloom.diff.compare import Changes, Side, load_side, side_at
from ruleloom.diff.report import DiffReport


def side_since(pack: PackFolder, since: str, beside: Sequence[str]) -> Side:
    """The version of a pack at a git revision, or in a folder or zip. Raises Broken, NotOne or NoRevision."""
    if Path(since).exists():
        return load_side(since, since, beside)
    return side_at(pack, since, beside)


def changelog(old: Side, new: Side, changes: Changes) -> str:
    """The changelog in Markdown."""
    report = DiffReport(everything=True).text(old, new, changes, None)
    told = indent(report.partition("\n")[2].strip("\n"), "    ")
    return f"# {new.pack.id} {new.pack.version}\n\nSince {old.pack.version}:\n\n{told}\n"
