"""Two packs of one id: each command that reads a list of packs names both files."""

from __future__ import annotations

import pytest

from tests.support.command import call
from tests.support.pack_examples import manifest


@pytest.fixture(autouse=True)
def twice(tmp_path, monkeypatch):
    """Two packs called `strays` in the current folder."""
    for name in ("east", "west"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pack.yaml").write_text(manifest("strays", game="gnostica"), "utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "words",
    [
        ("check", "east", "west"),
        ("check", "."),
        ("lock", "east", "west"),
        ("lock", "."),
        ("compile", ".", "-o", "program.json"),
        ("play", "gnostica", "east", "west", "--players", "random,random"),
        ("play", "."),
        ("test", "east", "west"),
        ("simulate", ".", "--games", "1"),
        ("serve", "gnostica", "east", "west", "--no-browser", "--file", "tables.db", "--port", "0"),
        ("serve", ".", "--players", "Ann,Ben", "--no-browser", "--file", "t.db", "--port", "0"),
    ],
)
def test_each_command_names_both_files(words, tmp_path):
    done = call(*words, together=True)
    assert done.code in (1, 2)
    assert "west/pack.yaml:2:5: error[duplicate-pack]: two packs are called `strays`" in done.out
    assert "that of east/pack.yaml" in done.out
    assert not [*tmp_path.glob("**/ruleloom.lock")]


def test_one_of_them_alone_is_played():
    assert call("check", "east").code == 0
    assert call("lock", "west").code == 0
