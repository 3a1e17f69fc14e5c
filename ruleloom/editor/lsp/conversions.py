"""The answers of the editor package as types of the protocol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lsprotocol import types as lsp

from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.source.file import Place
from ruleloom.editor.lsp.documents import Documents
from ruleloom.editor.lsp.positions import TextLines
from ruleloom.editor.names.navigation import Spot
from ruleloom.editor.names.rename import FileEdits
from ruleloom.editor.reading.outline import Symbol
from ruleloom.editor.snapshot import Snapshot
from ruleloom.runtime.dataclass import dataclass

SOURCE = "ruleloom"
SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "information": lsp.DiagnosticSeverity.Information,
}
UNNECESSARY = frozenset(["unused-name", "unused-item", "unreachable"])
SYMBOLS: Mapping[str, lsp.SymbolKind] = {
    "power": lsp.SymbolKind.Function,
    "measure": lsp.SymbolKind.Function,
    "rule": lsp.SymbolKind.Function,
    "stat": lsp.SymbolKind.Property,
    "setting": lsp.SymbolKind.Constant,
    "switch": lsp.SymbolKind.Constant,
    "trigger": lsp.SymbolKind.Event,
    "vocabulary": lsp.SymbolKind.Namespace,
    "pack": lsp.SymbolKind.Package,
    "case": lsp.SymbolKind.Method,
    "flow": lsp.SymbolKind.Function,
    "operations": lsp.SymbolKind.Function,
    "queries": lsp.SymbolKind.Function,
    "entities": lsp.SymbolKind.Class,
    "enums": lsp.SymbolKind.Enum,
}


def place_range(lines: TextLines, place: Place) -> lsp.Range:
    """The range of a place; of an empty one, the sign behind it."""
    start = lines.place(place.line, place.column)
    end = lines.place(place.end_line, place.end_column)
    if start == end and lines.text[end : end + 1] not in ("", "\n"):
        end += 1
    return lines.range(start, end)


def diagnostic(
    found: Diagnostic, snapshot: Snapshot, documents: Documents, lines: Mapping[str, TextLines]
) -> lsp.Diagnostic:
    """A finding; `lines` are those of each file, by the path that is shown."""
    help = f"\nhelp: {found.help}" if found.help else ""
    related = [
        lsp.DiagnosticRelatedInformation(
            lsp.Location(
                documents.uri(snapshot.real_path(note.place.path)),
                place_range(lines[note.place.path], note.place),
            ),
            note.message,
        )
        for note in found.notes
        if note.place.path in lines
    ]
    told = "".join(f"\nnote: {note.message}" for note in found.notes)
    return lsp.Diagnostic(
        range=place_range(lines[found.place.path], found.place),
        message=f"{found.message}{help}{told if not related else ''}",
        severity=SEVERITIES[found.severity],
        code=found.code,
        source=SOURCE,
        related_information=related or None,
        tags=[lsp.DiagnosticTag.Unnecessary] if found.code in UNNECESSARY else None,
    )


def document_symbol(one: Symbol, lines: TextLines) -> lsp.DocumentSymbol:
    """An item, with its parts."""
    end = max(one.end, one.name_end)
    return lsp.DocumentSymbol(
        name=one.name or "item",
        kind=SYMBOLS.get(one.sort, lsp.SymbolKind.Object),
        range=lines.range(min(one.start, one.name_start), end),
        selection_range=lines.range(one.name_start, one.name_end),
        detail=one.detail,
        children=[document_symbol(inner, lines) for inner in one.inner] or None,
    )


def location(spot: Spot, text: str, documents: Documents) -> lsp.Location:
    """A stretch of a file."""
    return lsp.Location(documents.uri(spot.path), TextLines(text).range(spot.start, spot.end))


def workspace_edit(
    edits: FileEdits, texts: Mapping[str, str], documents: Documents
) -> lsp.WorkspaceEdit:
    """Edits of files, in the versions that are open; files that are not there are made."""
    changes: list[lsp.TextDocumentEdit | lsp.CreateFile | lsp.RenameFile | lsp.DeleteFile] = []
    for path, many in edits.items():
        uri, lines = documents.uri(path), TextLines(texts.get(path, ""))
        if path not in texts:
            options = lsp.CreateFileOptions(overwrite=False, ignore_if_exists=True)
            changes.append(lsp.CreateFile(uri=uri, options=options))
        version = documents.versions.get(path)
        named = lsp.OptionalVersionedTextDocumentIdentifier(uri=uri, version=version)
        made = [lsp.TextEdit(lines.range(one.start, one.end), one.text) for one in many]
        changes.append(lsp.TextDocumentEdit(named, made))
    return lsp.WorkspaceEdit(document_changes=changes)


def shown_lines(snapshot: Snapshot, texts: Mapping[str, str]) -> dict[str, TextLines]:
    """The lines of every file that findings speak of, by how it is shown."""
    sources = snapshot.result.sources
    speaking = {one.place.path for one in snapshot.findings}
    speaking |= {note.place.path for one in snapshot.findings for note in one.notes}
    return {
        shown: TextLines(sources.get(shown) or texts.get(snapshot.real_path(shown), ""))
        for shown in speaking
    }


def by_file(found: Iterable[Diagnostic], snapshot: Snapshot) -> dict[str, list[Diagnostic]]:
    """Findings by the real path of their file."""
    files: dict[str, list[Diagnostic]] = {}
    for one in found:
        files.setdefault(snapshot.real_path(one.place.path), []).append(one)
    return files


@dataclass(frozen=True, slots=True)
class Shown:
    """A result of a command, shown beside findings: its stretch of a file, and its severity."""

    start: int
    end: int
    message: str
    severity: lsp.DiagnosticSeverity
    code: str

    def diagnostic(self, lines: TextLines) -> lsp.Diagnostic:
        """The finding for a client."""
        where = lines.range(self.start, self.end)
        return lsp.Diagnostic(where, self.message, self.severity, self.code, source=SOURCE)
