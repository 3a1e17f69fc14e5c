"""The documents that a client has open, and the URIs of all others.

Texts are kept with line feeds alone; a document with carriage returns gets them back in no edit, as
editors add them by themselves.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import field
from urllib.parse import quote, unquote, urlsplit

from lsprotocol import types as lsp
from pygls.uris import from_fs_path, to_fs_path

from ruleloom.compiler.analysis.analysis import IN_ZIP
from ruleloom.editor.lsp.positions import changed
from ruleloom.runtime.dataclass import dataclass

ZIP_SCHEME = "ruleloom-zip"
UNTITLED = "/untitled"


@dataclass
class Documents:
    """The open documents by real path: text, version and the URI that the client knows."""

    texts: dict[str, str]
    uris: dict[str, str] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)

    def open(self, document: lsp.TextDocumentItem) -> str:
        """Take in a document; return its path."""
        path = path_of(document.uri)
        self.texts[path] = _plain(document.text)
        self.uris[path], self.versions[path] = document.uri, document.version
        return path

    def change(
        self,
        document: lsp.VersionedTextDocumentIdentifier,
        changes: Sequence[lsp.TextDocumentContentChangeEvent],
    ) -> str:
        """Change a document; return its path."""
        path = path_of(document.uri)
        if path in self.texts:
            self.texts[path] = _plain(changed(self.texts[path], changes))
            self.versions[path] = document.version
        return path

    def close(self, uri: str) -> str:
        """Forget a document; return its path."""
        path = path_of(uri)
        self.texts.pop(path, None)
        self.versions.pop(path, None)
        return path

    def uri(self, path: str) -> str:
        """The URI of a file, as the client knows it if it has opened it."""
        if path in self.uris:
            return self.uris[path]
        if IN_ZIP in path:
            return f"{ZIP_SCHEME}:{quote(path)}"
        return from_fs_path(path) or path


def path_of(uri: str) -> str:
    """The real path that a URI stands for; of a text without a file, a path of its own."""
    if uri.startswith(f"{ZIP_SCHEME}:"):
        return unquote(uri.partition(":")[2])
    path = to_fs_path(uri) if urlsplit(uri).scheme in ("", "file") else None
    if path is None:
        return f"{UNTITLED}/{quote(uri, safe='')}.yaml"
    return os.path.realpath(path)


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n")
