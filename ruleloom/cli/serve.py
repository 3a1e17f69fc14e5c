"""`ruleloom serve`: a table in the browser, on this machine or on the local network."""

from __future__ import annotations

import asyncio
import sys
import webbrowser
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import click

from ruleloom.cli.faults import CLEAN, WrongUse
from ruleloom.cli.options import Wanted, game_argument, option, read_switches, switch_option
from ruleloom.cli.play import saved_games
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.table.seats import HUMAN, Seat, parse_seats
from ruleloom.upgrade.offer import packs_by_id
from ruleloom.web.app import Service
from ruleloom.web.lobby import compiled, invite, open_table, shelf_of, terminal_code
from ruleloom.web.requests import SPECTATOR
from ruleloom.web.server import PORT, address_of, bound, server_for
from ruleloom.web.table_store import KeptTable, NotStored, TableStore
from ruleloom.workbench.addresses import Workbench

FILE, PACKS = "tables.db", "table-packs"
ONLOOKER = Seat("a spectator", HUMAN)


@click.command("serve")
@game_argument(required=False)
@option(
    "--players LIST",
    "Open a table at once for these players, seat by seat, as in Ann=human,Ben=human,greedy, "
    "and print a link for each.",
)
@switch_option
@option("--seed N", "The seed of dice and decks at this table.", type=int)
@option("--real-dice", "Ask for the results of real dice and decks.")
@option(
    "--port N",
    f"The port of the server, usually {PORT}; 0 takes any that is free.",
    type=click.IntRange(0, 65535),
    default=PORT,
)
@option("--lan", "Let others in the local network join, with a link and a QR code for each seat.")
@option(
    "--url URL",
    "The address of a proxy of your own in front of the server, as in https://table.example.org; "
    "links have it. There is no workbench then.",
)
@option(
    "--file FILE",
    "The file in which tables are stored; usually one beside the games that are kept.",
)
@click.option(
    "--browser/--no-browser", default=True, help="Open the page in the browser of this machine."
)
def command(**asked: object) -> int:
    """Open a table in the browser.

    GAME is the name of a shipped game or the folder of a pack, PACK what comes on top of it.
    Without any, every shipped game can be opened. Every answer is stored before it is
    shown, and a table is found again the next time.
    """
    return _serve(Wanted(**asked))


def _serve(wanted: Wanted) -> int:
    _refuse_contradictions(wanted)
    path, lan = _file(wanted.file), wanted.lan
    shelf = shelf_of(wanted.game, path.parent / PACKS)
    try:
        if any(len(those) > 1 for those in packs_by_id(wanted.game).values()):
            compiled(wanted.game)  # says which two packs have one id
        store = TableStore(path)
        table, chosen = None, read_switches(wanted.switches)
        if wanted.players is not None:
            seats, luck = parse_seats(wanted.players), (wanted.seed, wanted.real_dice)
            table = open_table(store, compiled(wanted.game), seats, *luck, chosen)
    except (NotStored, Refused) as fault:
        raise WrongUse(str(fault)) from None
    address = replace(address_of(wanted.port, lan), url=_public(wanted.url))
    try:
        listening = bound(address)
    except OSError as error:
        help = "`--port 0` takes any port that is free"
        raise WrongUse(f"port {wanted.port} cannot be used: {error.strerror}", help) from None
    address = replace(address, port=listening.getsockname()[1])
    service = Service(store, shelf, address.urls)
    start = f"{address.urls[0]}/#{service.door.host_token}"
    _tell(service, table, start, path, lan)
    if wanted.browser:
        webbrowser.open(start)
    # Behind a proxy all requests seem to come from this machine.
    additions = () if address.url else (Workbench(service).addition(),)
    server = server_for(service, address.origins, *additions)
    asyncio.run(server.serve([listening]))
    store.close()
    return CLEAN


def _refuse_contradictions(wanted: Wanted) -> None:
    usual, is_seeded = "ruleloom serve gnostica --players Ann=human,greedy", wanted.seed is not None
    if wanted.players is None and (wanted.switches or wanted.real_dice or is_seeded):
        message = "--switch, --seed and --real-dice are for the table of --players"
        raise WrongUse(message, usual)
    if wanted.players is not None and not wanted.game:
        raise WrongUse("--players is for one game", usual)
    if wanted.real_dice and is_seeded:
        raise WrongUse("--real-dice asks for results, and --seed would produce them")


def _public(url: str | None) -> str:
    """The base URL of a proxy, without a path. Raises WrongUse for anything else."""
    if url is None:
        return ""
    found = urlsplit(url)
    if found.scheme not in ("http", "https") or not found.netloc or found.path not in ("", "/"):
        message = f"`{url}` is not the address of a server"
        raise WrongUse(message, "a scheme and a name, as in https://table.example.org")
    return f"{found.scheme}://{found.netloc.lower()}"


def _file(named: str | None) -> Path:
    """The file of the tables, whose folder is created."""
    if named is not None:
        return Path(named)
    folder = saved_games.folder()
    if folder is None:
        raise WrongUse("there is no folder for tables", "ruleloom serve --file tables.db")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WrongUse(f"{folder} cannot be made: {error.strerror}") from None
    return folder / FILE


def _tell(service: Service, table: KeptTable | None, start: str, path: Path, lan: bool) -> None:
    """Print the links, each with the name of its seat."""
    print(f"The host's page: {start}")
    people = [] if table is None else [*enumerate(table.seats), (SPECTATOR, ONLOOKER)]
    for number, seat in people:
        if table is not None and seat.is_human:
            link = invite(service.store, service.urls, table, number).links[-1]
            print(safe_text(f"{seat.name}: {link}"))
            if lan and number != SPECTATOR:
                print(terminal_code(link))
    print(safe_text(f"Tables are stored in {path}. Ctrl-C stops the server."))
    sys.stdout.flush()
