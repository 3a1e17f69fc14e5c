"""Seats and tokens: what a token opens, and how often one may guess.

A token is 256 bits of chance. Only its hash is stored, so that the file of the server opens no seat.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import field
from typing import Any, TypeVar

from starlette.requests import HTTPConnection, Request

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.values import LARGEST
from ruleloom.scenes.scene import NOBODY
from ruleloom.web.pages import told
from ruleloom.web.table_store import NotStored, TableStore

SPECTATOR = NOBODY
"""The seat of those who look on."""
LONGEST_TOKEN = 100
# Wrong tokens in so many seconds, after which further ones are not even looked up.
MOST_WRONG, WRONG_SECONDS = 20, 60.0


@dataclass(frozen=True, slots=True)
class Sitter:
    """Somebody with a valid token: the host of the server, or a seat of one table. `link` tells
    links to one seat apart."""

    table: str = ""
    seat: int = SPECTATOR
    link: bytes = b""
    is_host: bool = False


class TooManyGuesses(Exception):
    """So many wrong tokens have come that no more are looked up for a while."""


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(32)


def hash_of(token: str) -> bytes:
    """The stored hash of a token."""
    return hashlib.sha256(token.encode()).digest()


@dataclass
class Door:
    """Lets in the holders of tokens. The host gets a new one with each start of the server; those of
    the last starts still work in browsers that have the page open."""

    store: TableStore
    host_token: str = field(default_factory=new_token)
    _wrong: deque[float] = field(default_factory=deque)

    def __post_init__(self) -> None:
        # Where nothing can be stored, it opens the page until the server stops.
        with suppress(NotStored):
            self.store.add_host(hash_of(self.host_token))

    def sitter(self, token: str | None) -> Sitter | None:
        """Who has this token; TooManyGuesses while there were too many wrong ones.

        A right token opens at any time: somebody who guesses shuts nobody out.
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
# How deep what is sent may be nested.
DEEPEST = 32
BEARER = "bearer "
HERE = ("127.0.0.1", "::1")

T = TypeVar("T")


class BadInput(Refused):
    """A request that is malformed at any table."""


class NotAllowed(Exception):
    """A request without a token, or with one that does not allow it."""


class NotHost(NotAllowed):
    """A request of somebody who is not the host."""


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a request, each of which must be of the kind that is asked for; `here` if it
    comes from the server's own machine."""

    data: Mapping[str, object]
    here: bool = False

    def text(self, name: str, most: int = LONGEST_KEY, default: str | None = None) -> str:
        """A text of at most so many characters."""
        return self._one(name, str, default, lambda one: len(one) <= most and "\0" not in one)

    def number(self, name: str) -> int:
        """A whole number, no larger than JSON knows exactly."""
        return self._one(name, int, None, lambda o: type(o) is int and abs(o) <= LARGEST)

    def flag(self, name: str) -> bool:
        """Yes or no; no where it is missing."""
        return self._one(name, bool, False)

    def texts(self, name: str) -> list[str]:
        """A list of texts."""

        def fits(found: list[Any]) -> bool:
            texts = (type(one) is str and len(one) <= LONGEST_KEY for one in found)
            return len(found) <= MOST_KEYS and all(texts)

        return self._one(name, list, None, fits)

    def tables(self, name: str, most: int) -> list[Fields]:
        """A list of things with fields of their own."""

        def fits(found: list[Any]) -> bool:
            return len(found) <= most and all(type(one) is dict for one in found)

        return [Fields(one) for one in self._one(name, list, None, fits)]

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
    """The fields of a request; BadInput if its body is no table of JSON."""
    return Fields(table_of(await request.body()), is_here(request))


def table_of(text: str | bytes) -> dict[str, object]:
    """A table of JSON; BadInput for anything else, for what is nested too deep, and for texts that
    are not Unicode."""
    try:
        data = json.loads(text)
        _check(data)
    except (ValueError, RecursionError):
        raise BadInput(told("no_json")) from None
    if not isinstance(data, dict):
        raise BadInput(told("no_json"))
    return data


def _check(data: object) -> None:
    """ValueError for what is nested too deep, and for half a character."""
    level = [data]
    for _ in range(DEEPEST):
        level = [inner for one in level for inner in _inside(one)]
    if level:
        raise ValueError("this is nested too deep")


def _inside(data: object) -> Iterable[object]:
    if isinstance(data, str):
        data.encode()
    elif isinstance(data, dict):
        return (*data, *data.values())
    return data if isinstance(data, list) else ()


def is_here(connection: HTTPConnection) -> bool:
    """Does a request come from this machine?"""
    client = connection.client
    return client is not None and client.host in HERE


def token_of(request: Request) -> str | None:
    """The token of a request, from its header and from nowhere else."""
    found = request.headers.get("authorization", "")
    return found[len(BEARER) :].strip() if found.lower().startswith(BEARER) else None


def seated(door: Door, token: str | None) -> Sitter:
    """The seat of a token; NotAllowed for any other token."""
    sitter = door.sitter(token)
    if sitter is None or sitter.is_host:
        raise NotAllowed
    return sitter


def host(door: Door, token: str | None) -> None:
    """Nothing, for the host; NotHost for anybody else."""
    sitter = door.sitter(token)
    if sitter is None or not sitter.is_host:
        raise NotHost
