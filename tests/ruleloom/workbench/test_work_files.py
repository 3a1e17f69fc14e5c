"""The files of a pack on the disk: what is read and written, and what is left alone."""

from __future__ import annotations

import io
import os
import stat
import zipfile

import pytest

from ruleloom.compiler.source.file import MAX_BYTES
from ruleloom.runtime.program.faults import Refused
from ruleloom.workbench.work_files import WorkFiles, WorkPack, unpacked, work_packs
from tests.support.command import call

CARD = "kind: major\nid: moth\n"


@pytest.fixture
def folder(tmp_path):
    found = tmp_path / "pack"
    (found / "inner").mkdir(parents=True)
    (found / "pack.yaml").write_text("kind: pack\nid: pack\nversion: 0.1.0\ngame: gnostica\n")
    (found / "moth.yaml").write_text(CARD)
    (tmp_path / "secret.yaml").write_text("secret\n")
    return found


@pytest.fixture
def files(folder):
    return WorkFiles([WorkPack("pack", str(folder), (str(folder),))])


def test_a_file_is_read_and_written(files, folder):
    found = files.read(0, "moth.yaml")
    assert found.text == CARD
    done = files.save(0, "moth.yaml", CARD + "number: 4\n", found.mark)
    assert done.theirs is None
    assert (folder / "moth.yaml").read_text() == CARD + "number: 4\n"
    assert done.mark == files.read(0, "moth.yaml").mark
    assert files.names(0) == ["moth.yaml", "pack.yaml"]
    assert sorted(one.name for one in folder.iterdir()) == ["inner", "moth.yaml", "pack.yaml"]


def test_what_somebody_else_has_written_is_not_overwritten(files, folder):
    mark = files.read(0, "moth.yaml").mark
    (folder / "moth.yaml").write_text("theirs\n")
    done = files.save(0, "moth.yaml", "mine\n", mark)
    assert done.theirs is not None
    assert done.theirs.text == "theirs\n"
    assert (folder / "moth.yaml").read_text() == "theirs\n"
    files.save(0, "moth.yaml", "mine\n", done.theirs.mark)  # now that it was seen
    assert (folder / "moth.yaml").read_text() == "mine\n"


def test_line_ends_and_rights_stay(files, folder):
    (folder / "moth.yaml").write_bytes(b"kind: major\r\nid: moth\r\n")
    (folder / "moth.yaml").chmod(0o640)
    found = files.read(0, "moth.yaml")
    assert found.text == CARD
    files.save(0, "moth.yaml", "kind: suit\nid: moth\n", found.mark)
    assert (folder / "moth.yaml").read_bytes() == b"kind: suit\r\nid: moth\r\n"
    assert stat.S_IMODE((folder / "moth.yaml").stat().st_mode) == 0o640


@pytest.mark.parametrize(
    "name",
    [
        "../secret.yaml",
        "inner/../../secret.yaml",
        "/etc/passwd.yaml",
        "{outside}/secret.yaml",
        "inner//moth.yaml",
        "./moth.yaml",
        ".hidden.yaml",
        ".git/config.yaml",
        "inner/.x/a.yaml",
        "a\\b.yaml",
        "a\0b.yaml",
        "a\nb.yaml",
        "..yaml",
        "moth.txt",
        "pack.py",
        "",
        "inner",
        "a" * 300 + ".yaml",
        "/".join("a" * 20) + ".yaml",
        "C:/moth.yaml",
        "~/moth.yaml",
        "%2e%2e/secret.yaml",
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(files, tmp_path, name):
    name = name.format(outside=tmp_path) if "{" in name else name
    with pytest.raises(Refused):
        files.read(0, name)
    with pytest.raises(Refused):
        files.save(0, name, "x", "0")
    with pytest.raises(Refused):
        files.create(0, name, "x")
    assert (tmp_path / "secret.yaml").read_text() == "secret\n"


def test_links_are_not_followed(files, folder, tmp_path):
    (folder / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (folder / "away").symlink_to(tmp_path)
    (folder / "gone.yaml").symlink_to(tmp_path / "new.yaml")
    for name in ("link.yaml", "away/secret.yaml", "gone.yaml", "away/new.yaml"):
        with pytest.raises(Refused):
            files.read(0, name)
        with pytest.raises(Refused):
            files.save(0, name, "x", "0")
        with pytest.raises(Refused):
            files.create(0, name, "x")
    assert (tmp_path / "secret.yaml").read_text() == "secret\n"
    assert not (tmp_path / "new.yaml").exists()
    assert files.pack_of(os.path.realpath(folder / "link.yaml")) is None


def test_pipes_and_huge_files_are_left_alone(files, folder):
    os.mkfifo(folder / "pipe.yaml")
    with (folder / "huge.yaml").open("wb") as huge:
        huge.truncate(MAX_BYTES + 1)
    (folder / "bytes.yaml").write_bytes(b"\xff\xfe")
    for name in ("pipe.yaml", "huge.yaml", "bytes.yaml"):
        with pytest.raises(Refused):
            files.read(0, name)
    mark = files.read(0, "moth.yaml").mark
    for text in ("x" * (MAX_BYTES + 1), "\ud800"):
        with pytest.raises(Refused):
            files.save(0, "moth.yaml", text, mark)
    assert (folder / "moth.yaml").read_text() == CARD


def test_a_new_file_takes_no_others_place(files, folder):
    assert files.create(0, "inner/new.yaml", "kind: suit\n").text == "kind: suit\n"
    with pytest.raises(Refused, match="already exists"):
        files.create(0, "moth.yaml", "mine")
    with pytest.raises(Refused):  # no folder is made
        files.create(0, "other/new.yaml", "x")
    assert (folder / "moth.yaml").read_text() == CARD


def test_a_folder_that_cannot_be_written_is_told(files, folder):
    mark = files.read(0, "moth.yaml").mark
    if os.geteuid() == 0:
        pytest.skip("whoever is root writes everywhere")
    folder.chmod(0o500)
    try:
        with pytest.raises(Refused, match="could not be stored"):
            files.save(0, "moth.yaml", "mine", mark)
    finally:
        folder.chmod(0o700)
    assert (folder / "moth.yaml").read_text() == CARD


def test_a_difference_line_by_line(files):
    found = files.diff(0, "moth.yaml", "kind: major\nid: owl\n")
    assert [one for one in found if one[0] in "+-"] == [
        ("-", "id: moth"),
        ("+", "id: owl"),
    ]
    assert files.diff(0, "moth.yaml", CARD) == []


def test_only_folders_of_ones_own_are_written_in(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert call("new", "pack", "one", "--game", "gnostica").code == 0
    assert call("new", "pack", "two", "--game", "gnostica").code == 0
    found = work_packs([("gnostica", "one", "two"), ("moonstone",)])
    assert [pack.name for pack in found] == ["one", "two"]
    assert found[0].together == (str(tmp_path / "one"), str(tmp_path / "two"))
    with pytest.raises(Refused):
        WorkFiles(found).pack(2)
    with pytest.raises(Refused):
        WorkFiles(found).pack(-1)


def packed(files):
    """A zip of these texts."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return held.getvalue()


def test_a_pack_of_a_zip_becomes_a_folder_of_its_own(tmp_path):
    data = packed(
        {"house/pack.yaml": "kind: pack", "house/more/cards.yaml": "a: 1\r\n", "house/LICENCE": "x"}
    )
    first = unpacked("My House.zip", data, tmp_path)
    second = unpacked("My House.zip", data, tmp_path)
    assert (first.name, second.name) == ("my-house", "my-house-2")
    found = {one.relative_to(first).as_posix() for one in first.rglob("*") if one.is_file()}
    assert found == {"pack.yaml", "more/cards.yaml"}


@pytest.mark.parametrize(
    "files",
    [
        {"../evil.yaml": "x", "pack.yaml": "kind: pack"},
        {"pack.yaml": "kind: pack", "a b;c.yaml": "x"},
        {"pack.yaml": "kind: pack", "bad.yaml": b"\xff\xfe"},
        {"cards.yaml": "kind: power"},
        {"pack.yaml": "kind: pack", "CARDS.YAML": "x"},
    ],
)
def test_nothing_of_a_bad_zip_is_written(tmp_path, files):
    with pytest.raises(Refused):
        unpacked("evil.zip", packed(files), tmp_path)
    with pytest.raises(Refused):
        unpacked("evil.zip", b"no zip", tmp_path)
    assert list(tmp_path.iterdir()) == []
