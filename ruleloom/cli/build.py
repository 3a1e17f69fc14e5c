"""`ruleloom build`: writes packs, with all they require, as one program file."""

from __future__ import annotations

import sys

import click

from ruleloom.cli.check.compile_check import closing_words_of
from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse
from ruleloom.cli.options import pack_paths
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.output.terminal import count_of
from ruleloom.runtime.play.files import FileFault, write_atomically
from ruleloom.runtime.program.program_json import program_hash, program_text
from ruleloom.runtime.program.safe_text import safe_text


@click.command("build", short_help="write packs as one program file")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("-o", "--output", required=True, metavar="FILE", help="The file to write.")
def command(paths: tuple[str, ...], output: str) -> int:
    """Write packs, with all they require, as one program file.

    The program is JSON on one line, the same for the same packs.
    """
    result = compile_paths(pack_paths(paths))
    if result.program is None:
        sys.stdout.write(render(result.diagnostics, result.sources, "text"))
        print(closing_words_of(result))
        return FINDINGS
    text = program_text(result.program)
    try:
        write_atomically(output, text + "\n")
    except FileFault as fault:
        raise WrongUse(f"{fault.path} cannot be written: {fault.reason}") from None
    locks = ", ".join(f"{lock.pack} {lock.version}" for lock in result.program.lock)
    routines = count_of(len(result.program.routines), "effect")
    print(f"wrote {safe_text(output)}: {locks}; {routines}, {len(text):,} characters")
    print(f"hash {program_hash(result.program)}")
    return CLEAN
