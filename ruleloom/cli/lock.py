"""`ruleloom build` compiles packs into one program file; `ruleloom lock` records the pack versions of a
campaign, and enforces them.

A lock names packs with versions and content hashes, never their source.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ruleloom.api.making import sound
from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse
from ruleloom.cli.options import locked_option, option, pack_paths, paths_argument, write_output
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Pack
from ruleloom.compiler.packs.locate import shown_path
from ruleloom.compiler.pipeline import compile_paths, load
from ruleloom.output.terminal import count_of
from ruleloom.runtime.play.journal import differences
from ruleloom.runtime.program.program import Lock
from ruleloom.runtime.program.program_json import program_hash, program_text
from ruleloom.runtime.program.safe_text import safe_text

FILE = "ruleloom.lock"
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
    packs, file = _packs(named), _file(named)
    if check:
        found = _differences(packs, file)
        for one in found:
            print(safe_text(one))
        print(f"{safe_text(shown_path(file))}: {'differs' if found else 'as locked'}")
        return FINDINGS if found else CLEAN
    data = {one.id: {"version": one.version, "hash": one.hash} for one in packs}
    write_output(file, json.dumps({"packs": data}, indent=1, sort_keys=True) + "\n")
    listed = ", ".join(f"{one.id} {one.version}" for one in packs)
    print(f"locked in {safe_text(shown_path(file))}: {safe_text(listed)}")
    return CLEAN


def hold_to_lock(paths: Sequence[str]) -> None:
    """Raise WrongUse if packs differ from the lock of the last."""
    file = _file(paths)
    found = _differences(_packs(paths), file)
    if found:
        help = f"ruleloom lock {' '.join(paths)} takes over what there is now"
        raise WrongUse(f"not as in {shown_path(file)}: {'; '.join(found)}", help)


def _file(paths: Sequence[str]) -> Path:
    folder = Path(paths[-1])
    if not folder.is_dir():
        raise WrongUse(f"{folder} is no folder, so it has no lock", "name the folder of a pack")
    return folder / FILE


def _packs(paths: Sequence[str]) -> Sequence[Pack]:
    report = Report()
    content = load(paths, report, scenarios=False)
    if content is None or report.has_errors:
        raise WrongUse("the packs have mistakes", f"ruleloom check {' '.join(paths)}")
    return content.packs


def _differences(packs: Sequence[Pack], file: Path) -> list[str]:
    """The differences between packs and a lock, in words. Raises WrongUse if it is unreadable."""
    try:
        data: Any = json.loads(file.read_text(encoding="utf-8"))["packs"]
        values = ((str(id), *(str(one[part]) for part in PARTS)) for id, one in data.items())
        locks = tuple(Lock(*each) for each in values)
    except FileNotFoundError:
        raise WrongUse(f"there is no {shown_path(file)}", "ruleloom lock writes it") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        message = f"{shown_path(file)} is no lock that can be read"
        raise WrongUse(message, "ruleloom lock writes it anew") from None
    now = {one.id: (one.version, one.hash) for one in packs}
    known = {one.pack for one in locks}
    more = [f"pack {one.id} {one.version} is not in it" for one in packs if one.id not in known]
    return [*differences(locks, now), *more]


@click.command("build")
@paths_argument
@option("-o, --output FILE", "The file to write.", required=True)
@locked_option
def build(paths: tuple[str, ...], output: str, locked: bool) -> int:
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
