"""The addresses of the workbench. They are for the host at the server's own machine: with the token
of a seat, or from elsewhere in the network, there is nothing here.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import field

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from ruleloom.runtime.dataclass import dataclass
from ruleloom.web.app import PATIENCE_TO_COMPILE, Addition, Service, answering
from ruleloom.web.guard import STYLE_NONCE
from ruleloom.web.hall import encoded
from ruleloom.web.pages import page_files, told
from ruleloom.web.requests import BadInput, Fields, NotAllowed, fields_of, host, is_here, token_of
from ruleloom.web.seating import TooManyGuesses
from ruleloom.web.stream import LATER, NOT_ALLOWED, token_in
from ruleloom.workbench.beside_text import BesideText
from ruleloom.workbench.language_socket import MOST_OPEN, LanguageSocket
from ruleloom.workbench.new_file import new_file, starters
from ruleloom.workbench.work_files import LONGEST_NAME, WorkFiles, uri_of, work_packs

# A text of the largest size, each sign of it escaped.
LARGEST_TEXT, LARGEST_BODY = 2 * 1024 * 1024, 12 * 1024 * 1024
PAGE = '<div id="page">'

FileWork = Callable[[WorkFiles, Fields], object]


@dataclass
class Workbench:
    """The workbench of one server, whose host's page leads to it from now on."""

    service: Service
    files: WorkFiles = field(init=False)
    open: int = 0

    def __post_init__(self) -> None:
        self.files = WorkFiles(work_packs(self.service.shelf.games))
        self.service.workbench = True

    def addition(self) -> Addition:
        """The routes of the workbench, and the sizes of their bodies."""
        routes: list[BaseRoute] = [
            Route("/bench", answering(self._page)),
            WebSocketRoute("/api/bench/socket", self._socket),
            *(
                Route(f"/api/bench/{name}", answering(self._for_host(work)), methods=["POST"])
                for name, work in FILE_WORK.items()
            ),
        ]
        large = {f"/api/bench/{name}": LARGEST_BODY for name in ("save", "diff")}
        return Addition(tuple(routes), large)

    async def _page(self, request: Request) -> Response:
        """The page, with a name of its own for the styles that the editor makes."""
        if not is_here(request):
            return JSONResponse({"error": told("nothing_here")}, 404)
        nonce = request.scope[STYLE_NONCE] = secrets.token_urlsafe(16)
        body = page_files()["/static/index.html"].body.decode()
        named = body.replace(PAGE, f'<div id="page" data-nonce="{nonce}">')
        return Response(named, media_type="text/html; charset=utf-8")

    def _for_host(self, work: FileWork) -> Callable[[Request], Awaitable[Response]]:
        async def handle(request: Request) -> Response:
            if not is_here(request):
                raise NotAllowed
            host(self.service.door, token_of(request))
            fields = await fields_of(request)
            result = await self.service.hall.apart(
                lambda: work(self.files, fields), PATIENCE_TO_COMPILE
            )
            return Response(encoded({"ok": True, "result": result}), media_type="application/json")

        return handle

    async def _socket(self, ws: WebSocket) -> None:
        """The language server, for one page; its first message is the token."""
        await ws.accept()
        try:
            token = await token_in(ws)
            if not is_here(ws):
                raise NotAllowed
            host(self.service.door, token)
        except (NotAllowed, TooManyGuesses, BadInput, KeyError, TimeoutError):
            await ws.close(NOT_ALLOWED)
            return
        except WebSocketDisconnect:
            return
        if self.open >= MOST_OPEN:
            await ws.close(LATER)
            return
        self.open += 1
        try:
            socket = LanguageSocket(ws, self.files)
            socket.own.update(BesideText(socket.server.session, self.service).answers)
            await socket.run()
        finally:
            self.open -= 1


# ---------------------------------------------------------------------------------- files


def _files(files: WorkFiles, fields: Fields) -> object:
    return {
        "packs": [
            {"name": pack.name, "files": _named(files, number), "kinds": starters(pack)}
            for number, pack in enumerate(files.packs)
        ]
    }


def _named(files: WorkFiles, number: int) -> list[dict[str, str]]:
    folder = files.pack(number).folder
    return [{"name": name, "uri": uri_of(folder, name)} for name in files.names(number)]


def _read(files: WorkFiles, fields: Fields) -> object:
    return files.read(*_file(fields))._asdict()


def _save(files: WorkFiles, fields: Fields) -> object:
    text, mark = fields.text("text", LARGEST_TEXT), fields.text("mark", 64)
    done = files.save(*_file(fields), text, mark)
    theirs = None if done.theirs is None else done.theirs._asdict()
    return {"mark": done.mark, "theirs": theirs}


def _diff(files: WorkFiles, fields: Fields) -> object:
    return files.diff(*_file(fields), fields.text("text", LARGEST_TEXT))


def _create(files: WorkFiles, fields: Fields) -> object:
    number, kind, name = fields.number("pack"), fields.text("kind", 64), fields.text("name", 64)
    return {"made": new_file(files, number, kind, name)}


def _file(fields: Fields) -> tuple[int, str]:
    return fields.number("pack"), fields.text("name", LONGEST_NAME)


FILE_WORK: Mapping[str, FileWork] = {
    "files": _files,
    "read": _read,
    "save": _save,
    "diff": _diff,
    "create": _create,
}
