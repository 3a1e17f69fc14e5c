"""`ruleloom roll`: rolls on a random table, and on those that its row names."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import click

from ruleloom.api.making import sound
from ruleloom.cli.faults import CLEAN, WrongUse
from ruleloom.cli.options import option, pack_paths
from ruleloom.cli.why.number_query import called
from ruleloom.compiler.diagnostics.suggest import offer
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.random_tables import KIND, RandomTable, filled, tables_of
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.reference.random_tables import RolledRow, TableRolls
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.program.safe_text import safe_text

LARGEST_SEED = 1_000_000


@click.command("roll")
@click.argument("name", metavar="TABLE")
@click.argument("paths", nargs=-1, metavar="[GAME|PACK]...")
@option("--seed N", "The seed of the dice; a new one without it.", type=int)
@option(
    "--times N",
    "How often to roll; what was drawn from a deck stays out meanwhile.",
    type=click.IntRange(1, 10_000),
    default=1,
)
def command(name: str, paths: tuple[str, ...], seed: int | None, times: int) -> int:
    """Roll on a random table: the dice, the row, and the rows of tables that it names.

    TABLE is the name of an item of the kind `random-table` in the packs, by default in the pack that
    contains the current folder. What a row does to a game is told, not done.

    \b
      ruleloom roll weather my-pack
      ruleloom roll weather my-pack --seed 7 --times 3
    """
    _, content = sound(compile_paths(pack_paths(paths), reasons=False, scenarios=False))
    tables = tables_of(content.by_kind(KIND))
    table = called_table(name, tables)
    seed = secrets.randbelow(LARGEST_SEED) if seed is None else seed
    rolls, words = TableRolls(tables, Xoshiro.seeded(seed)), variables(content)
    for _ in range(times):
        for line in _lines(rolls.roll(table)):
            print(safe_text(filled(line, words)))
    print(f"seed {seed}")
    return CLEAN


def called_table(name: str, tables: dict[str, RandomTable]) -> RandomTable:
    """The table of a name or title. Raises WrongUse for another."""
    every = list(tables.values())
    found = called(name, [(one.item.pack, one.item.name) for one in every])
    titled = (number for number, one in enumerate(every) if one.title.lower() == name.lower())
    for number in (*found, *titled):
        return every[number]
    message = f"there is no random table `{name}` in these packs"
    raise WrongUse(message, offer(name, [one.item.name for one in every]))


def variables(content: Content) -> dict[str, str]:
    """What the variables of a game are called, for the holes of rows; `you` is the player."""
    vocabulary = next(iter(content.by_kind("vocabulary")))
    nouns = vocabulary.data("entities") or {}
    words = {}
    for name, said in (vocabulary.data("scope") or {}).items():
        noun, *_ = nouns.get(said["type"], {}).get("noun", [said["type"]])
        words[name] = said.get("english") if said.get("english") != "you" else f"the {noun}"
    return {name: said for name, said in words.items() if said}


def _lines(rolled: RolledRow, depth: int = 0) -> Iterator[str]:
    """What fell and what it is, with the rolls that it led to below."""
    table, fell = rolled.table, " + ".join(map(str, rolled.fell))
    total = f" = {sum(rolled.fell)}" if len(rolled.fell) > 1 else ""
    told = "; ".join(filter(None, (rolled.told, rolled.row.does)))
    yield f"{'  ' * depth}{table.title} ({table.dice}): {fell}{total}: {told}"
    for one in rolled.nested:
        yield from _lines(one, depth + 1)
