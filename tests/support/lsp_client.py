"""An editor without a screen: a client of the language server, by the words that stand in a file.

Places are given as a piece of text with a `|` where the cursor is: `use att|ack`.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.io_ import run_async
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient

from ruleloom.compiler.pipeline import Compiler
from ruleloom.editor.language_server import RuleloomServer, make_server
from ruleloom.editor.project import Workspace
from tests.conftest import ROOT

PATIENCE = 200

EDITING = Compiler(most_results=0, uses=True)
"""The compiler of all servers in this process, one after another: a game that one of them knows is
not compiled again for the next."""


def utf16(text: str) -> int:
    """How many UTF-16 units a text has."""
    return len(text.encode("utf-16-le")) // 2


class ScreenlessClient(LanguageClient):
    """A client that notes for which version of a file it was told the findings, and makes the edits
    that the server asks for in `applied`."""

    def __init__(self) -> None:
        super().__init__(converter_factory=default_converter)
        self.published: dict[str, int | None] = {}
        self.told = asyncio.Event()
        self.applied: list[lsp.WorkspaceEdit] = []

        @self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.diagnostics[params.uri] = params.diagnostics
            self.published[params.uri] = params.version
            self.told.set()

        @self.feature(lsp.WINDOW_LOG_MESSAGE)
        def logged(params: lsp.LogMessageParams) -> None:
            self.log_messages.append(params)

        @self.feature(lsp.WINDOW_SHOW_MESSAGE)
        def shown(params: lsp.ShowMessageParams) -> None:
            self.messages.append(params)

        @self.feature(lsp.WORKSPACE_APPLY_EDIT)
        def applied(params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
            self.applied.append(params.edit)
            return lsp.ApplyWorkspaceEditResult(applied=True)


@dataclass
class LspEditor:
    """An editor with one client and its open files."""

    client: ScreenlessClient
    texts: dict[str, str] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)

    async def open(self, path: Path, text: str | None = None) -> str:
        """Open a file, and wait for its findings; return its URI."""
        uri = path.resolve().as_uri()
        self.texts[uri] = path.read_text(encoding="utf-8") if text is None else text
        self.versions[uri] = 1
        item = lsp.TextDocumentItem(uri, "yaml", 1, self.texts[uri])
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        await self.findings(uri)
        return uri

    async def change(self, uri: str, text: str) -> Sequence[lsp.Diagnostic]:
        """Write another text into a file, and return the findings about it."""
        self.write(uri, text)
        return await self.findings(uri)

    def write(self, uri: str, text: str) -> None:
        """Write another text into a file."""
        self.texts[uri] = text
        self.versions[uri] += 1
        named = lsp.VersionedTextDocumentIdentifier(version=self.versions[uri], uri=uri)
        whole = lsp.TextDocumentContentChangeWholeDocument(text=text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(named, [whole]))

    async def findings(self, uri: str) -> Sequence[lsp.Diagnostic]:
        """The findings about the text as it stands now."""
        async with asyncio.timeout(PATIENCE):
            while self.client.published.get(uri) != self.versions[uri]:
                self.client.told.clear()
                await self.client.told.wait()
        return self.client.diagnostics.get(uri, ())

    def position(self, uri: str, words: str) -> lsp.Position:
        """The position of the `|` in words that stand in a file, the first time."""
        before, _, after = words.partition("|")
        text = self.texts[uri]
        offset = text.index(before + after) + len(before)
        line_start = text.rfind("\n", 0, offset) + 1
        return lsp.Position(text.count("\n", 0, offset), utf16(text[line_start:offset]))

    def at(self, uri: str, words: str) -> dict[str, Any]:
        """The parameters of a request about a place."""
        document = lsp.TextDocumentIdentifier(uri)
        return {"text_document": document, "position": self.position(uri, words)}

    async def labels(self, uri: str, words: str) -> list[str]:
        """What completion offers at a place."""
        params = lsp.CompletionParams(**self.at(uri, words))
        found = await self.client.text_document_completion_async(params)
        assert isinstance(found, lsp.CompletionList)
        return [one.label for one in found.items]

    async def hover(self, uri: str, words: str) -> str:
        """What is told about a place."""
        found = await self.client.text_document_hover_async(lsp.HoverParams(**self.at(uri, words)))
        if found is None:
            return ""
        assert isinstance(found.contents, lsp.MarkupContent)
        return found.contents.value

    async def actions(self, uri: str, words: str) -> list[lsp.CodeAction]:
        """What can be done about a place."""
        where = self.position(uri, words)
        params = lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(uri), lsp.Range(where, where), lsp.CodeActionContext([])
        )
        found = await self.client.text_document_code_action_async(params)
        return [one for one in found or () if isinstance(one, lsp.CodeAction)]

    async def command(self, name: str, *arguments: object) -> Any:
        """What a command of the server answers."""
        params = lsp.ExecuteCommandParams(name, list(arguments))
        return await self.client.workspace_execute_command_async(params)

    def edited(self, edit: lsp.WorkspaceEdit | None) -> dict[str, str]:
        """The texts of files after an edit, by URI."""
        assert edit is not None
        found: dict[str, str] = {}
        for change in edit.document_changes or ():
            if isinstance(change, lsp.TextDocumentEdit):
                uri = change.text_document.uri
                edits = [one for one in change.edits if isinstance(one, lsp.TextEdit)]
                found[uri] = with_edits(self.texts.get(uri, _on_disk(uri)), edits)
        return found


def _on_disk(uri: str) -> str:
    path = Path(uri.removeprefix("file://"))
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def with_edits(text: str, edits: Sequence[lsp.TextEdit]) -> str:
    """A text after edits that do not overlap."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def offset(position: lsp.Position) -> int:
        line = lines[position.line]
        units = line.encode("utf-16-le")[: position.character * 2]
        return starts[position.line] + len(units.decode("utf-16-le"))

    spans = [(offset(one.range.start), offset(one.range.end), one.new_text) for one in edits]
    for start, end, new in sorted(spans, reverse=True):
        text = text[:start] + new + text[end:]
    return text


@asynccontextmanager
async def lsp_editor(
    folder: Path, *roots: Path, resolves: bool = False, apart: bool = False
) -> AsyncIterator[LspEditor]:
    """An editor whose workspace is a folder, or several `roots` in it. With `resolves` it takes
    completions as newer editors do. A fault of the server fails the test.

    The server runs in a thread, which shares what the ones before it have compiled; or `apart`, in a
    process of its own, as editors start it.
    """
    async with _served_apart() if apart else _served_beside() as client:
        await _greet(client, folder, roots or (folder,), resolves)
        try:
            yield LspEditor(client)
            told = client.log_messages
            faults = [one.message for one in told if one.type == lsp.MessageType.Error]
            assert not faults, faults[0]
        finally:
            async with asyncio.timeout(PATIENCE):
                await client.shutdown_session()


@asynccontextmanager
async def _served_apart() -> AsyncIterator[ScreenlessClient]:
    client = ScreenlessClient()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    await client.start_io(sys.executable, "-m", "ruleloom", "lsp", env=environment)
    yield client


@asynccontextmanager
async def _served_beside() -> AsyncIterator[ScreenlessClient]:
    """A client of a server in a thread, over a connection that nobody else sees."""
    client, (ours, theirs) = ScreenlessClient(), socket.socketpair()
    serving = threading.Thread(target=_serve, args=(make_server(Workspace(EDITING)), theirs))
    serving.start()
    reader, writer = await asyncio.open_connection(sock=ours)
    client.protocol.set_writer(writer)
    log = logging.getLogger(__name__)
    hearing = run_async(threading.Event(), reader, client.protocol, log, client.report_server_error)
    heard = asyncio.create_task(hearing)
    try:
        yield client
    finally:
        writer.close()
        await heard
        await asyncio.to_thread(_wait_for, serving)


def _serve(server: RuleloomServer, theirs: socket.socket) -> None:
    """Serve one client as `ruleloom lsp` does on standard input and output."""
    with closing(theirs):
        server.start_io(theirs.makefile("rb"), theirs.makefile("wb"))
        server.session.stop(waits=True)  # the next server shares its compiler


def _wait_for(serving: threading.Thread) -> None:
    """Wait until a server is done."""
    serving.join(PATIENCE)
    assert not serving.is_alive()


async def _greet(
    client: ScreenlessClient, folder: Path, roots: Sequence[Path], resolves: bool
) -> None:
    """Begin a session, and say what this editor can do."""
    item = lsp.ClientCompletionItemOptions(snippet_support=True)
    completion = lsp.CompletionClientCapabilities(completion_item=item)
    if resolves:
        item.resolve_support = lsp.ClientCompletionItemResolveOptions(["documentation"])
        completion.completion_list = lsp.CompletionListCapabilities(["editRange"])
    documents = lsp.TextDocumentClientCapabilities(completion=completion)
    capabilities = lsp.ClientCapabilities(text_document=documents)
    root = folder.resolve().as_uri()
    folders = [lsp.WorkspaceFolder(one.resolve().as_uri(), one.name) for one in roots]
    await client.initialize_session(
        lsp.InitializeParams(capabilities=capabilities, root_uri=root, workspace_folders=folders)
    )
