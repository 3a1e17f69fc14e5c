"""The server: HTTP and WebSockets on the loopback interface or on the local network.

A connection without a timely request is closed, and so are surplus ones.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterable

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ruleloom.runtime.dataclass import Frozen
from ruleloom.web.app import NOTHING_MORE, Addition, Service, application
from ruleloom.web.requests import LARGEST_HEAD

LOOPBACK = "127.0.0.1"
OWN_NAMES = (LOOPBACK, "localhost", "[::1]")
PORT = 8750
# Seconds in which the head of a request must arrive.
SLOWEST_HEAD = 8.0
MOST_CONNECTIONS = 2_000
LARGEST_MESSAGE = 4 * 1024


class TimedProtocol(H11Protocol):
    """HTTP/1.1 with a time limit for a request to begin or continue."""

    _timer: asyncio.TimerHandle | None = None
    _is_socket = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Close surplus connections at once; start the timer of others."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.close()
            return
        self._timer = self.loop.call_later(SLOWEST_HEAD, self._give_up)

    def data_received(self, data: bytes) -> None:
        """Read on; the timer restarts with a request, not with a byte."""
        before = self.scope
        super().data_received(data)
        if self.scope is not before and not self._is_socket:
            self._stop_timer()
            self._timer = self.loop.call_later(SLOWEST_HEAD, self._give_up)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """A WebSocket has its own timers."""
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
        """Stop the timer with the connection."""
        self._stop_timer()
        super().connection_lost(exc)


class Address(Frozen):
    """The address of a server, and the names that reach it."""

    host: str
    port: int
    names: tuple[str, ...]
    # The base URL of a proxy in front of the server; empty without one.
    url: str = ""

    @property
    def origins(self) -> tuple[str, ...]:
        """The base URLs under which pages may be loaded."""
        return (*(f"http://{name}:{self.port}" for name in self.names), *filter(None, (self.url,)))

    @property
    def urls(self) -> tuple[str, ...]:
        """The base URLs of links, the one for this machine first, and last the one that reaches farthest."""
        outer = [f"http://{name}:{self.port}" for name in self.names if name not in OWN_NAMES]
        return (f"http://{LOOPBACK}:{self.port}", *outer, *filter(None, (self.url,)))


def address_of(port: int, lan: bool) -> Address:
    """The loopback address, or with `lan` all interfaces, under this machine's IP address."""
    if not lan:
        return Address(LOOPBACK, port, OWN_NAMES)
    # The IP address is that of the outgoing route; nothing is sent.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        return Address("0.0.0.0", port, (*OWN_NAMES, str(probe.getsockname()[0])))
    return Address("0.0.0.0", port, OWN_NAMES)


def bound(address: Address) -> socket.socket:
    """The bound socket of a server; a taken port is reported before startup."""
    # asyncio disables Nagle's algorithm only for sockets marked as TCP; otherwise each response, a
    # head and a body, waits 40 ms for the acknowledgement of the head.
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    # Windows lets any program take over a port that may be reused, unless it is held alone.
    held = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
    found.setsockopt(socket.SOL_SOCKET, held, 1)
    found.bind((address.host, address.port))
    found.listen(256)  # early connections wait until the server is up
    return found


def server_for(
    service: Service, origins: Iterable[str], addition: Addition = NOTHING_MORE
) -> uvicorn.Server:
    """The server, not yet started."""
    config = uvicorn.Config(
        application(service, origins, addition),
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
