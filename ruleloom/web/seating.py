"""Seats and tokens: what a token opens, and how often one may guess.

A token is 256 bits of chance. Only its hash is stored, so that the file of the server opens no seat.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections import deque
from contextlib import suppress
from dataclasses import field

from ruleloom.runtime.dataclass import dataclass
from ruleloom.table.privacy import NOBODY
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
