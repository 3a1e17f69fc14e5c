"""`ruleloom site` writes a game as a folder of static files, to be played without a server."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from ruleloom.cli.faults import CLEAN, WrongUse
from ruleloom.cli.folders import refuse_foreign, write_folder
from ruleloom.cli.options import game_argument, option
from ruleloom.output.terminal import progress
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.site.folder import PYODIDE, site_files, with_snapshot

LIST, SITE = ".ruleloom-site", "ruleloom site"


@click.command("site")
@game_argument()
@option("-o, --output DIR", "The folder to write.", required=True)
@option(
    "--pyodide DIR",
    "The npm package `pyodide`; usually the one in a `node_modules` of this folder or one above.",
)
def command(game: tuple[str, ...], output: str, pyodide: str | None) -> int:
    """Write a game with packs on top of it as a folder of static files, which any web host serves.

    Whoever opens the page can play, alone, against bots or with several people at one screen, and
    change the packs in the workbench; nothing is sent anywhere. All of Ruleloom runs in the
    browser, by Pyodide: `npm install pyodide` brings it, and Node.js is needed to write the folder.
    """
    folder, node = Path(output), shutil.which("node")
    package = Path(pyodide) if pyodide is not None else _found_package()
    if node is None:
        raise WrongUse("`ruleloom site` needs Node.js, and there is no `node`", "see nodejs.org")
    refuse_foreign(folder, LIST, SITE)
    try:
        files = site_files(game, package)
        progress("starting the game once")
        files = with_snapshot(files, node)
    except Refused as refused:
        raise WrongUse(str(refused)) from None
    write_folder(folder, files, LIST, SITE)
    size = sum(map(len, files.values())) / 1e6
    print(f"wrote {len(files)} files, {size:.0f} MB, to {safe_text(output)}")
    print(f"To look at it: python3 -m http.server -d {safe_text(output)} 8000")
    return CLEAN


def _found_package() -> Path:
    """The package in the nearest `node_modules`. Raises WrongUse if there is none."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (found := folder / "node_modules" / "pyodide").is_dir():
            return found
    raise WrongUse("the npm package `pyodide` is not installed", f"npm install pyodide@{PYODIDE}")
