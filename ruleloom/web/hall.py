"""All tables of a server: loaded when somebody comes, worked at one thing at a time, let go when
nobody is there.

Work happens in threads, so that one table never holds up another. What takes longer than the limit
leaves its table to itself until it ends: requests to it meanwhile are refused at once.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import field
from functools import lru_cache
from typing import TypeVar

from ruleloom.api.linking import linked_for
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.play.journal import (
    Header,
    Scan,
    replayed,
    settings_read,
    unsealed,
    world_read,
)
from ruleloom.runtime.program.canonical_json import SaveError, read_json
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_of
from ruleloom.web.live_table import LiveTable
from ruleloom.web.seat_view import seat_view
from ruleloom.web.seating import Sitter
from ruleloom.web.table_store import KeptTable, MovedOn, NotStored, TableStore

THREADS = 24
# Seconds that somebody waits for a table, and after which a table without anybody is let go.
PATIENCE, IDLE = 20.0, 600.0
BOT_PAUSE = 0.35
MOST_LISTENERS, MOST_OF_ONE = 64, 8  # pages open at one table, and by one link to it

T = TypeVar("T")
log = logging.getLogger("ruleloom.web")


class NoTable(Exception):
    """There is no such table."""


class Busy(Exception):
    """A table is still at something that takes very long."""


class Crowded(Exception):
    """So many pages are open at a table that no more are let in."""


@dataclass(eq=False)
class OpenPage:
    """An open page with its pending messages. Only the latest view of the table counts."""

    seat: int
    link: bytes
    view: bytes | None = None
    here: bytes | None = None
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    closed: bool = False

    def take(self) -> list[bytes]:
        """The messages to send now."""
        self.ready.clear()
        found = [one for one in (self.view, self.here) if one is not None]
        self.view = self.here = None
        return found


@dataclass(eq=False)
class _Room:
    """A table with its open pages."""

    id: str
    live: LiveTable | None = None
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    listeners: list[OpenPage] = field(default_factory=list)
    touched: float = field(default_factory=time.monotonic)
    stuck: Future[object] | None = None
    pump: asyncio.Task[None] | None = None


class Hall:
    """The tables of one server. Its methods are called by the event loop."""

    def __init__(
        self, store: TableStore, patience: float = PATIENCE, pause: float = BOT_PAUSE
    ) -> None:
        self.store = store
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
        """Run something outside all tables in a thread; Busy if it takes too long."""
        future = self._threads.submit(work)
        try:
            waited = asyncio.wrap_future(future)
            return await asyncio.wait_for(asyncio.shield(waited), patience or self._patience)
        except TimeoutError:
            raise Busy from None

    # ------------------------------------------------------------------ work at a table

    async def at(self, id: str, work: Callable[[LiveTable], T]) -> T:
        """Do something at a table, and send its pages what has changed by it."""
        room = self._rooms.setdefault(id, _Room(id))
        room.touched = time.monotonic()
        if room.stuck is not None:
            raise Busy
        async with room.turn:
            if room.stuck is not None:
                raise Busy
            return await self._in_turn(room, work)

    async def _in_turn(self, room: _Room, work: Callable[[LiveTable], T]) -> T:
        def job() -> T:
            before = room.live.stamp if room.live is not None else -1
            live = room.live = room.live or load_table(self.store, room.id)
            try:
                result = work(live)
            except MovedOn:
                room.live = None  # what another process has stored is read anew
                raise
            if live.stamp != before:
                self._show(room, live, loop)
            return result

        loop = asyncio.get_running_loop()
        future = self._threads.submit(job)
        try:
            result = await asyncio.wait_for(
                asyncio.shield(asyncio.wrap_future(future)), self._patience
            )
        except TimeoutError:
            self._leave_alone(room, future)
            raise Busy from None
        except NoTable:
            self._rooms.pop(room.id, None)
            raise
        self._start_pump(room)
        return result

    def _leave_alone(self, room: _Room, future: Future[T]) -> None:
        """Let nobody wait for this table until its work has ended."""
        loop = asyncio.get_running_loop()
        room.stuck = future  # type: ignore[assignment]
        log.warning("table %s is at something that takes very long", room.id)

        def ended(_: Future[T]) -> None:
            loop.call_soon_threadsafe(self._take_up, room)

        future.add_done_callback(ended)

    def _take_up(self, room: _Room) -> None:
        room.stuck = None
        self._start_pump(room)

    def _show(self, room: _Room, live: LiveTable, loop: asyncio.AbstractEventLoop) -> None:
        """Work out, in the thread of the table, what each seat with an open page sees now."""
        seats = {one.seat for one in tuple(room.listeners)}
        seen = {seat: encoded(seat_view(live, seat)) for seat in seats}
        loop.call_soon_threadsafe(self._deliver, room, seen)

    def _deliver(self, room: _Room, seen: dict[int, bytes]) -> None:
        for one in room.listeners:
            if one.seat in seen:
                one.view = seen[one.seat]
                one.ready.set()

    # ------------------------------------------------------------------ bots

    def _start_pump(self, room: _Room) -> None:
        """Let bots answer, one after the other, with a pause for those who look on."""
        if room.pump is None and room.live is not None and room.live.bots_are_asked():
            room.pump = asyncio.get_running_loop().create_task(self._pump(room))

    async def _pump(self, room: _Room) -> None:
        try:
            while room.live is not None and room.live.bots_are_asked():
                await asyncio.sleep(self._pause if room.listeners else 0)
                async with room.turn:
                    if room.stuck is not None:
                        return
                    await self._in_turn(room, LiveTable.bot_answers)
        except (NotStored, RuntimeFault, Busy) as fault:
            log.warning("a bot at table %s could not answer: %s", room.id, fault)
        finally:
            room.pump = None

    # ------------------------------------------------------------------ open pages

    async def listen(self, sitter: Sitter) -> OpenPage:
        """A page of this seat is open from now on; it is sent the view at once."""
        id, seat = sitter.table, sitter.seat
        listener = OpenPage(seat, sitter.link)

        def first(live: LiveTable) -> bytes:
            return encoded(seat_view(live, seat))

        listener.view = await self.at(id, first)
        room = self._rooms[id]
        _make_room(room, listener.link)
        room.listeners.append(listener)
        listener.ready.set()
        self._tell_who_is_here(room)
        # Something may have changed between the view and the first moment of listening.
        listener.view = await self.at(id, first)
        listener.ready.set()
        return listener

    def leave(self, id: str, listener: OpenPage) -> None:
        """A page is closed."""
        listener.closed = True
        room = self._rooms.get(id)
        if room is not None and listener in room.listeners:
            room.listeners.remove(listener)
            room.touched = time.monotonic()
            self._tell_who_is_here(room)

    def shut(self, id: str, seat: int | None = None) -> None:
        """Close the pages of a seat, or of all."""
        room = self._rooms.get(id)
        for one in room.listeners if room is not None else ():
            if seat is None or one.seat == seat:
                one.closed = True
                one.ready.set()
        if room is not None and seat is None:
            room.live = None

    def _tell_who_is_here(self, room: _Room) -> None:
        here = sorted({one.seat for one in room.listeners})
        text = encoded({"type": "here", "seats": here})
        for one in room.listeners:
            one.here = text
            one.ready.set()

    def let_go(self, after: float = IDLE) -> int:
        """Forget the tables at which nobody was for so long; return how many are left."""
        now = time.monotonic()
        for id, room in list(self._rooms.items()):
            idle = not room.listeners and room.pump is None and room.stuck is None
            if idle and not room.turn.locked() and now - room.touched > after:
                del self._rooms[id]
        return len(self._rooms)


def _make_room(room: _Room, link: bytes) -> None:
    """Close the oldest page of a link that has many open, so that no link takes the places of
    others; Crowded if there is none."""
    many = Counter(one.link for one in room.listeners)
    if many[link] < MOST_OF_ONE:
        if len(room.listeners) < MOST_LISTENERS:
            return
        link, most = many.most_common(1)[0]
        if most == 1:
            raise Crowded
    oldest = next(one for one in room.listeners if one.link == link)
    room.listeners.remove(oldest)
    oldest.view, oldest.here, oldest.closed = None, encoded({"type": "elsewhere"}), True
    oldest.ready.set()


def encoded(data: object) -> bytes:
    """Data as compact JSON."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


# ---------------------------------------------------------------------------------- from the store


def load_table(store: TableStore, id: str) -> LiveTable:
    """A table loaded from the store; NoTable if there is none, NotStored if it cannot be read."""
    kept = store.table(id)
    if kept is None:
        raise NoTable
    try:
        return LiveTable(id, _game_of(store, kept), kept.seats, store)
    except SaveError as error:
        raise NotStored(f"this table cannot be played on: {error}") from None


def _game_of(store: TableStore, kept: KeptTable) -> Game:
    program = _program(store, kept.program)
    players = tuple(kept.header["players"])
    settings = settings_read(program, kept.header["settings"])
    linked = linked_for(program, players, settings)
    world = world_read(linked, kept.header["world"])
    answers = tuple(_lines(store.lines(kept.id)))
    header = Header(linked, kept.header["seed"], world)
    return replayed(header, Scan("", {}, answers, kept.end, None))[0]


def _lines(lines: Iterable[str]) -> Iterable[dict[str, object]]:
    return (unsealed(line) for line in lines)


@lru_cache(maxsize=32)
def _program(store: TableStore, hash_: str) -> Program:
    """A program, shared by all tables that play by it."""
    return program_of(read_json(store.program(hash_)))
