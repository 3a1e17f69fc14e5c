"""The requests about what stands beside the text: colours, hints, lenses, links, and commands.

What a command finds out is shown as findings on the lines that it is about, until the text changes.
"""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from ruleloom.compiler.analysis.analysis import IN_ZIP
from ruleloom.compiler.packs.walk import MANIFEST
from ruleloom.editor.lsp.conversions import Shown, location, workspace_edit
from ruleloom.editor.lsp.documents import path_of
from ruleloom.editor.lsp.editor_session import EditorSession
from ruleloom.editor.lsp.positions import TextLines
from ruleloom.editor.names.navigation import references
from ruleloom.editor.project import Project
from ruleloom.editor.reading.annotations import (
    EXPLAIN,
    RUN,
    STEP,
    USES,
    hints,
    lenses,
    link_in,
)
from ruleloom.editor.reading.effect_tokens import CLASSES, MODIFIERS, effect_tokens
from ruleloom.editor.scenario_runs import CannotRun, run_cases, stepped
from ruleloom.editor.workspace import reference_of
from ruleloom.editor.writing.new_case import WRITE_CASE, NoCase, new_case

COMMANDS = (RUN, STEP, EXPLAIN, USES, WRITE_CASE)
LEGEND = lsp.SemanticTokensLegend(list(CLASSES), list(MODIFIERS))


class Beside:
    """Answers for one server."""

    def __init__(self, server: LanguageServer, session: EditorSession) -> None:
        self.server, self.session = server, session

    async def _of(self, uri: str) -> tuple[Project, str, TextLines] | None:
        path = path_of(uri)
        project = await self.session.project(path)
        return (project, path, TextLines(project.text(path))) if project is not None else None

    async def semantic_tokens(self, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens | None:
        """The colours of effect text."""
        found = await self._of(params.text_document.uri)
        if found is None:
            return None
        project, path, lines = found
        data: list[int] = []
        before = lsp.Position(0, 0)
        for token in effect_tokens(project.names(path)):
            start, end = lines.position(token.start), lines.position(token.end)
            if start.line != end.line or (start.line, start.character) < (
                before.line,
                before.character,
            ):
                continue
            column = start.character - (before.character if start.line == before.line else 0)
            kind, declared = CLASSES.index(token.name), int(token.declares)
            data += [
                start.line - before.line,
                column,
                end.character - start.character,
                kind,
                declared,
            ]
            before = start
        return lsp.SemanticTokens(data)

    async def inlay_hints(self, params: lsp.InlayHintParams) -> list[lsp.InlayHint] | None:
        """Numbers and names between the words."""
        found = await self._of(params.text_document.uri)
        if found is None:
            return None
        project, path, lines = found
        start, end = lines.offset(params.range.start), lines.offset(params.range.end)
        return [
            lsp.InlayHint(lines.position(one.at), one.text, tooltip=one.about or None)
            for one in hints(project, path, start, end)
        ]

    async def code_lenses(self, params: lsp.CodeLensParams) -> list[lsp.CodeLens] | None:
        """The lines above items and cases."""
        found = await self._of(params.text_document.uri)
        if found is None:
            return None
        project, path, lines = found
        made = await self.session.in_worker(lambda: list(lenses(project, path)))
        return [
            lsp.CodeLens(
                lines.range(one.start, one.end),
                lsp.Command(title=one.title, command=one.command, arguments=list(one.arguments)),
            )
            for one in made
        ]

    async def links(self, params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink] | None:
        """The manifests of the packs that a manifest requires, and where the reference tells of each
        item."""
        found = await self._of(params.text_document.uri)
        if found is None:
            return None
        project, path, lines = found
        return [*self._links(project, path, lines), *_in_reference(project, path, lines)]

    def _links(self, project: Project, path: str, lines: TextLines) -> Iterator[lsp.DocumentLink]:
        manifests = {pack.id: pack.folder / MANIFEST for pack in project.snapshot.content.packs}
        for item in project.names(path).items:
            for field in ("requires", "game"):
                node = item.get(field)
                spans = dict(node.key_spans or {}) if node is not None else {}
                if node is not None and node.text is not None:
                    spans[node.text] = (node.start, node.end)
                for name, (start, end) in spans.items():
                    if name in manifests:
                        uri = self.session.documents.uri(str(manifests[name]))
                        yield lsp.DocumentLink(lines.range(start, end), uri, "the pack's manifest")

    async def zip_content(
        self, params: lsp.TextDocumentContentParams
    ) -> lsp.TextDocumentContentResult:
        """The text of a file in a zip, which can only be read."""
        path = path_of(params.uri)
        for project in self.session.projects():
            text = project.snapshot.text_of(path) if IN_ZIP in path else None
            if text is not None:
                return lsp.TextDocumentContentResult(text)
        return lsp.TextDocumentContentResult("")

    # ------------------------------------------------------------------ commands

    async def run(self, path: str, case: str | None = None) -> str:
        """Run the cases of a file, or one of them; each result is shown on its line."""
        project = await self.session.settled(path)
        if project is None:
            return "this file belongs to no pack"
        try:
            result = await self.session.with_reasons(project.group)
            found = await self.session.in_worker(lambda: run_cases(project, result, path, case))
        except CannotRun as reason:
            return self._complain(str(reason))
        severities = (lsp.DiagnosticSeverity.Error, lsp.DiagnosticSeverity.Information)
        shown = [
            Shown(one.start, one.end, one.message, severities[one.passed], "scenario")
            for one in found
        ]
        self.session.show(path, shown)
        passed = sum(one.passed for one in found)
        return f"{passed} passed, {len(found) - passed} failed"

    async def step(self, path: str, case: str) -> str:
        """The table as text after each step of a case."""
        project = await self.session.settled(path)
        if project is None:
            return "this file belongs to no pack"
        try:
            result = await self.session.with_reasons(project.group)
            told = await self.session.in_worker(lambda: stepped(project, result, path, case))
        except CannotRun as reason:
            return self._complain(str(reason))
        node = next((one for one in _cases(project, path) if one[0] == case), None)
        if node is not None:
            shown = Shown(node[1], node[2], told, lsp.DiagnosticSeverity.Information, "steps")
            self.session.show(path, [shown])
        return told

    async def explain(self, path: str, id: str) -> str:
        """The rules text of an item, shown where it stands."""
        project = await self.session.settled(path)
        if project is None:
            return "this file belongs to no pack"
        texts = await self.session.fresh_rules(project.group)
        told = texts.get(id, "") or "nothing is written about it"
        for item in project.names(path).items:
            named = item.get("id")
            if named is not None and named.text == id.rpartition("/")[2]:
                shown = Shown(
                    named.start, named.end, told, lsp.DiagnosticSeverity.Information, "rules-text"
                )
                self.session.show(path, [shown])
        return told

    async def uses(self, path: str, offset: int) -> list[lsp.Location]:
        """Where the item at a place is used."""
        project = await self.session.project(path)
        if project is None:
            return []
        spots = references(project, path, offset, declared=False)
        documents = self.session.documents
        return [location(one, project.text(one.path), documents) for one in spots]

    async def write_case(self, path: str, id: str) -> str:
        """Write a scenario for an item, as an edit that the client makes."""
        project = await self.session.settled(path)
        if project is None:
            return "this file belongs to no pack"
        try:
            result = await self.session.with_reasons(project.group)
            edits = await self.session.in_worker(lambda: new_case(project, result, id))
        except NoCase as reason:
            return self._complain(str(reason))
        texts = {one: project.text(one) for one in edits if project.is_known(one)}
        edit = workspace_edit(edits, texts, self.session.documents, creates=True)
        await self.server.workspace_apply_edit_async(
            lsp.ApplyWorkspaceEditParams(edit, "write a scenario")
        )
        return "written"

    def _complain(self, message: str) -> str:
        self.server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, message))
        return message


def _in_reference(project: Project, path: str, lines: TextLines) -> Iterator[lsp.DocumentLink]:
    """A link at the name of each item, where the reference is known."""
    site = reference_of(project.group.packs[0])
    for one in project.names(path).occurrences if site else ():
        link = link_in(site, one.meaning) if one.declares else ""
        if link:
            yield lsp.DocumentLink(lines.range(one.start, one.end), link, "in the reference")


def _cases(project: Project, path: str) -> Iterator[tuple[str, int, int]]:
    for item in project.names(path).items:
        cases = item.get("cases")
        for case in cases.items if cases is not None else ():
            id = case.get("id")
            if id is not None and id.text is not None:
                yield id.text, id.start, id.end
