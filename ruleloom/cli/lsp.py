"""`ruleloom lsp`: the language server for editors."""

from __future__ import annotations

import click

from ruleloom.cli.faults import CLEAN, WrongUse
from ruleloom.cli.options import option
from ruleloom.editor.language_server import serve


@click.command("lsp")
@option(
    "--port PORT",
    "Listen on this port of 127.0.0.1 instead of standard input and output.",
    type=click.IntRange(1, 65_535),
)
@option("--stdio", "Use standard input and output, which is the default.")
def command(port: int | None, stdio: bool) -> int:
    """Serve an editor: findings while you type, completion, rules texts, odds, renaming.

    Editors start this by themselves; the docs say how to set each of them up.
    """
    if stdio and port is not None:
        raise WrongUse("`--stdio` and `--port` exclude each other", "leave out one of them")
    serve(port)
    return CLEAN
