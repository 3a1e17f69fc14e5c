"""The host's side of a server: opening tables and campaigns, assigning seats, importing and exporting
games.

A campaign is a series of sessions with the same packs and people. It locks the packs with versions and
hashes, as `ruleloom lock` does. Changes since the last session are reported before the next one, and must be
agreed to.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import segno
import yaml

from ruleloom.api.compiling import ContentError
from ruleloom.api.facade import new_game, program_of
from ruleloom.api.linking import linked_for
from ruleloom.bots.arena import KINDS, make_bot
from ruleloom.compiler.packs.locate import BUILTIN, shipped_pack, shipped_packs
from ruleloom.compiler.packs.walk import MANIFEST
from ruleloom.output.printed import chronicle_markdown, chronicle_of, plain
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.games import driver_of as driver_named
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import number_text
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.play.journal import differences, loaded, saved_lines
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.language import Language
from ruleloom.runtime.program.program import Program, Setting
from ruleloom.table.seats import HUMAN, Seat, parse_seats, tool_with
from ruleloom.upgrade.offer import packs_by_id
from ruleloom.web.live_table import load_table
from ruleloom.web.pages import told
from ruleloom.web.requests import SPECTATOR, BadInput, hash_of, new_token
from ruleloom.web.table_store import KeptCampaign, KeptTable, TableStore

LARGEST_SEED = 2**32
LONGEST_LIST = 1_000
# All threads share one compiler with one cache.
ONE_AT_A_TIME = threading.Lock()
SEAT_KINDS = (HUMAN, *KINDS)
SCENE = re.compile(r"^- kind: scene$", re.MULTILINE)
# The server's suffix for the name of an uploaded pack.
SENT_IN = re.compile(r"-[0-9a-f]{12}\.zip$")


@dataclass(slots=True)
class Shelf:
    """The games of this server, each a list of packs. Requests name them by number, never by path.

    Uploaded packs are kept in `folder`; without one, none are accepted.
    """

    games: list[tuple[str, ...]]
    folder: Path | None = None

    def names(self) -> list[str]:
        """The names of the games, in order."""
        whole = [" + ".join(Path(pack).name for pack in packs) for packs in self.games]
        plain = [" + ".join(map(self._plain_name, packs)) for packs in self.games]
        # Two states of one pack are distinguished by the server's suffix.
        return [
            short if plain.count(short) == 1 else long
            for short, long in zip(plain, whole, strict=True)
        ]

    def _plain_name(self, pack: str) -> str:
        """The name of a pack; for an uploaded one, its original name."""
        path = Path(pack)
        return SENT_IN.sub("", path.name) if path.parent == self.folder else path.name

    def take_in(self, name: str, data: bytes) -> int:
        """Add a pack uploaded as a zip, and return the number of its game.

        It is read like any archive, in memory and within limits, and must be playable. Raises Refused with
        its mistakes.
        """
        if self.folder is None:
            raise Refused(told("no_packs_taken"))
        path = self.folder / f"{plain_stem(name)}-{hashlib.sha256(data).hexdigest()[:12]}.zip"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError as error:
            raise Refused(told("not_stored", reason=error.strerror)) from None
        try:
            compiled(with_required(str(path), self.games))
        except Refused:
            path.unlink(missing_ok=True)
            raise
        return self.add(path)

    def add(self, pack: Path) -> int:
        """Add a pack, with those of this server that it requires, and return the number of its game."""
        packs = with_required(str(pack), self.games)
        if packs not in self.games:
            self.games.append(packs)
        return self.games.index(packs)

    def program(self, number: int) -> Program:
        """The program of a game; Refused for packs with mistakes."""
        if not 0 <= number < len(self.games):
            raise Refused(told("no_game"))
        return compiled(self.games[number])


def compiled(packs: tuple[str, ...]) -> Program:
    """The program of packs as they are on disk, cached while unchanged. Raises Refused for packs with
    mistakes."""
    try:
        with ONE_AT_A_TIME:
            return program_of(*packs)
    except ContentError as error:
        raise Refused(f"{told('mistakes')}\n{error}") from None


def plain_stem(name: str) -> str:
    """What a pack that was sent is called in the names of its files."""
    return re.sub(r"[^a-z0-9-]+", "-", Path(name).stem.lower()).strip("-")[:40] or "pack"


def shelf_of(packs: Sequence[str], folder: Path | None = None) -> Shelf:
    """The game of these packs, or each shipped game; what can be played of a shipped game with the scenes of
    our examples; and the packs uploaded before."""
    games = [tuple(packs)] if packs else [(id,) for id in shipped_packs(BUILTIN)]
    sent: list[Path] = []
    if folder is not None and folder.is_dir():
        opened = (path.parent for path in folder.glob(f"*/{MANIFEST}"))
        sent = [*sorted(folder.glob("*.zip")), *sorted(opened)]
    shelf = Shelf([packs for game in games for packs in _with_scenes(game)], folder)
    for path in sent:
        shelf.add(path)
    return shelf


def with_required(pack: str, games: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """A pack, and the packs of these games that it requires, all of an id; those that come with Ruleloom need
    no naming."""
    shipped = BUILTIN.resolve()
    beside = packs_by_id(
        named
        for named in chain([pack], *games)
        if named not in shipped_packs(BUILTIN) and Path(named).resolve().parent != shipped
    )
    found = [pack]
    waiting = [id for those in packs_by_id([pack]).values() for one in those for id in one.requires]
    for id in waiting:  # the list grows meanwhile
        for one in beside.get(id, ()):
            if one.named not in found:
                found.append(one.named)
                waiting += one.requires
    return tuple(found)


def _with_scenes(packs: tuple[str, ...]) -> list[tuple[str, ...]]:
    """A game, and with each example that brings a scene for it; these first if it has no scene of its own."""
    home = shipped_pack(packs[0], BUILTIN) if len(packs) == 1 else None
    if home is None or (Path(packs[0]) / MANIFEST).is_file():
        return [packs]
    found = [
        (*packs, str(manifest.parent))
        for manifest in sorted(BUILTIN.glob(f"examples/*/{MANIFEST}"))
        if _has_scene(manifest.parent)
        and yaml.safe_load(manifest.read_text("utf-8"))["game"] == packs[0]
    ]
    return [packs, *found] if _has_scene(home.path) else [*found, packs]


def _has_scene(pack: Path) -> bool:
    """Does a shipped pack have a scene?"""
    return any(SCENE.search(file.read_text("utf-8")) for file in pack.glob("*.yaml"))


def offered(program: Program, number: int, language: Language) -> dict[str, Any]:
    """A summary of the game of a number, which can be opened."""
    settings = {setting.name: setting.value for setting in program.settings}
    least, most = int(settings.get("least_players", 1)), program.entity("Player").most
    names = tuple(f"player {one}" for one in range(max(1, least)))
    greedy = can_play("greedy", linked_for(program, names, {}))
    read = language.program or program
    told = {"number": number, "title": read.title, "greedy": greedy}
    return {
        **told,
        "least": least,
        "most": most,
        "settings": [*map(_setting_offered, read.settings)],
    }


def _setting_offered(setting: Setting) -> dict[str, Any]:
    """A setting of a game in words, with what it may be."""
    options = ("yes", "no") if setting.type == "Bool" else setting.options
    value = number_text(setting.value) if setting.type in ("Int", "Fraction") else setting.value
    usual = value if setting.type != "Bool" else "yes" if setting.value else "no"
    return {"name": setting.name, "text": setting.english, "options": options, "usual": usual}


def can_play(kind: str, linked: Linked, seat: int = 0) -> bool:
    """Is there a bot of this kind for a game?"""
    try:
        return bool(make_bot(kind, linked, 0, seat))
    except Refused:
        return False


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
    """Start a game at a new table, optionally of a campaign; Refused if it cannot be played."""
    drawn = secrets.randbelow(LARGEST_SEED) if seed is None else seed
    names = [seat.name for seat in seats]
    game = new_game(program, names, None if real_dice else drawn, switches=switches)
    for place, seat in enumerate(seats):
        if not seat.is_human:
            make_bot(seat.kind, game.linked, 0, place)  # refuses a bot that cannot play this game
    return keep(store, game, seats, campaign)


def keep(
    store: TableStore, game: Game, seats: Sequence[Seat], campaign: KeptCampaign | None = None
) -> KeptTable:
    """Store a game as a new table; the first person leads it."""
    leader = next((place for place, seat in enumerate(seats) if seat.is_human), None)
    kept = [replace(seat, leads=place == leader) for place, seat in enumerate(seats)]
    id = secrets.token_hex(6)
    store.add(id, game, kept, campaign)
    return store.table(id)


def listed(store: TableStore) -> list[dict[str, Any]]:
    """The tables outside campaigns, most recently used first."""
    return [_told_of(one) for one in store.tables_alone()]


def _told_of(table: KeptTable) -> dict[str, Any]:
    """A table as listed for the host."""
    seats = [{"number": n, "name": o.name, "kind": o.kind} for n, o in enumerate(table.seats)]
    return {
        "id": table.id,
        "title": table.title,
        "touched": table.touched,
        "answers": table.next,
        "over": table.over,
        "seats": seats,
        "versions": {id: version for id, version, _ in table.header["lock"]},
    }


def seats_typed(entries: Iterable[tuple[str, str]]) -> tuple[Seat, ...]:
    """The seats of a form: a name and a kind each; BadInput if invalid."""
    typed = list(entries)
    for name, _ in typed:
        if any(sign in name for sign in ",="):
            raise BadInput(told("bad_name", name=name))
    text = ",".join(f"{name.strip()}={kind}" for name, kind in typed)
    if not typed or len(text) > LONGEST_LIST:
        raise BadInput(told("no_players"))
    try:
        return parse_seats(text)
    except Refused as refused:
        raise BadInput(str(refused)) from None


# ---------------------------------------------------------------------------------- invitations


class Invitation(NamedTuple):
    """A new token for a seat, and its links, the one for this machine first."""

    token: str
    links: tuple[str, ...]


def invite(store: TableStore, urls: tuple[str, ...], table: KeptTable, seat: int) -> Invitation:
    """Invite somebody to a seat; earlier invitations stay valid.

    The part after `#` in a link is never sent, nor logged.
    """
    if seat != SPECTATOR and not 0 <= seat < len(table.seats):
        raise BadInput(told("bad_field", name="seat"))
    token = new_token()
    store.add_token(hash_of(token), table.id, seat)
    return Invitation(token, tuple(f"{url}/t/{table.id}#{token}" for url in urls))


def linked(store: TableStore, urls: tuple[str, ...], id: str, seat: int) -> dict[str, Any]:
    """An invitation for the host's page, with a QR code by rows: `1` is dark."""
    token, links = invite(store, urls, store.table(id), seat)
    rows = ["".join("1" if dark else "0" for dark in row) for row in _code(links[-1]).matrix]
    return {"token": token, "links": links, "code": rows, "here_only": len(urls) == 1}


def _code(text: str) -> segno.QRCode:
    return segno.make(text, error="m", micro=False)


def terminal_code(text: str) -> str:
    """The QR code in half blocks, light on dark, with the margin that cameras need."""
    drawn = StringIO()
    _code(text).terminal(drawn, border=2, compact=True)
    return drawn.getvalue().rstrip("\n")


# ---------------------------------------------------------------------------------- saves


def exported(store: TableStore, id: str) -> str:
    """The game of a table as the text of a save, for `play --resume`."""
    live = load_table(store, id)
    tool = tool_with(seat.kind for seat in live.seats)
    return "\n".join(saved_lines(live.game, tool)) + "\n"


def imported(store: TableStore, text: str) -> KeptTable:
    """A new table for the game in a save's text. Raises BadInput for an invalid one."""
    try:
        game = loaded(text, driver_named).game
    except SaveError as error:
        raise BadInput(str(error)) from None
    return keep(store, game, [Seat(name, HUMAN) for name in game.players])


# ---------------------------------------------------------------------------------- campaigns

LONGEST_TITLE = 80


def open_campaign(
    store: TableStore,
    shelf: Shelf,
    number: int,
    title: str,
    seats: Sequence[Seat],
    real_dice: bool,
) -> KeptTable:
    """Start a campaign with its first session; Refused if the game cannot be played so."""
    if not title.strip() or len(title) > LONGEST_TITLE:
        raise BadInput(told("bad_field", name="campaign"))
    program = shelf.program(number)
    packs = tuple(map(_lasting, shelf.games[number]))
    id = secrets.token_hex(6)
    campaign = KeptCampaign(id, title.strip(), packs, program.lock, tuple(seats), real_dice)
    return open_table(store, program, seats, None, real_dice, campaign=campaign)


def _lasting(pack: str) -> str:
    """A pack's id or absolute path, which stays valid wherever the server is started."""
    is_shipped = not (Path(pack) / MANIFEST).is_file() and shipped_pack(pack, BUILTIN) is not None
    return pack if is_shipped else str(Path(pack).resolve())


def next_session(
    store: TableStore, id: str, agreed: Sequence[str]
) -> tuple[KeptTable | None, list[str]]:
    """Open a table for the next session, and return it with the changes in the packs.

    Unless exactly these changes were agreed to, no table is opened, and None is returned.
    """
    campaign = store.campaign(id)
    program = compiled(campaign.packs)
    known = {one.pack for one in campaign.lock}
    more = (
        f"pack {one.pack} {one.version} is new" for one in program.lock if one.pack not in known
    )
    installed = {one.pack: (one.version, one.hash) for one in program.lock}
    changes = [*differences(campaign.lock, installed), *more]
    if changes != list(agreed):
        return None, changes
    now, real = replace(campaign, lock=program.lock), campaign.real_dice
    return open_table(store, program, campaign.seats, None, real, campaign=now), changes


def campaigns_listed(store: TableStore) -> list[dict[str, Any]]:
    """The campaigns, newest first."""
    return [
        {
            "id": one.id,
            "title": one.title,
            "packs": [f"{lock.pack} {lock.version}" for lock in one.lock],
            "players": [seat.name for seat in one.seats],
            "tables": [_told_of(table) for table in store.sessions(one.id)[::-1]],
        }
        for one in store.campaigns()
    ]


def campaign_chronicle(store: TableStore, id: str) -> str:
    """The log of all sessions as Markdown, for the host: it hides nothing."""
    campaign = store.campaign(id)
    lines = [f"# {plain(campaign.title)}"]
    for number, table in enumerate(store.sessions(id), 1):
        day = datetime.fromtimestamp(table.touched).date().isoformat()
        lines += ["", f"## {told('session', number=number)} ({day})", ""]
        story = chronicle_markdown(chronicle_of(load_table(store, table.id).game))
        rows = story.rstrip("\n").split("\n")
        lines += [f"##{row}" if row.startswith("#") else row for row in rows]
    return "\n".join(lines) + "\n"
