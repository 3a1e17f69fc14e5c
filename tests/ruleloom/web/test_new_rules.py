"""The host takes a table to the rules of now: told first, stored whole, seen in everybody's log, and back."""

from __future__ import annotations

import pytest

from ruleloom.api.facade import new_game
from ruleloom.runtime.play.game import parts
from ruleloom.runtime.program.state import state_hash
from ruleloom.web.live_table import load_table
from ruleloom.web.lobby import exported, imported, shelf_of
from ruleloom.web.new_rules import by_new_rules, newer, told_of_new_rules
from ruleloom.web.packs_here import packs_here
from ruleloom.web.table_store import TableStore
from tests.support.web_tables import served, table_of

MANIFEST = "kind: pack\nid: my-river\nversion: {version}\ngame: gnostica\nedition: 1\n"
CARD = (
    "- {{kind: major, id: ferry, title: Ferry, number: 40, effect: 'optional \"go\": use {use}'}}\n"
)


def own_pack(folder, version="1.0.0", use="create", items=CARD):
    """A pack on top of Gnostica with one card, in a folder."""
    folder.mkdir(exist_ok=True)
    (folder / "pack.yaml").write_text(MANIFEST.format(version=version), encoding="utf-8")
    (folder / "cards.yaml").write_text(items.format(use=use), encoding="utf-8")
    return str(folder)


def begun(pack: str, answers: int = 4):
    """A game of two with the pack, after some answers."""
    game = new_game("gnostica", ["Ann", "Ben"], 3, packs=[pack])
    for _ in range(answers):
        game = game.answer(game.prompt.id, game.prompt.options[0].key)
    return game


def test_a_table_keeps_its_seam_in_the_store_and_in_a_file(tmp_path):
    pack, store = own_pack(tmp_path / "river"), TableStore(tmp_path / "tables.db")
    live = table_of(begun(pack), store)
    before = exported(store, live.id)
    own_pack(tmp_path / "river", "1.1.0", "orient_minion")
    shelf = shelf_of(["gnostica", pack])
    told = told_of_new_rules(store, shelf, live.id)
    assert (told["same"], told["aside"], told["waits"], told["back"]) == (False, 0, "", None)
    assert any("my-river:major/ferry" in line for line in told["lines"])
    game = by_new_rules(store, shelf, live.id, told["answers"], "")
    seen = len(live.notes[0].pages)
    live.change_rules(game, told["answers"])
    line = "from here on the rules are other ones: my-river 1.0.0 -> 1.1.0"
    for notes in live.notes.values():
        assert any(line in one.text for page in notes.pages for one in page.lines)
    assert len(live.notes[0].pages) >= seen
    again = load_table(store, live.id)
    assert state_hash(again.game.state) == state_hash(live.game.state)
    live.take(live.game.answer(live.game.prompt.id, live.game.prompt.options[0].key))
    again = load_table(store, live.id)
    assert state_hash(again.game.state) == state_hash(live.game.state)
    text = exported(store, live.id)
    assert text.startswith(before)
    copy = load_table(store, imported(store, text).id)
    assert state_hash(copy.game.state) == state_hash(live.game.state)
    assert len(parts(copy.game)) == 2
    assert told_of_new_rules(store, shelf, live.id)["back"] == len(live.game.entries)
    store.remove(copy.id)
    store.close()


def test_the_host_sees_that_another_version_lies_here(tmp_path):
    pack = own_pack(tmp_path / "river", "1.1.0")
    here = packs_here(shelf_of(["gnostica", pack]))
    assert here["my-river"] == [(pack, "my-river", "1.1.0", "gnostica", ())]
    gnostica = here["gnostica"][0].version
    assert newer({"my-river": "1.0.0", "gnostica": gnostica, "lost": "1.0.0"}, here) == [
        "my-river 1.0.0 -> 1.1.0"
    ]


@pytest.mark.parametrize("aside", [False, True])
def test_over_the_network_the_host_alone_goes_on_and_back(tmp_path, aside):
    pack = own_pack(tmp_path / "river")
    with served(packs=("gnostica", pack)) as running:
        store, host = running.service.store, running.service.door.host_token
        id = table_of(begun(pack), store).id
        own_pack(tmp_path / "river", "1.1.0", "orient_minion", "[]\n" if aside else CARD)
        (listed,) = running.post(host, "host/tables").json()["result"]["tables"]
        assert listed["newer"] == ["my-river 1.0.0 -> 1.1.0"]
        seat = running.token(id, 0)
        for path in ("newer_rules", "new_rules"):
            assert (
                running.post(seat, f"host/{path}", table=id, answers=0, back=False).status_code
                == 401
            )
        told = running.post(host, "host/newer_rules", table=id).json()["result"]
        assert (told["aside"] > 0) == aside, told
        wanted = {"table": id, "answers": told["answers"], "back": False}
        stale = running.post(host, "host/new_rules", **{**wanted, "answers": 0})
        assert stale.json()["error"].startswith("somebody has answered meanwhile")
        if aside:
            assert running.post(host, "host/new_rules", **wanted).status_code == 409
            wanted["agreed"] = "nobody drew it"
        before = running.post(host, "host/export", table=id).json()["result"]
        with running.watching(seat) as page:
            page.next()
            assert running.post(host, "host/new_rules", **wanted).status_code == 200
            log = str(page.next()["log"])
            assert "from here on the rules are other ones: my-river 1.0.0 -> 1.1.0" in log
            assert ("one thing is set aside" in log) == aside
        (listed,) = running.post(host, "host/tables").json()["result"]["tables"]
        assert listed["newer"] == []
        back = {"table": id, "answers": 0, "back": True}
        assert running.post(host, "host/new_rules", **back).status_code == 200
        assert running.post(host, "host/export", table=id).json()["result"] == before
        assert (
            running.post(host, "host/new_rules", **{**back, "answers": told["answers"]})
            .json()["error"]
            .startswith("this table has had the same rules")
        )


def test_the_host_lets_packs_come_and_leave(tmp_path):
    pack, other = own_pack(tmp_path / "river"), tmp_path / "hill"
    other.mkdir()
    text = MANIFEST.format(version="1.0.0").replace("my-river", "my-hill")
    (other / "pack.yaml").write_text(text, encoding="utf-8")
    card = CARD.format(use="create").replace("ferry", "barrow").replace("Ferry", "Barrow")
    (other / "cards.yaml").write_text(card.replace("40", "41"), encoding="utf-8")
    with served(packs=("gnostica", pack, str(other))) as running:
        store, host = running.service.store, running.service.door.host_token
        id = table_of(begun(pack), store).id
        told = running.post(host, "host/newer_rules", table=id).json()["result"]
        assert told["same"]
        packs = {one["id"]: (one["of_table"], one["in"]) for one in told["packs"]}
        assert (packs["my-river"], packs["my-hill"]) == ((True, True), (False, False))
        assert "gnostica" not in packs
        assert "moonstone" not in packs
        change = {"coming": ["my-hill"], "leaving": ["my-river"]}
        told = running.post(host, "host/newer_rules", table=id, **change).json()["result"]
        assert told["lines"][0].strip() == "my-hill is new, my-river is gone"
        there = {one["id"]: one["in"] for one in told["packs"]}
        assert (there["my-river"], there["my-hill"]) == (False, True)
        for name in ("nowhere", str(tmp_path / "river")):  # packs go by ids, and never by paths
            wrong = {"table": id, "coming": [name]}
            assert "lies here" in running.post(host, "host/newer_rules", **wrong).json()["error"]
        wanted = {"table": id, "answers": told["answers"], "back": False, "agreed": "so"}
        assert running.post(host, "host/new_rules", **wanted, **change).status_code == 200
        (listed,) = running.post(host, "host/tables").json()["result"]["tables"]
        assert set(listed["versions"]) == {"gnostica", "my-hill"}
