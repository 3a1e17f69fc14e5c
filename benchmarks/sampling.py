"""`python -m benchmarks.sampling fights`: where the processor time of a row goes.

The stack is looked at now and then, by processor time, which slows nothing down, unlike a tracer, under
which short functions seem to take the most. Shares are of all samples: by package, where the
innermost line of ours is; by function, with all that it calls, and by itself.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from importlib import import_module
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from unittest.mock import patch

from benchmarks.harness import process_cost, with_cache

TOP = Path(__file__).resolve().parents[1]
EVERY = 0.001  # seconds; the system may have a coarser clock
IMPORTS, GENERATED, OTHERS = "imports", "generated from rules", "libraries"


class Samples:
    """Stacks, counted: by package and function of the innermost frame, and by function anywhere."""

    def __init__(self) -> None:
        self.all = 0
        self.packages: Counter[str] = Counter()
        self.own: Counter[str] = Counter()
        self.within: Counter[str] = Counter()

    def take(self, _: int, frame: FrameType | None) -> None:
        """Count one stack."""
        stack = list(_stack(frame))
        places = [place_of(one.f_code.co_filename) for one in stack]
        names = [
            f"{place} {one.f_code.co_qualname}"
            for place, one in zip(places, stack, strict=True)
            if place not in (OTHERS, "benchmarks")
        ]
        self.all += 1
        self.packages[IMPORTS if IMPORTS in places else _innermost(places)] += 1
        self.own[names[0] if names else OTHERS] += 1
        self.within.update(set(names))

    def add(self, other: Mapping[str, Mapping[str, int]]) -> None:
        """Add the samples of another process, as `counted` has them."""
        self.all += other["all"][""]
        self.packages.update(other["packages"])
        self.own.update(other["own"])
        self.within.update(other["within"])

    def counted(self) -> Mapping[str, Mapping[str, int]]:
        """All counts, as JSON can hold them."""
        return {
            "all": {"": self.all},
            "packages": self.packages,
            "own": self.own,
            "within": self.within,
        }

    def told(self, most: int) -> str:
        """The shares as Markdown tables, of functions so many."""
        parts = []
        for head, found in (
            ("package", self.packages),
            ("function, with what it calls", self.within),
            ("function, by itself", self.own),
        ):
            parts.append(f"| {head} | share |\n| --- | ---: |")
            parts[-1] += "".join(
                f"\n| `{name}` | {count / self.all:.1%} |"
                for name, count in found.most_common(most)
            )
        return "\n\n".join([f"{self.all:,} samples", *parts])


def _stack(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _innermost(places: list[str]) -> str:
    """The package of the innermost frame of ours; a library's time is that of who called it."""
    return next((place for place in places if place != OTHERS), OTHERS)


def place_of(file: str) -> str:
    """The package of a source file: `runtime/machine`."""
    if file.startswith("<frozen "):
        return IMPORTS if "importlib" in file else OTHERS
    if file.startswith("<"):
        return GENERATED
    path = Path(file)
    if not path.is_relative_to(TOP) or "site-packages" in path.parts:
        return OTHERS
    steps = path.relative_to(TOP).parts
    # The top folders are also there by links within `ruleloom`.
    steps = steps[1:] if steps[0] == "ruleloom" and steps[1] in ("compiler", "runtime") else steps
    return "/".join(steps[:2]) if len(steps) > 2 else steps[0]


@contextmanager
def sampled(samples: Samples) -> Iterator[None]:
    """Take samples while this lasts."""
    before = signal.signal(signal.SIGPROF, samples.take)
    signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def fights(samples: Samples) -> None:
    """Fights of Moonstone, every pair in turn."""
    fighting = import_module("benchmarks.speed.fighting")
    linked, matches = fighting.yard(), list(fighting.pairs())
    with sampled(samples):
        for seed in range(2_000):
            scene = seed % len(matches)
            fighting.by_machine(linked, scene, matches[scene], seed)


def decisions(samples: Samples) -> None:
    """Random games of Gnostica, all options listed."""
    part = import_module("benchmarks.speed.decisions")
    linked = part.gnostica()
    with sampled(samples):
        part.listed_rate(linked, 900, 1)


def command(words: Sequence[str], samples: Samples) -> None:
    """A command from the first import on, in this process. What it prints is of no interest."""
    sys.argv = ["ruleloom", *words]
    with sampled(samples), suppress(SystemExit), redirect_stdout(StringIO()):
        main = import_module("ruleloom.cli.main")
        # It would end the process, with all that was counted.
        with patch.object(main, "_end", sys.exit):
            main.run()


WORK: Mapping[str, Callable[[Samples], None]] = {"fights": fights, "decisions": decisions}
PACK = TOP / "tests" / "content" / "homebrew" / "packs" / "witchgates" / "backfire"
COMMANDS: Mapping[str, Sequence[str]] = {
    "check": ("check", "--no-cache", str(PACK)),
    "odds": ("odds", "moonstone", "roll luck = 1d20"),
    "odds-again": ("odds", "moonstone", "roll luck = 1d20"),
    "why": ("why", str(TOP / "rulesets" / "examples" / "first-light"), "PR"),
}
RUNS = 12


def runs_of(row: str) -> Samples:
    """The samples of a command, run again and again, each time as a process; the first is not
    counted: it leaves bytecode and an entry in the cache."""
    samples = Samples()
    with TemporaryDirectory() as name:
        into = Path(name) / "samples.json"
        for number in range(RUNS + 1):
            words = [sys.executable, "-m", "benchmarks.sampling", row, "--into", str(into)]
            process_cost(words, **with_cache(Path(name) / "cache"))
            if number:
                samples.add(json.loads(into.read_text(encoding="utf-8")))
    return samples


def main() -> int:
    """Print the shares of one row."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sampling", description=__doc__)
    parser.add_argument("row", choices=[*WORK, *COMMANDS])
    parser.add_argument("--most", type=int, default=15, help="so many functions (15)")
    parser.add_argument("--into", type=Path, help="run the command once, and write samples there")
    options = parser.parse_args()
    samples = Samples()
    if options.row in WORK:
        WORK[options.row](samples)
    elif options.into is None:
        samples = runs_of(options.row)
    else:
        command(COMMANDS[options.row], samples)
        options.into.write_text(json.dumps(samples.counted()), encoding="utf-8")
        return 0
    print(samples.told(options.most))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
