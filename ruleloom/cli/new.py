"""`ruleloom new`: a new pack or item, from a worked example."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from ruleloom.cli.faults import CLEAN, WrongUse
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.scaffold.plan import CannotMake, Plan, check_plan, plan_item, plan_pack, write
from ruleloom.scaffold.starters import PACK


@click.command("new")
@click.argument("kind", metavar="pack|KIND")
@click.argument("name", metavar="NAME")
@click.option("--game", metavar="GAME", help="The game of a new pack.")
@click.option(
    "--in",
    "folder",
    metavar="FOLDER",
    default=".",
    help="The folder to create it in, instead of the current one.",
)
def command(kind: str, name: str, game: str | None, folder: str) -> int:
    """Create a pack or an item from a worked example, with scenarios that show what it does.

    A pack gets a folder of its name; an item gets a file in the current folder, or in that of --in,
    which has to be in a pack. Existing files are never overwritten.

    \b
      ruleloom new pack lamplight --game gnostica
      ruleloom new major lamplighter --in lamplight
    """
    place = Path(folder)
    try:
        if not place.is_dir():
            raise CannotMake(f"there is no folder {folder}")
        plan = plan_pack(name, game, place) if kind == PACK else plan_item(kind, name, place, game)
        found = check_plan(plan)
        if found:
            raise CannotMake(f"`{name}` cannot be made there: {found[0].message}", found[0].help)
        write(plan)
    except CannotMake as fault:
        raise WrongUse(str(fault), fault.help) from None
    print("\n".join(summary_lines(plan)))
    return CLEAN


def summary_lines(plan: Plan) -> list[str]:
    """The files written, and the next commands."""
    lines = [f"wrote {safe_text(str(path))}" for path in plan.files]
    why = "which is of another version: delete it to have it written again"
    lines += [f"kept {safe_text(str(path))}, {why}" for path in plan.kept]
    pack = safe_text(shlex.quote(str(plan.pack)))
    return [*lines, "", "next:", f"  ruleloom check {pack}", f"  ruleloom test {pack}"]
