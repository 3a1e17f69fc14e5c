"""The editor's model of packs: queries by path and offset, and the client's open documents with their
URIs, positions and diagnostics.

A file belongs to the pack whose folder contains it. A `ruleloom.toml` in that folder or above may
group packs that are checked together:

    reference = "site"

    [[together]]
    packs = ["house-rules", "campaign"]

`reference` locates the reference of the game that `ruleloom docs` writes: a folder relative to the
TOML file, or a URL. A file in no pack is treated as part of the game whose kinds it uses.

A `Project` belongs to one state of the packs and caches its results. Texts are the editor's open ones,
else the compiled ones; names come from the last sound state where the current one has errors, so that
an unfinished line loses nothing. Protocol positions are zero-based lines and UTF-16 code units. Only
line feeds end a line, as in the compiler; texts are stored with line feeds only, and editors restore
carriage returns themselves. A position past the end of its line is clamped to that end, one past the
last line to the end of the text.
"""

from __future__ import annotations

import os
import re
import tomllib
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache, cached_property
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

from lsprotocol import types as lsp
from pygls.uris import from_fs_path, to_fs_path

from ruleloom.api.making import findings_of
from ruleloom.api.missing_driver import with_driver
from ruleloom.api.requirements import with_requirements
from ruleloom.compiler.analysis.analysis import (
    IN_ZIP,
    GameAnalysis,
    Occurrence,
    SourceFile,
    real_paths,
)
from ruleloom.compiler.analysis.effect_cursor import effect_cursor
from ruleloom.compiler.analysis.yaml_cursor import FileEdits, line_end, yaml_cursor
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.diagnostics.told import suppress
from ruleloom.compiler.packs.content import BETWEEN, COMMON_KINDS, Change, Content, Item
from ruleloom.compiler.packs.locate import BUILTIN, MAX_CLIMB, SCHEMAS, shipped_packs
from ruleloom.compiler.packs.walk import ENDINGS, MANIFEST
from ruleloom.compiler.pipeline import SHARED, Compiler, CompileResult
from ruleloom.compiler.resolve.embedded import Meaning
from ruleloom.compiler.schema.registry import schemas_of
from ruleloom.compiler.source.file import Place
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.values import Type


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Two states of some packs: `result` is the current one, `kept` the last sound one."""

    result: CompileResult
    kept: GameAnalysis

    @classmethod
    def after(cls, result: CompileResult, before: Snapshot | None) -> Snapshot | None:
        """The next snapshot; None before any readable content."""
        if result.content is None:
            return None if before is None else cls(result, before.kept)
        if result.program is None and before is not None and before.kept.program is not None:
            return cls(result, before.kept)
        return cls(result, GameAnalysis(result.content, result.program, result.uses))

    @cached_property
    def findings(self) -> tuple[Diagnostic, ...]:
        """The findings and infos of `ruleloom check`, in its order."""
        return tuple(suppress(findings_of(self.result).diagnostics, dict(self.result.sources)))

    @cached_property
    def files(self) -> Mapping[str, str]:
        """The real path of each file, by shown path; `ZIP!/NAME` for one in a zip.

        Includes a new file that has had errors since its creation.
        """
        new = self.now.files.keys() - self.kept.files.keys()
        return {**self.kept.files, **dict(real_paths(self.now, new))} if new else self.kept.files

    @cached_property
    def shown(self) -> Mapping[str, str]:
        """Each file's shown path, by real path."""
        if self.files is self.kept.files:
            return self.kept.shown
        return {path: shown for shown, path in self.files.items()}

    @cached_property
    def states(self) -> tuple[GameAnalysis, ...]:
        """The states that resolve names: the current one, then the last sound one."""
        result, kept = self.result, self.kept
        if result.content is None or result.content is kept.content:
            return (kept,)
        return GameAnalysis(result.content, None, result.uses), kept

    @property
    def now(self) -> Content:
        """The current content, else the last sound one."""
        return self.result.content or self.kept.content

    def real_path(self, shown: str) -> str:
        """The real path of a file, by its shown path."""
        loose = shown if os.path.lexists(shown) else BUILTIN / shown
        return self.files.get(shown) or os.path.realpath(loose)

    def text_of(self, path: str) -> str | None:
        """The compiled text of a file."""
        return self.result.sources.get(self.shown.get(path, ""))


def unread(result: CompileResult) -> Snapshot:
    """The snapshot of packs that could never be read, with findings alone."""
    return Snapshot(result, GameAnalysis(Content("", (), (), {}, {}, {}, {}), None))


TABLE = "ruleloom.toml"
KIND_LINE = re.compile(r"(?:^|[{,])[ \t-]*kind:[ \t]*([a-z][a-z0-9_-]*)", re.MULTILINE)
LARGEST_TABLE = 65_536


class PackGroup(NamedTuple):
    """Packs checked together, and loose files."""

    packs: tuple[str, ...]
    loose: tuple[str, ...] = ()


@dataclass
class Workspace:
    """The open texts by real path, and the last snapshot of each group."""

    compiler: Compiler = field(default_factory=lambda: Compiler(0, uses=True, trees=SHARED.trees))
    texts: dict[str, str] = field(default_factory=dict)
    known: dict[PackGroup, Snapshot] = field(default_factory=dict)

    def group_of(self, path: str) -> PackGroup | None:
        """The group that a file is checked with; None for other files."""
        if not path.endswith(ENDINGS):
            return None
        pack = pack_above(path)
        if pack is not None:
            return PackGroup(_together(pack))
        game = game_of_text(self.texts.get(path, ""))
        return PackGroup((game,), (path,)) if game else None

    def open_groups(self) -> dict[PackGroup, list[str]]:
        """The groups of open files, each with these."""
        found: dict[PackGroup, list[str]] = {}
        for path in self.texts:
            group = self.group_of(path)
            if group is not None:
                found.setdefault(group, []).append(path)
        return found

    def groups_beside(self, group: PackGroup) -> list[PackGroup]:
        """The other groups that contain a pack of this group: by `ruleloom.toml`, or because an open
        pack requires it."""
        rows = [
            PackGroup(packs) for pack in group.packs for packs in _tables(pack) if pack in packs
        ]
        needing = [
            other
            for other, snapshot in self.known.items()
            if any(
                os.path.realpath(one.folder) in group.packs for one in snapshot.kept.content.packs
            )
        ]
        return [one for one in dict.fromkeys([*rows, *needing]) if one != group]

    def compiled(
        self,
        group: PackGroup,
        texts: Mapping[str, str] | None = None,
        reasons: bool = False,
        rules: bool = False,
        wanted: Callable[[], bool] | None = None,
    ) -> CompileResult:
        """The compilation of a group with the open texts or the given `texts`; optionally with the
        `reasons` of refusals, which only cases need, or the texts of the `rules`.

        Raises Stopped once `wanted` returns False.
        """
        unsaved = dict(self.texts if texts is None else texts)
        result = self.compiler.compile(
            group.packs,
            reasons=reasons,
            texts=rules,
            loose=group.loose,
            unsaved=unsaved,
            wanted=wanted,
        )
        return with_requirements(with_driver(result))

    def check(self, group: PackGroup) -> Snapshot | None:
        """Recompile a group and store its snapshot."""
        return self.keep(group, self.compiled(group))

    def keep(self, group: PackGroup, result: CompileResult) -> Snapshot | None:
        """Store a result."""
        snapshot = Snapshot.after(result, self.known.get(group))
        if snapshot is not None:
            self.known[group] = snapshot
        return snapshot


def pack_above(path: str) -> str | None:
    """The folder of the pack around a file."""
    for folder in list(Path(path).parents)[:MAX_CLIMB]:
        if (folder / MANIFEST).is_file():
            return str(folder)
    return None


def _together(pack: str) -> tuple[str, ...]:
    """The packs checked with a pack, itself included: the first matching row of its table."""
    return next((packs for packs in _tables(pack) if pack in packs), (pack,))


def _tables(pack: str) -> Iterator[tuple[str, ...]]:
    """The packs of each `[[together]]` in the nearest `ruleloom.toml`, as real paths."""
    folder, data = _table_above(pack)
    rows = data.get("together")
    for row in rows if isinstance(rows, list) else []:
        packs = row.get("packs") if isinstance(row, dict) else None
        if isinstance(packs, list):
            yield tuple(os.path.realpath(folder / str(pack)) for pack in packs)


def reference_of(pack: str) -> str:
    """The URL of the reference in the `ruleloom.toml` nearest to a pack; empty without one."""
    folder, data = _table_above(pack)
    said = data.get("reference")
    if not isinstance(said, str) or not said:
        return ""
    return said if said.startswith(("https://", "http://")) else (folder / said).as_uri()


def _table_above(pack: str) -> tuple[Path, Mapping[str, object]]:
    """The folder and data of the `ruleloom.toml` nearest to a pack; no data if it is missing or
    unreadable."""
    for folder in [Path(pack), *Path(pack).parents][:MAX_CLIMB]:
        if (folder / TABLE).is_file():
            try:
                with (folder / TABLE).open("rb") as file:
                    return folder, tomllib.loads(file.read(LARGEST_TABLE).decode())
            except (OSError, ValueError):
                break
    return Path(pack), {}


def game_of_text(text: str) -> str | None:
    """The shipped game whose kinds a text uses most; None without any."""
    used = Counter(KIND_LINE.findall(text))
    if not used:
        return None
    scores = {game: sum(used[kind] for kind in own) for game, own in _own_kinds().items()}
    best = max(scores, key=lambda game: scores[game], default=None)
    return best if best is not None and (scores[best] or used.keys() & {*COMMON_KINDS}) else None


@cache
def _own_kinds() -> Mapping[str, frozenset[str]]:
    """Each shipped game's own kinds."""
    common = frozenset(schemas_of(SCHEMAS).kinds)
    games = [game for game in shipped_packs(BUILTIN) if (SCHEMAS / game).is_dir()]
    return {game: frozenset(schemas_of(SCHEMAS, game).kinds) - common for game in games}


WIDE = 0xFFFF
ZIP_SCHEME = "ruleloom-zip"
UNTITLED = "/untitled"
SOURCE = "ruleloom"
SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "info": lsp.DiagnosticSeverity.Information,
}
UNNECESSARY = frozenset(["unused-name", "unused-item", "unreachable"])


class TextLines:
    """A text's lines."""

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
        """The range of a place; at least one character."""
        start, end = self._at(place.line, place.column), self._at(place.end_line, place.end_column)
        if start == end and self.text[end : end + 1] not in ("", "\n"):
            end += 1
        return self.range(start, end)

    def _at(self, line: int, column: int) -> int:
        """The offset of a line and character column, both from 1."""
        if line > len(self._starts):
            return len(self.text)
        start = self._starts[max(line, 1) - 1]
        return min(start + column - 1, line_end(self.text, start))

    def finding(
        self, start: int, end: int, message: str, severity: lsp.DiagnosticSeverity, code: str
    ) -> lsp.Diagnostic:
        """A diagnostic that carries the result of a command."""
        return lsp.Diagnostic(self.range(start, end), message, severity, code, source=SOURCE)


def changed(text: str, changes: Sequence[lsp.TextDocumentContentChangeEvent]) -> str:
    """A text after a sequence of changes."""
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
    """The open documents by real path: text, version and the client's URI."""

    texts: dict[str, str]
    uris: dict[str, str] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)

    def open(self, document: lsp.TextDocumentItem) -> str:
        """Open a document; return its path."""
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
        """Close a document; return its path."""
        path = path_of(uri)
        self.texts.pop(path, None)
        self.versions.pop(path, None)
        return path

    def clear(self) -> None:
        """Close all documents."""
        for all in (self.texts, self.uris, self.versions):
            all.clear()

    def uri(self, path: str) -> str:
        """The URI of a file: the client's own if it has opened the file."""
        if path in self.uris:
            return self.uris[path]
        if IN_ZIP in path:
            return f"{ZIP_SCHEME}:{quote(path)}"
        return from_fs_path(path) or path

    def edit(self, edits: FileEdits, texts: Mapping[str, str]) -> lsp.WorkspaceEdit:
        """The workspace edit for the open versions of files; files not in `texts` are created."""
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
        """Findings as LSP diagnostics, each with the real path of its file."""
        sources = snapshot.result.sources

        @cache
        def lines(shown: str) -> TextLines:
            return TextLines(sources.get(shown) or self.texts.get(snapshot.real_path(shown), ""))

        for one in found:
            related = [
                lsp.DiagnosticRelatedInformation(
                    lsp.Location(
                        self.uri(snapshot.real_path(note.place.path)),
                        lines(note.place.path).range_of(note.place),
                    ),
                    note.message,
                )
                for note in one.notes
            ]
            help = f"\nhelp: {one.help}" if one.help else ""
            shown = lsp.Diagnostic(
                range=lines(one.place.path).range_of(one.place),
                message=f"{one.message}{help}",
                severity=SEVERITIES[one.severity],
                code=one.code,
                source=SOURCE,
                related_information=related or None,
                tags=[lsp.DiagnosticTag.Unnecessary] if one.code in UNNECESSARY else None,
            )
            yield snapshot.real_path(one.place.path), shown


def path_of(uri: str) -> str:
    """The real path of a URI; for a document without a file, a synthetic path."""
    if uri.startswith(f"{ZIP_SCHEME}:"):
        return unquote(uri.partition(":")[2])
    path = to_fs_path(uri) if urlsplit(uri).scheme in ("", "file") else None
    if path is None:
        return f"{UNTITLED}/{quote(uri, safe='')}.yaml"
    return os.path.realpath(path)


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n")


class Project:
    """One state of a group of packs, with the open texts."""

    def __init__(
        self,
        snapshot: Snapshot,
        group: PackGroup,
        texts: Mapping[str, str],
        before: Project | None = None,
    ) -> None:
        """Reuse the file analyses of the project `before` if its names are still valid."""
        self.snapshot, self.group, self.texts = snapshot, group, texts
        self._files: dict[str, SourceFile] = {}
        if before is not None and (
            before.snapshot.kept is snapshot.kept or before._declared == self._declared
        ):
            self._files = before._files

    @cached_property
    def _declared(self) -> object:
        """All declared names: if equal, unchanged files resolve equally."""
        symbols = self.snapshot.kept.symbols
        ids = frozenset(self.snapshot.kept.items)
        return ids, frozenset(symbols.places), frozenset(self.snapshot.shown)

    @property
    def paths(self) -> list[str]:
        """All packs' files."""
        return [
            *self.snapshot.shown,
            *(path for path in self.texts if path not in self.snapshot.shown),
        ]

    def text(self, path: str) -> str:
        """A file's current text."""
        found = self.texts.get(path)
        return found if found is not None else self.snapshot.text_of(path) or ""

    def lines(self, path: str) -> TextLines:
        """A file's current lines."""
        return TextLines(self.text(path))

    def names(self, path: str) -> SourceFile:
        """A file's items and names."""
        text = self.text(path)
        known = self._files.get(path)
        if known is None or known.text != text:
            shown = self.snapshot.shown.get(path, path)
            known = self._files[path] = SourceFile(self.snapshot.states, shown, text)
        return known

    def known_at(self, path: str, offset: int) -> Mapping[str, Type]:
        """The types of the variables in scope after the line of an offset, by name."""
        text = self.text(path)
        # A name bound on this line is in scope only after it.
        below = f"{text[: line_end(text, offset)]}\n{_margin_of(text, offset)}"
        cursor = effect_cursor(self.snapshot.kept.bodies, yaml_cursor(below, len(below)))
        return cursor.known.variables if cursor is not None else {}

    def everywhere(self, target: Meaning) -> Iterator[tuple[str, Occurrence]]:
        """Every occurrence of a meaning, each with its file."""
        for path in self.paths:
            if _may_name(self.text(path), target):
                for one in self.names(path).occurrences:
                    if one.meaning == target:
                        yield path, one

    @cached_property
    def uses(self) -> Mapping[Meaning, int]:
        """The number of uses of each meaning, excluding its declaration."""
        found: Counter[Meaning] = Counter()
        for path in self.paths:
            found.update(one.meaning for one in self.names(path).occurrences if not one.declares)
        return found

    def item(self, target: Meaning) -> Item | None:
        """The item meant, if any."""
        if target.table != "item":
            return None
        return self.snapshot.kept.items.get(target.name)

    def changes(self, id: str) -> list[tuple[str, Change]]:
        """The changes of an item by patches, in order, each with its field."""
        history = self.snapshot.now.history.items()
        return [(field, one) for (of, field), many in history if of == id for one in many]

    def is_known(self, path: str) -> bool:
        """Is this file known?"""
        return path in self.texts or path in self.snapshot.shown

    def is_writable(self, path: str) -> bool:
        """Is a file editable? Files in zips and in packs that are only required are not."""
        if IN_ZIP in path:
            return False
        folders = (f"{os.path.realpath(pack)}{os.sep}" for pack in self.group.packs)
        return path in self.group.loose or path.startswith(tuple(folders))


def _margin_of(text: str, offset: int) -> str:
    """The indentation of the line around an offset, plus four spaces if the line opens a block."""
    start = text.rfind("\n", 0, offset) + 1
    line = text[start:].partition("\n")[0]
    margin = line[: len(line) - len(line.lstrip(" "))]
    return f"{margin}    " if line.rstrip().endswith(":") else margin


def _may_name(text: str, target: Meaning) -> bool:
    """May a text contain the name? A cheap filter that skips most files."""
    word = target.name.rpartition("/")[2] if target.table == "item" else target.name
    word = word.rpartition(":")[2].rpartition(".")[2].rpartition(BETWEEN)[2]
    return word in text or word.replace("-", "_") in text or target.table == "item"
