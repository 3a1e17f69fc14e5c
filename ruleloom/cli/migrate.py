"""`ruleloom migrate`: a pack rewritten for what it builds on now, and what a person must do.

What is overwritten is kept: in git, if the folder has nothing uncommitted, else in a copy within the pack.
"""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, zip_longest
from pathlib import Path

import click

from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse, refusals_told
from ruleloom.cli.fmt import as_before
from ruleloom.cli.options import option, pack_option, pack_paths, write_output
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.packs.locate import PackFolder, shown_path
from ruleloom.diff.compare import Broken, one_pack
from ruleloom.diff.revisions import NoRevision, ask_git
from ruleloom.migrate.course import Course, Task
from ruleloom.migrate.migration import Migrated, migrate
from ruleloom.output.terminal import count_of
from ruleloom.runtime.program.safe_text import safe_text

KEPT = ".before-migrate"
WIDEST = 78


@click.command("migrate")
@click.argument("path", nargs=-1, metavar="[PACK]")
@option("--dry-run", "Change nothing; show what would change.")
@option("--check", "Change nothing; exit code 1 if a file would change or a person is needed.")
@pack_option
def command(path: tuple[str, ...], dry_run: bool, check: bool, packs: tuple[str, ...]) -> int:
    """Rewrite a pack for the present versions of its game and of the packs it builds on.

    Rules of migration stand in the packs below. Comments and layout stay; what was overwritten is in
    git, or in the folder `.before-migrate` of the pack. What only a person can decide is listed.
    """
    folder = _folder(pack_paths(path))
    if folder is None:
        return FINDINGS
    done, stays = migrate(Course(folder, packs)), dry_run or check
    if not stays:
        _write(folder.path, done)
    _tell(done, "would change" if stays else "changed", dry_run)
    return FINDINGS if done.tasks or (check and done.files) else CLEAN


def _folder(named: Sequence[str]) -> PackFolder | None:
    """The one pack that is named; None if it cannot be read, which is told."""
    if len(named) > 1:
        raise WrongUse("one pack is migrated at a time", "name the folder of one")
    try:
        with refusals_told():
            folder = one_pack(named[0], named[0])
    except Broken as broken:
        sys.stderr.write(render(broken.diagnostics, broken.sources, "text"))
        return None
    if folder.archive is not None:
        raise WrongUse(f"{named[0]} is a zip, and `migrate` writes none", "unpack it first")
    return folder


def _tell(done: Migrated, verb: str, whole: bool) -> None:
    """Print which files change, `whole` with their lines, and what a person must do."""
    for file, (old, new) in sorted(done.files.items()):
        print(f"{verb} {safe_text(shown_path(Path(file)))}")
        sys.stdout.writelines(_difference(old, new) if whole else ())
    for task in done.tasks:
        print(*_told(task), sep="\n")
    files, tasks = count_of(len(done.files), "file"), count_of(len(done.tasks), "task")
    print(f"{files} {verb}, {tasks} for a person")


def _difference(old: str, new: str) -> Iterator[str]:
    lines = difflib.unified_diff(old.split("\n"), new.split("\n"), n=1, lineterm="")
    yield from (f"  {safe_text(one)}\n" for one in [*lines][2:])


def _told(task: Task) -> Iterator[str]:
    place = task.place
    yield safe_text(f"{place.path}:{place.line}:{place.column}: {task.words}")
    (first, *others) = task.texts or (("", ""),)
    for other in others:
        yield from map(safe_text, beside(first, other))


def beside(one: tuple[str, str], other: tuple[str, str]) -> Iterator[str]:
    """Two texts with their names in two columns, a mark between lines that differ."""
    lines, others = (text.rstrip().split("\n") for _, text in (one, other))
    width = min(max(map(len, [one[0], *lines])), WIDEST)
    yield f"    {one[0]:<{width}}   {other[0]}"
    for does, *span in difflib.SequenceMatcher(None, lines, others, autojunk=False).get_opcodes():
        mark = " " if does == "equal" else "|"
        for left, right in zip_longest(
            lines[span[0] : span[1]], others[span[2] : span[3]], fillvalue=""
        ):
            yield f"    {left:<{width}} {mark} {right}".rstrip()


def _write(folder: Path, done: Migrated) -> None:
    """Write the changed files, after keeping what they were."""
    if done.files and not _is_in_git(folder, done.files):
        kept = next(
            one
            for number in count(1)
            if not (one := folder / f"{KEPT}{_numbered(number)}").exists()
        )
        for file in done.files:
            inside = os.path.relpath(file, os.path.realpath(folder))
            write_output(kept / inside, Path(file).read_bytes())
        print(f"kept what it was in {safe_text(shown_path(kept))}")
    for file, (_, text) in done.files.items():
        write_output(file, as_before(text, Path(file).read_bytes()))


def _numbered(number: int) -> str:
    return f"-{number}" if number > 1 else ""


def _is_in_git(folder: Path, files: Mapping[str, object]) -> bool:
    """Does git have these files as they lie there?"""
    names: Sequence[str] = list(files)
    try:
        tracked = ask_git(folder, "ls-files", "--error-unmatch", "--", *names)
        return bool(tracked) and not ask_git(folder, "status", "--porcelain", "--", *names)
    except NoRevision:
        return False
