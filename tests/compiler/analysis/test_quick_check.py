"""What is told at once about a changed file, held to what a whole check says of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from ruleloom.compiler.analysis.quick_check import QuickCheck
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.editor.workspace import PackGroup, Workspace
from tests.conftest import ROOT

RIVER = ROOT / "rulesets" / "examples" / "river-folk"


class Changing:
    """The example pack, of which one file is changed."""

    def __init__(self, folder: Path, name: str) -> None:
        shutil.copytree(RIVER, folder)
        self.path = os.path.realpath(folder / name)
        self.workspace, self.group = Workspace(), PackGroup((os.path.realpath(folder),))
        self.text = Path(self.path).read_text(encoding="utf-8")
        snapshot = self.workspace.check(self.group)
        assert snapshot is not None
        self.shown = snapshot.shown[self.path]
        self.quick = QuickCheck(snapshot.result, snapshot.kept)

    def told(self, text: str) -> tuple[list[str], list[str]]:
        """What is told at once of another text, and what a whole check says."""
        found = self.quick.result_with(self.shown, text)
        self.workspace.texts[self.path] = text
        whole = self.workspace.check(self.group)
        assert found is not None
        assert whole is not None
        return said(found.diagnostics), said(whole.findings)


def said(found: Iterable[Diagnostic]) -> list[str]:
    return [f"{one.place.line}:{one.place.column}: [{one.code}] {one.message}" for one in found]


@pytest.fixture
def cards(tmp_path):
    return Changing(tmp_path / "pack", "cards.yaml")


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("use ", "use no_", "unknown-power"),
        ("use ", "usee ", "syntax"),
        ("title: ", "titel: ", "unknown-field"),
        ("kind: ", "kindd: ", "unknown-field"),
        ("number: ", 'number: "x" # ', "wrong-type"),
        ("effect: |", 'effect: "', "unclosed"),
    ],
)
def test_a_slip_is_told_as_the_whole_check_tells_it(cards, old, new, code):
    at = cards.text.index(old)
    quick, whole = cards.told(f"{cards.text[:at]}{new}{cards.text[at + len(old) :]}")
    assert any(code in one for one in whole), whole
    assert [one for one in quick if one not in whole] == []
    assert any(code in one for one in quick), (quick, whole)


def test_what_an_item_has_from_another_one_is_left_to_the_whole_check(cards):
    like = "- {kind: major, id: low-sun, title: Low Sun, number: 97, like: sun}\n"
    assert cards.told(f"{cards.text}{like}") == ([], [])


def test_what_was_said_of_other_lines_moves_with_them(cards):
    wrong = cards.text.replace("use ", "use no_", 1)
    cards.workspace.texts[cards.path] = wrong
    snapshot = cards.workspace.check(cards.group)
    assert snapshot is not None
    later = QuickCheck(snapshot.result, snapshot.kept).result_with(
        cards.shown, f"# one\n# two\n{wrong}"
    )
    assert later is not None
    assert [one.place.line - 2 for one in later.diagnostics] == [
        one.place.line for one in snapshot.findings
    ]


def test_a_slip_that_is_mended_is_forgotten(cards):
    wrong = cards.text.replace("use ", "use no_", 1)
    cards.workspace.texts[cards.path] = wrong
    snapshot = cards.workspace.check(cards.group)
    assert snapshot is not None
    found = QuickCheck(snapshot.result, snapshot.kept).result_with(cards.shown, cards.text)
    assert found is not None
    assert said(found.diagnostics) == []


def test_a_file_that_the_packs_do_not_have_is_left_to_the_whole_check(cards):
    assert cards.quick.result_with("new.yaml", cards.text) is None
