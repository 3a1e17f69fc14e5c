"""`ruleloom screen`: what is looked up in play, as pages to print."""

from __future__ import annotations

import click

from ruleloom.api.making import sound
from ruleloom.cli.documents import paper_option, refuse_paper, write_pages
from ruleloom.cli.faults import CLEAN
from ruleloom.cli.options import audience_option, option, pack_paths, paths_argument
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.reference.game_screen import screen
from ruleloom.runtime.program.safe_text import safe_text


@click.command("screen")
@paths_argument
@option("-o, --output FILE", "The file to write.", required=True)
@option(
    "--of NAME",
    "A table or a kind of things to print; may be given several times. Without it: all tables, and the "
    "kinds that say little.",
    name="names",
    multiple=True,
)
@paper_option
@audience_option
def command(
    paths: tuple[str, ...], output: str, names: tuple[str, ...], paper: str | None, audience: str
) -> int:
    """Write the GM's screen of a game, or the players' card, with the packs on top of it.

    It has the steps of a turn, what can be done in it at which price, and the tables that are looked
    up in play. A PATH is a pack's folder or the name of a shipped game; the default is the pack that
    contains the current folder. The pages print on A4 and Letter; they are
    a PDF if the name of the file ends in .pdf.
    """
    refuse_paper(output, paper)
    _, content = sound(compile_paths(pack_paths(paths), texts=True, scenarios=False))
    write_pages(output, screen(content, names, audience == "players"), paper)
    print(f"wrote {safe_text(output)}")
    return CLEAN
