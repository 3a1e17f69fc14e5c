"""`python -m tests.laws.edits [PACK...] [--edits 2000]`: random edits of shipped packs, checked one after the other.

One compiler goes through all of them, another forgets after each what it has worked out: both must say the same, message for
message, and make the same program. So must a check of a pack on top of a game against the game's interface, which is kept as
bytes, and one from nothing.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from benchmarks.edits.shipped import GAMES, PACKS, Shipped, read_shipped
from benchmarks.edits.sites import Site, spread
from benchmarks.faults.kinds import KINDS
from ruleloom.compiler.packs.locate import BUILTIN
from ruleloom.compiler.pipeline import Compiler
from tests.support.new_process import forget_interfaces, forget_trees

HOMEBREW = tuple(
    sorted(map(str, (Path(__file__).parents[1] / "content" / "homebrew" / "packs").glob("*/*")))
)
"""The packs on top of games that tests bring along."""
# How often an edit is taken back before the next one, so that sound packs come between.
BACK = 0.6


def random_edits(pack: Shipped, rng: Random, number: int) -> Iterator[Site]:
    """So many edits of a pack, each of a kind of slip that can be made in it."""
    kinds = {
        kind: [site for way in ways for site in way(pack, rng)] for kind, ways in KINDS.items()
    }
    possible = [sites for sites in kinds.values() if sites]
    for _ in range(number):
        yield spread(rng.choice(possible), 1, rng)[0]


def differences(name: str, number: int, seed: int) -> Iterator[str]:
    """What the two compilers say differently of random edits of one pack."""
    rng = Random(f"{seed} {name}")
    with TemporaryDirectory() as temporary:
        folder = Path(temporary) / Path(name).name
        shutil.copytree(BUILTIN / name, folder)
        pack, used, new, kept = (
            read_shipped(folder),
            Compiler(),
            Compiler(),
            dict[str, bytes | None](),
        )
        for site in random_edits(pack, rng, number):
            path = folder / site.file.name
            path.write_text(site.text, encoding="utf-8", newline="")
            yield from _difference(folder, site, used, new)
            if pack.base is not None:
                yield from _against_interface(folder, site, kept)
                forget_interfaces()
            if rng.random() < BACK:
                path.write_text(site.file.text, encoding="utf-8", newline="")


def _difference(folder: Path, site: Site, used: Compiler, new: Compiler) -> Iterator[str]:
    new.builds.clear()
    found, fresh = (one.compile([folder], texts=True, scenarios=False) for one in (used, new))
    if found.diagnostics != fresh.diagnostics:
        once = {*found.diagnostics} ^ {*fresh.diagnostics}
        told = "; ".join(f"{one.place.line}: [{one.code}] {one.message}" for one in once)
        yield f"{site.file.name}:{site.line_col[0]}: {site.says}: only one says {told}"
    if found.program != fresh.program:
        yield f"{site.file.name}:{site.line_col[0]}: {site.says}: another program"


def _against_interface(folder: Path, site: Site, kept: dict[str, bytes | None]) -> Iterator[str]:
    """The same for a check by a process that has only the interface of the game, and one that has nothing."""

    def interface(digest: str, make: Callable[[], bytes | None]) -> bytes | None:
        if digest not in kept:
            kept[digest] = make()
        assert kept[digest] is not None, "a shipped game has an interface"
        return kept[digest]

    Compiler().compile([folder], reasons=False, played=False, interfaces=interface)
    forget_trees()
    found = Compiler().compile([folder], reasons=False, played=False, interfaces=interface)
    forget_trees()
    fresh = Compiler().compile([folder], reasons=False, played=False)
    if found.diagnostics != fresh.diagnostics:
        once = {*found.diagnostics} ^ {*fresh.diagnostics}
        told = "; ".join(f"{one.place.line}: [{one.code}] {one.message}" for one in once)
        yield f"{site.file.name}:{site.line_col[0]}: {site.says}: against the interface, only one says {told}"
    if found.program != fresh.program:
        yield f"{site.file.name}:{site.line_col[0]}: {site.says}: against the interface, another program"


def main() -> int:
    """Print the differences, and how many edits there were."""
    parser = argparse.ArgumentParser(prog="python -m tests.laws.edits", description=__doc__)
    parser.add_argument("packs", nargs="*", default=[*GAMES, *PACKS, *HOMEBREW], metavar="PACK")
    parser.add_argument("--edits", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    each, found = -(-options.edits // len(options.packs)), 0
    for name in options.packs:
        for told in differences(name, each, options.seed):
            print(f"{name}: {told}", flush=True)
            found += 1
    print(f"{each * len(options.packs):,} edits of {len(options.packs)} packs: {found} differences")
    return int(found > 0)


if __name__ == "__main__":
    raise SystemExit(main())
