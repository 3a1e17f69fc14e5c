"""Requests of pages, read without trust: the token, and each field of the body."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TypeVar

from starlette.requests import HTTPConnection, Request

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.values import LARGEST
from ruleloom.web.pages import told
from ruleloom.web.seating import Door, Sitter

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
        value = self._one(name, str, default)
        if len(value) > most or "\0" in value:
            raise BadInput(told("bad_field", name=name))
        return value

    def number(self, name: str) -> int:
        """A whole number, no larger than JSON knows exactly."""
        value = self._one(name, int, None)
        if isinstance(value, bool) or abs(value) > LARGEST:
            raise BadInput(told("bad_field", name=name))
        return value

    def flag(self, name: str) -> bool:
        """Yes or no; no where it is missing."""
        return self._one(name, bool, False)

    def texts(self, name: str) -> list[str]:
        """A list of texts."""
        value = self._one(name, list, None)
        fits = len(value) <= MOST_KEYS
        if not fits or any(type(one) is not str or len(one) > LONGEST_KEY for one in value):
            raise BadInput(told("bad_field", name=name))
        return value

    def tables(self, name: str, most: int) -> list[Fields]:
        """A list of things with fields of their own."""
        value = self._one(name, list, None)
        if len(value) > most or any(type(one) is not dict for one in value):
            raise BadInput(told("bad_field", name=name))
        return [Fields(one) for one in value]

    def _one(self, name: str, kind: type[T], default: T | None) -> T:
        value = self.data.get(name, default)
        if not isinstance(value, kind):
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
