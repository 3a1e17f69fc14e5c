"""Planted changes of known size, tried by `ruleloom balance` as anybody would try them.

    python -m benchmarks.planted --seconds 180 --into planted.json             # all changes, once
    python -m benchmarks.planted --seconds 30 --nulls 200 --into planted.json  # null ones, over and over
    python -m benchmarks.planted --table --into planted.json                   # what has been found so far

Seconds are processor time of each worker, so that on a machine that others use, too, one worker with
360 finds what two find with 180. Each trial is a process of its own, and its finding is written as soon
as it is there. A run that was broken off goes on with the trials that the file does not have yet.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import cycle, islice
from pathlib import Path
from statistics import median_low
from typing import Any

import yaml

HERE = Path(__file__).parent
DUELS = HERE.parent.parent / "tests" / "support" / "duels"
IDLE_DIE = """
- kind: power
  id: idle_die
  words: {idle: "the idle die"}
  gloss: "a die is thrown for nothing"
  effect: |
    roll idle = 1d6
    say "nothing comes of {idle}"
"""
"""What null changes do besides, after all else: luck falls otherwise from there on."""
SIZES = ("strong", "weak", "null")
GAMES = ("moonstone", "gnostica")


@dataclass(frozen=True, slots=True)
class PlantedChange:
    """A change of a game: the item it is about, how large it is meant to be, what is right to say of it,
    and the text that it gives to the item, if that is the change."""

    game: str
    item: str
    size: str
    says: str = ""
    called: str = ""
    effect: str = ""

    @property
    def name(self) -> str:
        """What it goes by in the table."""
        return self.called or self.item


@dataclass(frozen=True, slots=True)
class Trial:
    """A change tried with one seed, for so many seconds."""

    change: PlantedChange
    seed: int
    seconds: float
    workers: int

    @property
    def key(self) -> str:
        """What tells it from all others of a file."""
        one = self.change
        return f"{one.game}/{one.name}/seed {self.seed}/{self.seconds * self.workers:g} s"


def planted(game: str) -> list[PlantedChange]:
    """All changes that are planted in a game."""
    data = yaml.safe_load((HERE / "changes.yaml").read_text(encoding="utf-8"))
    return [PlantedChange(game, **one) for one in data[game]]


def main(words: Sequence[str] | None = None) -> int:
    """Try what has not been tried yet, and print what is found."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.planted",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--games", default=",".join(GAMES), metavar="LIST")
    parser.add_argument("--sizes", default=",".join(SIZES), metavar="LIST")
    parser.add_argument("--seconds", type=float, default=180.0, metavar="S", help="for each trial")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="processes of a trial")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--nulls", type=int, metavar="N", help="N trials of null changes alone")
    parser.add_argument("--table", action="store_true", help="try nothing")
    parser.add_argument("--into", type=Path, required=True, metavar="FILE")
    options = parser.parse_args(words)
    known = json.loads(options.into.read_text()) if options.into.exists() else {}
    games = options.games.split(",")
    trials = [] if options.table else list(_wanted(options, games))
    for number, trial in enumerate(trials, 1):
        if trial.key not in known:
            known[trial.key] = finding(trial)
            options.into.write_text(json.dumps(known, indent=1) + "\n")
            print(f"{number} of {len(trials)}: {trial.key}: {known[trial.key]['says']}", flush=True)
    print(table(known))
    return 0


def _wanted(options: argparse.Namespace, games: Sequence[str]) -> Iterator[Trial]:
    sizes = options.sizes.split(",")
    changes = [one for game in games for one in planted(game) if one.size in sizes]
    if options.nulls is None:
        for change in changes:
            yield Trial(change, options.seed, options.seconds, options.workers)
        return
    nulls = [one for one in changes if one.size == "null"]
    for place, change in enumerate(islice(cycle(nulls), options.nulls)):
        seed = 1_000 + place // len(nulls)
        yield Trial(change, seed, options.seconds, options.workers)


def finding(trial: Trial) -> dict[str, Any]:
    """What `ruleloom balance` says of a change, and how long it took."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", "ruleloom", *command_of(trial, Path(folder))],
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise SystemExit(f"{trial.key}: {done.stderr}")
    (item,) = json.loads(done.stdout)["items"]
    return {
        **item,
        "change": asdict(trial.change),
        "seconds": trial.seconds * trial.workers,
        "took": round(time.monotonic() - begun, 1),
    }


def command_of(trial: Trial, folder: Path) -> list[str]:
    """The command that tries a change; what it needs is written into a folder."""
    change = trial.change
    words = ["balance", change.game, change.item, "--format", "json", "--seed", str(trial.seed)]
    words += ["--seconds", f"{trial.seconds:g}", "--workers", str(trial.workers)]
    if change.effect:
        return [*words, "--change", str(_pack_with(change, folder))]
    packs = ["--pack", str(DUELS), "--pack", str(HERE / change.game)]
    return [*words, *packs, "--scene", "swords", "--to", "sword-left.gifts"]


def _pack_with(change: PlantedChange, folder: Path) -> Path:
    head: dict[str, Any] = {
        "kind": "pack",
        "id": "planted-text",
        "version": "0.1.0",
        "game": change.game,
    }
    head |= {"edition": 1, "requires": {change.game: ">=0.1"}}
    (folder / "pack.yaml").write_text(yaml.safe_dump(head), encoding="utf-8")
    text = "".join(f"      {line}\n" for line in change.effect.splitlines())
    target = f"{change.game}:major/{change.item}"
    patch = f"- kind: patch\n  id: planted\n  target: {target}\n  set:\n    effect: |\n{text}"
    (folder / "patch.yaml").write_text(patch + IDLE_DIE, encoding="utf-8")
    return folder


def table(known: dict[str, Any]) -> str:
    """How many of each size were found, by game and by the processor time that each trial had."""
    lines = ["game       size    seconds  right      wrong  pairs  points (medians)"]
    runs = sorted({(one["change"]["game"], one["seconds"]) for one in known.values()})
    for game, seconds in runs:
        for size in SIZES:
            found = [
                one
                for one in known.values()
                if (one["change"]["game"], one["seconds"], one["change"]["size"])
                == (game, seconds, size)
            ]
            if not found:
                continue
            claims = [one for one in found if one["says"] in ("helps", "hurts")]
            right = [one for one in claims if one["says"] == one["change"]["says"]]
            ok = len(found) - len(claims) if size == "null" else len(right)
            pairs = median_low(one["difference"]["games"] for one in found)
            points = 100 * median_low(abs(one["difference"]["value"]) for one in found)
            wrong = len(claims) - len(right)
            share = f"{ok:3} of {len(found):<3} {wrong:5}"
            lines.append(f"{game:10} {size:7} {seconds:7g}  {share}  {pairs:5,} {points:6.1f}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
