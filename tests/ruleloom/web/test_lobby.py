"""What the host sends in: packs are read as any archive, and nothing hostile gets to the shelf."""

from __future__ import annotations

import base64
import io
import zipfile
from pathlib import Path

import pytest

from ruleloom.web.live_table import load_table
from ruleloom.web.lobby import shelf_of
from tests.conftest import ROOT
from tests.support.web_tables import served

RIVER = ROOT / "rulesets" / "examples" / "river-folk"


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    with served(folder=tmp_path_factory.mktemp("packs") / "sent") as found:
        yield found


def zipped(**files: str | bytes) -> str:
    """A zip of these files, in base64."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return base64.b64encode(out.getvalue()).decode()


def river_folk() -> dict[str, bytes]:
    """The files of a pack that ships."""
    return {path.relative_to(RIVER).as_posix(): path.read_bytes() for path in RIVER.rglob("*.yaml")}


def send(running, data: str, name: str = "river-folk.zip"):
    host = running.service.door.host_token
    return running.post(host, "host/pack", name=name, data=data)


def kept(running) -> list[Path]:
    folder = running.service.shelf.folder
    return sorted(folder.iterdir()) if folder.is_dir() else []


def test_a_pack_that_is_sent_in_can_be_played_also_after_a_restart(running):
    data = zipped(**river_folk())
    found = send(running, data, "../../River Folk!.zip").json()["result"]
    assert found["game"] == 1
    assert found["games"][1] == "river-folk"
    host = running.service.door.host_token
    assert running.post(host, "host/offer", game=1).json()["result"]["title"] == "Gnostica"
    seats = [{"name": "Ann", "kind": "human"}, {"name": "Ben", "kind": "human"}]
    assert running.post(host, "host/open", game=1, seats=seats).status_code == 200
    (file,) = kept(running)
    assert file.name.startswith("river-folk-")
    again = send(running, data, "the same under another name.zip").json()["result"]
    assert again["games"][2] == "the-same-under-another-name"
    changed = {**river_folk(), "note.yaml": b"[]\n"}
    newer = send(running, zipped(**changed), "river-folk.zip").json()["result"]["games"]
    assert newer[1] == file.name  # of two states of a pack each says which it is
    assert newer[3].startswith("river-folk-")
    assert newer[3] != newer[1]
    shelf = shelf_of(["gnostica"], running.service.shelf.folder)
    assert sorted(shelf.names()) == sorted(newer)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"pack.yaml": "kind: pack\nid: x\nversion: 1.0.0\ngame: gnostica\nedition: 1\n", "../evil.yaml": "x"}, "evil.yaml"),
        ({"pack.yaml": "a: &a [*a]\n"}, "pack.yaml"),
        ({"notes.txt": "no pack at all"}, ""),
        ({"pack.yaml": "kind: pack\nid: x\nversion: 1.0.0\ngame: gnostica\nedition: 1\n", "card.yaml": "- {kind: major, id: bad, effect: \"nonsense(\"}\n"}, "card.yaml"),
    ],
)  # fmt: skip
def test_a_hostile_or_broken_pack_is_refused_with_its_reason_and_not_kept(running, files, message):
    before = kept(running)
    found = send(running, zipped(**files))
    assert found.status_code == 409
    assert message in found.json()["error"]
    assert kept(running) == before


def test_what_is_no_zip_and_what_is_too_large_is_refused(running):
    before = kept(running)
    assert send(running, base64.b64encode(b"no zip").decode()).status_code == 409
    assert send(running, "no base64 !").json()["error"] == "`data` is not valid here"
    assert send(running, "A" * (17 * 1024 * 1024)).status_code == 413
    assert kept(running) == before


def test_a_server_without_a_folder_takes_none():
    with served() as found:
        refused = send(found, zipped(**river_folk()))
    assert (refused.status_code, refused.json()["error"]) == (
        409,
        "this server does not accept packs",
    )


def test_a_game_without_a_scene_of_its_own_is_offered_with_one_first():
    """Moonstone opens on nothing; Witchgates has a scene, and our example has another."""
    assert shelf_of(["moonstone"]).names() == ["moonstone + salt-and-lanterns", "moonstone"]
    assert shelf_of(["witchgates"]).names() == ["witchgates", "witchgates + wet-ink"]
    assert shelf_of(["gnostica"]).names() == ["gnostica"]
    shelf = shelf_of(["moonstone"])
    assert len(shelf.program(0).entity("Scene").names) == 2
    assert len(shelf.program(1).entity("Scene").names) == 0


def test_a_table_is_opened_with_the_rules_that_it_chooses(running):
    host = running.service.door.host_token
    offer = running.post(host, "host/offer", game=0).json()["result"]["settings"]
    target = next(one for one in offer if one["name"] == "target_score")
    assert (target["usual"], target["options"]) == ("9", [])
    assert "points" in target["text"]
    [ties] = [one for one in offer if one["name"] == "bid_ties"]
    assert ties["options"] == ["only_the_top", "any_tie"]
    seats = [{"name": "Ann", "kind": "human"}, {"name": "Ben", "kind": "human"}]
    chosen = [{"name": "target_score", "value": "7"}, {"name": "bid_ties", "value": "any_tie"}]
    done = running.post(host, "host/open", game=0, seats=seats, settings=chosen)
    table = load_table(running.service.store, done.json()["result"]["table"])
    assert (table.game.linked.settings["target_score"], table.game.linked.settings["bid_ties"]) == (
        7,
        "any_tie",
    )
    wrong = [{"name": "target_score", "value": "900"}]
    refused = running.post(host, "host/open", game=0, seats=seats, settings=wrong)
    assert refused.status_code == 409
    assert "target_score" in refused.json()["error"]
    campaign = running.post(
        host, "host/open", game=0, seats=seats, settings=chosen, campaign="Winter"
    )
    assert campaign.status_code == 400


def test_the_settings_of_a_game_are_offered_in_the_language_of_the_page(running):
    host = running.service.door.host_token

    def texts(code):
        offer = running.post(host, "host/offer", game=0, language=code).json()["result"]
        return {one["name"]: one["text"] for one in offer["settings"]}

    german, english = texts("de"), texts("en")
    assert german.keys() == english.keys()
    assert german["space_limit"] == "Wie viele Steine auf ein Feld passen"
    assert not [name for name in german if german[name] == english[name]]
    assert texts("xx") == english
