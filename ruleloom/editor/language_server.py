"""The language server: its handlers for requests and notifications, and its transport.

I/O is limited to two streams, or one connection on the loopback address.
"""

from __future__ import annotations

import logging
import os
import sys
import traceback
from contextlib import redirect_stdout
from functools import partial
from inspect import isawaitable
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from ruleloom.api.version import version_text
from ruleloom.editor.editor_session import EditorSession
from ruleloom.editor.features import OPTIONS, Features, Handler, RefusedRequest
from ruleloom.editor.project import ZIP_SCHEME, PackGroup, Snapshot, Workspace

HOST = "127.0.0.1"
TURN = 0.001
"""Seconds after which the compiling thread yields to the answering one."""
# The requests that wait until the current texts are compiled.
SETTLED = (
    lsp.TEXT_DOCUMENT_CODE_ACTION,
    lsp.TEXT_DOCUMENT_PREPARE_RENAME,
    lsp.TEXT_DOCUMENT_RENAME,
)


class RuleloomServer(LanguageServer):
    """A language server for packs."""

    def __init__(
        self, workspace: Workspace | None = None, session: EditorSession | None = None
    ) -> None:
        super().__init__("ruleloom", version_text())
        self.session = session or EditorSession(self.publish, self.report, workspace)
        self.session.speak_to(self.publish, self.report)
        self.features = Features(self, self.session)
        self._told: dict[PackGroup, dict[str, list[lsp.Diagnostic]]] = {}

    def publish(self, group: PackGroup, snapshot: Snapshot) -> None:
        """Publish the diagnostics of a group, and clear files that no longer have any."""
        documents, workspace = self.session.documents, self.session.workspace
        known, shown = dict(self._told.get(group, {})), self.session.shown_for(group)
        found: dict[str, list[lsp.Diagnostic]] = {}
        for path, one in documents.diagnostics(snapshot.findings, snapshot):
            found.setdefault(path, []).append(one)
        for path in (*known, *workspace.open_groups().get(group, ()), *shown):
            found.setdefault(path, [])
        for path, many in found.items():
            told = [*many, *shown.get(path, ())]
            if path not in documents.versions and told == known.get(path, []):
                continue
            version = documents.versions.get(path)
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(documents.uri(path), told, version)
            )
            known[path] = told
        self._told[group] = {path: told for path, told in known.items() if told}

    def report(self, fault: BaseException) -> None:
        """Log an internal error at the client."""
        told = "".join(traceback.format_exception(fault))
        self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, told))


def make_server(
    workspace: Workspace | None = None, session: EditorSession | None = None
) -> RuleloomServer:
    """A server with all features; a given `workspace` decides which packs are grouped, a given
    `session` has prepared them."""
    server = RuleloomServer(workspace, session)
    features = server.features
    _hear_documents(server)
    for method, handler in features.answers.items():
        _answer(server, method, handler)
    for name, work in features.commands.items():
        server.command(name)(partial(work))
    zips = lsp.TextDocumentContentOptions(schemes=[ZIP_SCHEME])
    server.feature(lsp.COMPLETION_ITEM_RESOLVE)(partial(features.resolve))
    server.feature(lsp.WORKSPACE_SYMBOL)(partial(features.workspace_symbol))
    server.feature(lsp.WORKSPACE_TEXT_DOCUMENT_CONTENT, zips)(partial(features.zip_content))
    return server


def _hear_documents(server: RuleloomServer) -> None:
    session = server.session

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        session.changed(session.documents.open(params.text_document), 0)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        session.changed(session.documents.change(params.text_document, params.content_changes))

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        session.changed(session.documents.close(params.text_document.uri))

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def on_disk(_params: Any) -> None:
        session.changed_on_disk()

    @server.feature(lsp.SHUTDOWN)
    def stopped(_params: None) -> None:
        session.stop()


def _answer(server: RuleloomServer, method: str, handler: Handler) -> None:
    """Register a document request; None for a file in no pack."""

    @server.feature(method, OPTIONS.get(method))
    async def answered(params: Any) -> object:
        at = await server.session.place(params, settled=method in SETTLED)
        found = handler(at) if at is not None else None
        return await found if isawaitable(found) else found


def _is_fault(record: logging.LogRecord) -> bool:
    """Is a log record of pygls about an error other than a refused request?"""
    raised = record.exc_info[1] if record.exc_info else None
    return not isinstance(raised, RefusedRequest)


def serve(port: int | None) -> None:
    """Serve one client, on standard input and output or on a port of the loopback address."""
    logging.basicConfig(level=logging.ERROR)
    # The response has the reason; pygls would also log a traceback.
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_fault)
    server = make_server()
    sys.setswitchinterval(TURN)
    server.session.collector.start()
    if port is None:
        # Duplicates, which the server closes at the end; stray prints go to standard error.
        reads, writes = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        with redirect_stdout(sys.stderr):
            server.start_io(reads, writes)
    else:
        server.start_tcp(HOST, port)
