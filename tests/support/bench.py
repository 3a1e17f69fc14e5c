"""What stands beside a text of the workbench, asked without a page."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from ruleloom.editor.language_server import RuleloomServer, make_server
from ruleloom.web.app import Service
from ruleloom.web.lobby import Shelf
from ruleloom.web.requests import Fields
from ruleloom.web.table_store import TableStore
from ruleloom.workbench.addresses import BenchWorkspace
from ruleloom.workbench.beside_text import BesideText
from ruleloom.workbench.work_files import WorkFiles, work_packs


class Client:
    """A client that keeps what it is sent."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    def write(self, data: bytes) -> None:
        """Keep a message."""
        self.sent.append(json.loads(data))

    def close(self) -> None:
        """Do nothing."""


class Bench:
    """A workbench for some packs, and one text in it at a time."""

    def __init__(self, packs: tuple[str, ...]) -> None:
        self.files = WorkFiles(work_packs([packs]))
        self.service = Service(TableStore(":memory:"), Shelf([packs]), ("http://127.0.0.1:1",))
        self.server: RuleloomServer = make_server(BenchWorkspace(self.files))
        self.client = Client()
        self.server.protocol.set_writer(self.client, include_headers=False)
        self.answers = BesideText(self.server.session, self.service.store).answers

    async def ask(self, name: str, file: str, line: int = 0, **more: object) -> Any:
        """Ask about a place in a file of the first pack, as it stands on the disk."""
        folder = self.files.packs[0].folder
        uri, session = Path(folder, file).as_uri(), self.server.session
        if str(Path(folder, file)) not in session.workspace.texts:
            text = self.files.read(0, file).text
            path = session.documents.open(lsp.TextDocumentItem(uri, "yaml", 1, text))
            session.changed(path, 0)
            await session.project(path, settled=True)
        place = {"textDocument": {"uri": uri}, "line": line, "character": 0, "version": 1}
        return await self.answers[name](Fields({**place, **more}))


def with_bench(packs: tuple[str, ...], work: Callable[[Bench], Coroutine[Any, Any, None]]) -> None:
    """Do something at a workbench."""

    async def run() -> None:
        bench = Bench(packs)
        try:
            await work(bench)
        finally:
            bench.server.session.stop()
            bench.service.hall.close()
            bench.service.store.close()

    asyncio.run(run())


def write_files(folder: Path, texts: Mapping[str, str]) -> None:
    """Write files of a pack."""
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
