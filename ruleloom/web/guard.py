"""The checks that every request passes before anything reads it.

A page of another site must neither read nor write here, whatever its name resolves to: the Host is
one of ours, the Origin (where there is one, and always for a WebSocket) is ours, and a write is JSON
that no form can send. Answers carry a policy under which only our own files run. Bodies have a size
and a time, and everybody a rate.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from dataclasses import field
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from ruleloom.runtime.dataclass import dataclass

STYLES = "style-src 'self'"
POLICY = "; ".join((
    "default-src 'none'", "script-src 'self'", STYLES, "img-src 'self' data:",
    "connect-src 'self'", "font-src 'self'", "manifest-src 'self'", "base-uri 'none'",
    "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    "trusted-types 'none'",
))  # fmt: skip
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
# Where a page says in its scope by which nonce styles are let in that its own files make.
STYLE_NONCE = "ruleloom.style_nonce"
METHODS = ("GET", "HEAD", "POST")
LONGEST_PATH = 300
LARGEST_HEAD = 16 * 1024
MOST_BODY, SLOWEST_BODY = 64 * 1024, 10.0
# Requests that somebody may make at once, and in a second.
BURST, RATE = 120, 40.0
MOST_CALLERS = 4_096
REFUSED = {
    400: "this request is not understood",
    403: "this page does not come from this server",
    404: "there is nothing here",
    405: "this is read with GET and written with POST",
    408: "this request comes too slowly",
    413: "this request is too large",
    415: "what is written here is JSON",
    421: "this server has another name",
    431: "the head of this request is too large",
    429: "these are too many requests at once; wait a moment",
}


class NotLetIn(Exception):
    """A request that goes no further, with the status of the answer: a body raises it while it is
    read."""

    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(REFUSED[status])


@dataclass
class Bucket:
    """The requests that somebody may still make; their number grows again with time."""

    left: float = BURST
    seen: float = field(default_factory=time.monotonic)

    def take(self) -> bool:
        """Take one request; return whether there was one left."""
        now = time.monotonic()
        self.left = min(BURST, self.left + (now - self.seen) * RATE)
        self.seen = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Guard:
    """Refuses what must not get in; `large` are the paths that take larger bodies, in bytes."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str], large: Mapping[str, int]) -> None:
        self.app = app
        self.hosts = frozenset(hosts)
        self.origins = frozenset(f"http://{host}" for host in self.hosts)
        self.large = large
        self._callers: dict[str, Bucket] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        status = next((one for fails, one in self._checks(scope) if fails), None)
        if scope["type"] == "http":
            limit = self.large.get(scope["path"], MOST_BODY)
            app = self.app if status is None else refusal(status)
            await app(scope, _Body(scope, receive, limit), _with_headers(scope, send))
        elif status is None:
            await self.app(scope, receive, send)
        else:
            await WebSocketClose(1008, REFUSED[status])(scope, receive, send)

    def _checks(self, scope: Scope) -> Iterator[tuple[bool, int]]:
        """Whether each check fails, and with which status; the later ones read what has passed the
        earlier."""
        headers = Headers(scope=scope)
        yield sum(len(name) + len(value) for name, value in headers.raw) > LARGEST_HEAD, 431
        yield from _checks_of_form(scope, headers)
        hosts = headers.getlist("host")
        yield len(hosts) != 1 or hosts[0].lower() not in self.hosts, 421
        yield from self._checks_of_site(scope, headers)
        yield not self._caller(scope, headers).take(), 429

    def _checks_of_site(self, scope: Scope, headers: Headers) -> Iterator[tuple[bool, int]]:
        """Against what a page of another site, or a form, has made a browser send."""
        origins = [origin.lower() for origin in headers.getlist("origin")]
        is_socket, is_write = scope["type"] == "websocket", scope.get("method") == "POST"
        ours = len(origins) == 1 and origins[0] in self.origins
        yield bool(origins or is_socket) and not ours, 403
        is_foreign = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        yield (is_socket or is_write) and is_foreign, 403
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        yield is_write and kind != "application/json", 415

    def _caller(self, scope: Scope, headers: Headers) -> Bucket:
        """The bucket of a request: by its token, so that people behind one address do not share
        one, else by its address."""
        client = scope.get("client") or ("",)
        name = (headers.get("authorization") or str(client[0]))[:200]
        if len(self._callers) >= MOST_CALLERS and name not in self._callers:
            oldest = min(self._callers, key=lambda one: self._callers[one].seen)
            del self._callers[oldest]
        return self._callers.setdefault(name, Bucket())


def _checks_of_form(scope: Scope, headers: Headers) -> Iterator[tuple[bool, int]]:
    """Against what no browser of ours sends: a foreign target, dots, two lengths of one body."""
    raw = scope.get("raw_path") or scope["path"].encode()
    plain = raw.startswith(b"/") and not raw.startswith(b"//") and len(raw) <= LONGEST_PATH
    yield not plain or any(sign in raw for sign in (b"..", b"\\", b"%", b"\0")), 400
    yield scope["type"] == "http" and scope["method"] not in METHODS, 405
    lengths = headers.getlist("content-length")
    yield len(lengths) > 1 or bool(lengths and "transfer-encoding" in headers), 400


def refusal(status: int) -> JSONResponse:
    """The answer to a request that goes no further."""
    return JSONResponse({"error": REFUSED[status]}, status, {"connection": "close"})


class _Body:
    """The body of a request as it comes, within its size and its time."""

    def __init__(self, scope: Scope, receive: Receive, limit: int) -> None:
        self._receive = receive
        self._limit = limit
        self._seen = 0
        self._ended = False
        self._until = time.monotonic() + SLOWEST_BODY
        declared = Headers(scope=scope).get("content-length", "0")
        self._too_large = not declared.isdecimal() or int(declared[:12]) > limit

    async def __call__(self) -> Message:
        if self._too_large:
            raise NotLetIn(413)
        if self._ended:  # what is waited for now is that the caller leaves
            return await self._receive()
        try:
            left = max(0.0, self._until - time.monotonic())
            message = await asyncio.wait_for(self._receive(), left)
        except TimeoutError:
            raise NotLetIn(408) from None
        self._seen += len(message.get("body", b""))
        self._ended = not message.get("more_body", False)
        if self._seen > self._limit:
            raise NotLetIn(413)
        return message


def _with_headers(scope: Scope, send: Send) -> Send:
    """The same with our headers on the answer."""

    async def sent(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=list(message.get("headers", [])))
            headers.update(HEADERS)
            if (nonce := scope.get(STYLE_NONCE)) is not None:
                styles = f"{STYLES} 'nonce-{nonce}'"
                headers["content-security-policy"] = POLICY.replace(STYLES, styles)
            message = {**message, "headers": headers.raw}
        await send(message)

    return sent
