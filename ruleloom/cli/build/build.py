"""`ruleloom build`: makes a record of a kind, such as a character, in a terminal, by answers or at random."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from ruleloom.building.bench import Bench
from ruleloom.building.building import Building, bench_of, blank
from ruleloom.building.encounters import ROWS, encounter_table
from ruleloom.building.random_build import random_record
from ruleloom.building.templates import setting_of_points, template_text
from ruleloom.building.told import budget_line, finding_lines, standing_lines, version_lines
from ruleloom.cli.build.build_loop import BuildLoop
from ruleloom.cli.build.build_panels import BuildPanels
from ruleloom.cli.faults import CLEAN, FINDINGS, WrongUse, refusals_told
from ruleloom.cli.options import (
    Wanted,
    colour_option,
    option,
    read_switches,
    switch_option,
    write_new,
    write_output,
)
from ruleloom.compiler.analysis.yaml_cursor import items_in, pack_heading
from ruleloom.compiler.packs.locate import pack_of
from ruleloom.compiler.packs.walk import MANIFEST
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.compiler.yaml.node import to_data
from ruleloom.output.terminal import colour_wanted, count_of
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.table.canvas import Look
from ruleloom.table.line_screen import look_of

YAML = (".yaml", ".yml")
LARGEST_SEED = 1_000_000
WIDEST = 160


@click.command("build")
@click.argument("game", nargs=-1, required=True, metavar="GAME [PACK]... [FILE]")
@option("--kind KIND", "The kind of record; by default the one that has an allowance.")
@option("--of NAME", "The record of the file to go on with, if it has several.", name="of")
@option("--template NAME", "Begin with a record of the packs, or with a file.")
@option("--random", "Make it at random, by what is allowed, and print it.", name="at_random")
@option("--points N", "What it may cost, in place of the setting of the campaign.", type=int)
@option(
    "--theme TAG", "What a random record prefers: a tag, or a word of titles and texts.", default=""
)
@option("--seed N", "The seed of random records; a new one without it.", type=int)
@option(
    "--count N", "Make so many, each in a file of the folder -o.", type=click.IntRange(1, 10_000)
)
@option("--answers FILE", "Take the answers of a file, one a line, and print the record.")
@option("--check", "Only say what the record costs, and what is wrong with it.")
@option(
    "--against OLD", "Say what a pack changes about each record, against an older version of it."
)
@option("-o, --output FILE", "The file to write, instead of standard output.")
@switch_option
@colour_option
def command(**asked: object) -> int:
    """Make a record, such as a character, choice by choice.

    After the game and packs, a FILE.yaml may be named to go on with; its comments and order stay. An
    answer is a line:

    \b
      start.Str = 14                 gifts + thick-hide          undo
      gifts.thick-hide.fudge = 1     gifts - thick-hide          why CV

    Exit code 1 if the record is not legal.

    \b
      ruleloom build moonstone ann.yaml
      ruleloom build moonstone --random --points 45 --seed 3
      ruleloom build moonstone --template guard.yaml --count 5 -o guards
    """
    wanted = Wanted(**asked)
    with refusals_told():
        return _build(wanted)


def _build(wanted: Wanted) -> int:
    *packs, last = wanted.game
    file = Path(last) if Path(last).suffix in YAML else None
    paths = _with_own_pack(packs if file is not None else [*packs, last], file)
    if wanted.against is not None:
        return _against(wanted, paths, file)
    if not paths:
        raise WrongUse("which game?", "name a game or a pack before the file")
    building = _begun(wanted, paths, file)
    if wanted.count is not None:
        return _many(wanted, building)
    if wanted.check:
        return _told(building, sys.stdout)
    if wanted.answers is None and not wanted.at_random:
        building = _loop(wanted, building, wanted.output or (str(file) if file else "")).run()
        return _told(building, sys.stdout)
    return _made(wanted, building)


def _loop(wanted: Wanted, building: Building, file: str) -> BuildLoop:
    """In panels at a terminal; elsewhere line by line."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        look = look_of(colour_wanted(wanted.color), WIDEST)
        return BuildPanels(building, file, look)
    return BuildLoop(building, file, Look())


def _with_own_pack(paths: list[str], file: Path | None) -> list[str]:
    """The packs, with the one that the file lies in."""
    around = pack_of(file.parent) if file is not None else None
    known = {Path(path).resolve() for path in paths}
    return paths if around is None or around.resolve() in known else [*paths, str(around)]


def _made(wanted: Wanted, building: Building) -> int:
    """Write what answers and dice make of a record."""
    seed = _seed(wanted)
    if wanted.answers is not None:
        building = _answered(building, wanted.answers)
    if wanted.at_random:
        building = random_record(building, seed, wanted.theme)
    if wanted.output is None:
        sys.stdout.write(building.text)
    else:
        write_output(wanted.output, building.text)
        print(f"wrote {safe_text(wanted.output)}", file=sys.stderr)
    if wanted.at_random:
        print(f"seed {seed}", file=sys.stderr)
    return _told(building, sys.stderr)


def _seed(wanted: Wanted) -> int:
    return wanted.seed if wanted.seed is not None else secrets.randbelow(LARGEST_SEED)


def _told(building: Building, stream: Any) -> int:
    """Print the price and the mistakes of a record."""
    for line in standing_lines(building):
        print(safe_text(line), file=stream)
    return CLEAN if building.legal else FINDINGS


def _begun(wanted: Wanted, paths: list[str], file: Path | None) -> Building:
    """The record to go on with: of the file, a template, or a new one."""
    id = file.stem if file is not None else ""
    if file is not None and file.exists():
        return _of_file(wanted, paths, file, "")
    if wanted.template is not None and Path(wanted.template).suffix in YAML:
        found = _of_file(wanted, paths, Path(wanted.template), None)
        return replace_id(found, id) if id else found
    bench = _bench(wanted, paths, wanted.kind, "")
    if wanted.template is not None:
        return Building(bench, template_text(bench, wanted.template, id or f"new-{bench.kind}"))
    return Building(bench, blank(bench, id))


def _of_file(wanted: Wanted, paths: list[str], file: Path, name: str | None) -> Building:
    """A record of a file; with no `name` it is one to begin with, and not one of the packs."""
    text = _read(file)
    number, item = _item_of(text, wanted.of)
    own = "" if name is None else str(item.get("id", ""))
    bench = _bench(wanted, paths, wanted.kind or str(item.get("kind")), own)
    if item.get("kind") != bench.kind:
        raise WrongUse(f"this is a {item.get('kind')}, not a {bench.kind}")
    return Building(bench, text, number)


def _bench(wanted: Wanted, paths: list[str], kind: str | None, name: str) -> Bench:
    """The bench, with what a record may cost by `--points`."""
    chosen: Mapping[str, Any] = read_switches(wanted.switches)
    bench = bench_of(paths, kind, name, chosen)
    if wanted.points is None:
        return bench
    setting = setting_of_points(bench)
    if setting is None:
        raise WrongUse(f"no setting says what a {bench.kind} may cost", "leave out --points")
    return bench_of(paths, bench.kind, name, {**chosen, setting: wanted.points})


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise WrongUse(f"{file} cannot be read: {error}") from None


def _item_of(text: str, name: str | None) -> tuple[int, dict[str, Any]]:
    """The item of a file that a name means, or its only one."""
    items = [one for one in map(to_data, items_in(text)) if isinstance(one, dict)]
    named = [(number, one) for number, one in enumerate(items) if _is_called(one, name)]
    if len(named) == 1 or (named and name is not None):
        return named[0]
    ids = ", ".join(str(one.get("id")) for one in items)
    raise WrongUse("which record of the file?", f"--of: {ids}" if ids else "there is none in it")


def _is_called(item: dict[str, Any], name: str | None) -> bool:
    return name is None or name in (item.get("id"), item.get("title"))


def replace_id(building: Building, id: str, title: str = "") -> Building:
    """The same record under another id, and another title."""
    found = building.say(f"id = {id}")
    return found.say(f"title = {title}") if title else found


def _answered(building: Building, file: str) -> Building:
    for line in _read(Path(file)).splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            building = building.say(line)
    return building


def _many(wanted: Wanted, building: Building) -> int:
    """Make several, each in a file of its own, and a random table of them."""
    if wanted.output is None:
        raise WrongUse("where to?", "name a folder with -o")
    seed, folder = _seed(wanted), Path(wanted.output)
    every: list[Building] = []
    for number in range(1, wanted.count + 1):
        id, title = f"{building.id}-{number}", f"{building.title} {number}"
        made = random_record(replace_id(building, id, title), seed + number, wanted.theme)
        every.append(made)
        write_new(folder / f"{id}.yaml", made.text)
        wrong = finding_lines([one for one in made.findings if one.forbids])
        told = "; ".join((*map(budget_line, made.budgets), *wrong))
        print(safe_text(f"{title}: {told}"))
    name = f"{building.id}-encounters"
    if len(every) in ROWS:
        table = encounter_table(name, f"{building.title}: encounters", every)
        write_new(folder / f"{name}.yaml", table)
        print(safe_text(f"random table: {name}"))
    else:
        print(f"no random table: one has {ROWS[0]} to {ROWS[-1]} rows")
    legal = sum(one.legal for one in every)
    print(f"seed {seed}; {count_of(legal, 'legal record')} in {safe_text(wanted.output)}")
    return CLEAN if legal == wanted.count else FINDINGS


def _against(wanted: Wanted, paths: list[str], file: Path | None) -> int:
    """What the packs change about each record of the file, against an older version of one."""
    if file is None or not paths:
        raise WrongUse("whom?", "name the game, the new pack, and the file with the records")
    old = _pack_id(wanted.against)
    before = [wanted.against if _pack_id(path) == old else path for path in paths]
    if before == paths:
        raise WrongUse(f"none of the packs is `{old}`", "name the new version before the file")
    text, legal = _read(file), True
    for record in _records(text, wanted.kind):
        one, other = (_at(wanted, some, text, record) for some in (before, paths))
        lines, legal = version_lines(one, other), legal and other.legal
        print(safe_text(f"{other.title}:{'' if lines else ' as before'}"))
        for line in lines:
            print(safe_text(f"  {line}"))
    return CLEAN if legal else FINDINGS


def _at(wanted: Wanted, paths: list[str], text: str, record: tuple[int, str, str]) -> Building:
    """A record of a text, made with some packs."""
    number, name, kind = record
    return Building(_bench(wanted, paths, kind, name), text, number)


def _records(text: str, kind: str | None) -> Iterator[tuple[int, str, str]]:
    """The number, id and kind of each record of a file."""
    for number, one in enumerate(map(to_data, items_in(text))):
        if isinstance(one, dict) and kind in (None, one.get("kind")):
            yield number, str(one.get("id", "")), str(one.get("kind"))


def _pack_id(path: str) -> str:
    """The id of the pack in a folder; of a shipped one, its name."""
    manifest = Path(path) / MANIFEST
    try:
        return pack_heading(Source.read(manifest, path))[0]
    except SourceError:
        return path
