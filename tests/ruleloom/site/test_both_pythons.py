"""The same game in a browser and on a desk: saves byte for byte, findings, and programs.

The browser's Python runs in Node.js here.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from ruleloom.site.folder import archive_of
from tests.conftest import ROOT
from tests.ruleloom.site.both_pythons import made_of, save_of
from tests.support.command import call

HERE = Path(__file__).parent
SALT = "rulesets/examples/salt-and-lanterns"
GAMES = {
    "gnostica": ("gnostica",),
    "monotheism": ("monotheism",),
    "moonstone": ("moonstone", SALT),
    "witchgates": ("witchgates",),
}
PACKS = ROOT / "tests" / "content" / "homebrew" / "packs"
FEW, MANY, ANSWERS = range(2), range(2, 52), 120
SECONDS = 1_800


@cache
def archive(game: str) -> bytes:
    """What the page of a game loads."""
    return archive_of(GAMES[game])


def in_browser(pyodide: Path, game: str, folder: Path, **job: object) -> None:
    """Do a job in the Python of the browser, which sees a folder."""
    app = folder / "app.zip"
    app.write_bytes(archive(game))
    words = ["node", HERE / "in_node.mjs", pyodide.resolve(), app, HERE / "both_pythons.py", folder]
    done = subprocess.run(
        [*map(str, words), json.dumps(job)],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3_000:]


def plays_alike(pyodide: Path, game: str, folder: Path, seeds: range) -> None:
    """A save of each seed is the same in both, and each takes the other's."""
    packs = list(GAMES[game])
    for seed in seeds:
        (folder / f"desk-{seed}.save").write_text(save_of(packs, seed, ANSWERS), "utf-8")
    there = [f"/app/packs/{Path(one).name}" if "/" in one else one for one in packs]
    in_browser(pyodide, game, folder, packs=there, seeds=list(seeds), answers=ANSWERS)
    for seed in seeds:
        mine, theirs = folder / f"desk-{seed}.save", folder / f"browser-{seed}.save"
        assert theirs.read_bytes() == mine.read_bytes()
        assert call("replay", "--verify", theirs).code == 0


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_the_same_in_the_browser(pyodide: Path, tmp_path: Path, game: str) -> None:
    plays_alike(pyodide, game, tmp_path, FEW)


@pytest.mark.slow
@pytest.mark.timeout(SECONDS)
@pytest.mark.parametrize("game", GAMES)
def test_fifty_games_are_the_same_in_the_browser(pyodide: Path, tmp_path: Path, game: str) -> None:
    plays_alike(pyodide, game, tmp_path, MANY)


def test_a_save_without_an_answer_is_refused_by_the_browser(pyodide: Path, tmp_path: Path) -> None:
    *lines, _, end = save_of(["gnostica"], 1, 20).splitlines(keepends=True)
    (tmp_path / "desk-1.save").write_text("".join([*lines, end]), "utf-8")
    with pytest.raises(AssertionError, match="SaveError"):
        in_browser(pyodide, "gnostica", tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(SECONDS)
@pytest.mark.parametrize("game", GAMES)
def test_homebrew_has_the_same_findings_and_program(
    pyodide: Path, tmp_path: Path, game: str
) -> None:
    names = sorted(one.name for one in (PACKS / game).iterdir() if one.is_dir())
    for name in names:
        shutil.copytree(PACKS / game / name, tmp_path / name)
    in_browser(pyodide, game, tmp_path, check=names)
    found = json.loads((tmp_path / "found.json").read_text("utf-8"))
    assert found == {name: made_of(str(tmp_path / name)) for name in names}
