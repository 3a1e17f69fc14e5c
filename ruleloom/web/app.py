"""The application: every route and its handler, whoever passes the requests on.

Every change to a table is a POST with a token in its header. Refusals of a table are answered with 409 and
the reason; storage failures with 503, and nothing has changed.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import field
from functools import partial
from itertools import chain
from typing import NamedTuple

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from ruleloom.api.languages import languages_of
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.language import ENGLISH, Language
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.texts import setting_value
from ruleloom.web import lobby, seat_view
from ruleloom.web.carried import LONGEST_LINK, carried_by, preview
from ruleloom.web.hall import Busy, Crowded, Hall, encoded, serve_events, serve_socket
from ruleloom.web.live_table import LiveTable
from ruleloom.web.new_rules import (
    PackChange,
    before_new_rules,
    by_new_rules,
    newer,
    told_of_new_rules,
)
from ruleloom.web.packs_here import language_here, packs_here
from ruleloom.web.pages import page_files, told
from ruleloom.web.people import MAKING, Making
from ruleloom.web.requests import (
    BadInput,
    Door,
    Fields,
    Guard,
    NotAllowed,
    NotHost,
    NotLetIn,
    TooManyGuesses,
    fields_of,
    host,
    refusal,
    seated,
    token_of,
)
from ruleloom.web.table_store import NoTable, NotStored, TableStore

log = logging.getLogger("ruleloom.web")

LARGEST_SAVE = 48 * 1024 * 1024
LARGEST_PACK = 16 * 1024 * 1024
MOST_SETTINGS = 500
# Compiling a game takes longer than an answer.
PATIENCE_TO_COMPILE = 90.0
SWEEP = 60.0

Handler = Callable[[Request], Awaitable[Response]]
AtTable = Callable[[LiveTable, int, Fields], object]
HostWork = Callable[["Service", Fields], Awaitable[object]]


@dataclass
class Service:
    """One server: its store, tables, shelf of games and URLs; the seconds to wait for a table (`patience`),
    and those that a bot pauses (`pause`)."""

    store: TableStore
    shelf: lobby.Shelf
    urls: tuple[str, ...]
    door: Door = field(init=False)
    hall: Hall = field(init=False)
    making: Making = field(init=False)
    patience: float = 20.0
    pause: float = 0.35
    workbench: bool = False

    def __post_init__(self) -> None:
        self.door = Door(self.store)
        self.hall = Hall(self.store, self.patience, self.pause, self._language)
        self.making = Making(self.shelf)

    def _language(self, program: Program, code: str) -> Language:
        return language_here(program, code, self.shelf)

    def for_host(self, work: Callable[[Fields], Awaitable[object]]) -> Handler:
        """A handler for the host alone."""

        async def handle(request: Request) -> Response:
            host(self.door, token_of(request))
            return _done(await work(await fields_of(request)))

        return handle

    def at_table(self, work: AtTable) -> Handler:
        """A handler for a seat at its own table."""

        async def handle(request: Request) -> Response:
            sitter = seated(self.door, token_of(request))
            fields = await fields_of(request)

            def asked(table: LiveTable) -> object:
                seat = sitter.seat
                return table.in_language(seat, lambda: work(table, seat, fields))

            return _done(await self.hall.at(sitter.table, asked))

        return handle

    async def apart(self, work: Callable[[], object]) -> object:
        """The result of work that may compile first, in a thread."""
        return await self.hall.apart(work, PATIENCE_TO_COMPILE)


def _done(result: object) -> Response:
    return Response(encoded({"ok": True, "result": result}), media_type="application/json")


class Addition(NamedTuple):
    """Routes that another package adds, and the paths with larger body limits, in bytes."""

    routes: tuple[BaseRoute, ...] = ()
    large: Mapping[str, int] = {}


NOTHING_MORE = Addition()


def application(
    service: Service, origins: Iterable[str], addition: Addition = NOTHING_MORE
) -> Guard:
    """The application of a server with these base URLs, as in `http://127.0.0.1:8750`."""

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async def sweep() -> None:
            while True:
                await asyncio.sleep(SWEEP)
                service.hall.let_go()

        sweeping = asyncio.create_task(sweep())
        yield
        sweeping.cancel()
        service.hall.close()

    async def work_for_host(name: str, fields: Fields) -> object:
        if name in APART:
            return await service.apart(lambda: APART[name](service, fields))
        return await IN_THE_HALL[name](service, fields)

    at_table, post = service.at_table, ["POST"]
    routes = [
        *addition.routes,
        Route("/", _file),
        Route("/t/{id}", _file),
        Route("/make", _file),
        Route("/static/{path:path}", _file),
        Route("/api/stream", partial(serve_events, service.hall, service.door)),
        WebSocketRoute("/api/socket", partial(serve_socket, service.hall, service.door)),
        *(Route(f"/api/{name}", at_table(work), methods=post) for name, work in AT_TABLE.items()),
        *(
            Route(f"/api/host/{name}", service.for_host(partial(work_for_host, name)), methods=post)
            for name in FOR_HOST
        ),
    ]
    refusals = dict.fromkeys((*REFUSALS, NotLetIn), _refused)
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=refusals)
    large = {"/api/host/import": LARGEST_SAVE, "/api/host/pack": LARGEST_PACK, **addition.large}
    return Guard(app, origins, large)


async def _file(request: Request) -> Response:
    """A static file; for page URLs, the page."""
    path = request.url.path
    found = page_files().get(path if path.startswith("/static/") else "/static/index.html")
    if found is None:
        return JSONResponse({"error": told("nothing_here")}, 404)
    return Response(found.body, media_type=found.type, headers={"etag": found.mark})


# ---------------------------------------------------------------------------------- refusals

# The status of each, and the name of its text; without one, the message is its own.
REFUSALS: Mapping[type[Exception], tuple[int, str]] = {
    BadInput: (400, ""),
    Refused: (409, ""),
    NotHost: (401, "not_host"),
    NotAllowed: (401, "not_allowed"),
    TooManyGuesses: (429, "too_many_guesses"),
    NoTable: (404, "no_table"),
    Busy: (503, "busy"),
    Crowded: (503, "busy"),
    NotStored: (503, "not_stored"),
    RuntimeFault: (409, "rules_at_fault"),
}


async def _refused(request: Request, error: Exception) -> Response:
    """The response to a refusal."""
    if isinstance(error, NotLetIn):
        return refusal(error.status)
    if isinstance(error, RuntimeFault):
        # The details may be another player's secret.
        log.warning("the rules cannot be played on: %s", error.told)
    status, text = next(REFUSALS[one] for one in type(error).__mro__ if one in REFUSALS)
    return JSONResponse({"error": told(text, reason=error) if text else str(error)}, status)


# ---------------------------------------------------------------------------------- at a table

AT_TABLE: dict[str, AtTable] = {
    "answer": lambda at, seat, f: at.answer(seat, f.text("panel", 40), f.answers("answers")),
    "panel": lambda at, seat, f: seat_view.panel_view(
        at, seat, at.panel(seat, f.text("panel", 40), f.answers("answers"))
    ),
    "chance": lambda at, seat, f: seat_view.chance(
        at, seat, f.text("panel", 40), f.answers("answers")
    ),
    "always": lambda at, seat, f: at.answer_always(
        seat, f.text("panel", 40), tuple(f.texts("keys")), f.flag("this_turn"), f.flag("in_order")
    ),
    "ask_again": lambda at, seat, f: at.ask_again(seat, f.number("number")),
    "undo": lambda at, seat, f: at.undo(seat),
    "language": lambda at, seat, f: at.read_by(seat, f.text("code", 8)),
    "agree": lambda at, seat, f: at.agree(seat, f.flag("agrees")),
    "correct": lambda at, seat, f: at.correct(
        seat, f.text("what", 300), f.text("value", 5_000), f.text("reason", 500)
    ),
    "rules": lambda at, seat, f: seat_view.rules_text(at, seat, f.text("name"), f.flag("full")),
    "why": lambda at, seat, f: seat_view.reasons(at, seat, f.text("what")),
    "log": lambda at, seat, f: seat_view.whole_log(at, seat),
}


# ---------------------------------------------------------------------------------- for the host


def _id(fields: Fields, name: str = "table") -> str:
    return fields.text(name, 40)


def _tables(service: Service, fields: Fields) -> object:
    tables, campaigns = lobby.listed(service.store), lobby.campaigns_listed(service.store)
    here = packs_here(service.shelf)
    for one in chain(tables, *(campaign["tables"] for campaign in campaigns)):
        one["newer"] = [] if one["over"] else newer(one["versions"], here)
    return {
        "tables": tables,
        "campaigns": campaigns,
        "games": service.shelf.names(),
        "workbench": service.workbench and fields.here,
    }


def _offer(service: Service, fields: Fields) -> object:
    """A game that can be opened, in a language that it is shipped in."""
    number, code = fields.number("game"), fields.text("language", 8, ENGLISH.code)
    program = service.shelf.program(number)
    known = code if code in languages_of(program.game) else ENGLISH.code
    return lobby.offered(program, number, language_here(program, known, service.shelf))


def _open(service: Service, fields: Fields) -> object:
    """A table, or a campaign's first session."""
    seats = lobby.seats_typed(
        (one.text("name", 40), one.text("kind", 20)) for one in fields.tables("seats", 20)
    )
    number, real_dice = fields.number("game"), fields.flag("real_dice")
    seed = fields.number("seed") if "seed" in fields.data else None
    title = fields.text("campaign", lobby.LONGEST_TITLE, "")
    store, shelf = service.store, service.shelf
    settings = {
        one.text("name", 80): setting_value(one.text("value", 80))
        for one in fields.tables("settings", MOST_SETTINGS, [])
    }
    if title and settings:
        raise BadInput(told("settings_of_campaign"))
    if title:
        table = lobby.open_campaign(store, shelf, number, title, seats, real_dice)
    else:
        table = lobby.open_table(store, shelf.program(number), seats, seed, real_dice, settings)
    return {"table": table.id}


def _session(service: Service, fields: Fields) -> object:
    """The next session of a campaign, or first the changes in its packs."""
    id, agreed = _id(fields, "campaign"), fields.texts("agreed")
    table, changes = lobby.next_session(service.store, id, agreed)
    return {"table": table and table.id, "changes": changes}


def _pack(service: Service, fields: Fields) -> object:
    """Add an uploaded pack, a zip in base64."""
    name, data = sent_zip(fields)
    return {"game": service.shelf.take_in(name, data), "games": service.shelf.names()}


def sent_zip(fields: Fields) -> tuple[str, bytes]:
    """The name and bytes of a zip that was sent in base64."""
    name, text = fields.text("name", 200), fields.text("data", LARGEST_PACK)
    try:
        return name, base64.b64decode(text, validate=True)
    except ValueError:
        raise BadInput(told("bad_field", name="data")) from None


def _preview(service: Service, fields: Fields) -> object:
    """What a pack in a link changes."""
    carried = carried_by(fields.text("link", LONGEST_LINK))
    return preview(carried.name, carried.zip, carried.made, service.shelf.games)


def _made(name: str, service: Service, fields: Fields) -> object:
    """The answer to the page on which people are made."""
    return service.making.answer(name, fields)


async def _unlink(service: Service, fields: Fields) -> None:
    id, seat = _id(fields), fields.number("seat")
    await service.apart(lambda: service.store.forget_tokens(id, seat))
    service.hall.shut(id, seat)


async def _reseat(service: Service, fields: Fields) -> None:
    id, seat, kind = _id(fields), fields.number("seat"), fields.text("kind", 20)

    def change(table: LiveTable) -> None:
        if not 0 <= seat < len(table.seats) or kind not in lobby.SEAT_KINDS:
            raise BadInput(told("bad_field", name="seat"))
        table.change_seat(seat, kind)

    await service.hall.at(id, change)


def _change(fields: Fields) -> PackChange:
    """The packs that are to come and leave, by their ids; a request may say nothing of that."""
    named = (fields.texts(name) if name in fields.data else [] for name in ("coming", "leaving"))
    return PackChange(*map(tuple, named))


async def _new_rules(service: Service, fields: Fields) -> None:
    """Take a table to the rules of now, or back to those of before."""
    id, answers, agreed = _id(fields), fields.number("answers"), fields.text("agreed", 500, "")
    change = _change(fields)
    store, shelf, back = service.store, service.shelf, fields.flag("back")

    def prepared() -> Game:
        if back:
            return before_new_rules(store, id, answers)
        return by_new_rules(store, shelf, id, answers, agreed, change)

    game = await service.hall.apart(prepared, PATIENCE_TO_COMPILE)
    await service.hall.at(id, lambda table: table.change_rules(game, answers))


async def _remove(service: Service, fields: Fields) -> None:
    id = _id(fields)
    service.hall.shut(id)
    await service.apart(lambda: service.store.remove(id))


# Work done in a thread, and work that involves open pages or a table in play.
APART: Mapping[str, Callable[[Service, Fields], object]] = {
    "tables": _tables,
    "offer": _offer,
    "open": _open,
    "session": _session,
    "story": lambda here, f: lobby.campaign_chronicle(here.store, _id(f, "campaign")),
    "end": lambda here, f: here.store.end_campaign(_id(f, "campaign")),
    "link": lambda here, f: lobby.linked(here.store, here.urls, _id(f), f.number("seat")),
    "export": lambda here, f: lobby.exported(here.store, _id(f)),
    "import": lambda here, f: {
        "table": lobby.imported(here.store, f.text("save", LARGEST_SAVE)).id
    },
    "newer_rules": lambda here, f: told_of_new_rules(here.store, here.shelf, _id(f), _change(f)),
    "pack": _pack,
    "preview": _preview,
    **{f"make/{name}": partial(_made, name) for name in MAKING},
}
IN_THE_HALL: Mapping[str, HostWork] = {
    "unlink": _unlink,
    "seat": _reseat,
    "remove": _remove,
    "new_rules": _new_rules,
    "chronicle": lambda here, f: here.hall.at(_id(f), seat_view.chronicle),
}
FOR_HOST = (*APART, *IN_THE_HALL)
