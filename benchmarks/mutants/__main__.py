"""`python -m benchmarks.mutants --game moonstone [--sample 200 --seed 1] [--all] [--workers 2]`: do
the scenarios notice when a rule changes?

A mutant is a shipped game with one small change of an effect text, a table, or what is printed on a
thing. The game's own scenarios are run until one fails: then the mutant is killed. One that the
checker refuses does not count, nor one that compiles to the same program. What survives should be
listed in `survivors.yaml` under its game, each with the reason why no scenario can tell it
apart.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.edits.shipped import GAMES
from benchmarks.mutants.bench import KILLED, REFUSED, SURVIVED
from benchmarks.mutants.operators import KINDS
from benchmarks.mutants.testing import (
    SAMPLE,
    TARGET,
    everything_of,
    killed_share,
    known_survivors,
    run,
    sampled,
    table,
)
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.locate import BUILTIN
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.node import YamlNode, items_of
from ruleloom.compiler.yaml.reader import compose


def clauses_in(game: str, name: str) -> frozenset[str]:
    """The clauses that the cases of a file of a game cite."""
    text = (BUILTIN / game / name).read_text(encoding="utf-8")
    root = compose(Source(name, text), Report())
    assert root is not None, f"{name} cannot be read"
    return frozenset(one for case in root.entries["cases"].items for one in clauses_of(case))


def clauses_of(node: YamlNode) -> frozenset[str]:
    """The clauses that an item or a case cites."""
    return frozenset(one.text or "" for one in items_of(node.get("clauses")))


def main() -> int:
    """Make, try out and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description=__doc__)
    parser.add_argument("--game", choices=GAMES, default="gnostica")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sample", type=int, default=SAMPLE, help="how many mutants to try out")
    parser.add_argument("--all", action="store_true", help="try out all of them")
    parser.add_argument(
        "--kind", choices=list(KINDS), action="append", help="only mutants of this kind"
    )
    parser.add_argument("--file", action="append", help="only mutants in this file of the game")
    parser.add_argument(
        "--cited-by", help="only mutants of items that cite a clause which this file of cases cites"
    )
    parser.add_argument(
        "--only", type=Path, help="only the mutants whose ids stand in the lines of this file"
    )
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--most", type=int, help="how many cases to run of each mutant, at most")
    parser.add_argument("--refused", action="store_true", help="also list what the checker refused")
    options = parser.parse_args()
    everything = everything_of(options.game).values()
    cited = clauses_in(options.game, options.cited_by) if options.cited_by else frozenset()
    named = options.only.read_text(encoding="utf-8").splitlines() if options.only else ()
    mutants = [
        one
        for one in everything
        if (not options.kind or one.kind in options.kind)
        and (not options.file or one.site.file.name in options.file)
        and (not options.only or one.id in named)
        and (not options.cited_by or cited & clauses_of(one.item.node))
    ]
    chosen = mutants if options.all else sampled(mutants, options.sample, options.seed)
    outcomes, broken = run(options.game, chosen, options.workers, options.most)
    listed = known_survivors(options.game)
    for one in outcomes:
        if one.fate == SURVIVED and one.id in listed:
            print(f"survived as listed: {one.place}: {one.id}: {listed[one.id]}")
        elif one.fate == KILLED and one.id in listed:
            print(f"listed as a survivor, but killed by {one.by}: {one.id}")
        elif one.fate == REFUSED and options.refused:
            print(f"refused: {one.place}: {one.id}: {one.by}")
    for name in broken:
        print(f"left out, as it fails without any mutant: {name}")
    print(table(outcomes, list(listed)))
    share = killed_share(outcomes)
    print(
        f"target: at least {TARGET:.0%} killed by scenarios: {'kept' if share >= TARGET else 'NOT KEPT'}"
    )
    return 0 if share >= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
