"""What the host sends in: packs are read as any archive, and nothing hostile gets to the shelf."""

from __future__ import annotations

import base64
import io
import re
import zipfile
from pathlib import Path

import pytest

from ruleloom.api.facade import new_game
from ruleloom.runtime.program.faults import Refused
from ruleloom.table.seats import HUMAN, Seat
from ruleloom.web.live_table import load_table
from ruleloom.web.lobby import Shelf, keep, shelf_of
from ruleloom.web.new_rules import newer, told_of_new_rules
from ruleloom.web.packs_here import language_here, packs_here
from ruleloom.web.table_store import TableStore
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


def small_pack(id: str, version: str = "1.0.0", requires: str = "{}") -> str:
    """A pack on top of Gnostica with nothing in it, zipped."""
    head = f"kind: pack\nid: {id}\nversion: {version}\ngame: gnostica\nedition: 1\n"
    return zipped(**{"pack.yaml": f"{head}requires: {requires}\n"})


def test_of_two_packs_of_one_id_none_is_taken_in_silence(tmp_path):
    """A server may have two states of a pack; whoever needs "the" pack is told of both files."""
    shelf = Shelf([("gnostica",)], tmp_path)

    def take(name: str, data: str) -> int:
        return shelf.take_in(name, base64.b64decode(data))

    lamps = small_pack("lamps")
    take("old.zip", lamps)
    wicks = take("wicks.zip", small_pack("wicks", requires="{lamps: '*'}"))
    assert [lock.pack for lock in shelf.program(wicks).lock] == ["gnostica", "lamps", "wicks"]
    take("copy.zip", lamps)  # the very same pack
    take("oil.zip", small_pack("oil", requires="{lamps: '*'}"))
    take("new.zip", small_pack("lamps", "1.1.0"))
    with pytest.raises(Refused, match="two packs are called `lamps`") as refused:
        take("more.zip", small_pack("more", requires="{lamps: '*'}"))
    assert {"old-", "new-"} <= {*re.findall("old-|new-", str(refused.value))}
    assert not [*tmp_path.glob("more-*")]
    again = shelf_of(["gnostica"], tmp_path)  # it starts, and says so where the game is opened
    number = next(n for n, packs in enumerate(again.games) if "wicks-" in packs[0])
    with pytest.raises(Refused, match="two packs are called `lamps`"):
        again.program(number)


def test_rules_of_now_that_are_two_are_told(tmp_path):
    for name, version in (("old", "1.0.0"), ("new", "1.1.0")):
        (tmp_path / f"{name}.zip").write_bytes(base64.b64decode(small_pack("lamps", version)))
    game = new_game("gnostica", ["Ann", "Ben"], 3, packs=[tmp_path / "old.zip"])
    store = TableStore(":memory:")
    id = keep(store, game, [Seat(name, HUMAN) for name in game.players]).id
    alone = Shelf([("gnostica",), (str(tmp_path / "old.zip"),)])
    assert told_of_new_rules(store, alone, id)["same"]
    both = Shelf([*alone.games, (str(tmp_path / "new.zip"),)])
    assert newer({"lamps": "1.0.0"}, packs_here(both)) == ["lamps 1.0.0 -> 1.1.0"]
    with pytest.raises(Refused, match=r"two packs are called `lamps`.*old\.zip"):
        told_of_new_rules(store, both, id)
    assert language_here(game.linked.original.program, "de", both).code == "de"
