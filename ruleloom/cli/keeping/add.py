"""`ruleloom add` and `ruleloom update`: packs from elsewhere, shown before they are kept."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache, wraps
from pathlib import Path
from typing import ParamSpec

import click

from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse, refusals_told
from ruleloom.cli.options import grouped, option
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.packs.locate import shown_path
from ruleloom.diff.compare import Broken
from ruleloom.getting.adding import Indexes, additions, keep, renewals
from ruleloom.getting.indexes import Index, open_index
from ruleloom.getting.project_packs import ProjectPacks
from ruleloom.getting.telling import told
from ruleloom.getting.written_sources import AnySource, read_source
from ruleloom.output.terminal import progress
from ruleloom.runtime.program.safe_text import safe_text

index_option = option(
    "--index INDEX",
    "An index to look names up in: a file, folder, web address or repository; may be given several "
    "times, and goes before those in ruleloom.toml.",
    name="indexes",
    multiple=True,
)
NONE = "no packs are kept here: `ruleloom add` keeps some"
P = ParamSpec("P")
choice_options = grouped(index_option, option("--yes", "Keep what is shown without asking."))


def got_or_told(command: Callable[P, int]) -> Callable[P, int]:
    """A command that prints the findings in a pack that cannot be used; a refusal is a WrongUse."""

    @wraps(command)
    def run(*given: P.args, **named: P.kwargs) -> int:
        try:
            with refusals_told():
                return command(*given, **named)
        except Broken as broken:
            sys.stdout.write(render(broken.diagnostics, broken.sources, "text"))
            print(f"{safe_text(broken.label)} has mistakes; nothing is changed")
            return FINDINGS
        finally:
            progress("")

    return run


@click.command("add")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@choice_options
@got_or_told
def command(sources: tuple[str, ...], indexes: tuple[str, ...], yes: bool) -> int:
    """Get packs, with all that they require, and keep them in the folder `packs/` of the project.

    A SOURCE is a zip or a folder, `https://HOST/PACK.zip`, `git+https://HOST/REPOSITORY@TAG#FOLDER`, or
    the name of a pack in an index, as in `river-folk` or `'river-folk^1.2'`. What a pack is, wants and
    changes is shown first. Nothing of it is run, and from then on no network is needed.

    \b
      ruleloom add river-folk.zip
      ruleloom add river-folk --index https://example.org/index.yaml
    """
    project = ProjectPacks.around(Path())
    found = [read_source(one) for one in sources]
    return _take(project, found, reader_of(indexes, project), yes)


@click.command("update")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@choice_options
@got_or_told
def update(names: tuple[str, ...], indexes: tuple[str, ...], yes: bool) -> int:
    """Get newer versions of kept packs, of all without a NAME.

    A pack from an index is looked up there again; any other is brought from its source again. The
    versions fit together, as those that `add` finds.
    """
    project = ProjectPacks.around(Path())
    found = renewals(project, names or tuple(project.packs))
    return _take(project, found, reader_of(indexes, project), yes)


def reader_of(named: Sequence[str], project: ProjectPacks) -> Indexes:
    """What reads the indexes, once and in order: those of the options, of the settings, and of kept packs."""

    @cache
    def read() -> Sequence[Index]:
        where = [(text, Path()) for text in named]
        kept = (one.index for one in project.packs.values() if one.index)
        where += [(text, project.folder) for text in (*project.indexes(), *kept)]
        found = (open_index(text, base, project.folder) for text, base in dict.fromkeys(where))
        return [*found]

    return read


def _take(
    project: ProjectPacks,
    sources: Sequence[AnySource],
    indexes: Indexes,
    yes: bool,
) -> int:
    """Show what is new, ask, and keep it."""
    progress("looking for versions that fit together")
    with additions(project, sources, indexes) as (found, held_back):
        progress("")
        for why in held_back:
            print(safe_text(why))
        if not found:
            print("nothing is new: what fits is kept already" if project.packs else NONE)
            return CLEAN
        coming = [one.kept.id for one in found]
        for one in found:
            print(told(one, project.packs.get(one.kept.id), coming))
        if not yes and not _agreed():
            print("nothing is changed")
            return CLEAN
        kept = keep(project, found)
    for one in found:
        path = shown_path(kept.path(one.kept))
        print(f"kept {one.kept.id} {one.kept.version} in {safe_text(path)}")
    return CLEAN


def _agreed() -> bool:
    """Ask at a terminal. Raises WrongUse where nobody can answer."""
    if not sys.stdin.isatty():
        raise WrongUse("nothing is kept, as nobody is there to ask", "--yes keeps what is shown")
    return click.confirm("keep it?")
