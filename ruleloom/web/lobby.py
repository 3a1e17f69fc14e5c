"""The work of the host of a server: tables opened, seats handed out, games imported and exported."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, TypedDict

from ruleloom.api.compiling import ContentError
from ruleloom.api.facade import new_game, program_of
from ruleloom.api.linking import linked_for
from ruleloom.api.saves import TOOL
from ruleloom.bots.arena import KINDS, make_bot
from ruleloom.compiler.packs.locate import BUILTIN, shipped_packs
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.games import driver_of as driver_named
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.play.journal import entry_data, header_data, loaded, saved_lines, sealed
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_data
from ruleloom.table.seats import HUMAN, Seat, parse_seats, tool_with
from ruleloom.web.hall import load_table
from ruleloom.web.live_table import position
from ruleloom.web.pages import told
from ruleloom.web.requests import BadInput
from ruleloom.web.table_store import KeptCampaign, KeptSeat, KeptTable, TableStore

LARGEST_SEED = 2**32
LONGEST_LIST = 1_000
# One compiler, with one cache, serves all threads.
ONE_AT_A_TIME = Lock()
SEAT_KINDS = (HUMAN, *KINDS)
# What the server adds to the name of a pack that is sent in.
SENT_IN = re.compile(r"-[0-9a-f]{12}\.zip$")


class GameOffered(TypedDict):
    """A game that a table can be opened for."""

    number: int
    title: str
    least: int
    most: int
    greedy: bool


class TableListed(TypedDict):
    """A table, as the host sees it in the list."""

    id: str
    title: str
    touched: float
    answers: int
    over: bool
    seats: list[dict[str, object]]


@dataclass(slots=True)
class Shelf:
    """The games that this server can open tables for, each a list of packs. Requests name them by
    number, never by a path.

    Packs that are sent in are kept in `folder`; without one, none are taken.
    """

    games: list[tuple[str, ...]]
    folder: Path | None = None

    def names(self) -> list[str]:
        """The names of the games in the list."""
        whole = [" + ".join(Path(pack).name for pack in packs) for packs in self.games]
        plain = [" + ".join(map(self._plain_name, packs)) for packs in self.games]
        # Two states of one pack are told apart by what the server has added.
        return [
            short if plain.count(short) == 1 else long
            for short, long in zip(plain, whole, strict=True)
        ]

    def _plain_name(self, pack: str) -> str:
        """The name of a pack; of one that was sent in, the name under which it came."""
        path = Path(pack)
        return SENT_IN.sub("", path.name) if path.parent == self.folder else path.name

    def take_in(self, name: str, data: bytes) -> int:
        """Add a pack that was sent in as a zip, and return the number of its game.

        It is read as any archive is, in memory and within limits, and has to be playable: Refused
        with what is wrong.
        """
        if self.folder is None:
            raise Refused(told("no_packs_taken"))
        plain = re.sub(r"[^a-z0-9-]+", "-", Path(name).stem.lower()).strip("-")[:40] or "pack"
        path = self.folder / f"{plain}-{hashlib.sha256(data).hexdigest()[:12]}.zip"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError as error:
            raise Refused(told("not_stored", reason=error.strerror)) from None
        try:
            compiled((str(path),))
        except Refused:
            path.unlink(missing_ok=True)
            raise
        if (str(path),) not in self.games:
            self.games.append((str(path),))
        return self.games.index((str(path),))

    def program(self, number: int) -> Program:
        """The program of a game; Refused for packs with mistakes."""
        if not 0 <= number < len(self.games):
            raise Refused(told("no_game"))
        return compiled(self.games[number])


def compiled(packs: tuple[str, ...]) -> Program:
    """The program of packs as they stand on the disk now; of unchanged ones the same as before.
    Refused for packs with mistakes."""
    try:
        with ONE_AT_A_TIME:
            return program_of(*packs)
    except ContentError as error:
        raise Refused(f"{told('mistakes')}\n{error}") from None


def shelf_of(packs: Sequence[str], folder: Path | None = None) -> Shelf:
    """The game of these packs, or each shipped game; besides, what was sent in before."""
    games = [tuple(packs)] if packs else [(id,) for id in shipped_packs(BUILTIN)]
    sent = sorted(folder.glob("*.zip")) if folder is not None and folder.is_dir() else []
    return Shelf([*games, *((str(path),) for path in sent)], folder)


def offered(shelf: Shelf, number: int) -> GameOffered:
    """A game in a few words."""
    program = shelf.program(number)
    settings = {setting.name: setting.value for setting in program.settings}
    least, most = settings.get("least_players", 1), program.entity("Player").most
    return {
        "number": number,
        "title": program.title,
        "least": int(least),
        "most": most,
        "greedy": _has_greedy(program, int(least)),
    }


def _has_greedy(program: Program, players: int) -> bool:
    try:
        names = tuple(f"player {one}" for one in range(max(1, players)))
        make_bot("greedy", linked_for(program, names, {}), 0, 0)
    except Refused:
        return False
    return True


# ---------------------------------------------------------------------------------- tables


def open_table(
    store: TableStore,
    program: Program,
    seats: Sequence[Seat],
    seed: int | None = None,
    real_dice: bool = False,
    switches: Mapping[str, Any] | None = None,
    campaign: KeptCampaign | None = None,
) -> KeptTable:
    """Begin a game at a new table, of a campaign or of none; Refused if it cannot be played so."""
    drawn = secrets.randbelow(LARGEST_SEED) if seed is None else seed
    names = [seat.name for seat in seats]
    game = new_game(program, names, None if real_dice else drawn, switches=switches)
    for place, seat in enumerate(seats):
        if not seat.is_human:
            make_bot(seat.kind, game.linked, 0, place)  # refuses one that cannot play this
    return keep(store, game, seats, campaign)


def keep(
    store: TableStore, game: Game, seats: Sequence[Seat], campaign: KeptCampaign | None = None
) -> KeptTable:
    """Store a game as a new table; the first person leads it."""
    people = [place for place, seat in enumerate(seats) if seat.is_human]
    kept = [
        KeptSeat(place, seat.name, seat.kind, place in people[:1])
        for place, seat in enumerate(seats)
    ]
    id = secrets.token_hex(6)
    header = header_data(game.linked, game.players, game.seed, game.started, TOOL)
    lines = [sealed(entry_data(game, one)) for one in game.entries]
    at = position(game)
    program = game.linked.program
    store.add(id, program.title, header, program_data(program), kept, lines, at, campaign)
    found = store.table(id)
    assert found is not None
    return found


def listed(store: TableStore) -> list[TableListed]:
    """The tables that belong to no campaign, those that were touched last first."""
    return [table_listed(one) for one in store.tables_alone()]


def table_listed(table: KeptTable) -> TableListed:
    """A table in a few words."""
    seats: list[dict[str, object]] = [
        {"number": one.number, "name": one.name, "kind": one.kind} for one in table.seats
    ]
    return {
        "id": table.id,
        "title": table.title,
        "touched": table.touched,
        "answers": table.next,
        "over": table.over,
        "seats": seats,
    }


def seats_typed(entries: Sequence[Mapping[str, str]]) -> tuple[Seat, ...]:
    """The seats of a form: a name and a kind each; Refused if they do not fit."""
    for entry in entries:
        if any(sign in entry["name"] for sign in ",="):
            raise BadInput(told("bad_name", name=entry["name"]))
    text = ",".join(f"{one['name'].strip()}={one['kind']}" for one in entries)
    if not entries or len(text) > LONGEST_LIST:
        raise BadInput(told("no_players"))
    try:
        return parse_seats(text)
    except Refused as refused:
        raise BadInput(str(refused)) from None


# ---------------------------------------------------------------------------------- saves


def exported(store: TableStore, id: str) -> str:
    """The game of a table as the text of a save, which the command `play --resume` goes on with."""
    live = load_table(store, id)
    tool = tool_with(seat.kind for seat in live.seats)
    return "\n".join(saved_lines(live.game, tool)) + "\n"


def imported(store: TableStore, text: str) -> KeptTable:
    """A new table for the game in the text of a save; Refused for a text that is none."""
    try:
        game = loaded(text, driver_named).game
    except SaveError as error:
        raise BadInput(str(error)) from None
    return keep(store, game, [Seat(name, HUMAN) for name in game.players])
