"""A check of a pack whose game is kept as an interface: nothing that is done to files or to the store makes
it say something else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from benchmarks.harness import as_installed
from tests.conftest import ROOT
from tests.support.empty_cache import empty_cache, kept_answers

SOURCE = ROOT / "tests/content/homebrew/packs/gnostica/hard-growth"
RIGHT, WRONG = "count(hand(self)) > 0", "count(hond(self)) > 0"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an empty store; the pack lies in the present folder."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(SOURCE, tmp_path / "pack")
    return empty_cache(tmp_path, monkeypatch)


def begin(*options: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "ruleloom", "check", "pack", *options]
    environment = as_installed() | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment)


def said(process: subprocess.Popen[str]) -> tuple[str, int]:
    output, _ = process.communicate(timeout=120)
    return output, process.returncode


def make_a_slip() -> None:
    """Change a text of the pack to one that is as long, and leave its times as they were."""
    file = Path("pack/growth.yaml")
    times, text = file.stat(), file.read_text(encoding="utf-8")
    assert RIGHT in text
    file.write_text(text.replace(RIGHT, WRONG), encoding="utf-8")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def largest(cache: Path) -> Path:
    """The entry of the interface."""
    return max(kept_answers(cache), key=lambda path: path.stat().st_size)


def damage(cache: Path) -> None:
    data = bytearray(largest(cache).read_bytes())
    data[len(data) // 2] ^= 1
    largest(cache).write_bytes(data)


def swap(cache: Path) -> None:
    one, other = largest(cache), min(kept_answers(cache), key=lambda path: path.stat().st_size)
    shutil.copy(other, one)


def turn_clock_back(cache: Path) -> None:
    for path in kept_answers(cache):
        os.utime(path, (2**33, 2**33))


ATTACKS: Mapping[str, Callable[[Path], object]] = {
    "nothing": lambda _: None,
    "a bit of it changed": damage,
    "another entry under its name": swap,
    "a clock that was turned back": turn_clock_back,
    "an old one": lambda cache: os.utime(largest(cache), (0, 0)),
}


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_no_wrong_answer_comes_of_it(attack: Callable[[Path], object], cache: Path):
    assert said(begin())[1] == 0
    attack(cache)
    make_a_slip()
    wrong = said(begin())
    assert wrong == said(begin("--no-cache"))
    assert wrong[1] == 1
    assert "hond" in wrong[0]


def test_two_at_once(cache: Path):
    processes = [begin(), begin()]
    assert [said(one)[1] for one in processes] == [0, 0]
    make_a_slip()
    processes = [begin(), begin()]
    first, second = map(said, processes)
    assert first == second == said(begin("--no-cache"))
    assert first[1] == 1


def test_without_the_store_none_is_read_or_written(cache: Path):
    assert said(begin("--no-cache"))[1] == 0
    assert not cache.exists()
