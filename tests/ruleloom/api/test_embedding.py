"""Ruleloom within somebody else's program: types, names of modules, and the page about it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

TYPED = """\
import ruleloom

game = ruleloom.new_game("gnostica", players=["Ann", "Ben"], seed=1)
reveal_type(game)
reveal_type(game.winner)
reveal_type(ruleloom.view(game, "Ann")["prompts"][0]["id"])
game.prompt.optons
ruleloom.new_game("gnostica", players=["Ann", "Ben"], seed="one")
ruleloom.nonsense
"""

# A bot that calls its own modules what parts of Ruleloom are called.
BOT = """\
import compiler, runtime, rulesets, schemas
import ruleloom

game = ruleloom.new_game("gnostica", ["Ann", "Ben"], seed=1)
prompt = game.prompt
game = game.answer(prompt.id, [option.key for option in prompt.options[: prompt.least]])
print(compiler.MINE + runtime.MINE + rulesets.MINE + schemas.MINE, game.serial > 0)
"""


def page_program() -> str:
    """The program that the page shows."""
    text = (ROOT / "docs" / "embedding.md").read_text(encoding="utf-8")
    found = re.search(r"<!-- file: fifty\.py -->\n```python\n(.*?)```\n", text, re.S)
    assert found is not None
    return found[1]


def run(*words: str | Path, folder: Path, path: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, with the Ruleloom that lies in `path`."""
    return subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(path), "MYPYPATH": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_types_are_known_to_whoever_imports_it(tmp_path: Path):
    hold_types(tmp_path, ROOT, ROOT / ".mypy_cache" / "embedding")


def hold_types(tmp_path: Path, path: Path, cache: Path) -> None:
    """Hold what mypy says of a program, and of the page's, with the Ruleloom that lies in `path`."""
    (tmp_path / "typed.py").write_text(TYPED, encoding="utf-8")
    (tmp_path / "fifty.py").write_text(page_program(), encoding="utf-8")
    options = ("--strict", "--follow-imports=silent", "--cache-dir", cache, "--no-error-summary")
    done = run("-m", "mypy", *options, "typed.py", "fifty.py", folder=tmp_path, path=path)
    told = done.stdout.splitlines()
    assert [line.partition(": ")[0] for line in told] == [
        f"typed.py:{number}" for number in range(4, 10)
    ], done.stdout + done.stderr
    shown = [re.search(r'"(.*?)"', line) for line in told]
    assert [found and found[1] for found in shown[:3]] == [
        "ruleloom.runtime.play.game.Game",
        "str | None",
        "str",
    ]
    assert "optons" in told[3]
    assert '"seed"' in told[4]
    assert "nonsense" in told[5]


def test_the_program_of_the_page_plays_fifty_games(tmp_path: Path):
    text = page_program()
    assert text.count("\n") <= 45
    (tmp_path / "fifty.py").write_text(text, encoding="utf-8")
    done = run("fifty.py", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    games = sum(int(count) for count in re.findall(r"', (\d+)\)", done.stdout))
    assert games == 50


def bot_beside_modules(folder: Path) -> Path:
    """Write a bot with modules that are called what parts of Ruleloom are called."""
    for name in ("compiler", "runtime", "rulesets", "schemas"):
        (folder / f"{name}.py").write_text(f"MINE = {name[0]!r}\n", encoding="utf-8")
    (folder / "bot.py").write_text(BOT, encoding="utf-8")
    return folder / "bot.py"


def test_a_bot_may_have_a_runtime_of_its_own(tmp_path: Path):
    done = run(bot_beside_modules(tmp_path).name, folder=tmp_path)
    assert (done.stdout, done.returncode) == ("crrs True\n", 0), done.stderr
