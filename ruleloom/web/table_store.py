"""The tables of a server in one SQLite file: programs, seats, campaigns, and all answers.

The file has a write-ahead log, fully synchronised: a completed `write` survives a kill at any time. Each
write names the position that it continues, so that two servers on one file cannot both continue a game. Every
SQLite error raises `NotStored` with the reason.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ruleloom.api.saves import TOOL
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.play.journal import end_data, entry_data, header_data
from ruleloom.runtime.play.scan import JsonDict, sealed
from ruleloom.runtime.program.canonical_json import canonical
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Lock
from ruleloom.runtime.program.program_json import program_data
from ruleloom.table.seats import Seat
from ruleloom.web.pages import told

# Format 1 had no campaigns, format 2 no hosts, format 3 no seams; such files are upgraded without touching
# a table.
FORMAT = 4
# The host tokens of so many starts stay valid.
MOST_HOSTS = 8
MOST_LISTED = 200
# Seconds that a write waits for another process with a lock on the file.
PATIENCE = 2.0
SCHEMA = """
create table if not exists programs (hash text primary key, text text not null) without rowid;
create table if not exists tables (
    id text primary key, title text not null, made real not null, touched real not null,
    program text not null references programs(hash), header text not null,
    next integer not null, end text not null, over integer not null
) without rowid;
create table if not exists seats (
    tabl text not null references tables(id), number integer not null, name text not null,
    kind text not null, leads integer not null, primary key (tabl, number)
) without rowid;
create table if not exists tokens (
    hash blob primary key, tabl text not null references tables(id), seat integer not null,
    made real not null
) without rowid;
create table if not exists answers (
    tabl text not null references tables(id), n integer not null, line text not null,
    primary key (tabl, n)
) without rowid;
create table if not exists campaigns (
    id text primary key, title text not null, made real not null, packs text not null,
    lock text not null, seats text not null, real_dice integer not null
) without rowid;
create table if not exists sessions (
    tabl text primary key references tables(id), campaign text not null references campaigns(id),
    number integer not null
) without rowid;
create table if not exists seams (
    tabl text primary key references tables(id), text text not null
) without rowid;
create table if not exists hosts (hash blob primary key, made real not null) without rowid;
"""


class NotStored(Exception):
    """A failed write or read; the message gives the reason, and nothing has changed."""


class MovedOn(NotStored):
    """Another process has continued this game."""


class NoTable(Exception):
    """There is no such table."""


class KeptTable(Frozen):
    """A stored table: the header of its save without the program, and its state."""

    id: str
    title: str
    touched: float
    program: str
    header: JsonDict
    next: int
    end: JsonDict
    over: bool
    seats: tuple[Seat, ...]


class KeptCampaign(Frozen):
    """A stored campaign: its packs by id or path, their versions when last played, and its seats by name and
    kind."""

    id: str
    title: str
    packs: tuple[str, ...]
    lock: tuple[Lock, ...]
    seats: tuple[Seat, ...]
    real_dice: bool


class TableStore:
    """The file of one server. Its methods are thread-safe."""

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        self._lock = threading.Lock()
        try:
            self._db = sqlite3.connect(
                self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
            self._db.execute("pragma journal_mode = wal")
            self._db.execute("pragma synchronous = full")
            self._db.execute("pragma foreign_keys = on")
            found = self._db.execute("pragma user_version").fetchone()[0]
        except sqlite3.Error as error:
            raise NotStored(f"{self.path} cannot be used: {_reason(error)}") from None
        if found > FORMAT:
            why = f"its format is {found}, and this version reads up to {FORMAT}"
            raise NotStored(f"{self.path} was made by a newer version of Ruleloom: {why}")
        if found < FORMAT:
            # The tables that an older format lacks are added, all or none.
            try:
                with self._writing() as db:
                    for statement in filter(str.strip, SCHEMA.split(";")):
                        db.execute(statement)
                    db.execute(f"pragma user_version = {FORMAT}")
            except NotStored as fault:
                raise NotStored(f"{self.path} cannot be used: {fault}") from None

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction, durable when it ends; NotStored, with nothing changed, if not."""
        with self._lock:
            try:
                self._db.execute("begin immediate")
                yield self._db
                self._db.execute("commit")
            except BaseException as error:
                if self._db.in_transaction:
                    self._db.execute("rollback")
                if isinstance(error, sqlite3.Error):
                    raise NotStored(_reason(error)) from None
                raise

    def _read(self, query: str, *values: object) -> list[tuple]:  # type: ignore[type-arg]
        with self._lock:
            try:
                return self._db.execute(query, values).fetchall()
            except sqlite3.Error as error:
                raise NotStored(_reason(error)) from None

    # ------------------------------------------------------------------ tables

    def add(
        self, id: str, game: Game, seats: Sequence[Seat], campaign: KeptCampaign | None = None
    ) -> None:
        """Store a game as a new table with its answers so far; with a campaign, as its next session, and
        update the campaign."""
        now, (hash_, text), header = time.time(), _program(game), _header(game)
        row = (id, game.linked.original.program.title, now, now, hash_, header, *_state(game))
        people = [(id, n, one.name, one.kind, one.leads) for n, one in enumerate(seats)]
        answers = list(_answers(id, game, 0))
        with self._writing() as db:
            db.execute("insert or ignore into programs values (?, ?)", (hash_, text))
            db.execute("insert into tables values (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            db.executemany("insert into seats values (?, ?, ?, ?, ?)", people)
            db.executemany("insert into answers values (?, ?, ?)", answers)
            _add_seam(db, id, game)
            if campaign is not None:
                _add_session(db, campaign, id, now)

    def write(self, id: str, since: int, kept: int, game: Game) -> None:
        """Continue from `since` answers: keep the first `kept`, and append the game's answers after them.

        Raises MovedOn if the table no longer has `since` answers.
        """
        answers = list(_answers(id, game, kept))
        with self._writing() as db:
            moved = db.execute(
                "update tables set next = ?, end = ?, over = ?, touched = ? where id = ? and next = ?",
                (*_state(game), time.time(), id, since),
            )
            if moved.rowcount != 1:
                raise MovedOn("another process has gone on with this game")
            if kept < since:
                db.execute("delete from answers where tabl = ? and n >= ?", (id, kept))
            db.executemany("insert into answers values (?, ?, ?)", answers)

    def change_rules(self, id: str, since: int, game: Game) -> None:
        """Go on with a game beyond a seam, or before it again: its program, header and answers are others.

        Raises MovedOn if the table no longer has `since` answers.
        """
        (hash_, text), answers = _program(game), list(_answers(id, game, 0))
        with self._writing() as db:
            db.execute("insert or ignore into programs values (?, ?)", (hash_, text))
            moved = db.execute(
                "update tables set program = ?, header = ?, next = ?, end = ?, over = ?, touched = ?"
                " where id = ? and next = ?",
                (hash_, _header(game), *_state(game), time.time(), id, since),
            )
            if moved.rowcount != 1:
                raise MovedOn("another process has gone on with this game")
            for table in ("answers", "seams"):
                db.execute(f"delete from {table} where tabl = ?", (id,))
            db.executemany("insert into answers values (?, ?, ?)", answers)
            _add_seam(db, id, game)
            db.execute("delete from programs where hash not in (select program from tables)")

    def table(self, id: str) -> KeptTable:
        """The table of this id; NoTable if there is none."""
        found = self._tables("where id = ?", id)
        if not found:
            raise NoTable
        return found[0]

    def tables_alone(self) -> list[KeptTable]:
        """The most recently used tables outside campaigns."""
        which = "where id not in (select tabl from sessions) order by touched desc limit ?"
        return self._tables(which, MOST_LISTED)

    def _tables(self, which: str, *values: object) -> list[KeptTable]:
        columns = "id, title, touched, program, header, next, end, over"
        rows = self._read(f"select {columns} from tables {which}", *values)
        found, players = [], "select name, kind, leads from seats where tabl = ? order by number"
        for id, title, touched, program, header, at, end, over in rows:
            seats = (Seat(name, kind, bool(leads)) for name, kind, leads in self._read(players, id))
            state = (json.loads(header), at, json.loads(end), bool(over))
            found.append(KeptTable(id, title, touched, program, *state, tuple(seats)))
        return found

    def change_seat(self, id: str, number: int, seat: Seat) -> None:
        """Store a new player for a seat."""
        with self._writing() as db:
            values = (seat.kind, seat.leads, id, number)
            db.execute("update seats set kind = ?, leads = ? where tabl = ? and number = ?", values)

    def program(self, hash_: str) -> str:
        """The text of a program."""
        return str(self._read("select text from programs where hash = ?", hash_)[0][0])

    def lines(self, id: str) -> list[str]:
        """The answers of a table, oldest first, as lines of a save."""
        rows = self._read("select line from answers where tabl = ? order by n", id)
        return [line for (line,) in rows]

    def before_seam(self, id: str) -> str:
        """The save of a table up to its last seam; empty without one."""
        return "".join(text for (text,) in self._read("select text from seams where tabl = ?", id))

    def remove(self, id: str) -> None:
        """Delete a table."""
        with self._writing() as db:
            for table in ("answers", "tokens", "seats", "sessions", "seams"):
                db.execute(f"delete from {table} where tabl = ?", (id,))
            db.execute("delete from tables where id = ?", (id,))
            db.execute("delete from programs where hash not in (select program from tables)")

    # ------------------------------------------------------------------ campaigns

    def campaigns(self) -> list[KeptCampaign]:
        """The newest campaigns."""
        return self._campaigns("order by made desc limit ?", MOST_LISTED)

    def campaign(self, id: str) -> KeptCampaign:
        """The campaign of this id; Refused if there is none."""
        found = self._campaigns("where id = ?", id)
        if not found:
            raise Refused(told("no_campaign"))
        return found[0]

    def _campaigns(self, which: str, *values: object) -> list[KeptCampaign]:
        query = f"select id, title, packs, lock, seats, real_dice from campaigns {which}"
        found = []
        for id, title, packs, kept, people, real_dice in self._read(query, *values):
            lock = tuple(Lock(one, *parts) for one, parts in json.loads(kept).items())
            seats = tuple(Seat(name, kind) for name, kind in json.loads(people))
            whole = (id, title, tuple(json.loads(packs)), lock, seats, bool(real_dice))
            found.append(KeptCampaign(*whole))
        return found

    def sessions(self, id: str) -> list[KeptTable]:
        """The tables of a campaign, in order of sessions."""
        which = "join sessions on tabl = id where campaign = ? order by number"
        return self._tables(which, id)

    def end_campaign(self, id: str) -> None:
        """Delete a campaign; its tables stay, without a campaign."""
        with self._writing() as db:
            db.execute("delete from sessions where campaign = ?", (id,))
            db.execute("delete from campaigns where id = ?", (id,))

    # ------------------------------------------------------------------ tokens

    def add_token(self, hash_: bytes, id: str, seat: int) -> None:
        """Assign a seat to this token's holder."""
        with self._writing() as db:
            db.execute("insert into tokens values (?, ?, ?, ?)", (hash_, id, seat, time.time()))

    def add_host(self, hash_: bytes) -> None:
        """Make this token's holder the host; old tokens expire."""
        with self._writing() as db:
            db.execute("insert into hosts values (?, ?)", (hash_, time.time()))
            kept = "select hash from hosts order by made desc limit ?"
            db.execute(f"delete from hosts where hash not in ({kept})", (MOST_HOSTS,))

    def is_host(self, hash_: bytes) -> bool:
        """Is this the token of a host?"""
        return bool(self._read("select 1 from hosts where hash = ?", hash_))

    def seat_of(self, hash_: bytes) -> tuple[str, int] | None:
        """The table and seat of a token."""
        rows = self._read("select tabl, seat from tokens where hash = ?", hash_)
        return (str(rows[0][0]), int(rows[0][1])) if rows else None

    def forget_tokens(self, id: str, seat: int) -> None:
        """Revoke all links to a seat."""
        with self._writing() as db:
            db.execute("delete from tokens where tabl = ? and seat = ?", (id, seat))


def _program(game: Game) -> tuple[str, str]:
    """The hash and the text of a game's program."""
    text = canonical(program_data(game.linked.original.program))
    return hashlib.sha256(text.encode()).hexdigest(), text


def _header(game: Game) -> str:
    data = header_data(game.linked, game.players, game.seed, game.started, TOOL, game.seam)
    return json.dumps(data)


def _add_seam(db: sqlite3.Connection, id: str, game: Game) -> None:
    if game.seam is not None:
        db.execute("insert into seams values (?, ?)", (id, game.seam.text))


def _state(game: Game) -> tuple[int, str, bool]:
    """The number of answers, the end line of a save, and whether the game is over."""
    answers = game.journal.last.serial + 1 if game.journal is not None else 0
    return answers, json.dumps(end_data(game, answers)), game.over


def _answers(id: str, game: Game, kept: int) -> Iterator[tuple[str, int, str]]:
    """The answers of a game after the first `kept`, as lines of a save."""
    for number, entry in enumerate(game.entries[kept:], kept):
        yield id, number, sealed(entry_data(game, entry))


def _add_session(db: sqlite3.Connection, campaign: KeptCampaign, table: str, now: float) -> None:
    packs = json.dumps(campaign.packs)
    seats = json.dumps([(one.name, one.kind) for one in campaign.seats])
    lock = json.dumps({one.pack: (one.version, one.hash) for one in campaign.lock})
    db.execute(
        "insert into campaigns values (?, ?, ?, ?, ?, ?, ?) on conflict do update set lock = ?",
        (campaign.id, campaign.title, now, packs, lock, seats, campaign.real_dice, lock),
    )
    db.execute(
        "insert into sessions select ?, ?, coalesce(max(number), 0) + 1 from sessions"
        " where campaign = ?",
        (table, campaign.id, campaign.id),
    )


def _reason(error: sqlite3.Error) -> str:
    """The reason of an SQLite error, in words."""
    name = getattr(error, "sqlite_errorname", "") or ""
    known = {
        "SQLITE_FULL": "the disk is full",
        "SQLITE_READONLY": "the file is read-only",
        "SQLITE_BUSY": "another process holds the file",
        "SQLITE_LOCKED": "another process holds the file",
        "SQLITE_NOTADB": "it is no database",
        "SQLITE_CANTOPEN": "the file cannot be opened",
        "SQLITE_IOERR": "the disk does not answer as it should",
    }
    return next((text for start, text in known.items() if name.startswith(start)), str(error))
