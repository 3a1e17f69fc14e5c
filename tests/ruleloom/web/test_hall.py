"""Tables beside one another: one that hangs hangs no other, pages get what has changed, and what
nobody looks at is let go."""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from ruleloom.table.seats import parse_seats
from ruleloom.web.hall import (
    MOST_LISTENERS,
    MOST_OF_ONE,
    Crowded,
    OpenPage,
    _make_room,
    _Room,
)
from ruleloom.web.live_table import LiveTable
from ruleloom.web.lobby import open_table
from ruleloom.web.requests import SPECTATOR
from tests.support.web_tables import program, served

PATIENCE = 0.6


@pytest.fixture(scope="module")
def running():
    with served(patience=PATIENCE) as found:
        yield found


def table_for(running, players, seed=3):
    return open_table(running.service.store, program("gnostica"), parse_seats(players), seed).id


def is_asked(view):
    return view["panel"] is not None


def first_keys(asked):
    return asked["fields"][0]["options"][0]["keys"]


def test_every_page_is_sent_what_its_seat_sees_and_who_is_there(running):
    id = table_for(running, "Ann=human,Ben=human")
    tokens = [running.token(id, seat) for seat in (0, 1, SPECTATOR)]
    with running.watching(tokens[0]) as ann, running.watching(tokens[2]) as onlooker:
        first = ann.until(is_asked)
        assert onlooker.next()["panel"] is None
        with running.watching(tokens[1]) as ben:
            assert ben.until(is_asked)["board"]["hand"] != first["board"]["hand"]
            while ann.next("here")["seats"] != [-1, 0, 1]:
                pass
            asked = first["panel"]
            done = running.post(tokens[0], "answer", panel=asked["id"], answers=[first_keys(asked)])  # fmt: skip
            assert done.json() == {"ok": True, "result": None}
            after = ann.until(lambda view: view["stamp"] > first["stamp"])
            assert after["panel"] is None
            assert [one["to_act"] for one in after["seats"]] == [False, True]
            hidden = {card["title"] for card in first["board"]["hand"]}
            public = {s["card"]["title"] for s in first["board"]["spaces"] if s["card"]}
            for frame in [*ben.frames, *onlooker.frames]:
                assert not [title for title in hidden - public if f'"{title}"' in frame]


def test_a_table_that_hangs_hangs_no_other(running, monkeypatch, request):
    stuck, fine = table_for(running, "Ann=human,Ben=human"), table_for(running, "Ann=human,Ben=human")  # fmt: skip
    go_on = threading.Event()
    request.addfinalizer(go_on.set)
    real = LiveTable.answer

    def slow(table, seat, id, answers):
        if table.id == stuck:
            go_on.wait(20)
        real(table, seat, id, answers)

    monkeypatch.setattr(LiveTable, "answer", slow)
    with running.watching(running.token(stuck, 0)) as ann:
        asked = ann.until(is_asked)["panel"]
        answer = {"panel": asked["id"], "answers": [first_keys(asked)]}
        start = time.monotonic()
        held = running.post(running.token(stuck, 0), "answer", **answer)
        assert held.status_code == 503
        assert "very long" in held.json()["error"]
        assert time.monotonic() - start < PATIENCE + 5
        assert running.post(running.token(stuck, 1), "log").status_code == 503  # at once
        assert running.post(running.token(fine, 0), "log").status_code == 200
        go_on.set()
        after = ann.until(lambda view: view["panel"] is None)  # what came of it is shown
        assert [one["to_act"] for one in after["seats"]] == [False, True]
    until = time.monotonic() + 5
    while running.post(running.token(stuck, 1), "log").status_code != 200:
        assert time.monotonic() < until
        time.sleep(0.02)


def test_bots_answer_one_after_the_other_without_being_called(running):
    id = table_for(running, "Ann=human,steady,steady")
    token = running.token(id, 0)
    with running.watching(token) as ann:
        view = ann.until(is_asked)
        for _ in range(6):
            asked = view["panel"]
            field = asked["fields"][0]
            keys = [key for option in field["options"] for key in option["keys"]]
            answers = [keys[: max(1, field["least"])]]
            running.post(token, "answer", panel=asked["id"], answers=answers)
            view = ann.until(lambda v, old=view: is_asked(v) and v["stamp"] > old["stamp"])
        assert {one["kind"] for one in view["seats"]} == {"human", "steady"}


def test_a_stream_of_events_says_the_same(running):
    id = table_for(running, "Ann=human,Ben=human")
    headers = {"authorization": f"Bearer {running.token(id, 0)}"}
    with httpx.stream("GET", f"{running.url}/api/stream", headers=headers, timeout=10) as stream:
        line = next(line for line in stream.iter_lines() if line.startswith("data: "))
    with running.watching(running.token(id, 0)) as ann:
        assert ann.socket.recv(timeout=5) == line.removeprefix("data: ")


def test_links_that_are_forgotten_open_nothing_and_close_open_pages(running):
    id = table_for(running, "Ann=human,Ben=human")
    token = running.token(id, 1)
    host = running.service.door.host_token
    with running.watching(token) as ben:
        ben.until(is_asked)
        assert running.post(host, "host/unlink", table=id, seat=1).status_code == 200
        with pytest.raises(ConnectionClosed, match="4401"):
            ben.until(lambda view: False)
    assert running.post(token, "log").status_code == 401


def test_a_link_that_is_open_too_often_closes_its_own_oldest_page(running):
    id = table_for(running, "Ann=human,Ben=human")
    with ExitStack() as pages:
        ben = pages.enter_context(running.watching(running.token(id, 1)))
        ben.until(is_asked)
        oldest, *_ = [
            pages.enter_context(running.watching(running.token(id, 0))) for _ in range(MOST_OF_ONE)
        ]
        oldest.until(is_asked)
        pages.enter_context(running.watching(running.token(id, 0))).until(is_asked)
        oldest.next("elsewhere")
        with pytest.raises(ConnectionClosed, match="4401"):
            oldest.next()
        assert len(running.service.hall._rooms[id].listeners) == MOST_OF_ONE + 1
        with pytest.raises(TimeoutError):  # and Ben's page stays
            ben.until(lambda view: False, timeout=0.3)


def test_a_full_table_takes_the_place_of_whoever_has_most_pages():
    room = _Room("table")
    for number in range(MOST_LISTENERS):
        room.listeners.append(
            OpenPage(0, b"few" if number < 3 else b"many %d" % (number // MOST_OF_ONE))
        )
    oldest = next(one for one in room.listeners if one.link == b"many 1")
    _make_room(room, b"new")
    assert oldest.closed
    assert len(room.listeners) == MOST_LISTENERS - 1
    full = _Room("table", listeners=[OpenPage(0, b"%d" % one) for one in range(MOST_LISTENERS)])
    with pytest.raises(Crowded):
        _make_room(full, b"new")


def test_a_table_that_nobody_looks_at_is_let_go_and_found_again(running):
    id = table_for(running, "Ann=human,Ben=human")
    before = running.post(running.token(id, 0), "log").json()
    assert id in running.service.hall._rooms
    running.service.hall.let_go(after=0)
    assert id not in running.service.hall._rooms
    assert running.post(running.token(id, 0), "log").json() == before


def test_a_table_that_is_removed_is_gone(running):
    id = table_for(running, "Ann=human,Ben=human")
    token, host = running.token(id, 0), running.service.door.host_token
    assert running.post(token, "log").status_code == 200
    assert running.post(host, "host/remove", table=id).status_code == 200
    assert running.post(token, "log").status_code == 401
    assert running.post(host, "host/link", table=id, seat=0).status_code == 404


def test_the_host_opens_changes_and_exports_a_table(running):
    host = running.service.door.host_token
    seats = [{"name": "Ann", "kind": "human"}, {"name": "Ben", "kind": "greedy"}]
    offered = running.post(host, "host/offer", game=0).json()["result"]
    assert (offered["title"], offered["greedy"], offered["most"]) == ("Gnostica", True, 6)
    id = running.post(host, "host/open", game=0, seats=seats, seed=4).json()["result"]["table"]
    assert running.post(host, "host/seat", table=id, seat=1, kind="human").status_code == 200
    bad = running.post(host, "host/open", game=0, seats=[{"name": "A=b", "kind": "human"}] * 2)
    assert (bad.status_code, bad.json()["error"]) == (400, "`A=b` cannot be a name")
    for seed, status in ((2**53 - 1, 200), (2**53, 400), (10**400, 400), ("7", 400)):
        assert running.post(host, "host/open", game=0, seats=seats, seed=seed).status_code == status
    save = running.post(host, "host/export", table=id).json()["result"]
    again = running.post(host, "host/import", save=save).json()["result"]["table"]
    assert again != id
    assert "<html" in running.post(host, "host/chronicle", table=again).json()["result"]
    assert running.post(host, "host/import", save="nonsense").status_code == 400
