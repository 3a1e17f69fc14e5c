"""Packs at past revisions, from the git repository that contains them.

git only reads its object store: no hook, filter or configured program runs, and nothing is fetched.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ruleloom.compiler.diagnostics.suggest import nearest
from ruleloom.compiler.packs.walk import ENDINGS, MANIFEST, MAX_BYTES, MAX_FILES
from ruleloom.runtime.program.faults import Refused

SECONDS = 60
TWO_FOLDERS = "name the folders of two versions: ruleloom diff OLD NEW"
ORDINARY = ("100644", "100755")
LINK = "120000"
QUIET = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_LITERAL_PATHSPECS": "1",
    "LC_ALL": "C",
}


class GitEntry(NamedTuple):
    """A file, link or submodule of a commit; only files have a size."""

    mode: str
    blob: str
    size: int
    name: str


def entries_in(listed: bytes) -> Iterator[GitEntry]:
    """The entries in an answer of `git ls-tree -r -z -l`."""
    for entry in filter(None, listed.split(b"\0")):
        about, _, raw = entry.partition(b"\t")
        mode, _, blob, length = about.decode().split()
        yield GitEntry(mode, blob, int(length) if length.isdigit() else 0, os.fsdecode(raw))


class NoRevision(Refused):
    """A past version cannot be read; `help` says what to do."""


def unpack(folder: Path, revision: str, into: Path) -> None:
    """Write the YAML files of `folder` at `revision` to `into`. Raises NoRevision."""
    commit = commit_of(folder, revision)
    prefix = ask_git(folder, "rev-parse", "--show-prefix").decode().removesuffix("\n")
    files = _files(folder, revision, commit, prefix)
    if not any(name == MANIFEST for name, _ in files):
        none = f"there is no `{MANIFEST}` in {folder.name or 'this folder'} at `{revision}`"
        help = "a pack that lay elsewhere then can be checked out and named: ruleloom diff OLD NEW"
        raise NoRevision(none, help)
    _write(folder, files, into)


def unpack_all(top: Path, revision: str, into: Path) -> None:
    """Write the YAML files of a whole repository at `revision` to `into`, except for links."""
    _write(top, _files(top, revision, commit_of(top, revision), "", refuse_links=False), into)


def _write(folder: Path, files: Sequence[tuple[str, str]], into: Path) -> None:
    for (name, _), data in zip(files, _contents(folder, [blob for _, blob in files]), strict=True):
        path = into / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def commit_of(folder: Path, revision: str) -> str:
    """The commit that a revision of the repository around a folder names. Raises NoRevision."""
    try:
        ask_git(folder, "rev-parse", "--show-toplevel")
    except NoRevision as error:
        if "not a git repository" not in str(error):
            raise
        none = f"{folder} lies in no git repository, so there are no revisions of it"
        raise NoRevision(none, TWO_FOLDERS) from None
    unknown = f"there is no revision `{revision}` of {folder}"
    if revision.startswith("-"):  # git would parse it as an option
        raise NoRevision(unknown, _known(folder, revision))
    try:
        found = ask_git(folder, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    except NoRevision:
        raise NoRevision(unknown, _known(folder, revision)) from None
    return found.decode().strip()


def _known(folder: Path, revision: str) -> str:
    """The help for an unknown revision."""
    refs = ("--count=500", "--format=%(refname:short)", "refs/tags", "refs/heads")
    names = ask_git(folder, "for-each-ref", *refs).decode("utf-8", "replace").split()
    close = nearest(revision, names, 1)
    if close:
        return f"did you mean `{close[0]}`?"
    return "give a tag, a branch, or a commit" + (f", such as `{names[-1]}`" if names else "")


def _files(
    folder: Path, revision: str, commit: str, prefix: str, refuse_links: bool = True
) -> list[tuple[str, str]]:
    """The YAML files of a folder in a commit, not in hidden folders: relative path, blob id."""
    inside = [prefix] if prefix else []
    listed = ask_git(folder, "ls-tree", "-r", "-z", "-l", "--full-tree", commit, *inside)
    found, size = [], 0
    for one in entries_in(listed):
        name = one.name.removeprefix(prefix)
        if not _is_content(name):
            continue
        if one.mode == LINK and refuse_links:
            raise NoRevision(f"{name} is a link at `{revision}`, and links are not followed")
        if one.mode in ORDINARY and not name.startswith("/"):
            found.append((name, one.blob))
            size += one.size
    if len(found) > MAX_FILES or size > MAX_BYTES:
        raise NoRevision(f"the pack is larger at `{revision}` than a pack may be")
    return found


def _is_content(name: str) -> bool:
    """Whether a path names a YAML file, in no hidden folder and not outside by `..`."""
    path = PurePosixPath(name)
    hidden = any(part.startswith(".") for part in path.parts[:-1])
    return name.endswith(ENDINGS) and not hidden


def _contents(folder: Path, blobs: Sequence[str]) -> list[bytes]:
    typed = "".join(f"{blob}\n" for blob in blobs).encode()
    return contents_in(ask_git(folder, "cat-file", "--batch", typed=typed), len(blobs))


def contents_in(answer: bytes, count: int) -> list[bytes]:
    """The contents of so many blobs in an answer of `git cat-file --batch`. ValueError if one is missing."""
    contents, at = [], 0
    for _ in range(count):
        head_end = answer.index(b"\n", at)
        length = int(answer[at:head_end].split()[2])
        contents.append(answer[head_end + 1 : head_end + 1 + length])
        at = head_end + 1 + length + 1
    return contents


def ask_git(folder: Path, *words: str, typed: bytes = b"") -> bytes:
    """The output of git. NoRevision with the first line of its error."""
    command = ["git", "-c", "core.fsmonitor=false", "-C", os.fspath(folder), *words]
    env = {**os.environ, **QUIET}
    try:
        done = subprocess.run(
            command, input=typed, capture_output=True, env=env, timeout=SECONDS, check=False
        )
    except FileNotFoundError:
        none = "git is asked for a past version, and there is no program `git` here"
        raise NoRevision(none, f"install git, or {TWO_FOLDERS}") from None
    except subprocess.TimeoutExpired:
        raise NoRevision(f"git has not answered for {SECONDS} seconds") from None
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().split("\n")[0].removeprefix("fatal: ")
        raise NoRevision(f"git says: {said or 'nothing, and gives up'}")
    return done.stdout
