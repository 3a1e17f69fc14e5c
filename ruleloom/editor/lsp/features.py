"""The requests of the protocol, each answered by one module of `ruleloom.editor`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.editor.completion.candidates import Completions
from ruleloom.editor.lsp.conversions import (
    SYMBOLS,
    diagnostic,
    document_symbol,
    location,
    shown_lines,
    workspace_edit,
)
from ruleloom.editor.lsp.documents import path_of
from ruleloom.editor.lsp.editor_session import EditorSession
from ruleloom.editor.lsp.offers import TakenByClient, completion, resolved
from ruleloom.editor.lsp.positions import TextLines
from ruleloom.editor.names.navigation import Spot, definitions, references
from ruleloom.editor.names.rename import FileEdits, RenameRefused, renamable, rename
from ruleloom.editor.project import Project
from ruleloom.editor.reading.hover import hover
from ruleloom.editor.reading.outline import (
    document_symbols,
    folds,
    selections,
    workspace_symbols,
)
from ruleloom.editor.reading.signature_help import signature_help
from ruleloom.editor.workspace import reference_of
from ruleloom.editor.writing.code_actions import Action, actions
from ruleloom.editor.writing.formatting import formatting, indented

MOST_SYMBOLS = 500
TRIGGERS = ["{", "(", ":", "/", ",", " ", "."]
Where = TypeVar("Where", bound=lsp.TextDocumentPositionParams)


class RefusedRequest(JsonRpcInvalidParams):
    """What was asked for is not done; the answer says why, and nothing is at fault."""


class Features:
    """Answers for one server."""

    def __init__(self, server: LanguageServer, session: EditorSession) -> None:
        self.server, self.session = server, session
        self._offered: Completions | None = None

    @property
    def texts(self) -> dict[str, str]:
        """The open texts by path."""
        return self.session.workspace.texts

    async def at(
        self, uri: str, position: lsp.Position, settled: bool = False
    ) -> tuple[Project, str, TextLines, int] | None:
        """The packs of a document, its path, its lines and an offset; None for what is not ours."""
        path = path_of(uri)
        known = self.session.settled if settled else self.session.project
        project = await known(path)
        if project is None:
            return None
        lines = TextLines(project.text(path))
        return project, path, lines, lines.offset(position)

    # ------------------------------------------------------------------ writing

    async def completion(self, params: lsp.CompletionParams) -> lsp.CompletionList | None:
        """What may be written."""
        found = await self.at(params.text_document.uri, params.position)
        if found is None:
            return None
        project, _, lines, offset = found
        self._offered = project.completer.complete(lines.text, offset)
        client = TakenByClient.of(self.server.client_capabilities)
        return completion(self._offered, lines, client)

    async def resolve(self, item: lsp.CompletionItem) -> lsp.CompletionItem:
        """What a name means that has been offered."""
        return resolved(item, self._offered)

    async def signature_help(self, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        """How what is being called is written."""
        found = await self.at(params.text_document.uri, params.position)
        help = signature_help(found[0], found[1], found[3]) if found is not None else None
        if help is None:
            return None
        information = lsp.SignatureInformation(
            label=help.label,
            documentation=help.english or None,
            parameters=[lsp.ParameterInformation(label=one) for one in help.parameters],
        )
        return lsp.SignatureHelp([information], 0, help.active)

    async def formatting(self, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        """The effect text of a document in canonical form."""
        found = await self.at(params.text_document.uri, lsp.Position(0, 0))
        if found is None:
            return None
        project, path, lines, _ = found
        return [
            lsp.TextEdit(lines.range(one.start, one.end), one.text)
            for one in formatting(project, path)
        ]

    async def on_type(
        self, params: lsp.DocumentOnTypeFormattingParams
    ) -> list[lsp.TextEdit] | None:
        """The indentation of a new line of effect text."""
        found = await self.at(params.text_document.uri, params.position)
        if found is None:
            return None
        project, path, lines, offset = found
        edit = indented(project, path, offset)
        return [lsp.TextEdit(lines.range(edit.start, edit.end), edit.text)] if edit else None

    async def code_action(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction] | None:
        """What can be done about a range."""
        found = await self.at(params.text_document.uri, params.range.start, settled=True)
        if found is None:
            return None
        project, path, lines, start = found
        end = lines.offset(params.range.end)
        about = self._findings(project, path, lines, start, end)
        wanted = params.context.only
        return [
            self._action(one, project)
            for one in actions(project, path, start, end, about)
            if wanted is None or any(one.kind.startswith(kind) for kind in wanted)
        ]

    def _findings(
        self, project: Project, path: str, lines: TextLines, start: int, end: int
    ) -> list[Diagnostic]:
        """The findings that touch a stretch of a file, or stand on its lines."""
        shown = project.snapshot.shown.get(path, path)
        first = lines.position(start).line + 1
        last = lines.position(end).line + 1
        return [
            one
            for one in project.snapshot.findings
            if one.place.path == shown and one.place.line <= last and first <= one.place.end_line
        ]

    def _action(self, action: Action, project: Project) -> lsp.CodeAction:
        snapshot = project.snapshot
        mended = None
        if action.mends is not None:
            lines = shown_lines(snapshot, self.texts)
            mended = [diagnostic(action.mends, snapshot, self.session.documents, lines)]
        return lsp.CodeAction(
            title=action.title,
            kind=lsp.CodeActionKind(action.kind),
            diagnostics=mended,
            is_preferred=action.is_preferred or None,
            edit=self.edit(action.edits, project) if action.edits else None,
            command=(
                lsp.Command(
                    title=action.title,
                    command=action.command[0],
                    arguments=list(action.command[1]),
                )
                if action.command is not None
                else None
            ),
        )

    def edit(self, edits: FileEdits, project: Project) -> lsp.WorkspaceEdit:
        """FileEdits of files as the client takes them."""
        texts = {path: project.text(path) for path in edits if project.is_known(path)}
        return workspace_edit(edits, texts, self.session.documents, creates=True)

    async def prepare_rename(
        self, params: lsp.PrepareRenameParams
    ) -> lsp.PrepareRenamePlaceholder | None:
        """The name that can be renamed here."""
        found = await self.at(params.text_document.uri, params.position, settled=True)
        if found is None:
            return None
        project, path, lines, offset = found
        try:
            name = renamable(project, path, offset)
        except RenameRefused as refused:
            raise RefusedRequest(str(refused)) from None
        written = lines.text[name.start : name.end]
        start = name.start + len(written) - len(written.rpartition("/")[2])
        return lsp.PrepareRenamePlaceholder(
            lines.range(start, name.end), lines.text[start : name.end]
        )

    async def rename(self, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        """Another name, everywhere."""
        found = await self.at(params.text_document.uri, params.position, settled=True)
        if found is None:
            return None
        project, path, _, offset = found
        try:
            edits = await self.session.in_worker(
                lambda: rename(self.session.workspace, project, path, offset, params.new_name)
            )
        except RenameRefused as refused:
            raise RefusedRequest(str(refused)) from None
        return self.edit(edits, project)

    # ------------------------------------------------------------------ reading

    async def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        """What there is to say about a word."""
        found = await self.at(params.text_document.uri, params.position)
        if found is None:
            return None
        project, path, lines, offset = found
        texts = await self.session.rules_texts(path)
        told = hover(project, path, offset, texts, reference_of(project.group.packs[0]))
        if told is None:
            return None
        content = lsp.MarkupContent(lsp.MarkupKind.Markdown, told.markdown)
        return lsp.Hover(content, lines.range(told.start, told.end))

    async def definition(self, params: lsp.DefinitionParams) -> list[lsp.Location] | None:
        """Where a name is declared."""
        found = await self.at(params.text_document.uri, params.position)
        if found is None:
            return None
        project, path, _, offset = found
        return self._locations(project, definitions(project, path, offset))

    async def references(self, params: lsp.ReferenceParams) -> list[lsp.Location] | None:
        """Where a name is used."""
        found = await self.at(params.text_document.uri, params.position)
        if found is None:
            return None
        project, path, _, offset = found
        declared = params.context.include_declaration
        return self._locations(project, references(project, path, offset, declared))

    async def highlight(
        self, params: lsp.DocumentHighlightParams
    ) -> list[lsp.DocumentHighlight] | None:
        """Where the name under the cursor stands in its file."""
        found = await self.at(params.text_document.uri, params.position)
        if found is None:
            return None
        project, path, lines, offset = found
        name = project.names(path).at(offset)
        if name is None:
            return None
        return [
            lsp.DocumentHighlight(lines.range(one.start, one.end))
            for one in project.names(path).occurrences
            if one.meaning == name.meaning
        ]

    def _locations(self, project: Project, spots: Sequence[Spot]) -> list[lsp.Location]:
        return [location(one, project.text(one.path), self.session.documents) for one in spots]

    async def document_symbol(
        self, params: lsp.DocumentSymbolParams
    ) -> list[lsp.DocumentSymbol] | None:
        """The items of a document."""
        found = await self.at(params.text_document.uri, lsp.Position(0, 0))
        if found is None:
            return None
        project, path, lines, _ = found
        return [document_symbol(one, lines) for one in document_symbols(project.names(path))]

    async def workspace_symbol(
        self, params: lsp.WorkspaceSymbolParams
    ) -> list[lsp.WorkspaceSymbol]:
        """The items of all packs that are known, first those of the packs that are written here."""
        found: list[lsp.WorkspaceSymbol] = []
        for own, project in product((True, False), self.session.projects()):
            for one in workspace_symbols(project, params.query, own):
                spot = Spot(one.path, one.start, one.end)
                where = location(spot, project.text(one.path), self.session.documents)
                kind = SYMBOLS.get(one.sort, lsp.SymbolKind.Object)
                found.append(lsp.WorkspaceSymbol(where, one.name, kind, container_name=one.sort))
                if len(found) >= MOST_SYMBOLS:
                    return found
        return found

    async def folding(self, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange] | None:
        """What can be folded."""
        found = await self.at(params.text_document.uri, lsp.Position(0, 0))
        if found is None:
            return None
        project, path, lines, _ = found
        ranges = {
            (lines.position(start).line, lines.position(end).line)
            for start, end in folds(project.names(path))
        }
        return [lsp.FoldingRange(first, last) for first, last in sorted(ranges) if first < last]

    async def selection(self, params: lsp.SelectionRangeParams) -> list[lsp.SelectionRange] | None:
        """What to select around each position, from small to large."""
        answers: list[lsp.SelectionRange] = []
        for position in params.positions:
            found = await self.at(params.text_document.uri, position)
            if found is None:
                return None
            project, path, lines, offset = found
            parent: lsp.SelectionRange | None = None
            for start, end in reversed(selections(project.names(path), offset)):
                parent = lsp.SelectionRange(lines.range(start, end), parent)
            answers.append(parent or lsp.SelectionRange(lines.range(offset, offset)))
        return answers
