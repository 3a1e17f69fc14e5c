"""All tables of a server: loaded on demand, each with one task at a time, and unloaded when idle.

Work runs in threads, so that one table never blocks another. A task beyond the time limit blocks its table
until it ends: requests to it are refused at once. Changes to a table are sent to its open pages over a
WebSocket, or as server-sent events where a network blocks WebSockets.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.websockets import WebSocket, WebSocketDisconnect

from ruleloom.api.languages import language_for
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.web.live_table import LanguageOf, LiveTable, load_table
from ruleloom.web.requests import (
    BadInput,
    Door,
    NotAllowed,
    Sitter,
    TooManyGuesses,
    seated,
    table_of,
    token_of,
)
from ruleloom.web.seat_view import seat_view
from ruleloom.web.table_store import MovedOn, NoTable, NotStored, TableStore

THREADS = 24
# Seconds after which an idle table is unloaded.
IDLE = 600.0
MOST_LISTENERS, MOST_OF_ONE = 64, 8  # open pages at one table, and per link

T = TypeVar("T")
log = logging.getLogger("ruleloom.web")


class Busy(Exception):
    """A table is still busy with a very long task."""


class Crowded(Exception):
    """A table has too many open pages to admit more."""


@dataclass(eq=False)
class OpenPage:
    """An open page with its pending messages; only the latest view of the table counts."""

    seat: int
    link: bytes
    view: bytes | None = None
    here: bytes | None = None
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    closed: bool = False

    def take(self) -> list[bytes]:
        """The messages to send."""
        self.ready.clear()
        found = [one for one in (self.view, self.here) if one is not None]
        self.view = self.here = None
        return found

    def put(self, view: bytes | None = None, here: bytes | None = None, last: bool = False) -> None:
        """Queue these in place of earlier ones; nothing is sent after the `last`."""
        self.view, self.here = view or self.view, here or self.here
        self.closed = self.closed or last
        self.ready.set()


@dataclass(eq=False)
class _Room:
    """A table with its open pages."""

    id: str
    live: LiveTable | None = None
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    listeners: list[OpenPage] = field(default_factory=list)
    touched: float = field(default_factory=time.monotonic)
    stuck: bool = False
    pump: asyncio.Task[None] | None = None


class Hall:
    """The tables of one server. Its methods run in the event loop."""

    def __init__(
        self,
        store: TableStore,
        patience: float,
        pause: float,
        language_of: LanguageOf = language_for,
    ) -> None:
        self.store = store
        self._language_of = language_of
        self._patience = patience
        self._pause = pause
        self._rooms: dict[str, _Room] = {}
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="table")

    def close(self) -> None:
        """Stop all work."""
        for room in self._rooms.values():
            if room.pump is not None:
                room.pump.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def apart(self, work: Callable[[], T], patience: float | None = None) -> T:
        """Run work outside all tables in a thread; Busy if it takes too long."""
        future = asyncio.get_running_loop().run_in_executor(self._threads, work)
        try:
            return await asyncio.wait_for(asyncio.shield(future), patience or self._patience)
        except TimeoutError:
            raise Busy from None

    # ------------------------------------------------------------------ work at a table

    async def at(self, id: str, work: Callable[[LiveTable], T]) -> T:
        """Run work at a table, and send its pages the changes."""
        room = self._rooms.setdefault(id, _Room(id))
        room.touched = time.monotonic()
        if room.stuck:
            raise Busy
        async with room.turn:
            if room.stuck:
                raise Busy
            return await self._in_turn(room, work)

    async def _in_turn(self, room: _Room, work: Callable[[LiveTable], T]) -> T:
        def job() -> T:
            before = room.live.stamp if room.live is not None else -1
            live = room.live = room.live or load_table(self.store, room.id, self._language_of)
            try:
                result = work(live)
            except MovedOn:
                room.live = None  # another process has written: load it anew
                raise
            if live.stamp != before:
                # The views of seats with open pages are computed in the table's thread.
                seats = {one.seat for one in tuple(room.listeners)}
                seen = {seat: encoded(seat_view(live, seat)) for seat in seats}
                for one in tuple(room.listeners):
                    loop.call_soon_threadsafe(one.put, seen.get(one.seat))
            return result

        def ended(_: asyncio.Future[T]) -> None:
            room.stuck = False
            self._start_pump(room)

        loop = asyncio.get_running_loop()
        future = loop.run_in_executor(self._threads, job)
        try:
            result = await asyncio.wait_for(asyncio.shield(future), self._patience)
        except TimeoutError:
            # Nobody waits for this table until its work ends.
            room.stuck = True
            log.warning("table %s is at something that takes very long", room.id)
            future.add_done_callback(ended)
            raise Busy from None
        except NoTable:
            self._rooms.pop(room.id, None)
            raise
        self._start_pump(room)
        return result

    # ------------------------------------------------------------------ bots

    def _start_pump(self, room: _Room) -> None:
        """Start the bots, which answer one by one, with a pause for spectators."""
        if room.pump is None and room.live is not None and room.live.bots_are_asked():
            room.pump = asyncio.get_running_loop().create_task(self._pump(room))

    async def _pump(self, room: _Room) -> None:
        try:
            while room.live is not None and room.live.bots_are_asked():
                await asyncio.sleep(self._pause if room.listeners else 0)
                async with room.turn:
                    if room.stuck:
                        return
                    await self._in_turn(room, LiveTable.bot_answers)
        except (NotStored, RuntimeFault, Busy) as fault:
            log.warning("a bot at table %s could not answer: %s", room.id, fault)
        finally:
            room.pump = None

    # ------------------------------------------------------------------ open pages

    async def listen(self, sitter: Sitter) -> OpenPage:
        """Register an open page of this seat, and send it the view."""
        id, seat = sitter.table, sitter.seat

        def first(live: LiveTable) -> bytes:
            return encoded(seat_view(live, seat))

        listener = OpenPage(seat, sitter.link, await self.at(id, first))
        room = self._rooms[id]
        _make_room(room, listener.link)
        room.listeners.append(listener)
        self._tell_who_is_here(room)
        # The table may have changed between the view and the registration.
        listener.put(await self.at(id, first))
        return listener

    def leave(self, id: str, listener: OpenPage) -> None:
        """Drop a page."""
        listener.closed = True
        room = self._rooms.get(id)
        if room is not None and listener in room.listeners:
            room.listeners.remove(listener)
            room.touched = time.monotonic()
            self._tell_who_is_here(room)

    def shut(self, id: str, seat: int | None = None) -> None:
        """Close a seat's pages, or all."""
        room = self._rooms.get(id)
        for one in room.listeners if room is not None else ():
            if seat is None or one.seat == seat:
                one.put(last=True)
        if room is not None and seat is None:
            room.live = None

    def _tell_who_is_here(self, room: _Room) -> None:
        here = sorted({one.seat for one in room.listeners})
        text = encoded({"type": "here", "seats": here})
        for one in room.listeners:
            one.put(here=text)

    def let_go(self, after: float = IDLE) -> int:
        """Unload the tables idle for `after` seconds; return how many are left."""
        now = time.monotonic()
        for id, room in list(self._rooms.items()):
            idle = not room.listeners and room.pump is None and not room.stuck
            if idle and not room.turn.locked() and now - room.touched > after:
                del self._rooms[id]
        return len(self._rooms)


def _make_room(room: _Room, link: bytes) -> None:
    """Close the oldest page of a link with many, so that no link crowds out others. Raises Crowded if none
    has."""
    many = Counter(one.link for one in room.listeners)
    if many[link] < MOST_OF_ONE:
        if len(room.listeners) < MOST_LISTENERS:
            return
        link, most = many.most_common(1)[0]
        if most == 1:
            raise Crowded
    oldest = next(one for one in room.listeners if one.link == link)
    room.listeners.remove(oldest)
    oldest.view = None
    oldest.put(here=encoded({"type": "elsewhere"}), last=True)


def encoded(data: object) -> bytes:
    """Data as compact JSON."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


# Seconds for a page to identify itself, and between keep-alives.
HELLO, ALIVE = 5.0, 15.0
NOT_ALLOWED, GONE, LATER = 4401, 4404, 4503


async def serve_socket(hall: Hall, door: Door, ws: WebSocket) -> None:
    """Serve one WebSocket."""
    sitter = await let_in(ws, lambda token: seated(door, token))
    if sitter is None:
        return
    try:
        listener = await hall.listen(sitter)
    except NoTable:
        await ws.close(GONE)
    except (Busy, Crowded, NotStored):
        await ws.close(LATER)
    else:
        await _send_all(hall, ws, sitter, listener)


async def let_in(ws: WebSocket, who: Callable[[str | None], T]) -> T | None:
    """The owner of a page's token, which is its first message and in no URL. For an invalid token the socket
    is closed and None returned."""
    await ws.accept()
    try:
        token = table_of(await asyncio.wait_for(ws.receive_text(), HELLO)).get("token")
        return who(token if isinstance(token, str) else None)
    except (NotAllowed, TooManyGuesses, BadInput, KeyError, TimeoutError):
        await ws.close(NOT_ALLOWED)
    except WebSocketDisconnect:
        pass
    return None


async def _send_all(hall: Hall, ws: WebSocket, sitter: Sitter, listener: OpenPage) -> None:
    watch = asyncio.create_task(_until_closed(ws, listener))
    try:
        while not listener.closed:
            await listener.ready.wait()
            for text in listener.take():
                await ws.send_text(text.decode())
        if not watch.done():
            await ws.close(NOT_ALLOWED)
    except (WebSocketDisconnect, RuntimeError):
        pass  # the page was closed during sending
    finally:
        watch.cancel()
        hall.leave(sitter.table, listener)


async def _until_closed(ws: WebSocket, listener: OpenPage) -> None:
    """Read and ignore messages of a page until it is closed."""
    try:
        while True:
            await ws.receive_text()
    except (WebSocketDisconnect, KeyError, RuntimeError):
        listener.put(last=True)


async def serve_events(hall: Hall, door: Door, request: Request) -> StreamingResponse:
    """The same as server-sent events, for pages that use `fetch`."""
    sitter = seated(door, token_of(request))
    sent = _as_events(hall, sitter, await hall.listen(sitter))
    return StreamingResponse(sent, media_type="text/event-stream")


async def _as_events(hall: Hall, sitter: Sitter, listener: OpenPage) -> AsyncIterator[bytes]:
    try:
        while not listener.closed:
            try:
                await asyncio.wait_for(listener.ready.wait(), ALIVE)
            except TimeoutError:
                yield b": alive\n\n"
                continue
            for text in listener.take():
                yield b"data: " + text + b"\n\n"
    finally:
        hall.leave(sitter.table, listener)
