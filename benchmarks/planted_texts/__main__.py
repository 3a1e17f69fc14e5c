"""`python -m benchmarks.planted_texts [--sample 200] [--missed] [--generated]`: are wrong card texts found?

Wrong texts are written by hand (`tuned.yaml`; `held_out.yaml`, which the comparison was not tuned on) or
made from right ones by turning a word into its opposite: from those of the two files, and from the
texts of shipped packs, in clauses that share two words with what the rules say. Right texts must stay
without a finding. `--generated` reads the generated English of all items of the games as a text: it must
not contradict the rules that it was generated from.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.planted_texts.corpus import Planted, generated, shipped, written_by_hand
from benchmarks.planted_texts.mutations import slips

_TELLING = re.compile(r"[a-z]{4,}|\d+|[A-Z]{2,}|[A-Z][a-z]{2,}")


class Trial(NamedTuple):
    """A wrong text of an item."""

    group: str
    family: str
    planted: Planted
    text: str


def main() -> int:
    """Measure and print; 1 if the aims are not reached."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.planted_texts", description=__doc__)
    parser.add_argument("--sample", type=int, default=200, help="the wrong texts of the sample")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--missed", action="store_true", help="list what is not found (of `tuned`)")
    parser.add_argument("--generated", action="store_true", help="read generated texts as well")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        halves = {name: written_by_hand(f"{name}.yaml", Path(folder) / name) for name in HALVES}
    printed = list(shipped())
    blamed = sum(blames(one) for one in printed)
    for name, half in halves.items():
        right = sum(len(one.right) for one in half)
        print(f"{name}: {sum(blames(one) for one in half)} of {right} right texts blamed")
    print(f"shipped: {blamed} of {len(printed)} right texts blamed")
    trials = [*_by_hand(halves), *_made(halves, printed)]
    found = [bool(one.planted.found(one.text)) for one in trials]
    _print_table(trials, found, options.missed)
    by_hand = [at for at, one in enumerate(trials) if one.group.startswith("by hand")]
    made = [at for at in range(len(trials)) if at not in by_hand]
    many = max(0, min(len(made), options.sample - len(by_hand)))
    sample = by_hand + random.Random(options.seed).sample(made, many)
    right = sum(found[at] for at in sample)
    print(f"sample of {len(sample)}: {right} found, {right / len(sample):.0%}")
    if options.generated:
        texts = list(generated())
        wrong = [one.sides.item.id for one in texts if one.contradicted(one.right[0])]
        print(f"generated: {len(wrong)} of {len(texts)} contradict their rules: {', '.join(wrong)}")
    return int(blamed > 0 or right < 0.8 * len(sample))


HALVES = ("tuned", "held_out")


def blames(planted: Planted) -> int:
    """How many right texts of an item something is said about."""
    return sum(bool(planted.found(text)) for text in planted.right)


def _by_hand(halves: dict[str, list[Planted]]) -> Iterator[Trial]:
    for name, half in halves.items():
        for one in half:
            yield from (Trial(f"by hand, {name}", family, one, text) for family, text in one.wrong)


def _made(halves: dict[str, list[Planted]], printed: Sequence[Planted]) -> Iterator[Trial]:
    for name, half in halves.items():
        for one in half:
            for right in one.right:
                yield from (Trial(f"made, {name}", *_slip(slip, one)) for slip in slips(right))
    for one in printed:
        for slip in slips(one.right[0]):
            if _is_telling(one, slip[1]):
                yield Trial("made, shipped", *_slip(slip, one))


def _slip(slip: tuple[str, str], planted: Planted) -> tuple[str, Planted, str]:
    return slip[0], planted, slip[1]


def _is_telling(planted: Planted, wrong: str) -> bool:
    """Whether the clause that was changed shares two words with the generated rules."""
    right = planted.right[0]
    at = next(
        at
        for at, pair in enumerate(zip(right + " ", wrong + " ", strict=False))
        if pair[0] != pair[1]
    )
    start = max(right.rfind(sign, 0, at) for sign in ".,;:") + 1
    ends = [end for sign in ".,;:" if (end := right.find(sign, at)) >= 0]
    words = {*_TELLING.findall(right[start : min(ends, default=len(right))])}
    rules = planted.sides.book.brief(planted.sides.item)
    return len(words & {*_TELLING.findall(rules)}) > 1


def _print_table(trials: Sequence[Trial], found: Sequence[bool], missed: bool) -> None:
    for at in range(2):  # by group, then by family
        every = Counter(one[at] for one in trials)
        right = Counter(one[at] for one, is_found in zip(trials, found, strict=True) if is_found)
        for name, many in sorted(every.items()):
            print(f"  {name:<20} {right[name]:>4} of {many:>4}  {right[name] / many:.0%}")
    for one, is_found in zip(trials, found, strict=True):
        if missed and not is_found and "held_out" not in one.group:
            print(f"missed: {one.family}: {one.planted.sides.item.id}: {one.text}")


if __name__ == "__main__":
    sys.exit(main())
