"""Attacks on the server of the browser table, over raw sockets on the loopback: each is refused, and
the server goes on serving."""

from __future__ import annotations

import json
import socket
import time

import httpx
import pytest
from websockets import Origin
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from ruleloom.table.seats import parse_seats
from ruleloom.web import server
from ruleloom.web.app import AT_TABLE, FOR_HOST
from ruleloom.web.lobby import open_table
from ruleloom.web.requests import BURST, MOST_WRONG, SPECTATOR
from ruleloom.workbench.addresses import FILE_WORK
from tests.support.web_tables import program, served


@pytest.fixture(scope="module")
def running():
    with served() as found:
        seats = parse_seats("Ann=human,Ben=human")
        found.table = open_table(found.service.store, program("gnostica"), seats, 3).id
        yield found


def raw(running, request: bytes, wait: float = 5.0) -> bytes:
    """Send these bytes, and return all that comes until the server closes, or nothing more does."""
    with socket.create_connection(("127.0.0.1", running.port), timeout=wait) as connection:
        connection.sendall(request)
        found = b""
        try:
            while piece := connection.recv(65536):
                found += piece
                if b"\r\n\r\n" in found and complete(found):
                    break
        except (TimeoutError, ConnectionError):
            pass
    return found


def complete(answer: bytes) -> bool:
    head, _, body = answer.partition(b"\r\n\r\n")
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return len(body) >= int(line.partition(b":")[2])
    return head.startswith(b"HTTP/1.1 101")


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1]) if answer else 0


def request(running, method="GET", path="/", body=b"", **headers: str) -> bytes:
    """A request of a browser that means well, but for what is said otherwise."""
    usual = {"Host": f"127.0.0.1:{running.port}", "Content-Length": str(len(body))}
    lines = {**usual, **{name.replace("_", "-"): value for name, value in headers.items()}}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value)
    return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("latin-1") + body


def answer_request(running, **headers: str) -> bytes:
    token = running.token(running.table, 0)
    usual = {"Authorization": f"Bearer {token}", "Content_Type": "application/json"}
    return request(running, "POST", "/api/log", b"{}", **{**usual, **headers})


def test_what_a_browser_sends_is_answered(running):
    """Or the refusals below would say nothing."""
    assert status(raw(running, request(running))) == 200
    assert status(raw(running, answer_request(running))) == 200
    own = f"http://127.0.0.1:{running.port}"
    assert status(raw(running, answer_request(running, Origin=own))) == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:{port}.evil.example", "127.0.0.1:1", "localhost:{port}@evil.example", ""],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/", "/static/en.json", "/api/stream", "/nothing"])
def test_a_name_that_resolves_to_us_reads_nothing(running, host, path):
    """DNS rebinding: the browser believes that it is another site's own server."""
    refused = raw(running, request(running, path=path, Host=host.format(port=running.port)))
    assert status(refused) in (400, 421)
    assert b"ruleloom" not in refused.lower()


def test_two_hosts_are_refused(running):
    twice = request(running).replace(b"\r\n\r\n", b"\r\nHost: evil.example\r\n\r\n")
    assert status(raw(running, twice)) in (400, 421)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:{port}"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_another_site_writes_nothing(running, headers):
    filled = {name: value.format(port=running.port) for name, value in headers.items()}
    assert status(raw(running, answer_request(running, **filled))) == 403


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_what_a_form_can_send_is_refused(running, kind):
    assert status(raw(running, answer_request(running, Content_Type=kind))) == 415


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH"])
def test_other_methods_are_refused(running, method):
    refused = raw(running, request(running, method, "/"))
    assert status(refused) in (400, 405)
    assert b"access-control" not in refused.lower()


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static/%252e%252e/app.py",
        "/static/..\\app.py",
        "//etc/passwd",
        "/static//etc/passwd",
        "/static/%00index.html",
        "/static/js",
        "/static/",
        "/t/../api/log",
        "http://evil.example/",
        "/" + "a" * 5_000,
    ],
)
def test_nothing_outside_the_page_is_read(running, path):
    refused = raw(running, request(running, path=path))
    assert status(refused) in (400, 404)
    assert b"import" not in refused
    assert b"root:" not in refused


@pytest.mark.parametrize(
    "headers",
    [
        b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
        b"Content-Length: 2\r\nContent-Length: 3\r\n",
        b"Content-Length: +2\r\n",
        b"Content-Length: -1\r\n",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
        b"Transfer-Encoding: xchunked\r\n",
        b"Content-Length : 2\r\n",
    ],
)
def test_a_request_in_a_request_is_refused(running, headers):
    """Smuggling: what stands behind the first request must never be taken for another."""
    token = running.token(running.table, 0)
    head = (
        f"POST /api/log HTTP/1.1\r\nHost: 127.0.0.1:{running.port}\r\n"
        f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n"
    ).encode()
    hidden = request(running, path="/static/en.json")
    found = raw(running, head + headers + b"\r\n" + b"{}" + hidden, wait=3)
    assert status(found) in (400, 501), found[:200]
    assert b"not_asked" not in found


def test_a_body_that_is_too_large_is_refused_before_it_is_read(running):
    huge = answer_request(running, Content_Length=str(10**9))
    start = time.monotonic()
    assert status(raw(running, huge)) == 413
    assert time.monotonic() - start < 5
    chunked = answer_request(running, Content_Length="", Transfer_Encoding="chunked")[:-2]
    pieces = b"".join(b"4000\r\n" + b"x" * 0x4000 + b"\r\n" for _ in range(8))
    assert status(raw(running, chunked + pieces)) == 413


def test_a_head_that_is_too_large_is_refused(running):
    refused = raw(running, request(running, X_Long="x" * 100_000))
    assert status(refused) in (0, 400, 431)


def test_whoever_sends_nothing_is_not_waited_for(running, monkeypatch):
    monkeypatch.setattr(server, "SLOWEST_HEAD", 0.4)
    start = time.monotonic()
    for request_ in (b"", b"GET / HTT", b"GET / HTTP/1.1\r\nHost: 127"):
        assert raw(running, request_, wait=5) == b""
    assert time.monotonic() - start < 4
    with socket.create_connection(("127.0.0.1", running.port), timeout=5) as slow:
        try:  # byte by byte does not help
            for (
                byte
            ) in b"GET / HTTP/1.1\r\nHost: x\r\nX: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy":
                slow.sendall(bytes([byte]))
                time.sleep(0.02)
            assert slow.recv(10) == b""
        except ConnectionError:
            pass
    assert status(raw(running, request(running))) == 200


def test_a_slow_body_is_not_waited_for(running, monkeypatch):
    monkeypatch.setattr("ruleloom.web.requests.SLOWEST_BODY", 0.4)
    start = time.monotonic()
    assert status(raw(running, answer_request(running, Content_Length="50"), wait=5)) == 408
    assert time.monotonic() - start < 4


UPGRADE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec_WebSocket_Version": "13",
    "Content_Length": "",
}


def test_a_socket_of_another_site_is_refused(running):
    own = f"http://127.0.0.1:{running.port}"
    opened = raw(running, request(running, path="/api/socket", Origin=own, **UPGRADE), wait=1)
    assert status(opened) == 101
    for origin in ("http://evil.example", "null", f"{own}.evil.example", ""):
        refused = request(running, path="/api/socket", Origin=origin, **UPGRADE)
        assert status(raw(running, refused, wait=1)) == 403, origin
    rebound = request(
        running, path="/api/socket", Origin=own, **{**UPGRADE, "Host": "evil.example"}
    )
    assert status(raw(running, rebound, wait=1)) == 403


def test_a_socket_without_a_token_is_closed_and_sends_nothing(running, monkeypatch):
    monkeypatch.setattr("ruleloom.web.hall.HELLO", 0.3)
    for hello in ('{"token": "guess"}', "[]", "nonsense", '{"token": 7}', None):
        found = socket_frames(running, hello)
        assert found[:1] == b"\x88", (hello, found)  # a close, and nothing before it
        assert found[2:4] == (4401).to_bytes(2, "big")


def socket_frames(running, hello: str | None) -> bytes:
    """Open a socket, send this as its first message, and return what comes."""
    own = f"http://127.0.0.1:{running.port}"
    with socket.create_connection(("127.0.0.1", running.port), timeout=4) as connection:
        connection.sendall(request(running, path="/api/socket", Origin=own, **UPGRADE))
        head = b""
        while b"\r\n\r\n" not in head:
            head += connection.recv(4096)
        found = head.partition(b"\r\n\r\n")[2]
        if hello is not None:
            text = hello.encode()
            connection.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)
        while len(found) < 4:
            piece = connection.recv(4096)
            if not piece:
                break
            found += piece
    return found


def test_guessed_tokens_open_nothing_and_shut_nobody_out(running):
    statuses = [
        running.post(f"guess-{number}", "log").status_code for number in range(MOST_WRONG + 5)
    ]
    assert statuses[0] == 401
    assert statuses[-1] == 429
    assert running.post(running.token(running.table, 0), "log").status_code == 200


def test_a_seat_does_nothing_that_is_the_host_s_and_the_host_sits_nowhere(running):
    seat = running.token(running.table, 0)
    for path in ("tables", "open", "link", "export", "remove", "import"):
        found = running.post(seat, f"host/{path}", table=running.table, seat=1)
        assert found.status_code == 401, path
    host = running.service.door.host_token
    assert running.post(host, "host/tables").status_code == 200
    assert running.post(host, "answer", prompt="1", keys=[]).status_code == 401


def test_whoever_asks_too_often_is_told_to_wait_and_nobody_else_is(running, monkeypatch):
    monkeypatch.setattr("ruleloom.web.requests.RATE", 0.1)
    token = running.token(running.table, SPECTATOR)
    other = running.token(running.table, 1)
    request_ = request(running, path="/static/mark.svg", Authorization=f"Bearer {token}")
    statuses = []
    with socket.create_connection(("127.0.0.1", running.port), timeout=10) as connection:
        for _ in range(BURST + 5):
            connection.sendall(request_)
            found = b""
            while not (b"\r\n\r\n" in found and complete(found)):
                piece = connection.recv(65536)
                if not piece:
                    break
                found += piece
            statuses.append(status(found))
            if statuses[-1] != 200:
                break
    assert statuses[-1] == 429
    assert running.post(other, "log").status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        b"", b"[]", b"{", b"null", b"\xff\xfe", b'{"prompt": 7, "keys": []}', b'{"prompt": "1"}',
        b'{"prompt": "1", "keys": "do"}', b'{"prompt": "1", "keys": [1]}', b"[" * 30_000,
        b'{"prompt": "1", "keys": [' + b'"x",' * 600 + b'"x"]}', b'{"prompt": "' + b"9" * 60 + b'", "keys": []}',
    ],
)  # fmt: skip
def test_nonsense_is_refused_in_words(running, body):
    token = running.token(running.table, 0)
    sent = request(running, "POST", "/api/answer", body, Authorization=f"Bearer {token}", Content_Type="application/json")  # fmt: skip
    found = raw(running, sent)
    assert status(found) == 400, found[:300]
    assert json.loads(found.partition(b"\r\n\r\n")[2])["error"]


HALF = json.dumps({"name": "\ud800"})
NO_TABLES = {
    "half a character": HALF,
    "half a character as a name": json.dumps({"\udfff": 1}),
    "half a character inside": json.dumps({"seats": [{"name": ["\ud800"]}]}),
    "deep": '{"x":' + "[" * 5_000 + "]" * 5_000 + "}",
    "not so deep": '{"x":' + "[" * 40 + "]" * 40 + "}",
    "unended": '{"x":' + '{"x":' * 900,
    "digits": '{"seed":' + "9" * 5_000 + "}",
}


@pytest.mark.parametrize("body", NO_TABLES.values(), ids=NO_TABLES)
def test_what_is_no_table_of_text_is_refused_on_every_route(running, client, body, monkeypatch):
    monkeypatch.setattr("ruleloom.web.requests.RATE", 10_000.0)
    for path, token in routes(running):
        found = posted(client, running, path, token, body)
        assert found.status_code == 400, path
        assert "JSON" in found.json()["error"]


@pytest.mark.parametrize(
    "value", [10**400, -(2**53), "\u202e", "x" * 6_000, [], {}, None, True, [[[]]], "\u0007"]
)
def test_a_field_of_any_kind_breaks_no_route(running, client, value, monkeypatch):
    monkeypatch.setattr("ruleloom.web.requests.RATE", 10_000.0)
    fields = [
        *("prompt", "keys", "agrees", "what", "value", "reason", "name", "full", "game", "seats", "seed"),
        *("campaign", "agreed", "table", "seat", "kind", "save", "data", "pack", "text", "mark", "real_dice"),
    ]  # fmt: skip
    usual = {"game": 0, "seats": [{"name": "A", "kind": "human"}, {"name": "B", "kind": "human"}]}
    for path, token in routes(running):
        for body in (dict.fromkeys(fields, value), {**usual, "seed": value, "campaign": ""}):
            found = posted(client, running, path, token, json.dumps(body))
            assert found.status_code < 500 or "could not be stored" in found.text, (
                path,
                found.text,
            )
            assert found.json()


def routes(running):
    """The address of every route, with a token for it."""
    yield from ((path, running.token(running.table, 1)) for path in AT_TABLE)
    host = running.service.door.host_token
    yield from ((f"host/{path}", host) for path in FOR_HOST)
    yield from ((f"bench/{path}", host) for path in FILE_WORK)


@pytest.fixture(scope="module")
def client():
    with httpx.Client(timeout=30) as found:
        yield found


def posted(client, running, path: str, token: str, body: str) -> httpx.Response:
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    return client.post(f"{running.url}/api/{path}", content=body, headers=headers)


def test_a_socket_that_says_what_cannot_be_meant_is_closed(running):
    for hello in (
        HALF,
        NO_TABLES["deep"][:4_000],
        NO_TABLES["not so deep"],
        '{"token": ' + "9" * 400 + "}",
    ):
        for path in ("socket", "bench/socket"):
            with connect(
                f"ws://127.0.0.1:{running.port}/api/{path}", origin=Origin(running.url)
            ) as socket_:
                socket_.send(hello)
                with pytest.raises(ConnectionClosed, match="4401"):
                    socket_.recv(timeout=5)


def test_every_answer_carries_the_policy(running):
    for path in ("/", "/static/js/main.js", "/api/nothing", "/nothing"):
        head = raw(running, request(running, path=path)).partition(b"\r\n\r\n")[0].decode().lower()
        assert "content-security-policy: default-src 'none'" in head, path
        assert "x-content-type-options: nosniff" in head
        assert "x-frame-options: deny" in head
        assert "access-control-allow" not in head
        assert "server:" not in head
