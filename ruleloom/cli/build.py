"""`ruleloom build`: compiles packs, with all they require, into one program file."""

from __future__ import annotations

import click

from ruleloom.api.making import sound
from ruleloom.cli.faults import CLEAN
from ruleloom.cli.lock import hold_to_lock
from ruleloom.cli.options import locked_option, pack_paths, paths_argument, write_output
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.output.terminal import count_of
from ruleloom.runtime.program.program_json import program_hash, program_text
from ruleloom.runtime.program.safe_text import safe_text


@click.command("build")
@paths_argument
@click.option("-o", "--output", required=True, metavar="FILE", help="The file to write.")
@locked_option()
def command(paths: tuple[str, ...], output: str, locked: bool) -> int:
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
