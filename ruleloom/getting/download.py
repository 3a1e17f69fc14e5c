"""Downloads one file by https, or by http in one's own network, into memory.

Everything is bounded: bytes while they are read, whatever the length that was announced; redirects; the time
of each pause and of all together. Proxies, cookies, passwords and packed transfers are not used.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from threading import Timer
from urllib.parse import urljoin

from ruleloom.api.version import VERSION
from ruleloom.getting.hosts import LedFrom, reach
from ruleloom.getting.written_sources import NotGot, WebAddress, read_address
from ruleloom.runtime.dataclass import Frozen

PIECE = 64 * 1024
REDIRECTS = (301, 302, 303, 307, 308)
HEADERS = {
    "Accept-Encoding": "identity",
    "Connection": "close",
    "User-Agent": f"ruleloom/{VERSION}",
}


class Patience(Frozen):
    """The seconds of a pause and of a whole answer, and the number of redirects."""

    pause: float = 15
    whole: float = 120
    redirects: int = 5


PATIENCE = Patience()


class _Connection(HTTPConnection):
    """A connection to one of the numeric addresses of a host."""

    def __init__(self, address: WebAddress, numbers: Sequence[str]) -> None:
        super().__init__(address.host, address.port, timeout=PATIENCE.pause)
        self._address, self._numbers = address, numbers
        self._held: socket.socket | None = None  # `sock` goes to the answer once that begins
        self.late = False

    def connect(self) -> None:
        self.sock = self._held = self._reached()
        if self._address.scheme == "https":
            context = ssl.create_default_context()
            self.sock = context.wrap_socket(self.sock, server_hostname=self._address.host)
            self._held = self.sock

    def _reached(self) -> socket.socket:
        for number in self._numbers[:-1]:
            with suppress(OSError):
                return socket.create_connection((number, self._address.port), PATIENCE.pause)
        return socket.create_connection((self._numbers[-1], self._address.port), PATIENCE.pause)

    def break_off(self) -> None:
        """End whatever is waited for."""
        self.late = True
        if self._held is not None:
            with suppress(OSError):
                self._held.shutdown(socket.SHUT_RDWR)


def download(address: WebAddress, most: int, led: LedFrom | None = None) -> bytes:
    """The file at an address, of at most so many bytes. Raises NotGot."""
    first = address
    for _ in range(PATIENCE.redirects + 1):
        answer = _answer(address, most, led)
        if isinstance(answer, bytes):
            return answer
        led, address = LedFrom(address.shown, address), answer
    message = f"{first.shown} leads on and on, more than {PATIENCE.redirects} times"
    raise NotGot(message, "open it in a browser, and name the address at its end")


def _answer(address: WebAddress, most: int, led: LedFrom | None) -> bytes | WebAddress:
    """The file at an address, or the address that it redirects to."""
    connection = _Connection(address, reach(address, led))
    timer = Timer(PATIENCE.whole, connection.break_off)
    timer.daemon = True
    timer.start()
    try:
        found: bytes | WebAddress | NotGot = _asked(connection, address, most)
    except NotGot as refused:
        found = refused
    finally:
        timer.cancel()
        connection.close()
    if connection.late:  # what came may look whole, or broken off by others
        message = f"{address.shown} takes more than {PATIENCE.whole:g} seconds"
        raise NotGot(message, "try it again later")
    if isinstance(found, NotGot):
        raise found
    return found


def _asked(connection: _Connection, address: WebAddress, most: int) -> bytes | WebAddress:
    try:
        connection.request("GET", address.path, headers=HEADERS)
        response = connection.getresponse()
        if response.status in REDIRECTS:
            return _next(address, response.headers.get("Location", ""))
        return _body(address, response, most)
    except (OSError, HTTPException, ValueError) as error:
        reason = f"{address.shown} does not answer as it should: {_why(error)}"
        raise NotGot(reason, "try it again later, or in a browser") from None


def _why(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return f"nothing came for {PATIENCE.pause:g} seconds"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not valid ({error.verify_message})"
    if isinstance(error, OSError):
        return (error.strerror or "the connection broke off").lower()
    return "what came is no answer of a web server"


def _next(address: WebAddress, location: str) -> WebAddress:
    """The address that a redirect names. Raises NotGot for one that is never followed."""
    if not location.isprintable():
        raise NotGot(f"{address.shown} leads to what is no address")
    try:
        return read_address(urljoin(address.text, location.partition("#")[0]))
    except (NotGot, ValueError) as error:
        help = "ask whoever keeps that page"
        raise NotGot(f"{address.shown} leads on to where it may not: {error}", help) from None


def _body(address: WebAddress, response: HTTPResponse, most: int) -> bytes:
    if response.status != 200:
        message = f"{address.shown} answers {response.status} {response.reason[:80]}"
        raise NotGot(message, "open it in a browser, and name the address of the file itself")
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise NotGot(f"{address.shown} sends a packed answer, and was asked for a plain one")
    announced = _announced(address, response)
    if announced is not None and announced > most:
        raise _too_big(address, most)
    data = _read(response, most + 1 if announced is None else announced)
    if len(data) > most:
        raise _too_big(address, most)
    if announced is not None and len(data) < announced:
        message = f"{address.shown} breaks off after {len(data):,} of {announced:,} bytes"
        raise NotGot(message, "try it again")
    return data


def _read(response: HTTPResponse, most: int) -> bytes:
    """What comes, up to so many bytes."""
    data = bytearray()
    while len(data) < most and (piece := response.read1(min(PIECE, most - len(data)))):
        data += piece
    return bytes(data)


def _announced(address: WebAddress, response: HTTPResponse) -> int | None:
    """The length that an answer announces, if it does."""
    found = response.headers.get_all("Content-Length") or []
    if response.chunked or not found:
        return None
    if len(set(found)) > 1 or not (found[0].isascii() and found[0].isdigit()) or len(found[0]) > 15:
        raise NotGot(f"{address.shown} announces a length that is none")
    return int(found[0])


def _too_big(address: WebAddress, most: int) -> NotGot:
    message = f"{address.shown} sends more than {most:,} bytes"
    return NotGot(message, "a pack holds rules as text, and is small")
