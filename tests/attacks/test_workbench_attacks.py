"""Attacks on the files of packs through the workbench, with raw requests: nothing outside of the packs
is read or written, and nobody but the host at this machine gets anywhere."""

from __future__ import annotations

import asyncio
import json
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest
from websockets import Origin
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from ruleloom.table.seats import parse_seats
from ruleloom.web.app import application
from ruleloom.web.lobby import open_table
from ruleloom.workbench import addresses as language_socket
from ruleloom.workbench.addresses import FILE_WORK, Workbench
from tests.attacks.test_web_server import UPGRADE, raw, request, status
from tests.support.command import call
from tests.support.web_tables import program, served

SECRET = "this is nobody's business"


@pytest.fixture(autouse=True)
def _as_often_as_one_likes(monkeypatch):
    """How often somebody may ask is tested elsewhere."""
    monkeypatch.setattr("ruleloom.web.requests.RATE", 10_000.0)


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    place = tmp_path_factory.mktemp("bench")
    (place / "secret.yaml").write_text(SECRET)
    assert call("new", "pack", "my-pack", "--game", "gnostica", "--in", place).code == 0
    pack = place / "my-pack"
    (pack / "link.yaml").symlink_to(place / "secret.yaml")
    (pack / "away").symlink_to(place)
    with served(packs=("gnostica", str(pack))) as found:
        found.table = open_table(found.service.store, program("gnostica"), parse_seats("Ann=human,Ben=human"), 3).id  # fmt: skip
        yield found


def place_of(running) -> Path:
    """The folder around the pack."""
    return Path(running.service.shelf.games[0][1]).parent


def sent(running, path: str, token: str | None = None, **data: object) -> tuple[int, dict]:
    """What a raw request is answered."""
    token = running.service.door.host_token if token is None else token
    body = json.dumps(data).encode()
    headers = {"Authorization": f"Bearer {token}", "Content_Type": "application/json"}
    answer = raw(running, request(running, "POST", f"/api/bench/{path}", body, **headers))
    assert SECRET.encode() not in answer
    return status(answer), json.loads(answer.partition(b"\r\n\r\n")[2] or b"{}")


def test_what_the_page_sends_is_answered(running):
    """Or the refusals below would say nothing."""
    found, answer = sent(running, "read", pack=0, name="pack.yaml")
    assert found == 200
    mark = answer["result"]["mark"]
    text = answer["result"]["text"]
    assert sent(running, "save", pack=0, name="pack.yaml", text=text, mark=mark)[0] == 200


NAMES = [
    "../secret.yaml", "..\\secret.yaml", "/etc/passwd", "/{place}/secret.yaml", "{place}/secret.yaml", "link.yaml",
    "away/secret.yaml", "away/new.yaml", "./../secret.yaml", "a/../../secret.yaml", "%2e%2e/secret.yaml", "..%2fsecret.yaml",
    "file:///etc/passwd.yaml", "pack.yaml\0.yaml", "../secret.yaml\0", ".ruleloom/x.yaml", "con.yaml/..", "~root/x.yaml", "......yaml", "\u202e.yaml",
    "conftest.py", "pack.yaml/", "\uff0e\uff0e/secret.yaml",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_leads_out_of_the_pack_reads_and_writes_nothing(running, name):
    name = name.replace("{place}", str(place_of(running)))
    before = sorted(str(one) for one in place_of(running).rglob("*"))
    for path, more in (
        ("read", {}),
        ("diff", {"text": "x"}),
        ("save", {"text": "mine", "mark": "0"}),
    ):
        assert sent(running, path, pack=0, name=name, **more)[0] == 400, path
    assert (place_of(running) / "secret.yaml").read_text() == SECRET
    assert sorted(str(one) for one in place_of(running).rglob("*")) == before


def test_a_folder_in_the_place_of_a_file_is_refused(running):
    folder = place_of(running) / "my-pack" / "folder.yaml"
    folder.mkdir(exist_ok=True)
    for path in ("read", "diff", "save"):
        found, answer = sent(running, path, pack=0, name="folder.yaml", text="x", mark="0")
        assert (found, "not an ordinary file" in answer["error"]) == (400, True)
    folder.rmdir()


@pytest.mark.parametrize(
    "name", ["../moth", "/moth", "a/b", ".moth", "moth.py", "Moth", "", "a" * 60, "moth\n", "-moth"]
)
def test_a_new_file_is_made_nowhere_else(running, name):
    before = sorted(str(one) for one in place_of(running).rglob("*"))
    for kind in ("major", "", "../major", "pack"):
        assert sent(running, "create", pack=0, kind=kind, name=name)[0] == 400
    assert sorted(str(one) for one in place_of(running).rglob("*")) == before


@pytest.mark.parametrize(
    "data",
    [
        {}, {"pack": 0}, {"pack": "0", "name": "pack.yaml"}, {"pack": 7, "name": "pack.yaml"}, {"pack": -1, "name": "pack.yaml"},
        {"pack": True, "name": "pack.yaml"}, {"pack": 0, "name": ["pack.yaml"]}, {"pack": 0, "name": None}, {"pack": 10**30, "name": "pack.yaml"},
    ],
)  # fmt: skip
def test_nonsense_is_refused_in_words(running, data):
    for path in ("read", "save", "diff"):
        found, answer = sent(running, path, **{"text": "x", "mark": "0", **data})
        assert found == 400
        assert answer["error"]


def test_a_seat_gets_nowhere(running):
    for token in (running.token(running.table, 0), running.token(running.table, -1), "guess", ""):
        for path in FILE_WORK:
            found, _ = sent(running, path, token, pack=0, name="pack.yaml", text="", mark="0")
            assert found in (401, 429), path
        assert socket_says(running, token) == 4401


def test_from_elsewhere_in_the_network_there_is_no_workbench(running):
    """The host's own token opens nothing, and even the page is not there."""
    app = application(
        running.service, ["http://127.0.0.1:1"], Workbench(running.service).addition()
    )
    headers = {"authorization": f"Bearer {running.service.door.host_token}"}

    async def asked(address: str) -> list[int]:
        transport = httpx.ASGITransport(app, client=(address, 5))
        url = "http://127.0.0.1:1"
        async with httpx.AsyncClient(transport=transport, base_url=url, headers=headers) as client:
            page = await client.get("/bench")
            files = await client.post("/api/bench/files", json={})
            return [page.status_code, files.status_code]

    assert asyncio.run(asked("127.0.0.1")) == [200, 200]
    assert asyncio.run(asked("192.168.1.7")) == [404, 401]
    assert asyncio.run(asked("::ffff:10.0.0.1")) == [404, 401]


def test_another_site_writes_nothing(running):
    token = running.service.door.host_token
    usual = {"Authorization": f"Bearer {token}", "Content_Type": "application/json"}
    for more in (
        {"Origin": "http://evil.example"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Content_Type": "text/plain"},
        {"Host": "evil.example"},
    ):
        body = json.dumps({"pack": 0, "name": "pack.yaml"}).encode()
        found = raw(running, request(running, "POST", "/api/bench/read", body, **{**usual, **more}))
        assert status(found) in (403, 415, 421), more
        assert b"version" not in found


def test_the_page_lets_in_styles_of_its_own_and_nothing_more(running):
    heads = [raw(running, request(running, path="/bench")).decode() for _ in range(2)]
    policies = [one.lower().partition("content-security-policy: ")[2].partition("\r\n")[0] for one in heads]  # fmt: skip
    assert policies[0] != policies[1]  # the nonce is another one each time
    for policy in policies:
        assert "style-src 'self' 'nonce-" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert "trusted-types 'none'" in policy
    assert "nonce" not in raw(running, request(running)).partition(b"\r\n\r\n")[0].decode()


# ---------------------------------------------------------------------------------- the socket


def test_a_socket_of_another_site_is_refused(running):
    for origin in ("http://evil.example", "null", ""):
        refused = request(running, path="/api/bench/socket", Origin=origin, **UPGRADE)
        assert status(raw(running, refused, wait=1)) == 403, origin


@contextmanager
def talk(running, *messages: str, token: str | None = None):
    """A socket that has said who it is, and these messages."""
    address = f"ws://127.0.0.1:{running.port}/api/bench/socket"
    with connect(address, origin=Origin(running.url)) as socket:
        token = running.service.door.host_token if token is None else token
        socket.send(json.dumps({"token": token}))
        for one in messages:
            socket.send(one)
        yield socket


def socket_says(running, token: str | None = None, *messages: str) -> int:
    """The code with which a socket is closed, perhaps before all messages have been sent."""
    try:
        with talk(running, *messages, token=token) as socket:
            for _ in range(100):
                assert SECRET not in str(socket.recv(timeout=5))
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd is not None else 0
    return 0


def told(method: str, **params: object) -> str:
    return "." + json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})


@pytest.mark.parametrize(
    "message",
    [
        "nonsense", ".", "", ".[]", ".{}", ".null", "." + "[" * 3_000, '.{"method": 7}', '.{"jsonrpc": "1.0", "method": "initialized"}',
        '.{"jsonrpc": "2.0", "method": "initialized", "params": []}',
        told("exit"), told("shutdown"), told("workspace/executeCommand", command="ruleloom.run", arguments=["/etc/passwd"]),
        told("textDocument/rename"), told("workspace/textDocumentContent", uri="file:///etc/passwd"), told("bench"),
        told("textDocument/didOpen", textDocument={"uri": "file:///etc/passwd.yaml", "languageId": "yaml", "version": 1, "text": "x"}),
        told("textDocument/didOpen", textDocument={"uri": "untitled:1", "languageId": "yaml", "version": 1, "text": "kind: major"}),
        told("textDocument/hover", textDocument={"uri": 7}), told("textDocument/hover", textDocument="x"),
    ],
)  # fmt: skip
def test_what_no_page_says_closes_the_socket(running, message):
    assert socket_says(running, None, message) == language_socket.NOT_UNDERSTOOD


def test_a_file_outside_of_the_packs_is_no_document(running):
    for name in (
        "secret.yaml",
        "my-pack/link.yaml",
        "my-pack/away/secret.yaml",
        "my-pack/../secret.yaml",
    ):
        uri = f"file://{place_of(running)}/{name}"
        for method in ("textDocument/hover", "bench/item", "bench/cases", "bench/form"):
            message = told(method, textDocument={"uri": uri}, line=0, character=0)
            assert socket_says(running, None, message) == language_socket.NOT_UNDERSTOOD, uri


def test_a_message_without_end_is_not_gathered(running, monkeypatch):
    monkeypatch.setattr(language_socket, "LARGEST", 50_000)
    assert socket_says(running, None, *["+" + "x" * 3_000] * 30) == language_socket.NOT_UNDERSTOOD


def test_so_many_workbenches_and_no_more(running):
    begin = told("initialize", processId=None, rootUri=None, capabilities={})
    with ExitStack() as opened:
        for _ in range(language_socket.MOST_OPEN):
            one = opened.enter_context(talk(running, begin))
            assert "capabilities" in str(one.recv(timeout=10))
        assert socket_says(running) == language_socket.CROWDED


def test_nothing_that_is_asked_writes_or_breaks(running):
    """Requests of the page with fields that are not what is asked for are refused in words."""
    uri = f"file://{place_of(running)}/my-pack/pack.yaml"
    before = (place_of(running) / "my-pack" / "pack.yaml").read_text()
    document = {"textDocument": {"uri": uri}, "version": 1}
    text = {"uri": uri, "languageId": "yaml", "version": 1, "text": before}
    place: dict[str, object] = {"line": 0, "character": 0}
    asked: list[tuple[str, dict[str, object]]] = [
        ("bench/item", {}), ("bench/item", {"line": "0", "character": 0}), ("bench/step", place), ("bench/play", place),
        ("bench/set", {"path": [], "value": 1, "kind": "pack", "number": 0}), ("bench/set", {"path": ["id"], "value": {}, "kind": "pack", "number": 0}),
        ("bench/set", {"path": [-1], "value": 1, "kind": "pack", "number": 0}), ("bench/set", {"path": ["id"] * 50, "value": 1, "kind": "pack", "number": 0}),
        ("bench/remove", {"path": ["id", True], "number": 0}), ("bench/nothing", {}), ("bench/set", {"path": ["id"], "value": [[1]], "kind": "pack", "number": 9}),
    ]  # fmt: skip
    messages = [
        "." + json.dumps({"jsonrpc": "2.0", "id": n, "method": m, "params": {**document, **more}})
        for n, (m, more) in enumerate(asked, 10)
    ]
    begin = told("initialize", processId=None, rootUri=None, capabilities={})
    opened = "." + json.dumps({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": text}})  # fmt: skip
    with talk(running, begin, opened, *messages) as socket:
        refused: set[int] = set()
        while len(refused) < len(asked):
            answer = json.loads(socket.recv(timeout=20))
            if answer.get("id", 0) >= 10:
                assert answer["error"]["message"], answer
                refused.add(answer["id"])
    assert (place_of(running) / "my-pack" / "pack.yaml").read_text() == before
