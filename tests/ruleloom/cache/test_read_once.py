"""Packs that have been read: files that stay as they are are not read a second time, by this process or
the next, and whatever happens to one is seen."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from ruleloom.cache import file_marks, inputs
from ruleloom.cache.store import Store
from ruleloom.compiler.source import file
from tests.support.pack_examples import manifest

GUESTS = "- {kind: setting, id: guests, value: 4, english: how many guests there are}\n"
INN = {
    "inn/pack.yaml": manifest("inn"),
    "inn/vocabulary.yaml": "kind: vocabulary\ngame: inn\n",
    "inn/settings.yaml": GUESTS,
}
Write = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write_files: Write) -> Write:
    """The inn in the present folder, of which nothing is known; a function that writes more."""
    monkeypatch.chdir(tmp_path)
    forget(monkeypatch)
    write_files(INN)
    return write_files


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were read, as they are shown."""
    names: list[str] = []

    def read_bytes(path: Path, shown: str, most: int) -> bytes:
        names.append(shown)
        return file.read_bytes(path, shown, most)

    monkeypatch.setattr(inputs, "read_bytes", read_bytes)
    return names


@pytest.fixture
def shelf(tmp_path: Path) -> Store:
    """A cache of this user."""
    return Store(tmp_path / "shelf", tmp_path / "key")


def settle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all files be old."""
    monkeypatch.setattr(file_marks, "SETTLED", -(10**12))


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be as another process, which knows no files."""
    monkeypatch.setattr(file_marks, "_KNOWN", {})


def inn(store: Store | None = None) -> inputs.Inputs:
    """The inn as it lies there."""
    folders = inputs.named_packs(["inn"])
    found = inputs.inputs_of(folders, store) if folders is not None else None
    assert found is not None
    return found


def test_old_files_are_read_once(write: Write, read: list[str], monkeypatch: pytest.MonkeyPatch):
    settle(monkeypatch)
    first = inn()
    assert len(read) == len(INN)
    assert inn() == first
    assert len(read) == len(INN)


def test_another_process_does_not_read_them_either(
    write: Write, read: list[str], shelf: Store, monkeypatch: pytest.MonkeyPatch
):
    settle(monkeypatch)
    first = inn(shelf)
    forget(monkeypatch)
    assert inn(shelf) == first
    assert len(read) == len(INN)
    shelf.key_file.write_bytes(b"?" * 32)  # what others have sealed is nothing
    forget(monkeypatch)
    assert inn(shelf) == first
    assert len(read) == 2 * len(INN)


def test_old_files_are_read_where_somebody_wants_their_texts(
    write: Write, monkeypatch: pytest.MonkeyPatch
):
    settle(monkeypatch)
    inn()
    known = inn()
    assert known.texts() == INN
    time.sleep(0.02)
    write({"inn/settings.yaml": GUESTS.replace("4", "5")})
    assert known.texts() is None


def test_a_file_that_is_changed_while_it_is_read_is_not_known(
    write: Write, shelf: Store, monkeypatch: pytest.MonkeyPatch
):
    settle(monkeypatch)
    time.sleep(0.02)
    read, later = file.read_bytes, [{"inn/settings.yaml": GUESTS.replace("4", "5")}]

    def read_late(path: Path, shown: str, most: int) -> bytes:
        while later:
            write(later.pop())
        return read(path, shown, most)

    with monkeypatch.context() as patch:
        patch.setattr(inputs, "read_bytes", read_late)
        inn(shelf)
    assert not later
    assert not shelf.folder.exists()


def test_files_of_the_future_are_never_known(write: Write, read: list[str]):
    later = time.time() + 3600
    for path in Path("inn").iterdir():
        os.utime(path, (later, later))
    assert inn() == inn()
    assert len(read) == 2 * len(INN)


def test_files_are_not_taken_for_one_another(write: Write, monkeypatch: pytest.MonkeyPatch):
    settle(monkeypatch)
    status = Path("inn/pack.yaml").lstat()
    names: tuple[list[str], ...] = (
        ["a"],
        ["b"],
        ["a", "b"],
        ["b", "a"],
        ["a b"],
        ["a\n"],
        [""],
        [],
    )
    found = [file_marks.marks_of("packs", [(name, status) for name in some]) for some in names]
    assert None not in found
    assert len(set(found)) == len(names)


def test_files_written_just_now_are_read_again(write: Write, read: list[str]):
    first = inn()
    assert inn() == first
    assert len(read) == 2 * len(INN)


def test_a_change_within_a_tick_of_the_clock_is_seen(write: Write, monkeypatch: pytest.MonkeyPatch):
    was, path = inn(), Path("inn/settings.yaml")
    times = path.stat()
    write({"inn/settings.yaml": GUESTS.replace("4", "5")})
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert inn().digest != was.digest


CHANGES: Mapping[str, Callable[[Path], object]] = {
    "another text": lambda inn: (inn / "settings.yaml").write_text(GUESTS.replace("4", "44")),
    "one as long": lambda inn: (inn / "settings.yaml").write_text(GUESTS.replace("4", "5")),
    "a file more": lambda inn: (inn / "more.yaml").write_text(""),
    "a file less": lambda inn: (inn / "settings.yaml").unlink(),
    "another name": lambda inn: (inn / "settings.yaml").rename(inn / "set.yaml"),
    "another file": lambda inn: shutil.copy(inn / "pack.yaml", inn / "settings.yaml"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_of_old_files_is_seen_though_its_time_is_set_back(
    change: Callable[[Path], object], write: Write, monkeypatch: pytest.MonkeyPatch
):
    settle(monkeypatch)
    was, folder = inn(), Path("inn")
    times = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    time.sleep(0.02)  # longer than a tick of the file system's clock
    change(folder)
    for path in folder.iterdir():
        then = times.get(path, min(times.values()))
        os.utime(path, ns=(then, then))
    assert inn().digest != was.digest


def test_a_file_that_may_no_longer_be_read_is_noticed(
    write: Write, monkeypatch: pytest.MonkeyPatch
):
    settle(monkeypatch)
    inn()
    Path("inn/settings.yaml").unlink()
    Path("inn/settings.yaml").symlink_to("vocabulary.yaml")
    folders = inputs.named_packs(["inn"])
    assert folders is not None
    assert inputs.inputs_of(folders, None) is None
