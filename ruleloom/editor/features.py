"""The handlers of protocol requests and commands.

The results of a command are published as diagnostics on the lines concerned, until the text changes.
A keystroke sends hundreds of completion items, so each is kept minimal: common fields are sent once as
defaults, and documentation only on resolve, if the client supports these.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from itertools import product
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from ruleloom.compiler.analysis.analysis import IN_ZIP
from ruleloom.compiler.analysis.yaml_cursor import FileEdit, FileEdits, nodes_in
from ruleloom.compiler.packs.walk import MANIFEST
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.editor.annotations import (
    CLASSES,
    EXPLAIN,
    MODIFIERS,
    NAME_CLAIM,
    RUN,
    STEP,
    USES,
    WRITE_CASE,
    by_member,
    document_symbols,
    effect_tokens,
    folds,
    hints,
    lenses,
    link_in,
    selection,
    workspace_symbols,
)
from ruleloom.editor.code_actions import KINDS, Action, actions, formatting, indented
from ruleloom.editor.editor_session import DocumentPlace, EditorSession
from ruleloom.editor.navigation import (
    RenameRefused,
    Spot,
    definitions,
    hover,
    references,
    renamable,
    rename,
    signature_help,
)
from ruleloom.editor.project import Project, path_of, reference_of
from ruleloom.editor.scenario_runs import named_claim, new_case, run_cases, stepped
from ruleloom.editor.usage import Candidate, Completions
from ruleloom.runtime.program.faults import Refused

MOST_SYMBOLS = 500
INFORMATION = lsp.DiagnosticSeverity.Information
T = TypeVar("T")
Handler = Callable[[DocumentPlace], object]
Commanded = Callable[..., Awaitable[object]]

# The LSP kinds of completions by sort; other sorts are `Reference`.
COMPLETIONS = by_member(
    {
        "Function": "operation query measure rule",
        "Event": "moment event",
        "Method": "power",
        "Property": "stat argument",
        "Variable": "variable",
        "Constant": "setting",
        "Folder": "zone",
        "Field": "field",
        "Keyword": "word",
        "Class": "type entity kind",
        "Enum": "enum",
        "EnumMember": "value",
        "Interface": "keyword",
    }
)


# How requests are registered.
OPTIONS: Mapping[str, object] = {
    lsp.TEXT_DOCUMENT_COMPLETION: lsp.CompletionOptions(
        trigger_characters=[*"{(:/, ."], resolve_provider=True
    ),
    lsp.TEXT_DOCUMENT_SIGNATURE_HELP: lsp.SignatureHelpOptions(trigger_characters=["(", ","]),
    lsp.TEXT_DOCUMENT_ON_TYPE_FORMATTING: lsp.DocumentOnTypeFormattingOptions("\n"),
    lsp.TEXT_DOCUMENT_CODE_ACTION: lsp.CodeActionOptions([*map(lsp.CodeActionKind, KINDS)]),
    lsp.TEXT_DOCUMENT_RENAME: lsp.RenameOptions(prepare_provider=True),
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: lsp.SemanticTokensLegend(CLASSES, MODIFIERS),
    lsp.TEXT_DOCUMENT_CODE_LENS: lsp.CodeLensOptions(),
    lsp.TEXT_DOCUMENT_DOCUMENT_LINK: lsp.DocumentLinkOptions(),
}


class RefusedRequest(JsonRpcInvalidParams):
    """A request refused without an internal error; the response has the reason."""


def with_refusals(work: Commanded) -> Commanded:
    """A command whose refusals are its response, and are shown as a warning."""

    @wraps(work)
    async def done(features: Features, *arguments: Any) -> object:
        try:
            return await work(features, *arguments)
        except Refused as refused:
            message = lsp.ShowMessageParams(lsp.MessageType.Warning, refused.reason)
            features.server.window_show_message(message)
            return refused.reason

    return done


class Features:
    """A server's handlers."""

    def __init__(self, server: LanguageServer, session: EditorSession) -> None:
        self.server, self.session = server, session
        self._offered: Completions | None = None

    @property
    def answers(self) -> Mapping[str, Handler]:
        """The handler of each document request."""
        return {
            lsp.TEXT_DOCUMENT_COMPLETION: self.completion,
            lsp.TEXT_DOCUMENT_SIGNATURE_HELP: _at_offset(signature_help),
            lsp.TEXT_DOCUMENT_FORMATTING: lambda at: _edits(at, formatting(at.project, at.path)),
            lsp.TEXT_DOCUMENT_ON_TYPE_FORMATTING: lambda at: _edits(at, _at_offset(indented)(at)),
            lsp.TEXT_DOCUMENT_CODE_ACTION: self.code_action,
            lsp.TEXT_DOCUMENT_PREPARE_RENAME: self.prepare_rename,
            lsp.TEXT_DOCUMENT_RENAME: self.rename,
            lsp.TEXT_DOCUMENT_HOVER: self.hover,
            lsp.TEXT_DOCUMENT_DEFINITION: lambda at: self.locations(
                at.project, _at_offset(definitions)(at)
            ),
            lsp.TEXT_DOCUMENT_REFERENCES: self.references,
            lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: self.highlight,
            lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: lambda at: [*document_symbols(at.project, at.path)],
            lsp.TEXT_DOCUMENT_FOLDING_RANGE: lambda at: folds(at.project, at.path),
            lsp.TEXT_DOCUMENT_SELECTION_RANGE: lambda at: [
                selection(at.project, at.path, at.lines.offset(one)) for one in at.params.positions
            ],
            lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: self.semantic_tokens,
            lsp.TEXT_DOCUMENT_INLAY_HINT: lambda at: [
                *hints(at.project, at.path, at.offset, _end_of(at))
            ],
            lsp.TEXT_DOCUMENT_CODE_LENS: lambda at: self.session.in_worker(
                lambda: [*lenses(at.project, at.path)]
            ),
            lsp.TEXT_DOCUMENT_DOCUMENT_LINK: self.links,
        }

    @property
    def commands(self) -> Mapping[str, Commanded]:
        """The handler of each command."""
        return {
            RUN: self.run,
            STEP: self.step,
            EXPLAIN: self.explain,
            USES: self.uses,
            WRITE_CASE: self.write_case,
            NAME_CLAIM: self.name_claim,
        }

    # ------------------------------------------------------------------ writing

    def completion(self, at: DocumentPlace) -> lsp.CompletionList:
        """The completions at a place, in the client's supported form."""
        self._offered = offer = at.completer.complete(at.lines.text, at.offset)
        snippets, once, later = _taken(self.server.client_capabilities)
        where = at.lines.range(offer.start, offer.end)
        items = []
        for number, one in enumerate(offer.candidates):
            item = _item(one, snippets, later)
            item.sort_text = f"{number:04}"
            if not once:
                item.text_edit = lsp.TextEdit(where, item.text_edit_text or item.label)
                item.text_edit_text = None
            items.append(item)
        defaults = lsp.CompletionItemDefaults(edit_range=where) if once else None
        return lsp.CompletionList(not offer.is_complete, items, defaults)

    def resolve(self, item: lsp.CompletionItem) -> lsp.CompletionItem:
        """An item with its documentation, if it was offered last."""
        for one in self._offered.candidates if self._offered is not None else ():
            if one.label == item.label:
                item.documentation = one.english or None
        return item

    def code_action(self, at: DocumentPlace) -> list[lsp.CodeAction]:
        """The code actions for a range and the findings on its lines."""
        end, snapshot = _end_of(at), at.project.snapshot
        shown = snapshot.shown.get(at.path, at.path)
        first, last = at.lines.position(at.offset).line + 1, at.lines.position(end).line + 1
        about = [
            one
            for one in snapshot.findings
            if one.place.path == shown and one.place.line <= last and first <= one.place.end_line
        ]
        wanted = at.params.context.only
        return [
            self._action(one, at.project)
            for one in actions(at.project, at.path, at.offset, end, about)
            if wanted is None or any(one.kind.startswith(kind) for kind in wanted)
        ]

    def _action(self, action: Action, project: Project) -> lsp.CodeAction:
        mends = [action.mends] if action.mends is not None else []
        found = self.session.documents.diagnostics(mends, project.snapshot)
        name, arguments = action.command or ("", ())
        return lsp.CodeAction(
            title=action.title,
            kind=lsp.CodeActionKind(action.kind),
            diagnostics=[one for _, one in found] or None,
            is_preferred=action.is_preferred or None,
            edit=self.edit(action.edits, project) if action.edits else None,
            command=lsp.Command(action.title, name, arguments=list(arguments)) if name else None,
        )

    def edit(self, edits: FileEdits, project: Project) -> lsp.WorkspaceEdit:
        """Edits of files as an LSP workspace edit."""
        texts = {path: project.text(path) for path in edits if project.is_known(path)}
        return self.session.documents.edit(edits, texts)

    def prepare_rename(self, at: DocumentPlace) -> lsp.PrepareRenamePlaceholder:
        """The renamable name's range."""
        try:
            name = renamable(at.project, at.path, at.offset)
        except RenameRefused as refused:
            raise RefusedRequest(str(refused)) from None
        short = at.lines.text[name.start : name.end].rpartition("/")[2]
        return lsp.PrepareRenamePlaceholder(at.lines.range(name.end - len(short), name.end), short)

    async def rename(self, at: DocumentPlace) -> lsp.WorkspaceEdit:
        """The edits of a rename."""
        workspace, new = self.session.workspace, at.params.new_name
        try:
            edits = await self.session.in_worker(
                lambda: rename(workspace, at.project, at.path, at.offset, new)
            )
        except RenameRefused as refused:
            raise RefusedRequest(str(refused)) from None
        return self.edit(edits, at.project)

    # ------------------------------------------------------------------ reading

    async def hover(self, at: DocumentPlace) -> lsp.Hover | None:
        """The hover of a word."""
        texts = await self.session.rules_texts(at.path)
        site = reference_of(at.project.group.packs[0])
        return hover(at.project, at.path, at.offset, texts, site)

    def references(self, at: DocumentPlace) -> list[lsp.Location]:
        """The uses of a name."""
        declared = at.params.context.include_declaration
        return self.locations(at.project, references(at.project, at.path, at.offset, declared))

    def highlight(self, at: DocumentPlace) -> list[lsp.DocumentHighlight] | None:
        """The occurrences in the file of the name here."""
        names = at.project.names(at.path)
        name = names.at(at.offset)
        if name is None:
            return None
        same = (one for one in names.occurrences if one.meaning == name.meaning)
        return [lsp.DocumentHighlight(at.lines.range(one.start, one.end)) for one in same]

    def locations(self, project: Project, spots: Iterable[Spot]) -> list[lsp.Location]:
        """Ranges of files as LSP locations."""
        uri = self.session.documents.uri
        return [
            lsp.Location(uri(path), project.lines(path).range(start, end))
            for path, start, end in spots
        ]

    def workspace_symbol(self, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        """The symbols of all known packs that match a query, those of editable packs first."""
        found: list[lsp.WorkspaceSymbol] = []
        for own, project in product((True, False), self.session.projects()):
            for path, one in workspace_symbols(project, params.query, own):
                where = lsp.Location(self.session.documents.uri(path), one.selection_range)
                about = (one.detail or "").partition(" ")[0]
                found.append(lsp.WorkspaceSymbol(where, one.name, one.kind, container_name=about))
                if len(found) >= MOST_SYMBOLS:
                    return found
        return found

    # ------------------------------------------------------------------ beside the text

    def semantic_tokens(self, at: DocumentPlace) -> lsp.SemanticTokens:
        """The semantic tokens."""
        data: list[int] = []
        before = lsp.Position(0, 0)
        for token in effect_tokens(at.project.names(at.path)):
            start, end = at.lines.position(token.start), at.lines.position(token.end)
            if start.line != end.line or start < before:
                continue
            below = start.line - before.line
            column = start.character - (0 if below else before.character)
            length = end.character - start.character
            data += [below, column, length, CLASSES.index(token.name), int(token.declares)]
            before = start
        return lsp.SemanticTokens(data)

    def links(self, at: DocumentPlace) -> list[lsp.DocumentLink]:
        """Links from a manifest to those of the required packs, and from each item to the reference."""
        found = (*self._manifests(at), *_in_reference(at))
        return [
            lsp.DocumentLink(at.lines.range(start, end), target, about)
            for start, end, target, about in found
        ]

    def _manifests(self, at: DocumentPlace) -> Iterator[tuple[int, int, str, str]]:
        packs = at.project.snapshot.kept.content.packs
        manifests = {pack.id: pack.folder / MANIFEST for pack in packs}
        for item in at.project.names(at.path).items:
            for node in filter(None, map(item.get, ("requires", "game"))):
                spans = dict(node.key_spans or {})
                if node.text is not None:
                    spans[node.text] = (node.start, node.end)
                for name, span in spans.items():
                    if name in manifests:
                        uri = self.session.documents.uri(str(manifests[name]))
                        yield *span, uri, "the pack's manifest"

    def zip_content(self, params: lsp.TextDocumentContentParams) -> lsp.TextDocumentContentResult:
        """The text of a file in a zip, read-only."""
        path = path_of(params.uri)
        for project in self.session.projects():
            text = project.snapshot.text_of(path) if IN_ZIP in path else None
            if text is not None:
                return lsp.TextDocumentContentResult(text)
        return lsp.TextDocumentContentResult("")

    # ------------------------------------------------------------------ commands

    @with_refusals
    async def run(self, path: str, case: str | None = None) -> str:
        """Run the cases of a file, or one of them; each result is shown in its line."""
        project, result = await self._with_reasons(path)
        found = await self.session.in_worker(lambda: run_cases(project, result, path, case))
        severities, finding = (
            (lsp.DiagnosticSeverity.Error, INFORMATION),
            project.lines(path).finding,
        )
        shown = [
            finding(one.start, one.end, one.message, severities[one.passed], "scenario")
            for one in found
        ]
        self.session.show(path, shown)
        passed = sum(one.passed for one in found)
        return f"{passed} passed, {len(found) - passed} failed"

    @with_refusals
    async def step(self, path: str, case: str) -> str:
        """The table, as text, at each step of a case."""
        project, result = await self._with_reasons(path)
        told = await self.session.in_worker(lambda: stepped(project, result, path, case))
        self._show(project, path, case, told, "steps")
        return told

    @with_refusals
    async def explain(self, path: str, id: str) -> str:
        """The rules text of an item, shown at its id, too."""
        project = await self._settled(path)
        texts = await self.session.fresh_rules(project.group)
        told = texts.get(id, "") or "nothing is written about it"
        self._show(project, path, id.rpartition("/")[2], told, "rules-text")
        return told

    async def uses(self, path: str, offset: int) -> Sequence[lsp.Location]:
        """The uses of a name, excluding its declaration."""
        project = await self.session.project(path)
        if project is None:
            return []
        return self.locations(project, references(project, path, offset, declared=False))

    @with_refusals
    async def write_case(self, path: str, id: str) -> str:
        """Generate a scenario for an item, as a client edit."""
        project, result = await self._with_reasons(path)
        edits = await self.session.in_worker(lambda: new_case(project, result, id))
        return await self._written(edits, project, "write a scenario")

    @with_refusals
    async def name_claim(self, path: str, start: int) -> str:
        """Write the name of what a case claims by words at an offset, as a client edit."""
        project, result = await self._with_reasons(path)
        edits = await self.session.in_worker(lambda: named_claim(project, result, path, start))
        return await self._written(edits, project, "write its name")

    async def _written(self, edits: FileEdits, project: Project, label: str) -> str:
        made = lsp.ApplyWorkspaceEditParams(self.edit(edits, project), label)
        await self.server.workspace_apply_edit_async(made)
        return "written"

    async def _settled(self, path: str) -> Project:
        project = await self.session.project(path, settled=True)
        if project is None:
            raise Refused("this file belongs to no pack")
        return project

    async def _with_reasons(self, path: str) -> tuple[Project, CompileResult]:
        """The current project of a file, and its compilation with the reasons of refusals."""
        project = await self._settled(path)
        return project, await self.session.with_reasons(project)

    def _show(self, project: Project, path: str, wanted: str, told: str, code: str) -> None:
        """Publish a text at the item or case with the wanted id."""
        ids = (node.get("id") for node in nodes_in(project.names(path).root))
        id = next((one for one in ids if one is not None and one.text == wanted), None)
        if id is not None:
            found = project.lines(path).finding(id.start, id.end, told, INFORMATION, code)
            self.session.show(path, [found])


def _taken(said: lsp.ClientCapabilities) -> tuple[bool, bool, bool]:
    """Does a client support snippets, one edit range for all completions, and documentation on
    resolve?"""
    about = said.text_document.completion if said.text_document else None
    item = about.completion_item if about else None
    common = about.completion_list.item_defaults if about and about.completion_list else None
    later = item.resolve_support.properties if item and item.resolve_support else ()
    snippets = bool(item and item.snippet_support)
    return snippets, "editRange" in (common or ()), "documentation" in later


def _item(one: Candidate, snippets: bool, resolves: bool) -> lsp.CompletionItem:
    """The completion item for a client that may support `snippets` and late documentation."""
    is_snippet = one.is_snippet and snippets
    text = one.text if is_snippet or not one.is_snippet else one.label
    sort = one.sort.partition(" of ")[0].removeprefix("local ")
    return lsp.CompletionItem(
        label=one.label,
        kind=lsp.CompletionItemKind[COMPLETIONS.get(sort, "Reference")],
        detail=one.detail or one.sort,
        documentation=None if resolves else one.english or None,
        insert_text_format=lsp.InsertTextFormat.Snippet if is_snippet else None,
        insert_text_mode=lsp.InsertTextMode.AdjustIndentation if "\n" in text else None,
        text_edit_text=text if text != one.label else None,
    )


def _end_of(at: DocumentPlace) -> int:
    """The end of a request's range."""
    return at.lines.offset(at.params.range.end)


def _at_offset(ask: Callable[[Project, str, int], T]) -> Callable[[DocumentPlace], T]:
    return lambda at: ask(at.project, at.path, at.offset)


def _edits(at: DocumentPlace, edits: Iterable[FileEdit]) -> list[lsp.TextEdit]:
    return [lsp.TextEdit(at.lines.range(one.start, one.end), one.text) for one in edits]


def _in_reference(at: DocumentPlace) -> Iterator[tuple[int, int, str, str]]:
    """A link at each declared name that has a reference entry."""
    site = reference_of(at.project.group.packs[0])
    for one in at.project.names(at.path).occurrences if site else ():
        link = link_in(site, one.meaning) if one.declares else ""
        if link:
            yield one.start, one.end, link, "in the reference"
