"""Campaigns: sessions one after the other, what has changed in the packs, and older files."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys

import httpx
import pytest

from ruleloom.runtime.program.faults import Refused
from ruleloom.table.seats import parse_seats
from ruleloom.web.app import Service, application
from ruleloom.web.live_table import load_table
from ruleloom.web.lobby import (
    Shelf,
    campaign_chronicle,
    campaigns_listed,
    listed,
    next_session,
    open_campaign,
)
from ruleloom.web.table_store import FORMAT, NotStored, TableStore
from tests.conftest import ROOT
from tests.support.web_tables import live_table, served

MANIFEST = "kind: pack\nid: my-river\nversion: {version}\ngame: gnostica\nedition: 1\n"
PLAYERS = "Ann=human,Ben=steady"


def begun(store: TableStore, *packs: str):
    """A campaign of two with its first session; the id of the campaign."""
    first = open_campaign(
        store, Shelf([packs]), 0, "The long *winter*", parse_seats(PLAYERS), False
    )
    assert store.campaigns()[0].lock == load_table(store, first.id).game.linked.program.lock
    return store.campaigns()[0].id


def own_pack(folder, version="1.0.0"):
    """A pack on top of Gnostica, in a folder."""
    folder.mkdir(exist_ok=True)
    (folder / "pack.yaml").write_text(MANIFEST.format(version=version), encoding="utf-8")
    return str(folder)


def test_the_next_session_has_the_same_packs_seats_and_names_also_after_a_restart(tmp_path):
    store = TableStore(tmp_path / "tables.db")
    live_table("Cara=human,steady", store=store)
    id = begun(store, "gnostica")
    store.close()
    store = TableStore(tmp_path / "tables.db")
    table, changes = next_session(store, id, [])
    assert changes == []
    first, second = store.sessions(id)
    assert second == table
    assert second.seats == first.seats
    assert second.program == first.program
    assert [one["id"] for one in campaigns_listed(store)[0]["tables"]] == [second.id, first.id]
    assert len(listed(store)) == 1  # the table of nobody's campaign


def test_changed_packs_are_told_before_the_session_begins(tmp_path, monkeypatch):
    store = TableStore(":memory:")
    monkeypatch.chdir(tmp_path)
    own_pack(tmp_path / "mine")
    id = begun(store, "gnostica", "mine")
    monkeypatch.chdir("/")  # the pack is found from anywhere
    own_pack(tmp_path / "mine", "1.1.0")
    told = ["pack my-river was 1.0.0 and is 1.1.0 now"]
    assert next_session(store, id, []) == (None, told)
    assert next_session(store, id, ["something else"]) == (None, told)
    assert len(store.sessions(id)) == 1
    table, _ = next_session(store, id, told)
    assert table is not None
    assert next_session(store, id, [])[1] == []
    (tmp_path / "mine" / "pack.yaml").write_text("nonsense")
    with pytest.raises(Refused, match=r"pack\.yaml"):
        next_session(store, id, [])
    assert len(store.sessions(id)) == 3


def test_the_chronicle_tells_all_sessions_in_their_order():
    store = TableStore(":memory:")
    id = begun(store, "gnostica")
    next_session(store, id, [])
    text = campaign_chronicle(store, id)
    heads = [line for line in text.splitlines() if line.startswith(("# ", "## ", "### "))]
    assert heads[0] == r"# The long \*winter\*"
    assert [head[:12] for head in heads[1:]] == [
        "## Session 1",
        "### Gnostica",
        "## Session 2",
        "### Gnostica",
    ]


def test_a_table_that_is_removed_leaves_the_campaign_and_a_campaign_leaves_its_tables():
    store = TableStore(":memory:")
    id = begun(store, "gnostica")
    next_session(store, id, [])
    first, second = store.sessions(id)
    store.remove(first.id)
    assert store.sessions(id) == [second]
    store.end_campaign(id)
    assert store.campaigns() == []
    assert [one["id"] for one in listed(store)] == [second.id]
    with pytest.raises(Refused, match="no such campaign"):
        next_session(store, id, [])


# ---------------------------------------------------------------------------------- the file


def as_format_1(path):
    """Make a file what a Ruleloom without campaigns had written."""
    db = sqlite3.connect(path)
    db.executescript("drop table sessions; drop table campaigns; pragma user_version = 1")
    db.close()


def test_an_older_file_is_brought_up_with_all_its_tables(tmp_path):
    path = tmp_path / "tables.db"
    table = live_table("Ann=human,Ben=human", store=TableStore(path))
    before = table.store.table(table.id)
    table.store.close()
    as_format_1(path)
    store = TableStore(path)
    assert store.table(table.id) == before
    assert load_table(store, table.id).game.state == table.game.state
    begun(store, "gnostica")
    assert store._read("pragma user_version") == [(FORMAT,)]


def test_an_older_file_that_another_process_holds_stays_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr("ruleloom.web.table_store.PATIENCE", 0.05)
    path = tmp_path / "tables.db"
    TableStore(path).close()
    as_format_1(path)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("begin immediate")
    with pytest.raises(NotStored, match="another process holds the file"):
        TableStore(path)
    holder.execute("rollback")
    assert holder.execute("pragma user_version").fetchone() == (1,)
    assert TableStore(path).campaigns() == []


def test_a_newer_file_is_refused_and_not_touched(tmp_path):
    path = tmp_path / "tables.db"
    TableStore(path).close()
    db = sqlite3.connect(path)
    db.execute(f"pragma user_version = {FORMAT + 1}")
    with pytest.raises(NotStored, match=f"newer version of Ruleloom: its format is {FORMAT + 1}"):
        TableStore(path)
    assert db.execute("pragma user_version").fetchone() == (FORMAT + 1,)


@pytest.mark.parametrize(
    ("pragma", "reason"), [("query_only = on", "read-only"), ("max_page_count = 1", "full")]
)
def test_a_session_that_cannot_be_stored_leaves_nothing_behind(tmp_path, pragma, reason):
    store = TableStore(tmp_path / "tables.db")
    id = begun(store, "gnostica")
    store._db.execute(f"pragma {pragma}")
    opened, told = 1, ""
    while not told:  # what is free in the file may have room for some
        try:
            next_session(store, id, [])
            opened += 1
        except NotStored as fault:
            told = str(fault)
    assert reason in told
    assert len(store.sessions(id)) == opened
    assert not store.tables_alone()


SESSIONS = """
import sys
sys.path.insert(0, sys.argv[3])
from ruleloom.web.lobby import next_session
from ruleloom.web.table_store import TableStore
store = TableStore(sys.argv[1])
while True:
    print(next_session(store, sys.argv[2], [])[0].id, flush=True)
"""


def test_kill_9_loses_no_session_that_was_shown(tmp_path):
    store = TableStore(tmp_path / "tables.db")
    id = begun(store, "gnostica")
    words = [sys.executable, "-c", SESSIONS, store.path, id, str(ROOT)]
    writer = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    shown = [writer.stdout.readline() for _ in range(3)]
    os.kill(writer.pid, signal.SIGKILL)
    shown += writer.stdout.read().splitlines(keepends=True)
    writer.wait()
    kept = [one.id for one in store.sessions(id)]
    whole = [line.strip() for line in shown if line.endswith("\n")]
    assert kept[1 : len(whole) + 1] == whole
    assert not store.tables_alone()  # no table without its place in the campaign


# ---------------------------------------------------------------------------------- over HTTP


def test_the_host_plays_a_campaign_and_nobody_else_sees_it():
    with served() as running:
        host = running.service.door.host_token
        seats = [{"name": "Ann", "kind": "human"}, {"name": "Ben", "kind": "steady"}]
        opened = running.post(host, "host/open", game=0, seats=seats, campaign="Winter").json()
        (campaign,) = running.post(host, "host/tables").json()["result"]["campaigns"]
        assert campaign["title"] == "Winter"
        assert campaign["players"] == ["Ann", "Ben"]
        more = running.post(host, "host/session", campaign=campaign["id"], agreed=[]).json()
        assert more["result"]["changes"] == []
        found = running.post(host, "host/tables").json()["result"]
        ids = [one["id"] for one in found["campaigns"][0]["tables"]]
        assert ids == [more["result"]["table"], opened["result"]["table"]]
        assert found["tables"] == []
        story = running.post(host, "host/story", campaign=campaign["id"]).json()["result"]
        assert story.startswith("# Winter\n\n## Session 1 (")
        seat = running.token(ids[0], 0)
        for path in ("session", "story", "end"):
            assert running.post(seat, f"host/{path}", campaign=campaign["id"]).status_code == 401
        assert running.post(host, "host/story", campaign="none").status_code == 409
        assert running.post(host, "host/end", campaign=campaign["id"]).status_code == 200
        assert len(running.post(host, "host/tables").json()["result"]["tables"]) == 2


@pytest.mark.parametrize(("asks_from", "leads"), [("127.0.0.1", True), ("192.168.0.7", False)])
def test_the_host_s_page_leads_to_the_workbench_only_where_it_works(asks_from, leads):
    service = Service(TableStore(":memory:"), Shelf([("gnostica",)]), ("http://table",))
    service.workbench = True
    transport = httpx.ASGITransport(
        application(service, ["http://table"]), client=(asks_from, 5000)
    )

    async def asked() -> httpx.Response:
        async with httpx.AsyncClient(transport=transport, base_url="http://table") as client:
            token = {"authorization": f"Bearer {service.door.host_token}"}
            return await client.post("/api/host/tables", json={}, headers=token)

    assert asyncio.run(asked()).json()["result"]["workbench"] is leads
