"""What a client has open: texts, their URIs and positions, and findings as it takes them.

Positions of the protocol are lines and UTF-16 units from 0. Only line feeds end a line, as in the
compiler; texts are kept with line feeds alone, and editors add carriage returns by themselves. A
position behind the end of its line is at its end, one behind the last line at the end of the text.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import accumulate
from urllib.parse import quote, unquote, urlsplit

from lsprotocol import types as lsp
from pygls.uris import from_fs_path, to_fs_path

from ruleloom.compiler.analysis.analysis import IN_ZIP
from ruleloom.compiler.analysis.texts import FileEdits, line_end
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.source.file import Place
from ruleloom.editor.workspace import Snapshot
from ruleloom.runtime.dataclass import dataclass

WIDE = 0xFFFF
ZIP_SCHEME = "ruleloom-zip"
UNTITLED = "/untitled"
SOURCE = "ruleloom"
UNNECESSARY = frozenset(["unused-name", "unused-item", "unreachable"])


class TextLines:
    """The lines of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        lengths = (len(line) + 1 for line in text.split("\n")[:-1])
        self._starts: Sequence[int] = list(accumulate(lengths, initial=0))

    def offset(self, position: lsp.Position) -> int:
        """The offset of a position."""
        if position.line >= len(self._starts):
            return len(self.text)
        start = self._starts[max(position.line, 0)]
        line = self.text[start : line_end(self.text, start)]
        units = 0
        for number, sign in enumerate(line):
            if units >= position.character:
                return start + number
            units += 2 if ord(sign) > WIDE else 1
        return start + len(line)

    def position(self, offset: int) -> lsp.Position:
        """The position of an offset."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, offset) - 1
        before = self.text[self._starts[line] : offset]
        return lsp.Position(line, len(before) + sum(ord(sign) > WIDE for sign in before))

    def range(self, start: int, end: int) -> lsp.Range:
        """The range from one offset to another."""
        return lsp.Range(self.position(start), self.position(end))

    def range_of(self, place: Place) -> lsp.Range:
        """The range of a place; of an empty one, the sign behind it."""
        start, end = self._at(place.line, place.column), self._at(place.end_line, place.end_column)
        if start == end and self.text[end : end + 1] not in ("", "\n"):
            end += 1
        return self.range(start, end)

    def _at(self, line: int, column: int) -> int:
        """The offset of a line and a column of characters, both from 1."""
        if line > len(self._starts):
            return len(self.text)
        start = self._starts[max(line, 1) - 1]
        return min(start + column - 1, line_end(self.text, start))

    def finding(
        self, start: int, end: int, message: str, severity: lsp.DiagnosticSeverity, code: str
    ) -> lsp.Diagnostic:
        """What a command has found out, to be shown beside findings."""
        return lsp.Diagnostic(self.range(start, end), message, severity, code, source=SOURCE)


def changed(text: str, changes: Sequence[lsp.TextDocumentContentChangeEvent]) -> str:
    """A text after changes, one after the other."""
    for change in changes:
        if isinstance(change, lsp.TextDocumentContentChangePartial):
            lines = TextLines(text)
            start, end = lines.offset(change.range.start), lines.offset(change.range.end)
            text = text[:start] + change.text + text[max(start, end) :]
        else:
            text = change.text
    return text


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

    def edit(self, edits: FileEdits, texts: Mapping[str, str]) -> lsp.WorkspaceEdit:
        """Edits of files, in the versions that are open; files that are not in `texts` are made."""
        changes: list[lsp.TextDocumentEdit | lsp.CreateFile | lsp.RenameFile | lsp.DeleteFile] = []
        for path, many in edits.items():
            uri, lines = self.uri(path), TextLines(texts.get(path, ""))
            if path not in texts:
                options = lsp.CreateFileOptions(overwrite=False, ignore_if_exists=True)
                changes.append(lsp.CreateFile(uri=uri, options=options))
            version = self.versions.get(path)
            named = lsp.OptionalVersionedTextDocumentIdentifier(uri=uri, version=version)
            made = [lsp.TextEdit(lines.range(one.start, one.end), one.text) for one in many]
            changes.append(lsp.TextDocumentEdit(named, made))
        return lsp.WorkspaceEdit(document_changes=changes)

    def diagnostics(
        self, found: Sequence[Diagnostic], snapshot: Snapshot
    ) -> Iterator[tuple[str, lsp.Diagnostic]]:
        """Findings as the client takes them, each with the real path of its file."""
        sources, lines = snapshot.result.sources, dict[str, TextLines]()
        places = [
            place for one in found for place in (one.place, *(note.place for note in one.notes))
        ]
        for shown in dict.fromkeys(place.path for place in places):
            text = sources.get(shown) or self.texts.get(snapshot.real_path(shown), "")
            lines[shown] = TextLines(text)
        for one in found:
            help = f"\nhelp: {one.help}" if one.help else ""
            related = [
                lsp.DiagnosticRelatedInformation(
                    lsp.Location(
                        self.uri(snapshot.real_path(note.place.path)),
                        lines[note.place.path].range_of(note.place),
                    ),
                    note.message,
                )
                for note in one.notes
            ]
            yield (
                snapshot.real_path(one.place.path),
                lsp.Diagnostic(
                    range=lines[one.place.path].range_of(one.place),
                    message=f"{one.message}{help}",
                    severity=lsp.DiagnosticSeverity[one.severity.capitalize()],
                    code=one.code,
                    source=SOURCE,
                    related_information=related or None,
                    tags=[lsp.DiagnosticTag.Unnecessary] if one.code in UNNECESSARY else None,
                ),
            )


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
