"""What the tests' memory of compiling gives back is what the compiler would have made."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ruleloom.compiler.pipeline import CompileResult, compile_paths
from tests import once
from tests.conftest import ROOT

CARD = 'kind: power\nid: nudge\ngloss: "turn a piece"\neffect: |\n  say "one"\n'


@pytest.fixture(autouse=True)
def remembered() -> Iterator[None]:
    """The memory is in its place, also where the whole run does without."""
    with once.forgotten():
        once.remember()
        yield
        once.forget()


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "gnostica"
    shutil.copytree(ROOT / "rulesets" / "gnostica", folder)
    (folder / "nudge.yaml").write_text(CARD, encoding="utf-8")
    return folder


def compiled(folder: Path, texts: bool = False) -> CompileResult:
    """What a pack comes to, which is the same with the memory and without."""
    found = compile_paths([folder], texts=texts, reasons=False)
    with once.forgotten():
        fresh = compile_paths([folder], texts=texts, reasons=False)
    assert fresh.program is not found.program or found.program is None
    assert (found.program, found.diagnostics, found.sources) == (
        fresh.program,
        fresh.diagnostics,
        fresh.sources,
    )
    return found


def test_the_same_files_are_compiled_once(pack: Path):
    first = compiled(pack)
    assert first.program is not None
    assert compiled(pack).program is first.program
    texts = compiled(pack, texts=True).program
    assert texts is not None
    assert texts.texts
    assert not first.program.texts


def test_what_has_changed_is_compiled_again(pack: Path):
    path = pack / "nudge.yaml"
    first = compiled(pack)
    path.write_text(CARD.replace("one", "two"), encoding="utf-8")
    second = compiled(pack)
    assert second.program is not None
    assert second.program != first.program
    path.write_text(CARD.replace("say", "sya"), encoding="utf-8")
    broken = compiled(pack)
    assert [one.code for one in broken.diagnostics] == ["syntax"]
    assert compiled(pack).diagnostics == broken.diagnostics
    path.unlink()
    assert compiled(pack).program not in (None, first.program, second.program)


def test_the_same_files_elsewhere_are_told_with_their_own_places(pack: Path, tmp_path: Path):
    (pack / "nudge.yaml").write_text(CARD.replace("say", "sya"), encoding="utf-8")
    other = tmp_path / "other" / "gnostica"
    shutil.copytree(pack, other)
    here, there = compiled(pack).diagnostics, compiled(other).diagnostics
    assert [one.place.path for one in here] != [one.place.path for one in there]
    assert [one.message for one in here] == [one.message for one in there]
