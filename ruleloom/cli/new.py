"""`ruleloom new`: a new pack or item, from a worked example.

Nothing is written if the name is invalid, a file exists, or a new file has an error.
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import click

from ruleloom.cli.faults import CLEAN, WrongUse
from ruleloom.cli.options import option, refuse_existing, write_new
from ruleloom.compiler.analysis.yaml_cursor import game_named
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.compiler.packs.content import COMMON_KINDS
from ruleloom.compiler.packs.locate import PACK_ID, pack_of
from ruleloom.compiler.packs.walk import MANIFEST
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.system import way_to
from ruleloom.scaffold.starters import (
    PACK,
    SCENARIOS,
    editor_schema,
    example,
    file_name,
    filled,
    games,
    kinds,
    new_item,
    schema_of_pack,
    workflow,
)

# A longer name would leave no room for the example's suffixes.
LONGEST_NAME = 40


@click.command("new")
@click.argument("kind", metavar="pack|KIND")
@click.argument("name", metavar="NAME")
@option("--game GAME", "The game of a new pack.")
@option(
    "--in FOLDER",
    "The folder to create it in, instead of the current one.",
    name="folder",
    default=".",
)
@option(
    "--pages",
    "With a new pack, a workflow that publishes it as a page, to be played on GitHub Pages.",
)
@option("--release", "With a new pack, a workflow that makes a release of it for each tag.")
def command(kind: str, name: str, game: str | None, folder: str, pages: bool, release: bool) -> int:
    """Create a pack or an item from a worked example, with scenarios that show what it does.

    A pack gets a folder of its name; an item gets a file in the current folder, or in that of --in,
    which has to be in a pack. Existing files are never overwritten.

    \b
      ruleloom new pack lamplight --game gnostica
      ruleloom new major lamplighter --in lamplight
    """
    place = Path(folder)
    if not place.is_dir():
        raise WrongUse(f"there is no folder {folder}")
    plan = plan_pack(name, game, place) if kind == PACK else plan_item(kind, name, place, game)
    for sort, asked in (("pages", pages), ("release", release)):
        plan = _with_workflow(plan, kind, name, sort) if asked else plan
    found = check_plan(plan)
    while found and (next_free := _counted_on(plan, found[0])) is not None:
        plan = next_free
        found = check_plan(plan)
    if found:
        raise WrongUse(f"`{name}` cannot be made there: {found[0].message}", found[0].help)
    write(plan)
    for path in plan.files:
        print(f"wrote {safe_text(str(path))}")
    for path in plan.kept:
        why = "which is of another version: delete it to have it written again"
        print(f"kept {safe_text(str(path))}, {why}")
    pack = safe_text(shlex.quote(str(plan.pack)))
    print(f"\nnext:\n  ruleloom check {pack}\n  ruleloom test {pack}")
    return CLEAN


def _counted_on(plan: Plan, fault: Diagnostic) -> Plan | None:
    """The plan with the next number, for an item whose number must be unique; else None."""
    path = next((one for one in plan.files if one.name == Path(fault.place.path).name), None)
    if fault.code != "printed-twice" or path is None:
        return None
    lines = plan.files[path].split("\n")
    line, start, end = fault.place.line - 1, fault.place.column - 1, fault.place.end_column - 1
    number = lines[line][start:end]
    if not number.isdecimal():
        return None
    lines[line] = f"{lines[line][:start]}{int(number) + 1}{lines[line][end:]}"
    return plan._replace(files={**plan.files, path: "\n".join(lines)})


class Plan(NamedTuple):
    """The texts to write, by path; `kept` are existing files left unchanged."""

    pack: Path
    files: Mapping[Path, str]
    kept: tuple[Path, ...] = ()


def check_name(name: str) -> None:
    """Raise WrongUse for an invalid name of an item or pack."""
    if PACK_ID.fullmatch(name) and len(name) <= LONGEST_NAME:
        return
    words = re.sub(r"[^a-z0-9_]+", "-", name.lower()).strip("-_")
    better = re.sub(r"^[^a-z]+", "", words)[:LONGEST_NAME].rstrip("-_")
    follow = f"up to {LONGEST_NAME - 1} small letters, digits, `-` or `_` follow"
    rule = f"it begins with a small letter, and {follow}"
    help = f"write `{better}`" if better else "write a name such as `lamp-lighter`"
    raise WrongUse(f"`{name}` cannot be a name: {rule}", help)


def plan_pack(name: str, game: str | None, folder: Path) -> Plan:
    """The files of a new pack, in a folder of its name."""
    check_name(name)
    known = games()
    if game is None:
        help = f"name it: --game {' or --game '.join(known)}"
        raise WrongUse("which game is the pack for?", help)
    if game not in known:
        message = f"there is no game `{game}`; {choices_text(game, known)}"
        raise WrongUse(message, did_you_mean(game, known))
    above = pack_of(folder)
    if above is not None:
        message = f"{folder} is in the pack {above}, and a pack cannot contain another"
        raise WrongUse(message, "name a folder outside of it: --in FOLDER")
    texts = example(game, PACK)
    place = folder / name
    files = {place / MANIFEST: filled(texts[PACK], PACK, name)}
    if SCENARIOS in texts:
        files[place / f"{SCENARIOS}.yaml"] = filled(texts[SCENARIOS], PACK, name)
    return _with_schema(place, game, files)


def _with_workflow(plan: Plan, kind: str, name: str, sort: str) -> Plan:
    """The files with a workflow beside the new pack, where the repository begins."""
    if kind != PACK:
        help = f"ruleloom new pack NAME --game GAME --{sort}"
        raise WrongUse(f"--{sort} is for a new pack", help)
    path = plan.pack.parent / ".github" / "workflows" / f"{sort}.yml"
    return plan._replace(files={**plan.files, path: workflow(sort, name)})


def plan_item(kind: str, name: str, folder: Path, game: str | None = None) -> Plan:
    """The files of a new item, in a folder of a pack."""
    pack = pack_of(folder)
    if pack is None:
        help = "make one, `ruleloom new pack NAME --game GAME`, or name its folder: --in FOLDER"
        raise WrongUse(f"{folder} is in no pack", help)
    inside = Path(os.path.relpath(folder, pack)).parts
    if any(part.startswith(".") for part in inside):
        raise WrongUse(f"{folder} is hidden: packs ignore folders whose name begins with a dot")
    game = _game_of(pack, game)
    known = kinds(game)
    if kind in COMMON_KINDS and kind not in known:
        message = f"a game has one {kind}, and a pack changes it with a patch"
        raise WrongUse(message, "ruleloom new patch NAME")
    if kind not in known:
        message = f"there is no example of `{kind}` for {game}; there is one of {', '.join(known)}"
        raise WrongUse(message, did_you_mean(kind, known))
    check_name(name)
    files = new_item(game, kind, name)
    return _with_schema(pack, game, {folder / one: text for one, text in files.items()})


def _game_of(pack: Path, wanted: str | None) -> str:
    """The game of a pack; WrongUse unless it is `wanted`."""
    game = game_named(pack)
    if not game:
        message = f"the `{MANIFEST}` of {pack} does not name its game"
        raise WrongUse(message, f"ruleloom check {pack}")
    if wanted not in (None, game):
        raise WrongUse(f"{pack} is a pack for {game}, not for {wanted}", "leave out --game")
    known = games()
    if game not in known:
        raise WrongUse(f"there are examples for {' and '.join(known)}, but none for {game}")
    return game


def _with_schema(pack: Path, game: str, files: dict[Path, str]) -> Plan:
    """The files, each with a modeline for editors, and the schema that it names if missing."""
    schema = pack / file_name(game)
    whole = {}
    for path, text in files.items():
        way = way_to(schema, path.parent)
        whole[path] = f"# yaml-language-server: $schema={way}\n{text}"
    text = schema_of_pack(pack, game) if (pack / MANIFEST).is_file() else editor_schema(game)
    if not os.path.lexists(schema):
        return Plan(pack, {**whole, schema: text})
    try:
        same = schema.read_text(encoding="utf-8") == text
    except (OSError, ValueError):
        same = False
    return Plan(pack, whole, () if same else (schema,))


def check_plan(plan: Plan) -> list[Diagnostic]:
    """The errors of the new files; raises WrongUse if a file of that name exists."""
    for path in plan.files:
        refuse_existing(path)
    texts = {path.name: text for path, text in plan.files.items() if path.suffix == ".yaml"}
    with tempfile.TemporaryDirectory(prefix="ruleloom-") as folder:
        written = [Path(folder) / name for name in texts]
        for path in written:
            path.write_text(texts[path.name], encoding="utf-8", newline="\n")
        is_there = (plan.pack / MANIFEST).is_file()
        named, loose = (plan.pack, written) if is_there else (Path(folder), [])
        found = compile_paths([named], reasons=False, loose=loose).diagnostics
    return [one for one in found if one.severity == "error" and Path(one.place.path).name in texts]


def write(plan: Plan) -> None:
    """Write the files. Raises WrongUse if one exists."""
    for path, text in plan.files.items():
        write_new(path, text)
