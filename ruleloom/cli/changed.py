"""Tells which findings a change brings: those in files that git knows as changed, and those that are new.

In go the findings of a run and a revision; out come those that the change since then has to do with. A
finding in a changed file, or with a note in one, always has. Any other is looked for among the findings of
the packs as they were at the revision, by its code, file and line's content: what was there already is old.
Git's index and work tree are left as they are.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from compiler.allowing import allow
from compiler.diagnostics import Diagnostic
from compiler.fingerprints import fingerprint
from compiler.pack_files import ENDINGS
from compiler.pipeline import CompileResult
from ruleloom.cli.faults import WrongUse

Check = Callable[[Sequence[str]], CompileResult]
DEEPER = "in CI, fetch the history first (`fetch-depth: 0` on GitHub, `GIT_DEPTH: 0` on GitLab)"


class Repository:
    """The git repository around a folder, beside one of its revisions."""

    def __init__(self, folder: Path, revision: str) -> None:
        self.folder = folder
        top = self._git("rev-parse", "--show-toplevel", why="the present folder lies in no git repository")
        self.top = Path(os.path.realpath(os.fsdecode(top).rstrip("\n")))
        words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        missing = f"git knows no revision `{revision}` here"
        self.revision = os.fsdecode(self._git(*words, why=missing, help=DEEPER)).strip()
        self.changed = frozenset(self._changed())

    def _git(self, *words: str, why: str, help: str = "leave out `--changed-since`", **more: object) -> bytes:
        try:
            done = subprocess.run(  # type: ignore[call-overload]
                ["git", *words], cwd=self.folder, capture_output=True, check=False, **more
            )
        except FileNotFoundError:
            raise WrongUse("`--changed-since` asks git, and there is no git here", "install git") from None
        if done.returncode != 0:
            told = os.fsdecode(done.stderr).strip().splitlines()
            raise WrongUse(f"{why}{f' ({told[-1]})' if told else ''}", help)
        return bytes(done.stdout)

    def _changed(self) -> list[Path]:
        """The files that are not as they were at the revision; gone, and new ones too."""
        why = "git cannot tell what has changed"
        words = ("diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", self.revision, "--")
        listed = self._git("-C", str(self.top), *words, why=why)
        fresh = ("ls-files", "--others", "--exclude-standard", "-z")
        listed += self._git("-C", str(self.top), *fresh, why=why)
        return [self.top / os.fsdecode(name) for name in listed.split(b"\0") if name]

    def has_changed(self, shown: str) -> bool:
        """Whether the file that is shown so has changed."""
        return Path(os.path.realpath(self.folder / shown)) in self.changed

    def write_old_files(self, folder: Path) -> None:
        """Write the YAML files of the revision beneath an empty folder."""
        why = "git cannot read the old revision"
        environment = {**os.environ, "GIT_INDEX_FILE": str(folder / ".index")}
        at_top = ("-C", str(self.top))
        self._git(*at_top, "read-tree", self.revision, why=why, env=environment)
        kinds = [f"*{ending}" for ending in ENDINGS]
        names = self._git(*at_top, "ls-files", "-z", "--", *kinds, why=why, env=environment)
        words = ("checkout-index", "-z", "--stdin", f"--prefix={folder}/files/")
        self._git(*at_top, *words, why=why, env=environment, input=names)


def brought_by_change(
    result: CompileResult, found: Sequence[Diagnostic], revision: str, paths: Sequence[str], check: Check
) -> list[Diagnostic]:
    """Return those findings that the change since a revision has to do with.

    `check` compiles paths; it is asked for the old packs only if there is a finding in an unchanged file.
    Raises WrongUse where there is no git, no repository or no such revision.
    """
    repository = Repository(Path.cwd(), revision)
    elsewhere = [one for one in found if not any(map(repository.has_changed, _files(one)))]
    if not elsewhere:
        return list(found)
    left = _old_findings(repository, paths, check)
    old = set()
    for one in elsewhere:
        key = (one.code, os.path.realpath(one.place.path), fingerprint(one, result.sources))
        if left[key] > 0:
            left[key] -= 1
            old.add(one)
    return [one for one in found if one not in old]


def _files(found: Diagnostic) -> set[str]:
    return {found.place.path, *(note.place.path for note in found.notes)}


def _old_findings(
    repository: Repository, paths: Sequence[str], check: Check
) -> Counter[tuple[str, str, str]]:
    """How often each finding was there at the revision, by code, present path and fingerprint."""
    with tempfile.TemporaryDirectory(prefix="ruleloom-") as folder:
        files = Path(os.path.realpath(folder)) / "files"
        files.mkdir()
        repository.write_old_files(files.parent)
        before = {path: _before(path, repository, files) for path in paths}
        there = [old for path, old in before.items() if old == path or Path(old).exists()]
        if not there:
            return Counter()
        result = check(there)
        found: Counter[tuple[str, str, str]] = Counter()
        for one in allow(result.diagnostics, result.sources):
            place = Path(os.path.realpath(one.place.path))
            now = repository.top / place.relative_to(files) if place.is_relative_to(files) else place
            found[one.code, str(now), fingerprint(one, result.sources)] += 1
        return found


def _before(path: str, repository: Repository, files: Path) -> str:
    """Where the old files of a path lie; the path itself if it is not in the repository."""
    real = Path(os.path.realpath(path))
    if not os.path.lexists(path) or not real.is_relative_to(repository.top):
        return path
    return str(files / real.relative_to(repository.top))
