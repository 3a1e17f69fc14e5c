"""`ruleloom docs`: writes the reference of a game as a site of static pages, or as a rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from ruleloom.api.making import sound
from ruleloom.cli.faults import CLEAN, WrongUse
from ruleloom.cli.options import pack_paths, paths_argument, write_output
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.output.terminal import count_of
from ruleloom.reference.rulebook.rulebook import rulebook
from ruleloom.reference.site import site_of
from ruleloom.runtime.program.safe_text import safe_text

# Lists the files of the site; a folder without it is somebody else's.
LIST = ".ruleloom-docs"


@click.command("docs")
@paths_argument
@click.option("-o", "--output", required=True, metavar="DIR|FILE", help="The folder to write.")
@click.option(
    "--rulebook",
    "as_rulebook",
    is_flag=True,
    help="Write one document for those who play, to the file named by -o.",
)
def command(paths: tuple[str, ...], output: str, as_rulebook: bool) -> int:
    """Write the reference of a game, with the packs on top of it, as a site of static pages.

    A PATH is a pack's folder or the name of a shipped game; the default is the pack that contains
    the current folder. The pages need neither a server nor a network: open DIR/index.html. Pages of
    an earlier run that are no longer part of the site are removed.

    With --rulebook, it is one document in the order in which the game is learnt, to be read or
    printed by people who only want to play.
    """
    if not as_rulebook and Path(output).is_dir():
        _written_before(Path(output))  # refused before anything is compiled
    result = compile_paths(pack_paths(paths), texts=True, reasons=False, scenarios=False)
    program, content = sound(result)
    if as_rulebook:
        write_output(output, rulebook(content, program))
        print(f"wrote {safe_text(output)}")
        return CLEAN
    files = site_of(content, program)
    write_site(Path(output), files)
    start = Path(output) / "index.html"
    print(f"wrote {count_of(len(files), 'file')}: open {safe_text(str(start))}")
    return CLEAN


def write_site(folder: Path, files: Mapping[str, str]) -> None:
    """Write the files of a site, and remove those that an earlier run left. Raises WrongUse."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in _written_before(folder) - files.keys():
            (folder / old).unlink(missing_ok=True)
        listed = "".join(f"{name}\n" for name in sorted(files))
        for name, text in {LIST: listed, **files}.items():
            (folder / name).write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise WrongUse(f"{folder} cannot be written: {reason}") from None


def _written_before(folder: Path) -> set[str]:
    """The names of the files that an earlier run wrote: nothing that lies elsewhere."""
    listed = folder / LIST
    if not listed.is_file():
        if any(folder.iterdir()):
            help = "name a new folder, or one that `ruleloom docs` has written"
            raise WrongUse(f"{folder} holds something else", help)
        return set()
    names = listed.read_text(encoding="utf-8", errors="replace").splitlines()
    return {name for name in names if name and Path(name).name == name}
