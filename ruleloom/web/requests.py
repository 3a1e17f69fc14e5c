"""What pages ask for, read without trust: who asks, and each field of what they send."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeVar

from starlette.requests import HTTPConnection, Request

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.faults import Refused
from ruleloom.web.pages import told
from ruleloom.web.seating import Door, Sitter

MOST_KEYS, LONGEST_KEY = 500, 5_000
BEARER = "bearer "
HERE = ("127.0.0.1", "::1")

T = TypeVar("T")


class NotAllowed(Exception):
    """Whoever asks has no token, or not one for this."""


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
            raise Refused(told("bad_field", name=name))
        return value

    def number(self, name: str) -> int:
        """A whole number."""
        value = self._one(name, int, None)
        if isinstance(value, bool):
            raise Refused(told("bad_field", name=name))
        return value

    def flag(self, name: str) -> bool:
        """Yes or no; no where nothing is said."""
        return self._one(name, bool, False)

    def texts(self, name: str) -> list[str]:
        """A list of texts."""
        value = self._one(name, list, None)
        fits = len(value) <= MOST_KEYS
        if not fits or any(type(one) is not str or len(one) > LONGEST_KEY for one in value):
            raise Refused(told("bad_field", name=name))
        return value

    def tables(self, name: str, most: int) -> list[Fields]:
        """A list of things with fields of their own."""
        value = self._one(name, list, None)
        if len(value) > most or any(type(one) is not dict for one in value):
            raise Refused(told("bad_field", name=name))
        return [Fields(one) for one in value]

    def _one(self, name: str, kind: type[T], default: T | None) -> T:
        value = self.data.get(name, default)
        if not isinstance(value, kind):
            raise Refused(told("bad_field", name=name))
        return value


async def fields_of(request: Request) -> Fields:
    """The fields of a request; Refused if its body is no table of JSON."""
    body = await request.body()
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(told("no_json")) from None
    if not isinstance(data, dict):
        raise Refused(told("no_json"))
    return Fields(data, is_here(request))


def is_here(connection: HTTPConnection) -> bool:
    """Does somebody ask from this machine?"""
    client = connection.client
    return client is not None and client.host in HERE


def token_of(request: Request) -> str | None:
    """The token of a request, from its header and from nowhere else."""
    found = request.headers.get("authorization", "")
    return found[len(BEARER) :].strip() if found.lower().startswith(BEARER) else None


def seated(door: Door, token: str | None) -> Sitter:
    """Who sits at a table; NotAllowed for anybody else."""
    sitter = door.sitter(token)
    if sitter is None or sitter.is_host:
        raise NotAllowed
    return sitter


def host(door: Door, token: str | None) -> None:
    """Nothing, for the host; NotAllowed for anybody else."""
    sitter = door.sitter(token)
    if sitter is None or not sitter.is_host:
        raise NotAllowed
