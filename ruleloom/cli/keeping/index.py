"""`ruleloom index`: an index of a folder of packs, from which others get them by name."""

from __future__ import annotations

from pathlib import Path

import click

from ruleloom.cli.faults import CLEAN
from ruleloom.cli.folders import refuse_foreign, write_folder
from ruleloom.cli.keeping.add import got_or_told
from ruleloom.cli.options import option, write_output
from ruleloom.compiler.packs.locate import is_archive
from ruleloom.getting.index_making import index_text, packs_below
from ruleloom.output.terminal import count_of
from ruleloom.reference.pack_list import pages_of_index
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.system import way_to

LIST, INDEX = ".ruleloom-index", "ruleloom index"


@click.command("index")
@click.argument("folder")
@option(
    "-o, --output FILE", "The index to write; in FOLDER or above, as `index.yaml`.", required=True
)
@option("--page DIR", "A folder for a page that lists the packs, with search.")
@option("--title TITLE", "The title of the page.", default="Packs", show_default=True)
@got_or_told
def command(folder: str, output: str, page: str | None, title: str) -> int:
    """Write an index of the packs in a folder: zips and folders, each version by itself.

    Whoever has the index gets packs by name: `ruleloom add NAME --index INDEX`. It can lie in a
    folder, in a repository or on any web host, with the packs beside or below it.

    \b
      ruleloom index dist -o dist/index.yaml --page dist/page
    """
    base = Path(output).parent
    if page is not None:
        refuse_foreign(Path(page), LIST, INDEX)
    packs, others = packs_below(Path(folder), base)
    write_output(output, index_text(packs))
    print(f"wrote {safe_text(output)}: {count_of(len(packs), 'pack')}")
    bare = [one.address for one in packs if not is_archive(one.address)]
    if bare:
        print(safe_text(f"only from a folder or repository, not from the web: {', '.join(bare)}"))
    if others:
        print(safe_text(f"left out, as there is no pack in it: {', '.join(others)}"))
    if page is not None:
        files = pages_of_index(packs, title, way_to(base, page))
        write_folder(Path(page), {name: one.encode() for name, one in files.items()}, LIST, INDEX)
        print(f"wrote {safe_text(page)}: open {safe_text(str(Path(page) / 'index.html'))}")
    return CLEAN
