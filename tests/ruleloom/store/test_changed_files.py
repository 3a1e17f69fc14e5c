"""A pack that changes under the store: whatever a file system says of its files, no answer about other
bytes is given."""

from __future__ import annotations

import mmap
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from ruleloom.store import inputs
from tests.support.pack_examples import manifest

GUESTS = "- {kind: setting, id: guests, value: 4, english: how many guests there are}\n"
INN = {
    "inn/pack.yaml": manifest("inn"),
    "inn/vocabulary.yaml": "kind: vocabulary\ngame: inn\n",
    "inn/settings.yaml": GUESTS,
}


def inn() -> inputs.Inputs:
    """The inn as it lies there."""
    folders = inputs.named_packs(["inn"])
    found = inputs.inputs_of(folders) if folders is not None else None
    assert found is not None
    return found


def write_through_a_mapping(inn: Path) -> None:
    with (inn / "settings.yaml").open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        memory[:] = GUESTS.replace("4", "5").encode()


CHANGES: Mapping[str, Callable[[Path], object]] = {
    "another text": lambda inn: (inn / "settings.yaml").write_text(GUESTS.replace("4", "44")),
    "one as long": lambda inn: (inn / "settings.yaml").write_text(GUESTS.replace("4", "5")),
    "one as long, through a mapping": write_through_a_mapping,
    "a file more": lambda inn: (inn / "more.yaml").write_text(""),
    "a file less": lambda inn: (inn / "settings.yaml").unlink(),
    "another name": lambda inn: (inn / "settings.yaml").rename(inn / "set.yaml"),
    "another file": lambda inn: shutil.copy(inn / "pack.yaml", inn / "settings.yaml"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_is_seen_though_the_times_are_set_back(
    change: Callable[[Path], object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    write_files: Callable[[Mapping[str, str]], Path],
):
    monkeypatch.chdir(tmp_path)
    write_files(INN)
    was, folder = inn(), Path("inn")
    assert inn() == was
    times = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    change(folder)
    for path in folder.iterdir():
        then = times.get(path, min(times.values()))
        os.utime(path, ns=(then, then))
    assert inn().digest != was.digest
