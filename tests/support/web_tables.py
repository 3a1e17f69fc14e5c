"""Tables for tests of the server: in memory, and behind a server of their own on the loopback."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import httpx
from websockets import Origin
from websockets.sync.client import ClientConnection, connect

from ruleloom.api.facade import program_of
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.program import Program
from ruleloom.table.seats import HUMAN, Seat, parse_seats
from ruleloom.web.app import Service
from ruleloom.web.live_table import LiveTable, load_table
from ruleloom.web.lobby import Shelf, invite, keep, open_table
from ruleloom.web.server import address_of, bound, server_for
from ruleloom.web.table_store import TableStore
from ruleloom.workbench.addresses import Workbench


@cache
def program(*packs: str) -> Program:
    """The program of packs, compiled once."""
    return program_of(*packs)


def live_table(
    players: str, game: str = "gnostica", seed: int | None = 3, store: TableStore | None = None
) -> LiveTable:
    """A table that has just been opened; without a seed, with real dice."""
    store = store or TableStore(":memory:")
    real = seed is None
    kept = open_table(store, program(game), parse_seats(players), seed, real)
    return load_table(store, kept.id)


def table_of(game: Game, store: TableStore | None = None) -> LiveTable:
    """A table for a game that is going on, all of its players people."""
    store = store or TableStore(":memory:")
    kept = keep(store, game, [Seat(name, HUMAN) for name in game.players])
    return load_table(store, kept.id)


@dataclass
class RunningServer:
    """A server on the loopback, with what a test needs to call it."""

    service: Service
    port: int
    table: str = ""
    tokens: dict[tuple[str, int], str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def token(self, table: str, seat: int) -> str:
        """A token for a seat, the same each time."""
        key = (table, seat)
        if key not in self.tokens:
            kept = self.service.store.table(table)
            assert kept is not None
            self.tokens[key] = invite(self.service.store, (self.url,), kept, seat).token
        return self.tokens[key]

    @property
    def bench(self) -> str:
        """The link to the workbench."""
        return f"{self.url}/bench#{self.service.door.host_token}"

    @property
    def making(self) -> str:
        """The link to the page where records are made."""
        return f"{self.url}/make#{self.service.door.host_token}"

    def link(self, table: str, *seats: int) -> str:
        """The link to one seat, or to several at one screen."""
        return f"{self.url}/t/{table}#{'.'.join(self.token(table, seat) for seat in seats)}"

    def post(self, token: str, path: str, **data: object) -> httpx.Response:
        """Ask the server for something."""
        headers = {"authorization": f"Bearer {token}"}
        return httpx.post(f"{self.url}/api/{path}", json=data, headers=headers, timeout=30)

    @contextmanager
    def watching(self, token: str) -> Iterator[Watcher]:
        """An open page."""
        with connect(f"ws://127.0.0.1:{self.port}/api/socket", origin=Origin(self.url)) as socket:
            socket.send(json.dumps({"token": token}))
            yield Watcher(socket)


@dataclass
class Watcher:
    """What an open page is sent."""

    socket: ClientConnection
    frames: list[str] = field(default_factory=list)

    def next(self, kind: str = "table", timeout: float = 10) -> dict:
        """The next message of a kind."""
        until = time.monotonic() + timeout
        while True:
            text = self.socket.recv(timeout=max(0.01, until - time.monotonic()))
            self.frames.append(str(text))
            data = json.loads(text)
            if data["type"] == kind:
                return data

    def until(self, wanted, timeout: float = 10) -> dict:
        """The first view that is as wanted."""
        until = time.monotonic() + timeout
        while time.monotonic() < until:
            view = self.next(timeout=until - time.monotonic())
            if wanted(view):
                return view
        raise AssertionError("no such view has come")


@contextmanager
def served(
    path: str | Path = ":memory:",
    packs: Sequence[str] = ("gnostica",),
    patience: float = 20.0,
    folder: Path | None = None,
) -> Iterator[RunningServer]:
    """A server that runs in a thread until the test is over."""
    address = address_of(0, lan=False)
    listening = bound(address)
    port = listening.getsockname()[1]
    service = Service(
        TableStore(path),
        Shelf([tuple(packs)], folder),
        (f"http://127.0.0.1:{port}",),
        patience,
        0.0,
    )
    addition = Workbench(service).addition()
    server = server_for(service, [f"http://{name}:{port}" for name in address.names], addition)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])), daemon=True)
    thread.start()
    until = time.monotonic() + 20
    while not server.started:
        assert time.monotonic() < until, "the server does not start"
        assert thread.is_alive(), "the server has stopped"
        time.sleep(0.005)
    try:
        yield RunningServer(service, port)
    finally:
        server.should_exit = True
        thread.join(10)
        service.store.close()
        assert not thread.is_alive(), "the server does not stop"
