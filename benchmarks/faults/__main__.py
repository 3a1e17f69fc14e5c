"""`python -m benchmarks.faults [--game moonstone] --seed 1 --each 40`: does `check` find single
faults, and where?

`--all` goes through the example packs and starters, too, beside their games. Each fault is one
change of one file in a copy of what is shipped, for which the place that a careful reader would
point at is known beforehand. A fault is reported if anything new is said; it is exact if the first
complaint stands at that very line and column; it is told once if there is that one complaint only.
Warnings count as complaints everywhere. Where the fault is one slip of the pen, the word that the
first complaint suggests is put in its place, and the slip is mended if nothing is said any more.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks.edits.shipped import GAMES, PACKS
from benchmarks.faults.injection import TARGETS, Outcome, good, misses, run, table
from benchmarks.faults.kinds import KINDS


def main() -> int:
    """Seed, check and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument(
        "--game", action="append", default=[], choices=[*GAMES, *PACKS], help="only this"
    )
    parser.add_argument(
        "--all", action="store_true", help="all that is shipped: games, examples, starters"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=40, help="faults of each kind")
    parser.add_argument(
        "--kind", action="append", default=[], choices=list(KINDS), help="only this kind"
    )
    parser.add_argument(
        "--misses", action="store_true", help="list the faults that were not told exactly"
    )
    options = parser.parse_args()
    targets = ", ".join(f"{name} {least:.0%}" for name, least in TARGETS.items())
    kept, everything = True, list[Outcome]()
    for game in options.game or (GAMES + PACKS if options.all else GAMES):
        outcomes = run(game, options.each, options.seed, options.kind)
        print(f"{game}:")
        for line in misses(outcomes) if options.misses else ():
            print(line)
        print(table(outcomes))
        print(
            f"targets: {targets}, no traceback: {'kept' if good(outcomes) else 'NOT KEPT'}",
            flush=True,
        )
        kept = kept and good(outcomes)
        everything += outcomes
    if options.all:
        print(f"all that is shipped:\n{table(everything)}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
