"""Compares two checkouts by what they make: programs, findings, saves, and the log of each saved game.

    python -m benchmarks.same_behaviour OTHER_CHECKOUT

Every shipped pack is compiled and checked, and every game is played by bots from fixed seeds, in both
checkouts through the command line alone, so that the two may differ in any name inside. Golden files are
compared as they lie there. Exit code 1 if a byte differs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
CAMPAIGN = "rulesets/examples/salt-and-lanterns"
GAMES = {
    "gnostica": ["gnostica"],
    "monotheism": ["monotheism"],
    "witchgates": ["witchgates"],
    "moonstone": ["moonstone", "--campaign", CAMPAIGN, "--scene", "the-causeway"],
}
SEEDS = (3, 11)


def made_by(checkout: Path, folder: Path) -> None:
    """Fill a folder with everything that one checkout makes."""
    for pack in sorted((checkout / "rulesets").glob("**/pack.yaml")):
        name = pack.parent.relative_to(checkout / "rulesets").as_posix()
        shown = f"rulesets/{name}"
        plain = name.replace("/", "-")
        _run(
            checkout,
            folder / f"{plain}.build",
            "build",
            shown,
            "-o",
            str(folder / f"{plain}.program"),
        )
        _run(checkout, folder / f"{plain}.findings", "check", shown, "--format", "json")
    for game, words in GAMES.items():
        for seed in SEEDS:
            save = folder / f"{game}-{seed}.save"
            told = ["--seed", str(seed), "--players", "random,steady", "--turn-limit", "12"]
            _run(
                checkout, folder / f"{game}-{seed}.told", "play", *words, *told, "--save", str(save)
            )
            _run(checkout, folder / f"{game}-{seed}.replay", "replay", str(save))


def _run(checkout: Path, output: Path, *words: str) -> None:
    """Run one command of a checkout, and keep what it prints and how it ends."""
    env = {**os.environ, "PYTHONPATH": str(checkout), "RULELOOM_CACHE": "off", "COLUMNS": "100"}
    done = subprocess.run(
        [sys.executable, "-m", "ruleloom", *words],
        cwd=checkout,
        env=env,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    printed = done.stdout + b"\n" + done.stderr + b"\nexit %d\n" % done.returncode
    output.write_bytes(printed.replace(os.fsencode(output.parent), b"FOLDER"))


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


def main(other: Path) -> int:
    """Compare this checkout with another; return the exit code."""
    with tempfile.TemporaryDirectory() as name:
        folders = []
        for checkout, side in ((HERE, "this"), (other, "other")):
            folder = Path(name) / side
            folder.mkdir()
            made_by(checkout, folder)
            folders.append(folder)
        found = list(differences(*folders))
        count = sum(1 for _ in folders[0].iterdir())
    goldens = [Path("tests", "golden", line) for line in _lines_of_goldens(other)]
    print(f"{count} files made by each checkout, {len(found)} differ")
    print(f"{len(goldens)} golden files differ")
    print(*found, *goldens, sep="\n")
    return 1 if found or goldens else 0


def _lines_of_goldens(other: Path) -> list[str]:
    return list(differences(HERE / "tests" / "golden", other / "tests" / "golden"))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
