"""The requests about what stands beside the text: colours, hints, lenses, links, and commands.

What a command finds out is shown as findings on the lines that it is about, until the text changes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from ruleloom.compiler.analysis.analysis import IN_ZIP
from ruleloom.compiler.packs.walk import MANIFEST
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.editor.lsp.conversions import Shown, workspace_edit
from ruleloom.editor.lsp.documents import path_of
from ruleloom.editor.lsp.editor_session import DocumentPlace, EditorSession
from ruleloom.editor.lsp.positions import TextLines
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
from ruleloom.editor.scenario_runs import run_cases, stepped
from ruleloom.editor.workspace import reference_of
from ruleloom.editor.writing.new_case import WRITE_CASE, new_case
from ruleloom.runtime.program.faults import Refused

COMMANDS = (RUN, STEP, EXPLAIN, USES, WRITE_CASE)
NO_PACK = "this file belongs to no pack"
LEGEND = lsp.SemanticTokensLegend(list(CLASSES), list(MODIFIERS))


class Beside:
    """Answers for one server."""

    def __init__(self, server: LanguageServer, session: EditorSession) -> None:
        self.server, self.session = server, session

    async def semantic_tokens(
        self, at: DocumentPlace, params: lsp.SemanticTokensParams
    ) -> lsp.SemanticTokens:
        """The colours of effect text."""
        project, path, lines, _ = at
        data: list[int] = []
        before = lsp.Position(0, 0)
        for token in effect_tokens(project.names(path)):
            start, end = lines.position(token.start), lines.position(token.end)
            if start.line != end.line or start < before:
                continue
            below = start.line - before.line
            column = start.character - (0 if below else before.character)
            length = end.character - start.character
            data += [below, column, length, CLASSES.index(token.name), int(token.declares)]
            before = start
        return lsp.SemanticTokens(data)

    async def inlay_hints(
        self, at: DocumentPlace, params: lsp.InlayHintParams
    ) -> list[lsp.InlayHint]:
        """Numbers and names between the words."""
        project, path, lines, _ = at
        start, end = lines.offset(params.range.start), lines.offset(params.range.end)
        return [
            lsp.InlayHint(lines.position(one.at), one.text, tooltip=one.about or None)
            for one in hints(project, path, start, end)
        ]

    async def code_lenses(
        self, at: DocumentPlace, params: lsp.CodeLensParams
    ) -> list[lsp.CodeLens]:
        """The lines above items and cases."""
        project, path, lines, _ = at
        made = await self.session.in_worker(lambda: list(lenses(project, path)))
        return [
            lsp.CodeLens(
                lines.range(one.start, one.end),
                lsp.Command(title=one.title, command=one.command, arguments=list(one.arguments)),
            )
            for one in made
        ]

    async def links(
        self, at: DocumentPlace, params: lsp.DocumentLinkParams
    ) -> list[lsp.DocumentLink]:
        """The manifests of the packs that a manifest requires, and where the reference tells of each
        item."""
        project, path, lines, _ = at
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

    def zip_content(self, params: lsp.TextDocumentContentParams) -> lsp.TextDocumentContentResult:
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

        async def work(project: Project, result: CompileResult) -> str:
            found = await self.session.in_worker(lambda: run_cases(project, result, path, case))
            severities = (lsp.DiagnosticSeverity.Error, lsp.DiagnosticSeverity.Information)
            shown = [
                Shown(one.start, one.end, one.message, severities[one.passed], "scenario")
                for one in found
            ]
            self.session.show(path, shown)
            passed = sum(one.passed for one in found)
            return f"{passed} passed, {len(found) - passed} failed"

        return await self._with_reasons(path, work)

    async def step(self, path: str, case: str) -> str:
        """The table as text after each step of a case."""

        async def work(project: Project, result: CompileResult) -> str:
            told = await self.session.in_worker(lambda: stepped(project, result, path, case))
            lists = (item.get("cases") for item in project.names(path).items)
            cases = (one for listed in lists if listed is not None for one in listed.items)
            self._show(path, (one.get("id") for one in cases), case, told, "steps")
            return told

        return await self._with_reasons(path, work)

    async def explain(self, path: str, id: str) -> str:
        """The rules text of an item, shown where it stands."""
        project = await self.session.settled(path)
        if project is None:
            return NO_PACK
        texts = await self.session.fresh_rules(project.group)
        told = texts.get(id, "") or "nothing is written about it"
        ids = (item.get("id") for item in project.names(path).items)
        self._show(path, ids, id.rpartition("/")[2], told, "rules-text")
        return told

    async def write_case(self, path: str, id: str) -> str:
        """Write a scenario for an item, as an edit that the client makes."""

        async def work(project: Project, result: CompileResult) -> str:
            edits = await self.session.in_worker(lambda: new_case(project, result, id))
            texts = {one: project.text(one) for one in edits if project.is_known(one)}
            edit = workspace_edit(edits, texts, self.session.documents)
            await self.server.workspace_apply_edit_async(
                lsp.ApplyWorkspaceEditParams(edit, "write a scenario")
            )
            return "written"

        return await self._with_reasons(path, work)

    async def _with_reasons(
        self, path: str, work: Callable[[Project, CompileResult], Awaitable[str]]
    ) -> str:
        """The answer of a command that needs the packs of a file with the reasons of refusals; a
        refusal is shown as a warning, too."""
        project = await self.session.settled(path)
        if project is None:
            return NO_PACK
        try:
            return await work(project, await self.session.with_reasons(project.group))
        except Refused as refused:
            message = lsp.ShowMessageParams(lsp.MessageType.Warning, refused.reason)
            self.server.window_show_message(message)
            return refused.reason

    def _show(
        self, path: str, ids: Iterable[YamlNode | None], wanted: str, told: str, code: str
    ) -> None:
        """Show a text at the first of some ids that is the wanted one."""
        id = next((one for one in ids if one is not None and one.text == wanted), None)
        if id is not None:
            severity = lsp.DiagnosticSeverity.Information
            self.session.show(path, [Shown(id.start, id.end, told, severity, code)])


def _in_reference(project: Project, path: str, lines: TextLines) -> Iterator[lsp.DocumentLink]:
    """A link at the name of each item, where the reference is known."""
    site = reference_of(project.group.packs[0])
    for one in project.names(path).occurrences if site else ():
        link = link_in(site, one.meaning) if one.declares else ""
        if link:
            yield lsp.DocumentLink(lines.range(one.start, one.end), link, "in the reference")
