"""How far long work has come: told on standard error, where somebody watches, and nowhere else."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from ruleloom.cli.verbs import start
from ruleloom.output.terminal import progress, progress_bar
from tests.ruleloom.scenarios.test_together import BAKER, MARKET, Write
from tests.support.command import call


class Terminal(io.StringIO):
    """A stream that somebody watches."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write_files: Write) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(MARKET | BAKER)


def test_nobody_watches_a_pipe(packs: None):
    assert call("test", "market", "baker").err == ""
    assert call("check", "market", "baker").err == ""


def test_steps_are_counted_for_who_watches(monkeypatch: pytest.MonkeyPatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with progress_bar("cases", 3) as step:
        for _ in range(3):
            step(0)
        step(1)
    assert "cases" in screen.getvalue()
    assert "3/3" in screen.getvalue()
    assert "4/4" in screen.getvalue()


def test_a_line_of_progress_is_wiped(monkeypatch: pytest.MonkeyPatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    progress("checking the market")
    progress("")
    assert screen.getvalue() == "\r\x1b[Kchecking the market\r\x1b[K"


@pytest.mark.parametrize(("verb", "told"), [("check", "checking market, baker"), ("test", "cases")])
def test_results_do_not_mix_with_progress(
    verb: str, told: str, packs: None, monkeypatch: pytest.MonkeyPatch
):
    quiet = call(verb, "market", "baker")
    screen, out = Terminal(), io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(sys, "stdout", out)
    assert start([verb, "market", "baker"]) == quiet.code
    assert out.getvalue() == quiet.out
    assert told in screen.getvalue()
