"""The checks that every request passes before anything reads it.

A page of another site must neither read nor write here, whatever its name resolves to: the Host is
one of ours, the Origin (where there is one, and always for a WebSocket) is ours, and a write is JSON
that no form can send. Answers carry a policy under which only our own files run. Bodies have a size
and a time, and everybody a rate.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import field
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

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

Headers = Mapping[bytes, list[bytes]]


class NotLetIn(Exception):
    """A request that goes no further, with the status of the answer; a body raises it while it is
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
        self.hosts = frozenset(host.encode() for host in hosts)
        self.origins = frozenset(b"http://" + host for host in self.hosts)
        self.large = large
        self._callers: dict[bytes, Bucket] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        try:
            self._check(scope)
        except NotLetIn as refusal:
            await _refuse(scope, receive, send, refusal.status)
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        limit = self.large.get(scope["path"], MOST_BODY)
        await self.app(scope, _Body(scope, receive, limit), _Answer(scope, send))

    def _check(self, scope: Scope) -> None:
        headers = _headers(scope)
        _check_form(scope, headers)
        if len(headers.get(b"host", ())) != 1 or headers[b"host"][0].lower() not in self.hosts:
            raise NotLetIn(421)
        self._check_origin(scope, headers)
        if not self._caller(scope, headers).take():
            raise NotLetIn(429)

    def _check_origin(self, scope: Scope, headers: Headers) -> None:
        origins = [origin.lower() for origin in headers.get(b"origin", [])]
        is_socket, is_write = scope["type"] == "websocket", scope.get("method") == "POST"
        ours = len(origins) == 1 and origins[0] in self.origins
        if (origins or is_socket) and not ours:
            raise NotLetIn(403)
        if is_socket or is_write:
            _check_site(headers)
        if is_write:
            _check_json(headers)

    def _caller(self, scope: Scope, headers: Headers) -> Bucket:
        """The bucket of a request: by its token, so that people behind one address do not share
        one, else by its address."""
        client = scope.get("client") or ("",)
        name = headers.get(b"authorization", [b""])[0] or str(client[0]).encode()
        if len(self._callers) >= MOST_CALLERS and name not in self._callers:
            oldest = min(self._callers, key=lambda one: self._callers[one].seen)
            del self._callers[oldest]
        return self._callers.setdefault(name[:200], Bucket())


def _headers(scope: Scope) -> Headers:
    found: dict[bytes, list[bytes]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.lower(), []).append(value)
    return found


def _check_site(headers: Headers) -> None:
    """Refuse what another site has made a browser send."""
    if headers.get(b"sec-fetch-site", [b"none"])[0] not in (b"none", b"same-origin"):
        raise NotLetIn(403)


def _check_json(headers: Headers) -> None:
    """Refuse what a form could send."""
    kind = headers.get(b"content-type", [b""])[0].partition(b";")[0].strip().lower()
    if kind != b"application/json":
        raise NotLetIn(415)


def _check_form(scope: Scope, headers: Headers) -> None:
    """Refuse what no browser of ours sends: a foreign target, dots, two lengths of one body."""
    if sum(len(name) + len(value) for name, value in scope["headers"]) > LARGEST_HEAD:
        raise NotLetIn(431)
    _check_path(scope.get("raw_path") or scope["path"].encode())
    if scope["type"] == "http" and scope["method"] not in METHODS:
        raise NotLetIn(405)
    lengths = headers.get(b"content-length", [])
    if len(lengths) > 1 or (lengths and b"transfer-encoding" in headers):
        raise NotLetIn(400)


def _check_path(raw: bytes) -> None:
    plain = raw.startswith(b"/") and not raw.startswith(b"//") and len(raw) <= LONGEST_PATH
    if not plain or any(sign in raw for sign in (b"..", b"\\", b"%", b"\0")):
        raise NotLetIn(400)


class _Body:
    """The body of a request as it comes, within its size and its time."""

    def __init__(self, scope: Scope, receive: Receive, limit: int) -> None:
        self._receive = receive
        self._limit = limit
        self._seen = 0
        self._ended = False
        self._until = time.monotonic() + SLOWEST_BODY
        declared = _headers(scope).get(b"content-length", [b"0"])[0]
        self._too_large = not declared.isdigit() or int(declared[:12]) > limit

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


class _Answer:
    """Adds our headers to an answer."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope, self._send = scope, send

    async def __call__(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            nonce = self._scope.get(STYLE_NONCE)
            message = {**message, "headers": _guarded(message.get("headers", []), nonce)}
        await self._send(message)


def _guarded(
    headers: Iterable[tuple[bytes, bytes]], nonce: str | None = None
) -> list[tuple[bytes, bytes]]:
    own = {name.encode(): value.encode() for name, value in HEADERS.items()}
    if nonce is not None:
        styles = f"{STYLES} 'nonce-{nonce}'"
        own[b"content-security-policy"] = POLICY.replace(STYLES, styles).encode()
    return [*((name, value) for name, value in headers if name.lower() not in own), *own.items()]


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": REFUSED[status]})
        return
    body = f'{{"error":"{REFUSED[status]}"}}'.encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": _guarded(headers)})
    await send({"type": "http.response.body", "body": body})
