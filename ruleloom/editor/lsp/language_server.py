"""The server: which requests and notices of a client are heard, and who answers them.

It reads and writes its two streams, or one connection on the loopback address, and nothing else.
"""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import Awaitable, Callable
from contextlib import redirect_stdout
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from ruleloom.api.version import version_text
from ruleloom.editor.lsp.beside import LEGEND, Beside
from ruleloom.editor.lsp.conversions import by_file, diagnostic, shown_lines
from ruleloom.editor.lsp.documents import ZIP_SCHEME
from ruleloom.editor.lsp.editor_session import DocumentPlace, EditorSession
from ruleloom.editor.lsp.features import TRIGGERS, Features, RefusedRequest
from ruleloom.editor.lsp.positions import TextLines
from ruleloom.editor.names.navigation import references
from ruleloom.editor.reading.annotations import EXPLAIN, RUN, STEP, USES
from ruleloom.editor.snapshot import Snapshot
from ruleloom.editor.workspace import PackGroup, Workspace
from ruleloom.editor.writing.new_case import WRITE_CASE

HOST = "127.0.0.1"
TURN = 0.001
"""Seconds after which the thread that compiles gives way to the one that answers."""


class RuleloomServer(LanguageServer):
    """A language server for packs."""

    def __init__(self, workspace: Workspace | None = None) -> None:
        super().__init__("ruleloom", version_text())
        self.session = EditorSession(self.publish, self.report, workspace)
        self.features = Features(self, self.session)
        self.beside = Beside(self, self.session)
        self._told: dict[PackGroup, dict[str, list[lsp.Diagnostic]]] = {}

    def publish(self, group: PackGroup, snapshot: Snapshot) -> None:
        """Show the findings about some packs, and take back those of files that have none now."""
        documents = self.session.documents
        lines = shown_lines(snapshot, self.session.workspace.texts)
        found = by_file(snapshot.findings, snapshot)
        known = dict(self._told.get(group, {}))
        shown = self.session.shown_for(group)
        for path in (*known, *self.session.workspace.open_groups().get(group, ()), *shown):
            found.setdefault(path, [])
        for path, many in found.items():
            own = TextLines(self.session.workspace.texts.get(path, ""))
            beside = [one.diagnostic(own) for one in shown.get(path, ())]
            told = [*(diagnostic(one, snapshot, documents, lines) for one in many), *beside]
            if path not in documents.versions and told == known.get(path, []):
                continue
            version = documents.versions.get(path)
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(documents.uri(path), told, version)
            )
            known[path] = told
        self._told[group] = {path: told for path, told in known.items() if told}

    def report(self, fault: BaseException) -> None:
        """Write a fault of ours to the client's log."""
        told = "".join(traceback.format_exception(fault))
        self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, told))


def make_server(workspace: Workspace | None = None) -> RuleloomServer:
    """A server with all its features; a `workspace` of one's own says what is checked together."""
    server = RuleloomServer(workspace)
    _hear_documents(server)
    _hear_writing(server)
    _hear_reading(server)
    _hear_beside(server)
    return server


def _hear_documents(server: RuleloomServer) -> None:
    session = server.session

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        path = session.documents.open(params.text_document)
        session.changed(path, 0)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        session.changed(session.documents.change(params.text_document, params.content_changes))

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        session.changed_on_disk()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        path = session.documents.close(params.text_document.uri)
        session.changed(path)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def watched(params: lsp.DidChangeWatchedFilesParams) -> None:
        session.changed_on_disk()

    @server.feature(lsp.SHUTDOWN)
    def stopped(_params: None) -> None:
        session.stop()


Handler = Callable[[DocumentPlace, Any], Awaitable[object]]
# The requests that wait until the texts as they are now have been compiled.
SETTLED = (
    lsp.TEXT_DOCUMENT_CODE_ACTION,
    lsp.TEXT_DOCUMENT_PREPARE_RENAME,
    lsp.TEXT_DOCUMENT_RENAME,
)


def _answer(server: RuleloomServer, method: str, handler: Handler, options: object = None) -> None:
    """Answer a request about a document; None in a file of no pack."""

    @server.feature(method, options)
    async def answered(params: Any) -> object:
        at = await server.session.place(params, settled=method in SETTLED)
        return await handler(at, params) if at is not None else None


def _hear_writing(server: RuleloomServer) -> None:
    features = server.features
    completion = lsp.CompletionOptions(trigger_characters=TRIGGERS, resolve_provider=True)
    calls = lsp.SignatureHelpOptions(trigger_characters=["(", ","])
    on_type = lsp.DocumentOnTypeFormattingOptions(first_trigger_character="\n")
    kinds = [
        lsp.CodeActionKind.QuickFix,
        lsp.CodeActionKind.SourceFixAll,
        lsp.CodeActionKind.Refactor,
    ]
    actions = lsp.CodeActionOptions(code_action_kinds=kinds)
    renaming = lsp.RenameOptions(prepare_provider=True)
    for method, handler, options in (
        (lsp.TEXT_DOCUMENT_COMPLETION, features.completion, completion),
        (lsp.TEXT_DOCUMENT_SIGNATURE_HELP, features.signature_help, calls),
        (lsp.TEXT_DOCUMENT_FORMATTING, features.formatting, None),
        (lsp.TEXT_DOCUMENT_ON_TYPE_FORMATTING, features.on_type, on_type),
        (lsp.TEXT_DOCUMENT_CODE_ACTION, features.code_action, actions),
        (lsp.TEXT_DOCUMENT_PREPARE_RENAME, features.prepare_rename, None),
        (lsp.TEXT_DOCUMENT_RENAME, features.rename, renaming),
    ):
        _answer(server, method, handler, options)

    @server.feature(lsp.COMPLETION_ITEM_RESOLVE)
    async def resolve(item: lsp.CompletionItem) -> lsp.CompletionItem:
        return features.resolve(item)


def _hear_reading(server: RuleloomServer) -> None:
    features = server.features
    for method, handler in (
        (lsp.TEXT_DOCUMENT_HOVER, features.hover),
        (lsp.TEXT_DOCUMENT_DEFINITION, features.definition),
        (lsp.TEXT_DOCUMENT_REFERENCES, features.references),
        (lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, features.highlight),
        (lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, features.document_symbol),
        (lsp.TEXT_DOCUMENT_FOLDING_RANGE, features.folding),
        (lsp.TEXT_DOCUMENT_SELECTION_RANGE, features.selection),
    ):
        _answer(server, method, handler)

    @server.feature(lsp.WORKSPACE_SYMBOL)
    async def symbols(params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        return features.workspace_symbol(params)


def _hear_beside(server: RuleloomServer) -> None:
    beside = server.beside
    zips = lsp.TextDocumentContentOptions(schemes=[ZIP_SCHEME])
    for method, handler, options in (
        (lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, beside.semantic_tokens, LEGEND),
        (lsp.TEXT_DOCUMENT_INLAY_HINT, beside.inlay_hints, None),
        (lsp.TEXT_DOCUMENT_CODE_LENS, beside.code_lenses, lsp.CodeLensOptions()),
        (lsp.TEXT_DOCUMENT_DOCUMENT_LINK, beside.links, lsp.DocumentLinkOptions()),
    ):
        _answer(server, method, handler, options)

    @server.feature(lsp.WORKSPACE_TEXT_DOCUMENT_CONTENT, zips)
    async def content(params: lsp.TextDocumentContentParams) -> lsp.TextDocumentContentResult:
        return beside.zip_content(params)

    @server.command(RUN)
    async def run(path: str, case: str | None = None) -> str:
        return await beside.run(path, case)

    @server.command(STEP)
    async def step(path: str, case: str) -> str:
        return await beside.step(path, case)

    @server.command(EXPLAIN)
    async def explain(path: str, id: str) -> str:
        return await beside.explain(path, id)

    @server.command(USES)
    async def uses(path: str, offset: int) -> list[lsp.Location]:
        project = await server.session.project(path)
        if project is None:
            return []
        return server.features.locations(project, references(project, path, offset, declared=False))

    @server.command(WRITE_CASE)
    async def write_case(path: str, id: str) -> str:
        return await beside.write_case(path, id)


def _is_fault(record: logging.LogRecord) -> bool:
    """Is a line of pygls' log about a fault, and not about a request that was refused?"""
    raised = record.exc_info[1] if record.exc_info else None
    return not isinstance(raised, RefusedRequest)


def serve(port: int | None) -> None:
    """Serve one client: on standard input and output, or on a port of the loopback address."""
    logging.basicConfig(level=logging.ERROR)
    # The answer has the reason; pygls would write a traceback besides.
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_fault)
    server = make_server()
    sys.setswitchinterval(TURN)
    server.session.collector.start()
    if port is None:
        # Copies, which the server closes at the end; what anybody prints goes elsewhere.
        reads, writes = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        with redirect_stdout(sys.stderr):
            server.start_io(reads, writes)
    else:
        server.start_tcp(HOST, port)
