"""Untrusted requests: the checks that each must pass, the token, each field of the body.

A page of another site must neither read nor write here, whatever its name resolves to: the Host must be ours,
the Origin (if present, and always for a WebSocket) must be ours, and a write must be JSON, which no form can
send. Responses carry a policy under which only our own files run. Bodies have limits of size and time, and
callers a rate limit. A token has 256 random bits. Only its hash is stored, so that the server's file opens no
seat.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import field
from typing import Any, TypeVar

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.values import LARGEST
from ruleloom.scenes.scene import NOBODY
from ruleloom.web.pages import told
from ruleloom.web.table_store import NotStored, TableStore

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
# The key in the scope for the nonce of styles that a page's own scripts create.
STYLE_NONCE = "ruleloom.style_nonce"
METHODS = ("GET", "HEAD", "POST")
LONGEST_PATH = 300
LARGEST_HEAD = 16 * 1024
MOST_BODY, SLOWEST_BODY = 64 * 1024, 10.0
# The requests that one caller may make at once, and per second.
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
    """A rejected request, with the status of the response; reading a body may raise it."""

    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(REFUSED[status])


@dataclass
class Bucket:
    """The requests that a caller has left, a token bucket refilled over time."""

    left: float = BURST
    seen: float = field(default_factory=time.monotonic)

    def take(self) -> bool:
        """Take one request; return whether one was left."""
        now = time.monotonic()
        self.left = min(BURST, self.left + (now - self.seen) * RATE)
        self.seen = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Guard:
    """Rejects unsafe requests: `origins` has the base URLs under which the server is known, `large` the paths
    with larger body limits, in bytes."""

    def __init__(self, app: ASGIApp, origins: Iterable[str], large: Mapping[str, int]) -> None:
        self.app = app
        self.origins = frozenset(origins)
        self.hosts = frozenset(one.partition("://")[2] for one in self.origins)
        self.large = large
        self._callers: dict[str, Bucket] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or reject it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        status = next((one for fails, one in self._checks(scope) if fails), None)
        if scope["type"] == "http":
            limit = self.large.get(scope["path"], MOST_BODY)
            app = self.app if status is None else refusal(status)
            await app(scope, _body(scope, receive, limit), _with_headers(scope, send))
        elif status is None:
            await self.app(scope, receive, send)
        else:
            await WebSocketClose(1008, REFUSED[status])(scope, receive, send)

    def _checks(self, scope: Scope) -> Iterator[tuple[bool, int]]:
        """The checks as (failed, status); later ones rely on earlier ones."""
        headers = Headers(scope=scope)
        yield sum(len(name) + len(value) for name, value in headers.raw) > LARGEST_HEAD, 431
        yield from _checks_of_form(scope, headers)
        hosts = headers.getlist("host")
        yield len(hosts) != 1 or hosts[0].lower() not in self.hosts, 421
        yield from self._checks_of_site(scope, headers)
        yield not self._caller(scope, headers).take(), 429

    def _checks_of_site(self, scope: Scope, headers: Headers) -> Iterator[tuple[bool, int]]:
        """Checks for requests that another site's page or form made."""
        origins = [origin.lower() for origin in headers.getlist("origin")]
        is_socket, is_write = scope["type"] == "websocket", scope.get("method") == "POST"
        ours = len(origins) == 1 and origins[0] in self.origins
        yield bool(origins or is_socket) and not ours, 403
        is_foreign = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        yield (is_socket or is_write) and is_foreign, 403
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        yield is_write and kind != "application/json", 415

    def _caller(self, scope: Scope, headers: Headers) -> Bucket:
        """The bucket of a request: by its token, so that people behind one address do not share one, else by
        address."""
        client = scope.get("client") or ("",)
        name = (headers.get("authorization") or str(client[0]))[:200]
        if len(self._callers) >= MOST_CALLERS and name not in self._callers:
            oldest = min(self._callers, key=lambda one: self._callers[one].seen)
            del self._callers[oldest]
        return self._callers.setdefault(name, Bucket())


def _checks_of_form(scope: Scope, headers: Headers) -> Iterator[tuple[bool, int]]:
    # Our browsers never send a foreign target, dots, or two lengths of one body.
    raw = scope.get("raw_path") or scope["path"].encode()
    plain = raw.startswith(b"/") and not raw.startswith(b"//") and len(raw) <= LONGEST_PATH
    yield not plain or any(sign in raw for sign in (b"..", b"\\", b"%", b"\0")), 400
    yield scope["type"] == "http" and scope["method"] not in METHODS, 405
    lengths = headers.getlist("content-length")
    yield len(lengths) > 1 or bool(lengths and "transfer-encoding" in headers), 400


def refusal(status: int) -> JSONResponse:
    """The response to a rejected request."""
    return JSONResponse({"error": REFUSED[status]}, status, {"connection": "close"})


def _body(scope: Scope, receive: Receive, limit: int) -> Receive:
    """The body of a request, limited in size and time."""
    seen, ended, until = 0, False, time.monotonic() + SLOWEST_BODY
    declared = Headers(scope=scope).get("content-length", "0")
    too_large = not declared.isdecimal() or int(declared[:12]) > limit

    async def received() -> Message:
        nonlocal seen, ended
        if too_large:
            raise NotLetIn(413)
        if ended:  # waits only for the caller to disconnect
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), max(0.0, until - time.monotonic()))
        except TimeoutError:
            raise NotLetIn(408) from None
        seen += len(message.get("body", b""))
        ended = not message.get("more_body", False)
        if seen > limit:
            raise NotLetIn(413)
        return message

    return received


def _with_headers(scope: Scope, send: Send) -> Send:
    """Add our headers to the response."""

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


SPECTATOR = NOBODY
"""The seat of spectators."""
LONGEST_TOKEN = 100
# The wrong tokens in so many seconds after which no more are looked up.
MOST_WRONG, WRONG_SECONDS = 20, 60.0


class Sitter(Frozen):
    """A valid token's holder: the host of the server, or a seat of one table. `link` distinguishes links to a
    seat."""

    table: str = ""
    seat: int = SPECTATOR
    link: bytes = b""
    is_host: bool = False


class TooManyGuesses(Exception):
    """Too many wrong tokens: no more are looked up for a while."""


def new_token() -> str:
    """A random token."""
    return secrets.token_urlsafe(32)


def hash_of(token: str) -> bytes:
    """The stored hash of a token."""
    return hashlib.sha256(token.encode()).digest()


@dataclass
class Door:
    """Authenticates tokens. The host gets a new one at each start of the server; the tokens of recent starts
    still work in open browsers."""

    store: TableStore
    host_token: str = field(default_factory=new_token)
    _wrong: deque[float] = field(default_factory=deque)

    def __post_init__(self) -> None:
        # If it cannot be stored, it is valid until the server stops.
        with suppress(NotStored):
            self.store.add_host(hash_of(self.host_token))

    def sitter(self, token: str | None) -> Sitter | None:
        """The holder of a token, if valid; TooManyGuesses after too many wrong ones.

        A valid token always works: guessing locks nobody out.
        """
        if not token or len(token) > LONGEST_TOKEN or not token.isascii():
            self._refuse()
            return None
        hash_ = hash_of(token)
        if hmac.compare_digest(hash_, hash_of(self.host_token)) or self.store.is_host(hash_):
            return Sitter(is_host=True)
        found = self.store.seat_of(hash_)
        if found is None:
            self._refuse()
            return None
        return Sitter(*found, hash_)

    def _refuse(self) -> None:
        now = time.monotonic()
        while self._wrong and now - self._wrong[0] > WRONG_SECONDS:
            self._wrong.popleft()
        if len(self._wrong) >= MOST_WRONG:
            raise TooManyGuesses
        self._wrong.append(now)


MOST_KEYS, LONGEST_KEY = 500, 5_000
# The maximum nesting depth of a body.
DEEPEST = 32
BEARER = "bearer "
HERE = ("127.0.0.1", "::1")

T = TypeVar("T")


class BadInput(Refused):
    """A request malformed for any table."""


class NotAllowed(Exception):
    """A request without a token, or with an insufficient one."""


class NotHost(NotAllowed):
    """A request by somebody other than the host."""


class Fields(Frozen):
    """The fields of a request, each checked for its type; `here` if it comes from the server's own
    machine."""

    data: Mapping[str, object]
    here: bool = False

    def text(self, name: str, most: int = LONGEST_KEY, default: str | None = None) -> str:
        """A string, at most `most` long."""
        return self._one(name, str, default, lambda one: len(one) <= most and "\0" not in one)

    def number(self, name: str, missing: int | None = None) -> int:
        """An integer that JSON represents exactly."""
        return self._one(name, int, missing, lambda o: type(o) is int and abs(o) <= LARGEST)

    def flag(self, name: str) -> bool:
        """A boolean; False if missing."""
        return self._one(name, bool, False)

    def texts(self, name: str) -> list[str]:
        """A list of texts."""

        def fits(found: list[Any]) -> bool:
            texts = (type(one) is str and len(one) <= LONGEST_KEY for one in found)
            return len(found) <= MOST_KEYS and all(texts)

        return self._one(name, list, None, fits)

    def answers(self, name: str) -> list[list[str]]:
        """The keys of one or more answers."""
        found = self._one(name, list, None, lambda one: 0 < len(one) <= MOST_KEYS)
        return [Fields({name: keys}).texts(name) for keys in found]

    def tables(self, name: str, most: int, default: list[object] | None = None) -> list[Fields]:
        """A list of objects."""

        def fits(found: list[Any]) -> bool:
            return len(found) <= most and all(type(one) is dict for one in found)

        return [Fields(one) for one in self._one(name, list, default, fits)]

    def _one(
        self,
        name: str,
        kind: type[T],
        default: T | None,
        fits: Callable[[T], bool] = lambda _: True,
    ) -> T:
        value = self.data.get(name, default)
        if not isinstance(value, kind) or not fits(value):
            raise BadInput(told("bad_field", name=name))
        return value


async def fields_of(request: Request) -> Fields:
    """The fields of a request; BadInput if its body is no JSON object."""
    return Fields(table_of(await request.body()), is_here(request))


def table_of(text: str | bytes) -> dict[str, object]:
    """A JSON object. Raises BadInput for anything else, for deep nesting, and for texts that are not
    Unicode."""
    try:
        data = json.loads(text)
        json.dumps(data, ensure_ascii=False).encode()  # half a surrogate pair is not Unicode
        if isinstance(data, dict) and _depth(data) <= DEEPEST:
            return data
    except (ValueError, RecursionError):
        pass
    raise BadInput(told("no_json"))


def _depth(data: object) -> int:
    """The depth of the data."""
    inner = [*data, *data.values()] if isinstance(data, dict) else data
    return 1 + max(map(_depth, inner), default=0) if isinstance(inner, list) else 1


def is_here(connection: HTTPConnection) -> bool:
    """Does a request come from this machine?"""
    client = connection.client
    return client is not None and client.host in HERE


def token_of(request: Request) -> str | None:
    """The token of a request, from its header alone."""
    found = request.headers.get("authorization", "")
    return found[len(BEARER) :].strip() if found.lower().startswith(BEARER) else None


def seated(door: Door, token: str | None) -> Sitter:
    """The seat of a token; NotAllowed for others."""
    sitter = door.sitter(token)
    if sitter is None or sitter.is_host:
        raise NotAllowed
    return sitter


def host(door: Door, token: str | None) -> None:
    """Raise NotHost unless the token is the host's."""
    sitter = door.sitter(token)
    if sitter is None or not sitter.is_host:
        raise NotHost
