"""`ruleloom lock` and `--locked`: a campaign is played with the versions that it has written down."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command import call

PACK = "kind: pack\nid: house\nversion: 1.0.0\ngame: gnostica\nedition: 1\n"
CASES = "kind: scenarios\ncases:\n  - {id: it-begins, given: {}, when: [], then: {turn: A}}\n"


@pytest.fixture
def house(tmp_path: Path) -> Path:
    folder = tmp_path / "house"
    folder.mkdir()
    (folder / "pack.yaml").write_text(PACK, encoding="utf-8")
    (folder / "cases.yaml").write_text(CASES, encoding="utf-8")
    return folder


def test_a_lock_names_versions_and_hashes_and_nothing_else(house: Path):
    done = call("lock", house)
    assert done.code == 0
    assert done.out.endswith(": gnostica 1.0.0, house 1.0.0\n")
    packs = json.loads((house / "ruleloom.lock").read_text(encoding="utf-8"))["packs"]
    assert set(packs) == {"gnostica", "house"}
    assert all(set(one) == {"version", "hash"} for one in packs.values())
    assert call("lock", house, "--check").code == 0


def test_what_was_edited_since_is_refused_where_somebody_holds_to_the_lock(house: Path):
    call("lock", house)
    assert call("test", house, "--locked").code == 0
    (house / "pack.yaml").write_text(PACK.replace("1.0.0", "1.1.0"), encoding="utf-8")
    said = "pack house was 1.0.0 and is 1.1.0 now"
    assert call("lock", house, "--check").out.startswith(said)
    for command in (
        ("test", house, "--locked"),
        ("compile", house, "-o", house / "out.json", "--locked"),
        ("play", house, "--players", "random,random", "--locked"),
    ):
        done = call(*command)
        assert (done.code, said in done.err) == (2, True), command
    assert not (house / "out.json").exists()
    assert call("test", house).code == 0  # only where somebody holds to it
    assert call("lock", house).code == 0
    assert call("test", house, "--locked").code == 0


def test_a_pack_more_is_another_campaign(house: Path):
    call("lock", house)
    more = house.parent / "more"
    more.mkdir()
    (more / "pack.yaml").write_text(PACK.replace("id: house", "id: more"), encoding="utf-8")
    done = call("test", more, house, "--locked")
    assert done.code == 2
    assert "pack more 1.0.0 is not in it" in done.err


@pytest.mark.parametrize("text", ["{", '{"packs": {"house": 3}}', "[]"])
def test_a_lock_that_cannot_be_read_is_told(house: Path, text: str):
    (house / "ruleloom.lock").write_text(text, encoding="utf-8")
    done = call("test", house, "--locked")
    assert (done.code, "no lock that can be read" in done.err) == (2, True)


def test_where_there_is_no_lock_nobody_holds_to_it(house: Path):
    done = call("test", house, "--locked")
    assert (done.code, "there is no " in done.err) == (2, True)


def test_the_lock_of_a_kept_pack_is_that_of_its_project(
    house: Path, monkeypatch: pytest.MonkeyPatch
):
    project = house.parent / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    assert call("add", house, "--yes").code == 0
    assert call("test", "house", "--locked").code == 0
    assert call("lock", "house", "--check").out == "packs/ruleloom.lock: as locked\n"
    more = project / "more"
    more.mkdir()
    (more / "pack.yaml").write_text(PACK.replace("id: house", "id: more"), encoding="utf-8")
    done = call("test", more, "house", "--locked")
    assert (done.code, "pack more 1.0.0 is not in it" in done.err) == (2, True)
    lock = Path("packs/ruleloom.lock")
    lock.write_text(lock.read_text().replace('"version": "1.0.0"', '"version": "0.9.0"'))
    Path("packs/house-1.0.0.zip").rename("packs/house-0.9.0.zip")
    done = call("test", "house", "--locked")
    assert (done.code, "pack house was 0.9.0 and is 1.0.0 now" in done.err) == (2, True)
