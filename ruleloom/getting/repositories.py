"""Fetches one commit of a git repository, and reads a pack's files out of it without a checkout.

Only git's object store is filled and read: no hook, filter, submodule or configured program runs, no
password is asked for, and no protocol but https (or http in one's own network) is spoken.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple

from ruleloom.compiler.packs.walk import ENDINGS, HIDDEN, MANIFEST, MAX_BYTES, MAX_FILES, readable
from ruleloom.diff.revisions import LINK, ORDINARY, QUIET, GitEntry, contents_in, entries_in
from ruleloom.getting.hosts import LedFrom, reach
from ruleloom.getting.written_sources import GitSource, NotGot
from ruleloom.packing.companions import travels
from ruleloom.runtime.system import bounded_to, end_group

SECONDS, PAUSE = 120.0, 0.05
LARGEST = 128 * 1024 * 1024  # bytes of a fetched repository
MEMORY = 1024 * 1024 * 1024  # bytes of each process: git holds what a server lists
# Bytes of a list of files: a tree may list one folder a million times.
LONGEST_LIST = 16 * 1024 * 1024
SUBMODULE = "160000"
NO_GIT = "git is not installed, and a git address needs it"
CLEAN = (
    f"core.hooksPath={os.devnull}",
    *("core.fsmonitor=false", "core.askPass=", "credential.helper="),
    *("http.followRedirects=false", "http.proxy=", "fetch.fsckObjects=true", "gc.auto=0"),
    *("maintenance.auto=false", "submodule.recurse=false", "fetch.recurseSubmodules=false"),
    *("protocol.allow=never", "transfer.bundleURI=false", "fetch.writeCommitGraph=false"),
)
ON = ("GIT_CONFIG_NOSYSTEM", "GIT_ATTR_NOSYSTEM", "GIT_LFS_SKIP_SMUDGE")
NO_ASKING = ("SSH_ASKPASS", "GIT_ASKPASS")
# What git says, what that means, and what would be right.
REFUSALS = (
    (
        ("couldn't find remote ref", "not our ref"),
        "has {what}",
        "name a tag that is there: git+https://...@v1.0",
    ),
    (
        ("redirect", "returned error: 30"),
        "leads elsewhere, and git does not follow",
        "name that address",
    ),
    (
        ("could not read Username", "Authentication failed"),
        "asks for a name and password, or is not there",
        "clone it yourself, and add the folder",
    ),
)


class RepositoryFiles(NamedTuple):
    """The files of a pack by their names in it, and the commit that has them."""

    files: dict[str, bytes]
    commit: str


def fetch(source: GitSource, led: LedFrom | None = None) -> RepositoryFiles:
    """The files of the pack, or the one file, that a source names. Raises NotGot."""
    numbers = reach(source.address, led)
    with tempfile.TemporaryDirectory(prefix="ruleloom-", ignore_cleanup_errors=True) as place:
        git = _Git(Path(place), source)
        git.fetch(numbers)
        commit = (
            git.answer("rev-parse", "--verify", "--quiet", "FETCH_HEAD^{commit}").decode().strip()
        )
        chosen = _chosen([*_entries(git.listing(commit), source.inside)], source)
        return RepositoryFiles(git.contents(chosen), commit)


class _Git:
    """A bare repository in a temporary folder, and git told to keep to itself."""

    def __init__(self, place: Path, source: GitSource) -> None:
        self.place, self.source = place, source
        ours = {
            **dict.fromkeys(ON, "1"),
            **dict.fromkeys(NO_ASKING, ""),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "HOME": str(place),
            "GIT_ALLOW_PROTOCOL": source.address.scheme,
        }
        passed = {name: one for name, one in os.environ.items() if not name.startswith("GIT_")}
        self.env = {**passed, **QUIET, **ours}

    def fetch(self, numbers: Sequence[str]) -> None:
        """Fetch the one commit, from these numeric addresses of the host."""
        address, ref = self.source.address, self.source.ref or "HEAD"
        there = ",".join(f"[{one}]" if ":" in one else one for one in numbers)
        place = f"http.curloptResolve={address.host}:{address.port}:{there}"
        resolved = ("-c", place) if ":" not in address.host else ()
        options = ("--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-auto-gc")
        self._run("init", "--quiet", "--bare", "--template=", ".")
        self._run(
            *(*resolved, "-c", f"protocol.{address.scheme}.allow=always", "fetch", *options),
            *("--", address.text, ref),
        )

    def _run(self, *words: str) -> None:
        with (self.place / "said").open("w+b") as said:
            process = self._start(words, said)
            try:
                self._wait(process)
            finally:
                _end(process)
            if process.returncode:
                said.seek(0)
                raise self._refusal(said.read(4000).decode("utf-8", "replace"))

    def _start(
        self,
        words: Sequence[str],
        said: IO[bytes],
        stdin: int = subprocess.DEVNULL,
        stdout: int = subprocess.DEVNULL,
    ) -> subprocess.Popen[bytes]:
        clean = (word for one in CLEAN for word in ("-c", one))
        command = ["git", *clean, "--git-dir=.", *words] if words[0] != "init" else ["git", *words]
        try:
            return subprocess.Popen(
                command,
                cwd=self.place,
                env=self.env,
                stdin=stdin,
                stdout=stdout,
                stderr=said,
                start_new_session=True,
                preexec_fn=bounded_to(MEMORY),
            )
        except FileNotFoundError:
            raise NotGot(NO_GIT, "install git, or name a zip") from None

    def _wait(self, process: subprocess.Popen[bytes]) -> None:
        """Wait for git while it keeps to its time and size."""
        at_latest = time.monotonic() + SECONDS
        while True:
            try:
                process.wait(PAUSE)
                late = False
            except subprocess.TimeoutExpired:
                late = True
            if _size_of(self.place) > LARGEST:
                reason = f"{self.source.shown} holds more than {LARGEST:,} bytes"
                raise NotGot(reason, "name a zip of the pack")
            if not late:
                return
            if time.monotonic() > at_latest:
                raise NotGot(f"{self.source.shown} takes more than {SECONDS:g} seconds")

    def _refusal(self, said: str) -> NotGot:
        shown, named = self.source.shown, self.source.ref
        what = f"no tag, branch or commit `{named}`" if named else "no default branch"
        for signs, message, help in REFUSALS:
            if any(sign in said for sign in signs):
                return NotGot(f"{shown} {message.format(what=what)}", help)
        lines = [one for one in said.split("\n") if one.startswith(("fatal: ", "error: "))]
        told = (lines or ["git: nothing, and gives up"])[0].partition(": ")[2]
        return NotGot(f"{shown} cannot be fetched; git says: {told[:300]}", "check the address")

    def answer(self, *words: str, most: int = LONGEST_LIST, typed: bytes = b"") -> bytes:
        """What git answers, of at most so many bytes. Raises NotGot."""
        with (self.place / "said").open("w+b") as said, tempfile.TemporaryFile() as asked:
            asked.write(typed)
            asked.seek(0)
            with self._start(words, said, stdin=asked.fileno(), stdout=subprocess.PIPE) as process:
                assert process.stdout is not None
                found = process.stdout.read(most + 1)
                _end(process)
            if len(found) > most:
                raise NotGot(
                    f"{self.source.shown} holds more files than a pack may", "name a folder of it"
                )
            return found

    def listing(self, commit: str) -> bytes:
        """All that lies at the source, as git lists it."""
        inside = [self.source.inside] if self.source.inside else []
        return self.answer("ls-tree", "-r", "-z", "-l", "--full-tree", commit, *inside)

    def contents(self, entries: Mapping[str, GitEntry]) -> dict[str, bytes]:
        """The bytes of some files, by their names."""
        typed = "".join(f"{one.blob}\n" for one in entries.values()).encode()
        most = sum(one.size + 200 for one in entries.values())
        answer = self.answer("cat-file", "--batch", most=most, typed=typed)
        try:
            return dict(zip(entries, contents_in(answer, len(entries)), strict=True))
        except (ValueError, IndexError):
            raise NotGot(
                f"{self.source.shown} lacks a file that it lists", "ask its author"
            ) from None


def _end(process: subprocess.Popen[bytes]) -> None:
    """End git, and what it has started."""
    if process.poll() is None:
        end_group(process.pid)
    process.wait()


def _size_of(folder: Path) -> int:
    """The bytes of all files below; of what git removes meanwhile none."""
    size = 0
    for above, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                size += (Path(above) / name).lstat().st_size
    return size


def _entries(listed: bytes, inside: str) -> Iterator[GitEntry]:
    """What git lists, by names as seen from a folder, or from that of a file."""
    for one in entries_in(listed):
        name = readable(one.name)
        seen = name.rpartition("/")[2] if name == inside else name.removeprefix(f"{inside}/")
        yield one._replace(name=seen)


def _chosen(entries: Sequence[GitEntry], source: GitSource) -> dict[str, GitEntry]:
    """The files that make the pack at a source, or the one file there, by name. Raises NotGot."""
    file = source.inside.rpartition("/")[2]
    if [one.name for one in entries] == [file] and file.endswith((*ENDINGS, ".zip")):
        found = {file: entries[0]}
    else:
        found = _pack_files(entries, _top(entries, source))
    for name, one in found.items():
        _check_mode(name, one, source)
    if len(found) > MAX_FILES or sum(one.size for one in found.values()) > MAX_BYTES:
        message = f"the pack in {source.shown} is larger than a pack may be"
        raise NotGot(message, "name a folder of it")
    return found


def _pack_files(entries: Sequence[GitEntry], top: str) -> dict[str, GitEntry]:
    """What matters below a folder, by names as seen from there."""
    below = (one for one in entries if one.name.startswith(top) and not HIDDEN.search(one.name))
    named = ((one.name.removeprefix(top), one) for one in below)
    return {name: one for name, one in named if _matters(name, one)}


def _top(entries: Sequence[GitEntry], source: GitSource) -> str:
    """The folder of the one pack, as a prefix. Raises NotGot."""
    names = [one.name for one in entries]
    tops = [name.removesuffix(MANIFEST) for name in names if f"/{name}".endswith(f"/{MANIFEST}")]
    if "" in tops:
        return ""
    if len(tops) == 1:
        return tops[0]
    bare = source.shown.partition("#")[0]
    if tops:
        message = f"{source.shown} holds several packs: {', '.join(one[:-1] for one in tops[:5])}"
        raise NotGot(message, f"name the folder of one: {bare}#{tops[0][:-1]}")
    if not names and source.inside:
        raise NotGot(f"there is no `{source.inside}` in {bare}", "the folder stands behind `#`")
    raise NotGot(f"there is no `{MANIFEST}` in {source.shown}", "name the repository of a pack")


def _matters(name: str, entry: GitEntry) -> bool:
    """Whether a file is read, or goes with the pack. What has no files is never passed over."""
    return name.endswith(ENDINGS) or travels(name) or entry.mode == SUBMODULE


def _check_mode(name: str, entry: GitEntry, source: GitSource) -> None:
    """Refuse what is no file. Raises NotGot."""
    if entry.mode == SUBMODULE:
        message = (
            f"`{name}` in {source.shown} is another repository, and submodules are not fetched"
        )
        raise NotGot(message, "ask its author for a zip, which `ruleloom pack` writes")
    if entry.mode == LINK:
        message = f"`{name}` in {source.shown} is a link, and links are not followed"
        raise NotGot(message, "its author can put the file itself there")
    if entry.mode not in ORDINARY:
        raise NotGot(f"`{name}` in {source.shown} is no ordinary file")
