"""Runs the server: on the loopback, or where it was asked for on the local network, until stopped.

A connection that does not say in time what it wants is closed, and so is any beyond a number.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ruleloom.runtime.dataclass import dataclass
from ruleloom.web.app import NOTHING_MORE, Addition, Service, application
from ruleloom.web.guard import LARGEST_HEAD

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
