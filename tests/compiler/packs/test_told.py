"""Slips of homebrew that once loaded silently, each with where it is told."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.diagnostics.told import suppress
from ruleloom.compiler.pipeline import compile_paths
from tests.support.command import call
from tests.support.pack_examples import manifest, write

WRONG = "kind: major\nid: owl\ntitle: Owl\nnumber: 50\neffect: |\n  use moove\n"


def homebrew(folder: Path, text: str, game: str = "gnostica") -> Path:
    write(folder / "brew", {"pack.yaml": manifest("brew", game=game), "a.yaml": text})
    return folder / "brew"


def told(pack: Path) -> list[Diagnostic]:
    """What is said of a pack, beside what the game itself allows."""
    result = compile_paths([pack])
    return list(suppress(result.diagnostics, result.sources))


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        (
            "kind: suit\nid: sing\ntitle: Sing\nnumbers: {from: 3, to: 1}\neffect: use move\n",
            "out-of-bounds",
            4,
            10,
        ),
        (WRONG.replace("use moove", "repeat 0 times: use move"), "unreachable", 6, 10),
    ],
)
def test_what_comes_to_nothing_in_gnostica(
    tmp_path: Path, text: str, code: str, line: int, column: int
):
    found = compile_paths([homebrew(tmp_path, text)]).diagnostics
    assert [(one.code, one.place.line, one.place.column) for one in found] == [(code, line, column)]


def test_an_advantage_that_is_never_on_offer(tmp_path: Path):
    text = (
        "kind: advantage\nid: glow\ntitle: Glow\nrating: I\naim: a_foe\ntext: x\neffect: use "
        "frighten(3)\n"
    )
    found = told(homebrew(tmp_path, text, "moonstone"))
    assert [(one.code, one.place.line, one.place.column) for one in found] == [
        ("means-nothing", 5, 1)
    ]
    assert found[0].message == "`aim` and `effect` mean nothing here: they count only with `active`"
    text += "active: true\n"
    (tmp_path / "brew" / "a.yaml").write_text(text, encoding="utf-8")
    assert told(tmp_path / "brew") == []


def test_what_asks_for_a_target_says_whom_it_is_aimed_at(tmp_path: Path):
    text = (
        "kind: advantage\nid: glow\ntitle: Glow\nrating: I\ntext: x\nactive: true\neffect: use "
        "frighten(3)\n"
    )
    found = told(homebrew(tmp_path, text, "moonstone"))
    assert [(one.code, one.place.line, one.help) for one in found] == [
        ("means-nothing", 7, "add `aim: ...`")
    ]


def test_a_zip_is_named_as_a_whole_and_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    pack = homebrew(tmp_path, WRONG)
    with ZipFile(tmp_path / "brew.zip", "w") as archive:
        for path in pack.iterdir():
            archive.write(path, path.name)
    monkeypatch.chdir(tmp_path)
    told = call("check", "brew.zip/a.yaml")
    assert told.code == 1
    assert "within the zip brew.zip" in told.out
    assert "help: name the zip: `brew.zip`" in told.out
    before = (tmp_path / "brew.zip").read_bytes()
    fixed = call("check", "--fix", "brew.zip")
    assert "left brew.zip: 1 fix not made: a zip is not written to" in fixed.err
    assert (tmp_path / "brew.zip").read_bytes() == before
