"""Open pages: what changes at a table, sent over a WebSocket, or as a stream of events where a
network lets none through."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.websockets import WebSocket, WebSocketDisconnect

from ruleloom.web.hall import Busy, Crowded, Hall, NoTable, OpenPage
from ruleloom.web.requests import BadInput, NotAllowed, seated, table_of, token_of
from ruleloom.web.seating import Door, Sitter, TooManyGuesses
from ruleloom.web.table_store import NotStored

# Seconds for a page to say who it is, and between signs of life.
HELLO, ALIVE = 5.0, 15.0
NOT_ALLOWED, GONE, LATER = 4401, 4404, 4503


async def socket(hall: Hall, door: Door, ws: WebSocket) -> None:
    """Serve one WebSocket: its first message is the token, which stands in no address."""
    await ws.accept()
    try:
        sitter = seated(door, await token_in(ws))
        listener = await hall.listen(sitter)
    except (NotAllowed, TooManyGuesses, BadInput, KeyError, TimeoutError):
        await ws.close(NOT_ALLOWED)
        return
    except NoTable:
        await ws.close(GONE)
        return
    except (Busy, Crowded, NotStored):
        await ws.close(LATER)
        return
    except WebSocketDisconnect:
        return
    await _send_all(hall, ws, sitter, listener)


async def token_in(ws: WebSocket) -> str | None:
    """The token that the first message of a page holds."""
    token = table_of(await asyncio.wait_for(ws.receive_text(), HELLO)).get("token")
    return token if isinstance(token, str) else None


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
        pass  # the page was closed while something was sent
    finally:
        watch.cancel()
        hall.leave(sitter.table, listener)


async def _until_closed(ws: WebSocket, listener: OpenPage) -> None:
    """Read what a page sends, which is nothing, until it is closed."""
    try:
        while True:
            await ws.receive_text()
    except (WebSocketDisconnect, KeyError, RuntimeError):
        listener.closed = True
        listener.ready.set()


async def events(hall: Hall, door: Door, request: Request) -> StreamingResponse:
    """The same as a stream of events, which a page reads with `fetch`."""
    sitter = seated(door, token_of(request))
    listener = await hall.listen(sitter)
    stream = _events(hall, request, sitter, listener)
    return StreamingResponse(stream, media_type="text/event-stream")


async def _events(
    hall: Hall, request: Request, sitter: Sitter, listener: OpenPage
) -> AsyncIterator[bytes]:
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
