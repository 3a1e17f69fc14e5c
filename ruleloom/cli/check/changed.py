"""The findings that a change brings: those in files changed since a git revision, and new ones.

A finding in a changed file, or with a note in one, always counts. Any other counts unless the
revision has one of the same code, file and line content. Git's index and work tree stay untouched.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ruleloom.cli.check.look import look
from ruleloom.cli.faults import WrongUse
from ruleloom.compiler.diagnostics.report import Diagnostic, fingerprint
from ruleloom.compiler.diagnostics.told import suppress
from ruleloom.compiler.source.archive import is_archive
from ruleloom.diff.revisions import NoRevision, ask_git, commit_of, unpack_all
from ruleloom.store.findings import Findings

DEEPER = "in CI, have the history fetched: `fetch-depth: 0` on GitHub, `GIT_DEPTH: 0` on GitLab"


class Repository:
    """The git repository around a folder, compared with a revision. Raises WrongUse."""

    def __init__(self, folder: Path, revision: str) -> None:
        self.folder = folder
        self.revision = revision
        try:
            commit = commit_of(folder, revision)
            top = ask_git(folder, "rev-parse", "--show-toplevel")
            self.top = Path(os.path.realpath(os.fsdecode(top).removesuffix("\n")))
            differ = ("diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", commit, "--")
            fresh = ("ls-files", "--others", "--exclude-standard", "-z")
            listed = ask_git(self.top, *differ) + ask_git(self.top, *fresh)
        except NoRevision as error:
            raise WrongUse(str(error), DEEPER) from None
        self.changed = {self.top / os.fsdecode(name) for name in listed.split(b"\0") if name}

    def has_changed(self, shown: str) -> bool:
        """Was a file changed, added or removed since the revision?"""
        path = Path(os.path.realpath(self.folder / shown))
        # What is shown as `house.zip/cards.yaml` is in the file `house.zip`.
        return not self.changed.isdisjoint((path, *path.parents))


def brought_by_change(
    findings: Findings, found: Sequence[Diagnostic], revision: str, paths: Sequence[str]
) -> list[Diagnostic]:
    """Return the findings that the changes since a revision bring.

    The old packs are compiled only if there is a finding in an unchanged file.
    Raises WrongUse where there is no git, no repository or no such revision.
    """
    repository = Repository(Path.cwd(), revision)
    elsewhere = []
    for one in found:
        files = {one.place.path, *(note.place.path for note in one.notes)}
        if not any(map(repository.has_changed, files)):
            elsewhere.append(one)
    if not elsewhere:
        return list(found)
    left = _old_findings(repository, paths)
    old = set()
    for one in elsewhere:
        key = (one.code, os.path.realpath(one.place.path), fingerprint(one, findings.sources))
        if left[key] > 0:
            left[key] -= 1
            old.add(one)
    return [one for one in found if one not in old]


def _old_findings(repository: Repository, paths: Sequence[str]) -> Counter[tuple[str, str, str]]:
    """The number of each finding at the revision, by code, present path and fingerprint."""
    with tempfile.TemporaryDirectory(prefix="ruleloom-") as folder:
        files = Path(os.path.realpath(folder)) / "files"
        try:
            unpack_all(repository.top, repository.revision, files)
        except NoRevision as error:
            raise WrongUse(str(error)) from None
        before = {path: _old_path(path, repository, files) for path in paths}
        existing = [old for path, old in before.items() if old == path or Path(old).exists()]
        found: Counter[tuple[str, str, str]] = Counter()
        if not existing:
            return found
        result = look(existing, cache=False)  # a temporary folder is never checked again
        for one in suppress(result.diagnostics, result.sources):
            now = Path(os.path.realpath(one.place.path))
            if now.is_relative_to(files):
                now = repository.top / now.relative_to(files)
            found[one.code, str(now), fingerprint(one, result.sources)] += 1
        return found


def _old_path(path: str, repository: Repository, files: Path) -> str:
    """The unpacked old files of a path; the path itself if unversioned, or an unchanged zip."""
    real = Path(os.path.realpath(path))
    if not os.path.lexists(path) or not real.is_relative_to(repository.top):
        return path
    if is_archive(path) and not repository.has_changed(path):
        return path
    return str(files / real.relative_to(repository.top))
