"""The application in a worker of the page: its requests and sockets come as messages.

A message is a JSON object with the number of a request or socket (`id`) and what it is (`is`):
`request`, with `method`, `path`, `token` and `body`, is answered by one with `status` and `body`;
`open`, with a `path`, opens a socket, over which `text` and `close` go in both directions. The
application is the server's own, called by ASGI.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from dataclasses import field
from importlib import import_module
from pathlib import Path
from typing import Any

from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from ruleloom.api.facade import program_of
from ruleloom.api.linking import linked_for
from ruleloom.building.building import bench_of
from ruleloom.building.templates import buildable_kinds
from ruleloom.runtime.dataclass import dataclass
from ruleloom.site.drafts import Drafts
from ruleloom.store.store import FOLDER, OFF
from ruleloom.web.app import Addition, Service, application
from ruleloom.web.carried import without_packs
from ruleloom.web.lobby import shelf_of
from ruleloom.web.requests import Fields
from ruleloom.web.table_store import TableStore
from ruleloom.workbench.addresses import BenchSession, Workbench

log = logging.getLogger("ruleloom.web")

HOST, ADDRESS = "ruleloom", ("127.0.0.1", 0)
ORIGIN = f"http://{HOST}"
PACKS = "packs"
Tell = Callable[[str], None]
Event = MutableMapping[str, Any]


@dataclass(eq=False)
class Worker:
    """One application, with the open sockets of its page; `tell` sends a message to the page."""

    app: ASGIApp
    tell: Tell
    host_token: str
    sockets: dict[int, asyncio.Queue[Event]] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def take(self, text: str) -> None:
        """Take a message of the page."""
        data = json.loads(text)
        match data["is"]:
            case "request":
                self._start(self._request(data))
            case "open":
                self.sockets[data["id"]] = asyncio.Queue()
                self._start(self._socket(data["id"], data["path"]))
            case "text" if data["id"] in self.sockets:
                event = {"type": "websocket.receive", "text": data["text"]}
                self.sockets[data["id"]].put_nowait(event)
            case "close" if data["id"] in self.sockets:
                event = {"type": "websocket.disconnect", "code": 1000}
                self.sockets[data["id"]].put_nowait(event)

    def _start(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _say(self, id: int, what: str, **values: object) -> None:
        self.tell(json.dumps({"id": id, "is": what, **values}, ensure_ascii=False))

    async def _request(self, data: Event) -> None:
        body = data.get("body", "").encode()
        events: list[Event] = [{"type": "http.request", "body": body}]
        status, found = 500, bytearray()

        async def receive() -> Event:
            return events.pop() if events else {"type": "http.disconnect"}

        async def send(event: Event) -> None:
            nonlocal status
            status = event.get("status", status)
            found.extend(event.get("body", b""))

        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"authorization", f"Bearer {data['token']}".encode()),
        ]
        scope = _scope("http", data["path"], headers, method=data["method"], scheme="http")
        try:
            await self.app(scope, receive, send)
        except Exception:  # the application has answered with the status of a fault of ours
            log.exception("the worker could not answer %s", data["path"])
        self._say(data["id"], "answer", status=status, body=found.decode())

    async def _socket(self, id: int, path: str) -> None:
        waiting = self.sockets[id]
        waiting.put_nowait({"type": "websocket.connect"})
        code = 1011

        async def send(event: Event) -> None:
            nonlocal code
            match event["type"]:
                case "websocket.accept":
                    self._say(id, "open")
                case "websocket.send":
                    self._say(id, "text", text=event["text"])
                case "websocket.close":
                    code = event.get("code", 1000)

        scope = _scope(
            "websocket", path, [(b"origin", ORIGIN.encode())], scheme="ws", subprotocols=[]
        )
        try:
            await self.app(scope, waiting.get, send)
        except Exception:
            log.exception("the worker has closed the socket %s", path)
        finally:
            del self.sockets[id]
            self._say(id, "close", code=code)


def _scope(type: str, path: str, headers: list[tuple[bytes, bytes]], **more: object) -> Event:
    """The ASGI scope of a request by the page of this worker."""
    return {
        "type": type,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", HOST.encode()), *headers],
        "client": ADDRESS,
        "server": (HOST, 80),
        **more,
    }


APP, KEPT = Path("/app"), Path("/kept")
"""Where the files of the site lie, and those that the browser keeps."""


DRAFTS = Drafts(APP / PACKS, KEPT / PACKS)
PREPARED: list[BenchSession] = []
"""The session of the workbench, once it is prepared."""


def prepare(packs: Sequence[str]) -> None:
    """Do before the snapshot what visits would do: read the game, compile it, import its driver, make the
    bench of its first kind of people, analyse the packs for the workbench, and import what words mistakes."""
    os.environ[FOLDER] = OFF  # what is compiled comes with the site
    DRAFTS.renew()
    games = shelf_of(packs).games
    for game in games:
        program = program_of(*game)
        linked_for(program, ("Ann", "Ben"), {})
        without_packs(program.game)
        for kind in buildable_kinds(game)[:1]:
            bench_of(game, kind.name, "", {})
    PREPARED.append(BenchSession.prepared(games))
    import_module("ruleloom.compiler.schema.wording")


def start(packs: Sequence[str], tell: Tell) -> Worker:
    """The application for a game and packs."""
    newer = DRAFTS.renew()
    store = TableStore(KEPT / "tables.db")
    service = Service(store, shelf_of(packs, KEPT / "table-packs"), ("",))
    bench = Workbench(service, PREPARED.pop() if PREPARED else None).addition()
    routes = (*bench.routes, *_of_drafts(service, DRAFTS, newer))
    app = application(service, (ORIGIN,), Addition(routes, bench.large))
    return Worker(app, tell, service.door.host_token)


def _of_drafts(service: Service, drafts: Drafts, newer: list[str]) -> Iterator[BaseRoute]:
    """The packs changed here while the site brings another version, and what becomes of each."""

    async def told(_: Fields) -> object:
        return newer

    async def chosen(fields: Fields) -> object:
        name = fields.text("name", 200)
        (drafts.take if fields.flag("take") else drafts.decline)(name)
        newer.remove(name)
        return newer

    for path, work in (("newer", told), ("newer/choose", chosen)):
        yield Route(f"/api/host/{path}", service.for_host(work), methods=["POST"])
