"""The requests of the protocol, each answered by one module of `ruleloom.editor`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

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
from ruleloom.editor.lsp.editor_session import DocumentPlace, EditorSession
from ruleloom.editor.lsp.offers import TakenByClient, completion, resolved
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


class RefusedRequest(JsonRpcInvalidParams):
    """A request that is refused, though nothing is at fault; the answer says why."""


class Features:
    """Answers for one server."""

    def __init__(self, server: LanguageServer, session: EditorSession) -> None:
        self.server, self.session = server, session
        self._offered: Completions | None = None

    @property
    def texts(self) -> dict[str, str]:
        """The open texts by path."""
        return self.session.workspace.texts

    # ------------------------------------------------------------------ writing

    async def completion(
        self, at: DocumentPlace, params: lsp.CompletionParams
    ) -> lsp.CompletionList:
        """The completions at a place."""
        self._offered = at.project.completer.complete(at.lines.text, at.offset)
        client = TakenByClient.of(self.server.client_capabilities)
        return completion(self._offered, at.lines, client)

    def resolve(self, item: lsp.CompletionItem) -> lsp.CompletionItem:
        """The meaning of a name that was offered."""
        return resolved(item, self._offered)

    async def signature_help(
        self, at: DocumentPlace, params: lsp.SignatureHelpParams
    ) -> lsp.SignatureHelp | None:
        """How what is being called is written."""
        help = signature_help(at.project, at.path, at.offset)
        if help is None:
            return None
        information = lsp.SignatureInformation(
            label=help.label,
            documentation=help.english or None,
            parameters=[lsp.ParameterInformation(label=one) for one in help.parameters],
        )
        return lsp.SignatureHelp([information], 0, help.active)

    async def formatting(
        self, at: DocumentPlace, params: lsp.DocumentFormattingParams
    ) -> list[lsp.TextEdit]:
        """The effect text of a document in canonical form."""
        return [
            lsp.TextEdit(at.lines.range(one.start, one.end), one.text)
            for one in formatting(at.project, at.path)
        ]

    async def on_type(
        self, at: DocumentPlace, params: lsp.DocumentOnTypeFormattingParams
    ) -> list[lsp.TextEdit] | None:
        """The indentation of a new line of effect text."""
        edit = indented(at.project, at.path, at.offset)
        return [lsp.TextEdit(at.lines.range(edit.start, edit.end), edit.text)] if edit else None

    async def code_action(
        self, at: DocumentPlace, params: lsp.CodeActionParams
    ) -> list[lsp.CodeAction]:
        """The code actions for a range."""
        end = at.lines.offset(params.range.end)
        about = _findings(at, end)
        wanted = params.context.only
        return [
            self._action(one, at.project)
            for one in actions(at.project, at.path, at.offset, end, about)
            if wanted is None or any(one.kind.startswith(kind) for kind in wanted)
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
        return workspace_edit(edits, texts, self.session.documents)

    async def prepare_rename(
        self, at: DocumentPlace, params: lsp.PrepareRenameParams
    ) -> lsp.PrepareRenamePlaceholder:
        """The name that can be renamed here."""
        try:
            name = renamable(at.project, at.path, at.offset)
        except RenameRefused as refused:
            raise RefusedRequest(str(refused)) from None
        short = at.lines.text[name.start : name.end].rpartition("/")[2]
        return lsp.PrepareRenamePlaceholder(at.lines.range(name.end - len(short), name.end), short)

    async def rename(self, at: DocumentPlace, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        """Another name, everywhere."""
        workspace, new = self.session.workspace, params.new_name
        try:
            edits = await self.session.in_worker(
                lambda: rename(workspace, at.project, at.path, at.offset, new)
            )
        except RenameRefused as refused:
            raise RefusedRequest(str(refused)) from None
        return self.edit(edits, at.project)

    # ------------------------------------------------------------------ reading

    async def hover(self, at: DocumentPlace, params: lsp.HoverParams) -> lsp.Hover | None:
        """The hover text of a word."""
        texts = await self.session.rules_texts(at.path)
        site = reference_of(at.project.group.packs[0])
        told = hover(at.project, at.path, at.offset, texts, site)
        if told is None:
            return None
        content = lsp.MarkupContent(lsp.MarkupKind.Markdown, told.markdown)
        return lsp.Hover(content, at.lines.range(told.start, told.end))

    async def definition(
        self, at: DocumentPlace, params: lsp.DefinitionParams
    ) -> list[lsp.Location]:
        """The declarations of a name."""
        return self.locations(at.project, definitions(at.project, at.path, at.offset))

    async def references(
        self, at: DocumentPlace, params: lsp.ReferenceParams
    ) -> list[lsp.Location]:
        """The uses of a name."""
        declared = params.context.include_declaration
        return self.locations(at.project, references(at.project, at.path, at.offset, declared))

    async def highlight(
        self, at: DocumentPlace, params: lsp.DocumentHighlightParams
    ) -> list[lsp.DocumentHighlight] | None:
        """The places of the name under the cursor in its file."""
        names = at.project.names(at.path)
        name = names.at(at.offset)
        if name is None:
            return None
        return [
            lsp.DocumentHighlight(at.lines.range(one.start, one.end))
            for one in names.occurrences
            if one.meaning == name.meaning
        ]

    def locations(self, project: Project, spots: Sequence[Spot]) -> list[lsp.Location]:
        """Stretches of files as the client takes them."""
        return [location(one, project.text(one.path), self.session.documents) for one in spots]

    async def document_symbol(
        self, at: DocumentPlace, params: lsp.DocumentSymbolParams
    ) -> list[lsp.DocumentSymbol]:
        """The items of a document."""
        found = document_symbols(at.project.names(at.path))
        return [document_symbol(one, at.lines) for one in found]

    def workspace_symbol(self, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        """The items of all packs that are known, first those of the packs that are written here."""
        found: list[lsp.WorkspaceSymbol] = []
        for own, project in product((True, False), self.session.projects()):
            for path, one in workspace_symbols(project, params.query, own):
                spot = Spot(path, one.name_start, one.name_end)
                where = location(spot, project.text(path), self.session.documents)
                kind = SYMBOLS.get(one.sort, lsp.SymbolKind.Object)
                found.append(lsp.WorkspaceSymbol(where, one.name, kind, container_name=one.sort))
                if len(found) >= MOST_SYMBOLS:
                    return found
        return found

    async def folding(
        self, at: DocumentPlace, params: lsp.FoldingRangeParams
    ) -> list[lsp.FoldingRange]:
        """The foldable ranges."""
        ranges = {
            (at.lines.position(start).line, at.lines.position(end).line)
            for start, end in folds(at.project.names(at.path))
        }
        return [lsp.FoldingRange(first, last) for first, last in sorted(ranges) if first < last]

    async def selection(
        self, at: DocumentPlace, params: lsp.SelectionRangeParams
    ) -> list[lsp.SelectionRange]:
        """The selections around each position, from small to large."""
        answers: list[lsp.SelectionRange] = []
        for position in params.positions:
            offset = at.lines.offset(position)
            parent: lsp.SelectionRange | None = None
            for start, end in reversed(selections(at.project.names(at.path), offset)):
                parent = lsp.SelectionRange(at.lines.range(start, end), parent)
            answers.append(parent or lsp.SelectionRange(at.lines.range(offset, offset)))
        return answers


def _findings(at: DocumentPlace, end: int) -> list[Diagnostic]:
    """The findings that touch the stretch from a place to `end`, or stand on its lines."""
    snapshot = at.project.snapshot
    shown = snapshot.shown.get(at.path, at.path)
    first, last = at.lines.position(at.offset).line + 1, at.lines.position(end).line + 1
    return [
        one
        for one in snapshot.findings
        if one.place.path == shown and one.place.line <= last and first <= one.place.end_line
    ]
