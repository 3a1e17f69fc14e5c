"""The HTTP and WebSocket routes of the workbench, for the host on the server's own machine only: a
request with a seat's token, or from elsewhere in the network, is refused.

One route is the language server over a WebSocket. A protocol message is sent in pieces that fit the
socket's size limit, each prefixed with `+` if more follow and with `.` if not. The first message is the
token. Only the requests that the page needs are forwarded, and only about files of the packs.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from pygls.exceptions import JsonRpcException
from pygls.uris import from_fs_path
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from ruleloom.building.templates import buildable_kinds
from ruleloom.editor.editor_session import EditorSession
from ruleloom.editor.language_server import RuleloomServer, make_server
from ruleloom.editor.project import PackGroup, Workspace, path_of
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.web.app import Addition, Service, sent_zip
from ruleloom.web.carried import LONGEST_NAME as LONGEST_CALLED
from ruleloom.web.carried import Carried, made_with, offered
from ruleloom.web.hall import LATER, encoded, let_in
from ruleloom.web.lobby import compiled, with_required
from ruleloom.web.pages import page_files, told
from ruleloom.web.requests import STYLE_NONCE, BadInput, Fields, NotAllowed, host, is_here, table_of
from ruleloom.web.table_store import TableStore
from ruleloom.workbench.beside_text import BesideText
from ruleloom.workbench.work_files import (
    LONGEST_NAME,
    WorkFiles,
    new_file,
    starters,
    unpacked,
    work_packs,
)

MOST_OPEN = 4  # workbenches per server
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

log = logging.getLogger("ruleloom.web")


class BenchWorkspace(Workspace):
    """A workspace that checks files with the packs served with them."""

    def __init__(self, files: WorkFiles) -> None:
        super().__init__()
        self._files = files

    def group_of(self, path: str) -> PackGroup | None:
        """The group of packs that a file is checked with; None outside all editable packs."""
        pack = self._files.pack_of(path)
        return None if pack is None else PackGroup(pack.together)


class BenchSession(EditorSession):
    """The editor session of a workbench, which outlives its page."""

    def __init__(self, files: WorkFiles) -> None:
        super().__init__(lambda *_: None, lambda _: None, BenchWorkspace(files))
        self.files = files

    @classmethod
    def prepared(cls, games: Iterable[Sequence[str]]) -> BenchSession:
        """A session with the editable packs of these games compiled and analysed."""
        session = cls(WorkFiles(work_packs(games)))
        for group in dict.fromkeys(PackGroup(pack.together) for pack in session.files.packs):
            session.prepare(group)
        return session


class LanguageSocket:
    """One open workbench: its language server, and the workbench's own requests, whose methods
    start with `bench/`."""

    def __init__(self, ws: WebSocket, store: TableStore, session: BenchSession) -> None:
        self.ws, self.files = ws, session.files
        self.server: RuleloomServer = make_server(session=session)
        self._own = BesideText(self.server.session, store).answers
        self._waiting: asyncio.Queue[str] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()
        self.server.protocol.set_writer(self, include_headers=False)

    # The writer interface of pygls.

    def write(self, data: bytes) -> None:
        """Queue a message for sending."""
        self._waiting.put_nowait(data.decode())

    def close(self) -> None:
        """Do nothing: the socket is closed by its opener."""

    async def run(self) -> None:
        """Serve until the page closes or sends an invalid message."""
        sending = asyncio.create_task(self._send_all())
        try:
            while (text := await _whole(self.ws)) is not None:
                self._take(text)
        except ValueError:
            await self.ws.close(NOT_UNDERSTOOD)
        finally:
            for task in (sending, *self._tasks):
                task.cancel()
            self.server.session.rest()

    async def _send_all(self) -> None:
        while True:
            text = await self._waiting.get()
            try:
                await self.ws.send_text(text)
            except (WebSocketDisconnect, RuntimeError):
                return

    def _take(self, text: str) -> None:
        """Dispatch a message. Raises ValueError for one that is malformed or not allowed."""
        try:
            data: dict[str, Any] = table_of(text)
        except BadInput:
            raise ValueError("this is no message") from None
        method, params = data.get("method"), data.get("params", {})
        if data.get("jsonrpc") != "2.0" or not isinstance(params, dict):
            raise ValueError("this is no message")
        self._check_document(params.get("textDocument"))
        if isinstance(method, str) and method.startswith(OWN):
            task = asyncio.create_task(self._answer_own(data.get("id"), method, Fields(params)))
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

    def _check_document(self, document: object) -> None:
        if document is None:
            return
        uri = document.get("uri") if isinstance(document, dict) else None
        if not isinstance(uri, str) or self.files.pack_of(path_of(uri)) is None:
            raise ValueError("this is no file of these packs")

    async def _answer_own(self, id: object, method: str, fields: Fields) -> None:
        name = method.removeprefix(OWN)
        answer: dict[str, object] = {"jsonrpc": "2.0", "id": id}
        try:
            if name not in self._own:
                raise Refused(f"there is no `{name}`")
            answer["result"] = await self._own[name](fields)
        except Refused as refused:
            answer["error"] = {"code": FAILED, "message": str(refused)}
        except RuntimeFault as fault:
            answer["error"] = {"code": FAILED, "message": fault.told}
        except Exception:  # the page goes on, and the fault is logged
            log.exception("the workbench could not answer %s", name)
            answer["error"] = {"code": FAILED, "message": "this could not be worked out"}
        self._waiting.put_nowait(encoded(answer).decode())


async def _whole(ws: WebSocket) -> str | None:
    """The next message, from its pieces; None once the page is closed. Raises ValueError if it is invalid."""
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


# A text of the maximum size, with each character escaped.
LARGEST_TEXT, LARGEST_BODY = 2 * 1024 * 1024, 12 * 1024 * 1024
PAGE = '<div id="page">'

FileWork = Callable[[WorkFiles, Fields], object]


@dataclass
class Workbench:
    """The workbench of one server; the host's page then links to it. Whoever opens it goes on with the
    session that the last one to leave it has left, `rested`."""

    service: Service
    rested: BenchSession | None = None
    files: WorkFiles = field(init=False)
    open: int = 0

    def __post_init__(self) -> None:
        packs = work_packs(self.service.shelf.games)
        self.files = self.rested.files if self.rested is not None else WorkFiles(packs)
        self.files.packs = tuple(packs)
        self.service.workbench = True

    def addition(self) -> Addition:
        """The routes of the workbench, and their body limits."""
        routes: list[BaseRoute] = [
            Route("/bench", self._page),
            WebSocketRoute("/api/bench/socket", self._socket),
            *(
                Route(f"/api/bench/{name}", self._for_host(work), methods=["POST"])
                for name, work in {
                    **FILE_WORK,
                    "take": self._take,
                    "making": self._making,
                }.items()
            ),
        ]
        large = {f"/api/bench/{name}": LARGEST_BODY for name in ("save", "diff", "take")}
        return Addition(tuple(routes), large)

    async def _page(self, request: Request) -> Response:
        """The page, with a fresh nonce for the styles of the editor."""
        if not is_here(request):
            return JSONResponse({"error": told("nothing_here")}, 404)
        nonce = request.scope[STYLE_NONCE] = secrets.token_urlsafe(16)
        body = page_files()["/static/index.html"].body.decode()
        named = body.replace(PAGE, f'<div id="page" data-nonce="{nonce}">')
        return Response(named, media_type="text/html; charset=utf-8")

    def _for_host(self, work: FileWork) -> Callable[[Request], Awaitable[Response]]:
        service = self.service
        answer = service.for_host(lambda fields: service.apart(lambda: work(self.files, fields)))

        async def handle(request: Request) -> Response:
            if not is_here(request):
                raise NotAllowed
            return await answer(request)

        return handle

    def _take(self, files: WorkFiles, fields: Fields) -> object:
        """Open the pack of a zip: it can be edited from now on, and is one of the games."""
        shelf = self.service.shelf
        if shelf.folder is None:
            raise Refused(told("no_packs_taken"))
        shelf.add(unpacked(*sent_zip(fields), shelf.folder))
        files.packs = tuple(work_packs(shelf.games))
        return {"pack": len(files.packs) - 1}

    def _making(self, files: WorkFiles, fields: Fields) -> object:
        """What the game of a pack is called where people are made; none if no kind like this is."""
        folder, kind = files.pack(fields.number("pack")).folder, fields.text("kind", 64)
        shelf = self.service.shelf
        for packs, name in zip(shelf.games, shelf.names(), strict=True):
            if any(one.folder == folder for one in work_packs([packs])):
                kinds = [one.name for one in buildable_kinds(packs)]
                return {"game": name if kind in kinds else None}
        return {"game": None}

    async def _socket(self, ws: WebSocket) -> None:
        """The page's language server socket."""

        def host_here(token: str | None) -> bool:
            if not is_here(ws):
                raise NotAllowed
            host(self.service.door, token)
            return True

        if not await let_in(ws, host_here):
            return
        if self.open >= MOST_OPEN:
            await ws.close(LATER)
            return
        self.open += 1
        session, self.rested = self.rested or BenchSession(self.files), None
        try:
            await LanguageSocket(ws, self.service.store, session).run()
        finally:
            self.open -= 1
            if self.rested is not None:
                self.rested.stop()
            self.rested = session


# ---------------------------------------------------------------------------------- files


def _files(files: WorkFiles, fields: Fields) -> object:
    def named(number: int, folder: str) -> list[dict[str, str]]:
        names = files.names(number)
        # As the language server writes them: on Windows with a small letter for the drive.
        return [{"name": name, "uri": from_fs_path(str(Path(folder, name)))} for name in names]

    return {
        "packs": [
            {"name": pack.name, "files": named(number, pack.folder), "kinds": starters(pack)}
            for number, pack in enumerate(files.packs)
        ]
    }


def _save(files: WorkFiles, fields: Fields) -> object:
    text, mark = fields.text("text", LARGEST_TEXT), fields.text("mark", 64)
    done = files.save(*_file(fields), text, mark)
    theirs = None if done.theirs is None else done.theirs._asdict()
    return {"mark": done.mark, "theirs": theirs}


def _share(files: WorkFiles, fields: Fields) -> object:
    """A pack as a zip, and as the end of an address, or why it cannot be one."""
    pack = files.pack(number := fields.number("pack"))
    carried, reason = Carried(pack.name[:LONGEST_CALLED], files.texts(number), ()), ""
    packs = with_required(pack.folder, [pack.together])
    try:
        lock = compiled(packs).lock
        carried = replace(carried, made=made_with({one.pack: one.version for one in lock[:-1]}))
    except Refused as refused:
        reason = str(refused)
    return offered(carried, [Path(one).name for one in packs[1:]], reason)


def _file(fields: Fields) -> tuple[int, str]:
    return fields.number("pack"), fields.text("name", LONGEST_NAME)


FILE_WORK: Mapping[str, FileWork] = {
    "files": _files,
    "read": lambda files, fields: files.read(*_file(fields))._asdict(),
    "save": _save,
    "share": _share,
    "diff": lambda files, f: files.diff(*_file(f), f.text("text", LARGEST_TEXT)),
    "create": lambda files, f: {
        "made": new_file(files, f.number("pack"), f.text("kind", 64), f.text("name", 64))
    },
}
