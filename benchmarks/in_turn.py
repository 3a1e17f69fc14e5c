"""Measures the same work in two checkouts, in turn: this one, and another version.

    python -m benchmarks.in_turn OTHER_CHECKOUT [--rounds 21] [--only fights]

Each checkout has a process of its own, and they take turns at short pieces of work, so that what
else the machine does slows down both. Told are the median of the ratios of processor time, other to
this, and the middle half of them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from benchmarks.harness import collector_off
from benchmarks.many_items import write_items
from benchmarks.speed.characters import by_machine, written
from benchmarks.speed.decisions import gnostica, listed_rate, sampled_rate
from benchmarks.speed.effects import arena
from benchmarks.speed.fighting import by_machine as fought
from benchmarks.speed.fighting import pairs, yard
from ruleloom.compiler.pipeline import Compiler, compile_paths
from ruleloom.odds.question import ask
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import empty_world
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.machine.step import run
from ruleloom.runtime.program.state import State

HERE = Path(__file__).resolve().parent.parent
# Does a piece of work, another one for each number.
Piece = Callable[[int], object]


def effects() -> Piece:
    """The effect of twenty operations, from the start of a turn to the next question."""
    linked = arena()
    scope = list(linked.initial_scope)
    scope[linked.me] = 0
    world = linked.driver.start(empty_world(linked.layout))
    state = State(world, tuple(scope), None, (), True, None)
    return lambda _: [run(linked, state, True, Xoshiro.seeded(7)) for _ in range(4_000)]


def games(rate: Callable[[Linked, int, int], float]) -> Piece:
    """Four random games of Gnostica."""
    linked = gnostica()
    return lambda number: rate(linked, 4, number)


def fights() -> Piece:
    """Twenty fights of Moonstone."""
    linked, matches = yard(), list(pairs())
    jobs = [(n % len(matches), matches[n % len(matches)]) for n in range(20)]
    return lambda number: [
        fought(linked, *job, number * len(jobs) + n) for n, job in enumerate(jobs)
    ]


def characters() -> Piece:
    """Three hundred characters of Moonstone, compiled, checked and explained."""
    folder = Path(os.environ["IN_TURN"])
    path = written(folder, 300)
    text = path.read_text(encoding="utf-8")

    def piece(number: int) -> object:
        # Else all would be there from the piece before.
        path.write_text(f"{text}# edit {number}\n", encoding="utf-8")
        return by_machine(folder)

    return piece


def checking(*paths: str) -> Piece:
    """All passes of a compilation; without paths, those of 250 items in a file each."""
    pack = Path(os.environ["IN_TURN"]) / "pack"
    if not paths:
        write_items(pack, 250)
    return lambda _: Compiler().compile(paths or [pack])


def pools() -> Piece:
    """Odds of pools of one to seven dice: of hits and glances, and of the whole roll of Witchgates."""
    part = import_module("benchmarks.odds.pools")  # which needs icepool, as no other piece does
    content = compile_paths([part.WITCHGATES], reasons=False).content
    assert content is not None
    told = ["hits_of(thrown) * 10 + glances_of(thrown)"]
    texts = [f"roll each thrown = {dice} d sides_of_a_die" for dice in part.POOLS]
    given = [part.given_dice(dice) for dice in part.POOLS]
    questions = [ask(content, text, told) for text in texts]
    questions += [ask(content, "use throw_pool(me)", [part.WHOLE], given=one) for one in given]
    return lambda _: [part.pool_odds(one, 0) for one in questions for _ in range(20)]


PIECES: Mapping[str, Callable[[], Piece]] = {
    "effects": effects,
    "listed": lambda: games(listed_rate),
    "sampled": lambda: games(sampled_rate),
    "fights": fights,
    "characters": characters,
    "items": checking,
    "moonstone": lambda: checking("moonstone"),
    "pools": pools,
}


def serve(name: str) -> None:
    """Do the piece whose number is read, line by line, and print the seconds that it took."""
    piece = PIECES[name]()
    piece(0)
    print("ready", flush=True)
    for line in sys.stdin:
        with collector_off():
            begun = time.process_time()
            piece(int(line))
            print(time.process_time() - begun, flush=True)


class Side:
    """The process of one checkout."""

    def __init__(self, checkout: Path, name: str, folder: str) -> None:
        """Start it. RuntimeError if it does not get ready."""
        words = [sys.executable, "-P", __file__, "--serve", name]
        env = {**os.environ, "PYTHONPATH": str(checkout), "RULELOOM_CACHE": "off"}
        self.process = subprocess.Popen(
            [*words, str(checkout)],
            cwd=checkout,
            env=env | {"RULELOOM_GAMES": "off", "IN_TURN": folder},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        if self._line() != "ready":
            raise RuntimeError(f"{checkout} cannot do `{name}`")

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def seconds(self, number: int) -> float:
        """How long one piece takes."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{number}\n")
        return float(self._line())


def compared(name: str, other: Path, rounds: int) -> Iterator[tuple[float, float]]:
    """Seconds of this checkout and of the other one, round by round."""
    with TemporaryDirectory() as one, TemporaryDirectory() as two:
        sides = [Side(HERE, name, one), Side(other, name, two)]
        try:
            for number in range(rounds):
                first = number % 2
                taken = {at: sides[at].seconds(number) for at in (first, 1 - first)}
                yield taken[0], taken[1]
        finally:
            for side in sides:
                side.process.communicate()


def main() -> int:
    """Compare what is asked for, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.in_turn", description=__doc__)
    parser.add_argument("other", type=Path)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--only", action="append", choices=PIECES)
    parser.add_argument("--serve", choices=PIECES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve)
        return 0
    print(
        "| what | this | other | other / this | middle half |\n| --- | ---: | ---: | ---: | ---: |"
    )
    for name in options.only or PIECES:
        pairs = [*compared(name, options.other.resolve(), options.rounds)]
        ratios = [other / this for this, other in pairs]
        low, _, high = quantiles(ratios, n=4)
        this, other = (median(column) * 1_000 for column in zip(*pairs, strict=True))
        print(
            f"| {name} | {this:.1f} ms | {other:.1f} ms | {median(ratios):.2f} | {low:.2f} to {high:.2f} |",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
