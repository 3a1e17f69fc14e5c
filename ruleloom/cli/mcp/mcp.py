"""`ruleloom mcp`: tools and pages for an assistant that speaks the Model Context Protocol."""

from __future__ import annotations

import os

import click
from mcp.server import MCPServer

from ruleloom.api.version import VERSION
from ruleloom.cli.faults import CLEAN
from ruleloom.cli.mcp.resources import add_pages
from ruleloom.cli.mcp.roots import Folders
from ruleloom.cli.mcp.tools import Tools

INSTRUCTIONS = """\
Ruleloom compiles the rules of tabletop games. Read ruleloom://docs/llm before you write for it. Begin \
with the tool `new`; after each change of a file call `check`, mend what it finds, and call `test`. \
Paths are relative to {folder}; a game that ships is named by its name."""


@click.command("mcp")
@click.argument("folders", nargs=-1, metavar="[FOLDER]...")
def command(folders: tuple[str, ...]) -> int:
    """Serve an assistant over standard input and output (the Model Context Protocol).

    Its tools check, test, explain and create packs in the FOLDERs, by default the current one. They
    name no file elsewhere, and only the tool `new` writes any. Assistants start this by themselves;
    docs/assistants.md says how to set one up.
    """
    server_of(Folders(folders or (".",))).run("stdio")
    return CLEAN


def server_of(folders: Folders) -> MCPServer[None]:
    """The server for these folders; the first becomes the current one."""
    os.chdir(folders.roots[0])
    server: MCPServer[None] = MCPServer(
        "ruleloom",
        version=VERSION,
        instructions=INSTRUCTIONS.format(folder=folders.roots[0]),
        log_level="ERROR",
    )
    Tools(folders).add_to(server)
    add_pages(server)
    return server
