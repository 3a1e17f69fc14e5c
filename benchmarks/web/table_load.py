"""`python -m benchmarks.web.table_load`: many tables in the browser at once, with people at a human pace.

Starts `ruleloom serve` on the loopback with tables that were opened beforehand, lets every seat keep
a page open and answer after it has thought for a while, and prints how long an answer takes until
its player sees what came of it, what memory the server takes, and how long a restart takes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

import httpx
from websockets import Origin
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from ruleloom.api.facade import program_of
from ruleloom.table.seats import parse_seats
from ruleloom.web.lobby import invite, open_table
from ruleloom.web.server import address_of, bound
from ruleloom.web.table_store import TableStore

NAMES = ("Ann", "Ben", "Cid", "Dora", "Eva", "Finn")
COMMAND = "import sys; from ruleloom.cli.verbs import start; sys.exit(start(sys.argv[1:]))"
# What ends a game of Gnostica.
LAST = ("yes", "decide-at-the-end-whether-your-next-turn-is-the-last")
Panel = dict[str, object]
BUDGET_SECONDS, BUDGET_MEMORY, BUDGET_RESTART = 0.150, 1e9, 2.0


class Shown(TypedDict):
    """Of what a page is sent, the question."""

    panel: Panel | None


@dataclass
class Figures:
    """What was measured."""

    seen: list[float] = field(default_factory=list)
    refused: int = 0
    faults: list[str] = field(default_factory=list)


def prepared(path: Path, tables: int, seats: int, game: str) -> list[str]:
    """Open the tables, and return a token for each seat."""
    store, program = TableStore(path), program_of(game)
    tokens = []
    for number in range(tables):
        names = ",".join(f"{NAMES[seat]}=human" for seat in range(seats))
        kept = open_table(store, program, parse_seats(names), number)
        tokens += [invite(store, (), kept, seat).token for seat in range(seats)]
    store.close()
    return tokens


def start_server(path: Path, port: int) -> tuple[subprocess.Popen[str], float]:
    """The server in a process of its own, and how long it took until it had answered."""
    words = ["serve", "gnostica", "--no-browser", "--file", str(path), "--port", str(port)]
    begin = time.perf_counter()
    server = subprocess.Popen(
        [sys.executable, "-c", COMMAND, *words], stdout=subprocess.DEVNULL, text=True
    )
    while True:
        try:
            httpx.get(f"http://127.0.0.1:{port}/static/en.json", timeout=5).raise_for_status()
            return server, time.perf_counter() - begin
        except httpx.TransportError:
            if server.poll() is not None:
                raise
            time.sleep(0.01)


def memory_of(process: subprocess.Popen[str]) -> int:
    """The bytes that a process has in memory."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return 1024 * int(found[1]) if found else 0


async def play(
    token: str, port: int, until: float, think: float, figures: Figures, client: httpx.AsyncClient
) -> None:
    """One seat: a page, and an answer whenever it is asked and has thought."""
    source = random.Random(token)
    url = f"ws://127.0.0.1:{port}/api/socket"
    page = await _opened(url, Origin(f"http://127.0.0.1:{port}"))
    async with page:
        await page.send(json.dumps({"token": token}))
        answered = 0.0
        while (view := await _next_view(page, until)) is not None:
            if answered:
                figures.seen.append(time.perf_counter() - answered)
                answered = 0.0
            shown = await _after_thinking(page, view, source.uniform(0.4, 1.6) * think)
            if shown is not None:
                answered = time.perf_counter()
                if not await _answer(token, port, shown, source, figures, client):
                    answered = 0.0


async def _next_view(page: ClientConnection, until: float) -> Shown | None:
    """The next view of the table; None if none comes in time, or the page is closed."""
    while (left := until - time.monotonic()) > 0:
        try:
            text = await asyncio.wait_for(page.recv(), left)
        except (TimeoutError, ConnectionClosed):
            return None
        if '"type":"table"' in str(text)[:20]:
            return json.loads(text)  # type: ignore[no-any-return]
    return None


async def _after_thinking(page: ClientConnection, view: Shown, seconds: float) -> Panel | None:
    """The question as it stands when its player has thought: what others answer meanwhile in a
    secret round comes in as on a real page. None if nothing is asked."""
    until = time.monotonic() + seconds
    while view["panel"] is not None:
        later = await _next_view(page, until)
        if later is None:
            break
        view = later
    return view["panel"]


async def _opened(url: str, origin: Origin) -> ClientConnection:
    """A page; where so many come at once that the server asks to wait, as the page does."""
    for wait in (0.25, 0.5, 1, 2, 4, 8, 8, 8):
        try:
            return await connect(url, origin=origin, max_size=None)
        except InvalidStatus:
            await asyncio.sleep(wait)
    return await connect(url, origin=origin, max_size=None)


def _first(asked: Panel) -> dict[str, object]:
    fields = asked["fields"]
    assert isinstance(fields, list)
    return fields[0]  # type: ignore[no-any-return]


async def _answer(
    token: str,
    port: int,
    asked: Panel,
    source: random.Random,
    figures: Figures,
    client: httpx.AsyncClient,
) -> bool:
    field = _first(asked)
    options = field["options"]
    assert isinstance(options, list)
    keys = [key for option in options for key in option["keys"]]
    least = field["least"]
    assert isinstance(least, int)
    # Rarely the last turn: the games are to last as long as the measurement.
    kept = [key for key in keys if key not in LAST] or keys
    several = field["kind"] == "subset"
    chosen = source.sample(keys, least) if several else [source.choice(kept)]
    found = await client.post(
        f"http://127.0.0.1:{port}/api/answer",
        json={"panel": asked["id"], "answers": [chosen]},
        headers={"authorization": f"Bearer {token}"},
    )
    if found.status_code == 200:
        return True
    figures.refused += 1
    if found.status_code not in (409,):
        figures.faults.append(f"{found.status_code} {found.text[:100]}")
    return False


async def measure(tokens: list[str], port: int, seconds: float, think: float) -> Figures:
    """Let all seats play for so long."""
    figures, until = Figures(), time.monotonic() + seconds
    limits = httpx.Limits(max_connections=100)
    async with httpx.AsyncClient(timeout=30, limits=limits) as client:
        seats = (play(token, port, until, think, figures, client) for token in tokens)
        for found in await asyncio.gather(*seats, return_exceptions=True):
            if isinstance(found, BaseException):
                figures.faults.append(repr(found))
    return figures


def main() -> int:
    """Measure and print; the code is 1 if a budget is not kept."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.web.table_load", description=__doc__
    )
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seats", type=int, default=3, help="at each table, 2 to 6")
    parser.add_argument("--idle", type=int, default=1_000, help="tables besides, without anybody")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--think", type=float, default=8, help="seconds before an answer")
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with bound(address_of(0, lan=False)) as free:
        port = int(free.getsockname()[1])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tables.db"
        prepared(path, options.idle, 2, "gnostica")
        tokens = prepared(path, options.tables, options.seats, "gnostica")
        server, _ = start_server(path, port)
        try:
            figures = asyncio.run(measure(tokens, port, options.seconds, options.think))
            memory = memory_of(server)
        finally:
            server.kill()
            server.wait()
        again, restart = start_server(path, port)
        again.kill()
        again.wait()
    return _tell(options, figures, memory, restart)


def _tell(options: argparse.Namespace, figures: Figures, memory: int, restart: float) -> int:
    seen = sorted(figures.seen) or [float("inf")]
    at = {share: seen[min(len(seen) - 1, int(share * len(seen)))] for share in (0.5, 0.95, 0.99)}
    seats = options.tables * options.seats
    print(
        f"{options.tables} tables, {seats} seats, {options.idle} idle tables, {options.seconds:g} s"
    )
    print(f"{len(figures.seen):,} answers, {figures.refused} refused, {len(figures.faults)} faults")
    median, most, rare = (round(1000 * at[share]) for share in (0.5, 0.95, 0.99))
    print(f"seen after {median} ms (median), {most} ms (p95), {rare} ms (p99)")
    print(f"memory of the server {memory / 1e6:.0f} MB; restart in {restart:.2f} s")
    print(*figures.faults[:5], sep="\n")
    kept = at[0.95] <= BUDGET_SECONDS and memory <= BUDGET_MEMORY and restart <= BUDGET_RESTART
    return 0 if kept and not figures.faults else 1


if __name__ == "__main__":
    sys.exit(main())
