"""The application: every address of the server, and what it answers.

Everything that changes a table is a POST with a token in its header. What a table refuses is
answered with 409 and the reason; what cannot be stored with 503, and nothing has changed.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import field

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket
from uvicorn.protocols.http.h11_impl import H11Protocol

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.web import hall as stream
from ruleloom.web import lobby
from ruleloom.web import lobby as campaigns
from ruleloom.web import seat_view as inquiries
from ruleloom.web.guard import LARGEST_HEAD, Guard, NotLetIn
from ruleloom.web.hall import Busy, Crowded, Hall, NoTable, encoded
from ruleloom.web.live_table import LiveTable
from ruleloom.web.lobby import code_rows, invite
from ruleloom.web.pages import page_files, told
from ruleloom.web.requests import (
    BadInput,
    Door,
    Fields,
    NotAllowed,
    NotHost,
    Sitter,
    TooManyGuesses,
    fields_of,
    host,
    seated,
    token_of,
)
from ruleloom.web.table_store import NotStored, TableStore

log = logging.getLogger("ruleloom.web")

LARGEST_SAVE = 48 * 1024 * 1024
LARGEST_PACK = 16 * 1024 * 1024
# Compiling a game takes longer than an answer.
PATIENCE_TO_COMPILE = 90.0
SWEEP = 60.0

Handler = Callable[[Request], Awaitable[Response]]
AtTable = Callable[[LiveTable, Sitter, Fields], object]


@dataclass
class Service:
    """One server: its store, its tables, the games on its shelf, and the addresses it is reached
    at."""

    store: TableStore
    shelf: lobby.Shelf
    urls: tuple[str, ...]
    door: Door = field(init=False)
    hall: Hall = field(init=False)
    patience: float = 20.0
    pause: float = 0.35
    workbench: bool = False

    def __post_init__(self) -> None:
        self.door = Door(self.store)
        self.hall = Hall(self.store, self.patience, self.pause)


@dataclass(frozen=True, slots=True)
class Addition:
    """Addresses that another package adds, and the paths that take larger bodies, in bytes."""

    routes: tuple[BaseRoute, ...] = ()
    large: Mapping[str, int] = field(default_factory=dict)


NOTHING_MORE = Addition()


def application(service: Service, hosts: Iterable[str], addition: Addition = NOTHING_MORE) -> Guard:
    """The application of a server that is reached under these hosts, as in `127.0.0.1:8750`."""

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        sweeping = asyncio.create_task(_sweep(service.hall))
        yield
        sweeping.cancel()
        service.hall.close()

    async def serve_socket(ws: WebSocket) -> None:
        await stream.socket(service.hall, service.door, ws)

    async def serve_events(request: Request) -> Response:
        return await stream.events(service.hall, service.door, request)

    routes = [
        *addition.routes,
        Route("/", _page),
        Route("/t/{id}", _page),
        Route("/static/{path:path}", _file),
        Route("/api/stream", answering(serve_events)),
        WebSocketRoute("/api/socket", serve_socket),
        *(
            Route(f"/api/{name}", answering(_at_table(service, work)), methods=["POST"])
            for name, work in AT_TABLE.items()
        ),
        *(
            Route(f"/api/host/{name}", answering(_for_host(service, work)), methods=["POST"])
            for name, work in FOR_HOST.items()
        ),
    ]
    app = Starlette(routes=routes, lifespan=lifespan)
    large = {"/api/host/import": LARGEST_SAVE, "/api/host/pack": LARGEST_PACK, **addition.large}
    return Guard(app, hosts, large)


async def _sweep(hall: Hall) -> None:
    while True:
        await asyncio.sleep(SWEEP)
        hall.let_go()


# ---------------------------------------------------------------------------------- files


async def _page(request: Request) -> Response:
    return _sent(request, "/static/index.html")


async def _file(request: Request) -> Response:
    return _sent(request, request.url.path)


def _sent(request: Request, path: str) -> Response:
    found = page_files().get(path)
    if found is None:
        return JSONResponse({"error": told("nothing_here")}, 404)
    return Response(found.body, media_type=found.type, headers={"etag": found.mark})


# ---------------------------------------------------------------------------------- refusals


def answering(handler: Handler) -> Handler:
    """The handler, with each refusal as an answer."""

    async def answered(request: Request) -> Response:
        try:
            return await handler(request)
        except BadInput as error:
            return JSONResponse({"error": str(error)}, 400)
        except Refused as error:
            return JSONResponse({"error": str(error)}, 409)
        except NotLetIn as error:
            return JSONResponse({"error": str(error)}, error.status, {"connection": "close"})
        except NotHost:
            return JSONResponse({"error": told("not_host")}, 401)
        except NotAllowed:
            return JSONResponse({"error": told("not_allowed")}, 401)
        except TooManyGuesses:
            return JSONResponse({"error": told("too_many_guesses")}, 429)
        except NoTable:
            return JSONResponse({"error": told("no_table")}, 404)
        except (Busy, Crowded):
            return JSONResponse({"error": told("busy")}, 503)
        except NotStored as error:
            return JSONResponse({"error": told("not_stored", reason=error)}, 503)
        except RuntimeFault as fault:
            # What the rules were at may be known to somebody else alone.
            log.warning("the rules cannot be played on: %s", fault.told)
            return JSONResponse({"error": told("rules_at_fault")}, 409)

    return answered


# ---------------------------------------------------------------------------------- at a table


def _at_table(service: Service, work: AtTable) -> Handler:
    async def handle(request: Request) -> Response:
        sitter = seated(service.door, token_of(request))
        fields = await fields_of(request)
        result = await service.hall.at(sitter.table, lambda table: work(table, sitter, fields))
        return Response(encoded({"ok": True, "result": result}), media_type="application/json")

    return handle


def _answer(table: LiveTable, sitter: Sitter, fields: Fields) -> None:
    table.answer(sitter.seat, fields.text("prompt", 40), fields.texts("keys"))


def _undo(table: LiveTable, sitter: Sitter, fields: Fields) -> bool:
    return table.undo(sitter.seat)


def _agree(table: LiveTable, sitter: Sitter, fields: Fields) -> None:
    table.agree(sitter.seat, fields.flag("agrees"))


def _correct(table: LiveTable, sitter: Sitter, fields: Fields) -> None:
    what, value = fields.text("what", 300), fields.text("value", 5_000)
    table.correct(sitter.seat, what, value, fields.text("reason", 500))


def _rules(table: LiveTable, sitter: Sitter, fields: Fields) -> list[str]:
    return inquiries.rules_text(table, sitter.seat, fields.text("name"), fields.flag("full"))


def _why(table: LiveTable, sitter: Sitter, fields: Fields) -> list[str]:
    return inquiries.reasons(table, sitter.seat, fields.text("what"))


def _log(table: LiveTable, sitter: Sitter, fields: Fields) -> object:
    return inquiries.whole_log(table, sitter.seat)


AT_TABLE: dict[str, AtTable] = {
    "answer": _answer,
    "undo": _undo,
    "agree": _agree,
    "correct": _correct,
    "rules": _rules,
    "why": _why,
    "log": _log,
}


# ---------------------------------------------------------------------------------- for the host


HostWork = Callable[[Service, Fields], Awaitable[object]]


def _for_host(service: Service, work: HostWork) -> Handler:
    async def handle(request: Request) -> Response:
        host(service.door, token_of(request))
        result = await work(service, await fields_of(request))
        return Response(encoded({"ok": True, "result": result}), media_type="application/json")

    return handle


async def _tables(service: Service, fields: Fields) -> object:
    tables, kept = await service.hall.apart(
        lambda: (lobby.listed(service.store), campaigns.campaigns_listed(service.store))
    )
    workbench = service.workbench and fields.here
    games = service.shelf.names()
    return {"tables": tables, "campaigns": kept, "games": games, "workbench": workbench}


async def _offer(service: Service, fields: Fields) -> object:
    number = fields.number("game")
    return await service.hall.apart(
        lambda: lobby.offered(service.shelf, number), PATIENCE_TO_COMPILE
    )


async def _open(service: Service, fields: Fields) -> object:
    entries = [
        {"name": one.text("name", 40), "kind": one.text("kind", 20)}
        for one in fields.tables("seats", 20)
    ]
    number, real_dice = fields.number("game"), fields.flag("real_dice")
    seed = fields.number("seed") if "seed" in fields.data else None
    seats = lobby.seats_typed(entries)
    campaign = fields.text("campaign", campaigns.LONGEST_TITLE, "")

    def opened() -> str:
        if campaign:
            return campaigns.open_campaign(
                service.store, service.shelf, number, campaign, seats, real_dice
            ).id
        program = service.shelf.program(number)
        return lobby.open_table(service.store, program, seats, seed, real_dice).id

    return {"table": await service.hall.apart(opened, PATIENCE_TO_COMPILE)}


async def _session(service: Service, fields: Fields) -> object:
    """The next session of a campaign, or first what has changed in its packs."""
    id, agreed = fields.text("campaign", 40), fields.texts("agreed")
    table, changes = await service.hall.apart(
        lambda: campaigns.next_session(service.store, id, agreed), PATIENCE_TO_COMPILE
    )
    return {"table": table.id if table is not None else None, "changes": changes}


async def _story(service: Service, fields: Fields) -> object:
    id = fields.text("campaign", 40)
    return await service.hall.apart(
        lambda: campaigns.campaign_chronicle(service.store, id), PATIENCE_TO_COMPILE
    )


async def _end_campaign(service: Service, fields: Fields) -> object:
    id = fields.text("campaign", 40)
    await service.hall.apart(lambda: service.store.end_campaign(id))
    return None


async def _link(service: Service, fields: Fields) -> object:
    id, seat = fields.text("table", 40), fields.number("seat")

    def linked() -> dict[str, object]:
        table = service.store.table(id)
        if table is None:
            raise NoTable
        token, links = invite(service.store, service.urls, table, seat)
        return {"token": token, "links": links, "code": code_rows(links[-1])}

    return await service.hall.apart(linked)


async def _unlink(service: Service, fields: Fields) -> object:
    id, seat = fields.text("table", 40), fields.number("seat")
    await service.hall.apart(lambda: service.store.forget_tokens(id, seat))
    service.hall.shut(id, seat)
    return None


async def _reseat(service: Service, fields: Fields) -> object:
    id, seat, kind = fields.text("table", 40), fields.number("seat"), fields.text("kind", 20)

    def change(table: LiveTable) -> None:
        if not 0 <= seat < len(table.seats) or kind not in lobby.SEAT_KINDS:
            raise BadInput(told("bad_field", name="seat"))
        table.change_seat(seat, kind)

    await service.hall.at(id, change)
    return None


async def _remove(service: Service, fields: Fields) -> object:
    id = fields.text("table", 40)
    service.hall.shut(id)
    await service.hall.apart(lambda: service.store.remove(id))
    return None


async def _export(service: Service, fields: Fields) -> object:
    id = fields.text("table", 40)
    return await service.hall.apart(lambda: lobby.exported(service.store, id))


async def _chronicle(service: Service, fields: Fields) -> object:
    return await service.hall.at(fields.text("table", 40), inquiries.chronicle)


async def _pack(service: Service, fields: Fields) -> object:
    """A pack that is sent in, as a zip in base64."""
    name, text = fields.text("name", 200), fields.text("data", LARGEST_PACK)
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise BadInput(told("bad_field", name="data")) from None
    taken = await service.hall.apart(lambda: service.shelf.take_in(name, data), PATIENCE_TO_COMPILE)
    return {"game": taken, "games": service.shelf.names()}


async def _import(service: Service, fields: Fields) -> object:
    text = fields.text("save", LARGEST_SAVE)
    table = await service.hall.apart(
        lambda: lobby.imported(service.store, text), PATIENCE_TO_COMPILE
    )
    return {"table": table.id}


FOR_HOST: dict[str, HostWork] = {
    "tables": _tables,
    "offer": _offer,
    "open": _open,
    "session": _session,
    "story": _story,
    "end": _end_campaign,
    "link": _link,
    "unlink": _unlink,
    "seat": _reseat,
    "remove": _remove,
    "export": _export,
    "chronicle": _chronicle,
    "import": _import,
    "pack": _pack,
}


LOOPBACK = "127.0.0.1"
PORT = 8750
# Seconds in which the head of a request has to come.
SLOWEST_HEAD = 8.0
MOST_CONNECTIONS = 2_000
LARGEST_MESSAGE = 4 * 1024


class TimedProtocol(H11Protocol):
    """HTTP/1.1 that does not wait for ever for a request to begin, or to go on."""

    _timer: asyncio.TimerHandle | None = None
    _is_socket = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Close at once what comes beyond the number; give the rest some time."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.close()
            return
        self._timer = self.loop.call_later(SLOWEST_HEAD, self._give_up)

    def data_received(self, data: bytes) -> None:
        """Read on; the time counts from the last request, not from the last byte."""
        before = self.scope
        super().data_received(data)
        if self.scope is not before and not self._is_socket:
            self._stop_timer()
            self._timer = self.loop.call_later(SLOWEST_HEAD, self._give_up)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """A WebSocket has times of its own."""
        self._is_socket = True
        self._stop_timer()
        super().handle_websocket_upgrade(event)

    def _give_up(self) -> None:
        cycle = self.cycle
        waits = cycle is None or cycle.response_complete
        if waits and not self.transport.is_closing():
            self.transport.close()
        elif not self.transport.is_closing():
            self._timer = self.loop.call_later(SLOWEST_HEAD, self._give_up)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the time with the connection."""
        self._stop_timer()
        super().connection_lost(exc)


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a server, and the hosts under which it is reached."""

    host: str
    port: int
    names: tuple[str, ...]

    @property
    def hosts(self) -> tuple[str, ...]:
        """The values that the Host of a request may have."""
        return tuple(f"{name}:{self.port}" for name in self.names)

    @property
    def urls(self) -> tuple[str, ...]:
        """The beginnings of links, the one for this machine first."""
        outer = [name for name in self.names if name not in (LOOPBACK, "localhost", "[::1]")]
        return tuple(f"http://{name}:{self.port}" for name in (LOOPBACK, *outer))


def address_of(port: int, lan: bool) -> Address:
    """The loopback, or with `lan` all of the machine, under its own number in the network."""
    names = [LOOPBACK, "localhost", "[::1]"]
    if not lan:
        return Address(LOOPBACK, port, tuple(names))
    return Address("0.0.0.0", port, (*names, *_own_numbers()))


def _own_numbers() -> Iterable[str]:
    """The number of this machine in its network, as the way out of it shows; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            yield str(probe.getsockname()[0])
        except OSError:
            return


def bound(address: Address) -> socket.socket:
    """The socket of a server, bound first: a taken port is reported before anything begins."""
    # asyncio sends small pieces at once only for sockets marked as TCP; else each answer,
    # a head and a body, waits 40 ms until the head was acknowledged.
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    found.bind((address.host, address.port))
    found.listen(256)  # early connections wait until the server is up
    return found


def server_for(
    service: Service, hosts: Iterable[str], addition: Addition = NOTHING_MORE
) -> uvicorn.Server:
    """The server, not started yet."""
    config = uvicorn.Config(
        application(service, hosts, addition),
        http=TimedProtocol,
        ws="websockets-sansio",
        ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        h11_max_incomplete_event_size=LARGEST_HEAD,
        timeout_graceful_shutdown=2,
        lifespan="on",
    )
    return uvicorn.Server(config)
