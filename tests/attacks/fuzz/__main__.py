"""`python -m tests.attacks.fuzz --seconds 60 --seed 1 [--target effect]`: look for inputs that break the
compiler.

Every input that breaks a promise (tests/attacks/fuzz/oracle.py) is made smaller and printed; `--keep`
writes it to tests/attacks/fuzz/found/, where the tests try it from then on. `--inputs` instead of
`--seconds` makes a run exactly the same each time.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.attacks.fuzz.loop import Fuzzer, smaller, tried, write
from tests.attacks.fuzz.targets import TARGETS

FOUND = Path(__file__).resolve().parent / "found"
SHOWN = 600


def until(seconds: float, inputs: int | None) -> Callable[[int], bool]:
    """Say whether to go on, by the time that has passed or by how many inputs were tried."""
    if inputs is not None:
        return lambda tried: tried < inputs
    end = time.monotonic() + seconds
    return lambda _tried: time.monotonic() < end


def main() -> int:
    """Fuzz, and print what is found."""
    parser = argparse.ArgumentParser(prog="python -m tests.attacks.fuzz", description=__doc__)
    parser.add_argument(
        "--target", action="append", default=[], choices=list(TARGETS), help="only this part"
    )
    parser.add_argument(
        "--seconds", type=float, default=60.0, help="for how long, over all targets"
    )
    parser.add_argument("--inputs", type=int, help="how many inputs of each target instead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--keep", action="store_true", help="write what is found to tests/attacks/fuzz/found/"
    )
    parser.add_argument(
        "--file", type=Path, help="hold this one input of the target to its promises"
    )
    options = parser.parse_args()
    names = options.target or list(TARGETS)
    if options.file is not None:
        target = TARGETS[names[0]]
        finding = tried(target, target.decoded(options.file.read_bytes()))
        print(finding.words if finding else "kept")
        return int(finding is not None)
    found = 0
    for name in names:
        fuzzer = Fuzzer(TARGETS[name], options.seed)
        for finding in fuzzer.run(until(options.seconds / len(names), options.inputs)):
            found += 1
            least = smaller(finding, TARGETS[name])
            print(
                f"{name}: {least.words}\n  at {least.where}\n  {least.text[:SHOWN]!a}", flush=True
            )
            if options.keep:
                print(f"  kept as {write(least, TARGETS[name], FOUND).name}", flush=True)
        steps = len(fuzzer.trace.known)
        print(
            f"{name}: {fuzzer.tried:,} inputs, {len(fuzzer.kept):,} kept, {steps:,} steps, "
            f"{len(fuzzer.found)} found",
            flush=True,
        )
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
