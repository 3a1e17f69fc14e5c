"""The command `ruleloom serve`: links, refusals in words, and tables that outlive a kill."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import click
import httpx
import pytest

from ruleloom.cli import verbs
from ruleloom.web.lobby import terminal_code
from ruleloom.web.server import LOOPBACK, address_of, bound
from tests.conftest import ROOT
from tests.support.command import call

COMMAND = "import sys; from ruleloom.cli.verbs import start; sys.exit(start(sys.argv[1:]))"
LINK = re.compile(r"(.+?): (http://127\.0\.0\.1:(\d+)/(?:t/([0-9a-f]+))?#(\S+))")


@contextmanager
def serving(*words: str | Path):
    """The command in a process of its own; the links that it has printed, by name."""
    command = [sys.executable, "-c", COMMAND, "serve", "--no-browser", *map(str, words)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    links = {}
    for line in process.stdout:
        found = LINK.match(line)
        if found is not None:
            links[found[1]] = found
        if "Ctrl-C" in line:
            break
    try:
        yield process, links
    finally:
        process.kill()
        process.wait(10)


def asked(link, path="log", **data):
    """Ask the server at a link for something."""
    headers = {"authorization": f"Bearer {link[5]}"}
    return httpx.post(
        f"http://127.0.0.1:{link[3]}/api/{path}", json=data, headers=headers, timeout=30
    )


def test_each_seat_gets_a_link_and_a_kill_loses_nothing(tmp_path):
    file = tmp_path / "tables.db"
    words = ("gnostica", "--players", "Ann=human,steady", "--seed", "3", "--file", file)
    with serving(*words, "--port", "0") as (process, links):
        assert set(links) == {"The host's page", "Ann", "a spectator"}
        before = asked(links["Ann"]).json()["result"]
        assert before[0]["heading"] == "set-up"
        assert asked(links["a spectator"]).json()["result"] != before  # Ann's hand is hers
        port = links["Ann"][3]
        os.kill(process.pid, signal.SIGKILL)
        process.wait(10)
    with serving("gnostica", "--file", file, "--port", port) as (_, again):
        assert set(again) == {"The host's page"}
        assert asked(links["Ann"]).json()["result"] == before  # the same link, the same table
        for page in (links["The host's page"], again["The host's page"]):  # the old one works, too
            tables = asked(page, "host/tables").json()["result"]["tables"]
            assert [one["id"] for one in tables] == [links["Ann"][4]]


def test_without_the_network_only_the_loopback_is_served():
    assert address_of(8750, lan=False).host == LOOPBACK
    names = ("127.0.0.1:8750", "localhost:8750", "[::1]:8750")
    assert address_of(8750, lan=False).origins == tuple(f"http://{one}" for one in names)
    assert address_of(8750, lan=True).host == "0.0.0.0"
    assert address_of(8750, lan=True).urls[0] == "http://127.0.0.1:8750"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--players", "Ann=human,Ben=human"), "--players is for one game"),
        (("gnostica", "--seed", "3"), "are for the table of --players"),
        (("gnostica", "--players", "Ann=human,Ben=human", "--seed", "3", "--real-dice"), "--real-dice asks"),
        (("gnostica", "--players", "Ann=person,Ben=human"), "no kind of player"),
        (("gnostica", "--players", "Ann=human,Ben=human", "--switch", "nonsense=1"), "no switch or setting `nonsense`"),
        (("no-such-game", "--players", "Ann=human,Ben=human"), "must be fixed before they can be played"),
    ],
)  # fmt: skip
def test_what_cannot_be_served_is_refused_in_words(words, message, tmp_path):
    done = call("serve", "--no-browser", "--file", tmp_path / "tables.db", *words)
    assert done.code == 2
    assert message in done.err


@pytest.mark.parametrize("url", ["table.example.org", "ftp://table", "https://table/games"])
def test_a_proxy_is_named_by_scheme_and_name(url, tmp_path):
    done = call("serve", "--no-browser", "--file", tmp_path / "tables.db", "--url", url)
    assert done.code == 2
    assert f"`{url}` is not the address of a server" in done.err


@pytest.mark.parametrize("keeps_host", [True, False])
def test_a_table_behind_a_proxy(keeps_host, tmp_path):
    """A proxy that ends TLS: some keep the name that was asked for, others put their own for it."""
    public, words = "table.example.org", ("gnostica", "--port", "0", "--file", tmp_path / "t.db")
    with serving(*words, "--url", f"https://{public}") as (_, links):
        page = links["The host's page"]
        passed_on = {"authorization": f"Bearer {page[5]}"} | (
            {"host": public} if keeps_host else {}
        )
        for origin, status in ((f"https://{public}", 200), ("https://elsewhere.example", 403)):
            headers = {**passed_on, "origin": origin}
            url = f"http://127.0.0.1:{page[3]}/api/host/tables"
            found = httpx.post(url, json={}, headers=headers, timeout=30)
            assert found.status_code == status
            if status == 200:
                assert not found.json()["result"]["workbench"]


def test_a_port_that_is_taken_and_a_file_that_is_none_are_told(tmp_path):
    with bound(address_of(0, lan=False)) as taken:
        port = str(taken.getsockname()[1])
        done = call("serve", "gnostica", "--no-browser", "--file", tmp_path / "t.db", "--port", port)  # fmt: skip
    assert done.code == 2
    assert f"port {port} cannot be used" in done.err
    assert "--port 0" in done.err
    done = call("serve", "gnostica", "--no-browser", "--file", tmp_path / "no" / "t.db")
    assert done.code == 2
    assert "cannot be opened" in done.err


def test_without_the_libraries_of_the_extra_the_pip_command_is_told(monkeypatch):
    def without(_module):
        raise ModuleNotFoundError("No module named 'segno'", name="segno")

    monkeypatch.setattr("ruleloom.cli.verbs.import_module", without)
    done = call("serve", "gnostica")
    assert done.code == 2
    assert "`ruleloom serve` needs a library that is not installed: segno" in done.err
    assert "pip install './ruleloom-0.1.0-py3-none-any.whl[web]'" in done.err
    with pytest.raises(ModuleNotFoundError):  # of any other verb it is a fault of ours
        verbs.command.get_command(click.Context(verbs.command), "check")


def test_a_code_for_a_phone_is_square_and_has_its_margin():
    drawn = terminal_code("http://127.0.0.1:8750/t/abc#token").split("\n")
    assert {len(line) for line in drawn} == {2 * len(drawn) - 1}
    assert set(drawn[0]) == {"█"}


def test_no_answer_waits_until_its_head_was_acknowledged():
    """A head and a body are two pieces, and Nagle's algorithm holds back the second for 40 ms."""
    told = []

    class Told(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            accepted = transport.get_extra_info("socket")
            told.append(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    async def visit(listening: socket.socket) -> None:
        async with await asyncio.get_running_loop().create_server(Told, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            while not told:
                await asyncio.sleep(0)
            writer.close()

    asyncio.run(visit(bound(address_of(0, lan=False))))
    assert told == [1]
