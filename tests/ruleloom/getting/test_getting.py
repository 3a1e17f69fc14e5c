"""`ruleloom add` and its kin: packs come from zips, folders, the web, git and indexes, and are kept."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from ruleloom.output.zip_file import zipped
from tests.support.command import Done, call
from tests.support.pack_examples import manifest
from tests.support.pack_server import PackServer, Repository, git, serving

PATCH = "- {kind: patch, id: more, target: gnostica:setting/space_limit, set: {value: 4}}\n"


def pack(id: str, *lines: str, version: str = "1.0.0", items: str = "") -> dict[str, str]:
    """The files of a pack for Gnostica."""
    files = {"pack.yaml": manifest(id, *lines, game="gnostica", version=version)}
    return files | ({"items.yaml": items} if items else {})


def zip_of(files: Mapping[str, str]) -> bytes:
    return zipped({name: text.encode() for name, text in files.items()})


def entry(id: str, data: bytes, *lines: str, version: str = "1.0.0", address: str = "") -> str:
    """A pack in an index."""
    head = [
        f"id: {id}",
        f'version: "{version}"',
        "game: gnostica",
        f"address: {address or f'{id}-{version}.zip'}",
    ]
    return (
        "- " + "\n  ".join([*head, f'sha256: "{hashlib.sha256(data).hexdigest()}"', *lines]) + "\n"
    )


LAMP, LAMP_2 = pack("lamp", "title: The Lamp"), pack("lamp", version="1.1.0", items=PATCH)
WICK = pack("wick", 'requires: {lamp: ">=1.0"}')
WICK_2 = pack("wick", 'requires: {lamp: ">=1.1"}', version="2.0.0")
NEEDS = ('requires: {lamp: ">=1.0"}', 'requires: {lamp: ">=1.1"}')
LAMPS = [zip_of(LAMP), zip_of(LAMP_2)]
WICKS = [zip_of(WICK), zip_of(WICK_2)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PackServer]:
    """A server with packs and an index that lists the first versions, in a file and in a repository."""
    folder = tmp_path_factory.mktemp("repositories")
    repository = Repository(folder / "lamp.git")
    repository.tag("v1.0", repository.files({**LAMP, "notes.txt": "mine", "LICENSE": "CC0\n"}))
    repository.tag("v1.1", repository.files({**LAMP_2, "art/lamp.png": b"\x89PNG"}), branch="main")
    files = {f"lamp/{name}": text for name, text in LAMP.items()}
    files |= {f"wick/{name}": text for name, text in WICK.items()}
    listed = entry("lamp", LAMPS[0], address="lamp") + entry(
        "wick", WICKS[0], NEEDS[0], address="wick"
    )
    several = repository.files({**files, "index.yaml": f"edition: 1\npacks:\n{listed}"})
    repository.tag("several", several)
    with serving(folder) as running:
        running.answers |= {
            "/lamp-1.0.0.zip": LAMPS[0],
            "/lamp-1.1.0.zip": LAMPS[1],
            "/wick-1.0.0.zip": WICKS[0],
            "/wick-2.0.0.zip": WICKS[1],
            "/old/index.yaml": index(entry("lamp", LAMPS[0], address="../x.zip")),
        }
        yield running


def index(*entries: str) -> bytes:
    return f"edition: 1\npacks:\n{''.join(entries)}".encode()


FIRST = index(entry("lamp", LAMPS[0]), entry("wick", WICKS[0], NEEDS[0]))
SECOND = index(
    entry("lamp", LAMPS[0]),
    entry("lamp", LAMPS[1], version="1.1.0"),
    entry("wick", WICKS[0], NEEDS[0]),
    entry("wick", WICKS[1], NEEDS[1], version="2.0.0"),
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project, in which everything is run."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def added(*words: str | Path) -> str:
    done = call("add", "--yes", *words)
    assert done.code == 0, done.out + done.err
    return done.out


def lock() -> dict[str, dict[str, str]]:
    packs: dict[str, dict[str, str]] = json.loads(Path("packs/ruleloom.lock").read_text())["packs"]
    return packs


def write(folder: Path, files: Mapping[str, str]) -> Path:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def test_a_zip_is_shown_then_kept_and_found_by_name(project: Path, tmp_path: Path):
    (tmp_path / "lamp.zip").write_bytes(LAMPS[1])
    out = added("../lamp.zip")
    assert "wants      gnostica (comes with Ruleloom)" in out
    assert "changes    gnostica:setting/space_limit (value 3 -> 4)" in out
    assert Path("packs/lamp-1.1.0.zip").read_bytes() == LAMPS[1]
    one = lock()["lamp"]
    assert (one["source"], one["sha256"]) == ("../lamp.zip", hashlib.sha256(LAMPS[1]).hexdigest())
    deeper = project / "campaign" / "notes"
    deeper.mkdir(parents=True)
    os.chdir(deeper)
    assert call("check", "lamp").out.startswith("checked 2 packs")
    assert call("why", "lamp", "setting/space_limit").code == 0
    assert "did you mean `lamp`?" in call("check", "lampp").out


def test_a_required_pack_is_found_among_those_kept(project: Path, tmp_path: Path):
    added(write(tmp_path / "lamp", LAMP))
    write(project / "wick", WICK)
    assert call("check", "wick").code == 0
    assert added("wick").endswith("kept wick 1.0.0 in packs/wick-1.0.0.zip\n")
    assert lock()["wick"]["source"] == "wick"


def test_a_folder_and_a_repository_make_the_same_zip(
    server: PackServer, project: Path, tmp_path: Path
):
    added(write(tmp_path / "lamp", {**LAMP, "LICENSE": "CC0\n", "other.txt": "x"}))
    first = lock()["lamp"]
    assert call("remove", "lamp").code == 0
    out = added(f"git+{server.url}/git/lamp.git@v1.0")
    now = lock()["lamp"]
    assert (now["sha256"], now["hash"]) == (first["sha256"], first["hash"])
    assert f"commit {now['commit'][:12]}" in out
    assert now["commit"] == git(server.repositories / "lamp.git", "rev-parse", "v1.0")


def test_a_repository_gives_its_default_branch_with_pictures(server: PackServer, project: Path):
    added(f"{server.url}/git/lamp.git")
    assert lock()["lamp"]["version"] == "1.1.0"
    assert b"art/lamp.png" in Path("packs/lamp-1.1.0.zip").read_bytes()


def test_nothing_of_the_users_git_runs(
    server: PackServer, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    hook = tmp_path / "hooks" / "reference-transaction"
    hook.parent.mkdir()
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    hook.chmod(0o700)
    settings = tmp_path / "config"
    settings.write_text(
        f"[core]\n\thooksPath = {hook.parent}\n[init]\n\ttemplateDir = {tmp_path}\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.hooksPath")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(hook.parent))
    added(f"git+{server.url}/git/lamp.git@v1.0")
    assert not (tmp_path / "ran").exists()


def test_by_name_from_an_index_with_what_it_requires(server: PackServer, project: Path):
    server.answers["/index.yaml"] = FIRST
    out = added("wick", "--index", f"{server.url}/index.yaml")
    assert "wants      gnostica (comes with Ruleloom); lamp >=1.0 (comes along)" in out
    assert {id: one["index"] for id, one in lock().items()} == dict.fromkeys(
        ("lamp", "wick"), f"{server.url}/index.yaml"
    )
    server.asked.clear()
    assert call("check", "wick").code == call("list").code == 0
    assert server.asked == []  # no network is needed any more

    server.answers["/index.yaml"] = SECOND
    told = call("outdated")
    assert told.code == 1
    assert told.out == (
        "lamp 1.0.0: there is 1.1.0\nwick 1.0.0: there is 2.0.0\n`ruleloom update` gets what fits with the other packs\n"
    )
    done = call("update", "wick", "--yes")
    assert done.out == (
        "wick 2.0.0 is not taken: wick 2.0.0 wants lamp >=1.1\n"
        "nothing is new: what fits is kept already\n"
    )
    assert call("update", "--yes").code == 0
    assert sorted(path.name for path in Path("packs").iterdir()) == [
        "lamp-1.1.0.zip",
        "ruleloom.lock",
        "wick-2.0.0.zip",
    ]
    assert call("outdated").out == "nothing is newer\n"


def test_an_index_in_a_repository_or_folder(server: PackServer, project: Path, tmp_path: Path):
    added("wick", "--index", f"git+{server.url}/git/lamp.git@several")
    first = lock()
    assert first["lamp"]["source"].endswith("#lamp")
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    (shelf / "lamp-1.0.0.zip").write_bytes(LAMPS[0])
    (shelf / "index.yaml").write_bytes(index(entry("lamp", LAMPS[0])))
    assert call("remove", "wick", "lamp").code == 0
    (project / "ruleloom.toml").write_text('indexes = ["../shelf"]\n')
    added("lamp==1.0.0")
    now = lock()["lamp"]
    assert (now["source"], now["index"]) == ("../shelf/lamp-1.0.0.zip", "../shelf/index.yaml")
    assert now["hash"] == first["lamp"]["hash"]
    assert "commit" not in now


def test_the_first_index_that_lists_a_pack_is_asked(project: Path, tmp_path: Path):
    for name, data, version in (("own", LAMPS[0], "1.0.0"), ("foreign", LAMPS[1], "1.1.0")):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"lamp-{version}.zip").write_bytes(data)
        (tmp_path / name / "index.yaml").write_bytes(index(entry("lamp", data, version=version)))
    added("lamp", "--index", tmp_path / "own", "--index", tmp_path / "foreign")
    assert lock()["lamp"]["version"] == "1.0.0"


def test_a_newer_version_that_another_holds_back_is_told(project: Path, tmp_path: Path):
    """`outdated` lists it, and `update` says who wants an older one."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    write(shelf / "lamp", LAMP)
    write(shelf / "wick", pack("wick", 'requires: {lamp: "==1.0.0"}'))
    call("index", shelf, "-o", shelf / "index.yaml")
    added("wick", "--index", shelf)
    (shelf / "lamp" / "pack.yaml").write_text(pack("lamp", version="3.0.0")["pack.yaml"])
    call("index", shelf, "-o", shelf / "index.yaml")
    assert "lamp 1.0.0: there is 3.0.0" in call("outdated").out
    told = "lamp 3.0.0 is not taken: wick 1.0.0 wants lamp ==1.0.0\n"
    assert call("update", "--yes").out.startswith(told)


def test_what_is_a_page_is_no_zip(server: PackServer, project: Path):
    server.answers["/"] = b"<!doctype html><title>Packs</title>"
    done = call("add", f"{server.url}/", "--yes")
    assert done.code == 2
    assert "is a page, and not a zip" in done.err
    assert "`--index`" in done.err


def test_nothing_kept_is_said(project: Path):
    for verb in ("list", "outdated", "update"):
        assert call(verb).out == "no packs are kept here: `ruleloom add` keeps some\n"


def test_what_is_required_stays(project: Path, tmp_path: Path):
    added(write(tmp_path / "lamp", LAMP), write(tmp_path / "wick", WICK))
    done = call("remove", "lamp")
    assert (done.code, done.err) == (
        2,
        "ruleloom: `lamp` is required by `wick`, which would stay\n help: ruleloom remove lamp wick\n",
    )
    assert call("remove", "wick", "lamp").out == "removed wick, lamp\n"
    assert call("list").out == "no packs are kept here: `ruleloom add` keeps some\n"


def test_nothing_is_kept_unless_somebody_says_so(project: Path, tmp_path: Path):
    done = call("add", write(tmp_path / "lamp", LAMP))
    assert (done.code, done.err) == (
        2,
        "ruleloom: nothing is kept, as nobody is there to ask\n help: --yes keeps what is shown\n",
    )
    assert not Path("packs").exists()


def test_a_kept_zip_that_was_changed_is_told_and_not_used(project: Path, tmp_path: Path):
    added(write(tmp_path / "lamp", LAMP))
    Path("packs/lamp-1.0.0.zip").write_bytes(LAMPS[1])
    assert call("list").code == 1
    found = call("check", "lamp")
    assert found.code == 1
    assert "this zip of the pack `lamp` is not the one" in found.out
    assert call("remove", "lamp").code == 0


def test_a_failure_while_writing_leaves_all_as_it_was(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def full(path: Path, data: object) -> None:
        if str(path).endswith(".lock"):
            raise OSError(28, "No space left on device")
        path.write_bytes(data)  # type: ignore[arg-type]

    monkeypatch.setattr("ruleloom.getting.project_packs.write_atomically", full)
    done: Done = call("add", "--yes", write(tmp_path / "lamp", LAMP))
    assert (done.code, done.err) == (
        2,
        "ruleloom: packs cannot be written: no space left on device\n",
    )
    assert [*project.iterdir()] == []


def test_an_index_of_a_folder_with_a_page(project: Path, tmp_path: Path):
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    bold = pack("lamp", 'title: "<b>Lamp</b>"', 'about: "It says \\"hm\\": </script>"')
    for name, data in (
        ("lamp", zip_of(bold)),
        ("later/lamp", LAMPS[1]),
        ("cards", zip_of({"a.pdf": ""})),
    ):
        (shelf / name).parent.mkdir(exist_ok=True)
        (shelf / f"{name}.zip").write_bytes(data)
    write(shelf / "lamp", bold)  # of which the zip was made
    write(shelf / "wick", WICK)
    done = call("index", shelf, "-o", shelf / "index.yaml", "--page", tmp_path / "page")
    assert done.code == 0, done.err
    assert "index.yaml: 3 packs\n" in done.out
    assert "not from the web: wick\n" in done.out
    assert f"left out, as there is no pack in it: {shelf}/cards.zip\n" in done.out
    text = (tmp_path / "page" / "index.html").read_text()
    assert 'href="../shelf/later/lamp.zip"' in text
    assert "<b>Lamp" not in text
    assert "</script>" not in (tmp_path / "page" / "index.js").read_text()
    assert added("wick", "--index", shelf).endswith("kept wick 1.0.0 in packs/wick-1.0.0.zip\n")
    assert {id: one["version"] for id, one in lock().items()} == {"lamp": "1.1.0", "wick": "1.0.0"}
    (shelf / "again.zip").write_bytes(LAMPS[1])
    twice = call("index", shelf, "-o", shelf / "index.yaml")
    assert (twice.code, "are both `lamp` 1.1.0" in twice.err) == (2, True)
