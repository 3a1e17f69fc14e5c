"""What systems do differently: each first way, and the second with the first taken away."""

from __future__ import annotations

import errno
import io
import ntpath
import os
import posixpath
import re
import stat
import sys
from pathlib import Path, PureWindowsPath
from types import SimpleNamespace
from typing import Any

import pytest

from ruleloom.compiler.diagnostics.render import file_uri
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.output import terminal
from ruleloom.runtime import system
from ruleloom.runtime.play.files import FileFault, held_alone, read_text, write_atomically
from ruleloom.runtime.system import Folder
from ruleloom.simulate.simulation import InThisProcess, processes
from ruleloom.store.store import Store
from ruleloom.web.requests import BadInput
from ruleloom.workbench.work_files import WorkFiles, WorkPack
from tests.support.command import call

POSIX = os.name == "posix" and sys.platform != "emscripten"
OUTSIDE = "kind: secret\n"


@pytest.fixture
def no_posix(monkeypatch):
    """A system with nothing but what Python has everywhere."""
    for name in ("NO_LINK", "NO_WAIT", "FOLDER_ONLY"):
        monkeypatch.setattr(system, name, 0)
    monkeypatch.setattr(system, "HOLDS_FOLDERS", False)
    monkeypatch.setattr(system, "LOCKS", None)
    for name in ("link", "fchmod", "geteuid", "sched_getaffinity"):
        monkeypatch.delattr(os, name, raising=False)


@pytest.fixture(params=["first way", "second way"])
def either(request):
    """One test for both ways."""
    if request.param == "second way":
        request.getfixturevalue("no_posix")


@pytest.fixture
def console(monkeypatch):
    """A console of Windows, which is told to show colours by the library that click brings there."""
    told: list[str] = []
    monkeypatch.setattr(system, "IS_WINDOWS", True)
    colorama = SimpleNamespace(just_fix_windows_console=lambda: told.append("told"))
    monkeypatch.setitem(sys.modules, "colorama", colorama)
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    monkeypatch.setenv("TERM", "")
    return told


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def refused(path: Path, follow: bool = False) -> int | None:
    try:
        system.open_plain(path, follow)
    except OSError as error:
        return error.errno
    return None


# ------------------------------------------------------------------------------------- paths


@pytest.mark.parametrize(
    ("path", "folder", "way"),
    [
        ("C:\\packs\\my-pack\\a.yaml", "C:\\packs", "my-pack/a.yaml"),
        ("c:\\Packs\\my-pack", "C:\\packs", "my-pack"),
        ("C:/packs/my-pack", "C:\\packs\\other", "../my-pack"),
        ("D:\\packs\\.\\a.yaml", "C:\\packs", "D:/packs/a.yaml"),
        ("\\\\host\\share\\a.yaml", "C:\\packs", "//host/share/a.yaml"),
    ],
)
def test_paths_of_windows_are_shown_with_slashes(path, folder, way):
    assert system.way_to(PureWindowsPath(path), folder, ntpath) == way


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("C:/my packs/a.yaml", "file:///C:/my%20packs/a.yaml"),
        ("//host/share/a.yaml", "file://host/share/a.yaml"),
        ("my-pack/a.yaml", None),
    ],
)
def test_paths_of_windows_have_uris(path, uri):
    assert file_uri(path, ntpath) == uri


def test_paths_of_posix_have_uris():
    assert file_uri("/my packs/C:a.yaml", posixpath) == "file:///my%20packs/C%3Aa.yaml"


def test_no_file_gets_the_name_of_a_device(tmp_path):
    """A pack that holds one could not be unpacked on Windows."""
    files = WorkFiles([WorkPack("pack", str(tmp_path), (str(tmp_path),))])
    for name in ("con.yaml", "AUX.yaml", "nul.tar.yaml", "lpt1.yaml", "prn/a.yaml"):
        with pytest.raises(BadInput):
            files.create(0, name, "")
    files.create(0, "console.yaml", "")
    assert [one.name for one in tmp_path.iterdir()] == ["console.yaml"]


def test_a_file_with_line_ends_of_windows_is_mended_with_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    new = call("new", "pack", "house", "--game", "gnostica")
    assert new.code == 0, new.err
    assert call("new", "major", "moth", "--in", "house").code == 0
    path = tmp_path / "house" / "moth.yaml"
    written = path.read_bytes().replace(b"\n", b"\r\n")
    path.write_bytes(written.replace(b"(minion, up)", b"(minion,up)"))
    assert "1 file changed" in call("fmt", "house").out
    assert path.read_bytes() == written


# ------------------------------------------------------------------------------------- files


def test_a_plain_file_is_opened(tmp_path, either):
    (tmp_path / "a.yaml").write_bytes(b"a\r\nb\x1ac\n")
    number, status = system.open_plain(tmp_path / "a.yaml")
    with os.fdopen(number, "rb") as file:
        assert file.read() == b"a\r\nb\x1ac\n"
    assert status.st_size == 7


def test_what_is_no_plain_file_is_refused(tmp_path, either):
    (tmp_path / "plain").write_text("")
    (tmp_path / "link").symlink_to("plain")
    assert refused(tmp_path) == errno.EISDIR
    assert refused(tmp_path / "none") == errno.ENOENT
    assert refused(tmp_path / "link") == errno.ELOOP
    number, _ = system.open_plain(tmp_path / "link", follow=True)
    os.close(number)


@pytest.mark.skipif(not POSIX, reason="needs pipes and devices")
def test_a_pipe_is_never_waited_for(tmp_path, either):
    os.mkfifo(tmp_path / "pipe")
    for follow in (False, True):
        assert refused(tmp_path / "pipe", follow) == errno.ENXIO
        assert refused(Path(os.devnull), follow) == errno.ENXIO


def test_a_link_put_there_meanwhile_is_refused(tmp_path, no_posix, monkeypatch):
    (tmp_path / "plain").write_text("")
    (tmp_path / "other").write_text("")
    opened = os.open

    def swapped(*args, **kwargs):
        (tmp_path / "plain").unlink()
        (tmp_path / "plain").symlink_to("other")
        return opened(*args, **kwargs)

    monkeypatch.setattr(os, "open", swapped)
    assert refused(tmp_path / "plain") == errno.ELOOP


def test_a_junction_is_a_link():
    """Windows makes them without any right, and calls them folders."""
    folder: Any = SimpleNamespace(st_mode=stat.S_IFDIR | 0o777, st_reparse_tag=system.JUNCTION)
    cloud: Any = SimpleNamespace(st_mode=stat.S_IFREG | 0o666, st_reparse_tag=0x9000001A)
    assert system.is_link(folder)
    assert not system.is_link(cloud)


def test_a_junction_in_a_pack_is_not_entered(tmp_path, monkeypatch):
    (tmp_path / "inner").mkdir()
    monkeypatch.setattr(system, "IS_WINDOWS", True)
    monkeypatch.setattr(system, "is_link", lambda status: stat.S_ISDIR(status.st_mode))
    (entry,) = os.scandir(tmp_path)
    assert not system.is_folder(entry)


def test_a_source_is_read(tmp_path, either):
    (tmp_path / "a.yaml").write_bytes(b"kind: pack\r\nid: a\r\n")
    (tmp_path / "link.yaml").symlink_to("a.yaml")
    assert Source.read(tmp_path / "a.yaml", "a.yaml").text == "kind: pack\nid: a\n"
    for name, message in (
        ("link.yaml", "this is a link to another file, and links are not followed"),
        (".", "this is not an ordinary file"),
        ("none.yaml", "there is no such file"),
    ):
        with pytest.raises(SourceError) as found:
            Source.read(tmp_path / name, name)
        assert found.value.message == message


def test_a_name_is_given_once(tmp_path, either):
    for draft in ("one", "two"):
        (tmp_path / draft).write_text(draft)
    system.name_once(tmp_path / "one", tmp_path / "key")
    with pytest.raises(FileExistsError):
        system.name_once(tmp_path / "two", tmp_path / "key")
    assert (tmp_path / "key").read_text() == "one"
    assert not (tmp_path / "one").exists()


def test_a_disk_without_hard_links_gives_names_all_the_same(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(errno.EPERM, "no links on this disk")

    monkeypatch.setattr(os, "link", refuse, raising=False)
    (tmp_path / "one").write_text("one")
    system.name_once(tmp_path / "one", tmp_path / "key")
    assert (tmp_path / "key").read_text() == "one"


def test_the_store_keeps(tmp_path, either):
    store = Store(tmp_path / "cache", tmp_path / "state" / "key")
    store.put("name", b"body")
    assert store.get("name") == b"body"
    assert len((tmp_path / "state" / "key").read_bytes()) == 32
    assert [one.name for one in (tmp_path / "state").iterdir()] == ["key"]


@pytest.mark.skipif(not POSIX, reason="needs owners and modes")
def test_a_key_that_others_may_read_is_none(tmp_path):
    store = Store(tmp_path / "cache", tmp_path / "key")
    store.put("name", b"body")
    (tmp_path / "key").chmod(0o644)
    assert store.get("name") is None


# ------------------------------------------------------------------------------------ folders


def test_a_save_is_written_and_read(tmp_path, either):
    path = tmp_path / "game.save"
    write_atomically(path, "one\n")
    write_atomically(path, "two\n")
    assert path.read_bytes() == b"two\n"
    assert read_text(path) == "two\n"
    assert [one.name for one in tmp_path.iterdir()] == ["game.save"]
    with pytest.raises(FileFault, match="it is a folder"):
        read_text(tmp_path)


def test_modes_stay(tmp_path, either):
    path = tmp_path / "game.save"
    path.write_text("")
    path.chmod(0o640)
    write_atomically(path, "one\n")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_failed_save_leaves_the_old_one(tmp_path, either, monkeypatch):
    path = tmp_path / "game.save"
    path.write_text("old")

    def full(*_):
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileFault, match="the disk is full"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["game.save"]


def test_the_workbench_writes_in_its_pack_alone(tmp_path, either):
    folder = tmp_path / "pack"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "a.yaml").write_bytes(b"a: 1\r\n")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.yaml").write_text(OUTSIDE)
    (folder / "linked").symlink_to(tmp_path / "outside")
    (folder / "link.yaml").symlink_to(tmp_path / "outside" / "a.yaml")
    files = WorkFiles([WorkPack("pack", str(folder), (str(folder),))])
    found = files.read(0, "inner/a.yaml")
    assert files.save(0, "inner/a.yaml", "a: 2\n", found.mark).theirs is None
    assert (folder / "inner" / "a.yaml").read_bytes() == b"a: 2\r\n"
    files.create(0, "inner/b.yaml", "b: 1\n")
    assert (folder / "inner" / "b.yaml").read_bytes() == b"b: 1\n"
    for name in ("linked/a.yaml", "link.yaml", "inner", "../outside/a.yaml", "none/a.yaml"):
        with pytest.raises(BadInput):
            files.read(0, name)
        with pytest.raises(BadInput):
            files.save(0, name, "mine\n", "")
    assert (tmp_path / "outside" / "a.yaml").read_text() == OUTSIDE


@pytest.mark.skipif(not (POSIX and system.HOLDS_FOLDERS), reason="needs folders held open")
def test_a_folder_held_open_is_that_very_folder(tmp_path):
    (tmp_path / "old").mkdir()
    folder = Folder.held(str(tmp_path / "old"))
    (tmp_path / "old").rename(tmp_path / "moved")
    (tmp_path / "old").mkdir()
    folder.create("a", b"a", 0o644)
    folder.close()
    assert (tmp_path / "moved" / "a").read_bytes() == b"a"


def test_a_file_that_is_open_elsewhere_is_waited_for(tmp_path, monkeypatch):
    """On Windows no file that is open can be replaced."""
    replace, tries = os.replace, []

    def busy(*args, **kwargs):
        tries.append(args)
        if len(tries) < 3:
            raise PermissionError(errno.EACCES, "open elsewhere")
        replace(*args, **kwargs)

    monkeypatch.setattr(os, "replace", busy)
    with pytest.raises(FileFault, match="permission"):
        write_atomically(tmp_path / "game.save", "one")
    tries.clear()
    monkeypatch.setattr(system, "IS_WINDOWS", True)
    write_atomically(tmp_path / "game.save", "two")
    assert (tmp_path / "game.save").read_text() == "two"


# -------------------------------------------------------------------------------------- locks


@pytest.fixture
def windows_locks(monkeypatch):
    """The locks of Windows: of bytes of a file, by number."""
    taken: set[tuple[int, int]] = set()

    def locking(number: int, _kind: int, _bytes: int) -> None:
        found = os.fstat(number)
        if (found.st_dev, found.st_ino) in taken:
            raise PermissionError(errno.EACCES, "locked")
        taken.add((found.st_dev, found.st_ino))

    monkeypatch.setattr(system, "LOCKS", SimpleNamespace(locking=locking, LK_NBLCK=2))
    return taken


@pytest.mark.skipif(not POSIX, reason="needs locks; in a browser `flock` lets everybody in")
def test_two_writers_wait_for_each_other(tmp_path, monkeypatch):
    hold_two(tmp_path / "game.save", monkeypatch)


def test_two_writers_wait_for_each_other_on_windows(tmp_path, windows_locks, monkeypatch):
    hold_two(tmp_path / "game.save", monkeypatch)
    assert len(windows_locks) == 1


def hold_two(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruleloom.runtime.play.files.PATIENCE", 0.05)
    with (
        held_alone(path),
        pytest.raises(FileFault, match="another process is writing to it"),
        held_alone(path),
    ):
        pass
    assert list(path.parent.iterdir()) == []


def test_without_locks_everybody_writes(tmp_path, no_posix):
    with held_alone(tmp_path / "game.save"), held_alone(tmp_path / "game.save"):
        pass
    assert list(tmp_path.iterdir()) == []


# -------------------------------------------------------------------------- console, processors


def test_colours_are_for_terminals_that_know_them(console, monkeypatch):
    assert system.shows_escapes(Terminal())
    assert console == ["told"]
    assert not system.shows_escapes(io.StringIO())
    monkeypatch.setitem(sys.modules, "colorama", None)
    assert not system.shows_escapes(Terminal())
    monkeypatch.setattr(system, "IS_WINDOWS", False)
    assert system.shows_escapes(Terminal())
    monkeypatch.setenv("TERM", "dumb")
    assert not system.shows_escapes(Terminal())


def cp1252() -> tuple[io.BytesIO, io.TextIOWrapper]:
    data = io.BytesIO()
    return data, io.TextIOWrapper(data, encoding="cp1252")


def test_what_a_code_page_cannot_write_is_spelt_out(monkeypatch):
    data, stream = cp1252()
    monkeypatch.setattr(sys, "stdout", stream)
    terminal.prepare()
    print("naïve ♞ ☃", end="", flush=True)
    assert data.getvalue() == b"na\xefve \\u265e \\u2603"


def test_files_and_pipes_are_in_utf_8_on_windows(console, monkeypatch):
    data, stream = cp1252()
    monkeypatch.setattr(sys, "stdout", stream)
    terminal.prepare()
    print("naïve ♞", end="", flush=True)
    assert data.getvalue() == "naïve ♞".encode()


def test_who_names_an_encoding_gets_it(console, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "cp1252")
    assert system.encoding_of(io.StringIO()) is None


def test_an_output_without_a_file_is_silenced(monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    system.silence_output()
    print("nobody reads this", flush=True)
    assert sys.stdout.name is not None
    sys.stdout.close()


def test_without_processes_all_games_are_played_here(monkeypatch, either):
    assert system.processors() >= 1
    monkeypatch.setattr("ruleloom.simulate.simulation.HAS_PROCESSES", False)
    assert processes(4).make is InThisProcess


# ------------------------------------------------------------------------------ nobody else does


ELSEWHERE = re.compile(
    r"os\.(link|symlink|mkfifo|fchmod|fchown|chown|geteuid|getuid|umask|dup2|_exit|fork|O_\w+|"
    r"sched_\w+|kill|pread|pwrite|supports_\w+)\b|dir_fd|\b(fcntl|msvcrt|termios|resource|pwd|colorama)\b(?=$|\.)"
)


def test_no_other_module_asks_more_of_a_system(root):
    allowed = {"os.O_RDONLY"}
    wrong = [
        f"{path.relative_to(root)}: {found.group()}"
        for top in ("compiler", "runtime", "ruleloom")
        for path in sorted((root / top).rglob("*.py"))
        if path.name != "system.py"
        for found in ELSEWHERE.finditer(path.read_text(encoding="utf-8"))
        if found.group() not in allowed
    ]
    assert not wrong, f"runtime/system.py does this in two ways: {', '.join(wrong)}"
