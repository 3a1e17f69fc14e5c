"""`ruleloom compile` compiles packs into one program file; `ruleloom lock` records the pack versions of a
campaign, and enforces them.

A lock names packs with versions and content hashes, never their source.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from ruleloom.api.making import sound
from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse
from ruleloom.cli.options import locked_option, option, pack_paths, paths_argument, write_output
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Pack
from ruleloom.compiler.packs.kept import LOCK, kept_folder, kept_packs
from ruleloom.compiler.packs.locate import (
    BUILTIN,
    find_packs,
    is_archive,
    shipped_packs,
    shown_path,
)
from ruleloom.compiler.packs.walk import shown_under
from ruleloom.compiler.pipeline import compile_paths, load
from ruleloom.compiler.source.file import SourceError
from ruleloom.output.terminal import count_of
from ruleloom.packing.release import lock_text
from ruleloom.runtime.play.journal import differences
from ruleloom.runtime.program.program import Lock
from ruleloom.runtime.program.program_json import program_hash, program_text
from ruleloom.runtime.program.safe_text import safe_text

PARTS = ("version", "hash")


@click.command("lock")
@paths_argument
@option("--check", "Only compare; exit code 1 if anything differs.")
def command(paths: tuple[str, ...], check: bool) -> int:
    """Write down the versions and hashes of packs, with all they require, in `ruleloom.lock`.

    The file lies in the folder of the last PATH, which is the campaign. `--locked` makes other
    commands refuse anything else.
    """
    named = pack_paths(paths)
    packs = _packs(named)
    if check:
        lock, found = _differences(packs, named[-1])
        for one in found:
            print(safe_text(one))
        print(f"{safe_text(lock.shown)}: {'differs' if found else 'as locked'}")
        return FINDINGS if found else CLEAN
    file = _file(named[-1])
    write_output(file, lock_text(packs))
    listed = ", ".join(f"{one.id} {one.version}" for one in packs)
    print(f"locked in {safe_text(shown_path(file))}: {safe_text(listed)}")
    return CLEAN


def hold_to_lock(paths: Sequence[str]) -> None:
    """Raise WrongUse if packs differ from the lock of the last."""
    lock, found = _differences(_packs(paths), paths[-1])
    if found:
        help = f"ruleloom lock {' '.join(paths)} takes over what there is now"
        help = "name the pack of the campaign last, for its own lock" if lock.of_project else help
        raise WrongUse(f"not as in {lock.shown}: {'; '.join(found)}", help)


def _file(path: str) -> Path:
    folder = Path(path)
    if not folder.is_dir():
        raise WrongUse(f"{folder} is no folder, so it has no lock", "name the folder of a pack")
    return folder / LOCK


class LockText(NamedTuple):
    """A lock as it is written, and where it lies. That `of_project` lists what a project keeps, for any game,
    and none of the packs that come with Ruleloom."""

    text: str
    shown: str
    of_project: bool = False


def _read_lock(path: str) -> LockText:
    """The lock of a pack in a folder or zip, or else of the project that keeps it. Raises OSError or
    SourceError."""
    for pack in find_packs(path, BUILTIN, Report()):
        if pack.archive is not None and LOCK in pack.archive.entries:
            shown = shown_under(pack.shown, LOCK)
            return LockText(pack.archive.read(LOCK, shown).text, shown)
    if is_archive(path):
        raise WrongUse(f"there is no lock in {path}", "ruleloom pack writes one into each zip")
    folder = kept_folder(Path()) if not os.path.lexists(path) else None
    of_project = folder is not None and path in kept_packs(folder, LOCK)
    file = folder / LOCK if folder is not None and of_project else _file(path)
    return LockText(file.read_text(encoding="utf-8"), shown_path(file), of_project)


def _packs(paths: Sequence[str]) -> Sequence[Pack]:
    report = Report()
    content = load(paths, report, scenarios=False)
    if content is None or report.has_errors:
        _, content = sound(compile_paths(paths, scenarios=False))  # raises ContentError
    return content.packs


def _differences(packs: Sequence[Pack], path: str) -> tuple[LockText, list[str]]:
    """The lock of a pack, and how packs differ from it, in words. Raises WrongUse if it is unreadable."""
    lock, locks = _locks(path)
    now = {one.id: (one.version, one.hash) for one in packs}
    known = {one.pack for one in locks}
    if lock.of_project:
        locks = tuple(one for one in locks if one.pack in now)
        known |= {*shipped_packs(BUILTIN)}
    more = [f"pack {one.id} {one.version} is not in it" for one in packs if one.id not in known]
    return lock, [*differences(locks, now), *more]


def _locks(path: str) -> tuple[LockText, tuple[Lock, ...]]:
    """The lock of a pack, and the packs that it lists."""
    shown = shown_under(path, LOCK)
    try:
        lock = _read_lock(path)
        shown, data = lock.shown, json.loads(lock.text)["packs"]
        values = ((str(id), *(str(one[part]) for part in PARTS)) for id, one in data.items())
        return lock, tuple(Lock(*each) for each in values)
    except FileNotFoundError:
        raise WrongUse(f"there is no {shown}", "ruleloom lock writes it") from None
    except (OSError, SourceError, ValueError, KeyError, TypeError, AttributeError):
        message = f"{shown} is no lock that can be read"
        raise WrongUse(message, "ruleloom lock writes it anew") from None


@click.command("compile")
@paths_argument
@option("-o, --output FILE", "The file to write.", required=True)
@locked_option
def compile(paths: tuple[str, ...], output: str, locked: bool) -> int:
    """Compile packs, with all they require, into one program file.

    A PATH is a pack's folder or the name of a shipped game; the default is the pack that contains
    the current folder. The program is JSON on one line, the same for the same packs.
    """
    if locked:
        hold_to_lock(pack_paths(paths))
    program, _ = sound(compile_paths(pack_paths(paths), texts=True))
    text = program_text(program)
    write_output(output, text + "\n")
    locks = ", ".join(f"{lock.pack} {lock.version}" for lock in program.lock)
    routines = count_of(len(program.routines), "effect")
    print(f"wrote {safe_text(output)}: {locks}; {routines}, {len(text):,} characters")
    print(f"hash {program_hash(program)}")
    return CLEAN
