"""`ruleloom diff`: the differences between two packs or two versions, in terms of the rules."""

from __future__ import annotations

import json
import sys

import click

from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse, refusals_told
from ruleloom.cli.options import (
    Wanted,
    colour_option,
    format_option,
    option,
    pack_option,
    pack_paths,
)
from ruleloom.compiler.diagnostics.render import render
from ruleloom.diff.compare import Broken, Side, compare, load_side, one_pack, side_at
from ruleloom.diff.report import DiffReport, advice, as_data
from ruleloom.output.terminal import colour_wanted

TWO = "name two packs, `ruleloom diff OLD NEW`, or a past version, `ruleloom diff --rev v1.0 PATH`"


@click.command("diff")
@click.argument("paths", nargs=-1, metavar="OLD NEW")
@option(
    "--rev REVISION",
    "Compare one pack with its state at this git revision; `A..B` compares two revisions.",
)
@option("--strict", "Exit code 1 if the version number was not raised enough.")
@option("--all", "Show every change, even where many are alike.", name="everything")
@format_option("text", "json")
@pack_option
@colour_option
def command(**asked: object) -> int:
    """Compare two packs in terms of the rules, and recommend a version number for the new one.

    OLD and NEW are folders of packs or names of shipped ones. Order, comments and layout do not
    count. The consequences of a change, in numbers and rules texts, are shown as well.

    \b
      ruleloom diff my-pack-1.0 my-pack
      ruleloom diff --rev v1.0 my-pack --strict
    """
    wanted = Wanted(**asked)
    try:
        with refusals_told():
            old, new = _sides(wanted.paths, wanted.rev, wanted.packs)
    except Broken as broken:
        sys.stderr.write(render(broken.diagnostics, broken.sources, "text"))
        told = f"{broken.label} has mistakes, and only sound packs can be compared"
        print(told, file=sys.stderr)
        return FINDINGS
    if old.content.game != new.content.game:
        games = f"{old.label} is for {old.content.game} and {new.label} for {new.content.game}"
        raise WrongUse(f"{games}: they have nothing in common to compare")
    changes = compare(old, new)
    same_pack = old.pack.id == new.pack.id
    advised = advice(changes, old.pack.version, new.pack.version) if same_pack else None
    if wanted.form == "json":
        print(json.dumps(as_data(old, new, changes, advised), indent=2))
    else:
        report = DiffReport(colour_wanted(wanted.color), wanted.everything)
        print(report.text(old, new, changes, advised))
    return FINDINGS if wanted.strict and advised is not None and not advised.enough else CLEAN


def _sides(paths: tuple[str, ...], rev: str | None, packs: tuple[str, ...]) -> tuple[Side, Side]:
    """The two packs named; with `rev`, one pack at a revision and now, or at two revisions."""
    if rev is None:
        if len(paths) != 2:
            raise WrongUse(f"two packs are compared, and {len(paths) or 'none'} are named", TWO)
        return load_side(paths[0], paths[0], packs), load_side(paths[1], paths[1], packs)
    if len(paths) > 1:
        raise WrongUse("`--rev` compares one pack with itself, and several are named", TWO)
    (path,) = pack_paths(paths)
    folder = one_pack(path, path)
    if folder.archive is not None:
        raise WrongUse(f"{path} is a zip, and `--rev` needs a folder in a git repository", TWO)
    first, parted, second = rev.partition("..")
    if parted and not (first and second):
        raise WrongUse(f"`--rev {rev}` lacks a revision", "write it as --rev v1.0..v1.1")
    old = side_at(folder, first, packs)
    if not parted:
        return old, load_side(path, path, packs)
    return old, side_at(folder, second.removeprefix("."), packs)
