"""`ruleloom list`, `outdated` and `remove`: the packs that a project keeps."""

from __future__ import annotations

from pathlib import Path

import click

from ruleloom.cli.faults import CLEAN, FINDINGS, refusals_told
from ruleloom.cli.keeping.add import NONE, got_or_told, index_option, reader_of
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.kept import LOCK
from ruleloom.compiler.packs.locate import open_kept, shown_path
from ruleloom.getting.adding import newest, without
from ruleloom.getting.project_packs import ProjectPacks
from ruleloom.output.terminal import count_of
from ruleloom.runtime.program.safe_text import safe_text


@click.command("list")
def listing() -> int:
    """List the packs that the project keeps, with the source of each; nothing is asked of a network.

    A zip that is gone, or not the one in the lock, is told, with the exit code 1.
    """
    with refusals_told():
        project = ProjectPacks.around(Path())
    found = 0
    for one in sorted(project.packs.values(), key=lambda one: one.id):
        report = Report()
        open_kept(project.kept, one, report)
        found += report.has_errors
        by = (
            f" (index {one.index})" if one.index else f" at {one.commit[:12]}" if one.commit else ""
        )
        print(safe_text(f"{one.id} {one.version} from {one.source}{by}"))
        print("".join(f"  error: {safe_text(each.message)}\n" for each in report.found), end="")
    lock = safe_text(shown_path(project.kept / LOCK))
    print(f"{count_of(len(project.packs), 'pack')} in {lock}" if project.packs else NONE)
    return FINDINGS if found else CLEAN


@click.command("outdated")
@index_option
@got_or_told
def outdated(indexes: tuple[str, ...]) -> int:
    """List the kept packs of which there is a newer version, with the exit code 1 if there are any.

    A pack from an index is looked up there; any other is brought from its source again.
    """
    project = ProjectPacks.around(Path())
    found = [*newest(project, reader_of(indexes, project))]
    for kept, version in found:
        print(safe_text(f"{kept.id} {kept.version}: there is {version}"))
    if found:
        print("`ruleloom update` gets what fits with the other packs")
    else:
        print("nothing is newer" if project.packs else NONE)
    return FINDINGS if found else CLEAN


@click.command("remove")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@got_or_told
def remove(names: tuple[str, ...]) -> int:
    """Remove kept packs. One that another requires can only go with it."""
    project = ProjectPacks.around(Path())
    without(project, dict.fromkeys(names))
    print(safe_text(f"removed {', '.join(dict.fromkeys(names))}"))
    return CLEAN
