"""Compares two checkouts by what they make of their packs: programs, findings, English, saves, odds.

    python -m benchmarks.freeze OTHER_CHECKOUT [programs findings english saves odds]

Both are run through the command line alone, so that they may differ in any name inside: each shipped
pack and each pack of the tests is compiled and checked, each game with its homebrew is written out as a
reference and a rulebook, is played by bots from fixed seeds and replayed, and is asked for odds. Exit
code 1 if a byte differs; the differences are listed by kind.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
GAMES = ("gnostica", "monotheism", "moonstone", "witchgates")
KINDS = ("programs", "findings", "english", "saves", "odds")
SCENE = ["--campaign", "rulesets/examples/salt-and-lanterns", "--scene", "the-causeway"]
SEEDS = (3, 11)
ODDS = (
    "roll luck = 2d6",
    "roll each pool = 12 d 6\nlet sum_of_best = sum(first(3, pool))",
    "roll each pool = 3 d 10\nlet faces = count(f: 1 .. 10 where count(d: pool where d = f) >= 2)",
)

# One process runs all commands of a kind: a line of JSON each, a file to print to and its words.
RUNNER = """
import contextlib, json, runpy, sys, traceback
for line in sys.stdin:
    file, words = json.loads(line)
    sys.argv = ["ruleloom", *words]
    printed = open(file, "w", encoding="utf-8")
    with printed, contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            runpy.run_module("ruleloom", run_name="__main__")
        except SystemExit as end:
            print("exit", end.code)
        except BaseException:
            traceback.print_exc()
"""

Command = tuple[str, list[str]]  # the name of the file it prints to, and its words


def commands(kind: str, folder: Path) -> Iterator[Command]:
    """Name the commands that make one kind of thing in a folder."""
    packs = [path.parent.relative_to(HERE) for path in sorted(HERE.glob("*/**/pack.yaml"))]
    if kind in ("programs", "findings"):
        for pack in packs:
            name = "-".join(pack.parts)
            if kind == "findings":
                yield name, ["check", str(pack), "--format", "json"]
            else:
                yield name, ["compile", str(pack), "-o", str(folder / f"{name}.program")]
        return
    for game in GAMES:
        beside = [str(pack) for pack in packs if pack.parts[-2] == game]
        if kind == "english":
            yield game, ["docs", game, *beside, "-o", str(folder / f"{game}-pages")]
            book = str(folder / f"{game}.html")
            yield f"{game}-book", ["docs", "--rulebook", game, *beside, "-o", book]
        elif kind == "odds":
            for number, text in enumerate(ODDS):
                yield f"{game}-{number}", ["odds", game, text, "--json"]
        else:
            scene = SCENE if game == "moonstone" else []
            for seed in SEEDS:
                save = str(folder / f"{game}-{seed}.save")
                bots = ["--seed", str(seed), "--players", "random,steady", "--turn-limit", "12"]
                yield f"{game}-{seed}", ["play", game, *scene, *bots, "--save", save]
                yield f"{game}-{seed}-replay", ["replay", save]


def make(checkout: Path, kind: str, folder: Path) -> None:
    """Fill a folder with everything of one kind that one checkout makes."""
    folder.mkdir(parents=True)
    told = [(str(folder / f"{name}.told"), words) for name, words in commands(kind, folder)]
    if '"compile"' not in (checkout / "ruleloom/cli/verbs.py").read_text(encoding="utf-8"):
        # Older checkouts call it otherwise.
        told = [(file, ["build" if x == "compile" else x for x in words]) for file, words in told]
    env = {**os.environ, "PYTHONPATH": str(checkout), "RULELOOM_CACHE": "off", "COLUMNS": "100"}
    subprocess.run(
        [sys.executable, "-P", "-c", RUNNER],
        cwd=checkout,
        env=env,
        input="".join(json.dumps(line) + "\n" for line in told),
        text=True,
        check=True,
    )
    for path in folder.rglob("*"):  # the place it was written to does not count
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(os.fsencode(folder), b"FOLDER"))


def differences(one: Path, other: Path) -> Iterator[str]:
    """Name the files of two folders that are not byte for byte the same."""
    names = {
        path.relative_to(top).as_posix()
        for top in (one, other)
        for path in top.rglob("*")
        if path.is_file()
    }
    for name in sorted(names):
        a, b = one / name, other / name
        if not (a.is_file() and b.is_file()):
            yield f"{name}: only in {'the other' if b.is_file() else 'this'} checkout"
        elif a.read_bytes() != b.read_bytes():
            yield f"{name}: differs"


def main(other: Path, kinds: list[str]) -> int:
    """Compare this checkout with another; return the exit code."""
    failed = False
    with tempfile.TemporaryDirectory() as name:
        for kind in kinds or KINDS:
            this, that = Path(name, "this", kind), Path(name, "other", kind)
            make(HERE, kind, this)
            make(other, kind, that)
            made = sum(1 for path in this.rglob("*") if path.is_file())
            found = list(differences(this, that))
            print(f"{kind}: {made} files made, {len(found)} differ", flush=True)
            print(*(f"  {line}\n" for line in found), sep="", end="")
            failed = failed or bool(found) or not made
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), sys.argv[2:]))
