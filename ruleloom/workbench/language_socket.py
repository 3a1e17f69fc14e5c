"""The language server over a WebSocket, for the page of the workbench.

One message of the protocol is one text, sent in pieces that are small enough for a socket of the
table: each begins with `+` if there is more to come, and with `.` if not. The first message is the
token. Only the requests that a page needs are passed on, and only about files of the packs.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from pygls.exceptions import JsonRpcException
from starlette.websockets import WebSocket, WebSocketDisconnect

from ruleloom.editor.language_server import RuleloomServer, make_server
from ruleloom.editor.project import PackGroup, Workspace, path_of
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.web.requests import BadInput, Fields, table_of
from ruleloom.workbench.work_files import WorkFiles

MOST_OPEN = 4  # workbenches of one server
LARGEST = 4 * 1024 * 1024
CROWDED, NOT_UNDERSTOOD = 4503, 4400
METHODS = frozenset([
    *("initialize", "initialized", "$/cancelRequest"),
    *(f"textDocument/{one}" for one in ("didOpen", "didChange", "didSave", "didClose")),
    *(f"textDocument/{one}" for one in ("completion", "hover", "signatureHelp", "formatting")),
    *(f"textDocument/{one}" for one in ("semanticTokens/full", "codeAction")),
])  # fmt: skip
OWN = "bench/"
FAILED = -32803

Answer = Callable[[Fields], Awaitable[object]]
log = logging.getLogger("ruleloom.web")


class BenchWorkspace(Workspace):
    """Texts that are checked with the packs with which they are served."""

    def __init__(self, files: WorkFiles) -> None:
        super().__init__()
        self._files = files

    def group_of(self, path: str) -> PackGroup | None:
        """The packs that a file is checked with; None if it is in none that may be written."""
        for pack in self._files.packs:
            if path.startswith(f"{pack.folder}/"):
                return PackGroup(pack.together)
        return None


class LanguageSocket:
    """One open workbench: its language server, and what is asked beside the protocol.

    `own` answers the requests whose names begin with `bench/`, by the rest of their names.
    """

    def __init__(self, ws: WebSocket, files: WorkFiles) -> None:
        self.ws, self.files = ws, files
        self.server: RuleloomServer = make_server(BenchWorkspace(files))
        self.own: dict[str, Answer] = {}
        self._waiting: asyncio.Queue[str] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()
        self.server.protocol.set_writer(self, include_headers=False)

    # What pygls asks of a writer.

    def write(self, data: bytes) -> None:
        """Send a message, after those that wait already."""
        self._waiting.put_nowait(data.decode())

    def close(self) -> None:
        """Nothing: the socket is closed where it was opened."""

    async def run(self) -> None:
        """Serve until the page is closed, or says what cannot be understood."""
        sending = asyncio.create_task(self._send_all())
        try:
            while (text := await _whole(self.ws)) is not None:
                self._take(text)
        except ValueError:
            await self.ws.close(NOT_UNDERSTOOD)
        finally:
            for task in (sending, *self._tasks):
                task.cancel()
            self.server.session.stop()

    async def _send_all(self) -> None:
        while True:
            text = await self._waiting.get()
            try:
                await self.ws.send_text(text)
            except (WebSocketDisconnect, RuntimeError):
                return

    def _take(self, text: str) -> None:
        """Pass a message on; ValueError for one that is none or that no page of ours sends."""
        data = _read(text)
        method = data.get("method")
        self._check_document(data.get("params", {}))
        if isinstance(method, str) and method.startswith(OWN):
            task = asyncio.create_task(self._answer_own(data))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        elif method in METHODS:
            self._pass_on(text)
        else:
            raise ValueError("this is not asked of the workbench")

    def _pass_on(self, text: str) -> None:
        protocol = self.server.protocol
        try:
            message = json.loads(text, object_hook=protocol.structure_message)
        except (JsonRpcException, RecursionError):
            raise ValueError("this is no message") from None
        protocol.handle_message(message)

    def _check_document(self, params: dict[str, Any]) -> None:
        document = params.get("textDocument")
        if document is None:
            return
        uri = document.get("uri") if isinstance(document, dict) else None
        if not isinstance(uri, str) or not self.files.holds(path_of(uri)):
            raise ValueError("this is no file of these packs")

    async def _answer_own(self, data: dict[str, Any]) -> None:
        id, name = data.get("id"), str(data["method"])[len(OWN) :]
        answer: dict[str, object] = {"jsonrpc": "2.0", "id": id}
        work = self.own.get(name)
        try:
            if work is None:
                raise Refused(f"there is no `{name}`")
            answer["result"] = await work(Fields(data.get("params", {})))
        except Refused as refused:
            answer["error"] = {"code": FAILED, "message": str(refused)}
        except RuntimeFault as fault:
            answer["error"] = {"code": FAILED, "message": fault.told}
        except Exception:  # the page goes on, and the log of the server tells the fault
            log.exception("the workbench could not answer %s", name)
            answer["error"] = {"code": FAILED, "message": "this could not be worked out"}
        self._waiting.put_nowait(json.dumps(answer, ensure_ascii=False, separators=(",", ":")))


def _read(text: str) -> dict[str, Any]:
    """A message of the protocol; ValueError for anything else."""
    try:
        data: dict[str, Any] = table_of(text)
    except BadInput:
        raise ValueError("this is no message") from None
    if data.get("jsonrpc") != "2.0" or not isinstance(data.get("params", {}), dict):
        raise ValueError("this is no message")
    return data


async def _whole(ws: WebSocket) -> str | None:
    """The next message, from its pieces; None once the page is closed, ValueError for one that is too
    large."""
    found: list[str] = []
    size = 0
    while True:
        try:
            piece = await ws.receive_text()
        except (WebSocketDisconnect, KeyError, RuntimeError):
            return None
        size += len(piece)
        if not piece or piece[0] not in "+." or size > LARGEST:
            raise ValueError("this is no piece of a message")
        found.append(piece[1:])
        if piece[0] == ".":
            return "".join(found)
