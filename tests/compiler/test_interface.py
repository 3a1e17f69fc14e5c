"""A pack against the interface of its game, and from nothing: both say the same."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ruleloom.compiler.packs.locate import BUILTIN
from ruleloom.compiler.pipeline import Compiler, CompileResult
from tests.support.new_process import forget_interfaces, forget_trees

PACKS = Path(__file__).parents[1] / "content" / "homebrew" / "packs"
SMALL = (
    "gnostica/hard-growth",
    "monotheism/burnt-offerings",
    "moonstone/battered-mail",
    "witchgates/backfire",
)


@pytest.fixture(autouse=True)
def _own_interfaces() -> Iterator[None]:
    """No interface outlives the test that read it, as none outlives a process."""
    yield
    forget_interfaces()


class Kept(dict[str, bytes | None]):
    """What is kept from one process to the next."""

    def __call__(self, digest: str, make: Callable[[], bytes | None]) -> bytes | None:
        if digest not in self:
            self[digest] = make()
        return self[digest]


def check(pack: Path, kept: Kept | None = None, builtin: Path | None = None) -> CompileResult:
    """A check in a process of its own, as far as the compiler can tell."""
    forget_trees()
    return Compiler().compile([pack], builtin=builtin, reasons=False, played=False, interfaces=kept)


def same(pack: Path, kept: Kept, builtin: Path | None = None) -> CompileResult:
    """Both checks, which agree."""
    found, fresh = check(pack, kept, builtin), check(pack, None, builtin)
    assert found.diagnostics == fresh.diagnostics
    assert found.program == fresh.program
    assert found.sources == fresh.sources
    return found


@pytest.mark.parametrize("name", SMALL)
def test_packs_of_each_game(name: str, tmp_path: Path):
    pack, kept = shutil.copytree(PACKS / name, tmp_path / "pack"), Kept()
    assert check(pack, kept).ok  # makes the interface
    assert [data is not None for data in kept.values()] == [True]
    assert same(pack, kept).ok
    cases = pack / "cases.yaml"
    cases.write_text(
        cases.read_text(encoding="utf-8").replace("- id: ", "- id: x-", 1), encoding="utf-8"
    )
    assert same(pack, kept).ok
    assert len(kept) == 1


SETTING = "- {kind: setting, id: %s, value: 3, english: a number}\n"
EDITS = {
    "a name that is not there": "- {kind: measure, id: more, gives: Int, is: pipz(1), english: more}\n",
    "a name of the game": SETTING % "discard",
    "a name that a text of the game gives to something": SETTING % "piece",
    "a patch of what is not there": "- {kind: patch, id: p, target: gnostica:power/nothing, disable: true}\n",
    "a patch that breaks a text of the game": (
        "- {kind: patch, id: p, target: gnostica:measure/target_points, set: {is: nothing_there}}\n"
    ),
    "what cannot be read": "- {kind: setting, id: [\n",
}


@pytest.mark.parametrize("more", EDITS.values(), ids=EDITS)
def test_mistakes(more: str, tmp_path: Path):
    pack, kept = shutil.copytree(PACKS / SMALL[0], tmp_path / "pack"), Kept()
    assert check(pack, kept).ok
    (pack / "more.yaml").write_text(more, encoding="utf-8")
    assert same(pack, kept).diagnostics


def test_a_game_that_changed_has_another_interface(tmp_path: Path):
    shipped = tmp_path / "shipped"
    shutil.copytree(BUILTIN / "gnostica", shipped / "gnostica")
    pack, kept = shutil.copytree(PACKS / SMALL[0], tmp_path / "pack"), Kept()
    assert check(pack, kept, shipped).ok
    file = next(
        one
        for one in sorted((shipped / "gnostica").glob("*.yaml"))
        if "discard" in one.read_text("utf-8")
    )
    times, text = file.stat(), file.read_text(encoding="utf-8")
    file.write_text(text.replace("discard", "discarb"), encoding="utf-8")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert file.stat().st_size == times.st_size
    assert not same(pack, kept, shipped).ok
    assert [data is not None for data in kept.values()] == [True, False]


def test_what_has_findings_has_no_interface(tmp_path: Path):
    shipped = tmp_path / "shipped"
    shutil.copytree(BUILTIN / "gnostica", shipped / "gnostica")
    (shipped / "gnostica" / "more.yaml").write_text("- kind: setting\n", encoding="utf-8")
    pack, kept = shutil.copytree(PACKS / SMALL[0], tmp_path / "pack"), Kept()
    assert same(pack, kept, shipped).diagnostics
    assert [*kept.values()] == [None]


def test_a_game_by_itself_stands_on_no_interface():
    kept = Kept()
    assert check(BUILTIN / "gnostica", kept).ok
    assert not kept


def test_a_process_that_has_built_the_game_reads_none():
    kept, compiler = Kept(), Compiler()
    assert compiler.compile([PACKS / SMALL[0]], reasons=False, interfaces=kept).ok
    kept.clear()
    assert compiler.compile([PACKS / SMALL[0]], reasons=False, scenarios=False, interfaces=kept).ok
    assert not kept
