"""Every route of the server, called by one seat with all that is asked of, and offered to, others.

The application is called in this process, without a network; nothing is stored.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from starlette.types import ASGIApp, Message

from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.play.game import Game
from ruleloom.table.seats import HUMAN, Seat
from ruleloom.web.app import AT_TABLE, FOR_HOST, Service, application
from ruleloom.web.hall import _Room
from ruleloom.web.live_table import LiveTable
from ruleloom.web.lobby import Shelf
from ruleloom.web.requests import hash_of
from ruleloom.web.table_store import TableStore
from ruleloom.workbench.addresses import FILE_WORK, Workbench

LEADER = 0
TABLE = "0123456789ab"
# So long a busy machine may take for one request, in seconds.
PATIENCE = 600.0
# So many keys of each question are tried, and so many values are asked for and set right.
MOST_KEYS, MOST_VALUES, MOST_SET = 5, 3, 2
LATER = ("undo", "agree", "correct")
"""What a seat may do at some times."""


class Unwritten(TableStore):
    """A store that knows the links to one table, and counts what would be written."""

    def __init__(self) -> None:
        self.writes = 0

    def add_host(self, hash_: bytes) -> None:
        """Nothing: the host has no link here."""

    def is_host(self, hash_: bytes) -> bool:
        """No."""
        return False

    def seat_of(self, hash_: bytes) -> tuple[str, int] | None:
        """The seat of a link."""
        found = (seat for seat in range(-1, 16) if hash_of(link(seat)) == hash_)
        return next(((TABLE, seat) for seat in found), None)

    def write(self, id: str, since: int, kept: int, game: Game) -> None:
        """Count it."""
        self.writes += 1


def link(seat: int) -> str:
    """The token of a seat."""
    return f"link-to-seat-{seat}"


class Probe(NamedTuple):
    """A request that a seat makes."""

    path: str
    body: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.path} {json.dumps(self.body)}"


class Place:
    """One server, at whose only table the game can be exchanged."""

    def __init__(self) -> None:
        self.store = Unwritten()
        self.service = Service(self.store, Shelf([]), ("http://127.0.0.1:1",), PATIENCE, pause=0.0)
        addition = Workbench(self.service).addition()
        # Behind the guard, which knows no seats and lets nobody ask so often.
        self.app = application(self.service, ["http://127.0.0.1:1"], addition).app
        self.loop = asyncio.new_event_loop()
        self.live: LiveTable

    def put(self, game: Game) -> LiveTable:
        """Play this game at the table, with a person in each seat."""
        seats = [Seat(name, HUMAN, n == LEADER) for n, name in enumerate(game.players)]
        live = LiveTable(TABLE, game, seats, self.store)
        self.live = live
        self.service.hall._rooms = {TABLE: _Room(TABLE, live)}
        return live

    def asked(self, probe: Probe, seat: int) -> bytes:
        """All that a request of this seat is answered with."""
        body = json.dumps(probe.body).encode()
        return self.loop.run_until_complete(_posted(self.app, probe.path, body, link(seat)))

    def shown(self, seat: int) -> tuple[bytes, bytes]:
        """The first that an open page is sent: over a socket, and as an event."""
        one = self.loop.run_until_complete(_socket(self.app, link(seat)))
        return one, self.loop.run_until_complete(_event(self.app, link(seat)))

    def close(self) -> None:
        """End its threads."""
        self.service.hall.close()
        self.loop.close()


# ---------------------------------------------------------------------------------- what is asked


def probes(lives: Sequence[LiveTable], spy: int) -> Iterator[Probe]:
    """What the spy says in all worlds alike: the questions and answers of others, in each of them,
    and what can be looked up."""
    keys = sorted({key for live in lives for key in _keys_of_others(live, spy)})
    ids = dict.fromkeys(id for live in lives for id in _ids_of_others(live, spy))
    for id in ids:
        yield Probe("panel", {"panel": id, "answers": [[""]]})
        yield Probe("chance", {"panel": id, "answers": [keys[:1]]})
        yield Probe("always", {"panel": id, "keys": keys[:1], "this_turn": True})
        yield Probe("ask_again", {"number": 0})
        for key in keys[:MOST_KEYS] or [""]:
            yield Probe("answer", {"panel": id, "answers": [[key]]})
    yield from _wrong(lives[0], spy, keys)
    yield from _foreseen(lives[0], spy)
    for seat in range(len(lives[0].seats)):
        yield Probe("rules", {"name": str(seat + 1), "full": bool(seat % 2)})
    for key in keys:
        yield Probe("rules", {"name": key.partition("#")[0]})
    game = lives[0].game
    variables = some([*game.linked.scope_index], game.serial, MOST_VALUES)
    for what in (*variables, *some([*_values(game, keys)], game.serial, MOST_VALUES)):
        yield Probe("why", {"what": what})
    yield Probe("log", {})
    yield from (Probe("language", {"code": code}) for code in ("xx", "en"))
    yield Probe("nothing", {})
    told = {"table": TABLE, "seat": spy, "pack": 0, "name": "pack.yaml", "kind": "human"}
    yield from (Probe(f"host/{name}", told) for name in FOR_HOST)
    yield from (Probe(f"bench/{name}", told) for name in FILE_WORK)


def later(lives: Sequence[LiveTable], spy: int) -> Iterator[Probe]:
    """What the spy may not do, in any of the worlds."""
    if not any(_may_undo(live, spy) for live in lives):
        yield Probe("undo", {})
    yield from (Probe("agree", {"agrees": agrees}) for agrees in (True, False))
    if spy != LEADER:
        yield from _corrections(lives[0].game)


def deeds(lives: Sequence[LiveTable], spy: int) -> Iterator[Probe]:
    """What the spy may do, of which the same must come in all worlds."""
    if any(_may_undo(live, spy) for live in lives):
        yield Probe("undo", {})
    if spy == LEADER:
        yield from _corrections(lives[0].game)
        yield Probe("undo", {})


def _may_undo(live: LiveTable, spy: int) -> bool:
    """Is the last answer the spy's own, or does the spy lead?"""
    return live.game.journal is not None and spy in (LEADER, live.game.journal.last.player)


def _corrections(game: Game) -> Iterator[Probe]:
    for name in (*some([*game.linked.scope_index], game.serial, MOST_SET), "nothing"):
        for value in ("1", game.players[-1]):
            yield Probe("correct", {"what": name, "value": value, "reason": "it was miscounted"})


def some(values: Sequence[str], turn: int, most: int) -> list[str]:
    """So many of these, others at each turn."""
    start = turn * most % max(1, len(values))
    return [*values[start:], *values[:start]][:most]


def _ids_of_others(live: LiveTable, spy: int) -> Iterator[str]:
    serial, seats = live.game.serial, range(len(live.seats))
    yield from ("", "0", str(serial), str(serial + 1))
    for seat in seats:
        yield f"{serial}.{seat}"
        if seat != spy:
            yield live.question_id(seat)
    if not live.game.over:
        yield from (one.id for one in live.game.prompts if one.player != spy or len(seats) == 1)


def _keys_of_others(live: LiveTable, spy: int) -> Iterator[str]:
    """What others are offered, and what lies where the spy does not see it."""
    game, linked = live.game, live.game.linked
    for seat in range(len(live.seats)):
        prompt = live.authorised(seat).prompt
        if seat != spy and prompt is not None:
            yield from [one.key for one in prompt.options][:MOST_KEYS]
    secrecy, index = secrecy_of(linked), linked.layout.index
    for zone in linked.program.zones:
        if zone.per_player and zone.seen_by == "owner" and zone.of in linked.layout.names:
            held = game.state.world[index[zone.name]]
            hidden = [one for seat, ids in enumerate(held) for one in ids[:3] if seat != spy]
            yield from (
                linked.layout.names[zone.of][one] for one in hidden if zone.of in secrecy.kinds
            )


def _foreseen(live: LiveTable, spy: int) -> Iterator[Probe]:
    """What follows upon each of the spy's own answers."""
    prompt, id = live.authorised(spy).prompt, live.question_id(spy)
    for one in () if prompt is None else prompt.options[:MOST_KEYS]:
        yield Probe("panel", {"panel": id, "answers": [[one.key]]})
        yield Probe("chance", {"panel": id, "answers": [[one.key]]})


def _wrong(live: LiveTable, spy: int, keys: Sequence[str]) -> Iterator[Probe]:
    """Wrong answers to the spy's own question: what others could answer, and no answer at all."""
    prompt, id = live.authorised(spy).prompt, live.question_id(spy)
    own = [one.key for one in prompt.options] if prompt is not None else []
    if prompt is None or prompt.kind == "text":
        keys = keys if prompt is None else ()
    elif prompt.kind == "roll":
        keys = [key for key in keys if not any(sign.isdecimal() for sign in key)]
    # What is still in the deck is not told. Of a single card, all of them would be the answer.
    if prompt is not None and prompt.kind == "draw" and len(own) > 1:
        yield from (Probe("answer", {"panel": id, "answers": [all_]}) for all_ in (own, own[::-1]))
    wrong = [key for key in (*keys, "no-such-thing") if key not in own]
    if prompt is not None and prompt.kind == "text":
        wrong = ["\u202e"]
    for key in wrong:
        yield Probe("answer", {"panel": id, "answers": [[key]]})
        yield from (Probe("answer", {"panel": id, "answers": [[one, key]]}) for one in own[:1])


def _values(game: Game, keys: Sequence[str]) -> Iterator[str]:
    """Values that can be asked for."""
    for function in game.linked.program.functions[::7]:
        name = function.id.rpartition("/")[2].replace("-", "_")
        yield (
            f"{name}({', '.join(game.players[: len(function.params)])})"
            if function.params
            else name
        )
    for entity in game.linked.program.entities:
        for field in entity.changing[:2]:
            yield from (f"{field.name}({key})" for key in keys[:2])
    yield "nothing(at all)"


# ---------------------------------------------------------------------------------- calls


def _scope(kind: str, method: str, path: str, token: str) -> dict[str, Any]:
    headers = [(b"content-type", b"application/json")]
    headers += [(b"authorization", f"Bearer {token}".encode())] if token else []
    return {
        "type": kind, "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "", "headers": headers,
        "client": ("127.0.0.1", 5), "server": ("127.0.0.1", 1), "subprotocols": [],
    }  # fmt: skip


async def _posted(app: ASGIApp, path: str, body: bytes, token: str) -> bytes:
    found: list[Message] = []
    left = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return left.pop() if left else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        found.append(message)

    await app(_scope("http", "POST", f"/api/{path}", token), receive, send)
    return repr(found).encode()


async def _event(app: ASGIApp, token: str) -> bytes:
    """The first event of a stream."""
    found: list[bytes] = []
    has_come = asyncio.Event()
    left = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Message:
        if left:
            return left.pop()
        await has_come.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        found.append(message.get("body", b""))
        if found[-1]:
            has_come.set()

    await app(_scope("http", "GET", "/api/stream", token), receive, send)
    return b"".join(found[:2])


async def _socket(app: ASGIApp, token: str) -> bytes:
    """The first message over a socket."""
    found: list[Message] = []
    has_come = asyncio.Event()
    hello = {"type": "websocket.receive", "text": json.dumps({"token": token})}
    left: list[Message] = [hello, {"type": "websocket.connect"}]

    async def receive() -> Message:
        if left:
            return left.pop()
        await has_come.wait()
        return {"type": "websocket.disconnect", "code": 1000}

    async def send(message: Message) -> None:
        found.append(message)
        if message["type"] != "websocket.accept":
            has_come.set()

    await app(_scope("websocket", "GET", "/api/socket", ""), receive, send)
    return repr(found[:2]).encode()


ASKED = ("answer", "panel", "chance", "always", "ask_again", "rules", "why", "log", "language")
assert {*LATER, *ASKED} == set(AT_TABLE), "a route is not called"
