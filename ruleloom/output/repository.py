"""Paths in reports for code hosts, relative to the repository root rather than the current folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from pathlib import Path
from typing import TypeVar

from ruleloom.compiler.diagnostics.report import Diagnostic, Note
from ruleloom.runtime.dataclass import Frozen

DiagnosticOrNote = TypeVar("DiagnosticOrNote", Diagnostic, Note)
FORMS = ("github", "gitlab", "sarif")
"""The formats whose readers need such paths."""


class RepositoryPaths(Frozen):
    """The repository around the current folder."""

    root: Path
    folder: Path = field(default_factory=lambda: Path(os.path.realpath(os.curdir)))

    @classmethod
    def here(cls) -> RepositoryPaths:
        """The workspace of GitHub's runner, else git's repository, else the current folder."""
        folder = Path(os.path.realpath(os.curdir))
        workspace = os.environ.get("GITHUB_WORKSPACE")
        if workspace and folder.is_relative_to(os.path.realpath(workspace)):
            return cls(Path(os.path.realpath(workspace)), folder)
        above = (one for one in (folder, *folder.parents) if (one / ".git").exists())
        return cls(next(above, folder), folder)

    def path(self, shown: str) -> str:
        """A file's path from the root; absolute if outside, unchanged if it is no file (shipped games)."""
        path = Path(os.path.normpath(self.folder / shown))
        # A file in a zip exists as long as the zip does.
        if not (path.exists() or any(above.is_file() for above in path.parents)):
            return shown
        if not path.is_relative_to(self.root):
            path = Path(os.path.realpath(path))
        inside = path.relative_to(self.root) if path.is_relative_to(self.root) else path
        return inside.as_posix()

    def placed(
        self, found: Sequence[Diagnostic], sources: Mapping[str, str]
    ) -> tuple[list[Diagnostic], dict[str, str]]:
        """Findings and sources, with paths from the root."""
        return with_paths(found, sources, self.path)


def with_paths(
    found: Sequence[Diagnostic], sources: Mapping[str, str], path_of: Callable[[str], str]
) -> tuple[list[Diagnostic], dict[str, str]]:
    """Findings and sources with other paths of their files."""
    path_of = cache(path_of)

    def moved(one: DiagnosticOrNote) -> DiagnosticOrNote:
        return replace(one, place=replace(one.place, path=path_of(one.place.path)))

    placed = [replace(moved(one), notes=tuple(map(moved, one.notes))) for one in found]
    return placed, {path_of(path): text for path, text in sources.items()}
