"""`ruleloom lsp`: the language server for editors."""

from __future__ import annotations

from importlib import import_module

import click

from ruleloom.cli.faults import CLEAN, WrongUse
from ruleloom.cli.options import option

NEEDED = ("pygls", "lsprotocol")


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
    try:
        serve = import_module("ruleloom.editor.language_server").serve
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] not in NEEDED:
            raise
        message = f"the language server needs {missing.name.partition('.')[0]}, which is missing"
        raise WrongUse(message, "pip install 'ruleloom[lsp]'") from None
    serve(port)
    return CLEAN
